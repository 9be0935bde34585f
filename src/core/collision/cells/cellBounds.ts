import type { Vec3 } from '../../math/vec3.ts';
import { MotionBounds } from '../bounds/motionBounds.ts';
import type { SeparationTimes } from '../bounds/separationTimes.ts';

/**
 * Bounds on the relative motion of two robots while each is anywhere in an interval of a motion of its own: a cell, a
 * rectangle of two times. The robots are the members of a composite robot, and every pair has a part of each.
 *
 * With σ and τ in [−1, 1] the position in the two intervals, the middle of the cell at (0, 0), every point of the cell
 * is the end of a straight line from the middle. Along it the joints move by σ and τ times their motions at most, so
 * `speed` and `acceleration` of the interval −1 … 1 bound those along every line (`CellMotion` scales rates by half the
 * width of each interval). The part of first order of the approach along a direction,
 *   n·(V + Ω × c) + max n·(Ω × r),   (Ω, V) = σ (Ω_A, V_A) − τ (Ω_B, V_B),
 * is convex in (σ, τ): its maximum over the cell is at a vertex. The vertices (±1, ±1) are both ends of the interval of
 * a motion with the relative twist A − B, the vertices (±1, ∓1) those of one with A + B.
 */
export class CellBounds extends MotionBounds {
  /**
   * Computes `before` and `after` = 1 or more if a direction fixed in the frame of B separates the pair throughout the
   * cell; otherwise at least one of them is less than 1.
   */
  override computeSeparationTimes(out: SeparationTimes, pair: number, n: Vec3): void {
    super.computeSeparationTimes(out, pair, n);
    const { half } = this.rates;
    if (!(out.before >= half && out.after >= half)) return;
    const { model } = this.posed;
    this.twists.sum(this.twist, model.robotParts[model.pairA[pair]].link, model.robotParts[model.pairB[pair]].link);
    this.computeTimesOfTwist(out, pair, n);
  }
}
