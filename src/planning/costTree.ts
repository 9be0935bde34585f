import { doubled } from './growing.ts';

const NONE = -1;

/**
 * Who is whose child, and what the way from the root to each node costs. Nodes are numbers in the order of their coming; where they are is
 * kept elsewhere. A node that moves to another parent takes its children along, and the costs of all below it follow.
 */
export class CostTree {
  count = 0;
  /** Cost of the way from the root; infinite for a node that hangs on nothing. */
  costs = new Float64Array(64);
  parents = new Int32Array(64);
  /** Of the motion from the parent. */
  lengths = new Float64Array(64);
  private firstChild = new Int32Array(64);
  private nextSibling = new Int32Array(64);
  private readonly stack: number[] = [];

  /** Adds a node: a root where the cost is 0, else one that hangs on nothing yet. Returns its number. */
  add(cost: 0 | typeof Number.POSITIVE_INFINITY = Number.POSITIVE_INFINITY): number {
    const node = this.count++;
    if (node >= this.costs.length) {
      this.costs = doubled(this.costs);
      this.parents = doubled(this.parents);
      this.lengths = doubled(this.lengths);
      this.firstChild = doubled(this.firstChild);
      this.nextSibling = doubled(this.nextSibling);
    }
    this.costs[node] = cost;
    this.parents[node] = NONE;
    this.firstChild[node] = NONE;
    this.nextSibling[node] = NONE;
    return node;
  }

  /** Hangs a node, with all below it, under a parent `length` away that is not below it. */
  attach(node: number, parent: number, length: number): void {
    const { parents, lengths, firstChild, nextSibling } = this;
    if (parents[node] !== NONE) this.detach(node);
    parents[node] = parent;
    lengths[node] = length;
    nextSibling[node] = firstChild[parent];
    firstChild[parent] = node;
    this.updateCosts(node);
  }

  /** Nodes from the root to this one. */
  fromRoot(node: number): number[] {
    const nodes: number[] = [];
    for (let i = node; i !== NONE; i = this.parents[i]) nodes.push(i);
    return nodes.reverse();
  }

  private detach(node: number): void {
    const { parents, firstChild, nextSibling } = this;
    const parent = parents[node];
    if (firstChild[parent] === node) {
      firstChild[parent] = nextSibling[node];
      return;
    }
    let sibling = firstChild[parent];
    while (nextSibling[sibling] !== node) sibling = nextSibling[sibling];
    nextSibling[sibling] = nextSibling[node];
  }

  /** Each cost is its parent's plus the motion between, never a sum of corrections: rounding does not pile up. */
  private updateCosts(top: number): void {
    const { costs, parents, lengths, firstChild, nextSibling, stack } = this;
    stack.push(top);
    while (stack.length > 0) {
      const node = stack.pop()!;
      costs[node] = costs[parents[node]] + lengths[node];
      for (let child = firstChild[node]; child !== NONE; child = nextSibling[child]) stack.push(child);
    }
  }
}
