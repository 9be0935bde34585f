import { BatchTree } from './batchTree.ts';
import type { PlannerDefinition } from './planner.ts';

const options = {
  batchSize: {
    value: 100,
    unit: 'points',
    meaning: 'valid samples per batch; the tree is then extended over them, best first',
  },
};

/** Algorithm 1 of the paper. An iteration processes one edge of the queue, or samples one batch. */
const plan: PlannerDefinition['plan'] = (problem, { batchSize }, random, budget) => {
  const tree = new BatchTree(problem);
  let iterations = 0;

  while (!tree.best.isShortest && !budget.isSpent()) {
    iterations++;
    if (tree.isExhausted) tree.sampleBatch(batchSize, random);
    tree.expandBestVertices();
    tree.processBestEdge(iterations);
  }
  const path = tree.bestPath();
  return { status: path.length > 0 ? 'solved' : 'budget-spent', path, iterations, nodes: tree.size };
};

export const bitStar: PlannerDefinition = {
  summary: 'batch informed trees: best-first search over batches of samples (anytime)',
  source: 'Gammell15',
  options,
  iterations: 20_000,
  improves: true,
  plan,
};
