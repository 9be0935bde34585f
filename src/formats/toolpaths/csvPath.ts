import { lengthProblem } from '../../core/math/magnitudes.ts';
import { lengthIfNotUnit, normalizedQuaternion, UNIT_QUATERNION } from '../../core/math/quaternion.ts';
import { suggestion } from '../../errors.ts';
import { units } from '../text/numbers.ts';
import { quaternionFromRpy } from '../text/xmlNumbers.ts';
import { DECIMAL, MAX_WAY_POINTS, placed, quoted, type WayPoint } from './wayPoint.ts';

/** Quantity of each column. */
const COLUMNS = {
  time: 'time',
  x: 'length',
  y: 'length',
  z: 'length',
  rx: 'angle',
  ry: 'angle',
  rz: 'angle',
  qw: 'ratio',
  qx: 'ratio',
  qy: 'ratio',
  qz: 'ratio',
  nx: 'ratio',
  ny: 'ratio',
  nz: 'ratio',
  speed: 'speed',
  on: 'ratio',
} as const;

type Column = keyof typeof COLUMNS;

/** Columns that state an orientation: a file has those of one group, or none. */
const ORIENTATIONS: readonly (readonly Column[])[] = [
  ['rx', 'ry', 'rz'],
  ['qw', 'qx', 'qy', 'qz'],
  ['nx', 'ny', 'nz'],
];

/** A column of the file, with the factor to SI units. */
interface Title {
  readonly name: Column;
  readonly factor: number;
}

/**
 * Reads way points from a table: the header names the columns x, y, z, rx, ry, rz (roll, pitch, yaw) or qw, qx, qy, qz
 * or nx, ny, nz, speed, on and time, with units in brackets. Throws `InputError` with line and column for anything
 * else. Times must not decrease and have no other effect: limits of speed determine those of the motion.
 * @param scale metres per unit of lengths without unit
 */
export function readCsvPath(text: string, file: string, scale: number): WayPoint[] {
  const lines = text.replace(/^\uFEFF/, '').split(/\r\n|\n|\r/);
  while (lines.length > 1 && lines[lines.length - 1].trim() === '') lines.pop();
  const titles = readHeader(lines[0], file, scale);
  const at = new Map(titles.map(({ name }, i) => [name, i]));
  if (lines.length - 1 > MAX_WAY_POINTS)
    throw placed(file, MAX_WAY_POINTS + 2, 1, `it has more than ${MAX_WAY_POINTS} way points`);
  const points: WayPoint[] = [];
  const time = at.get('time') ?? -1;
  let last = Number.NEGATIVE_INFINITY;
  for (let k = 1; k < lines.length; k++) {
    const cells = readRow(lines[k], file, k + 1, titles);
    if (cells[time] < last)
      throw placed(file, k + 1, columnOf(lines[k], time), `time is ${cells[time]} s, after ${last} s`);
    last = cells[time];
    points.push(
      wayPoint(cells, at, (column, what, note) => placed(file, k + 1, columnOf(lines[k], column), what, note)),
    );
  }
  if (points.length < 2) throw placed(file, lines.length, 1, 'it has fewer than two way points');
  return points;
}

/** Returns the position of a cell in its line, from 1. */
function columnOf(line: string, cell: number): number {
  const before = line.split(',').slice(0, cell).join(',');
  return before.length + (cell > 0 ? 2 : 1);
}

function readHeader(line: string, file: string, scale: number): Title[] {
  const given = line.split(',');
  const names = Object.keys(COLUMNS);
  const titles = given.map((title, i): Title => {
    const fail = (what: string, note = '') => placed(file, 1, columnOf(line, i), what, note);
    const [, name, , unit] = /^\s*([^[\]]*?)\s*(\[\s*([^[\]]*?)\s*\])?\s*$/.exec(title) ?? [];
    if (DECIMAL.test(title.trim())) throw fail('the first line must name the columns', HEADER);
    if (name === undefined || !Object.hasOwn(COLUMNS, name))
      throw fail(
        `unknown column ${quoted(title.trim())}`,
        /[;\t]/.test(line) ? COMMAS : suggestion(name ?? title, names),
      );
    const column = name as Column;
    return { name: column, factor: factorOf(COLUMNS[column], unit, scale, fail) };
  });
  const has = (name: Column) => titles.some((title) => title.name === name);
  for (const [i, { name }] of titles.entries())
    if (titles.findIndex((title) => title.name === name) !== i)
      throw placed(file, 1, columnOf(line, i), `column ${name} is listed twice`);
  const groups: readonly (readonly Column[])[] = [['x', 'y', 'z'], ...ORIENTATIONS.filter((group) => group.some(has))];
  for (const group of groups) {
    const missing = group.filter((name) => !has(name));
    if (missing.length > 0) throw placed(file, 1, 1, `column ${missing.join(', ')} is missing`);
  }
  if (groups.length > 2) throw placed(file, 1, 1, `${groups[1][0]} and ${groups[2][0]} both state the orientation`);
  return titles;
}

