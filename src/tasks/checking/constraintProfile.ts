import { ConstraintSet } from '../../core/constraints/constraintSet.ts';
import { jointIndex } from '../../core/constraints/jointRanges.ts';
import type { RobotModel } from '../../core/kinematics/robotModel.ts';
import type { Configuration } from '../../core/math/configuration.ts';
import {
  constraintLabel,
  type ForceConstraint,
  isForceConstraint,
  isRateConstraint,
  isStopConstraint,
  type PathConstraint,
  type StopConstraint,
} from '../../core/scene/constraints.ts';
import { tcpSpeedLimit } from '../../core/scene/program.ts';
import type { Scene } from '../../core/scene/scene.ts';
import { accelerationAt } from '../../core/trajectory/polynomial.ts';
import { inJointOrder, isTimed, type Trajectory } from '../../core/trajectory/trajectory.ts';
import { TrajectoryCurve } from '../../core/trajectory/trajectoryCurve.ts';
import { limitedRate } from '../timing/speedLimits.ts';
import { type ConstraintUnit, isOpenAtSetPoints, unitOfConstraint } from './constraintFaults.ts';
import { rateExcessOf } from './rateLimits.ts';

/** Margin of one constraint over the time in which it applies. */
export interface ConstraintCurve {
  /** Name of the constraint; `tcp_speed` for that limit. */
  readonly label: string;
  /** Unit of the margins. */
  readonly unit: ConstraintUnit;
  /** Time (seconds, or waypoints for a path) and margin; negative: violated by as much. */
  readonly points: readonly (readonly [number, number])[];
}

/** Margin of one constraint as a function of the time in which it applies. */
export interface ConstraintMargin extends Pick<ConstraintCurve, 'label' | 'unit'> {
  /** Seconds, or waypoints for a path. */
  readonly from: number;
  readonly to: number;
  /** Returns by how much the constraint could be tightened at a time; negative: it is violated by as much. */
  readonly margin: (time: number) => number;
  /**
   * Of momentum and power: returns a lower bound on the margin in the interval, up to the tolerance of limits;
   * −Infinity for the power of set points, and of motions whose velocity jumps.
   */
  readonly least?: () => number;
}

/** A scene in an interval of time: what the robot carries may change. */
export interface SceneInterval {
  /** Seconds. */
  readonly from: number;
  /** Seconds. */
  readonly to: number;
  /** The scene, with what the robot carries then. */
  readonly scene: Scene;
}

/**
 * Returns the margins of the constraints of a scene, of the steps of its program and of `tcp_speed` along a trajectory.
 * Limits of speed do not apply to paths. Throws `InputError` for invalid constraints.
 * @param parts scenes in which the margins of momentum and power are computed
 */
export function constraintMargins(
  robot: RobotModel,
  scene: Scene,
  given: Trajectory,
  parts: readonly SceneInterval[],
): ConstraintMargin[] {
  const trajectory = inJointOrder(
    given,
    robot.variables.map((joint) => joint.name),
  );
  const curve = new TrajectoryCurve(trajectory);
  const marginsOf = (constraints: readonly PathConstraint[], from: number, to: number): ConstraintMargin[] =>
    constraints
      .filter((one) => !isRateConstraint(one) || isTimed(trajectory))
      .flatMap((one) => {
        if (isStopConstraint(one)) return [];
        const common = { label: constraintLabel(one), unit: unitOfConstraint(one, robot) };
        if (!isForceConstraint(one)) return [{ ...common, from, to, margin: marginOf(robot, one, scene, curve) }];
        return parts.flatMap((part) => {
          const [begin, end] = [Math.max(from, part.from), Math.min(to, part.to)];
          if (begin > end) return [];
          const isOpen = isOpenAtSetPoints(one, trajectory);
          const least = () => (isOpen ? NONE : leastForceMargin(robot, one, part.scene, curve, begin, end));
          return [{ ...common, from: begin, to: end, margin: marginOf(robot, one, part.scene, curve), least }];
        });
      });
  return [
    ...marginsOf([...(scene.constraints ?? []), ...tcpSpeedOf(scene)], curve.start, curve.end),
    ...(trajectory.segments ?? []).flatMap(({ step: index, from, to }) => {
      const step = scene.steps?.[index];
      if (step === undefined || !('constraints' in step)) return [];
      const own = tcpSpeedLimit({}, step) < tcpSpeedLimit(scene, {}) ? tcpSpeedOf(step) : [];
      return marginsOf([...step.constraints, ...own], from, to);
    }),
  ];
}

