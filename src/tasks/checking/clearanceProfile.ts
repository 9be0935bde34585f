import type { CollisionManager } from '../../core/collision/states/collisionManager.ts';
import { inJointOrder } from '../../core/trajectory/jointOrder.ts';
import type { Trajectory } from '../../core/trajectory/trajectory.ts';
import { TrajectoryCurve } from '../../core/trajectory/trajectoryCurve.ts';

/** Clearance of a motion at one time. */
export interface ClearanceSample {
  /** Seconds; waypoints for a path. */
  readonly time: number;
  /** Minimum distance over all checked pairs, metres; negative: penetration depth. */
  readonly distance: number;
  /** Names of the nearest pair; undefined if no pair is checked. */
  readonly pair: readonly [string, string] | undefined;
}

/**
 * Computes the clearance at evenly spaced times including both ends. For plots: it proves nothing between the samples.
 * Throws `InputError` if the joints are not those of the robot.
 * @param samples number of samples, at least 2
 */
export function clearanceProfile(
  manager: CollisionManager,
  trajectory: Trajectory,
  samples = 200,
): readonly ClearanceSample[] {
  const names = manager.model.robot.variables.map((joint) => joint.name);
  const curve = new TrajectoryCurve(inJointOrder(trajectory, names));
  const q = new Float64Array(names.length);
  return Array.from({ length: samples }, (_, i) => {
    const time = curve.start + ((curve.end - curve.start) * i) / (samples - 1);
    curve.position(q, time);
    return { time, ...manager.clearance(q) };
  });
}
