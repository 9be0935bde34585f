import type { CollisionModel } from '../model/collisionModel.ts';
import { PosedParts } from '../model/posedParts.ts';
import { CellMotion } from './cellMotion.ts';
import { CellSeparation, HIT, HIT_THROUGHOUT, SEPARATED } from './cellSeparation.ts';
import type { DyadicMotion } from './dyadicMotion.ts';
import { MemberIntervals, PART_SIZE, PartMotionBounds, WHOLE } from './memberIntervals.ts';

/**
 * Verdict of a cell: at every point of it the robots are separated, at every point in collision, or neither is proved.
 */
export type CellVerdict = 'free' | 'colliding' | 'undecided';

/**
 * Decides cells of two robots: whether their pairs are separated, or one pair in collision, wherever each robot is in
 * its interval (`CellSeparation`).
 */
export class CellProver {
  /** After `decide`, unless the cell is colliding: the pairs that are not proved separated, `openCount` entries. */
  readonly open: Int32Array;
  openCount = 0;
  private readonly first: MemberIntervals;
  private readonly second: MemberIntervals;
  private readonly separation: CellSeparation;
  /** By pair: 1 if its part A is one of the first robot; offset of the numbers of its parts. */
  private readonly isFirstA: Uint8Array;
  private readonly slotA: Int32Array;
  private readonly slotB: Int32Array;

  /**
   * @param model of a composite robot of two members, without obstacles
   * @param isFirst by robot part of the model: whether it belongs to the first robot
   */
  constructor(model: CollisionModel, motionA: DyadicMotion, motionB: DyadicMotion, isFirst: readonly boolean[]) {
    const bounds = new PartMotionBounds(new PosedParts(model));
    const motion = new CellMotion(motionA, motionB);
    const partsOf = (first: boolean) => [...isFirst.keys()].filter((part) => isFirst[part] === first);
    const members = [partsOf(true), partsOf(false)];
    this.first = new MemberIntervals(bounds, motion, members[0], true);
    this.second = new MemberIntervals(bounds, motion, members[1], false);
    motion.select(0, 0);
    bounds.evaluateInterval(motion, WHOLE); // whose margin holds for all cells
    this.separation = new CellSeparation(model, bounds.margin);
    this.open = new Int32Array(model.pairCount);
    const slotOf = (part: number) => PART_SIZE * members[isFirst[part] ? 0 : 1].indexOf(part);
    this.isFirstA = Uint8Array.from(model.pairA, (part) => Number(isFirst[part]));
    this.slotA = Int32Array.from(model.pairA, slotOf);
    this.slotB = Int32Array.from(model.pairB, slotOf);
  }

  /**
   * Decides a cell, given by an interval of each robot.
   * @param pairs from index `from` up to `to`: those that are not known to be separated throughout the cell, the ones
   *   that are likely to collide first
   */
  decide(nodeA: number, nodeB: number, pairs: Int32Array, from: number, to: number): CellVerdict {
    const { open, separation, isFirstA, slotA, slotB } = this;
    const ofFirst = this.first.evaluate(nodeA);
    const ofSecond = this.second.evaluate(nodeB);
    const { values: first } = this.first;
    const { values: second } = this.second;
    let count = 0;
    for (let i = from; i < to; i++) {
      const pair = pairs[i];
      const isFirst = isFirstA[pair] === 1;
      const result = separation.check(
        pair,
        isFirst ? first : second,
        slotA[pair] + (isFirst ? ofFirst : ofSecond),
        isFirst ? second : first,
        slotB[pair] + (isFirst ? ofSecond : ofFirst),
        count > 0,
      );
      if (result === SEPARATED) continue;
      open[count++] = pair;
      if (result === HIT_THROUGHOUT) {
        this.openCount = count;
        return 'colliding';
      }
      if (result === HIT) {
        open[count - 1] = open[0];
        open[0] = pair;
      }
    }
    this.openCount = count;
    return count === 0 ? 'free' : 'undecided';
  }
}
