import { FrameSpeed } from '../../core/cartesian/frameSpeed.ts';
import type { RobotModel } from '../../core/kinematics/robotModel.ts';
import type { Interrupt } from '../../core/math/interrupt.ts';
import type { MotionScene } from '../../core/scene/scene.ts';
import type { ExcessSpeed } from '../../core/trajectory/retiming/retime.ts';
import type { Trajectory } from '../../core/trajectory/trajectory.ts';
import { TrajectoryCurve } from '../../core/trajectory/trajectoryCurve.ts';
import { speedLimitsOf } from '../timing/speedLimits.ts';

/**
 * Creates the function that returns where a motion exceeds the TCP speed limit of the scene, or a speed constraint: the
 * highest speed of each segment that is too fast. Undefined if the scene has neither.
 */
export function createSpeedExcess(
  robot: RobotModel,
  scene: MotionScene,
  interrupt: Interrupt,
): ((motion: Trajectory) => ExcessSpeed[]) | undefined {
  const rules = speedLimitsOf(robot, scene);
  if (rules.length === 0) return undefined;
  const speeds = rules.map(({ frame, limit }) => ({ speed: new FrameSpeed(robot, frame, interrupt), limit }));
  return (motion) => {
    const curve = new TrajectoryCurve(motion);
    const found: ExcessSpeed[] = [];
    for (let k = 0; k < curve.pieces; k++) {
      const [from, to] = [curve.times[k], curve.times[k + 1]];
      const middle = from + 0.5 * (to - from);
      for (const { speed, limit } of speeds) {
        const worst = speed.excess(curve, limit, from, to);
        if (worst) found.push({ time: middle, ratio: worst.value / limit });
      }
    }
    return found;
  };
}
