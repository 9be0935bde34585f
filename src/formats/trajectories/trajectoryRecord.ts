import { InputError, suggestion } from '../../errors.ts';
import { jointValueProblem } from '../../math/magnitudes.ts';
import type { SegmentKind, Trajectory, TrajectoryPoint } from '../../trajectory/trajectory.ts';
import { type Complaint, type Path, parseSource } from '../text/sourceText.ts';
import { MOST_PROBLEMS, shown } from './trajectoryFormat.ts';
import { checkKeys } from './trajectoryKeys.ts';

/** What the project's own files say of their form. */
export const FORMAT = 'elbowroom-trajectory/1';

/** Where the record stands in messages that carry one: goals of FollowJointTrajectory, moveit_msgs/RobotTrajectory. */
const WRAPPERS = ['goal', 'trajectory', 'joint_trajectory'];

/** Names of the parts of a time, in ROS 2 and ROS 1. */
const [SECONDS, NANOSECONDS] = [
  ['sec', 'secs'],
  ['nanosec', 'nsecs', 'nsec'],
] as const;

type Fields = Readonly<Record<string, unknown>>;

/**
 * Reads a record of joint_names and points, as JSON or YAML: the project's own, the ROS message, or another of that shape. Times are seconds,
 * or {sec, nanosec}, or {secs, nsecs}. Points that are whole stay the objects they are, key for key, for the hash is taken of them.
 */
export async function readRecord(text: string, file: string): Promise<Trajectory> {
  refuseLeadingZeros(text, file);
  const source = await parseSource(text, file);
  const complaints: Complaint[] = [];
  const complain = (path: Path, what: string, note = '') => complaints.push({ path: [...root, ...path], what, note });
  const [record, root, around] = unwrapped(source.data);
  if (record.format === undefined && record.joint_names === undefined && record.points === undefined)
    throw new InputError(`${file}:1: this is not a trajectory`, 'A trajectory has joint_names and points.');
  for (const [i, message] of around.entries()) {
    checkMessage(message, root.slice(0, i), (path, what, note = '') => complaints.push({ path, what, note }));
  }
  checkKeys('record', record, [], complain);
  if (record.format !== undefined && record.format !== FORMAT) {
    const note = typeof record.format === 'string' ? suggestion(record.format, [FORMAT]) : `Write ${FORMAT}.`;
    complain(['format'], `${shown(record.format)} is not read here`, note);
  }
  const jointNames = namesOf(record.joint_names, complain);
  const points = pointsOf(record.points, jointNames.length, complain);
  if (complaints.length === 0) checkTimes(points, complain);
  const interpolation = statedInterpolation(record.interpolation, complain);
  if (complaints.length === 0) checkCurve(points, interpolation, complain);
  if (complaints.length > 0) throw await source.errors(complaints.slice(0, MOST_PROBLEMS));
  return { jointNames, points, ...(interpolation && { interpolation }), ...aboutOf(record) };
}

