import { PoseRounding } from '../../kinematics/poseRounding.ts';
import type { Configuration } from '../../math/configuration.ts';
import type { CollisionModel } from '../model/collisionModel.ts';
import type { PosedParts } from '../model/posedParts.ts';
import { CubicMotion, type Motion } from '../motions/motion.ts';
import type { EdgeProofs } from '../validators/certifiedMotionValidator.ts';

/** Number of certified edges, from the last one used on, that are compared with a motion. */
const NEXT_EDGES = 4;

/**
 * Finds the motions of a trajectory along a path that are proved collision-free by certified edges of that path, or by
 * certified blends.
 */
export class PathProofs {
  private readonly from: Configuration[] = [];
  private readonly to: Configuration[] = [];

  /**
   * @param proofs of the validator that certified edges of the path
   * @param path waypoints, as the trajectory passes them; copied
   * @param blends cubics that were certified while blends were fitted
   */
  constructor(
    private readonly proofs: EdgeProofs,
    path: readonly Configuration[],
    private readonly blends?: CubicProofs,
  ) {
    for (let i = 1; i < path.length; i++) {
      if (!proofs.has(path[i - 1], path[i])) continue;
      this.from.push(Float64Array.from(path[i - 1]));
      this.to.push(Float64Array.from(path[i]));
    }
  }

  /**
   * Returns the test whether a motion is proved; called for the motions in the order of the path. The proofs are those
   * of the padding and the obstacles of a check, or none is used.
   */
  coverage(posed: PosedParts, padding: number): (motion: Motion) => boolean {
    const { from, to, proofs, blends } = this;
    const cover = new EdgeCover(posed.model);
    let next = 0;
    return (motion) => {
      if (!(motion instanceof CubicMotion)) return false;
      if (blends?.holdsFor(posed, padding) && blends.proves(motion)) return true;
      if (!proofs.holdsFor(posed, padding)) return false;
      for (let i = next; i < Math.min(next + NEXT_EDGES, from.length); i++) {
        if (!cover.contains(from[i], to[i], motion)) continue;
        next = i;
        return true;
      }
      return false;
    };
  }
}

/**
 * Metres: maximum displacement of a part between a state of a motion and the nearest state of a certified motion. The
 * proof of the latter leaves a gap of three quarters of a nanometre beyond the padding (docs/proof.md).
 */
const MAX_DISPLACEMENT = 5e-10;
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

/** Maximum number of stored cubics; beyond it the older half is dropped. */
const MOST_CUBICS = 1024;
/** Radians or metres: cubics are different if the starts of their first joints differ by more; checked first. */
const SAME_START = 1e-6;

/**
 * Cubics that one prover has certified. The proof of a cubic also holds for that cubic at another speed, except for
 * rounding errors. The proofs hold for the poses of the obstacles, the collision pairs and the padding that the prover
 * uses; `holdsFor` compares them with those of another proof.
 *
 * Joint j of a cubic of duration T differs from that of a stored one of duration S, at the same fraction of both, by at
 * most Σₖ |cₖⱼ Tᵏ − pₖⱼ Sᵏ|, k = 0 … 3.
 */
export class CubicProofs {
  private cubics: CubicMotion[] = [];
  /** Index of the stored cubic that is compared first: the one after the last match. */
  private next = 0;
  private readonly generation: number;
  private readonly rounding: PoseRounding;
  private readonly extent: number;
  private readonly deviation: Float64Array;
  private readonly reached: Float64Array;

  /**
   * @param posed parts and obstacles of the prover
   * @param padding of the prover, metres
   */
  constructor(
    private readonly posed: PosedParts,
    private readonly padding: number,
  ) {
    const { robot, partExtent } = posed.model;
    this.generation = posed.generation;
    this.rounding = new PoseRounding(robot);
    this.extent = 2 * partExtent;
    this.deviation = new Float64Array(robot.dof);
    this.reached = new Float64Array(robot.dof);
  }

  /** Returns true if the stored proofs are proofs for these parts, with obstacles where they are now, and padding. */
  holdsFor(posed: PosedParts, padding: number): boolean {
    return posed === this.posed && posed.generation === this.generation && padding === this.padding;
  }

  /** Stores a certified motion if it is a cubic; copies it. Ignored if an obstacle was moved since construction. */
  add(motion: Motion): void {
    if (!(motion instanceof CubicMotion) || this.posed.generation !== this.generation) return;
    const { start, end, coefficients, terms } = motion;
    if (this.cubics.length === MOST_CUBICS) this.cubics = this.cubics.slice(MOST_CUBICS / 2);
    this.cubics.push(new CubicMotion(start, end, coefficients.slice(), terms.slice()));
  }

  /** Returns true if a stored cubic proves the motion. */
  proves(motion: Motion): boolean {
    const { cubics } = this;
    if (!(motion instanceof CubicMotion)) return false;
    for (let i = 0; i < cubics.length; i++) {
      const at = (this.next + i) % cubics.length;
      if (!this.isSame(motion, cubics[at])) continue;
      this.next = at + 1;
      return true;
    }
    return false;
  }

  /**
   * Returns true if at every fraction of both motions no point of the robot is farther than `MAX_DISPLACEMENT` from
   * where it is in the stored one, relative to every other part; false if a number is not finite.
   */
  private isSame(cubic: CubicMotion, stored: CubicMotion): boolean {
    const { deviation, reached, rounding } = this;
    const { coefficients: c, dof } = cubic;
    const { coefficients: p } = stored;
    if (dof !== deviation.length || stored.dof !== dof || !(Math.abs(c[0] - p[0]) < SAME_START)) return false;
    const T = cubic.end - cubic.start;
    const S = stored.end - stored.start;
    for (let j = 0; j < dof; j++) {
      const k = SIZE * j;
      const largest = Math.max(cubic.terms[j], stored.terms[j]);
      deviation[j] =
        Math.abs(c[k] - p[k]) +
        Math.abs(T * c[k + 1] - S * p[k + 1]) +
        Math.abs(T * T * c[k + 2] - S * S * p[k + 2]) +
        Math.abs(T * T * T * c[k + 3] - S * S * S * p[k + 3]) +
        ROUNDING * (cubic.terms[j] + stored.terms[j]);
      reached[j] = largest + deviation[j];
    }
    rounding.reach(reached);
    return rounding.moved(deviation, this.extent) <= MAX_DISPLACEMENT;
  }
}
