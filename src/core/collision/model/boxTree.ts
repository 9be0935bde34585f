/** Numbers per box: min x, y, z, then max x, y, z. */
const BOX = 6;
/** Members of a node that `update` exchanges before it builds the subtree again. */
const MAX_EXCHANGES = 2;

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
  /** Axis along which an inner node is split. */
  private readonly axes: Uint8Array;
  /** Boxes in the order of the tree; of each box twice its centre, 0 along the axes without ends. */
  private readonly members: Int32Array;
  private readonly centers: Float64Array;
  /** During `update`: 1 for the boxes that moved, or have another place among the members. */
  private readonly isChanged: Uint8Array;

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
    this.axes = new Uint8Array(maxNodes);
    this.members = new Int32Array(size);
    this.isChanged = new Uint8Array(size);
    this.centers = new Float64Array(3 * size);
    this.rebuild();
  }

  /** Builds the tree again after boxes moved: it is then as if it were new. */
  rebuild(): void {
    for (let i = 0; i < this.size; i++) {
      this.members[i] = i;
      this.readCenter(i);
    }
    this.nodes = 0;
    if (this.size > 0) this.build(0, this.size);
    this.refit();
  }

  /**
   * As `rebuild`, if only some boxes moved: of the subtrees, only those are built again that contain other boxes than
   * before, or boxes that moved.
   */
  update(moved: readonly number[]): void {
    for (const i of moved) {
      this.readCenter(i);
      this.isChanged[i] = 1;
    }
    this.updateNode(0, 0, this.size);
    this.isChanged.fill(0);
  }

  /**
   * Updates the node boxes after boxes moved. Keeps the topology: queries stay correct, but slow down if many boxes
   * moved far.
   */
  refit(from = 0, end = this.nodes): void {
    for (let node = end - 1; node >= from; node--) this.refitNode(node);
  }

  private refitNode(node: number): void {
    const { nodeBoxes, leaf, after, boxes, first } = this;
    const o = BOX * node;
    if (leaf[node] >= 0) {
      for (let k = 0; k < BOX; k++) nodeBoxes[o + k] = boxes[BOX * (first + leaf[node]) + k];
      return;
    }
    const left = BOX * (node + 1);
    const right = BOX * after[node + 1];
    for (let k = 0; k < 3; k++) {
      nodeBoxes[o + k] = Math.min(nodeBoxes[left + k], nodeBoxes[right + k]);
      nodeBoxes[o + k + 3] = Math.max(nodeBoxes[left + k + 3], nodeBoxes[right + k + 3]);
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
      const axis = this.widestAxis(from, to);
      this.axes[node] = axis;
      this.split(from, to, middle, axis);
      this.build(from, middle);
      this.build(middle, to);
      this.leaf[node] = -1;
    }
    this.after[node] = this.nodes;
  }

  private readCenter(i: number): void {
    const { centers, boxes } = this;
    const o = BOX * (this.first + i);
    for (let axis = 0; axis < 3; axis++) centers[3 * i + axis] = boxes[o + axis] + boxes[o + axis + 3] || 0;
  }

  /** Updates the subtree of the members `from` … `to` − 1, some of which changed. */
  private updateNode(node: number, from: number, to: number): void {
    if (to - from === 1) this.leaf[node] = this.members[from];
    else {
      const middle = from + ((to - from) >> 1);
      const axis = this.widestAxis(from, to);
      if (axis !== this.axes[node] || !this.exchange(from, to, middle, axis)) {
        const { nodes } = this;
        this.nodes = node;
        this.build(from, to);
        this.refit(node, this.nodes);
        this.nodes = nodes;
        return;
      }
      if (this.contains(from, middle)) this.updateNode(node + 1, from, middle);
      if (this.contains(middle, to)) this.updateNode(this.after[node + 1], middle, to);
    }
    this.refitNode(node);
  }

  /** Returns true if one of the members `from` … `to` − 1 changed. */
  private contains(from: number, to: number): boolean {
    const { members, isChanged } = this;
    for (let i = from; i < to; i++) if (isChanged[members[i]] === 1) return true;
    return false;
  }

  /**
   * As `split`, if only few members are on the wrong side of `middle`: these are exchanged. Returns false if there are
   * more.
   */
  private exchange(from: number, to: number, middle: number, axis: number): boolean {
    const { members, centers, isChanged } = this;
    const difference = (one: number, other: number) =>
      centers[3 * members[one] + axis] - centers[3 * members[other] + axis] || members[one] - members[other];
    for (let n = 0; n <= MAX_EXCHANGES; n++) {
      let [last, next] = [from, middle];
      for (let i = from + 1; i < middle; i++) if (difference(i, last) > 0) last = i;
      for (let i = middle + 1; i < to; i++) if (difference(i, next) < 0) next = i;
      if (difference(last, next) < 0) return true;
      isChanged[members[last]] = 1;
      isChanged[members[next]] = 1;
      const member = members[last];
      members[last] = members[next];
      members[next] = member;
    }
    return false;
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
