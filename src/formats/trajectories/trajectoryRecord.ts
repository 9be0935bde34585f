import { jointValueProblem, timeProblem } from '../../core/math/magnitudes.ts';
import {
  isRepeated,
  type SegmentKind,
  type Trajectory,
  type TrajectoryPoint,
} from '../../core/trajectory/trajectory.ts';
import { InputError, suggestion } from '../../errors.ts';
import { type Diagnostic, type Path, parseSource, type SourceText } from '../text/sourceText.ts';
import { programOf } from './programRecord.ts';
import { type GivenRobot, MAX_PROBLEMS, shown } from './trajectoryFormat.ts';
import { checkKeys, checkMessage, type EnclosingMessage, isRecord, unwrapped } from './trajectoryMessages.ts';

/** Value of the key `format` in the project's own files. */
export const FORMAT = 'elbowroom-trajectory/1';

/** Keys of a time in ROS 2 and ROS 1. */
const [SECONDS, NANOSECONDS] = [
  ['sec', 'secs'],
  ['nanosec', 'nsecs', 'nsec'],
] as const;

type Fields = Readonly<Record<string, unknown>>;

/**
 * Reads a record of joint_names and points in JSON or YAML: the project's own format, the ROS message, or another with
 * these keys. Times are seconds, {sec, nanosec} or {secs, nsecs}. A point that needs no conversion is returned as the
 * parsed object with its keys in their order, because the hash is computed from the points.
 */
export async function readRecord(text: string, file: string, robot: GivenRobot = []): Promise<Trajectory> {
  const source = await parseSource(text, file, '1.1');
  return recordOf(source, `${file}:1`, robot);
}

/**
 * As `readRecord`, for parsed data.
 * @param place prefix of the message if the data is no trajectory at all
 * @param robot completes the trajectory of a DisplayTrajectory: see `withStart`
 */
export async function recordOf(source: SourceText, place: string, robot: GivenRobot = []): Promise<Trajectory> {
  const diagnostics: Diagnostic[] = [];
  const report = (path: Path, what: string, note = '') => {
    if (diagnostics.length < MAX_PROBLEMS) diagnostics.push({ path: [...root, ...path], what, note });
  };
  const { record, path: root, around } = unwrapped(source.data);
  if (record.format === undefined && record.joint_names === undefined && record.points === undefined)
    throw Array.isArray(record.trajectory)
      ? await source.errors([{ path: [...root, 'trajectory'], ...severalTrajectories(record.trajectory.length) }])
      : new InputError(`${place}: this is not a trajectory`, 'A trajectory has joint_names and points.');
  for (const enclosing of around)
    checkMessage(enclosing, (path, what, note = '') => diagnostics.push({ path, what, note }));
  if (record.format !== undefined && record.format !== FORMAT) {
    const note = typeof record.format === 'string' ? suggestion(record.format, [FORMAT]) : `Write ${FORMAT}.`;
    report(['format'], `${shown(record.format)} is not a trajectory format`, note);
    // A file of another format: its other keys are not faults of a trajectory.
    if (typeof record.format === 'string') throw await source.errors(diagnostics);
  }
  checkKeys('record', record, [], report);
  const jointNames = namesOf(record.joint_names, report);
  const points = pointsOf(record.points, jointNames.length, report);
  if (diagnostics.length === 0) checkTimes(points, report);
  const stated = statedInterpolation(record.interpolation, report);
  const interpolation = stated !== 'linear' && isPath(points) ? undefined : stated;
  if (diagnostics.length === 0) checkCurve(points, interpolation, report);
  const program = programOf(record, report);
  if (diagnostics.length > 0) throw await source.errors(diagnostics);
  const read = { jointNames, points, ...(interpolation && { interpolation }), ...program, ...metadataOf(record) };
  return startedAs(around, read, robot, source);
}

/** Returns the problem of a DisplayTrajectory that does not contain one trajectory. */
const severalTrajectories = (count: number) => ({
  what: `${count} trajectories`,
  note: count === 0 ? 'A file has one motion.' : 'A file has one motion: write each to a file of its own.',
});

