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
  /** Boxes in the order of the tree; of each box twice its centre, 0 along the axes without ends. */
  private readonly members: Int32Array;
  private readonly centers: Float64Array;

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
    this.members = new Int32Array(size);
    this.centers = new Float64Array(3 * size);
    this.rebuild();
  }

  /** Builds the tree again after boxes moved: it is then as if it were new. */
  rebuild(): void {
    const { members, centers, boxes, first, size } = this;
    for (let i = 0; i < size; i++) {
      const o = BOX * (first + i);
      members[i] = i;
      for (let axis = 0; axis < 3; axis++) centers[3 * i + axis] = boxes[o + axis] + boxes[o + axis + 3] || 0;
    }
    this.nodes = 0;
    if (size > 0) this.build(0, size);
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

  /** Builds the subtree of the members `from` … `to` − 1. */
  private build(from: number, to: number): void {
    const node = this.nodes++;
    if (to - from === 1) {
      this.leaf[node] = this.members[from];
    } else {
      const middle = from + ((to - from) >> 1);
      this.split(from, to, middle, this.widestAxis(from, to));
      this.build(from, middle);
      this.build(middle, to);
      this.leaf[node] = -1;
    }
    this.after[node] = this.nodes;
  }

  /**
   * Orders the members `from` … `to` − 1 such that those before `middle` have the smallest centres along the axis; of
   * equal centres, that of the smaller index counts as smaller [Hoare61].
   */
  private split(from: number, to: number, middle: number, axis: number): void {
    const { members, centers } = this;
    let low = from;
    let high = to - 1;
    while (low < high) {
      const pivot = members[low + ((high - low) >> 1)];
      const center = centers[3 * pivot + axis];
      let i = low;
      let j = high;
      while (i <= j) {
        while ((centers[3 * members[i] + axis] - center || members[i] - pivot) < 0) i++;
        while ((centers[3 * members[j] + axis] - center || members[j] - pivot) > 0) j--;
        if (i > j) break;
        const swapped = members[i];
        members[i++] = members[j];
        members[j--] = swapped;
      }
      if (j < middle) low = i;
      if (middle < i) high = j;
    }
  }

  private widestAxis(from: number, to: number): number {
    const { members, centers } = this;
    let widest = 0;
    let extent = -1;
    for (let axis = 0; axis < 3; axis++) {
      let min = Number.POSITIVE_INFINITY;
      let max = Number.NEGATIVE_INFINITY;
      for (let i = from; i < to; i++) {
        const center = centers[3 * members[i] + axis];
        if (center < min) min = center;
        if (center > max) max = center;
      }
      if (max - min > extent) {
        extent = max - min;
        widest = axis;
      }
    }
    return widest;
  }
}
