import { jointValueProblem, timeProblem } from '../../core/math/magnitudes.ts';
import {
  executedPoints,
  isRepeated,
  isTimed,
  type Trajectory,
  type TrajectoryPoint,
  type TrajectorySignal,
} from '../../core/trajectory/trajectory.ts';
import { TrajectoryCurve } from '../../core/trajectory/trajectoryCurve.ts';
import { InputError } from '../../errors.ts';
import { linesOf } from '../text/fileText.ts';
import { type Columns, columnsOf, TCP_HEADER } from './csvColumns.ts';
import {
  type GivenRobot,
  numberOf,
  Problems,
  plannedNames,
  requireUniform,
  shown,
  type TrajectoryFormat,
} from './trajectoryFormat.ts';

/**
 * CSV table with one row per point. The header is `time,NAME,…,vel_NAME,…,acc_NAME,…`; that of a path has the joint
 * names only. A program has a last column `segment`: the index of the step that each point belongs to. The point at the
 * end of a step is its last. If the program has signals, the column `on` follows: the signal from the time of the row
 * on, empty before the first one; each signal has a row.
 */
export const csv: TrajectoryFormat = {
  summary: 'a table: time, positions, velocities (vel_NAME)',
  ending: '.csv',
  write,
  recognises: (text, file) => /\.(csv|tsv)$/i.test(file) || /[,;\t]/.test(firstRow(text)),
  read,
};

/** Limit of the header, far above any robot: the time to match titles grows quadratically with their number. */
const MAX_COLUMNS = 2000;

/** Title of the last column of a program. */
const SEGMENT = 'segment';

/** Title of the column after it, of a program with signals. */
const ON = 'on';

const HEADER_NOTE = 'The header is: time,NAME,…,vel_NAME,… or, for a path, NAME,…';

function write(trajectory: Trajectory): string {
  const { jointNames, segments, signals } = trajectory;
  const points = signals ? withSignalRows(trajectory, signals) : executedPoints(trajectory);
  const [{ velocities, accelerations }] = points;
  const timed = isTimed(trajectory);
  requireUniform(points, 'csv');
  const header = [
    ...(timed ? ['time'] : []),
    ...jointNames,
    ...(velocities ? jointNames.map((name) => `vel_${name}`) : []),
    ...(accelerations ? jointNames.map((name) => `acc_${name}`) : []),
    ...(segments ? [SEGMENT] : []),
    ...(signals ? [ON] : []),
  ];
  let passed = 0;
  const valueAt = ({ time_from_start: time }: TrajectoryPoint) => {
    while (passed < signals!.length && signals![passed].time <= time!) passed++;
    return passed === 0 ? '' : Number(signals![passed - 1].on);
  };
  const stepOf = ({ time_from_start: time }: TrajectoryPoint) => segments?.find(({ to }) => time! <= to)?.step ?? '';
  const row = (point: TrajectoryPoint) => [
    ...(timed ? [point.time_from_start] : []),
    ...point.positions,
    ...(point.velocities ?? []),
    ...(point.accelerations ?? []),
    ...(segments ? [stepOf(point)] : []),
    ...(signals ? [valueAt(point)] : []),
  ];
  return `${[header.map(quoted), ...points.map(row)].map((fields) => fields.join(',')).join('\n')}\n`;
}

/** Returns the points of a motion, and those of its curve at the times of its signals. */
function withSignalRows(trajectory: Trajectory, signals: readonly TrajectorySignal[]): TrajectoryPoint[] {
  const points = executedPoints(trajectory);
  const same = signals.findIndex(({ time }, k) => time === signals[k - 1]?.time);
  if (same >= 0)
    throw new InputError(
      `csv cannot carry two signals at one time, ${signals[same].time} s`,
      'Use --format json, or state one value there.',
    );
  if (!isTimed(trajectory) || trajectory.segments === undefined || points.some(({ accelerations }) => accelerations))
    throw new InputError('csv carries signals of programs of cubics only', 'Use --format json.');
  const curve = new TrajectoryCurve(trajectory);
  const known = new Set(points.map(({ time_from_start }) => time_from_start));
  const added = signals.flatMap(({ time }): TrajectoryPoint[] => {
    if (known.has(time) || !(time > curve.start && time < curve.end)) return [];
    const [q, v] = [new Float64Array(curve.dof), new Float64Array(curve.dof)];
    curve.position(q, time);
    curve.velocity(v, time);
    return [{ time_from_start: time, positions: [...q], ...(points[0].velocities && { velocities: [...v] }) }];
  });
  return [...points, ...added].sort((a, b) => a.time_from_start! - b.time_from_start!);
}

