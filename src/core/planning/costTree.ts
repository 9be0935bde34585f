import { doubled } from './growArrays.ts';
import type { PlanningProblem } from './planner.ts';

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

/** Relative: a path that is longer than the straight line by no more than this is the straight line with rounding. */
const ROUNDING = 1e-12;

/** Best solution of an anytime planner. */
export class BestSolution {
  /** Length of the path; infinite before the first solution. */
  cost = Number.POSITIVE_INFINITY;
  /** The goal node where it ends; −1 before the first solution. */
  node = -1;
  private readonly lowerBound: number;

  constructor(private readonly problem: Pick<PlanningProblem, 'space' | 'start' | 'goals' | 'onBetter'>) {
    const { space, start, goals } = problem;
    this.lowerBound = goals.reduce(
      (least, goal) => Math.min(least, space.distance(start, goal)),
      Number.POSITIVE_INFINITY,
    );
  }

  /** True if the path is the straight line to the nearest goal, so that no shorter path exists. */
  get isShortest(): boolean {
    return this.cost <= this.lowerBound * (1 + ROUNDING);
  }

  /** Selects the goal node of least cost; calls `onBetter` if the cost has decreased. */
  update(tree: CostTree, goalNodes: readonly number[], iterations: number): void {
    const before = this.cost;
    for (const node of goalNodes) {
      if (tree.costs[node] < this.cost) {
        this.cost = tree.costs[node];
        this.node = node;
      }
    }
    if (this.cost < before) this.problem.onBetter?.(this.cost, iterations);
  }
}
