import type { ShapeSpec } from '../../../../src/core/shapes/shape.ts';

/**
 * A second definition of a shape, from its spec alone, so that results are proved by code that weights nothing with the
 * solvers: support value and distance of a point. Slow and simple; lengths in metres, in the frame of the shape.
 */
export interface Judge {
  /** Returns the support value max n·x over the shape, for a unit n. */
  reach(n: ArrayLike<number>): number;
  /** Returns an upper bound of the distance of a point from the shape: 0 inside, exact to rounding outside. */
  distanceTo(p: ArrayLike<number>): number;
}

export function judgeOf(spec: ShapeSpec): Judge {
  const core = coreOf(spec as Fields);
  const margin = spec.margin ?? 0;
  return {
    reach: (n) => core.reach(n) + margin,
    distanceTo: (p) => Math.max(0, core.distanceTo(p) - margin),
  };
}

type Fields = ShapeSpec & {
  readonly size: number[];
  readonly radius: number;
  readonly length: number;
  readonly radiusBottom: number;
  readonly radiusTop: number;
  readonly radii: number[];
  readonly points: number[][];
  readonly normal: number[];
};

function coreOf(spec: Fields): Judge {
  switch (spec.type) {
    case 'box':
      return box(spec.size.map((x) => x / 2));
    case 'sphere':
      return sphere(spec.radius);
    case 'capsule':
      return capsule(spec.radius, spec.length / 2);
    case 'cylinder':
      return frustum(spec.radius, spec.radius, spec.length / 2);
    case 'cone':
      return frustum(spec.radius, 0, spec.length / 2);
    case 'frustum':
      return frustum(spec.radiusBottom, spec.radiusTop, spec.length / 2);
    case 'ellipsoid':
      return ellipsoid(spec.radii);
    case 'convex':
      return hull(spec.points);
    case 'halfspace':
      return halfspace(spec.normal);
    default:
      throw new Error(`no judge for ${spec.type}`);
  }
}

const length = (x: number, y: number, z = 0): number => Math.sqrt(x * x + y * y + z * z);

function box([x, y, z]: number[]): Judge {
  return {
    reach: (n) => Math.abs(n[0]) * x + Math.abs(n[1]) * y + Math.abs(n[2]) * z,
    distanceTo: (p) =>
      length(Math.max(0, Math.abs(p[0]) - x), Math.max(0, Math.abs(p[1]) - y), Math.max(0, Math.abs(p[2]) - z)),
  };
}

function sphere(radius: number): Judge {
  return { reach: (n) => radius * length(n[0], n[1], n[2]), distanceTo: (p) => length(p[0], p[1], p[2]) - radius };
}

function capsule(radius: number, half: number): Judge {
  return {
    reach: (n) => radius * length(n[0], n[1], n[2]) + half * Math.abs(n[2]),
    distanceTo: (p) => length(p[0], p[1], Math.max(0, Math.abs(p[2]) - half)) - radius,
  };
}

/** Solid of revolution about z: a trapezium in the half plane (ρ, z). */
function frustum(bottom: number, top: number, half: number): Judge {
  return {
    reach: (n) => {
      const across = length(n[0], n[1]);
      return Math.max(bottom * across - half * n[2], top * across + half * n[2]);
    },
    distanceTo: (p) => {
      const rho = length(p[0], p[1]);
      const side = 2 * half * (rho - bottom) + (bottom - top) * (p[2] + half);
      if (Math.abs(p[2]) <= half && side <= 0) return 0;
      return Math.min(
        toSegment(rho, p[2], 0, -half, bottom, -half),
        toSegment(rho, p[2], bottom, -half, top, half),
        toSegment(rho, p[2], top, half, 0, half),
      );
    },
  };
}

function toSegment(x: number, y: number, x0: number, y0: number, x1: number, y1: number): number {
  const [dx, dy] = [x1 - x0, y1 - y0];
  const squared = dx * dx + dy * dy;
  const t = squared > 0 ? Math.min(1, Math.max(0, ((x - x0) * dx + (y - y0) * dy) / squared)) : 0;
  return length(x - x0 - t * dx, y - y0 - t * dy);
}

/**
 * The nearest point is eᵢ² pᵢ / (eᵢ² + t) with t > 0 the root of Σ (eᵢ pᵢ / (eᵢ² + t))² = 1, found by Newton's method
 * from the left.
 */
function ellipsoid(e: number[]): Judge {
  return {
    reach: (n) => length(e[0] * n[0], e[1] * n[1], e[2] * n[2]),
    distanceTo: (p) => {
      const unit = Math.max(...e);
      const squares = e.map((x) => (x / unit) * (x / unit));
      const weights = e.map((x, i) => ((x / unit) * p[i]) / unit);
      if (length(p[0] / e[0], p[1] / e[1], p[2] / e[2]) <= 1) return 0;
      let t = 0;
      for (let step = 0; step < 200; step++) {
        let [value, slope] = [-1, 0];
        for (let i = 0; i < 3; i++) {
          const part = weights[i] / (squares[i] + t);
          value += part * part;
          slope -= (2 * part * part) / (squares[i] + t);
        }
        const next = t - value / slope;
        if (!(next > t)) break;
        t = next;
      }
      return length(...([0, 1, 2].map((i) => (t * p[i]) / (squares[i] + t)) as [number, number, number]));
    },
  };
}

function halfspace(normal: number[]): Judge {
  const size = length(normal[0], normal[1], normal[2]);
  const m = normal.map((x) => x / size);
  return {
    reach: (n) =>
      length(n[1] * m[2] - n[2] * m[1], n[2] * m[0] - n[0] * m[2], n[0] * m[1] - n[1] * m[0]) <= 1e-14 &&
      n[0] * m[0] + n[1] * m[1] + n[2] * m[2] > 0
        ? 0
        : Number.POSITIVE_INFINITY,
    distanceTo: (p) => m[0] * p[0] + m[1] * p[1] + m[2] * p[2],
  };
}

