import type { Trajectory } from './trajectory.ts';
import { TrajectoryCurve } from './trajectoryCurve.ts';

/** Relative to the length so far: maximum difference between two estimates of an interval. */
const LENGTH_TOLERANCE = 1e-10;
/**
 * Maximum depth of the bisection of a piece; where the motion reverses, its speed has a kink, to which the bisection
 * converges.
 */
const MAX_DEPTH = 40;

/** Gauss–Legendre quadrature with five points on [−1, 1]: exact for polynomials up to the ninth degree. */
const NODES = [0, 0.5384693101056831, -0.5384693101056831, 0.906179845938664, -0.906179845938664];
const WEIGHTS = [
  0.5688888888888889, 0.47862867049936647, 0.47862867049936647, 0.23692688505618908, 0.23692688505618908,
];

/** Returns the length in joint space (Euclidean, unweighted) of the polyline through the points. */
export function pathLength(path: readonly ArrayLike<number>[]): number {
  let length = 0;
  for (let i = 1; i < path.length; i++) {
    let square = 0;
    for (let j = 0; j < path[i].length; j++) square += (path[i][j] - path[i - 1][j]) ** 2;
    length += Math.sqrt(square);
  }
  return length;
}

/** Returns the length of a trajectory in joint space, ∫‖q̇‖ dt; that of the polyline if all segments are straight. */
export function trajectoryLength(trajectory: Trajectory): number {
  const curve = new TrajectoryCurve(trajectory);
  if (curve.straight) return pathLength(trajectory.points.map((point) => point.positions));
  const speed = new Speed(curve);
  let length = 0;
  for (let k = 0; k < curve.pieces; k++) {
    const [t0, t1] = [curve.times[k], curve.times[k + 1]];
    length += lengthBetween(speed, t0, t1, speed.integral(t0, t1), length, MAX_DEPTH);
  }
  return length;
}

/** Bisects the interval until the sum over both halves agrees with the estimate for the whole. */
function lengthBetween(speed: Speed, t0: number, t1: number, whole: number, before: number, depth: number): number {
  const middle = t0 + (t1 - t0) / 2;
  const first = speed.integral(t0, middle);
  const second = speed.integral(middle, t1);
  const sum = first + second;
  if (depth === 0 || Math.abs(sum - whole) <= LENGTH_TOLERANCE * (before + sum)) return sum;
  const half = lengthBetween(speed, t0, middle, first, before, depth - 1);
  return half + lengthBetween(speed, middle, t1, second, before + half, depth - 1);
}

/** The speed ‖q̇‖ along a curve. */
class Speed {
  private readonly velocity: Float64Array;

  constructor(private readonly curve: TrajectoryCurve) {
    this.velocity = new Float64Array(curve.dof);
  }

  /** Computes ∫‖q̇‖ dt over an interval within one piece by a single Gauss rule. */
  integral(t0: number, t1: number): number {
    const half = (t1 - t0) / 2;
    let sum = 0;
    for (let i = 0; i < NODES.length; i++) sum += WEIGHTS[i] * this.at(t0 + half * (1 + NODES[i]));
    return half * sum;
  }

  private at(t: number): number {
    this.curve.velocity(this.velocity, t);
    let square = 0;
    for (const v of this.velocity) square += v * v;
    return Math.sqrt(square);
  }
}
