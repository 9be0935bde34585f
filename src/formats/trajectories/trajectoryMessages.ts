import type { Path } from '../text/sourceText.ts';
import { checkKeys } from './trajectoryKeys.ts';

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