/** Returns the trajectory as the start state of an enclosing message completes it. Throws if they contradict. */
async function startedAs(
  around: readonly EnclosingMessage[],
  trajectory: Trajectory,
  robot: GivenRobot,
  source: SourceText,
): Promise<Trajectory> {
  const { message, path } = around.find((one) => one.message.trajectory_start !== undefined) ?? {};
  if (message === undefined || path === undefined) return trajectory;
  const { MessageError } = await import('../scenes/moveit/rosMessage.ts');
  const { readStartState, withStart } = await import('./startState.ts');
  try {
    return withStart(trajectory, readStartState(message.trajectory_start, [...path, 'trajectory_start']), robot);
  } catch (error) {
    if (!(error instanceof MessageError)) throw error;
    throw await source.errors([error]);
  }
}

/**
 * Returns the stated interpolation; undefined if it is absent: each segment is then interpolated as a joint trajectory
 * controller does.
 */
function statedInterpolation(given: unknown, report: Report): SegmentKind | undefined {
  if (given === undefined || given === 'linear' || given === 'cubic' || given === 'quintic') return given;
  report(
    ['interpolation'],
    `${shown(given)} is unknown`,
    'Use one of: linear, cubic, quintic; or leave it out: each segment is then interpolated as by a joint ' +
      'trajectory controller.',
  );
  return undefined;
}

/** Returns true if all points have positions alone: a path of straight lines, whatever the file states beside it. */
const isPath = (points: readonly TrajectoryPoint[]): boolean =>
  points.every(
    ({ time_from_start: time, velocities, accelerations }) =>
      time === undefined && velocities === undefined && accelerations === undefined,
  );

/**
 * Checks that points have the values that the stated interpolation needs, and no combination that controllers do not
 * interpolate.
 */
function checkCurve(points: readonly TrajectoryPoint[], stated: SegmentKind | undefined, report: Report): void {
  const needed = stated === 'cubic' || stated === 'quintic' ? (['time_from_start', 'velocities'] as const) : [];
  for (const [i, point] of points.entries()) {
    const { time_from_start: time, velocities, accelerations } = point;
    for (const key of stated === 'quintic' ? [...needed, 'accelerations' as const] : needed) {
      if (point[key] === undefined)
        report(['points', i, key], 'missing', `interpolation is ${stated}: give every point ${key}.`);
    }
    if (stated === 'linear') continue;
    if (time === undefined && (velocities || accelerations))
      report(
        ['points', i, velocities ? 'velocities' : 'accelerations'],
        'given, but no time_from_start',
        'Give every point a time; a path has positions alone.',
      );
    else if (accelerations && !velocities)
      report(
        ['points', i, 'accelerations'],
        'given without velocities',
        'Controllers do not interpolate these. Give velocities too, or leave accelerations out.',
      );
  }
}

/** Returns the metadata of the file; a field of the wrong type is ignored. */
function metadataOf(record: Fields) {
  const text = (key: string) => (typeof record[key] === 'string' ? record[key] : undefined);
  const [robot, calibration, scene] = ['robot', 'calibration', 'scene'].map(text);
  const [planner, edges, statedHash] = ['planner', 'edges', 'hash'].map(text);
  return {
    ...(robot !== undefined && { robot }),
    ...(calibration !== undefined && { calibration }),
    ...(scene !== undefined && { scene }),
    ...(planner !== undefined && { planner }),
    ...(typeof record.seed === 'number' && { seed: record.seed }),
    ...(edges !== undefined && { edges }),
    ...(record.cut_short === true && { cutShort: true }),
    ...(statedHash !== undefined && { statedHash }),
  };
}

type Report = (path: Path, what: string, note?: string) => void;

function namesOf(given: unknown, report: Report): string[] {
  if (!Array.isArray(given) || given.length === 0) {
    const what = given === undefined ? 'missing' : `${shown(given)} is not a list of names`;
    report(['joint_names'], what, 'A trajectory names its joints in the order of the positions.');
    return [];
  }
  const names = new Set<unknown>();
  for (const [i, name] of given.entries()) {
    if (typeof name !== 'string' || name === '') report(['joint_names', i], `${shown(name)} is not a name`);
    else if (names.has(name)) report(['joint_names', i], `"${name}" is listed twice`, 'Name each joint once.');
    names.add(name);
  }
  return given as string[];
}