const HEADER = 'Write a line such as "x [mm],y [mm],z [mm]" above the values.';
const COMMAS = 'Cells are separated by commas.';

/** Units of the columns of each quantity, for messages. */
const EXAMPLES = { time: 's, ms', length: 'mm, m, in', angle: 'deg, rad', ratio: 'none', speed: 'mm/s, m/min' };
const SECONDS: Readonly<Record<string, number>> = { s: 1, ms: 1e-3 };

function factorOf(
  kind: (typeof COLUMNS)[Column],
  unit: string | undefined,
  scale: number,
  fail: (what: string, note?: string) => Error,
): number {
  if (unit === undefined) return kind === 'length' || kind === 'speed' ? scale : 1;
  if (kind === 'time' && Object.hasOwn(SECONDS, unit)) return SECONDS[unit];
  const isSpeed = kind === 'speed';
  const [, base] = /^(.*?)\s*\/\s*(?:s|min)$/.exec(unit) ?? [];
  const perSecond = /min$/.test(unit) ? 1 / 60 : 1;
  const name = isSpeed ? base : unit;
  const known = name !== undefined && Object.hasOwn(units, name) ? units[name] : undefined;
  const wanted = isSpeed ? 'length' : kind;
  if (known?.[0] !== wanted) {
    throw fail(`unknown unit ${quoted(unit)}`, `Units here: ${EXAMPLES[kind]}.`);
  }
  return known[1] * (isSpeed ? perSecond : 1);
}

function readRow(line: string, file: string, number: number, titles: readonly Title[]): number[] {
  const cells = line.split(',');
  if (cells.length !== titles.length)
    throw placed(file, number, 1, `it has ${cells.length} cells, the header has ${titles.length}`);
  return cells.map((cell, i) => {
    const text = cell.trim();
    const value = DECIMAL.test(text) ? Number(text) * titles[i].factor : Number.NaN;
    const kind = COLUMNS[titles[i].name];
    const problem = kind === 'length' && Number.isFinite(value) ? lengthProblem(value) : undefined;
    if (problem !== undefined) throw placed(file, number, columnOf(line, i), `${titles[i].name} ${text} ${problem}`);
    if (!Number.isFinite(value))
      throw placed(file, number, columnOf(line, i), `${titles[i].name} is ${quoted(text)}, not a finite number`);
    return value;
  });
}

function wayPoint(
  cells: readonly number[],
  at: ReadonlyMap<Column, number>,
  fail: (column: number, what: string, note?: string) => Error,
): WayPoint {
  const cell = (name: Column) => cells[at.get(name)!];
  const triple = (a: Column, b: Column, c: Column) => [cell(a), cell(b), cell(c)] as const;
  const on = at.get('on');
  if (on !== undefined && cells[on] !== 0 && cells[on] !== 1) throw fail(on, `on is ${cells[on]}, must be 0 or 1`);
  const speed = at.get('speed');
  if (speed !== undefined && !(cells[speed] > 0)) throw fail(speed, `speed is ${cells[speed]}, must be greater than 0`);
  return {
    xyz: triple('x', 'y', 'z') as WayPoint['xyz'],
    ...(at.has('rx') && { quat_wxyz: quaternionFromRpy([cell('rx'), cell('ry'), cell('rz')]) }),
    ...(at.has('qw') && { quat_wxyz: quaternion([cell('qw'), ...triple('qx', 'qy', 'qz')], at, fail) }),
    ...(at.has('nx') && { normal: normal(triple('nx', 'ny', 'nz'), at, fail) }),
    ...(speed !== undefined && { speed: cells[speed] }),
    ...(on !== undefined && { on: cells[on] === 1 }),
  };
}

type Fail = (column: number, what: string, note?: string) => Error;

function quaternion(parts: number[], at: ReadonlyMap<Column, number>, fail: Fail) {
  const length = lengthIfNotUnit(parts);
  if (length !== undefined)
    throw fail(at.get('qw')!, `the quaternion has length ${length}, must be 1`, UNIT_QUATERNION);
  return normalizedQuaternion(parts);
}

function normal(parts: readonly [number, number, number], at: ReadonlyMap<Column, number>, fail: Fail) {
  if (!(Math.hypot(...parts) > 1e-9)) throw fail(at.get('nx')!, 'the normal has no direction');
  return parts;
}
