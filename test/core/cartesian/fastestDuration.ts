import type { CartesianLeg } from '../../../src/core/cartesian/cartesianLeg.ts';
import type { MotionLimits } from '../../../src/core/trajectory/trajectory.ts';
import type { ChainOracle } from './chainOracle.ts';

/**
 * Least duration of a motion from rest to rest along a leg within velocity and acceleration limits, of the joint path
 * that begins at q: by reachability on a fine grid of s, for x = ṡ² with q̇ = q′ ṡ and q̈ = q′ s̈ + q″ ṡ². Independent
 * of the sources. Undefined if the path is not followed to its end.
 */
export function fastestDuration(
  chain: ChainOracle,
  leg: CartesianLeg,
  start: ArrayLike<number>,
  { velocity, acceleration }: Pick<MotionLimits, 'velocity' | 'acceleration'>,
  intervals = 1000,
): number | undefined {
  const path = jointPath(chain, leg, start, intervals);
  if (!path) return undefined;
  const h = 1 / intervals;
  const dof = start.length;
  const at = (i: number) => path[Math.min(intervals, Math.max(0, i))];
  const slope = (i: number) => {
    const [a, b] = [Math.max(0, i - 1), Math.min(intervals, i + 1)];
    return Array.from({ length: dof }, (_, j) => (at(b)[j] - at(a)[j]) / ((b - a) * h));
  };
  const bend = (i: number) => {
    const k = Math.min(intervals - 1, Math.max(1, i));
    return Array.from({ length: dof }, (_, j) => (at(k + 1)[j] - 2 * at(k)[j] + at(k - 1)[j]) / (h * h));
  };
  const slopes = path.map((_, i) => slope(i));
  const bends = path.map((_, i) => bend(i));
  const isMoving = (i: number, j: number) => Math.abs(slopes[i][j]) > 1e-12;
  /** Range of s̈ at grid point i for x = ṡ²; empty if the first exceeds the second. */
  const range = (i: number, x: number): [number, number] => {
    let [low, high] = [Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY];
    for (let j = 0; j < dof; j++) {
      const [p, b, a] = [slopes[i][j], bends[i][j] * x, acceleration[j]];
      if (!isMoving(i, j)) {
        if (Math.abs(b) > a) return [1, 0];
        continue;
      }
      const [one, two] = [(-a - b) / p, (a - b) / p];
      low = Math.max(low, Math.min(one, two));
      high = Math.min(high, Math.max(one, two));
    }
    return [low, high];
  };
  const top = (i: number) =>
    Math.min(...slopes[i].map((p, j) => (Math.abs(p) > 1e-12 ? (velocity[j] / p) ** 2 : Number.MAX_VALUE)));

  // Backward: the largest x from which rest at the end can be reached; by bisection, as such x form an interval.
  const reachable = new Float64Array(intervals + 1);
  for (let i = intervals - 1; i >= 0; i--) {
    const isFeasible = (x: number) => {
      const [low, high] = range(i, x);
      const most = Math.min(high, (reachable[i + 1] - x) / (2 * h));
      return low <= most && most >= -x / (2 * h) - 1e-12;
    };
    let [no, yes] = [Math.min(top(i), 1e6), 0];
    if (isFeasible(no)) yes = no;
    for (let step = 0; step < 60 && no - yes > 1e-13 * no; step++) {
      const middle = (no + yes) / 2;
      if (isFeasible(middle)) yes = middle;
      else no = middle;
    }
    reachable[i] = yes;
  }
  // Forward: as fast as possible.
  let x = 0;
  let duration = 0;
  for (let i = 0; i < intervals; i++) {
    const [, high] = range(i, x);
    const next = Math.max(0, Math.min(x + 2 * h * high, reachable[i + 1]));
    duration += (2 * h) / (Math.sqrt(x) + Math.sqrt(next));
    x = next;
  }
  return Number.isFinite(duration) ? duration : undefined;
}

function jointPath(chain: ChainOracle, leg: CartesianLeg, start: ArrayLike<number>, intervals: number) {
  const path: Float64Array[] = [];
  const T = new Float64Array(12);
  const q = Float64Array.from(start);
  for (let i = 0; i <= intervals; i++) {
    leg.poseAt(T, i / intervals);
    if (chain.correct(q, T, 20, 0, 1e-11) > 1e-8) return undefined;
    path.push(q.slice());
  }
  return path;
}
