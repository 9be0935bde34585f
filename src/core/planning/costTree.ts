import { doubled } from './growArrays.ts';

const NONE = -1;

/**
 * Parents and costs of a tree that is rewired. Nodes are numbered in order of insertion; their states are stored
 * elsewhere. When a node gets another parent, its subtree moves with it, and the costs of the subtree are updated.
 */
export class CostTree {
  count = 0;
  /** Cost from the root; infinite for a node that is not connected. */
  costs = new Float64Array(64);
  parents = new Int32Array(64);
  /** Length of the edge from the parent. */
  lengths = new Float64Array(64);
  private firstChild = new Int32Array(64);
  private nextSibling = new Int32Array(64);
  private readonly stack: number[] = [];

  /** Adds a node, the root if the cost is 0, else not connected. Returns its index. */
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

  /** Connects a node with its subtree to a parent at distance `length` that is not in the subtree. */
  attach(node: number, parent: number, length: number): void {
    const { parents, lengths, firstChild, nextSibling } = this;
    if (parents[node] !== NONE) this.detach(node);
    parents[node] = parent;
    lengths[node] = length;
    nextSibling[node] = firstChild[parent];
    firstChild[parent] = node;
    this.updateCosts(node);
  }

  /** Nodes from the root to this node. */
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

  /** Recomputes each cost from its parent's, so that rounding errors do not accumulate. */
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
