import { jointValueProblem, timeProblem } from '../../core/math/magnitudes.ts';
import {
  executedPoints,
  inJointOrder,
  isRepeated,
  isTimed,
  type Trajectory,
  type TrajectoryPoint,
} from '../../core/trajectory/trajectory.ts';
import { InputError } from '../../errors.ts';
import { linesOf } from '../text/fileText.ts';
import { readMultiPath, writeMultiPath } from './klamptProgram.ts';
import {
  jointNamesOf,
  numberOf,
  Problems,
  plannedNames,
  requireUniform,
  type TrajectoryFormat,
} from './trajectoryFormat.ts';

/**
 * Files of Klampt, with one milestone per line: `t<TAB>n x1 … xn`. Cubics are written as a HermiteTrajectory, whose
 * milestones are positions followed by velocities (n is twice the number of joints), linear motions as a
 * RobotTrajectory, and paths as a configuration set, `n x1 … xn`. Lines of the positions alone, as OMPL's
 * `printAsMatrix` writes them, are read as a path. The format has no joint names. Programs are written
 * as a MultiPath, in XML: see `writeMultiPath`.
 */
export const klampt: TrajectoryFormat = {
  summary: 'Klampt .path: HermiteTrajectory; configurations for a path; MultiPath for a program',
  ending: '.path',
  write: (given, setting) => {
    const trajectory = setting ? inJointOrder(given, jointNamesOf(setting)) : given;
    return trajectory.segments === undefined ? write(trajectory) : writeMultiPath(trajectory);
  },
  recognises: (text, file) =>
    /\.(path|configs)$/i.test(file) || isMultiPath(text) || /^\s*[-+.\d][-+.\deE \t]*(\r|\n|$)/.test(text),
  read: (text, file, robot) => (isMultiPath(text) ? readMultiPath(text, file) : read(text, file, plannedNames(robot))),
};

const isMultiPath = (text: string) => /^\s*(<\?xml[^>]*>\s*)?<multipath[\s>]/.test(text);

function write(trajectory: Trajectory): string {
  const timed = isTimed(trajectory);
  const points = executedPoints(trajectory);
  requireUniform(points, 'klampt');
  if (points[0].accelerations)
    throw new InputError(
      'klampt carries lines and cubics, this motion is of quintics',
      'Use --format json, csv or ros-yaml.',
    );
  const line = ({ positions, velocities, time_from_start: time }: TrajectoryPoint) => {
    const milestone = [...positions, ...(velocities ?? [])];
    return `${timed ? `${time}\t` : ''}${milestone.length} ${milestone.join(' ')}\n`;
  };
  return points.map(line).join('');
}

function read(text: string, file: string, joints: readonly string[]): Trajectory {
  const dof = joints.length;
  if (dof === 0) throw new InputError(`${file}: the format names no joints`, 'Read it together with a scene.');
  const problems = new Problems(file);
  const points: TrajectoryPoint[] = [];
  let width = 0;
  for (const [number, line] of linesOf(text)) {
    if (problems.isFull) break;
    const fields = line.split(/\s+/);
    const values = fields.map(numberOf);
    const report = (what: string) =>
      problems.add(
        number,
        '',
        what,
        `A line is: [t] COUNT, ${dof} positions, [${dof} velocities, with t]; or the ${dof} positions alone, as ` +
          'OMPL writes a path.',
      );
    const wrong = values.findIndex((value) => !Number.isFinite(value));
    width ||= fields.length;
    if (wrong >= 0) report(`value ${wrong + 1} is ${fields[wrong]}, not a finite number`);
    else if (fields.length !== width) report(`${fields.length} values, the first line has ${width}`);
    else points.push(pointOf(values, dof, points.at(-1), report));
  }
  if (width === 0) problems.add(1, '', 'no milestones');
  else if (width === dof && isAmbiguous(points)) problems.add(1, '', AMBIGUOUS, COUNTS);
  problems.throwIfAny();
  return { jointNames: joints, points };
}

const AMBIGUOUS = 'the lines may be positions of all joints, or begin with a count of fewer joints';
const COUNTS = 'Write the number of values before the positions of each line.';

/** True if lines of d values may be those of fewer joints: count and d − 1 values, or time, count and d − 2. */
function isAmbiguous(points: readonly TrajectoryPoint[]): boolean {
  const dof = points[0]?.positions.length ?? 0;
  const isCounted = (place: number) =>
    dof > place + 1 && points.every(({ positions }) => positions[place] === dof - place - 1);
  const isTimed = points.every(({ positions }, i) => i === 0 || positions[0] > points[i - 1].positions[0]);
  return isCounted(0) || (isTimed && isCounted(1));
}

/**
 * Reads a milestone. The number of values determines its kind: d, d + 1, d + 2 and 2d + 2 are distinct for every number
 * of joints d > 0.
 * @param before the preceding milestone, whose time must be exceeded; or it is repeated
 */
function pointOf(
  values: readonly number[],
  dof: number,
  before: TrajectoryPoint | undefined,
  report: (what: string) => void,
): TrajectoryPoint {
  const [first, second] = values;
  if (values.length === dof + 1) {
    if (first !== dof) report(`the count is ${first}, ${dof} values follow`);
    refuseLarge(values.slice(1), report);
    return { positions: values.slice(1) };
  }
  if (values.length === dof) {
    refuseLarge(values, report);
    return { positions: values };
  }
  const count = values.length - 2;
  if (count !== dof && count !== 2 * dof) report(`${values.length} values: there are ${dof} planned joints`);
  else if (second !== count) report(`the count is ${second}, ${count} values follow`);
  const late = timeProblem(first);
  if (late !== undefined) report(`the time ${first} ${late}`);
  const positions = values.slice(2, 2 + dof);
  refuseLarge(positions, report);
  const velocities = count === 2 * dof ? { velocities: values.slice(2 + dof) } : {};
  const point: TrajectoryPoint = { time_from_start: first, positions, ...velocities };
  if (before !== undefined && !(first > before.time_from_start!) && !isRepeated(point, before))
    report(`the time ${first} does not come after ${before.time_from_start}`);
  return point;
}

function refuseLarge(positions: readonly number[], report: (what: string) => void): void {
  for (const value of positions) {
    const problem = jointValueProblem(value);
    if (problem !== undefined) report(`${value} ${problem}`);
  }
}
