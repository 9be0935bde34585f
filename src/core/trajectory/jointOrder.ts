import { InputError, suggestion } from '../../errors.ts';
import type { Trajectory, TrajectoryPoint } from './trajectory.ts';

/**
 * Returns the trajectory with its values in the order of `names`; the same object if it has that order already.
 * @param place prefix of error messages: the file that the trajectory was read from
 * @throws InputError if the trajectory has a joint that is not in `names`, a duplicate, or a missing joint
 */
export function inJointOrder(trajectory: Trajectory, names: readonly string[], place = 'trajectory'): Trajectory {
  const { jointNames } = trajectory;
  for (const [i, name] of jointNames.entries()) {
    const at = `${place}: joint_names[${i}]`;
    if (!names.includes(name)) throw new InputError(`${at}: no planned joint "${name}"`, suggestion(name, names));
    if (jointNames.indexOf(name) !== i)
      throw new InputError(`${at}: "${name}" is listed twice`, 'Name each joint once.');
  }
  const missing = names.filter((name) => !jointNames.includes(name));
  if (missing.length > 0) {
    const note = `A trajectory has a value for every planned joint: ${names.join(', ')}.`;
    throw new InputError(
      `${place}: joint_names: ${missing.join(', ')} ${missing.length === 1 ? 'is' : 'are'} missing`,
      note,
    );
  }
  if (names.every((name, i) => jointNames[i] === name)) return trajectory;

  const order = names.map((name) => jointNames.indexOf(name));
  return { ...trajectory, jointNames: names, points: trajectory.points.map((point) => reordered(point, order)) };
}

function reordered(point: TrajectoryPoint, order: readonly number[]): TrajectoryPoint {
  const pick = (values: readonly number[]) => order.map((i) => values[i]);
  return {
    ...point,
    positions: pick(point.positions),
    ...(point.velocities && { velocities: pick(point.velocities) }),
    ...(point.accelerations && { accelerations: pick(point.accelerations) }),
  };
}
