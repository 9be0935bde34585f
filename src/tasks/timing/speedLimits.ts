import { FrameSpeed } from '../../core/cartesian/frameSpeed.ts';
import { ArmMomentum, ArmPower } from '../../core/dynamics/arm/armRates.ts';
import type { RobotModel } from '../../core/kinematics/robotModel.ts';
import { tcpOf } from '../../core/kinematics/toolCenterPoint.ts';
import type { Interrupt } from '../../core/math/interrupt.ts';
import type { JointSpeedConstraint, RateConstraint, StopConstraint } from '../../core/scene/constraints.ts';
import type { MotionScene, Scene } from '../../core/scene/scene.ts';
import type { RateSearch } from '../../core/trajectory/retiming/rateSearch.ts';
import { sceneArm } from '../forces/sceneArm.ts';

/** Limit of a value along a motion: of the speed of a frame, the momentum or the power. */
export interface RateLimit {
  readonly rate: RateSearch;
  /** m/s, kg m/s or W. */
  readonly limit: number;
}

/** What a scene states about limits of motions, and what its robot carries. */
export type RateScene = MotionScene & Pick<Scene, 'attached'>;

/**
 * Returns the value that a constraint limits. Throws `InputError` for unknown links, and if the momentum or power of
 * the robot is not known.
 */
export function limitedRate(
  robot: RobotModel,
  given: Exclude<RateConstraint, JointSpeedConstraint | StopConstraint>,
  scene: RateScene,
  interrupt?: Interrupt,
): RateSearch {
  if (given.type === 'speed') return new FrameSpeed(robot, tcpOf(robot, given.frame ?? scene.tcp), interrupt);
  const arm = sceneArm(robot, scene);
  return given.type === 'momentum' ? new ArmMomentum(arm, interrupt) : new ArmPower(arm, interrupt);
}

/**
 * Returns the limits of a scene other than those of joints: that of the speed of the tool center point, and those of
 * constraints. Throws `InputError` as `limitedRate`.
 */
export function rateLimitsOf(robot: RobotModel, scene: RateScene, interrupt?: Interrupt): RateLimit[] {
  const { tcpSpeed, constraints = [] } = scene;
  const own: RateConstraint[] = tcpSpeed === undefined ? [] : [{ type: 'speed', most: tcpSpeed }];
  return [...own, ...constraints].flatMap((one) =>
    one.type === 'speed' || one.type === 'momentum' || one.type === 'power'
      ? [{ rate: limitedRate(robot, one, scene, interrupt), limit: one.most }]
      : [],
  );
}