const quoted = (name: string) => (/[",;\n\r#]|^\s|\s$/.test(name) ? `"${name.replaceAll('"', '""')}"` : name);

interface Line {
  readonly text: string;
  readonly number: number;
}

const isRow = ({ text }: Line) => !text.startsWith('#');

function firstRow(text: string): string {
  for (const [, line] of linesOf(text)) if (!line.startsWith('#')) return line;
  return '';
}

/** Throws if no header names the columns, or that of another table. */
function requireHeader(header: Line | undefined, rows: readonly Line[], problems: Problems): void {
  if (header === undefined)
    problems.add(
      rows[0]?.number,
      '',
      rows.length > 0 ? 'no header names the columns' : 'no header and no points',
      HEADER_NOTE,
    );
  else if (header.text.startsWith(TCP_HEADER))
    problems.add(
      header.number,
      '',
      'a table of poses of the tool, without joint values',
      'A path step follows it: {path: {file: …}}.',
    );
  problems.throwIfAny();
}

function read(text: string, file: string, robot: GivenRobot): Trajectory {
  const joints = plannedNames(robot);
  const problems = new Problems(file);
  const lines = Array.from(linesOf(text), ([number, line]): Line => ({ text: line, number }));
  const { header, rows } = headerAndRows(lines);
  requireHeader(header, rows, problems);
  const separator = separatorOf(header!.text);
  const titles = fieldsOf(header!.text, separator);
  const hasSignals = titles.at(-1) === ON && titles.at(-2) === SEGMENT;
  if (hasSignals) titles.pop();
  const hasSteps =
    titles.at(-1) === SEGMENT && !(joints.includes(SEGMENT) && titles.indexOf(SEGMENT) === titles.length - 1);
  if (hasSteps) titles.pop();
  if (titles.length > MAX_COLUMNS)
    problems.add(header!.number, '', `${titles.length} columns, more than ${MAX_COLUMNS}`, HEADER_NOTE);
  problems.throwIfAny();
  const columns = columnsOf(titles, joints, (what) => problems.add(header!.number, '', what, HEADER_NOTE));
  if (hasSignals && columns.time < 0) problems.add(header!.number, ON, 'signals need a column of times', HEADER_NOTE);
  if (rows.length === 0) problems.add(header!.number, '', 'no point follows the header', 'Give at least one point.');
  if (rows.length > 0 && !fieldsOf(rows[0].text, separator).some((field) => Number.isFinite(numberOf(field))))
    problems.add(rows[0].number, '', 'this row contains no number: the file is not a trajectory table', HEADER_NOTE);
  problems.throwIfAny();

  const points: TrajectoryPoint[] = [];
  const pointSteps: number[] = [];
  const values: string[] = [];
  for (const { text: row, number } of rows) {
    if (problems.isFull) break;
    const fields = fieldsOf(row, separator);
    if (hasSignals) values.push(onOf(fields.splice(titles.length + 1, 1)[0], values.at(-1), number, problems));
    if (hasSteps) {
      const step = numberOf(fields.splice(titles.length, 1)[0] ?? '');
      if (!(Number.isSafeInteger(step) && step >= (pointSteps.at(-1) ?? 0)))
        problems.add(number, SEGMENT, 'not the index of a step', 'Indices of steps are whole and never decrease.');
      pointSteps.push(step);
    }
    const point = pointOf(fields, columns, (place, what) =>
      problems.add(number, place, what, 'Each row has one finite number for each column.'),
    );
    checkOrder(point, points.at(-1), number, columns, problems);
    points.push(point);
  }
  problems.throwIfAny();
  const signals = signalsOf(values, pointSteps, points);
  const program = { ...(hasSteps && { pointSteps }), ...(signals.length > 0 && { signals }) };
  return { jointNames: columns.jointNames, points, ...program };
}

/** Reports a point whose time is not after that of the one before. */
function checkOrder(
  point: TrajectoryPoint,
  last: TrajectoryPoint | undefined,
  line: number,
  { titles, time }: Columns,
  problems: Problems,
): void {
  const before = last?.time_from_start;
  if (before === undefined || point.time_from_start! > before || isRepeated(point, last!)) return;
  const what = `${point.time_from_start} does not come after ${before}`;
  problems.add(line, titles[time], what, 'Times increase from point to point.');
}

/** Returns the changes of a column of signals, the value of each row. */
function signalsOf(values: readonly string[], steps: readonly number[], points: readonly TrajectoryPoint[]) {
  return values.flatMap((value, k): TrajectorySignal[] =>
    value === (values[k - 1] ?? '')
      ? []
      : [{ step: steps[k], time: points[k].time_from_start ?? Number.NaN, on: value === '1' }],
  );
}

/** Returns the value of a signal in a row. @param before that of the row before */
function onOf(text: string | undefined, before: string | undefined, line: number, problems: Problems): string {
  const isKnown = text === '0' || text === '1' || (text === '' && (before ?? '') === '');
  if (!isKnown) problems.add(line, ON, `${shown(text)} is neither 0 nor 1`, 'It is empty before the first signal.');
  return text ?? '';
}

/**
 * Splits the lines into header and data rows. The header is the first row if a field of it begins like a name, else the
 * last comment before the first row, as NumPy writes it, if it has as many fields. Otherwise the header is undefined.
 */
function headerAndRows(lines: readonly Line[]): { header: Line | undefined; rows: Line[] } {
  const rows = lines.filter(isRow);
  if (rows.length === 0) return { header: undefined, rows };
  const [first] = rows;
  const fields = fieldsOf(first.text, separatorOf(first.text));
  const isHeader = fields.some((field) => /^[A-Za-z_]/.test(field) && !/^(nan|inf|null)/i.test(field));
  const comment = lines[lines.indexOf(first) - 1];
  const names = comment && { text: comment.text.replace(/^#+\s*/, ''), number: comment.number };
  const separator = separatorOf(first.text);
  const fits = names !== undefined && fieldsOf(names.text, separator).length === fieldsOf(first.text, separator).length;
  // A row of which one number is damaged is not a header if a comment is one.
  const isDamaged = fits && fields.some((field) => Number.isFinite(numberOf(field)));
  if (isHeader && !isDamaged) return { header: first, rows: rows.slice(1) };
  return { header: fits ? names : undefined, rows };
}

function separatorOf(line: string): string {
  return [',', ';', '\t'].find((separator) => line.includes(separator)) ?? ',';
}

/**
 * Splits a line into trimmed fields. A field may be enclosed in quotes; a doubled quote in it is a literal quote. Own
 * code: each line is one row, so that diagnostics have its number.
 */
function fieldsOf(line: string, separator: string): string[] {
  if (!line.includes('"')) return line.split(separator).map((field) => field.trim());
  const fields: string[] = [''];
  let inside = false;
  for (const part of line.split(/("|,|;|\t)/)) {
    if (part === '"') inside = !inside;
    if (part === separator && !inside) fields.push('');
    else fields[fields.length - 1] += part;
  }
  return fields.map((field) =>
    field
      .trim()
      .replace(/^"(.*)"$/, '$1')
      .replaceAll('""', '"'),
  );
}

function pointOf(
  fields: readonly string[],
  columns: Columns,
  report: (place: string, what: string) => void,
): TrajectoryPoint {
  const { titles } = columns;
  if (fields.length !== titles.length) report('', `${fields.length} columns, the header has ${titles.length}`);
  const value = (column: number) => {
    const number = numberOf(fields[column] ?? '');
    if (!Number.isFinite(number) && column < fields.length)
      report(titles[column], `${shown(fields[column])} is not a finite number`);
    return number;
  };
  const bounded = (column: number, problemOf: (number: number) => string | undefined) => {
    const number = value(column);
    const problem = Number.isFinite(number) ? problemOf(number) : undefined;
    if (problem !== undefined) report(titles[column], `${shown(fields[column])} ${problem}`);
    return number;
  };
  return {
    ...(columns.time >= 0 && { time_from_start: bounded(columns.time, timeProblem) }),
    positions: columns.positions.map((column) => bounded(column, jointValueProblem)),
    ...(columns.velocities && { velocities: columns.velocities.map(value) }),
    ...(columns.accelerations && { accelerations: columns.accelerations.map(value) }),
  };
}
