import { InputError, suggestion } from '../errors.ts';
import type { Trajectory, TrajectoryPoint } from './trajectory.ts';

/**
 * The same motion with its values in the order of `names`. The trajectory itself, points and all, where it is in that order already.
 * @param place what the errors begin with: the file that the motion was read from
 * @throws InputError where the motion moves a joint that is not in `names`, names one twice, or leaves one out
 */
export function inJointOrder(trajectory: Trajectory, names: readonly string[], place = 'trajectory'): Trajectory {
  const { jointNames } = trajectory;
  for (const [i, name] of jointNames.entries()) {
    const at = `${place}: joint_names[${i}]`;
    if (!names.includes(name)) throw new InputError(`${at}: no planned joint "${name}"`, suggestion(name, names));
    if (jointNames.indexOf(name) !== i)
      throw new InputError(`${at}: "${name}" stands there twice`, 'Name each joint once.');
  }
  const missing = names.filter((name) => !jointNames.includes(name));
  if (missing.length > 0) {
    const note = `A motion gives every planned joint: ${names.join(', ')}.`;
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
