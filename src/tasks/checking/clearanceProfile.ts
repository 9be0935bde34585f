import type { CollisionManager } from '../../collision/collisionManager.ts';
import { inJointOrder } from '../../trajectory/jointOrder.ts';
import type { Trajectory } from '../../trajectory/trajectory.ts';
import { TrajectoryCurve } from '../../trajectory/trajectoryCurve.ts';

/** How near the motion is to anything at one moment. */
export interface ClearanceSample {
  /** Seconds; waypoints for a path. */
  readonly time: number;
  /** Metres over all pairs; below zero the depth, negated. */
  readonly distance: number;
  readonly pair: readonly [string, string] | undefined;
}

/** Clearance at evenly spaced moments, both ends among them. For curves on paper: what is between samples is the certificate's business. */
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
