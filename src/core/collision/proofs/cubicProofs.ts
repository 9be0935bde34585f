import { PoseRounding } from '../../kinematics/poseRounding.ts';
import type { PosedParts } from '../model/posedParts.ts';
import { CubicMotion, type Motion } from '../motions/motion.ts';
import { MAX_DISPLACEMENT } from './edgeCover.ts';

/** Maximum number of stored cubics; beyond it the older half is dropped. */
const MOST_CUBICS = 1024;
/**
 * Relative to the terms whose sums are the positions of a joint in both cubics: bound on the rounding errors of the
 * deviation and of the coefficients. Fewer than 64 roundings of half a unit in the last place are added.
 */
const ROUNDING = 32 * Number.EPSILON;
/** Coefficients of each joint of a cubic. */
const SIZE = 4;
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
