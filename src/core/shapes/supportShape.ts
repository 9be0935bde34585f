import { InputError } from '../../errors.ts';
import { Exclusion } from '../math/exclusion.ts';
import { MAX_LENGTH } from '../math/magnitudes.ts';
import type { Vec3 } from '../math/vec3.ts';
import { requireKind, requirePoint } from './checks.ts';
import { inscribedSphereRadius } from './inscribedSphere.ts';
import { ConvexShape, type ShapeSpec, type SupportFunction } from './shape.ts';

/**
 * Convex shape given by its support function: any shape with a farthest point along each direction, such as
 * superquadrics, Minkowski sums, or smooth hulls with a differentiable support value (the gradient is that point). Only
 * for scenes that a program creates: it is not serialisable to JSON, and files cannot name it. Certificates of motions
 * past it cannot be verified, because the verifier does not trust support functions.
 *
 * Fields that are not given are estimated conservatively from support points:
 * - `bounds` are exact, from the six axes.
 * - `innerRadius`: a sphere in the convex hull of some hundred support points, which all lie in the shape. A smaller
 *   one costs solvers an iteration or two; 0 means that the shape is flat or the center outside, and growth is
 *   undefined.
 * - `outerRadius`: every point of the shape is within 27.6° of one of 26 directions, so its distance from the center is
 *   at most 1 / cos 27.6° times the support value along that direction; or the distance of the farthest vertex of the
 *   bounds, if that is smaller.
 */
export interface SupportSpec extends ShapeSpec {
  /** Type of shapes that are given by a support function. */
  readonly type: 'support';
  /**
   * Writes the support point along the unit vector `d` to `out`, both in the frame of the shape; any of them if there
   * are several.
   */
  readonly support: (out: Vec3, d: Vec3) => void;
  /** Radius of a sphere about the center that lies in the shape, without the margin. */
  readonly innerRadius?: number;
  /** Radius of a sphere about the center that contains the shape, without the margin. */
  readonly outerRadius?: number;
  /** Bounding box without the margin: min x, y, z, then max x, y, z. */
  readonly bounds?: ArrayLike<number>;
}

/**
 * Cosine of the largest angle between any direction and the nearest of the 26 directions to the faces, edges and
 * vertices of a cube, rounded down.
 */
const MIN_COSINE = 0.8864;
/**
 * Sampling rounds along directions that are even in the principal frame of the shape: thin shapes need several to be
 * sampled on all sides.
 */
const ROUNDS = 5;
/**
 * Tolerance by which a support point may exceed the support value along another direction, relative to size: covers the
 * rounding of roots and powers in the user's function.
 */
const CONSISTENCY_TOLERANCE = 1e-7;

/**
 * Creates a shape from its support function. Throws `InputError` if the function or one of the given fields is
 * inconsistent.
 */
export function createSupportShape(spec: SupportSpec, center: ArrayLike<number> = [0, 0, 0]): ConvexShape {
  const { support, margin = 0 } = spec;
  if (typeof support !== 'function') {
    throw new InputError(
      `support is ${JSON.stringify(support) ?? 'missing'}, must be a function`,
      'It must write the farthest point along d to out: (out, d) => void. Files cannot contain one.',
    );
  }
  requireKind('margin', 'length-or-zero', margin);
  requirePoint('center', center);
  const samples = sampleSupport(support);
  const bounds = spec.bounds === undefined ? boundsOf(samples) : requireBounds(spec.bounds);
  const innerRadius = spec.innerRadius ?? inscribedSphereRadius(Float64Array.from(samples.points.flat()), center);
  const outerRadius = spec.outerRadius ?? outerRadiusOf(samples, bounds, center);
  requireRadius('innerRadius', innerRadius);
  requireRadius('outerRadius', outerRadius);
  return new ConvexShape(
    { type: 'support', size: [], support: adaptSupport(support), coreInnerRadius: innerRadius, margin, center },
    outerRadius + margin,
    bounds.map((x, i) => (i < 3 ? x - margin : x + margin)),
  );
}

/**
 * Adapts the user's function to the interface of the solvers: d of any length, `out` may alias `d`. The adapted
 * function throws `InputError` if the user's does not write a finite point, and if it is called by itself.
 */
function adaptSupport(support: SupportSpec['support']): SupportFunction {
  const unit = new Float64Array(3);
  const point = new Float64Array(3);
  const use = new Exclusion('shape');
  return (out, _shape, d, hint) => {
    use.enter();
    try {
      const s = 1 / Math.sqrt(d[0] * d[0] + d[1] * d[1] + d[2] * d[2]);
      unit[0] = s * d[0];
      unit[1] = s * d[1];
      unit[2] = s * d[2];
      point.fill(Number.NaN); // a coordinate that is not written is found below
      support(point, unit);
      // Directions so long or short that their length overflows or underflows have no unit vector.
      const isDirected = s > 0 && s < Number.POSITIVE_INFINITY;
      if (isDirected && !(Math.abs(point[0]) + Math.abs(point[1]) + Math.abs(point[2]) < Number.POSITIVE_INFINITY))
        throw notFinite(point, s, d);
    } finally {
      use.leave();
    }
    out[0] = point[0];
    out[1] = point[1];
    out[2] = point[2];
    return hint;
  };
}

