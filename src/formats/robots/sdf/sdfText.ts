import { jointValueProblem, lengthProblem } from '../../../core/math/magnitudes.ts';
import { setRotationFromQuaternion, setRotationFromRpy } from '../../../core/math/quaternion.ts';
import { create, type Transform } from '../../../core/math/transform.ts';
import { PI } from '../../../core/math/trigonometry.ts';
import { nearestName } from '../../../errors.ts';
import { attributeOf, childrenOf, quote, type XmlElement } from '../../text/xmlDocument.ts';
import type { XmlNumbers } from '../../text/xmlNumbers.ts';

/** Length of a quaternion below which it is no rotation. */
const NO_ROTATION = 1e-9;

/** Reads the values of SDF elements, and collects problems and the names of elements that are ignored. */
export class SdfText {
  private readonly ignored = new Set<string>();

  constructor(readonly numbers: XmlNumbers) {}

  /**
   * Checks the child elements against those that are read. Others are ignored, with one warning for all of them, as in
   * the library of SDF; a name that is similar to one that is read is probably misspelled, and a problem. Elements with
   * a namespace prefix are extensions.
   * @param silent names that need no warning
   */
  checkChildren(element: XmlElement, read: readonly string[], silent: readonly string[], place: string): void {
    for (const child of childrenOf(element)) {
      const name = child.nodeName;
      if (read.includes(name) || silent.includes(name) || name.includes(':')) continue;
      if (MEANINGFUL.has(name)) {
        const what = `<${name}> has no meaning in <${element.nodeName}>`;
        this.numbers.addProblem(child, place, what, `Elements that are supported there: ${read.join(', ')}.`);
        continue;
      }
      const meant = nearestName(name, read);
      if (meant === undefined || NOT_MISSPELLED.has(name)) this.ignored.add(name);
      else this.numbers.addProblem(child, place, `unknown element <${name}>`, `Did you mean <${meant}>?`);
    }
  }

  /** Checks attributes likewise. */
  checkAttributes(element: XmlElement, known: readonly string[], place: string): void {
    for (const { name } of Array.from(element.attributes)) {
      if (known.includes(name) || name.includes(':') || name === 'xmlns') continue;
      const meant = nearestName(name, known);
      const what = `unknown attribute "${name}" of <${element.nodeName}>`;
      if (meant === undefined) this.numbers.warn(element, place, `${what}, ignored`);
      else this.numbers.addProblem(element, place, what, `Did you mean ${meant}?`);
    }
  }

  /** Returns the text of the only child of a name without blanks around it; undefined if there is no such child. */
  text(element: XmlElement, name: string, place: string): string | undefined {
    return this.numbers.onlyChild(element, name, place)?.textContent?.trim();
  }

  /** Returns the value of a child that is true or false; false if there is none. */
  flag(element: XmlElement, name: string, place: string): boolean {
    const child = this.numbers.onlyChild(element, name, place);
    return child !== undefined && this.truth(child, child.textContent ?? '', `<${name}>`, place);
  }

  /**
   * Reads the pose of an element's `<pose>`, without the frame that it is relative to; the identity if there is none.
   */
  pose(element: XmlElement, place: string): StatedPose {
    const pose = this.numbers.onlyChild(element, 'pose', place);
    if (pose === undefined) return { T: create(), element };
    this.checkAttributes(pose, ['relative_to', 'degrees', 'rotation_format', 'frame'], place);
    const relativeTo = attributeOf(pose, 'relative_to') || attributeOf(pose, 'frame') || undefined;
    const stated = { element: pose, ...(relativeTo === undefined ? {} : { relativeTo }) };
    if ((pose.textContent ?? '').trim() === '') return { T: create(), ...stated };
    return { T: this.poseNumbers(pose, place), ...stated };
  }

  /** Returns the warning about ignored elements; none if nothing is ignored. */
  warnings(): string[] {
    if (this.ignored.size === 0) return [];
    const names = [...this.ignored].map((name) => `<${name}>`).join(', ');
    return [`unsupported elements are ignored: ${names}`];
  }

  private poseNumbers(pose: XmlElement, place: string): Transform {
    const T = create();
    const { numbers } = this;
    const format = attributeOf(pose, 'rotation_format') ?? 'euler_rpy';
    const degrees = this.truth(pose, attributeOf(pose, 'degrees') ?? 'false', 'degrees of <pose>', place);
    if (format !== 'euler_rpy' && format !== 'quat_xyzw') {
      const note = 'Use one of: euler_rpy, quat_xyzw.';
      numbers.addProblem(pose, place, `rotation_format of <pose> is ${quote(format)}`, note);
      return T;
    }
    const values = numbers.content(pose, format === 'euler_rpy' ? 6 : 7, place, lengthProblem);
    if (values === undefined) return T;
    const [x, y, z, a, b, c, d] = values;
    if (format === 'quat_xyzw') {
      if (degrees) numbers.addProblem(pose, place, 'degrees of <pose> cannot be combined with a quaternion');
      if (Math.sqrt(a * a + b * b + c * c + d * d) > NO_ROTATION) setRotationFromQuaternion(T, [d, a, b, c]);
      else numbers.addProblem(pose, place, `the quaternion ${[a, b, c, d].join(' ')} is no rotation`);
    } else {
      const unit = degrees ? PI / 180 : 1;
      const beyond = [a, b, c].find((angle) => jointValueProblem(angle * unit) !== undefined);
      if (beyond !== undefined)
        numbers.addProblem(pose, place, `<pose> holds ${beyond}, which ${jointValueProblem(beyond * unit)}`);
      else setRotationFromRpy(T, a * unit, b * unit, c * unit);
    }
    T[3] = x;
    T[7] = y;
    T[11] = z;
    return T;
  }

  /** Returns the value of a text that is true or false; adds a problem for any other. */
  truth(element: XmlElement, text: string, what: string, place: string): boolean {
    const value = text.trim().toLowerCase();
    if (!['true', '1', 'false', '0', ''].includes(value))
      this.numbers.addProblem(element, place, `${what} is ${quote(text.trim())}`, 'Use one of: true, false.');
    return value === 'true' || value === '1';
  }
}

/** A pose as written. */
export interface StatedPose {
  /** Pose in the frame that it is relative to. */
  readonly T: Transform;
  /** Name of that frame; undefined if it is the default of the element. */
  readonly relativeTo?: string;
  /** The `<pose>`, or the element that has none, for messages. */
  readonly element: XmlElement;
}

/** Elements that determine link poses and collision geometry: in a wrong place they are errors. */
const MEANINGFUL = new Set(
  'link joint frame model include collision geometry axis limit mimic parent child pose'.split(' '),
);
/** Names of ignored elements that resemble those of read elements. */
const NOT_MISSPELLED = new Set(['light', 'plugin', 'sensor', 'physics', 'surface', 'gripper', 'image']);
