import { PI } from '../../core/math/trigonometry.ts';
import type { PathConstraint } from '../../core/scene/constraints.ts';
import { createShape } from '../../core/shapes/index.ts';
import type { ShapeSpec } from '../../core/shapes/shape.ts';
import { isBareNumber } from '../text/degrees.ts';
import { show } from '../text/schemaDiagnostics.ts';
import type { Path } from '../text/sourceText.ts';
import type { RawConstraint } from './constraintSchema.ts';
import { readTcp } from './sceneGoals.ts';
import type { ValueReader } from './valueReader.ts';

type Triple = readonly [number, number, number];
type RawNumber = number | string;

/** Reads a list of path constraints. */
export function readConstraints(reader: ValueReader, given: readonly RawConstraint[], path: Path): PathConstraint[] {
  return given.map((constraint, i) => readConstraint(reader, constraint, [...path, i]));
}

function readConstraint(reader: ValueReader, given: RawConstraint, path: Path): PathConstraint {
  const base = given.name === undefined ? {} : { name: given.name };
  if (given.type === 'joint')
    return { ...base, type: 'joint', joint: given.joint, range: readRange(reader, given, path) };
  const frame = given.frame === undefined ? {} : { frame: readTcp(reader, given.frame, [...path, 'frame']) };
  const common = { ...base, ...frame };
  if (given.type === 'tilt')
    return {
      ...common,
      type: 'tilt',
      axis: readDirection(reader, given.axis, [...path, 'axis']),
      towards: readDirection(reader, given.towards, [...path, 'towards']),
      within: readAngleLimit(reader, given.within, [...path, 'within']),
    };
  if (given.type === 'orientation')
    return {
      ...common,
      type: 'orientation',
      quat_wxyz: reader.pose({ rpy: given.rpy, quat_wxyz: given.quat_wxyz }, path).quat_wxyz,
      within: given.within.map((value, i) =>
        readAngleLimit(reader, value, [...path, 'within', i]),
      ) as unknown as Triple,
    };
  if (given.type === 'speed')
    return { ...common, type: 'speed', most: reader.positive(given.most, 'length', [...path, 'most'], 1) };
  const shape = readRegionShape(reader, given.shape, [...path, 'shape']);
  return { ...common, type: 'region', shape, pose: reader.pose(given.pose, [...path, 'pose']) };
}

/** Keys of shapes that may be 0. */
const MAY_BE_ZERO: readonly string[] = ['margin', 'radiusBottom', 'radiusTop'];

function readRegionShape(
  reader: ValueReader,
  { type, ...fields }: Extract<RawConstraint, { type: 'region' }>['shape'],
  path: Path,
): ShapeSpec {
  const read = (key: string, value: unknown, place: Path): unknown => {
    if (Array.isArray(value)) return value.map((one, i) => read(key, one, [...place, i]));
    const number = value as RawNumber;
    if (key === 'points') return reader.number(number, 'length', place);
    if (!MAY_BE_ZERO.includes(key)) return reader.positive(number, 'length', place);
    const size = reader.number(number, 'length', place);
    reader.check(size >= 0, number, place, 'must be at least 0');
    return size;
  };
  const values = Object.entries(fields).map(([key, value]) => {
    const place = [...path, key];
    return [key, key === 'normal' ? readDirection(reader, value as Triple, place) : read(key, value, place)];
  });
  const shape = { type, ...Object.fromEntries(values) } as ShapeSpec;
  if (reader.diagnostics.length === 0 && !reader.needsExpressions && !hasInside(shape))
    reader.report(path, 'a flat region without a margin has no inside', 'Give it a margin, such as margin: 1 mm.');
  return shape;
}

/** Returns false for hulls of coplanar points without a margin. Other invalid shapes are reported on use. */
function hasInside(shape: ShapeSpec): boolean {
  return shape.type !== 'convex' || createShape(shape).innerRadius > 0;
}

/** Radians: half a turn, and the excess of π rounded to four decimals. */
const HALF_TURN = PI + 1e-4;

/**
 * Reads the maximum of an angle between orientations. More than half a turn is refused: such a limit has no effect, and
 * the number is probably in degrees.
 */
export function readAngleLimit(reader: ValueReader, given: RawNumber, path: Path): number {
  const value = reader.positive(given, 'angle', path);
  if (value > HALF_TURN) {
    const note = isBareNumber(given)
      ? `Numbers are radians: write "${given} deg" for degrees.`
      : 'Give at most 180 deg.';
    reader.report(path, `${show(given)}, more than half a turn, which has no effect`, note);
  }
  return value;
}

/** Reads a direction and normalises it. */
export function readDirection(reader: ValueReader, given: readonly RawNumber[], path: Path): Triple {
  const [x, y, z] = reader.numbers(given, 'ratio', path);
  const length = Math.sqrt(x * x + y * y + z * z);
  const isValid = length > 0 && length < Number.POSITIVE_INFINITY;
  reader.check(isValid, given, path, 'it has no direction', 'Give a vector of a length between 1e-150 and 1e150.');
  return [x / length, y / length, z / length];
}

function readRange(
  reader: ValueReader,
  { joint, range }: Extract<RawConstraint, { type: 'joint' }>,
  path: Path,
): readonly [number, number] {
  return orderedRange(reader, range, [...path, 'range'], (value, place) => reader.jointNumber(value, joint, place));
}

/** Reads a lower and an upper limit. */
export function orderedRange(
  reader: ValueReader,
  range: readonly RawNumber[],
  path: Path,
  read: (value: RawNumber, place: Path) => number,
): readonly [number, number] {
  const [lower, upper] = range.map((value, i) => read(value, [...path, i]));
  reader.check(lower <= upper, range, path, 'the second must not be below the first');
  return [lower, upper];
}
