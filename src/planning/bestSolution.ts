import type { CostTree } from './costTree.ts';
import type { PlanningProblem } from './planner.ts';

/** Relative: a path this little longer than the straight way is the straight way, rounded. */
const ROUNDING = 1e-12;

/** The best path that an improving planner has, and whether a better one can be. */
export class BestSolution {
  /** Length of the path; infinite before there is one. */
  cost = Number.POSITIVE_INFINITY;
  /** The node of the goal where it ends; −1 before there is one. */
  node = -1;
  private readonly least: number;

  constructor(private readonly problem: Pick<PlanningProblem, 'space' | 'start' | 'goals' | 'onBetter'>) {
    const { space, start, goals } = problem;
    this.least = goals.reduce((least, goal) => Math.min(least, space.distance(start, goal)), Number.POSITIVE_INFINITY);
  }

  /** No path is shorter than the straight way to the nearest goal. */
  get isShortest(): boolean {
    return this.cost <= this.least * (1 + ROUNDING);
  }

  /** Looks at the nodes of goals reached; a better path is told. */
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
