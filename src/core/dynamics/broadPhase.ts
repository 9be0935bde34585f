import { BoxTree } from '../collision/model/boxTree.ts';
import type { Transform } from '../math/transform.ts';
import type { Collider } from './contactPair.ts';

/** Numbers per box: min x, y, z, then max x, y, z. */
const BOX = 6;
/** Number of updates after which the tree of the free parts is rebuilt: refitted trees degrade as bodies move. */
const REBUILD = 60;

/**
 * Broad phase: pairs of colliders, at least one of them free, whose bounding boxes are near. The first `fixedCount`
 * colliders of the list are fixed; free ones may be added or removed after them.
 */
export class BroadPhase {
  /** Pairs of the last update: the free collider, and the other one, fixed or free with a larger index. */
  first = new Int32Array(256);
  second = new Int32Array(256);
  count = 0;

  /** Boxes of the fixed colliders, and one more: the box of a query. */
  private readonly fixedBoxes: Float64Array;
  private readonly fixedTree: BoxTree;
  private freeBoxes = new Float64Array(0);
  private freeTree = new BoxTree(this.freeBoxes, 0, 0);
  private age = 0;

  constructor(
    private readonly colliders: readonly Collider[],
    private readonly fixedCount: number,
  ) {
    this.fixedBoxes = new Float64Array(BOX * (fixedCount + 1));
    for (let i = 0; i < fixedCount; i++) writeBox(this.fixedBoxes, i, colliders[i]);
    this.fixedTree = new BoxTree(this.fixedBoxes, 0, fixedCount);
  }

  /** Finds the pairs whose boxes are within `margin` metres along every axis, or twice that for two free bodies. */
  update(margin: number): void {
    const { colliders, fixedCount, fixedTree, fixedBoxes } = this;
    this.count = 0;
    this.updateFreeBoxes();
    const { freeTree, freeBoxes } = this;
    for (let i = 0; i < freeTree.size; i++) {
      for (let k = 0; k < BOX; k++) fixedBoxes[BOX * fixedCount + k] = freeBoxes[BOX * i + k];
      fixedTree.query(fixedCount, margin);
      for (let k = 0; k < fixedTree.count; k++) this.push(fixedCount + i, fixedTree.found[k]);
      freeTree.query(i, 2 * margin);
      for (let k = 0; k < freeTree.count; k++) {
        const j = freeTree.found[k];
        if (j > i && colliders[fixedCount + j].body !== colliders[fixedCount + i].body)
          this.push(fixedCount + i, fixedCount + j);
      }
    }
  }

  private updateFreeBoxes(): void {
    const { colliders, fixedCount } = this;
    const size = colliders.length - fixedCount;
    const isChanged = this.freeTree.size !== size;
    if (isChanged) this.freeBoxes = new Float64Array(BOX * size);
    for (let i = 0; i < size; i++) {
      writeBox(this.freeBoxes, i, colliders[fixedCount + i]);
    }
    if (isChanged || this.age++ % REBUILD === 0) this.freeTree = new BoxTree(this.freeBoxes, 0, size);
    else this.freeTree.refit();
  }

  private push(i: number, j: number): void {
    if (this.count === this.first.length) {
      this.first = grown(this.first);
      this.second = grown(this.second);
    }
    this.first[this.count] = i;
    this.second[this.count++] = j;
  }
}

/** Writes the bounding box of a collider in the world to row i. */
function writeBox(out: Float64Array, i: number, { shape, T_world }: Collider): void {
  for (let k = 0; k < 3; k++) {
    out[BOX * i + k] = extreme(T_world, shape.bounds, k, -1);
    out[BOX * i + k + 3] = extreme(T_world, shape.bounds, k, 1);
  }
}

/** Smallest (side −1) or largest (1) coordinate k of the posed box. Zero factors ignore infinite bounds. */
function extreme(T: Transform, bounds: Float64Array, k: number, side: number): number {
  let sum = T[4 * k + 3];
  for (let j = 0; j < 3; j++) {
    const factor = T[4 * k + j];
    if (factor !== 0) sum += factor * bounds[side * factor > 0 ? j + 3 : j];
  }
  return sum;
}

function grown(list: Int32Array): Int32Array<ArrayBuffer> {
  const larger = new Int32Array(2 * list.length);
  larger.set(list);
  return larger;
}
