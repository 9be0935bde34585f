/** Numbers per box: min x, y, z, then max x, y, z. */
const BOX = 6;

/**
 * Bounding volume hierarchy over axis-aligned boxes that rarely move (the broad phase against many obstacles).
 * Balanced, split at the median of the centres along the widest axis. Nodes are stored in depth-first order, so that a
 * subtree is skipped by one jump.
 */
export class BoxTree {
  /** Result of `query`: indices of the boxes found, `found[0]` … `found[count − 1]`, in the order of the tree. */
  readonly found: Int32Array;
  count = 0;
  /** Per node: its box, the index of the box of a leaf (−1 for inner nodes), and the node after its subtree. */
  private readonly nodeBoxes: Float64Array;
  private readonly leaf: Int32Array;
  private readonly after: Int32Array;
  private nodes = 0;

  /**
   * @param boxes rows of six numbers, not copied; rows `first` … `first + size − 1` are indexed, as boxes 0 … `size −
   * 1`
   */
  constructor(
    private readonly boxes: Float64Array,
    private readonly first: number,
    readonly size: number,
  ) {
    const maxNodes = Math.max(1, 2 * size - 1);
    this.nodeBoxes = new Float64Array(BOX * maxNodes);
    this.leaf = new Int32Array(maxNodes).fill(-1);
    this.after = new Int32Array(maxNodes);
    this.found = new Int32Array(Math.max(1, size));
    if (size > 0) this.build(Int32Array.from({ length: size }, (_, i) => i));
    this.refit();
  }

  /**
   * Updates the node boxes after boxes moved. Keeps the topology: queries stay correct, but slow down if many boxes
   * moved far.
   */
  refit(): void {
    const { nodeBoxes, leaf, after, boxes, first } = this;
    for (let node = this.nodes - 1; node >= 0; node--) {
      const o = BOX * node;
      if (leaf[node] >= 0) {
        for (let k = 0; k < BOX; k++) nodeBoxes[o + k] = boxes[BOX * (first + leaf[node]) + k];
        continue;
      }
      const left = BOX * (node + 1);
      const right = BOX * after[node + 1];
      for (let k = 0; k < 3; k++) {
        nodeBoxes[o + k] = Math.min(nodeBoxes[left + k], nodeBoxes[right + k]);
        nodeBoxes[o + k + 3] = Math.max(nodeBoxes[left + k + 3], nodeBoxes[right + k + 3]);
      }
    }
  }

  /**
   * Finds the boxes whose gap to row `index` of `boxes` is at most `reach` metres along every axis; NaN coordinates
   * find every box. The result is in `found` and `count`.
   */
  query(index: number, reach: number): void {
    const { nodeBoxes, leaf, after, boxes, found } = this;
    const a = BOX * index;
    const minX = boxes[a] - reach;
    const minY = boxes[a + 1] - reach;
    const minZ = boxes[a + 2] - reach;
    const maxX = boxes[a + 3] + reach;
    const maxY = boxes[a + 4] + reach;
    const maxZ = boxes[a + 5] + reach;
    let count = 0;
    for (let node = 0; node < this.nodes; ) {
      const o = BOX * node;
      const isFar =
        minX > nodeBoxes[o + 3] ||
        maxX < nodeBoxes[o] ||
        minY > nodeBoxes[o + 4] ||
        maxY < nodeBoxes[o + 1] ||
        minZ > nodeBoxes[o + 5] ||
        maxZ < nodeBoxes[o + 2];
      if (isFar) {
        node = after[node];
        continue;
      }
      if (leaf[node] >= 0) found[count++] = leaf[node];
      node++;
    }
    this.count = count;
  }

  private build(members: Int32Array): void {
    const node = this.nodes++;
    if (members.length === 1) {
      this.leaf[node] = members[0];
    } else {
      const middle = members.length >> 1;
      const axis = this.widestAxis(members);
      members.sort((i, j) => this.center(i, axis) - this.center(j, axis) || i - j);
      this.build(members.slice(0, middle));
      this.build(members.slice(middle));
    }
    this.after[node] = this.nodes;
  }

  private widestAxis(members: Int32Array): number {
    let widest = 0;
    let extent = -1;
    for (let axis = 0; axis < 3; axis++) {
      let min = Number.POSITIVE_INFINITY;
      let max = Number.NEGATIVE_INFINITY;
      for (const i of members) {
        min = Math.min(min, this.center(i, axis));
        max = Math.max(max, this.center(i, axis));
      }
      if (max - min > extent) {
        extent = max - min;
        widest = axis;
      }
    }
    return widest;
  }

  /** Returns twice the centre along an axis; 0 for an unbounded box (−∞ to ∞). */
  private center(i: number, axis: number): number {
    const o = BOX * (this.first + i) + axis;
    return this.boxes[o] + this.boxes[o + 3] || 0;
  }
}
