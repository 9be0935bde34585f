import type { CostTree } from './costTree.ts';
import type { PlanningProblem } from './planner.ts';

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
