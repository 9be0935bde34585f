import { InputError } from '../errors.ts';
import { MAX_LENGTH } from '../math/magnitudes.ts';
import type { Vec3 } from '../math/vec3.ts';
import { requireKind, requirePoint } from './checks.ts';
import { innerBall } from './inscribedSphere.ts';
import { ConvexShape, type ShapeSpec, type SupportFunction } from './shape.ts';

/**
 * A convex body told by its support function: whatever has a farthest point along each direction, superquadrics, sums of bodies, smooth
 * hulls whose support value is differentiable (its gradient is that point). Written where a shape is asked for, in scenes that a
 * program makes; it does not survive JSON, and files cannot name it. Certificates of motions past it cannot be verified: the checker
 * believes no support function.
 *
 * What is not given is found by asking the function, on the safe side:
 * - `bounds` are exact, from the six axes.
 * - `innerRadius`: a ball in the hull of some hundred support points, which all lie in the body. A smaller one costs solvers a look or
 *   two; one of 0 says that the body is flat or the centre outside, and growth undefined.
 * - `outerRadius`: every point of the body lies within 27.6° of one of 26 directions, so that it is at most 1 / cos 27.6° times as far
 *   from the centre as the body reaches along that; or the farthest corner of the bounds, if that is nearer.
 */
export interface SupportSpec extends ShapeSpec {
  readonly type: 'support';
  /** Writes the point farthest along the unit vector `d` to `out`, both in the body's own frame; any of them where several are. */
  readonly support: (out: Vec3, d: Vec3) => void;
  /** Radius of a ball about the centre that lies in the body, margin left out. */
  readonly innerRadius?: number;
  /** Radius of a ball about the centre that holds the body, margin left out. */
  readonly outerRadius?: number;
  /** Box that holds the body, margin left out: min x, y, z, then max x, y, z. */
  readonly bounds?: ArrayLike<number>;
}

/** Least cosine of the angle between a direction and the nearest of the 26 to the faces, edges and corners of a cube, rounded down. */
const COVER = 0.8864;
/** Rounds of asking along directions spread evenly over what the body is stretched to: thin bodies need some to be seen round. */
const ROUNDS = 5;
/** How far a point may lie beyond the farthest one, relative to size: rounding of the user's arithmetic, of roots and powers, too. */
const CONSISTENT = 1e-7;

/** The body of a support function; InputError where the function, or what is given beside it, cannot be one's. */
export function createSupportShape(spec: SupportSpec, center: ArrayLike<number> = [0, 0, 0]): ConvexShape {
  const { support, margin = 0 } = spec;
  if (typeof support !== 'function') {
    throw new InputError(
      `support is ${JSON.stringify(support) ?? 'missing'}, must be a function`,
      'It takes (out, d) and writes the farthest point along d to out; files cannot hold one.',
    );
  }
  requireKind('margin', 'length-or-zero', margin);
  requirePoint('center', center);
  const samples = sample(support);
  const bounds = spec.bounds === undefined ? boundsOf(samples) : requireBounds(spec.bounds);
  const innerRadius = spec.innerRadius ?? innerBall(Float64Array.from(samples.points.flat()), center);
  const outerRadius = spec.outerRadius ?? outerRadiusOf(samples, bounds, center);
  requireRadius('innerRadius', innerRadius);
  requireRadius('outerRadius', outerRadius);
  return new ConvexShape(
    { type: 'support', size: [], support: wrap(support), coreInnerRadius: innerRadius, margin, center },
    outerRadius + margin,
    bounds.map((x, i) => (i < 3 ? x - margin : x + margin)),
  );
}

/** The user's function as solvers call it: any length of d, `out` may be `d`. */
function wrap(support: SupportSpec['support']): SupportFunction {
  const unit = new Float64Array(3);
  const point = new Float64Array(3);
  return (out, _shape, d, hint) => {
    const s = 1 / Math.sqrt(d[0] * d[0] + d[1] * d[1] + d[2] * d[2]);
    unit[0] = s * d[0];
    unit[1] = s * d[1];
    unit[2] = s * d[2];
    support(point, unit);
    out[0] = point[0];
    out[1] = point[1];
    out[2] = point[2];
    return hint;
  };
}

interface Samples {
  /** Unit directions, the 26 of a cube first, and the farthest point along each. */
  readonly directions: number[][];
  readonly points: number[][];
}

const aroundCube: readonly number[][] = Array.from({ length: 27 }, (_, code) => [
  (code % 3) - 1,
  (Math.floor(code / 3) % 3) - 1,
  Math.floor(code / 9) - 1,
]).filter((d) => d.some((x) => x !== 0));

