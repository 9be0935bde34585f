import type { Trajectory } from './trajectory.ts';
import { TrajectoryCurve } from './trajectoryCurve.ts';

/** Relative to the length so far: what two estimates of a stretch may differ by. */
const LENGTH_TOLERANCE = 1e-10;
/** Halvings of a piece; where the motion turns back its speed has a kink, which halving closes in on. */
const DEEPEST = 40;

/** Gauss–Legendre with five points on [−1, 1]: exact for polynomials up to the ninth degree. */
const NODES = [0, 0.5384693101056831, -0.5384693101056831, 0.906179845938664, -0.906179845938664];
const WEIGHTS = [
  0.5688888888888889, 0.47862867049936647, 0.47862867049936647, 0.23692688505618908, 0.23692688505618908,
];

/** Length in joint space (Euclidean, all joints alike) of the polyline through the points. */
export function pathLength(path: readonly ArrayLike<number>[]): number {
  let length = 0;
  for (let i = 1; i < path.length; i++) {
    let square = 0;
    for (let j = 0; j < path[i].length; j++) square += (path[i][j] - path[i - 1][j]) ** 2;
    length += Math.sqrt(square);
  }
  return length;
}

/** Length in joint space of the curve that a motion runs along: ∫‖q̇‖ dt, and of the polyline where it is straight. */
export function trajectoryLength(trajectory: Trajectory): number {
  const curve = new TrajectoryCurve(trajectory);
  if (curve.straight) return pathLength(trajectory.points.map((point) => point.positions));
  const speed = new Speed(curve);
  let length = 0;
  for (let k = 0; k < curve.pieces; k++) {
    const [t0, t1] = [curve.times[k], curve.times[k + 1]];
    length += lengthBetween(speed, t0, t1, speed.integral(t0, t1), length, DEEPEST);
  }
  return length;
}

/** Halves the stretch until both halves together say what the whole said. */
function lengthBetween(speed: Speed, t0: number, t1: number, whole: number, before: number, depth: number): number {
  const middle = t0 + (t1 - t0) / 2;
  const first = speed.integral(t0, middle);
  const second = speed.integral(middle, t1);
  const sum = first + second;
  if (depth === 0 || Math.abs(sum - whole) <= LENGTH_TOLERANCE * (before + sum)) return sum;
  const half = lengthBetween(speed, t0, middle, first, before, depth - 1);
  return half + lengthBetween(speed, middle, t1, second, before + half, depth - 1);
}

class Speed {
  private readonly velocity: Float64Array;

  constructor(private readonly curve: TrajectoryCurve) {
    this.velocity = new Float64Array(curve.dof);
  }

  /** ∫‖q̇‖ dt over a stretch within one piece, by one Gauss rule. */
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
