import { MAX_JOINT_VALUE } from '../../core/math/magnitudes.ts';
import type { XmlElement } from '../text/xmlDocument.ts';
import type { XmlNumbers } from '../text/xmlNumbers.ts';
import type { JointDraft } from './urdfTree.ts';

/** A type whose properties can be assigned. */
export type Mutable<T> = { -readonly [K in keyof T]: T[K] };

/**
 * Sets the position limits of a joint, rad or m. Limits are clamped to the bound on joint values, with a warning.
 * Reversed limits, and a range outside the bound, are problems.
 * @param element element that states the limits
 * @param remedies of reversed limits in the format of the file: how to write them in order, and how to state none
 */
export function setRange(
  joint: Mutable<Pick<JointDraft, 'lower' | 'upper'>>,
  [lower, upper]: readonly [number, number],
  element: XmlElement,
  place: string,
  numbers: XmlNumbers,
  remedies: { readonly swapped: (lowest: number, highest: number) => string; readonly unlimited: string },
): void {
  joint.lower = lower;
  joint.upper = upper;
  if (lower > upper) {
    const what = `the lower limit ${lower} is above the upper limit ${upper}`;
    const note = `If they are swapped, write ${remedies.swapped(upper, lower)}. If they mean a joint without limit`;
    numbers.addProblem(element, place, what, `${note}, as in files of Bullet: ${remedies.unlimited}.`);
  } else if (lower > MAX_JOINT_VALUE || upper < -MAX_JOINT_VALUE) {
    const what = `its range from ${lower} to ${upper} lies beyond the bound of 1e6 rad or m on joint values`;
    numbers.addProblem(element, place, what);
  } else if (lower < -MAX_JOINT_VALUE || upper > MAX_JOINT_VALUE) {
    joint.lower = Math.max(lower, -MAX_JOINT_VALUE);
    joint.upper = Math.min(upper, MAX_JOINT_VALUE);
    const cut = `is cut to ${joint.lower} to ${joint.upper}, the bound on joint values`;
    numbers.warnings.push(`${place}: its range from ${lower} to ${upper} ${cut}`);
  }
}
