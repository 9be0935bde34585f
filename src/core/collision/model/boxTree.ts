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
  /** Place of each box among the members, and per node the least and greatest centers along x, y and z. */
  private readonly places: Int32Array;
  private readonly extents: Float64Array;

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
    this.places = new Int32Array(size);
    this.centers = new Float64Array(3 * size);
    this.extents = new Float64Array(BOX * maxNodes);
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
   * As `rebuild`, if only some boxes moved: visits the nodes above them, and builds those subtrees again in which more
   * than a few boxes change sides.
   */
  update(moved: readonly number[]): void {
    for (const i of moved) {
      this.readCenter(i);
      this.refresh(0, 0, this.size, this.places[i]);
    }
    if (moved.length > 0) this.updateNode(0, 0, this.size, [...moved]);
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
    this.measure(node, from, to);
    if (to - from === 1) {
      this.leaf[node] = this.members[from];
      this.places[this.members[from]] = from;
    } else {
      const middle = from + ((to - from) >> 1);
      const axis = this.widestAxis(node);
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

  /** Updates the node boxes and extents above the member at a place, and its leaf. */
  private refresh(node: number, from: number, to: number, place: number): void {
    if (to - from === 1) {
      this.leaf[node] = this.members[place];
      this.measure(node, from, to);
    } else {
      const { extents, after } = this;
      const middle = from + ((to - from) >> 1);
      const [left, right] = [node + 1, after[node + 1]];
      if (place < middle) this.refresh(left, from, middle, place);
      else this.refresh(right, middle, to, place);
      for (let k = 0; k < 3; k++) {
        extents[BOX * node + k] = Math.min(extents[BOX * left + k], extents[BOX * right + k]);
        extents[BOX * node + k + 3] = Math.max(extents[BOX * left + k + 3], extents[BOX * right + k + 3]);
      }
    }
    this.refitNode(node);
  }

  /** Updates the subtree of the members `from` … `to` − 1, of which those in `changed` moved or have another place. */
  private updateNode(node: number, from: number, to: number, changed: number[]): void {
    if (to - from === 1 || changed.length === 0) return;
    const { places, after } = this;
    const middle = from + ((to - from) >> 1);
    const axis = this.widestAxis(node);
    if (axis !== this.axes[node] || !this.exchange(node, from, to, axis, changed)) {
      const { nodes } = this;
      this.nodes = node;
      this.build(from, to);
      this.refit(node, this.nodes);
      this.nodes = nodes;
      return;
    }
    const isLeft = (i: number) => places[i] < middle;
    this.updateNode(node + 1, from, middle, changed.filter(isLeft));
    this.updateNode(
      after[node + 1],
      middle,
      to,
      changed.filter((i) => !isLeft(i)),
    );
  }

  /**
   * As `split`, if only few members are on the wrong side: these are exchanged, and added to `changed`. Returns false
   * if there are more.
   */
  private exchange(node: number, from: number, to: number, axis: number, changed: number[]): boolean {
    const { members, places, extents, after } = this;
    const middle = from + ((to - from) >> 1);
    const [left, right] = [node + 1, after[node + 1]];
    for (let n = 0; n <= MAX_EXCHANGES; n++) {
      if (extents[BOX * left + 3 + axis] < extents[BOX * right + axis]) return true;
      const last = this.outermost(left, from, middle, axis, 1);
      const next = this.outermost(right, middle, to, axis, -1);
      const [inLast, inNext] = [members[last], members[next]];
      if (this.difference(inLast, inNext, axis) < 0) return true;
      changed.push(inLast, inNext);
      members[last] = inNext;
      members[next] = inLast;
      places[inNext] = last;
      places[inLast] = next;
      this.refresh(left, from, middle, last);
      this.refresh(right, middle, to, next);
    }
    return false;
  }

  /** Returns the place of the member with the greatest (`sign` 1) or smallest (−1) center, in the order of `split`. */
  private outermost(node: number, from: number, to: number, axis: number, sign: number): number {
    if (to - from === 1) return from;
    const { extents, members, after } = this;
    const middle = from + ((to - from) >> 1);
    const [left, right] = [node + 1, after[node + 1]];
    const k = sign > 0 ? 3 + axis : axis;
    const difference = sign * (extents[BOX * left + k] - extents[BOX * right + k]);
    if (difference > 0) return this.outermost(left, from, middle, axis, sign);
    if (difference < 0) return this.outermost(right, middle, to, axis, sign);
    const a = this.outermost(left, from, middle, axis, sign);
    const b = this.outermost(right, middle, to, axis, sign);
    return sign * (members[a] - members[b]) > 0 ? a : b;
  }

  /** Negative if box i is before box j in the order of `split`. */
  private difference(i: number, j: number, axis: number): number {
    return this.centers[3 * i + axis] - this.centers[3 * j + axis] || i - j;
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

  /** Computes the extents of the centers of the members `from` … `to` − 1. */
  private measure(node: number, from: number, to: number): void {
    const { members, centers, extents } = this;
    for (let axis = 0; axis < 3; axis++) {
      let min = Number.POSITIVE_INFINITY;
      let max = Number.NEGATIVE_INFINITY;
      for (let i = from; i < to; i++) {
        const center = centers[3 * members[i] + axis];
        if (center < min) min = center;
        if (center > max) max = center;
      }
      extents[BOX * node + axis] = min;
      extents[BOX * node + axis + 3] = max;
    }
  }

  private widestAxis(node: number): number {
    const { extents } = this;
    let widest = 0;
    let extent = -1;
    for (let axis = 0; axis < 3; axis++) {
      const width = extents[BOX * node + axis + 3] - extents[BOX * node + axis];
      if (width > extent) {
        extent = width;
        widest = axis;
      }
    }
    return widest;
  }
}