function hull(points: number[][]): Judge {
  return {
    reach: (n) => {
      let max = Number.NEGATIVE_INFINITY;
      for (const p of points) max = Math.max(max, n[0] * p[0] + n[1] * p[1] + n[2] * p[2]);
      return max;
    },
    distanceTo: (p) => nearestOfHull(points, p),
  };
}

/** Distance of a point from a hull, relative to the size of the hull, that counts as none. */
const NONE = 1e-15;

/**
 * Returns the distance of p from a hull: the minimum over searches that start at its vertices, nearest first, until a
 * plane proves that no point is nearer. In thin hulls rounding ends some searches early.
 */
function nearestOfHull(points: number[][], p: ArrayLike<number>): number {
  const vertices = points.map((x) => [x[0] - p[0], x[1] - p[1], x[2] - p[2]]);
  const farthest = vertices.reduce((most, x) => Math.max(most, squared(x)), 0);
  let least = Number.POSITIVE_INFINITY;
  for (const start of [...vertices].sort((x, y) => squared(x) - squared(y))) {
    const nearest = nearestFrom(start, vertices);
    const distance = Math.sqrt(squared(nearest));
    least = Math.min(least, distance);
    const proved =
      vertices.reduce((lowest, x) => Math.min(lowest, dot(x, nearest)), Number.POSITIVE_INFINITY) / distance;
    if (distance <= NONE * Math.sqrt(farthest) || distance - proved <= NONE * Math.sqrt(farthest)) break;
  }
  return least;
}

/**
 * Returns the vector to a hull by Wolfe's nearest-point algorithm. The final point is a convex combination of vertices,
 * so its distance is a proved upper bound.
 */
function nearestFrom(start: number[], vertices: number[][]): number[] {
  let corral: Corral = { points: [start], weights: [1], nearest: start };
  for (let step = 0; step < 60; step++) {
    const { points, nearest } = corral;
    const next = vertices.reduce((best, x) => (dot(x, nearest) < dot(best, nearest) ? x : best));
    if (points.includes(next) || dot(next, nearest) >= squared(nearest)) break;
    const nearer = nearerCorral(corral, next);
    if (nearer === undefined) break;
    corral = nearer;
  }
  return corral.nearest;
}

/** Affinely independent points, and the convex combination of them that is nearest to 0. */
export interface Corral {
  readonly points: readonly number[][];
  readonly weights: readonly number[];
  readonly nearest: number[];
}

/** Adds a point to a corral, and drops those that it makes useless; undefined if no point nearer to 0 results. */
export function nearerCorral(corral: Corral, next: number[]): Corral | undefined {
  let points = [...corral.points, next];
  let weights = [...corral.weights, 0];
  for (;;) {
    const wanted = affineWeights(points);
    if (wanted.every((share) => share > 0)) {
      weights = wanted;
      break;
    }
    // Move to the first face on the segment, and drop the vertex opposite it.
    let fraction = 1;
    for (const [i, share] of wanted.entries())
      if (share <= 0) fraction = Math.min(fraction, weights[i] / (weights[i] - share || 1));
    const moved = weights.map((share, i) => Math.max(0, share + fraction * (wanted[i] - share)));
    let dropped = 0;
    for (const [i, share] of moved.entries())
      if (wanted[i] <= 0 && (wanted[dropped] > 0 || share < moved[dropped])) dropped = i;
    points = points.filter((_, i) => i !== dropped);
    weights = moved.filter((_, i) => i !== dropped);
    if (points.length === 1) {
      weights = [1];
      break;
    }
  }
  const sum = weights.reduce((total, share) => total + share, 0);
  weights = weights.map((share) => share / sum);
  const nearest = meanOf(points, weights);
  return squared(nearest) < squared(corral.nearest) ? { points, weights, nearest } : undefined;
}

const dot = (p: number[], q: number[]): number => p[0] * q[0] + p[1] * q[1] + p[2] * q[2];
const squared = (p: number[]): number => dot(p, p);
const meanOf = (points: number[][], weights: number[]): number[] =>
  [0, 1, 2].map((k) => points.reduce((sum, p, i) => sum + weights[i] * p[k], 0));

/** Returns the affine weights (sum 1, any sign) of the point nearest to 0 in the affine hull of up to four points. */
function affineWeights(points: number[][]): number[] {
  const [origin, ...others] = points;
  const basis: { e: number[]; coefficients: number[] }[] = [];
  others.forEach((point, i) => {
    const e = point.map((x, k) => x - origin[k]);
    const coefficients = others.map((_, j) => (j === i ? 1 : 0));
    for (let pass = 0; pass < 2; pass++) {
      for (const other of basis) {
        const along = dot(e, other.e);
        for (let k = 0; k < 3; k++) e[k] -= along * other.e[k];
        for (let j = 0; j < coefficients.length; j++) coefficients[j] -= along * other.coefficients[j];
      }
    }
    const size = Math.sqrt(squared(e));
    if (!(size > 0) || basis.length === 3) return;
    basis.push({ e: e.map((x) => x / size), coefficients: coefficients.map((x) => x / size) });
  });
  const weights = others.map(() => 0);
  for (const { e, coefficients } of basis) {
    const along = -dot(origin, e);
    for (let j = 0; j < weights.length; j++) weights[j] += along * coefficients[j];
  }
  return [1 - weights.reduce((sum, share) => sum + share, 0), ...weights];
}
