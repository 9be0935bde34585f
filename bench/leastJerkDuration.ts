import { derivativeAt, JERK } from '../src/core/trajectory/polynomial.ts';
import type { MotionLimits } from '../src/core/trajectory/trajectory.ts';
import type { TrajectoryCurve } from '../src/core/trajectory/trajectoryCurve.ts';
import { stateAt } from './forces/optimum.ts';

/** A point of the grid: derivatives of the joints by the parameter of the curve; the third ones before and after it. */
export interface CurveNode {
  readonly at: number;
  readonly first: readonly number[];
  readonly second: readonly number[];
  readonly thirds: readonly (readonly number[])[];
  /** Upper bound of the squared pace. */
  readonly most: number;
}

type Limits = Pick<MotionLimits, 'velocity' | 'acceleration' | 'jerk'>;

/** |c₀ z₋ + c₁ z + c₂ z₊| <= limit, or limit / √z. */
interface Row {
  readonly c: readonly [number, number, number];
  readonly limit: number;
  readonly isJerk: boolean;
}

/** Relative distance between the duration and that of the local minimum, by the number of barriers. */
const GAP = 1e-4;
const MAX_STEPS = 60;
/** Squared pace of a node without limits. */
const MAX_SQUARE = 1e8;

/**
 * Nodes of a part of a curve, its pieces divided into `parts` each.
 * @param speedShare speed of the tool relative to its limit at a state, if it has one
 */
export function curveNodes(
  curve: TrajectoryCurve,
  from: number,
  to: number,
  parts: number,
  { velocity }: Pick<MotionLimits, 'velocity'>,
  speedShare: (q: readonly number[], v: readonly number[]) => number = () => 0,
): CurveNode[] {
  const ends = Array.from(curve.times).filter((time) => time >= from && time <= to);
  const first = curve.pieceAt(from);
  const thirdsOf = (k: number) =>
    Array.from({ length: curve.dof }, (_, j) =>
      derivativeAt(curve.polynomials, curve.polynomialIndex(first + k, j), JERK, 0),
    );
  return Array.from({ length: (ends.length - 1) * parts + 1 }, (_, n) => {
    const k = Math.min(ends.length - 2, Math.floor(n / parts));
    const part = n - k * parts;
    const at = part === parts ? ends[k + 1] : ends[k] + (part / parts) * (ends[k + 1] - ends[k]);
    const { q, v, a } = stateAt(curve, at);
    const rate = Math.max(speedShare(q, v), ...v.map((value, j) => Math.abs(value) / velocity[j]));
    // cubics: the third derivative changes at their ends only
    const thirds = part === 0 && k > 0 ? [thirdsOf(k - 1), thirdsOf(k)] : [thirdsOf(k)];
    return { at, first: v, second: a, thirds, most: Math.min(MAX_SQUARE, 1 / (rate * rate)) };
  });
}

/**
 * Least duration of a motion along a curve within limits of velocity, acceleration and jerk: the squared pace z at the
 * nodes, with q⃛ = √z (q‴ z + 3 q″ z′ / 2 + q′ z″ / 2), by an interior-point method from a constant pace. The limit of
 * jerk is not convex in z: a local minimum.
 * @param start the constant pace begins at the largest `start` · 0.8ⁿ within all limits
 */
export function leastJerkDuration(nodes: readonly CurveNode[], limits: Limits, start = 1): number {
  const rows = nodes.map((_, i) => rowsAt(nodes, i, limits));
  const count = nodes.length;
  let pace = start;
  const z = new Float64Array(count);
  const duration = (x: Float64Array) => {
    let sum = 0;
    for (let i = 1; i < count; i++)
      sum += (2 * (nodes[i].at - nodes[i - 1].at)) / (Math.sqrt(x[i - 1]) + Math.sqrt(x[i]));
    return sum;
  };
  const cost = (x: Float64Array, weight: number) => {
    let sum = 0;
    for (let i = 0; i < count; i++) {
      let product = 1 - x[i] / nodes[i].most;
      if (!(x[i] > 0 && product > 0)) return Number.POSITIVE_INFINITY;
      for (const { c, limit, isJerk } of rows[i]) {
        const bound = isJerk ? limit / Math.sqrt(x[i]) : limit;
        const value = c[0] * (x[i - 1] ?? 0) + c[1] * x[i] + c[2] * (x[i + 1] ?? 0);
        if (!(Math.abs(value) < bound)) return Number.POSITIVE_INFINITY;
        product *= (1 - value / bound) * (1 + value / bound);
        if (product < 1e-200) {
          sum -= Math.log(product);
          product = 1;
        }
      }
      sum -= Math.log(product);
    }
    return sum + weight * duration(x);
  };
  do {
    pace *= 0.8;
    for (let i = 0; i < count; i++) z[i] = Math.min(pace, 0.5 * nodes[i].most);
    if (pace < 1e-12) return Number.NaN;
  } while (cost(z, 0) === Number.POSITIVE_INFINITY);

  const barriers = rows.reduce((sum, { length }) => sum + 2 * length + 1, 0);
  const next = new Float64Array(count);
  for (let weight = (0.02 * barriers) / duration(z); ; weight *= 5) {
    for (let step = 0; step < MAX_STEPS; step++) {
      const { gradient, bands } = derivatives(nodes, rows, z, weight);
      const move = solved(bands, gradient);
      const slope = gradient.reduce((sum, value, i) => sum + value * move[i], 0);
      const before = cost(z, weight);
      let size = 1;
      for (; size > 1e-10; size *= 0.6) {
        for (let i = 0; i < count; i++) next[i] = z[i] - size * move[i];
        if (cost(next, weight) <= before - 0.1 * size * slope) break;
      }
      if (!(size > 1e-10)) break;
      z.set(next);
      if (slope < 1e-3) break;
    }
    if (barriers < GAP * weight * duration(z)) return duration(z);
  }
}

