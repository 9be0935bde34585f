import { growOptimalTree } from './optimalTree.ts';
import type { PlannerDefinition } from './planner.ts';

const options = {
  stepSize: {
    value: 0.75,
    unit: 'rad',
    meaning: 'longest edge added to the tree (L2 over the joints)',
  },
  goalBias: {
    value: 0.2,
    unit: 'share',
    meaning: 'probability that a new node is connected towards a goal that is not in the tree yet',
  },
};

/** RRT* of the paper (algorithm 6), k-nearest variant, with uniform samples. */
const plan: PlannerDefinition['plan'] = (problem, values, random, budget) => {
  return growOptimalTree(problem, values, random, budget, (out) => problem.space.sample(out, random));
};

export const rrtStar: PlannerDefinition = {
  summary: 'asymptotically optimal RRT with rewiring (anytime)',
  source: 'KaramanFrazzoli11',
  options,
  iterations: 20_000,
  improves: true,
  plan,
};
