import { acos, atan2, cos, sin, TWO_PI } from '../../core/math/trigonometry.ts';

/** Indices of the two axes of a plane, in right-handed order, and of its normal. */
export type ArcPlane = readonly [number, number, number];
type Point = [number, number, number];

/** Largest distance of a chord from its arc, metres. */
const CHORD = 1e-6;
/** Metres, and relative to the radius: differences between the radii at both ends, as files round them. */
const MISMATCH = 5e-6;
const RELATIVE_MISMATCH = 1e-4;
/** Metres: ends that are nearer are one point: a full circle. */
const SAME = 1e-9;
const MIN_PIECES = 4;

/**
 * Returns the points of a circular arc or helix after its start, or why there is none. The radius changes linearly
 * between slightly different distances from the centre.
 * @param given the centre, metres; or the radius, negative for an arc of more than a half turn
 * @param most limit of the number of points
 */
export function arcPoints(
  from: readonly number[],
  to: readonly number[],
  [i, j, k]: ArcPlane,
  isCounterclockwise: boolean,
  given: readonly number[] | number,
  most: number,
): Point[] | string {
  const centre = typeof given === 'number' ? centreOf(from, to, [i, j], isCounterclockwise, given) : given;
  if (typeof centre === 'string') return centre;
  const [x, y] = [from[i] - centre[i], from[j] - centre[j]];
  const [u, v] = [to[i] - centre[i], to[j] - centre[j]];
  const r = Math.sqrt(x * x + y * y);
  const end = Math.sqrt(u * u + v * v);
  if (!(r > SAME)) return 'the arc has no radius';
  if (!(Math.abs(end - r) <= MISMATCH + RELATIVE_MISMATCH * r))
    return `the arc begins ${r} m and ends ${end} m from its centre`;
  const isFull = Math.sqrt((u - x) * (u - x) + (v - y) * (v - y)) <= SAME;
  const angle = isFull ? 0 : atan2(x * v - y * u, x * u + y * v);
  const turn = isCounterclockwise ? (angle > 0 ? angle : angle + TWO_PI) : angle < 0 ? angle : angle - TWO_PI;
  const step = 2 * acos(Math.max(-1, 1 - CHORD / r));
  const pieces = Math.max(MIN_PIECES, Math.ceil(Math.abs(turn) / step));
  if (!(pieces <= most)) return `the arc needs more than ${most} way points`;
  const start = atan2(y, x);
  return Array.from({ length: pieces }, (_, n) => {
    const share = (n + 1) / pieces;
    const point: Point = [to[0], to[1], to[2]];
    if (n + 1 === pieces) return point;
    const radius = r + share * (end - r);
    point[i] = centre[i] + radius * cos(start + share * turn);
    point[j] = centre[j] + radius * sin(start + share * turn);
    point[k] = from[k] + share * (to[k] - from[k]);
    return point;
  });
}

/** Returns the centre of the arc of a radius. */
function centreOf(
  from: readonly number[],
  to: readonly number[],
  [i, j]: readonly [number, number],
  isCounterclockwise: boolean,
  radius: number,
): number[] | string {
  const [x, y] = [to[i] - from[i], to[j] - from[j]];
  const half = 0.5 * Math.sqrt(x * x + y * y);
  const size = Math.abs(radius);
  if (!(half > SAME)) return 'an arc with R must end elsewhere than it begins';
  if (!(size >= half * (1 - RELATIVE_MISMATCH))) return `its radius ${size} m is less than half its chord, ${half} m`;
  const height = Math.sqrt(Math.max(0, size * size - half * half));
  const side = (isCounterclockwise ? 1 : -1) * (radius < 0 ? -1 : 1);
  const centre = [...from];
  centre[i] = from[i] + 0.5 * x - (side * height * y) / (2 * half);
  centre[j] = from[j] + 0.5 * y + (side * height * x) / (2 * half);
  return centre;
}
