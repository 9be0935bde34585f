import type { RobotModel } from '../../core/kinematics/robotModel.ts';
import type { Interrupt } from '../../core/math/interrupt.ts';
import { isForceConstraint, isStopConstraint } from '../../core/scene/constraints.ts';
import type { Scene } from '../../core/scene/scene.ts';
import type { MotionLimits } from '../../core/trajectory/trajectory.ts';
import { InputError } from '../../errors.ts';
import type { CheckResult } from '../checking/checkResult.ts';
import { createTorqueCheck, refuseForces, type TorqueCheck } from '../forces/torqueCheck.ts';
import { motionLimitsOf } from '../sceneRobot.ts';
import { startedMotionFaults } from '../watching/startedMotion.ts';
import type { CubicCurve } from './cubicCurve.ts';
import { withTrackedRegions } from './trackedRegions.ts';

/** Factors of the accelerations of stops that are tried where torques are limited. */
const GENTLER = [1, 0.5, 0.25, 0.1];

/** Limits and constraints of the motions of a gate, with the loads that the robot carries now; not collisions. */
export class MotionFaults {
  /** Limits with which motions are joined and stopped: accelerations are finite even if torques replace them. */
  readonly limits: MotionLimits;
  /** Limits of the stops that are tried, one after the other. */
  readonly stopLimits: readonly MotionLimits[];
  private readonly hasForces: boolean;
  private check!: ReturnType<typeof startedMotionFaults>;
  private torques: TorqueCheck | undefined;

  /** Throws `InputError` if the scene limits stops, or torques that are not known. */
  constructor(
    private readonly robot: RobotModel,
    scene: Scene,
    private readonly interrupt: Interrupt,
  ) {
    const { torque, constraints = [], ...others } = scene;
    refuseForces({ constraints: constraints.filter(isStopConstraint) }, 'gate');
    this.hasForces = torque !== undefined || constraints.some(isForceConstraint);
    this.limits = motionLimitsOf(robot, { ...others, constraints });
    this.stopLimits = (this.hasForces ? GENTLER : [1]).map((scale) => ({
      ...this.limits,
      acceleration: Float64Array.from(this.limits.acceleration, (a) => scale * a),
    }));
    this.changesLoads({ ...scene, attached: [] }, scene);
    this.follow(scene);
  }

  /**
   * Returns whether a scene differs from another in what the robot carries, if forces are limited. Throws `InputError`
   * if the mass of an attached object is not stated.
   */
  changesLoads(before: Scene, after: Scene): boolean {
    if (!this.hasForces || before.attached === after.attached) return false;
    const unknown = after.attached.find(({ inertial }) => inertial === undefined);
    if (unknown === undefined) return true;
    throw new InputError(
      `"${unknown.name}" is attached, its mass is not stated, and the scene limits torque, momentum or power`,
      'State its mass or density.',
    );
  }

  /** Sets the loads to those of a scene. */
  follow(scene: Scene): void {
    this.check = startedMotionFaults(this.robot, withTrackedRegions(scene), false, this.interrupt);
    this.torques = createTorqueCheck(this.robot, scene, this.interrupt, Number.POSITIVE_INFINITY);
  }

  /** Returns the faults of a motion; torques are checked from a time on, and at rest at its end. */
  of(motion: CubicCurve, from: number): CheckResult['faults'] {
    const { trajectory, curve, end, knots } = motion;
    const faults = this.check(trajectory, curve, Math.min(from, end));
    if (!this.torques || faults.length > 0) return faults;
    const points = [{ positions: knots[knots.length - 1].positions }];
    return this.torques({ ...trajectory, points }).faults.map((fault) => ({ ...fault, time: end }));
  }
}
