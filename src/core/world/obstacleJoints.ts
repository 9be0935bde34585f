import { InputError } from '../../errors.ts';
import { requireCollisionGeometry } from '../kinematics/collisionGeometry.ts';
import { prefixedJoint } from '../kinematics/composition/compositeRobot.ts';
import { createRobotModel } from '../kinematics/createRobotModel.ts';
import { plannedJoints } from '../kinematics/planningGroups.ts';
import type { JointDescription, LinkDescription, Pose, RobotModel } from '../kinematics/robotModel.ts';
import type { Quaternion } from '../math/quaternion.ts';
import { atan2 } from '../math/trigonometry.ts';
import {
  type ObstacleMotion,
  type OtherRobot,
  obstacleMotionFault,
  otherTrajectoryFault,
} from '../scene/movingScene.ts';
import type { CollisionObject } from '../scene/scene.ts';
import { inJointOrder, type Trajectory } from '../trajectory/trajectory.ts';
import { TrajectoryCurve } from '../trajectory/trajectoryCurve.ts';

/** Links and joints to be added below a root, and the values of the joints that move as functions of time. */
export interface MovingBranch {
  /** Links, those without a shape included. */
  readonly links: readonly LinkDescription[];
  /** Joints, the first of which has the root as parent. */
  readonly joints: readonly JointDescription[];
  /** Values of joints that do not move, by name. */
  readonly fixed: Readonly<Record<string, number>>;
  /** Values of the joints that move, over the time of the scene; undefined if no joint moves. */
  readonly source?: Trajectory;
}

type Triple = readonly [number, number, number];

/** Turn about a fixed axis: the angle at each time, rad. */
interface Turn {
  readonly axis: Triple;
  readonly angles: number[];
}

const AXES: readonly Triple[] = [
  [1, 0, 0],
  [0, 1, 0],
  [0, 0, 1],
];

/**
 * Converts a moving obstacle to a chain of joints below `root`: prismatic joints along the axes of the world in which
 * it moves, then one revolute joint per axis of rotation. Their values are piecewise linear, so that positions are
 * interpolated linearly and orientations spherically (slerp): between two orientations, the obstacle turns about a
 * fixed axis at a constant rate. A product of the turns completed so far is the orientation at that time.
 */
export function obstacleBranch(obstacle: CollisionObject, motion: ObstacleMotion, root: string): MovingBranch {
  const { name, parts } = obstacle;
  const fault = obstacleMotionFault(motion);
  if (fault !== undefined)
    throw new InputError(`obstacle ${JSON.stringify(name)}: motion.${fault.path.join('.')}: ${fault.what}`, fault.note);
  const { times, poses } = motion;
  const isMoving = AXES.map((_, axis) => poses.some(({ xyz }) => xyz[axis] !== poses[0].xyz[axis]));
  const turns = turnsOf(poses);
  const start: Pose = {
    xyz: poses[0].xyz.map((x, axis) => (isMoving[axis] ? 0 : x)) as unknown as Triple,
    quat_wxyz: [1, 0, 0, 0],
  };
  const chain = [
    ...AXES.flatMap((axis, k) =>
      isMoving[k] ? [{ type: 'prismatic' as const, axis, values: poses.map(({ xyz }) => xyz[k]) }] : [],
    ),
    { type: 'fixed' as const, axis: AXES[0], values: [] },
    ...turns.map(({ axis, angles }) => ({ type: 'continuous' as const, axis, values: angles })),
  ];
  const joints = chain.map(({ type, axis, values }, k): JointDescription => {
    const turned = type === 'fixed' ? poses[0].quat_wxyz : undefined;
    const origin = k === 0 ? start : { ...start, xyz: [0, 0, 0] as const };
    return {
      name: `${name}/${k}`,
      type,
      parent: k === 0 ? root : `${name}/${k - 1}`,
      child: k === chain.length - 1 ? name : `${name}/${k}`,
      origin: turned ? { ...origin, quat_wxyz: turned } : origin,
      axis,
      ...(type === 'prismatic' ? { lower: Math.min(...values), upper: Math.max(...values) } : {}),
    };
  });
  const collisions = parts.map(({ shape, at }) => ({
    shape,
    pose: at ?? { xyz: [0, 0, 0] as const, quat_wxyz: [1, 0, 0, 0] as const },
    triangles: 0,
    source: 0,
  }));
  const moving = chain.flatMap(({ values }, k) => (values.length > 0 ? [{ name: joints[k].name, values }] : []));
  return {
    links: joints.map(({ child }) => ({ name: child, collisions: child === name ? collisions : [] })),
    joints,
    fixed: {},
    ...(moving.length === 0 ? {} : { source: piecewiseLinear(times, moving) }),
  };
}

function piecewiseLinear(
  times: readonly number[],
  joints: readonly { readonly name: string; readonly values: readonly number[] }[],
): Trajectory {
  return {
    jointNames: joints.map(({ name }) => name),
    interpolation: 'linear',
    points: times.map((time, i) => ({ time_from_start: time, positions: joints.map(({ values }) => values[i]) })),
  };
}

/**
 * Returns the turns about axes in the frame of the object, in their order; consecutive turns about exactly the same
 * axis are one.
 */
function turnsOf(poses: readonly Pose[]): Turn[] {
  const turns: Turn[] = [];
  for (let i = 1; i < poses.length; i++) {
    const { axis, angle } = turnBetween(poses[i - 1].quat_wxyz, poses[i].quat_wxyz);
    const last = turns.at(-1);
    const sign = last === undefined || angle === 0 ? 0 : alongAxis(axis, last.axis);
    if (angle !== 0 && sign === 0) turns.push({ axis, angles: new Array<number>(i).fill(0) });
    for (const turn of turns) {
      const before = turn.angles[i - 1];
      turn.angles.push(turn === turns.at(-1) ? before + (sign === 0 ? angle : sign * angle) : before);
    }
  }
  return turns;
}

/** Returns 1 or −1 if two axes are equal or opposite, exactly; else 0. */
function alongAxis(a: Triple, b: Triple): -1 | 0 | 1 {
  if (a.every((x, k) => x === b[k])) return 1;
  return a.every((x, k) => x === -b[k]) ? -1 : 0;
}

/**
 * Returns the shortest rotation from one orientation to another: its axis in the frame of the object, and its angle in
 * [0, π). With the quaternion (w, v) of the rotation, w >= 0:  angle = 2 atan2(‖v‖, w).
 */
function turnBetween(from: Quaternion, to: Quaternion): { readonly axis: Triple; readonly angle: number } {
  const [a, b, c, d] = unit(from);
  const [e, f, g, h] = unit(to);
  const dot = a * e + b * f + c * g + d * h;
  const sign = dot < 0 ? -1 : 1;
  const x = sign * (a * f - b * e - c * h + d * g);
  const y = sign * (a * g + b * h - c * e - d * f);
  const z = sign * (a * h - b * g + c * f - d * e);
  const length = Math.sqrt(x * x + y * y + z * z);
  if (length === 0) return { axis: AXES[0], angle: 0 };
  return { axis: [x / length, y / length, z / length], angle: 2 * atan2(length, sign * dot) };
}

function unit([w, x, y, z]: Quaternion): Quaternion {
  const length = Math.sqrt(w * w + x * x + y * y + z * z);
  return [w / length, x / length, y / length, z / length];
}

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
