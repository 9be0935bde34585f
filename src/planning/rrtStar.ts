import type { Random } from '../math/random.ts';
import { growCheapestTree } from './cheapestTree.ts';
import type { Budget, PlannerDefinition, PlanningProblem, PlanResult } from './planner.ts';

const options = {
  stepSize: {
    value: 0.75,
    unit: 'rad',
    meaning: 'longest step from the tree towards a random point (L2 over the joints)',
  },
  goalBias: {
    value: 0.2,
    unit: 'share',
    meaning: 'how often a new node is led on, straight towards a goal not reached yet',
  },
};

export const rrtStar: PlannerDefinition = {
  summary: 'one tree that is put right as it grows: the path gets ever shorter, as long as it may run',
  source: 'KaramanFrazzoli11',
  options,
  iterations: 20_000,
  improves: true,
  plan,
};

/** Algorithm 6 of the paper, in its k-nearest form; points drawn from the whole space. */
function plan(
  problem: PlanningProblem,
  values: Readonly<Record<string, number>>,
  random: Random,
  budget: Budget,
): PlanResult {
  return growCheapestTree(problem, values, random, budget, (out) => problem.space.sample(out, random));
}
