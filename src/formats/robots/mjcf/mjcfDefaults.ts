import { attributeOf, type XmlElement } from '../../text/xmlDocument.ts';
import type { Count, XmlNumbers } from '../../text/xmlNumbers.ts';
import { type Compiler, keywordOf } from './mjcfCompiler.ts';
import type { MjcfDocument } from './mjcfDocument.ts';
import type { MjcfSchema } from './mjcfSchema.ts';

/** The class at the top, whose defaults all others inherit. */
const MAIN = 'main';

/** Kinds of elements that have defaults. */
type DefaultKind = 'joint' | 'geom' | 'mesh' | 'equality';

/** Attributes that state an orientation other than `quat`; each overrides those of outer classes. */
const ORIENTATIONS = ['axisangle', 'euler', 'xyaxes', 'zaxis'] as const;

/** An element with the defaults of its class. Absent attributes, and invalid ones (problems), are undefined. */
export class WithDefaults {
  /**
   * @param place names the element in problems
   * @param chain the element, then the defaults of its class, of the class around it, and so on
   */
  constructor(
    readonly place: string,
    readonly numbers: XmlNumbers,
    private readonly chain: readonly XmlElement[],
  ) {}

  /** The element itself. */
  get element(): XmlElement {
    return this.chain[0];
  }

  /** Returns the element that states an attribute: itself, or the nearest default; undefined if none does. */
  holder(attribute: string): XmlElement | undefined {
    return this.chain.find((element) => attributeOf(element, attribute) !== undefined);
  }

  /** Returns the elements that state an attribute: itself first, then its defaults, the nearest one first. */
  holders(attribute: string): readonly XmlElement[] {
    return this.chain.filter((element) => attributeOf(element, attribute) !== undefined);
  }

  /** Returns the value of an attribute, stated or inherited. */
  value(attribute: string): string | undefined {
    const element = this.holder(attribute);
    return element && attributeOf(element, attribute);
  }

  /** Adds a problem of the element that states an attribute; of this one if none does. */
  addProblem(attribute: string, what: string, note?: string): void {
    this.numbers.addProblem(this.holder(attribute) ?? this.element, this.place, what, note);
  }

  /** Reads an attribute that is one of some words. */
  keyword(attribute: string, choices: readonly string[]): string | undefined {
    const element = this.holder(attribute);
    return element && keywordOf(element, attribute, choices, this.place, this.numbers);
  }

  /** Reads an attribute with one number. */
  number(attribute: string): number | undefined {
    return this.list(attribute, 1)?.[0];
  }

  /** Reads an attribute with `count` numbers, for none of which `problemOf` returns a problem. */
  list(attribute: string, count: Count, problemOf?: (value: number) => string | undefined): number[] | undefined {
    const element = this.holder(attribute);
    return element && this.numbers.bounded(element, attribute, count, this.place, problemOf);
  }

  /**
   * Returns the element that states the orientation: the nearest one with an attribute other than `quat`, or else the
   * nearest with `quat`. An inherited Euler angle goes before the quaternion of the element itself, as in MuJoCo.
   */
  orientationHolder(): XmlElement | undefined {
    const states = (element: XmlElement) => ORIENTATIONS.some((name) => attributeOf(element, name) !== undefined);
    return this.chain.find(states) ?? this.holder('quat');
  }
}

/** The default classes of a model: nested classes inherit, [MuJoCo, Modeling, "Default settings"]. */
export class MjcfDefaults {
  private readonly classes = new Map<string, Readonly<Partial<Record<DefaultKind, readonly XmlElement[]>>>>([
    [MAIN, {}],
  ]);

  constructor(
    sections: readonly XmlElement[],
    private readonly schema: MjcfSchema,
    private readonly numbers: XmlNumbers,
  ) {
    for (const section of sections) {
      const name = attributeOf(section, 'class') ?? MAIN;
      if (name !== MAIN)
        numbers.addProblem(section, 'default', `the outermost class is "${name}", its name must be "${MAIN}"`);
      this.addClass(section, MAIN, MAIN);
    }
  }

  /**
   * Returns an element with the defaults of its class.
   * @param childClass class of the nearest element around it that states one
   */
  apply(element: XmlElement, kind: DefaultKind, childClass: string | undefined, place: string): WithDefaults {
    const stated = attributeOf(element, 'class');
    const name = stated ?? childClass ?? MAIN;
    if (stated !== undefined) this.requireClass(element, stated, place);
    return new WithDefaults(place, this.numbers, [element, ...(this.classes.get(name)?.[kind] ?? [])]);
  }

  /** Reads the `childclass` of an element; the class around it if it states none. */
  childClass(element: XmlElement, around: string | undefined, place: string): string | undefined {
    const stated = attributeOf(element, 'childclass');
    if (stated !== undefined) this.requireClass(element, stated, place);
    return stated ?? around;
  }

  private requireClass(element: XmlElement, name: string, place: string): void {
    if (this.classes.has(name)) return;
    this.numbers.addProblem(
      element,
      place,
      `there is no default class "${name}"`,
      this.numbers.suggest(name, this.classes.keys()),
    );
  }

  private addClass(element: XmlElement, name: string, parent: string): void {
    const place = `default class "${name}"`;
    this.schema.checkAttributes(element, place);
    const children = this.schema.childrenOf(element, place);
    const kinds = { ...this.classes.get(parent) };
    for (const child of children) {
      const kind = child.nodeName as DefaultKind | 'default';
      if (kind === 'default') continue;
      this.schema.checkAttributes(child, place);
      const inherited = this.classes.get(parent)?.[kind] ?? [];
      if (kinds[kind] !== undefined && kinds[kind] !== inherited)
        this.numbers.addProblem(child, place, `there are two <${kind}>`, 'Keep one of them.');
      kinds[kind] = [child, ...inherited];
    }
    this.classes.set(name, kinds);
    for (const child of children) {
      if (child.nodeName !== 'default') continue;
      const inner = attributeOf(child, 'class') ?? '';
      if (inner === '')
        this.numbers.addProblem(child, place, 'a class in it has no name', 'Write <default class="…">.');
      else if (this.classes.has(inner)) this.numbers.addProblem(child, place, `there are two classes "${inner}"`);
      else this.addClass(child, inner, name);
    }
  }
}

/** Settings and default classes that all elements of a model refer to. */
export interface MjcfContext {
  readonly document: MjcfDocument;
  readonly numbers: XmlNumbers;
  readonly schema: MjcfSchema;
  readonly compiler: Compiler;
  readonly defaults: MjcfDefaults;
}
