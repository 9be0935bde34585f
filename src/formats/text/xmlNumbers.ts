import type { Pose } from '../../core/kinematics/robotModel.ts';
import { jointValueProblem, lengthProblem } from '../../core/math/magnitudes.ts';
import { lengthIfNotUnit, quaternionOf, setRotationFromRpy } from '../../core/math/quaternion.ts';
import { create } from '../../core/math/transform.ts';
import { PI } from '../../core/math/trigonometry.ts';
import { InputError, suggestion } from '../../errors.ts';
import { degreesHint } from './degrees.ts';
import { attributeOf, childrenOf, fileOf, lineOf, quote, type XmlElement } from './xmlDocument.ts';

type Triple = [number, number, number];
/** Number of problems after which names are no longer compared with each other. */
const MAX_SUGGESTIONS = 50;
/** How many numbers a list must have: exactly, or at least and at most. */
export type Count = number | readonly [least: number, most: number];

/** Reads the numbers of one XML file, and collects all problems instead of throwing at the first. */
export class XmlNumbers {
  readonly problems: InputError[] = [];
  readonly warnings: string[] = [];

  /**
   * @param elementFile file that contains an element, if the description spans several files; default: as noted in it,
   *   else `file`
   */
  constructor(
    readonly file: string,
    private readonly elementFile: (element: XmlElement) => string = (element) => fileOf(element) ?? file,
  ) {}

  /** Adds a problem of an element: `FILE:LINE: PLACE: what`. */
  addProblem(element: XmlElement, place: string, what: string, note = ''): void {
    this.problems.push(new InputError(`${this.placeOf(element)}: ${place}: ${what}`, note));
  }

  /** Returns the note that names the most similar choice; empty once there are many problems, to save time. */
  suggest(name: string, choices: Iterable<string>): string {
    return this.problems.length < MAX_SUGGESTIONS ? suggestion(name, [...choices]) : '';
  }

  /** Returns `FILE:LINE` of an element. */
  placeOf(element: XmlElement): string {
    return `${this.elementFile(element)}:${lineOf(element)}`;
  }

  /** Adds a warning about an element: `PLACE: what (line N)`. */
  warn(element: XmlElement, place: string, what: string): void {
    const file = this.elementFile(element);
    const line = `line ${lineOf(element)}`;
    this.warnings.push(`${place}: ${what} (${file === this.file ? line : `${line} of ${file}`})`);
  }

  /**
   * Returns the child element of a name, undefined if there is none. More than one is a problem, because parsers use
   * different ones.
   */
  onlyChild(element: XmlElement, name: string, place: string): XmlElement | undefined {
    const [first, second] = childrenOf(element, name);
    if (second !== undefined) {
      const count = childrenOf(element, name).length;
      this.addProblem(second, place, `<${element.nodeName}> has ${count} <${name}>, at most one is allowed`);
    }
    return first;
  }

  /** Reads an attribute with one number; undefined if it is absent or invalid. */
  number(element: XmlElement, attribute: string, place: string): number | undefined {
    return this.list(element, attribute, 1, place)?.[0];
  }

  /**
   * Reads a required attribute with one length (metres) greater than zero; undefined if it is absent or invalid, which
   * is a problem.
   */
  positive(element: XmlElement, attribute: string, place: string): number | undefined {
    if (attributeOf(element, attribute) === undefined) {
      this.addProblem(element, place, `<${element.nodeName}> has no ${attribute}`);
      return undefined;
    }
    const value = this.lengths(element, attribute, place, 1)?.[0];
    if (value === undefined || value > 0) return value;
    this.addProblem(element, place, `${attribute} of the ${element.nodeName} is ${value}, it must be greater than 0`);
    return undefined;
  }

  /** Reads an attribute with three numbers; undefined if it is absent or invalid. */
  triple(element: XmlElement, attribute: string, place: string): Triple | undefined {
    return this.list(element, attribute, 3, place) as Triple | undefined;
  }

  /**
   * Reads an attribute with `count` lengths (metres) within the bound on lengths; undefined if it is absent or invalid.
   */
  lengths(element: XmlElement, attribute: string, place: string, count = 3): number[] | undefined {
    return this.bounded(element, attribute, count, place, lengthProblem);
  }

  /**
   * Reads an attribute with `count` numbers, for none of which `problemOf` returns a problem; undefined if it is absent
   * or invalid.
   */
  bounded(
    element: XmlElement,
    attribute: string,
    count: Count,
    place: string,
    problemOf?: (value: number) => string | undefined,
  ): number[] | undefined {
    const text = attributeOf(element, attribute);
    if (text === undefined) return undefined;
    return this.parsed(element, text, `${attribute} of <${element.nodeName}>`, count, place, problemOf);
  }

