import { create, type Transform } from '../../math/transform.ts';
import { Epa } from '../../narrowphase/depth/epa.ts';
import { Separation } from '../../narrowphase/solver.ts';
import type { CollisionModel } from '../collisionModel.ts';
import type { Interval } from '../intervalQueue.ts';
import { IN_COLLISION, PairProver, PROVED, type ProofRecorder } from '../pairProver.ts';
import { BOX_SIZE, PosedParts } from '../posedParts.ts';
import { CellBounds } from './cellBounds.ts';
import { CellMotion } from './cellMotion.ts';
import type { DyadicMotion } from './dyadicMotion.ts';

/**
 * Verdict of a cell: at every point of it the robots are separated, at every point in collision, or neither is proved.
 */
export type CellVerdict = 'free' | 'colliding' | 'undecided';

/** Relative gap of the depth bounds: the lower bound is compared with the motion within a cell. */
const DEPTH_GAP = 0.05;

/**
 * Decides cells of two robots: whether their pairs are separated, or one pair in collision, wherever each robot is in
 * its interval. A pair is separated if its gap at the middle exceeds what both robots can move it within the cell, or
 * if a direction separates it throughout (`CellBounds`); it is in collision if its penetration depth at the middle
 * exceeds that motion.
 */
export class CellProver {
  /** After `decide`, unless the cell is colliding: the pairs that are not proved separated, `openCount` entries. */
  readonly open: Int32Array;
  openCount = 0;
  private readonly posed: PosedParts;
  private readonly bounds: CellBounds;
  private readonly prover: PairProver;
  private readonly motion: CellMotion;
  private readonly interval: Interval = { start: -1, end: 1 };
  private readonly epa = new Epa({ relativeGap: DEPTH_GAP });
  private readonly separation = new Separation();
  private readonly T_b_a: Transform = create();

  /** @param model of a composite robot of two members, without obstacles */
  constructor(
    private readonly model: CollisionModel,
    motionA: DyadicMotion,
    motionB: DyadicMotion,
  ) {
    this.posed = new PosedParts(model);
    this.bounds = new CellBounds(this.posed);
    this.prover = new PairProver(this.posed, this.bounds);
    this.motion = new CellMotion(motionA, motionB);
    this.open = new Int32Array(model.pairCount);
  }

  /**
   * Decides a cell, given by an interval of each robot.
   * @param pairs that are not known to be separated throughout the cell
   * @param recorder receives the separating planes of the pairs that are proved, for the interval −1 … 1
   */
  decide(nodeA: number, nodeB: number, pairs: ArrayLike<number>, recorder?: ProofRecorder): CellVerdict {
    const { motion, bounds, prover, interval, open } = this;
    motion.select(nodeA, nodeB);
    bounds.evaluateInterval(motion, interval);
    let count = 0;
    for (let i = 0; i < pairs.length; i++) {
      const pair = pairs[i];
      const result = prover.check(pair, interval, recorder);
      if (result === PROVED) continue;
      open[count++] = pair;
      if (result === IN_COLLISION && this.collidesThroughout(pair)) {
        this.openCount = count;
        return 'colliding';
      }
    }
    this.openCount = count;
    return count === 0 ? 'free' : 'undecided';
  }

  /**
   * Returns true if the penetration depth of a pair at the middle, with the padding, exceeds its motion in the cell.
   */
  private collidesThroughout(pair: number): boolean {
    const { posed, model, separation, T_b_a, bounds } = this;
    const needed = bounds.displacement(pair) + bounds.margin - model.scene.padding;
    if (!(this.boxOverlap(pair) > needed)) return false;
    posed.relativePose(T_b_a, pair);
    this.epa.depth(separation, model.shapeOf(model.pairA[pair]), T_b_a, model.shapeOf(model.pairB[pair]));
    const { depth, distance } = separation;
    return depth.lower > 0 ? depth.lower > needed : distance.upper < -needed;
  }

  /**
   * An upper bound on the penetration depth of a pair: the least translation along an axis that separates their boxes.
   */
  private boxOverlap(pair: number): number {
    const { boxes } = this.posed;
    const a = BOX_SIZE * this.model.pairA[pair];
    const b = BOX_SIZE * this.model.pairB[pair];
    let least = Number.POSITIVE_INFINITY;
    for (let axis = 0; axis < 3; axis++) {
      least = Math.min(least, boxes[a + axis + 3] - boxes[b + axis], boxes[b + axis + 3] - boxes[a + axis]);
    }
    return least;
  }
}
