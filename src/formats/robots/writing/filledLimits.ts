import type { JointDescription } from '../../../core/kinematics/robotModel.ts';
import { InputError, InputErrors, nearestName } from '../../../errors.ts';
import type { JointLimitsFile, StatedLimits } from './jointLimitsFile.ts';

/** Limits of joints that a file adds to those of a robot. */
export interface FilledLimits {
  /** By joint: the limits that differ from those of the robot. */
  readonly changed: ReadonlyMap<string, StatedLimits>;
  readonly warnings: readonly string[];
}

/**
 * Combines the limits of a robot with those of a file: missing limits are filled in; of two values the stricter one is
 * used. Throws `InputError` if the robot has none of the joints of the file, or if a range becomes empty.
 * @param file name for messages
 */
export function fillLimits(
  joints: readonly JointDescription[],
  { limits, warnings: read }: JointLimitsFile,
  file: string,
): FilledLimits {
  const known = new Map(joints.map((joint) => [joint.name, joint]));
  const unknown = [...limits.keys()].filter((name) => !known.has(name));
  if (unknown.length === limits.size) {
    const near = nearestName(unknown[0] ?? '', [...known.keys()]);
    throw new InputError(
      `${file}: no joint of this file is a joint of the robot`,
      near === undefined ? `Joints of the robot: ${[...known.keys()].join(', ')}.` : `Did you mean "${near}"?`,
    );
  }
  const warnings = [
    ...read,
    ...unknown.map((name) => `${file}: joint "${name}" is no joint of the robot: it is ignored`),
  ];
  const problems: InputError[] = [];
  const changed = new Map<string, StatedLimits>();
  for (const [name, stated] of limits) {
    const joint = known.get(name);
    if (joint === undefined) continue;
    const place = `${file}: joint "${name}"`;
    if (joint.type === 'fixed') {
      warnings.push(`${place} is fixed: its limits are ignored`);
      continue;
    }
    const range = narrowed(joint, stated, place, warnings);
    if (range.lower !== undefined && range.upper !== undefined && range.lower > range.upper)
      problems.push(emptyRange(joint, stated, place));
    const all = { ...range, ...rates(joint, stated, place, warnings) };
    const differing = Object.entries(all).filter(([key, value]) => joint[key as keyof StatedLimits] !== value);
    if (differing.length > 0) changed.set(name, Object.fromEntries(differing));
  }
  if (problems.length > 0) throw new InputErrors(problems);
  return { changed, warnings };
}

/** Returns the joints with the filled limits. */
export function withLimits(joints: readonly JointDescription[], { changed }: FilledLimits): JointDescription[] {
  return joints.map((joint) => ({ ...joint, ...changed.get(joint.name) }));
}

function narrowed(
  joint: JointDescription,
  stated: StatedLimits,
  place: string,
  warnings: string[],
): Pick<StatedLimits, 'lower' | 'upper'> {
  if (stated.lower === undefined && stated.upper === undefined) return {};
  if (joint.lower === undefined || joint.upper === undefined) {
    warnings.push(`${place} has no range in the robot: the positions of the file are ignored`);
    return {};
  }
  const { lower = joint.lower, upper = joint.upper } = stated;
  if (lower < joint.lower || upper > joint.upper)
    warnings.push(`${place}: its positions exceed those of the robot, which are kept`);
  return { lower: Math.max(lower, joint.lower), upper: Math.min(upper, joint.upper) };
}

function emptyRange(joint: JointDescription, { lower, upper }: StatedLimits, place: string): InputError {
  const given = `[${lower ?? joint.lower}, ${upper ?? joint.upper}]`;
  return new InputError(
    `${place}: its positions ${given} and those of the robot, [${joint.lower}, ${joint.upper}], have no value in ` +
      'common',
    'Correct min_position and max_position; they are in rad or m.',
  );
}

function rates(
  joint: JointDescription,
  stated: StatedLimits,
  place: string,
  warnings: string[],
): Pick<StatedLimits, 'velocity' | 'acceleration' | 'jerk'> {
  const all = (['velocity', 'acceleration', 'jerk'] as const).flatMap((quantity) => {
    const [own, given] = [joint[quantity], stated[quantity]];
    if (given === undefined) return [];
    if (own === undefined || own === 0) return [[quantity, given]]; // 0 means that the limit is not known
    if (given > own)
      warnings.push(`${place}: its ${quantity} ${given} exceeds that of the robot, ${own}, which is kept`);
    return [[quantity, Math.min(own, given)]];
  });
  return Object.fromEntries(all);
}