function sample(support: SupportSpec['support']): Samples {
  const directions: number[][] = [];
  const points: number[][] = [];
  const out = new Float64Array(3);
  for (let round = 0; round < ROUNDS; round++) {
    const stretch = round === 0 ? undefined : stretchOf(points);
    if (round > 0 && stretch === undefined) break; // flat: there is no more to see
    for (const u of aroundCube) {
      const d = unitOf(stretch === undefined ? u : solveTransposed(stretch, u));
      support(out, Float64Array.from(d));
      requirePoint(`support along [${d.join(', ')}]`, out);
      directions.push(d);
      points.push(Array.from(out));
    }
  }
  requireConsistency(directions, points);
  return { directions, points };
}

/** No point may lie beyond the farthest along any direction: what violates that is no support function. */
function requireConsistency(directions: readonly number[][], points: readonly number[][]): void {
  const size = Math.max(...points.flat().map(Math.abs));
  directions.forEach((d, i) => {
    const reach = dot(d, points[i]);
    const beyond = points.find((p) => dot(d, p) > reach + CONSISTENT * size);
    if (beyond === undefined) return;
    throw new InputError(
      `support along [${d.join(', ')}] is [${points[i].join(', ')}], but [${beyond.join(', ')}] is farther`,
      'A support function gives the farthest point of one and the same body along every direction.',
    );
  });
}

function boundsOf({ directions, points }: Samples): Float64Array {
  const bounds = new Float64Array(6);
  directions.slice(0, aroundCube.length).forEach((d, i) => {
    for (let k = 0; k < 3; k++) {
      if (d[k] === -1) bounds[k] = points[i][k];
      if (d[k] === 1) bounds[k + 3] = points[i][k];
    }
  });
  return bounds;
}

function outerRadiusOf({ directions, points }: Samples, bounds: Float64Array, center: ArrayLike<number>): number {
  const about = (p: ArrayLike<number>) => [p[0] - center[0], p[1] - center[1], p[2] - center[2]];
  const reaches = directions.slice(0, aroundCube.length).map((d, i) => dot(d, about(points[i])));
  const corner = [0, 1, 2].map((k) => Math.max(Math.abs(bounds[k] - center[k]), Math.abs(bounds[k + 3] - center[k])));
  return Math.min(Math.max(0, ...reaches) / COVER, Math.sqrt(dot(corner, corner)));
}

/** Cholesky factor of the points' second moments about their mean: it takes a ball to about their spread. Undefined where that is flat. */
function stretchOf(points: readonly number[][]): number[] | undefined {
  const mean = [0, 1, 2].map((k) => points.reduce((sum, p) => sum + p[k], 0) / points.length);
  const moment = (i: number, j: number) =>
    points.reduce((sum, p) => sum + (p[i] - mean[i]) * (p[j] - mean[j]), 0) / points.length;
  const a = Math.sqrt(moment(0, 0));
  const b = moment(1, 0) / a;
  const c = moment(2, 0) / a;
  const d = Math.sqrt(moment(1, 1) - b * b);
  const e = (moment(2, 1) - b * c) / d;
  const f = Math.sqrt(moment(2, 2) - c * c - e * e);
  return [a, d, f].every((x) => x > 0) ? [a, b, c, d, e, f] : undefined;
}

/** L⁻ᵀ u for L = [a 0 0; b d 0; c e f]: even directions for the ball become even ones for what it is stretched to. */
function solveTransposed([a, b, c, d, e, f]: readonly number[], u: readonly number[]): number[] {
  const z = u[2] / f;
  const y = (u[1] - e * z) / d;
  return [(u[0] - b * y - c * z) / a, y, z];
}

function requireBounds(bounds: ArrayLike<number>): Float64Array {
  const box = Float64Array.from(bounds);
  if (
    box.length === 6 &&
    [0, 1, 2].every((k) => box[k] <= box[k + 3] && box[k] >= -MAX_LENGTH && box[k + 3] <= MAX_LENGTH)
  )
    return box;
  throw new InputError(
    `bounds is ${JSON.stringify(Array.from(box))}`,
    `Bounds are min x, y, z, then max x, y, z, from -1e7 to 1e7 m.`,
  );
}

function requireRadius(field: string, radius: number): void {
  if (Math.abs(radius) <= 4 * MAX_LENGTH) return; // of the ball around a body of that size, about a centre outside of it
  throw new InputError(`${field} is ${radius}, must be a length`, `Lengths are in metres, up to 1e7.`);
}

function unitOf(d: readonly number[]): number[] {
  const length = Math.sqrt(dot(d, d));
  return d.map((x) => x / length);
}

function dot(p: ArrayLike<number>, q: ArrayLike<number>): number {
  return p[0] * q[0] + p[1] * q[1] + p[2] * q[2];
}
