import { InputError } from '../../errors.ts';
import type { Pose } from '../../kinematics/robotModel.ts';
import { jointValueProblem, lengthProblem } from '../../math/magnitudes.ts';
import { quaternionOf, setRotationFromRpy } from '../../math/quaternion.ts';
import { create } from '../../math/transform.ts';
import { PI } from '../../math/trigonometry.ts';
import { degreesHint } from './degrees.ts';
import { attributeOf, childrenOf, fileOf, lineOf, quote, type XmlElement } from './xmlDocument.ts';

type Triple = [number, number, number];

/** Reads the numbers of one XML file, and collects all problems instead of throwing at the first. */
export class XmlNumbers {
  readonly problems: InputError[] = [];
  readonly warnings: string[] = [];

  constructor(readonly file: string) {}

  /** Adds a problem of an element: `FILE:LINE: PLACE: what`. */
  addProblem(element: XmlElement, place: string, what: string, note = ''): void {
    this.problems.push(new InputError(`${fileOf(element) ?? this.file}:${lineOf(element)}: ${place}: ${what}`, note));
  }

  /** Adds a warning about an element: `PLACE: what (line N)`. */
  warn(element: XmlElement, place: string, what: string): void {
    const other = fileOf(element);
    const line = `line ${lineOf(element)}`;
    this.warnings.push(`${place}: ${what} (${other === undefined ? line : `${line} of ${other}`})`);
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

  private bounded(
    element: XmlElement,
    attribute: string,
    count: number,
    place: string,
    problemOf: (value: number) => string | undefined,
  ): number[] | undefined {
    const values = this.list(element, attribute, count, place);
    const beyond = values?.find((value) => problemOf(value) !== undefined);
    if (beyond === undefined) return values;
    this.addProblem(
      element,
      place,
      `${attribute} of <${element.nodeName}> holds ${beyond}, which ${problemOf(beyond)}`,
    );
    return undefined;
  }

  /** Reads the pose of an element's `<origin>`; the identity if there is none. */
  origin(element: XmlElement, place: string): Pose {
    const origin = this.onlyChild(element, 'origin', place);
    if (origin === undefined) return { xyz: [0, 0, 0], quat_wxyz: [1, 0, 0, 0] };
    const rpy = (this.bounded(origin, 'rpy', 3, place, jointValueProblem) ?? [0, 0, 0]) as Triple;
    const hint = degreesHint(rpy, (angle) => `${radiansText(angle)} (URDF has no units)`);
    if (hint !== undefined) this.warn(origin, place, `rpy of <origin> is ${rpy.join(' ')}: ${hint}`);
    return { xyz: (this.lengths(origin, 'xyz', place) ?? [0, 0, 0]) as Triple, quat_wxyz: quaternionFromRpy(rpy) };
  }

  private list(element: XmlElement, attribute: string, count: number, place: string): number[] | undefined {
    const text = attributeOf(element, attribute);
    if (text === undefined) return undefined;
    const words = text.trim() === '' ? [] : text.trim().split(/\s+/);
    const where = `${attribute} of <${element.nodeName}>`;
    for (const word of words) {
      if (/^[-+]?(\d+\.?\d*|\.\d+)(e[-+]?\d+)?$/i.test(word) && Number.isFinite(Number(word))) continue;
      this.addProblem(element, place, `${where} holds ${quote(word)}, which is not a finite number`, noteOn(word));
      return undefined;
    }
    if (words.length === count) return words.map(Number);
    this.addProblem(
      element,
      place,
      `${where} has ${words.length} numbers (${quote(text.trim())}), it must have ${count}`,
    );
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