/**
 * Computes the margins of `constraintMargins` at evenly spaced times, of programs without momentum and power. For
 * plots: it proves nothing between the samples; see `createConstraintCheck`. Throws `InputError` for invalid
 * constraints.
 */
export function constraintProfile(
  robot: RobotModel,
  scene: Scene,
  given: Trajectory,
  samples = 200,
): readonly ConstraintCurve[] {
  const times = given.points.map(({ time_from_start }, i) => time_from_start ?? i);
  const whole = times[times.length - 1] - times[0];
  const parts = scene.steps ? [] : [{ from: times[0], to: times[times.length - 1], scene }];
  return constraintMargins(robot, scene, given, parts).map(({ label, unit, from, to, margin }) => {
    const count = Math.max(2, Math.ceil((samples * (to - from)) / (whole || 1)));
    const points = Array.from({ length: count }, (_, i): [number, number] => {
      const time = from + ((to - from) * i) / (count - 1);
      return [time, margin(time)];
    });
    return { label, unit, points };
  });
}

/** The limit `tcp_speed` as a constraint. */
const tcpSpeedOf = ({ tcpSpeed }: { readonly tcpSpeed?: number }): PathConstraint[] =>
  tcpSpeed === undefined ? [] : [{ type: 'speed', name: 'tcp_speed', most: tcpSpeed }];

/** Relative to the limit: smaller values are not bounded more closely. */
const NEGLIGIBLE = 1e-6;

/** A margin without a known lower bound. */
const NONE = Number.NEGATIVE_INFINITY;

/**
 * Returns a lower bound on a limit minus a value in an interval; at least 0 if the limit is proved, −Infinity for the
 * power of a motion whose velocity jumps.
 */
function leastForceMargin(
  robot: RobotModel,
  one: Exclude<ForceConstraint, StopConstraint>,
  scene: Scene,
  curve: TrajectoryCurve,
  from: number,
  to: number,
): number {
  const worst = rateExcessOf(robot, one, scene)(curve, from, to);
  if (worst?.value === Number.POSITIVE_INFINITY) return NONE;
  const margin = one.most - limitedRate(robot, one, scene).bound(curve, from, to, NEGLIGIBLE * one.most);
  return worst === undefined ? Math.max(0, margin) : margin;
}

/** Returns the margin of a constraint as a function of time. */
function marginOf(
  robot: RobotModel,
  constraint: Exclude<PathConstraint, StopConstraint>,
  scene: Scene,
  curve: TrajectoryCurve,
): (time: number) => number {
  const q: Configuration = new Float64Array(robot.dof);
  if (!isRateConstraint(constraint)) {
    const set = new ConstraintSet(robot, [constraint], scene.tcp);
    return (time) => {
      curve.position(q, time);
      return -set.maxExcess(q);
    };
  }
  const rates = new Float64Array(robot.dof);
  if (constraint.type === 'joint_speed') {
    const joint = jointIndex(robot, constraint.joint, constraintLabel(constraint));
    return (time) => {
      curve.velocity(rates, time);
      return constraint.most - Math.abs(rates[joint]);
    };
  }
  const rate = limitedRate(robot, constraint, scene);
  const accelerations = new Float64Array(robot.dof);
  return (time) => {
    curve.position(q, time);
    curve.velocity(rates, time);
    const k = curve.pieceAt(time);
    for (let j = 0; j < robot.dof; j++)
      accelerations[j] = accelerationAt(curve.polynomials, curve.polynomialIndex(k, j), curve.timeInPiece(k, time));
    return constraint.most - rate.at(q, rates, accelerations);
  };
}