/** YAML 1.1, which ROS reads, takes 010 for 8, YAML 1.2 for 10. JSON has no such numbers. */
function refuseLeadingZeros(text: string, file: string): void {
  if (/^\s*\{/.test(text)) return;
  for (const [i, line] of text.split('\n').entries()) {
    const [, number] = /^(?:[^#"']*[\s,[:])?([-+]?0[0-9_]+)(?=[\s,\]}]|$)/.exec(line) ?? [];
    if (number === undefined) continue;
    throw new InputError(
      `${file}:${i + 1}: ${shown(number)} begins with 0: 8 or 10 is its base, depending on the reader`,
      'Leave the leading zeros out.',
    );
  }
}

/** undefined: not stated, so each segment is what a joint trajectory controller makes of it. */
function statedInterpolation(given: unknown, complain: Complain): SegmentKind | undefined {
  if (given === undefined || given === 'linear' || given === 'cubic' || given === 'quintic') return given;
  complain(
    ['interpolation'],
    `${shown(given)} is unknown`,
    'Use one of: linear, cubic, quintic; or leave it out: each segment is then what a joint trajectory controller makes of it.',
  );
  return undefined;
}

/** Points must have the values that the stated interpolation needs, and none that no controller has a curve for. */
function checkCurve(points: readonly TrajectoryPoint[], stated: SegmentKind | undefined, complain: Complain): void {
  const needed = stated === 'cubic' || stated === 'quintic' ? (['time_from_start', 'velocities'] as const) : [];
  for (const [i, point] of points.entries()) {
    const { time_from_start: time, velocities, accelerations } = point;
    for (const key of stated === 'quintic' ? [...needed, 'accelerations' as const] : needed) {
      if (point[key] === undefined)
        complain(['points', i, key], 'missing', `interpolation is ${stated}: give every point ${key}.`);
    }
    if (stated === 'linear') continue;
    if (time === undefined && (velocities || accelerations))
      complain(
        ['points', i, velocities ? 'velocities' : 'accelerations'],
        'given, but no time_from_start',
        'Give every point a time; a path has positions alone.',
      );
    else if (accelerations && !velocities)
      complain(
        ['points', i, 'accelerations'],
        'given without velocities',
        'Controllers have no curve for that. Give velocities too, or leave accelerations out.',
      );
  }
}

/** The record, its place, and the messages around it from the outside in; an empty record for what holds none. */
function unwrapped(data: unknown): [Fields, Path, readonly Fields[]] {
  const path: string[] = [];
  const around: Fields[] = [];
  let record = isRecord(data) ? data : {};
  for (const wrapper of WRAPPERS) {
    const inner = record[wrapper];
    if (record.joint_names !== undefined || !isRecord(inner)) continue;
    path.push(wrapper);
    around.push(record);
    record = inner;
  }
  return [record, path, around];
}

/** A message around the record: keys that are read, and one motion. */
function checkMessage(message: Fields, path: Path, complain: Complain): void {
  checkKeys('message', message, path, complain);
  const [first, second] = WRAPPERS.filter((wrapper) => message[wrapper] !== undefined);
  if (second !== undefined)
    complain([...path, second], `beside ${first}`, 'A file has one motion: leave the other out.');
}

/** What the file says of itself; a field of another type says nothing. */
function aboutOf(record: Fields) {
  const text = (key: string) => (typeof record[key] === 'string' ? record[key] : undefined);
  const [robot, scene, planner, edges, statedHash] = ['robot', 'scene', 'planner', 'edges', 'hash'].map(text);
  return {
    ...(robot !== undefined && { robot }),
    ...(scene !== undefined && { scene }),
    ...(planner !== undefined && { planner }),
    ...(typeof record.seed === 'number' && { seed: record.seed }),
    ...(edges !== undefined && { edges }),
    ...(record.cut_short === true && { cutShort: true }),
    ...(statedHash !== undefined && { statedHash }),
  };
}

type Complain = (path: Path, what: string, note?: string) => void;

function namesOf(given: unknown, complain: Complain): string[] {
  if (!Array.isArray(given) || given.length === 0) {
    const what = given === undefined ? 'missing' : `${shown(given)} is not a list of names`;
    complain(['joint_names'], what, 'A trajectory names its joints in the order of the positions.');
    return [];
  }
  for (const [i, name] of given.entries()) {
    if (typeof name !== 'string' || name === '') complain(['joint_names', i], `${shown(name)} is not a name`);
    else if (given.indexOf(name) !== i)
      complain(['joint_names', i], `"${name}" stands there twice`, 'Name each joint once.');
  }
  return given as string[];
}

function pointsOf(given: unknown, dof: number, complain: Complain): TrajectoryPoint[] {
  if (!Array.isArray(given) || given.length === 0) {
    const what = given === undefined ? 'missing' : `${shown(given)} is not a list of points`;
    complain(['points'], what, 'A trajectory has at least one point.');
    return [];
  }
  return given.map((point, i) => pointOf(point, ['points', i], dof, complain));
}

function pointOf(given: unknown, path: Path, dof: number, complain: Complain): TrajectoryPoint {
  if (!isRecord(given)) {
    complain(
      path,
      `${shown(given)} is not a point`,
      'A point has positions; if it is timed, time_from_start and velocities.',
    );
    return { positions: [] };
  }
  checkKeys('point', given, path, complain);
  const positions = valuesOf(given.positions, [...path, 'positions'], dof, complain);
  if (positions === undefined) complain([...path, 'positions'], 'missing');
  else if (Array.isArray(positions)) {
    for (const [j, value] of positions.entries()) {
      const problem = Number.isFinite(value) ? jointValueProblem(value) : undefined;
      if (problem !== undefined) complain([...path, 'positions', j], `${shown(value)} ${problem}`);
    }
  }
  const velocities = valuesOf(given.velocities, [...path, 'velocities'], dof, complain);
  const accelerations = valuesOf(given.accelerations, [...path, 'accelerations'], dof, complain);
  const time = timeOf(given.time_from_start, [...path, 'time_from_start'], complain);
  const isWhole =
    time === given.time_from_start && velocities === given.velocities && accelerations === given.accelerations;
  if (isWhole) return given as unknown as TrajectoryPoint;
  return {
    ...(time !== undefined && { time_from_start: time }),
    positions: positions ?? [],
    ...(velocities && { velocities }),
    ...(accelerations && { accelerations }),
  };
}

/** As many finite numbers as there are joints. ROS leaves lists empty that it does not use: they count as missing. */
function valuesOf(given: unknown, path: Path, dof: number, complain: Complain): number[] | undefined {
  if (given === undefined || (Array.isArray(given) && given.length === 0)) return undefined;
  if (!Array.isArray(given)) complain(path, `${shown(given)} is not a list of numbers`);
  else if (given.length !== dof && dof > 0) complain(path, `${given.length} values, there are ${dof} joint_names`);
  else {
    for (const [j, value] of given.entries()) {
      if (!Number.isFinite(value)) complain([...path, j], `${shown(value)} is not a finite number`);
    }
  }
  return given as number[];
}

function timeOf(given: unknown, path: Path, complain: Complain): number | undefined {
  if (given === undefined || (typeof given === 'number' && Number.isFinite(given))) return given;
  if (isRecord(given)) {
    checkKeys('time', given, path, complain);
    const isOnce = [SECONDS, NANOSECONDS].every((keys) => keys.filter((key) => given[key] !== undefined).length <= 1);
    const numberAt = (keys: readonly string[]) => given[keys.find((key) => given[key] !== undefined) ?? ''] ?? 0;
    const [seconds, nanoseconds] = [numberAt(SECONDS), numberAt(NANOSECONDS)];
    // One division, so that the time is the double nearest to the written decimals.
    const isTime =
      isOnce && Number.isSafeInteger(seconds) && Number.isSafeInteger(nanoseconds) && Number(nanoseconds) >= 0;
    if (isTime) return (Number(seconds) * 1e9 + Number(nanoseconds)) / 1e9;
  }
  complain(
    path,
    `${shown(given)} is not a time`,
    'Give seconds, or {sec, nanosec} of whole numbers, nanosec not negative.',
  );
  return undefined;
}

/** Every point has a time or none has, and each comes after the one before. Told once: what follows is likely to be wrong too. */
function checkTimes(points: readonly TrajectoryPoint[], complain: Complain): void {
  for (let i = 1; i < points.length; i++) {
    const before = points[i - 1].time_from_start;
    const time = points[i].time_from_start;
    const path = ['points', i, 'time_from_start'];
    if ((time === undefined) !== (before === undefined)) {
      const what = time === undefined ? 'missing, the point before has one' : `${time}, the point before has none`;
      complain(path, what, 'Give every point a time, or none for a path.');
      return;
    }
    if (time !== undefined && before !== undefined && !(time > before)) {
      complain(path, `${time} does not come after ${before}`, 'Times increase from point to point.');
      return;
    }
  }
}

function isRecord(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