function rowsAt(nodes: readonly CurveNode[], i: number, { acceleration, jerk }: Limits): Row[] {
  const { first, second, thirds, at } = nodes[i];
  const isEnd = i === 0 || i === nodes.length - 1;
  const [h, k] = isEnd ? [1, 1] : [at - nodes[i - 1].at, nodes[i + 1].at - at];
  // first and second derivative of the parabola through three values
  const slope = [-k / (h * (h + k)), (k - h) / (h * k), h / (k * (h + k))];
  const bend = [2 / (h * (h + k)), -2 / (h * k), 2 / (k * (h + k))];
  return first.flatMap((q1, j) => {
    const [a, b] = isEnd ? [0, 0] : [q1, second[j]]; // at rest
    const row = (fixed: number, p: number, r: number): [number, number, number] => [
      p * slope[0] + r * bend[0],
      fixed + p * slope[1] + r * bend[1],
      p * slope[2] + r * bend[2],
    ];
    const out: Row[] = [];
    if (acceleration[j] < Number.POSITIVE_INFINITY)
      out.push({ c: row(b, 0.5 * a, 0), limit: acceleration[j], isJerk: false });
    if (jerk[j] < Number.POSITIVE_INFINITY)
      for (const third of thirds) out.push({ c: row(third[j], 1.5 * b, 0.5 * a), limit: jerk[j], isJerk: true });
    return out;
  });
}

/** Gradient of the cost, and the diagonals of a positive definite part of its Hessian. */
function derivatives(nodes: readonly CurveNode[], rows: readonly Row[][], z: Float64Array, weight: number) {
  const count = z.length;
  const gradient = new Float64Array(count);
  const bands = [0, 1, 2].map(() => new Float64Array(count));
  for (let i = 0; i < count; i++) {
    const room = nodes[i].most - z[i];
    gradient[i] += 1 / room;
    bands[0][i] += 1 / (room * room);
    if (i > 0) {
      const length = nodes[i].at - nodes[i - 1].at;
      const [a, b] = [Math.sqrt(z[i - 1]), Math.sqrt(z[i])];
      const w = (weight * length) / (a + b) ** 2;
      for (const [n, root] of [
        [i - 1, a],
        [i, b],
      ]) {
        gradient[n] -= w / root;
        bands[0][n] += (0.5 * w) / root ** 3 + w / (a + b) / (root * root);
      }
      bands[1][i - 1] += w / (a + b) / (a * b);
    }
    for (const { c, limit, isJerk } of rows[i]) {
      const value = c[0] * (z[i - 1] ?? 0) + c[1] * z[i] + c[2] * (z[i + 1] ?? 0);
      const bound = isJerk ? limit / Math.sqrt(z[i]) : limit;
      const fall = isJerk ? (-0.5 * bound) / z[i] : 0;
      if (isJerk) {
        gradient[i] -= 1 / z[i];
        bands[0][i] += 1 / (z[i] * z[i]);
      }
      for (const sign of [1, -1]) {
        const inverse = 1 / (bound - sign * value);
        const p = [-sign * c[0] * inverse, (fall - sign * c[1]) * inverse, -sign * c[2] * inverse];
        for (let a = 0; a < 3; a++) {
          const n = i - 1 + a;
          if (p[a] === 0) continue;
          gradient[n] -= p[a];
          for (let b = a; b < 3; b++) if (p[b] !== 0) bands[b - a][n] += p[a] * p[b];
        }
      }
    }
  }
  return { gradient, bands };
}

/** Solves a symmetric system with two diagonals above the main one. */
function solved([main, near, far]: Float64Array[], right: Float64Array): Float64Array {
  const n = right.length;
  const x = right.slice();
  for (let i = 0; i < n; i++)
    for (const [offset, band] of [near, far].entries()) {
      const row = i + 1 + offset;
      if (row >= n) continue;
      const factor = band[i] / main[i];
      x[row] -= factor * x[i];
      main[row] -= factor * band[i];
      if (offset === 0) near[row] -= factor * far[i];
    }
  for (let i = n - 1; i >= 0; i--)
    x[i] = (x[i] - (i + 1 < n ? near[i] * x[i + 1] : 0) - (i + 2 < n ? far[i] * x[i + 2] : 0)) / main[i];
  return x;
}
