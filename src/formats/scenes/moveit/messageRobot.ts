import { createRobotModel, independentJoints } from '../../../core/kinematics/createRobotModel.ts';
import { forwardKinematics, RobotState } from '../../../core/kinematics/forwardKinematics.ts';
import { followerContradiction, leadersOf } from '../../../core/kinematics/mimics.ts';
import { plannedJoints } from '../../../core/kinematics/planningGroups.ts';
import { poseOfTransform } from '../../../core/kinematics/pose.ts';
import type { Pose, RobotDescription } from '../../../core/kinematics/robotModel.ts';
import { InputError, ownValue, suggestion } from '../../../errors.ts';
import type { ForeignGoal, ForeignScene } from './foreignScene.ts';
import type { Field } from './messageValues.ts';

/** Joint values of a robot state, by name. */
export type JointValues = Readonly<Record<string, number>>;

/**
 * Returns the joint values of a robot state. Mimic joints are omitted if the robot is known, and refused with another
 * value than they have; unknown joints are refused. A state that moves the root of the robot is refused.
 */
export function readJointValues(state: Field, robot: RobotDescription | undefined): JointValues {
  const joints = state.at('joint_state').message('joint state');
  const fields = joints.at('name').list();
  const names = fields.map((field) => field.name());
  const positions = joints.at('position').or([]).numbers(names.length);
  requireFixedRoot(state.at('multi_dof_joint_state'));
  const all = new Map(names.map((name, i) => [name, positions[i]]));
  const leaders = robot && leadersOf(robot.name, new Map(robot.joints.map((joint) => [joint.name, joint])));
  const values: [string, number][] = [];
  for (const [i, name] of names.entries()) {
    if (names.indexOf(name) !== i) throw fields[i].wrong('which is listed twice', 'List each joint once.');
    if (isIndependent(robot, fields[i])) values.push([name, positions[i]]);
    const contradiction = leaders && followerContradiction(name, all, leaders);
    if (contradiction !== undefined)
      throw joints
        .at('position')
        .error(`"${name}" is ${positions[i]}, but ${contradiction}`, 'Correct it, or leave it out.');
  }
  return Object.fromEntries(values);
}

/** Returns false for a joint that follows another one. Throws for names that are no movable joints. */
export function isIndependent(robot: RobotDescription | undefined, field: Field): boolean {
  if (robot === undefined) return true;
  const name = field.name();
  const joint = robot.joints.find((one) => one.name === name);
  if (joint !== undefined && joint.type !== 'fixed') return joint.mimic === undefined;
  const what = joint === undefined ? `"${robot.name}" has no such joint` : 'which is fixed';
  throw field.wrong(what, suggestion(name, independentJoints(robot)));
}

/** Throws if a joint of several degrees of freedom is not at its origin: it would move the root of the robot. */
export function requireFixedRoot(given: Field): void {
  if (given.isAbsent) return;
  for (const transform of given.mapping().at('transforms').list()) {
    const rotation = transform.mapping('translation rotation').at('rotation').or({});
    const quaternion = rotation.quaternion();
    if (quaternion.some((part) => part !== 0)) rotation.requireUnit(quaternion);
    const moved = [...transform.at('translation').or([0, 0, 0]).triple(), ...quaternion.slice(0, 3)];
    if (moved.some((x) => x !== 0))
      throw transform.error(
        'the root of the robot is moved, which is not supported',
        'State it as robot: {pose} of the scene.',
      );
  }
}

/** Returns a function that computes the poses of links at joint values; undefined for names that are not links. */
export function linkPosesAt(
  robot: RobotDescription | undefined,
  values: () => JointValues,
): (link: string) => Pose | undefined {
  let poses: ReadonlyMap<string, Pose> | undefined;
  return (link) => {
    if (robot === undefined) return undefined;
    if (poses === undefined) {
      const model = createRobotModel(robot, { joints: [], fixed: values() });
      const state = new RobotState(model);
      forwardKinematics(state, new Float64Array(0));
      poses = new Map(model.links.map(({ name }, i) => [name, poseOfTransform(state.T_world_link[i])]));
    }
    return poses.get(link);
  };
}

