import { PoseRounding } from '../../kinematics/poseRounding.ts';
import type { Configuration } from '../../math/configuration.ts';
import type { CollisionModel } from '../model/collisionModel.ts';
import type { CubicMotion } from '../motions/motion.ts';

/**
 * Metres: maximum displacement of a part between a state of a motion and the nearest state of a certified motion. The
 * proof of the latter leaves a gap of three quarters of a nanometre beyond the padding (docs/proof.md).
 */
export const MAX_DISPLACEMENT = 5e-10;
/**
 * Relative to the terms that are summed to the positions of a joint: bound on the rounding errors of its deviation, and
 * of the coefficients. Fewer than 64 roundings of half a unit in the last place are added.
 */
const ROUNDING = 32 * Number.EPSILON;
/** Coefficients of each joint of a cubic. */
const SIZE = 4;

/**
 * Decides whether a cubic stays on a straight edge, except for rounding errors: then the proof of the edge is a proof
 * of the cubic.
 *
 * With P and D the start of the edge and its displacement, m the joint that moves farthest, and cₖ the coefficients of
 * the cubic: the state of the edge at s(u) = (q_m(u) − P_m) / D_m has the same value of joint m as the cubic at u, and
 * the other joints deviate from it by at most
 *   |c₀ⱼ − P_j − r_j (c₀ₘ − P_m)| + Σₖ |cₖⱼ − r_j cₖₘ| Tᵏ,   r_j = D_j / D_m,   k = 1, 2, 3.
 * If s leaves [0, 1] by ε / |D_m|, the nearer end of the edge is as near, up to ε in each joint, since |r_j| <= 1.
 */
export class EdgeCover {
  private readonly rounding: PoseRounding;
  private readonly extent: number;
  private readonly deviation: Float64Array;
  private readonly reached: Float64Array;

  constructor({ robot, partExtent }: Pick<CollisionModel, 'robot' | 'partExtent'>) {
    this.rounding = new PoseRounding(robot);
    this.extent = 2 * partExtent;
    this.deviation = new Float64Array(robot.dof);
    this.reached = new Float64Array(robot.dof);
  }

  /**
   * Returns true if at every instant of the cubic no point of the robot is farther than half a nanometre from where it
   * is in some state of the edge, relative to every other part. False if an end of the edge is not finite.
   */
  contains(qFrom: Configuration, qTo: Configuration, cubic: CubicMotion): boolean {
    const { deviation, reached, rounding } = this;
    const { coefficients: c, start, end, dof, terms } = cubic;
    const T = (end - start) * (1 + 2 * Number.EPSILON);
    const m = farthestJoint(qFrom, qTo);
    const way = qTo[m] - qFrom[m];
    if (qFrom.length !== dof || qTo.length !== dof || way === 0) return false;
    const a = SIZE * m;
    const beyond = excess(c, a, T, qFrom[m], qTo[m]) + ROUNDING * (terms[m] + Math.abs(qFrom[m]) + Math.abs(qTo[m]));
    for (let j = 0; j < dof; j++) {
      const b = SIZE * j;
      const ratio = (qTo[j] - qFrom[j]) / way;
      const offset = Math.abs(c[b] - qFrom[j] - ratio * (c[a] - qFrom[m]));
      const bent =
        T *
        (Math.abs(c[b + 1] - ratio * c[a + 1]) +
          T * (Math.abs(c[b + 2] - ratio * c[a + 2]) + T * Math.abs(c[b + 3] - ratio * c[a + 3])));
      const larger = Math.max(Math.abs(qFrom[j]), Math.abs(qTo[j]));
      deviation[j] = j === m ? beyond : offset + bent + beyond + ROUNDING * (terms[j] + larger);
      reached[j] = larger + deviation[j];
    }
    rounding.reach(reached);
    return rounding.moved(deviation, this.extent) <= MAX_DISPLACEMENT;
  }
}

/** Returns the index of the joint that moves farthest. */
function farthestJoint(qFrom: Configuration, qTo: Configuration): number {
  let farthest = 0;
  for (let j = 1; j < qFrom.length; j++)
    if (Math.abs(qTo[j] - qFrom[j]) > Math.abs(qTo[farthest] - qFrom[farthest])) farthest = j;
  return farthest;
}

/**
 * Returns a bound on how far one joint of a cubic leaves the values between `from` and `to`: a Bézier curve lies within
 * the convex hull of its control points.
 */
function excess(c: Float64Array, a: number, T: number, from: number, to: number): number {
  const low = Math.min(from, to);
  const high = Math.max(from, to);
  const first = c[a];
  const second = first + (T / 3) * c[a + 1];
  const third = first + (T / 3) * (2 * c[a + 1] + T * c[a + 2]);
  const last = first + T * (c[a + 1] + T * (c[a + 2] + T * c[a + 3]));
  const above = Math.max(first, second, third, last) - high;
  const below = low - Math.min(first, second, third, last);
  return Math.max(0, above, below);
}
