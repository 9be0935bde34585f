import { suggestion } from '../../errors.ts';
import type { Path } from '../text/sourceText.ts';

type Fields = Readonly<Record<string, unknown>>;
type Report = (path: Path, what: string, note?: string) => void;

/**
 * Keys of messages that contain a record: FollowJointTrajectory goals, moveit_msgs/RobotTrajectory and
 * DisplayTrajectory; outermost first.
 */
const WRAPPERS = ['goal', 'trajectory', 'joint_trajectory'];

/** A message around a record, and its path in the file. */
export interface EnclosingMessage {
  readonly message: Fields;
  readonly path: Path;
}

/** A record of joint_names and points. */
interface EnclosedRecord {
  readonly record: Fields;
  readonly path: Path;
  /** Outermost first. */
  readonly around: readonly EnclosingMessage[];
}

/** Returns the record that a message contains; an empty record if the data has none. */
export function unwrapped(data: unknown): EnclosedRecord {
  const path: (string | number)[] = [];
  const around: EnclosingMessage[] = [];
  let record = isRecord(data) ? data : {};
  for (const wrapper of WRAPPERS) {
    const given = record[wrapper];
    const isOnlyOne = Array.isArray(given) && given.length === 1; // DisplayTrajectory has a list
    const inner: unknown = isOnlyOne ? given[0] : given;
    if (record.joint_names !== undefined || !isRecord(inner)) continue;
    around.push({ message: record, path: [...path] });
    path.push(wrapper, ...(isOnlyOne ? [0] : []));
    record = inner;
  }
  return { record, path, around };
}

/** Checks an enclosing message: it must have known keys only and contain one motion. */
export function checkMessage({ message, path }: EnclosingMessage, report: Report): void {
  checkKeys('message', message, path, report);
  const [first, second] = WRAPPERS.filter((wrapper) => message[wrapper] !== undefined);
  if (second !== undefined) report([...path, second], `beside ${first}`, 'A file has one motion: leave the other out.');
}

/** Returns true for a mapping of keys to values. */
export function isRecord(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Keys that are read, and keys that cannot change the motion: its origin, texts, tolerances of the controller. */
const READ = {
  record: (
    'format robot calibration scene joint_names points interpolation planner seed edges cut_short hash segments ' +
    'events signals header name description'
  ).split(' '),
  message: (
    'header name description goal goal_id trajectory joint_trajectory multi_dof_joint_trajectory ' +
    'multi_dof_trajectory path_tolerance goal_tolerance component_path_tolerance component_goal_tolerance ' +
    'goal_time_tolerance controller_names model_id trajectory_start'
  ).split(' '),
  point: ['time_from_start', 'positions', 'velocities', 'accelerations', 'effort'],
  time: ['sec', 'nanosec', 'secs', 'nsecs', 'nsec'],
} as const;

/** Reports unknown keys, so that no information about the motion is silently ignored. */
export function checkKeys(kind: keyof typeof READ, given: Fields, path: Path, report: Report): void {
  for (const key of Object.keys(given)) {
    if (!READ[kind].includes(key as never)) report([...path, key], 'unknown key', suggestion(key, READ[kind]));
    else if (key.startsWith('multi_dof') && !isEmpty(given[key]))
      report([...path, key], 'is not supported', 'Only joints with one degree of freedom are.');
  }
}

/** Checks whether a message is absent, or has neither joint names nor points. */
function isEmpty(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return value === undefined || value === null;
  return ['joint_names', 'points'].every((key) => {
    const list: unknown = (value as Fields)[key];
    return list === undefined || (Array.isArray(list) && list.length === 0);
  });
}