/** Returns true for a link that planned joints move: those of the group, or all if it is not known. */
export function isPlannedLink(robot: RobotDescription | undefined, group: string | undefined, link: string): boolean {
  if (robot === undefined) return false;
  const isGroup = group !== undefined && Object.hasOwn(robot.groups, group);
  const planned = isGroup ? plannedJoints(robot, { group }) : independentJoints(robot);
  const leaderOf = (name: string): string => {
    const leader = robot.joints.find((one) => one.name === name)?.mimic?.joint;
    return leader === undefined ? name : leaderOf(leader);
  };
  for (let at = link; ; ) {
    const joint = robot.joints.find(({ child }) => child === at);
    if (joint === undefined) return false;
    if (joint.type !== 'fixed' && planned.includes(leaderOf(joint.name))) return true;
    at = joint.parent;
  }
}

/** Joints and start of a scene. */
export type PlannedPart = Pick<ForeignScene, 'group' | 'joints' | 'fixed' | 'start' | 'goals'>;

/**
 * Divides the joint values of the start among the planned joints and the others, which keep their positions. Planned
 * are the joints of the group if the robot is known to have it, otherwise those of the joint goals, otherwise all. A
 * goal that does not constrain a planned joint is completed with its position at the start.
 */
export function plannedPart(
  robot: RobotDescription | undefined,
  group: string | undefined,
  values: JointValues,
  goals: readonly ForeignGoal[],
  notes: Set<string>,
): PlannedPart {
  const planned = plannedNames(robot, group, goals);
  const isPlanned = (name: string) => planned === undefined || planned.names.includes(name);
  const part = (of: (name: string) => boolean) =>
    Object.fromEntries(Object.entries(values).filter(([name]) => of(name)));
  const start = part(isPlanned);
  const fixed = part((name) => !isPlanned(name));
  const completed = goals.map((goal): ForeignGoal => {
    if (!('joints' in goal) || planned === undefined) return goal;
    const outside = Object.keys(goal.joints).find((name) => !isPlanned(name));
    if (outside !== undefined)
      throw new InputError(
        `a goal for ${JSON.stringify(outside)}, which is not planned`,
        suggestion(outside, planned.names),
      );
    const open = planned.names.filter((name) => !Object.hasOwn(goal.joints, name));
    if (open.length === 0) return goal;
    notes.add(`joints without a goal keep their position at the start: ${open.join(', ')}`);
    return {
      joints: { ...Object.fromEntries(open.map((name) => [name, ownValue(values, name) ?? 0])), ...goal.joints },
    };
  });
  return {
    ...(planned?.isGroup === false || group === undefined ? {} : { group }),
    ...(planned?.isListed ? { joints: planned.names } : {}),
    ...(Object.keys(fixed).length === 0 ? {} : { fixed }),
    ...(Object.keys(values).length === 0 ? {} : { start }),
    goals: completed,
  };
}

interface PlannedNames {
  readonly names: readonly string[];
  readonly isGroup: boolean;
  /** True if the joints are neither a group nor all joints. */
  readonly isListed: boolean;
}

function plannedNames(
  robot: RobotDescription | undefined,
  group: string | undefined,
  goals: readonly ForeignGoal[],
): PlannedNames | undefined {
  const named = new Set(goals.flatMap((goal) => ('joints' in goal ? Object.keys(goal.joints) : [])));
  if (robot === undefined) return named.size === 0 ? undefined : { names: [...named], isGroup: true, isListed: false };
  if (group !== undefined && (Object.hasOwn(robot.groups, group) || named.size === 0))
    return { names: plannedJoints(robot, { group }), isGroup: true, isListed: false };
  const all = independentJoints(robot);
  const unknown = [...named].find((name) => !all.includes(name));
  if (unknown !== undefined)
    throw new InputError(
      `a goal for ${JSON.stringify(unknown)}, which "${robot.name}" does not have`,
      suggestion(unknown, all),
    );
  const names = named.size === 0 ? all : all.filter((name) => named.has(name));
  return { names, isGroup: false, isListed: names.length < all.length };
}
