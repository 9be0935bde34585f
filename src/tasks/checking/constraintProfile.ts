import { ToolTracker } from '../../core/cartesian/toolTracker.ts';
import { ConstraintSet } from '../../core/constraints/constraintSet.ts';
import type { RobotModel } from '../../core/kinematics/robotModel.ts';
import { tcpOf } from '../../core/kinematics/toolCenterPoint.ts';
import type { Configuration } from '../../core/math/configuration.ts';
import { constraintLabel, type PathConstraint } from '../../core/scene/constraints.ts';
import { tcpSpeedLimit } from '../../core/scene/program.ts';
import type { Scene } from '../../core/scene/scene.ts';
import { inJointOrder } from '../../core/trajectory/jointOrder.ts';
import { isTimed, type Trajectory } from '../../core/trajectory/trajectory.ts';
import { TrajectoryCurve } from '../../core/trajectory/trajectoryCurve.ts';

/** Margin of one constraint over the time in which it applies. */
export interface ConstraintCurve {
  /** Name of the constraint; `tcp_speed` for that limit. */
  readonly label: string;
  /** Unit of the margins. */
  readonly unit: 'rad' | 'm' | 'm/s';
  /** Time (seconds, or waypoints for a path) and margin; negative: violated by as much. */
  readonly points: readonly (readonly [number, number])[];
}

/**
 * Computes the margins of the constraints of a scene, of the steps of its program and of `tcp_speed` at evenly spaced
 * times along a trajectory: by how much each could be tightened at that time. For plots: it proves nothing between the
 * samples; see `createConstraintCheck`. Throws `InputError` for invalid constraints.
 */
export function constraintProfile(
  robot: RobotModel,
  scene: Scene,
  given: Trajectory,
  samples = 200,
): readonly ConstraintCurve[] {
  const trajectory = inJointOrder(
    given,
    robot.variables.map((joint) => joint.name),
  );
  const curve = new TrajectoryCurve(trajectory);
  const sampled = (constraint: PathConstraint, from: number, to: number): ConstraintCurve[] => {
    if (constraint.type === 'speed' && !isTimed(trajectory)) return [];
    const margin = marginOf(robot, constraint, scene, curve);
    const count = Math.max(2, Math.ceil((samples * (to - from)) / (curve.end - curve.start || 1)));
    const points = Array.from({ length: count }, (_, i): [number, number] => {
      const time = from + ((to - from) * i) / (count - 1);
      return [time, margin(time)];
    });
    return [{ label: constraintLabel(constraint), unit: unitOf(robot, constraint), points }];
  };
  const whole = [...(scene.constraints ?? []), ...tcpSpeedOf(scene)];
  return [
    ...whole.flatMap((constraint) => sampled(constraint, curve.start, curve.end)),
    ...(trajectory.segments ?? []).flatMap(({ step: index, from, to }) => {
      const step = scene.steps?.[index];
      if (step === undefined || !('constraints' in step)) return [];
      const own = tcpSpeedLimit({}, step) < tcpSpeedLimit(scene, {}) ? tcpSpeedOf(step) : [];
      return [...step.constraints, ...own].flatMap((constraint) => sampled(constraint, from, to));
    }),
  ];
}

/** The limit `tcp_speed` as a constraint. */
const tcpSpeedOf = ({ tcpSpeed }: { readonly tcpSpeed?: number }): PathConstraint[] =>
  tcpSpeed === undefined ? [] : [{ type: 'speed', name: 'tcp_speed', most: tcpSpeed }];

function unitOf(robot: RobotModel, constraint: PathConstraint): ConstraintCurve['unit'] {
  if (constraint.type === 'speed') return 'm/s';
  if (constraint.type === 'region') return 'm';
  if (constraint.type !== 'joint') return 'rad';
  const joint = robot.variables.find(({ name }) => name === constraint.joint);
  return joint?.type === 'prismatic' ? 'm' : 'rad';
}

/** Returns the margin of a constraint as a function of time. */
function marginOf(
  robot: RobotModel,
  constraint: PathConstraint,
  { tcp }: Pick<Scene, 'tcp'>,
  curve: TrajectoryCurve,
): (time: number) => number {
  const q: Configuration = new Float64Array(robot.dof);
  if (constraint.type !== 'speed') {
    const set = new ConstraintSet(robot, [constraint], tcp);
    return (time) => {
      curve.position(q, time);
      return -set.maxExcess(q);
    };
  }
  const tracker = new ToolTracker(robot, tcpOf(robot, constraint.frame ?? tcp));
  const rates = new Float64Array(robot.dof);
  const twist = new Float64Array(6);
  return (time) => {
    curve.position(q, time);
    curve.velocity(rates, time);
    tracker.twist(twist, q, rates);
    return constraint.most - Math.sqrt(twist[0] * twist[0] + twist[1] * twist[1] + twist[2] * twist[2]);
  };
}
