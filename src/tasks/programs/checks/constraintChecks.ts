import { type Motion, MotionInterval } from '../../../core/collision/motions/motion.ts';
import { ConstraintSet } from '../../../core/constraints/constraintSet.ts';
import type { RobotModel } from '../../../core/kinematics/robotModel.ts';
import { constraintLabel, isRateConstraint, type PathConstraint } from '../../../core/scene/constraints.ts';
import type { Step } from '../../../core/scene/program.ts';
import type { Scene } from '../../../core/scene/scene.ts';
import type { TrajectorySegment } from '../../../core/trajectory/trajectory.ts';
import type { TrajectoryCurve } from '../../../core/trajectory/trajectoryCurve.ts';
import { curveMotions } from '../../checking/curveMotions.ts';
import { rateExcessOf } from '../../checking/rateLimits.ts';
import { clipped } from '../../checking/worldMotions.ts';

/** Proves the constraints of a program along a trajectory. */
export class ConstraintChecks {
  private motions: readonly Motion[] | undefined;

  constructor(
    private readonly robot: RobotModel,
    private readonly scene: Scene,
    private readonly curve: TrajectoryCurve,
  ) {}

  /**
   * Proves the constraints of the scene and of a step in its segment, which may be a single instant. Returns what is
   * violated or cannot be proved.
   * @param step undefined: a program without steps
   */
  faults(step: Step | undefined, { from, to }: Pick<TrajectorySegment, 'from' | 'to'>): string[] {
    const own = step !== undefined && 'constraints' in step ? step.constraints : [];
    const given = [...(this.scene.constraints ?? []), ...own];
    return given.map((one) => this.faultOf(one, from, to)).filter((fault) => fault !== undefined);
  }

  private faultOf(one: PathConstraint, from: number, to: number): string | undefined {
    const { robot, scene, curve } = this;
    const label = constraintLabel(one);
    if (isRateConstraint(one)) {
      const fault = rateExcessOf(robot, one, scene.tcp)(curve, from, to);
      const unit = one.type === 'speed' ? ' m/s' : '';
      return fault && `constraint "${label}" is violated: ${round(fault.value)}${unit} at ${round(fault.time)} s`;
    }
    this.motions ??= curveMotions(curve);
    const set = new ConstraintSet(robot, [one], scene.tcp);
    for (const motion of to > from ? clipped(this.motions, from, to) : instant(this.motions, from)) {
      const found = set.violation(motion);
      if (!found) continue;
      const how = found.excess > 0 ? `is violated by ${round(found.excess)}` : 'cannot be proved';
      return `constraint "${label}" ${how} at ${round(found.time)} s`;
    }
    return undefined;
  }
}

/** Returns the state at a time, which lies within the motions, as one motion of no duration. */
function instant(motions: readonly Motion[], time: number): Motion[] {
  const motion = motions.find(({ end }) => time <= end) ?? motions[motions.length - 1];
  return [new MotionInterval(motion, time, time)];
}

const round = (value: number) => Number(value.toPrecision(6));
