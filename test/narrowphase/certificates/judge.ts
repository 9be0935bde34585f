import type { ShapeSpec } from '../../../src/shapes/shape.ts';

/**
 * What a body is, said again from the specs alone, so that answers can be judged by code that shares nothing with the solvers: how far
 * it reaches along a direction, and how far a point is from it. Slow and plain; lengths in metres, in the body's own frame.
 */
export interface Judge {
  /** Most of n·x over the body, for a unit n. */
  reach(n: ArrayLike<number>): number;
  /** An upper bound of the distance of a point from the body: 0 inside, exact to rounding outside. */
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
      return ball(spec.radius);
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

function ball(radius: number): Judge {
  return { reach: (n) => radius * length(n[0], n[1], n[2]), distanceTo: (p) => length(p[0], p[1], p[2]) - radius };
}

function capsule(radius: number, half: number): Judge {
  return {
    reach: (n) => radius * length(n[0], n[1], n[2]) + half * Math.abs(n[2]),
    distanceTo: (p) => length(p[0], p[1], Math.max(0, Math.abs(p[2]) - half)) - radius,
  };
}

/** Of revolution about z: in the half plane (ρ, z) a trapezium. */
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

/** The nearest point solves eᵢ² pᵢ / (eᵢ² + t) with t > 0 the root of Σ (eᵢ pᵢ / (eᵢ² + t))² = 1, which Newton finds from the left. */
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
      let most = Number.NEGATIVE_INFINITY;
      for (const p of points) most = Math.max(most, n[0] * p[0] + n[1] * p[1] + n[2] * p[2]);
      return most;
    },
    distanceTo: (p) => nearestOfHull(points, p),
  };
}

/**
 * Wolfe's walk to the point of a hull nearest to p, over corners in general position (a corral). Whatever it ends with is a mean of
 * points with shares that are not negative, so its distance is an upper bound, and a proof.
 */
function nearestOfHull(points: number[][], p: ArrayLike<number>): number {
  const corners = points.map((x) => [x[0] - p[0], x[1] - p[1], x[2] - p[2]]);
  let corral = [corners.reduce((best, x) => (squared(x) < squared(best) ? x : best))];
  let shares = [1];
  let nearest = corral[0];
  for (let step = 0; step < 60; step++) {
    const next = corners.reduce((best, x) => (dot(x, nearest) < dot(best, nearest) ? x : best));
    if (corral.includes(next) || dot(next, nearest) >= squared(nearest)) break;
    let [trial, trialShares] = [
      [...corral, next],
      [...shares, 0],
    ];
    for (;;) {
      const wanted = affineShares(trial);
      if (wanted.every((share) => share > 0)) {
        trialShares = wanted;
        break;
      }
      // To the first face on the way, and on without the corner across it.
      let reach = 1;
      wanted.forEach((share, i) => {
        if (share <= 0) reach = Math.min(reach, trialShares[i] / (trialShares[i] - share || 1));
      });
      const moved = trialShares.map((share, i) => Math.max(0, share + reach * (wanted[i] - share)));
      let least = 0;
      moved.forEach((share, i) => {
        if (wanted[i] <= 0 && (wanted[least] > 0 || share < moved[least])) least = i;
      });
      trial = trial.filter((_, i) => i !== least);
      trialShares = moved.filter((_, i) => i !== least);
      if (trial.length === 1) {
        trialShares = [1];
        break;
      }
    }
    const sum = trialShares.reduce((total, share) => total + share, 0);
    trialShares = trialShares.map((share) => share / sum);
    const mean = meanOf(trial, trialShares);
    if (!(squared(mean) < squared(nearest))) break;
    [corral, shares, nearest] = [trial, trialShares, mean];
  }
  return Math.sqrt(squared(nearest));
}

const dot = (p: number[], q: number[]): number => p[0] * q[0] + p[1] * q[1] + p[2] * q[2];
const squared = (p: number[]): number => dot(p, p);
const meanOf = (points: number[][], shares: number[]): number[] =>
  [0, 1, 2].map((k) => points.reduce((sum, p, i) => sum + shares[i] * p[k], 0));

/** Shares, adding up to 1 and of any sign, of the point nearest to 0 on the plane through up to four points. */
function affineShares(points: number[][]): number[] {
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
  const shares = others.map(() => 0);
  for (const { e, coefficients } of basis) {
    const along = -dot(origin, e);
    for (let j = 0; j < shares.length; j++) shares[j] += along * coefficients[j];
  }
  return [1 - shares.reduce((sum, share) => sum + share, 0), ...shares];
}