const notFinite = (point: Vec3, s: number, d: Vec3): InputError =>
  new InputError(
    `support along [${[s * d[0], s * d[1], s * d[2]].join(', ')}] is [${point.join(', ')}]`,
    'A support function must write the three finite coordinates of a point along every direction.',
  );

interface Samples {
  /** Unit directions, the 26 of a cube first, and the support point along each. */
  readonly directions: number[][];
  readonly points: number[][];
}

const cubeDirections: readonly number[][] = Array.from({ length: 27 }, (_, code) => [
  (code % 3) - 1,
  (Math.floor(code / 3) % 3) - 1,
  Math.floor(code / 9) - 1,
]).filter((d) => d.some((x) => x !== 0));

function sampleSupport(support: SupportSpec['support']): Samples {
  const directions: number[][] = [];
  const points: number[][] = [];
  const out = new Float64Array(3);
  for (let round = 0; round < ROUNDS; round++) {
    const factor = round === 0 ? undefined : choleskyOfMoments(points);
    if (round > 0 && factor === undefined) break; // flat: more directions add nothing
    for (const u of cubeDirections) {
      const d = unitOf(factor === undefined ? u : solveTransposed(factor, u));
      support(out, Float64Array.from(d));
      requirePoint(`support along [${d.join(', ')}]`, out);
      directions.push(d);
      points.push(Array.from(out));
    }
  }
  requireConsistency(directions, points);
  return { directions, points };
}

/**
 * Throws `InputError` if a sampled point exceeds the support value along any sampled direction: then the function is
 * not a support function.
 */
function requireConsistency(directions: readonly number[][], points: readonly number[][]): void {
  const size = Math.max(...points.flat().map(Math.abs));
  directions.forEach((d, i) => {
    const supportValue = dot(d, points[i]);
    const farther = points.find((p) => dot(d, p) > supportValue + CONSISTENCY_TOLERANCE * size);
    if (farther === undefined) return;
    throw new InputError(
      `support along [${d.join(', ')}] is [${points[i].join(', ')}], but [${farther.join(', ')}] is farther`,
      'A support function must return the farthest point of one shape along every direction.',
    );
  });
}

function boundsOf({ directions, points }: Samples): Float64Array {
  const bounds = new Float64Array(6);
  directions.slice(0, cubeDirections.length).forEach((d, i) => {
    for (let k = 0; k < 3; k++) {
      if (d[k] === -1) bounds[k] = points[i][k];
      if (d[k] === 1) bounds[k + 3] = points[i][k];
    }
  });
  return bounds;
}

function outerRadiusOf({ directions, points }: Samples, bounds: Float64Array, center: ArrayLike<number>): number {
  const fromCenter = (p: ArrayLike<number>) => [p[0] - center[0], p[1] - center[1], p[2] - center[2]];
  const supportValues = directions.slice(0, cubeDirections.length).map((d, i) => dot(d, fromCenter(points[i])));
  const farthestVertex = [0, 1, 2].map((k) =>
    Math.max(Math.abs(bounds[k] - center[k]), Math.abs(bounds[k + 3] - center[k])),
  );
  return Math.min(Math.max(0, ...supportValues) / MIN_COSINE, Math.sqrt(dot(farthestVertex, farthestVertex)));
}

/**
 * Returns the Cholesky factor of the second moments of the points about their mean: it maps a sphere to about their
 * distribution. Undefined if the points are flat.
 */
function choleskyOfMoments(points: readonly number[][]): number[] | undefined {
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

/**
 * Returns L⁻ᵀ u for L = [a 0 0; b d 0; c e f]: maps directions that are even on a sphere to directions that are even on
 * its image under L.
 */
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
    `bounds is min x, y, z, then max x, y, z, from -1e7 to 1e7 m.`,
  );
}

function requireRadius(field: string, radius: number): void {
  if (Math.abs(radius) <= 4 * MAX_LENGTH) return; // outer radius of a shape of maximum size about a center outside it
  throw new InputError(`${field} is ${radius}, must be a length`, `Lengths are in metres, up to 1e7.`);
}

function unitOf(d: readonly number[]): number[] {
  const length = Math.sqrt(dot(d, d));
  return d.map((x) => x / length);
}

function dot(p: ArrayLike<number>, q: ArrayLike<number>): number {
  return p[0] * q[0] + p[1] * q[1] + p[2] * q[2];
}
