import type { Vec3 } from '../../math/vec3.ts';
import type { TimeRectangle } from '../../planning/coordination/freeRectangles.ts';
import type { SeparationTimes } from '../bounds/chainBounds.ts';
import { MotionBounds } from '../bounds/motionBounds.ts';
import type { CollisionModel } from '../model/collisionModel.ts';
import { PosedParts } from '../model/posedParts.ts';
import { PairProver, PROVED, type ProofRecorder } from '../motions/pairProver.ts';
import { CellMotion } from './cellMotion.ts';
import type { DyadicMotion } from './dyadicMotion.ts';
import { WHOLE } from './memberIntervals.ts';

/** Receives a rectangle of times and a direction (unit, from A to B, in the frame of B) that separates a pair in it. */
export type PlaneVisitor = (rectangle: TimeRectangle, nx: number, ny: number, nz: number) => void;

/** Bisections of each side of a cell after which no plane is expected to be found. */
const MAX_DEPTH = 20;
/** Relative gap of the bounds on distances: looser bounds may leave nothing of a distance beyond the padding. */
const RELATIVE_GAP = 1e-6;

/**
 * Finds the separating planes of pairs in cells. A plane of a certificate is fixed in the frame of part B, which may
 * turn within a cell that a direction fixed in the world proves: such cells are bisected.
 */
export class CellPlanes implements ProofRecorder {
  readonly takesKnownPlanes = true;
  private readonly bounds: CellBounds;
  private readonly prover: PairProver;
  private readonly motion: CellMotion;
  private visit: PlaneVisitor | undefined;
  private rectangle: TimeRectangle = [0, 0, 0, 0];

  /** @param model of a composite robot of two members, without obstacles */
  constructor(
    model: CollisionModel,
    private readonly motionA: DyadicMotion,
    private readonly motionB: DyadicMotion,
  ) {
    const posed = new PosedParts(model);
    this.bounds = new CellBounds(posed);
    this.prover = new PairProver(posed, this.bounds, RELATIVE_GAP);
    this.motion = new CellMotion(motionA, motionB);
  }

  /** Visits planes of a pair that cover a cell, given by an interval of each robot, in which it is separated. */
  find(pair: number, nodeA: number, nodeB: number, visit: PlaneVisitor, depth = 2 * MAX_DEPTH): void {
    const { motionA, motionB, motion, bounds, prover } = this;
    motion.select(nodeA, nodeB);
    bounds.evaluateInterval(motion, WHOLE);
    this.visit = visit;
    this.rectangle = [motionA.from[nodeA], motionA.to[nodeA], motionB.from[nodeB], motionB.to[nodeB]];
    if (prover.check(pair, WHOLE, this) === PROVED || depth === 0) return;
    const isA = motionA.length(nodeA) >= motionB.length(nodeB);
    const half = isA ? motionA.bisect(nodeA) : motionB.bisect(nodeB);
    for (const next of [half, half + 1]) this.find(pair, isA ? next : nodeA, isA ? nodeB : next, visit, depth - 1);
  }

  record(_pair: number, from: number, to: number, nx: number, ny: number, nz: number): void {
    if (from > -1 || to < 1) return; // a part of the cell only
    this.visit?.(this.rectangle, nx, ny, nz);
  }
}

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
class CellBounds extends MotionBounds {
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