  /** Reads the text content of an element as `count` numbers; undefined if it is invalid, which is a problem. */
  content(
    element: XmlElement,
    count: Count,
    place: string,
    problemOf?: (value: number) => string | undefined,
  ): number[] | undefined {
    return this.parsed(element, element.textContent ?? '', `<${element.nodeName}>`, count, place, problemOf);
  }

  /** Reads the pose of an element's `<origin>`; the identity if there is none. */
  origin(element: XmlElement, place: string): Pose {
    const origin = this.onlyChild(element, 'origin', place);
    if (origin === undefined) return { xyz: [0, 0, 0], quat_wxyz: [1, 0, 0, 0] };
    const xyz = (this.lengths(origin, 'xyz', place) ?? [0, 0, 0]) as Triple;
    if (attributeOf(origin, 'quat_xyzw') !== undefined) return { xyz, quat_wxyz: this.quaternion(origin, place) };
    const rpy = (this.bounded(origin, 'rpy', 3, place, jointValueProblem) ?? [0, 0, 0]) as Triple;
    const hint = degreesHint(rpy, (angle) => `${radiansText(angle)} (URDF has no units)`);
    if (hint !== undefined) this.warn(origin, place, `rpy of <origin> is ${rpy.join(' ')}: ${hint}`);
    return { xyz, quat_wxyz: quaternionFromRpy(rpy) };
  }

  /** Reads the quaternion of an `<origin>`, x, y, z, w in the file, which URDF has since version 1.1. */
  private quaternion(origin: XmlElement, place: string): Pose['quat_wxyz'] {
    const version = attributeOf(origin.ownerDocument!.documentElement!, 'version')?.trim() ?? '1.0';
    const [x, y, z, w] = this.list(origin, 'quat_xyzw', 4, place) ?? [0, 0, 0, 1];
    const wrong = lengthIfNotUnit([x, y, z, w]);
    if (/^1(\.0)?$/.test(version)) {
      const what = `quat_xyzw of <origin> has a meaning from version 1.1 of URDF on, the file states ${version}`;
      this.addProblem(origin, place, what, 'Write <robot version="1.1">, or rpy instead of the quaternion.');
    } else if (attributeOf(origin, 'rpy') !== undefined) {
      this.addProblem(origin, place, '<origin> has both rpy and quat_xyzw', 'Give one of them.');
    } else if (wrong !== undefined) {
      this.addProblem(origin, place, `quat_xyzw of <origin> has length ${wrong}, it must be 1`);
    } else {
      const length = Math.sqrt(x * x + y * y + z * z + w * w);
      return [w / length, x / length, y / length, z / length];
    }
    return [1, 0, 0, 0];
  }

  /** Reads an attribute with `count` numbers; undefined if it is absent or invalid. */
  list(element: XmlElement, attribute: string, count: Count, place: string): number[] | undefined {
    return this.bounded(element, attribute, count, place);
  }

  private parsed(
    element: XmlElement,
    text: string,
    where: string,
    count: Count,
    place: string,
    problemOf: (value: number) => string | undefined = () => undefined,
  ): number[] | undefined {
    const words = text.trim() === '' ? [] : text.trim().split(/\s+/);
    for (const word of words) {
      if (/^[-+]?(\d+\.?\d*|\.\d+)(e[-+]?\d+)?$/i.test(word) && Number.isFinite(Number(word))) continue;
      this.addProblem(element, place, `${where} holds ${quote(word)}, which is not a finite number`, noteOn(word));
      return undefined;
    }
    const [least, most] = typeof count === 'number' ? [count, count] : count;
    if (words.length < least || words.length > most) {
      const must = least === most ? `${least}` : `${least} to ${most}`;
      const what = `${where} has ${words.length} numbers (${quote(text.trim())}), it must have ${must}`;
      this.addProblem(element, place, what);
      return undefined;
    }
    const values = words.map(Number);
    const beyond = values.find((value) => problemOf(value) !== undefined);
    if (beyond === undefined) return values;
    this.addProblem(element, place, `${where} holds ${beyond}, which ${problemOf(beyond)}`);
    return undefined;
  }
}

/** Returns the quaternion (w, x, y, z) of rotations about the fixed x, y and z axes: roll, then pitch, then yaw. */
export function quaternionFromRpy([roll, pitch, yaw]: readonly [number, number, number]): Pose['quat_wxyz'] {
  const T = create();
  setRotationFromRpy(T, roll, pitch, yaw);
  return quaternionOf(T);
}

/** Converts degrees to the text of radians, for files without units. */
function radiansText(degrees: number): string {
  return String(Number(((degrees * PI) / 180).toPrecision(10)));
}

function noteOn(word: string): string {
  if (/^[-+]?\d+,\d+$/.test(word)) return `Use a decimal point: ${word.replace(',', '.')}.`;
  if (word.includes('${')) return 'This is probably xacro: files with the extension .xacro are expanded.';
  return '';
}
