import { InputError, ownValue, suggestion } from '../../errors.ts';
import { derived } from '../math/derived.ts';
import { independentJoints } from './createRobotModel.ts';
import type { RobotDescription } from './robotModel.ts';

/** What a scene states about the planned joints of a robot. */
export interface PlannedSelection {
  /** Planned joints in the order of q. */
  readonly joints?: readonly string[] | undefined;
  /** Group of the SRDF whose joints are planned. */
  readonly group?: string | undefined;
}

/**
 * Returns the planned joints in the order of q: those listed, or those of the group, or all independent joints. Throws
 * `InputError` for an unknown group and for one without joints that move.
 */
export function plannedJoints(robot: RobotDescription, { joints, group }: PlannedSelection): readonly string[] {
  if (joints !== undefined) return joints;
  return group === undefined ? independentJoints(robot) : groupJoints(robot, group);
}

/**
 * Returns the joints of a group, in the order of the robot, without fixed, mimic and passive joints. Throws
 * `InputError` if there is no such group, or if it has none of these joints.
 */
function groupJoints({ name, groups }: RobotDescription, group: string): readonly string[] {
  const joints = ownValue(groups, group);
  if (joints === undefined) {
    const note =
      suggestion(group, Object.keys(groups)) || 'Its SRDF defines none, or it has no SRDF: robot: {srdf: FILE}.';
    throw new InputError(`robot.group: "${name}" has no group "${group}"`, note);
  }
  if (joints.length > 0) return joints;
  throw new InputError(
    `robot.group: the group "${group}" has no joint that can be planned`,
    'Fixed, mimic and passive joints cannot be planned, nor the joints of a group that contains itself.',
  );
}

const groupsOf = derived((_: RobotDescription) => new Map<string, RobotDescription>());

/**
 * Returns the robot with the named states of a group: its own states replace those of the same name of other groups,
 * and states without a value for one of its joints are left out. Equal arguments return the same object.
 */
export function withGroupStates(robot: RobotDescription, group: string): RobotDescription {
  const known = groupsOf(robot);
  const found = known.get(group);
  if (found !== undefined) return found;
  const joints = groupJoints(robot, group);
  const states = { ...robot.states, ...ownValue(robot.groupStates ?? {}, group) };
  const own = Object.entries(states).filter(([, values]) => joints.some((joint) => Object.hasOwn(values, joint)));
  const result: RobotDescription = { ...robot, states: Object.fromEntries(own) };
  known.set(group, result);
  return result;
}

/** Returns a message that names the planned joints if the robot has several groups and the scene selects none. */
export function groupMessages(robot: RobotDescription, { joints, group }: PlannedSelection): string[] {
  const groups = Object.entries(robot.groups).filter(([, members]) => members.length > 0);
  if (joints !== undefined || group !== undefined || groups.length < 2) return [];
  const planned = independentJoints(robot);
  const names = groups.map(([name]) => name).join(', ');
  return [
    `robot "${robot.name}": all ${planned.length} independent joints are planned (${planned.join(', ')}); ` +
      `robot.group selects one of its groups: ${names}`,
  ];
}
