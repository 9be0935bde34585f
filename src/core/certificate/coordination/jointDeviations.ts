import { UNIT_ROUNDOFF } from '../../kinematics/poseRounding.ts';
import type { RobotModel } from '../../kinematics/robotModel.ts';
import type { Transform } from '../../math/transform.ts';
import { linkPoses } from '../linkPoses.ts';
import { type JointRates, type MotionPiece, pieceAt } from '../motionPieces.ts';

/** Coefficients per joint. */
const SIZE = 6;
/** Rounding error of a joint value and of its deviation from a line, relative to the sum of its terms. */
const SLACK = 256 * UNIT_ROUNDOFF;
/** Maximum number of cached intervals, about a kilobyte each; then the cache is cleared. */
const CACHE_LIMIT = 20_000;

/**
 * Joint values of one robot over an interval, by their deviation from straight lines: with s in [−1, 1] the position in
 * the interval,  q(s) = q(0) + s v + e(s),  |e| <= E. `rates` has q(0) as position, v as velocity, |v| + E as speed,
 * and 2E as acceleration: a motion of constant acceleration 2E deviates by E at the end. No continuity of velocities
 * is needed, so an interval may contain any number of pieces.
 */
export interface JointDeviations {
  readonly rates: JointRates;
  readonly T_world_link: readonly Transform[];
  /** Sum of all speeds: the longer of two intervals is the one to bisect. */
  readonly length: number;
}

/** Deviations of the joints of one robot along its motion, cached by interval. */
export class DeviationCache {
  private readonly cache = new Map<number, Map<number, JointDeviations>>();
  private count = 0;

  /** @param pieces of the motion of the robot, from time 0 on, without gaps */
  constructor(
    private readonly robot: RobotModel,
    private readonly pieces: readonly MotionPiece[],
  ) {}

  /** Returns the deviations over [begin, end], which is within the motion. */
  over(begin: number, end: number): JointDeviations {
    const found = this.cache.get(begin)?.get(end);
    if (found !== undefined) return found;
    if (this.count++ >= CACHE_LIMIT) {
      this.cache.clear();
      this.count = 1;
    }
    const rates = this.deviations(begin, end);
    const length = rates.speed.reduce((sum, speed) => sum + speed, 0);
    const one = { rates, T_world_link: linkPoses(this.robot, rates.position), length };
    const byEnd = this.cache.get(begin) ?? new Map<number, JointDeviations>();
    this.cache.set(begin, byEnd.set(end, one));
    return one;
  }

  private deviations(begin: number, end: number): JointRates {
    const { robot, pieces } = this;
    const middle = begin + 0.5 * (end - begin);
    const half = Math.max(middle - begin, end - middle) * (1 + 4 * UNIT_ROUNDOFF);
    const [from, to] = [this.positionsAt(begin), this.positionsAt(end)];
    const position = this.positionsAt(middle);
    const slopes = position.map((_, j) => (end > begin ? (to[j] - from[j]) / (end - begin) : 0));
    const velocity = slopes.map((slope) => slope * half);
    const acceleration = new Float64Array(robot.dof);
    for (let i = pieceAt(pieces, begin); i < pieces.length && pieces[i].start <= end; i++) {
      const { start, end: last, coefficients, terms } = pieces[i];
      const u0 = Math.max(begin, start) - start;
      const u1 = Math.max(u0, Math.min(end, last) - start);
      for (let j = 0; j < robot.dof; j++) {
        const slope = slopes[j];
        const atStart = position[j] + slope * (start - middle);
        const most = deviation(coefficients, SIZE * j, u0, u1, atStart, slope) + SLACK * terms[j];
        acceleration[j] = Math.max(acceleration[j], 2 * most);
      }
    }
    const speed = velocity.map((v, j) => Math.abs(v) + 0.5 * acceleration[j]);
    return { position, velocity, speed, acceleration };
  }

  private positionsAt(t: number): Float64Array {
    const { start, end, coefficients: c } = this.pieces[pieceAt(this.pieces, t)];
    const u = Math.min(t, end) - start;
    return Float64Array.from({ length: this.robot.dof }, (_, j) => valueAt(c, SIZE * j, u));
  }
}

const valueAt = (c: Float64Array, k: number, u: number): number =>
  c[k] + u * (c[k + 1] + u * (c[k + 2] + u * (c[k + 3] + u * (c[k + 4] + u * c[k + 5]))));

/**
 * Returns a bound on |p(u) − (line + slope u)| for u0 <= u <= u1, by the (finite) Taylor series of the polynomial p
 * about the middle: the part of first order is extreme at the ends, the others are at most |p_k| h^k.
 */
function deviation(c: Float64Array, k: number, u0: number, u1: number, line: number, slope: number): number {
  const u = 0.5 * (u0 + u1);
  const h = 0.5 * (u1 - u0);
  const d0 = valueAt(c, k, u) - (line + slope * u);
  const d1 = c[k + 1] + u * (2 * c[k + 2] + u * (3 * c[k + 3] + u * (4 * c[k + 4] + u * 5 * c[k + 5]))) - slope;
  const d2 = c[k + 2] + u * (3 * c[k + 3] + u * (6 * c[k + 4] + u * 10 * c[k + 5]));
  const d3 = c[k + 3] + u * (4 * c[k + 4] + u * 10 * c[k + 5]);
  const d4 = c[k + 4] + u * 5 * c[k + 5];
  const [a1, a2, a3, a4, a5] = [d1, d2, d3, d4, c[k + 5]].map(Math.abs);
  return Math.abs(d0) + h * (a1 + h * (a2 + h * (a3 + h * (a4 + h * a5))));
}
