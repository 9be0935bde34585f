import type { MotionBounds } from '../bounds/motionBounds.ts';
import { BOX_SIZE, type PosedParts } from './posedParts.ts';

/**
 * Broad phase: finds the pairs of a group (all pairs of one part A) whose world boxes are near each other, by the tree
 * over the boxes of the obstacles if there is one.
 */
export class NearPairs {
  /** Result: the pairs found, `pairs[0]` … `pairs[count − 1]`; those with obstacles first. */
  readonly pairs: Int32Array;
  count = 0;
  /** By group: its first pair with a part of another robot or of a moving obstacle; these come last in the group. */
  readonly othersStart: Int32Array;
  /** Parts of other robots and of moving obstacles, and how far they can move; see `setReaches`. */
  private readonly others: readonly number[];
  private readonly reaches: Float64Array;

  constructor(private readonly posed: PosedParts) {
    const { groupStart, selfStart, pairB, robotParts, robot } = posed.model;
    this.othersStart = selfStart.map((start, group) => {
      let first = groupStart[group + 1];
      while (first > start && robot.others?.has(robotParts[pairB[first - 1]].name) === true) first--;
      return first;
    });
    this.others = robotParts.flatMap(({ name }, part) => (robot.others?.has(name) ? [part] : []));
    this.reaches = new Float64Array(robotParts.length);
    const sizes = groupStart.subarray(1).map((end, group) => end - groupStart[group]);
    this.pairs = new Int32Array(sizes.reduce((max, size) => Math.max(max, size), 0));
  }

  /**
   * Finds the pairs of a group whose boxes are not proved to be more than `reach` metres apart along an axis; NaN
   * coordinates: every pair.
   */
  find(group: number, reach: number): void {
    const { groupPart, groupStart, selfStart } = this.posed.model;
    const { tree } = this.posed;
    this.count = 0;
    if (tree) this.query(groupPart[group], reach);
    this.scan(groupPart[group], tree ? selfStart[group] : groupStart[group], groupStart[group + 1], reach);
  }

  /** As `find`, but only pairs with obstacles. */
  findObstacles(group: number, reach: number): void {
    const { groupPart, groupStart, selfStart } = this.posed.model;
    this.count = 0;
    if (this.posed.tree) this.query(groupPart[group], reach);
    else this.scan(groupPart[group], groupStart[group], selfStart[group], reach);
  }

  /**
   * Visits the pairs that may come near each other within a time before or after the pose: all self-collision pairs,
   * and those obstacles, moving objects and links of other robots whose boxes a part may reach.
   * @param required distance that counts as near, metres
   */
  visitAll(bounds: MotionBounds, time: number, required: number, visit: (pair: number) => void): void {
    const { groupPart, groupStart, selfStart } = this.posed.model;
    this.setReaches(bounds, time);
    for (let group = 0; group < groupPart.length; group++) {
      const first = groupStart[group];
      if (selfStart[group] > first) {
        this.findObstacles(group, bounds.speed(first) * time + required);
        for (let i = 0; i < this.count; i++) visit(this.pairs[i]);
      }
      const othersStart = this.othersStart[group];
      for (let pair = selfStart[group]; pair < othersStart; pair++) visit(pair);
      if (othersStart === groupStart[group + 1]) continue;
      this.findOthers(group, bounds.speedOfPart(groupPart[group]) * time + required);
      for (let i = 0; i < this.count; i++) visit(this.pairs[i]);
    }
  }

  /** Computes how far parts of other robots and of moving obstacles can move within a time before or after the pose. */
  setReaches(bounds: MotionBounds, time: number): void {
    for (const part of this.others) this.reaches[part] = bounds.speedOfPart(part) * time;
  }

  /**
   * As `find`, but only pairs with parts of other robots and of moving obstacles, whose own reach is added to `reach`.
   */
  findOthers(group: number, reach: number): void {
    const { pairs, othersStart, reaches } = this;
    const { boxes, model } = this.posed;
    const { pairB, groupPart, groupStart } = model;
    const a = BOX_SIZE * groupPart[group];
    this.count = 0;
    for (let pair = othersStart[group]; pair < groupStart[group + 1]; pair++) {
      const b = BOX_SIZE * pairB[pair];
      const most = reach + reaches[pairB[pair]];
      if (boxes[a] - boxes[b + 3] > most || boxes[b] - boxes[a + 3] > most) continue;
      if (boxes[a + 1] - boxes[b + 4] > most || boxes[b + 1] - boxes[a + 4] > most) continue;
      if (boxes[a + 2] - boxes[b + 5] > most || boxes[b + 2] - boxes[a + 5] > most) continue;
      pairs[this.count++] = pair;
    }
  }

  /** Appends the pairs of a part with the obstacles that the tree finds. */
  private query(part: number, reach: number): void {
    const { pairs } = this;
    const { model } = this.posed;
    const { obstaclePair, obstacleParts } = model;
    const tree = this.posed.tree!;
    tree.query(part, reach);
    for (let i = 0; i < tree.count; i++) {
      const pair = obstaclePair[part * obstacleParts.length + tree.found[i]];
      if (pair >= 0) pairs[this.count++] = pair;
    }
  }

  /**
   * Appends the near ones of the pairs `from` … `to` − 1 of a part. The box of A is kept in local variables, because
   * this loop runs over most pairs of every state.
   */
  private scan(part: number, from: number, to: number, reach: number): void {
    const { pairs } = this;
    const { boxes, model } = this.posed;
    const { pairB } = model;
    const a = BOX_SIZE * part;
    const minX = boxes[a] - reach;
    const minY = boxes[a + 1] - reach;
    const minZ = boxes[a + 2] - reach;
    const maxX = boxes[a + 3] + reach;
    const maxY = boxes[a + 4] + reach;
    const maxZ = boxes[a + 5] + reach;
    let { count } = this;
    for (let pair = from; pair < to; pair++) {
      const b = BOX_SIZE * pairB[pair];
      if (minX > boxes[b + 3] || maxX < boxes[b] || minY > boxes[b + 4]) continue;
      if (maxY < boxes[b + 1] || minZ > boxes[b + 5] || maxZ < boxes[b + 2]) continue;
      pairs[count++] = pair;
    }
    this.count = count;
  }
}
