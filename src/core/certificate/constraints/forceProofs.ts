import type { RobotModel } from '../../kinematics/robotModel.ts';
import { constraintLabel, type ForceConstraint, type StopConstraint } from '../../scene/constraints.ts';
import type { CheckedScene } from '../../scene/scene.ts';
import { certifiedBodies } from '../torques/certifiedBodies.ts';
import { momentumBound, powerRange } from '../torques/torqueBounds.ts';
import { GRAVITY } from '../torques/verifyTorques.ts';
import type { ProvedConstraint } from './provedConstraint.ts';
import { RELATIVE_TOLERANCE } from './speedProof.ts';

/**
 * The momentum of the arm, or the power of its drives in either direction, is at most a limit.
 * @param scene with what the robot carries in the interval that is proved
 */
export function force(
  given: Exclude<ForceConstraint, StopConstraint>,
  robot: RobotModel,
  scene: CheckedScene,
): ProvedConstraint {
  const bodies = certifiedBodies(robot, scene);
  const gravity = scene.gravity ?? GRAVITY;
  const { most, type } = given;
  return {
    label: constraintLabel(given),
    tolerance: most * RELATIVE_TOLERANCE,
    excess({ piece, middle, half }) {
      if (type === 'momentum') {
        const { now, upper } = momentumBound(robot, bodies, piece, middle, half);
        return { now: now - most, upperBound: upper - most };
      }
      const { now, lower, upper } = powerRange(robot, bodies, gravity, piece, middle, half);
      return { now: Math.abs(now) - most, upperBound: Math.max(-lower, upper) - most };
    },
  };
}
