import type { Random } from '../math/random.ts';
import { BatchTree } from './batchTree.ts';
import type { Budget, PlannerDefinition, PlanningProblem, PlanResult } from './planner.ts';

const options = {
  batchSize: {
    value: 100,
    unit: 'points',
    meaning: 'free points drawn at once; the tree is then grown over them, best first',
  },
};

export const bitStar: PlannerDefinition = {
  summary:
    'a tree grown over batches of points in the order of what a path can cost at least: the path gets ever shorter',
  source: 'Gammell15',
  options,
  iterations: 20_000,
  improves: true,
  plan,
};

/** Algorithm 1 of the paper. An iteration takes one motion from the queue, or draws one batch. */
function plan(
  problem: PlanningProblem,
  { batchSize }: Readonly<Record<string, number>>,
  random: Random,
  budget: Budget,
): PlanResult {
  const tree = new BatchTree(problem);
  let iterations = 0;

  while (!tree.best.isShortest && !budget.isSpent()) {
    iterations++;
    if (tree.isExhausted) tree.drawBatch(batchSize, random);
    tree.expandPromising();
    tree.tryBestMotion(iterations);
  }
  const path = tree.bestPath();
  return { status: path.length > 0 ? 'solved' : 'budget-spent', path, iterations, nodes: tree.size };
}
