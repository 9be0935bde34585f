import {
  executedPoints,
  type Trajectory,
  type TrajectoryEvent,
  type TrajectoryPoint,
} from '../../core/trajectory/trajectory.ts';
import { InputError, InputErrors, parseJson } from '../../errors.ts';
import { placeOf } from '../text/sourceText.ts';
import { programOf } from './programRecord.ts';
import type { TrajectoryFormat } from './trajectoryFormat.ts';
import { readRecord } from './trajectoryRecord.ts';

/**
 * The message trajectory_msgs/JointTrajectory in YAML, as `ros2 topic pub` reads it and `ros2 topic echo` prints it.
 * A program is one document per interval between events: see `writeDocuments`.
 */
export const rosYaml: TrajectoryFormat = {
  summary: 'ROS trajectory_msgs/JointTrajectory as YAML',
  ending: '.yaml',
  write,
  recognises: (text, file) => /\.ya?ml$/i.test(file) || /^[ \t-]*["']?joint_names["']?[ \t]*:/m.test(text),
  read: (text, file, robot) =>
    statesProgram(text) ? readDocuments(text, file) : readRecord(withoutSeparator(text), file, robot),
};

/** Returns the text of a message without the separator `---` that `ros2 topic echo` prints after it. */
export const withoutSeparator = (text: string): string => text.replace(/\n---\s*$/, '\n');

/**
 * Writes the values from which a controller interpolates the curve that was checked: positions, velocities for cubics
 * and quintics, accelerations for quintics only.
 */
function write(trajectory: Trajectory): string {
  const message = (points: readonly TrajectoryPoint[]) => messageText(trajectory.jointNames, points);
  const points = executedPoints(trajectory);
  return trajectory.segments === undefined ? message(points) : writeDocuments(trajectory, points, message);
}

/** Returns the text of a message trajectory_msgs/JointTrajectory. */
export function messageText(jointNames: readonly string[], points: readonly TrajectoryPoint[]): string {
  return `joint_names: [${jointNames.map(yamlString).join(', ')}]\npoints:\n${points.map(pointText).join('')}`;
}

function pointText({ positions, velocities, accelerations, time_from_start: time }: TrajectoryPoint): string {
  const lines = [`  - positions: ${yamlNumbers(positions)}`];
  if (velocities) lines.push(`    velocities: ${yamlNumbers(velocities)}`);
  if (accelerations) lines.push(`    accelerations: ${yamlNumbers(accelerations)}`);
  if (time !== undefined) {
    const nanoseconds = Math.round(time * 1e9);
    const seconds = Math.floor(nanoseconds / 1e9);
    lines.push(`    time_from_start: {sec: ${seconds}, nanosec: ${nanoseconds - seconds * 1e9}}`);
  }
  return `${lines.join('\n')}\n`;
}

const yamlNumbers = (values: readonly number[]) => `[${values.map(yamlNumber).join(', ')}]`;

/**
 * Formats a number with a decimal point: YAML 1.1, which ROS parses, reads `1` as an integer and `1e-7` as a string.
 */
function yamlNumber(value: number): string {
  const [digits, exponent] = String(value).split('e');
  const decimal = digits.includes('.') ? digits : `${digits}.0`;
  return exponent === undefined ? decimal : `${decimal}e${exponent}`;
}

/** Quotes a name if YAML could parse it as another type. */
function yamlString(name: string): string {
  const isPlain = /^[A-Za-z_][\w/-]*$/.test(name) && !/^(true|false|yes|no|on|off|y|n|null)$/i.test(name);
  return isPlain ? name : JSON.stringify(name);
}

/** Between two documents. */
export const SEPARATOR = '---\n';
/** Absolute, seconds: difference between the time of an event and the end of a document. */
const TIME_TOLERANCE = 1e-9;

/** True if the comments of a text state the segments and events of a program. */
const statesProgram = (text: string): boolean => /^# segments: /m.test(text);

/** A part of a program that is one goal of a controller: its points from time 0, and the events before it. */
interface ProgramInterval {
  readonly events: readonly TrajectoryEvent[];
  readonly points: readonly TrajectoryPoint[];
}

/**
 * Divides a program into its intervals of positive length between events. Times of each begin at 0, and its first point
 * repeats the last one before it. `lastEvents` are those after the last interval.
 * @param points executed points of the trajectory
 */
export function intervalsOf(
  { events = [] }: Trajectory,
  points: readonly TrajectoryPoint[],
): { intervals: readonly ProgramInterval[]; lastEvents: readonly TrajectoryEvent[] } {
  const times = points.map((point) => point.time_from_start!);
  const last = points.length - 1;
  const inner = [...new Set(events.map(({ time }) => time))].filter((time) => time > times[0] && time < times[last]);
  const cuts = inner.map((time) => times.indexOf(time));
  const missing = cuts.indexOf(-1);
  if (missing >= 0) throw new InputError(`the trajectory has no point at the event at ${inner[missing]} s`);
  const bounds = [0, ...cuts, last];
  const eventsAt = (index: number) => events.filter(({ time }) => time === times[index]);
  const intervals = bounds.slice(1).map((end, k) => {
    const start = bounds[k];
    const own = points.slice(start, end + 1).map((point) => ({
      ...point,
      time_from_start: secondsBetween(times[start], point.time_from_start!),
    }));
    return { events: eventsAt(start), points: own };
  });
  return { intervals, lastEvents: last > 0 ? eventsAt(last) : [] };
}

/** Returns the comments that state the segments and events of a program, and its signals if it has any. */
export const programComments = (segments: unknown, events: unknown, signals?: unknown): string =>
  `# segments: ${JSON.stringify(segments)}\n# events: ${JSON.stringify(events)}\n` +
  (signals === undefined ? '' : `# signals: ${JSON.stringify(signals)}\n`);

/**
 * Writes a program as one YAML document per interval: see `intervalsOf`. Comments state the segments and events, with
 * the times of the whole program; those before a document state what happens before it is executed.
 * @param points executed points of the trajectory
 * @param message returns the text of a document
 */
function writeDocuments(
  trajectory: Trajectory,
  points: readonly TrajectoryPoint[],
  message: (points: readonly TrajectoryPoint[]) => string,
): string {
  const { segments = [], events = [], signals } = trajectory;
  const { intervals, lastEvents } = intervalsOf(trajectory, points);
  const comments = (given: readonly TrajectoryEvent[]) => given.map((one) => `# ${JSON.stringify(one)}\n`).join('');
  const documents = intervals.map((interval) => `${comments(interval.events)}${message(interval.points)}`);
  return `${programComments(segments, events, signals)}${documents.join(SEPARATOR)}${comments(lastEvents)}`;
}

/**
 * Reads a program as `writeDocuments` writes it: the documents are joined, each at the end of the one before it. Throws
 * `InputError` if a document does not begin at time 0, at rest and at the position where the one before it ends, or if
 * documents end at other times than events.
 */
async function readDocuments(text: string, file: string): Promise<Trajectory> {
  const program = { events: [], ...statedProgram(text, file) };
  const { segments, events } = program;
  const parts: Trajectory[] = [];
  let before = '';
  for (const part of text.split(/^---[ \t]*\r?$/m)) {
    const lines = before.split('\n').length - 1;
    before += part;
    parts.push(await readRecord('\n'.repeat(lines) + part, file));
  }
  const points: TrajectoryPoint[] = [];
  const ends: number[] = [];
  for (const [k, part] of parts.entries()) {
    const fault = faultOf(part, parts[k - 1]);
    if (fault !== undefined)
      throw new InputError(
        `${file}: document ${k + 1}: ${fault}`,
        'Each document begins where the one before it ends.',
      );
    const start = points.at(-1)?.time_from_start ?? 0;
    for (const point of k === 0 ? part.points : part.points.slice(1))
      points.push({ ...point, time_from_start: secondsBetween(-start, point.time_from_start!) });
    ends.push(points.at(-1)!.time_from_start!);
  }
  checkCuts(events, ends, file);
  const end = segments?.at(-1)?.to ?? 0;
  if (!(Math.abs(end - ends[ends.length - 1]) <= TIME_TOLERANCE))
    throw new InputError(`${file}: the segments end at ${end} s, the last document at ${ends[ends.length - 1]} s`);
  return { jointNames: parts[0].jointNames, points, ...program };
}

/** Returns the difference of two times in seconds, computed in whole nanoseconds. */
const secondsBetween = (from: number, to: number) => (Math.round(to * 1e9) - Math.round(from * 1e9)) / 1e9;

/** Returns a message if a document is not valid after the previous one. */
function faultOf(part: Trajectory, before: Trajectory | undefined): string | undefined {
  const { points, jointNames, interpolation, segments, events, signals } = part;
  const [first] = points;
  const end = before?.points.at(-1);
  const isResting = (point: TrajectoryPoint) => point.velocities?.every((velocity) => velocity === 0) ?? false;
  if (segments ?? events ?? signals ?? interpolation)
    return 'segments, events and interpolation are not supported in documents';
  if (points.some(({ accelerations }) => accelerations)) return 'points of a program have no accelerations';
  if (points.some(({ velocities }) => !velocities)) return 'points of a program have velocities';
  if (first.time_from_start !== 0) return 'its first point is not at time 0';
  if (before === undefined || end === undefined) return undefined;
  if (jointNames.join('\n') !== before.jointNames.join('\n')) return 'its joint_names differ from those before';
  if (!isResting(first) || !isResting(end)) return 'the robot is not at rest at its start';
  return first.positions.every((value, j) => value === end.positions[j])
    ? undefined
    : 'its first point is not the last one of the document before it';
}

/** Checks that the documents end where events divide the motion. */
function checkCuts(events: readonly TrajectoryEvent[], ends: readonly number[], file: string): void {
  const duration = ends[ends.length - 1];
  const isNear = (one: number) => (other: number) => Math.abs(one - other) <= TIME_TOLERANCE;
  const inner = events.map(({ time }) => time).filter((time) => ![0, duration].some(isNear(time)));
  const undivided = inner.find((time) => !ends.some(isNear(time)));
  if (undivided !== undefined)
    throw new InputError(`${file}: no document ends at ${undivided} s, the time of an event`);
  const needless = ends.slice(0, -1).find((time) => !inner.some(isNear(time)));
  if (needless !== undefined) throw new InputError(`${file}: a document ends at ${needless} s, but no event is then`);
}

/** Returns the segments, events and signals that the comments state. */
function statedProgram(text: string, file: string): Pick<Trajectory, 'segments' | 'events' | 'signals'> {
  const record = Object.fromEntries(
    ['segments', 'events', 'signals'].map((name) => [name, statedIn(text, file, name)] as const),
  );
  const problems: InputError[] = [];
  const program = programOf(record, (path, what, note) =>
    problems.push(new InputError(`${file}: ${placeOf(path)}${what}`, note)),
  );
  if (problems.length > 0) throw new InputErrors(problems);
  return program;
}

/** Returns the list that the comment of a name states; undefined for signals, which may be absent. */
function statedIn(text: string, file: string, name: string): unknown {
  const found = [...text.matchAll(new RegExp(`^# ${name}: (.*)$`, 'gm'))];
  if (found.length === 0 && name === 'signals') return undefined;
  if (found.length !== 1)
    throw new InputError(`${file}: ${found.length} comments "# ${name}: …"`, 'A program has one of each.');
  const line = text.slice(0, found[0].index).split('\n').length;
  const note = 'Write the list as in the json format, on one line.';
  return parseJson(found[0][1], `${file}:${line}: ${name}`, 'not JSON', note);
}