function pointsOf(given: unknown, dof: number, report: Report): TrajectoryPoint[] {
  if (!Array.isArray(given) || given.length === 0) {
    const what = given === undefined ? 'missing' : `${shown(given)} is not a list of points`;
    report(['points'], what, 'A trajectory has at least one point.');
    return [];
  }
  return given.map((point, i) => pointOf(point, ['points', i], dof, report));
}

function pointOf(given: unknown, path: Path, dof: number, report: Report): TrajectoryPoint {
  if (!isRecord(given)) {
    report(
      path,
      `${shown(given)} is not a point`,
      given === '...'
        ? 'ros2 topic echo shortened the list: give it --full-length.'
        : 'A point has positions; if it is timed, time_from_start and velocities.',
    );
    return { positions: [] };
  }
  checkKeys('point', given, path, report);
  const positions = valuesOf(given.positions, [...path, 'positions'], dof, report);
  if (positions === undefined) report([...path, 'positions'], 'missing');
  else if (Array.isArray(positions)) {
    for (const [j, value] of positions.entries()) {
      const problem = Number.isFinite(value) ? jointValueProblem(value) : undefined;
      if (problem !== undefined) report([...path, 'positions', j], `${shown(value)} ${problem}`);
    }
  }
  const velocities = valuesOf(given.velocities, [...path, 'velocities'], dof, report);
  const accelerations = valuesOf(given.accelerations, [...path, 'accelerations'], dof, report);
  const time = timeOf(given.time_from_start, [...path, 'time_from_start'], report);
  const late = time === undefined ? undefined : timeProblem(time);
  if (late !== undefined) report([...path, 'time_from_start'], `${time} ${late}`, 'Times are seconds.');
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

/**
 * Checks that a list has one finite number per joint. An empty list counts as missing: ROS messages have empty lists
 * for unused fields.
 */
function valuesOf(given: unknown, path: Path, dof: number, report: Report): number[] | undefined {
  if (given === undefined || (Array.isArray(given) && given.length === 0)) return undefined;
  if (!Array.isArray(given)) report(path, `${shown(given)} is not a list of numbers`);
  else if (given.length !== dof && dof > 0) report(path, `${given.length} values, there are ${dof} joint_names`);
  else {
    for (const [j, value] of given.entries()) {
      if (!Number.isFinite(value)) report([...path, j], `${shown(value)} is not a finite number`);
    }
  }
  return given as number[];
}

function timeOf(given: unknown, path: Path, report: Report): number | undefined {
  if (given === undefined || (typeof given === 'number' && Number.isFinite(given))) return given;
  if (isRecord(given)) {
    checkKeys('time', given, path, report);
    const isOnce = [SECONDS, NANOSECONDS].every((keys) => keys.filter((key) => given[key] !== undefined).length <= 1);
    const numberAt = (keys: readonly string[]) => {
      const key = keys.find((name) => given[name] !== undefined);
      return key === undefined ? 0 : given[key];
    };
    const [seconds, nanoseconds] = [numberAt(SECONDS), numberAt(NANOSECONDS)];
    // One division, so that the result is the double nearest to the written decimals.
    const isTime =
      isOnce && Number.isSafeInteger(seconds) && Number.isSafeInteger(nanoseconds) && Number(nanoseconds) >= 0;
    if (isTime) return (Number(seconds) * 1e9 + Number(nanoseconds)) / 1e9;
  }
  report(
    path,
    `${shown(given)} is not a time`,
    'Give seconds, or {sec, nanosec} of whole numbers, nanosec not negative.',
  );
  return undefined;
}

/**
 * Checks that all points or none have a time, and that times increase. Only the first problem is reported: the others
 * often follow from it. A repeated point is accepted, as other programs write them: `check` refuses it, `repair` drops
 * it.
 */
function checkTimes(points: readonly TrajectoryPoint[], report: Report): void {
  for (let i = 1; i < points.length; i++) {
    const before = points[i - 1].time_from_start;
    const time = points[i].time_from_start;
    const path = ['points', i, 'time_from_start'];
    if ((time === undefined) !== (before === undefined)) {
      const what = time === undefined ? 'missing, the point before has one' : `${time}, the point before has none`;
      report(path, what, 'Give every point a time, or none for a path.');
      return;
    }
    if (time !== undefined && before !== undefined && !(time > before) && !isRepeated(points[i], points[i - 1])) {
      report(path, `${time} does not come after ${before}`, 'Times increase from point to point.');
      return;
    }
  }
}
