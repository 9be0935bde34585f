import { InputError } from '../../errors.ts';
import { requireCollisionGeometry } from '../kinematics/collisionGeometry.ts';
import { prefixedJoint } from '../kinematics/composition/compositeRobot.ts';
import { createRobotModel } from '../kinematics/createRobotModel.ts';
import { plannedJoints } from '../kinematics/planningGroups.ts';
import type { JointDescription, RobotModel } from '../kinematics/robotModel.ts';
import { type OtherRobot, otherTrajectoryFault } from '../scene/movingScene.ts';
import { inJointOrder } from '../trajectory/jointOrder.ts';
import type { Trajectory } from '../trajectory/trajectory.ts';
import { TrajectoryCurve } from '../trajectory/trajectoryCurve.ts';
import type { MovingBranch } from './obstacleJoints.ts';

/**
 * Converts another robot to a branch below `root`, its links and joints named `ROBOT/NAME`. Its planned joints follow
 * its trajectory, or rest.
 */
export function otherRobotBranch(other: OtherRobot, root: string): MovingBranch {
  const { name, description } = other;
  const model = modelOf(other);
  requireCollisionGeometry(model);
  const named = (own: string) => `${name}/${own}`;
  const source = sourceOf(other, model);
  const ranges = source === undefined ? [] : rangesOf(source);
  const joints = description.joints.map((joint): JointDescription => {
    const variable = model.variables.findIndex((one) => one.name === joint.name);
    // the range of a mimic joint would narrow that of the joint that it follows
    const { lower: _, upper: __, ...follower } = prefixedJoint(joint, named(''));
    return joint.mimic ? follower : { ...prefixedJoint(joint, named('')), ...ranges[variable] };
  });
  const base: JointDescription = {
    name: named(''),
    type: 'fixed',
    parent: root,
    child: named(description.root),
    origin: other.robot.pose,
    axis: [1, 0, 0],
  };
  const still = source === undefined ? model.variables.map((joint, i) => [joint.name, other.q![i]] as const) : [];
  return {
    links: description.links.map((link) => ({ ...link, name: named(link.name) })),
    joints: [base, ...joints],
    fixed: Object.fromEntries([...Object.entries(model.fixed), ...still].map(([own, value]) => [named(own), value])),
    ...(source === undefined
      ? {}
      : { source: { ...source, jointNames: model.variables.map((joint) => named(joint.name)) } }),
  };
}

/** Creates the model of another robot. */
function modelOf({ description, robot }: OtherRobot): RobotModel {
  const { fixed, limits, pose, empty } = robot;
  return createRobotModel(description, { joints: plannedJoints(description, robot), fixed, limits, pose, empty });
}

/** Returns its trajectory over the time of the scene, in the order of its joints; undefined if it rests. */
function sourceOf(other: OtherRobot, model: RobotModel): Trajectory | undefined {
  const { name, trajectory, startTime, q } = other;
  const place = `${other.place === undefined ? '' : `${other.place}: `}robot ${JSON.stringify(name)}`;
  const joints = model.variables.map((joint) => joint.name);
  if (trajectory === undefined) {
    if (q !== undefined && q.length === joints.length && q.every(Number.isFinite)) return undefined;
    if (q !== undefined) throw new InputError(`${place}: q has ${q.length} values`, `It has ${joints.length} joints.`);
    throw new InputError(
      `${place}: it has neither a trajectory nor a state q`,
      'Give one of them in "robots" of the scene; only coordinate takes trajectories as operands.',
    );
  }
  const ordered = inJointOrder(trajectory, joints, place);
  const fault = otherTrajectoryFault(ordered);
  if (fault !== undefined) throw new InputError(`${place}: trajectory: ${fault}`, '');
  const times = ordered.points.map(({ time_from_start }) => time_from_start! + startTime);
  const late = times.findIndex((time, i) => i > 0 && !(time > times[i - 1]));
  if (late >= 0 || !times.every(Number.isFinite))
    throw new InputError(
      `${place}: its times do not increase after start_time ${startTime} is added`,
      'Use a smaller one.',
    );
  return { ...ordered, points: ordered.points.map((point, i) => ({ ...point, time_from_start: times[i] })) };
}

/** Returns the range of each joint along a trajectory, which rounding bounds are relative to. */
function rangesOf(source: Trajectory): { lower: number; upper: number }[] {
  const curve = new TrajectoryCurve(source);
  const [lower, upper] = [new Float64Array(curve.dof), new Float64Array(curve.dof)];
  curve.positionBounds(lower, upper, curve.start, curve.end);
  return Array.from(lower, (low, j) => ({ lower: low, upper: upper[j] }));
}
