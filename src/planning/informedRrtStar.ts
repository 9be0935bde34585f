import type { Random } from '../math/random.ts';
import { growCheapestTree } from './cheapestTree.ts';
import { InformedSet } from './informedSet.ts';
import type { Budget, PlannerDefinition, PlanningProblem, PlanResult } from './planner.ts';
import { rrtStar } from './rrtStar.ts';

export const informedRrtStar: PlannerDefinition = {
  summary: 'RRT* that, once it has a path, looks only where a shorter one can be',
  source: 'Gammell14',
  options: rrtStar.options,
  iterations: 20_000,
  improves: true,
  plan,
};

/** Algorithm 1 of the paper: RRT* with the points drawn from the ellipsoid of shorter paths. */
function plan(
  problem: PlanningProblem,
  values: Readonly<Record<string, number>>,
  random: Random,
  budget: Budget,
): PlanResult {
  const informed = new InformedSet(problem);
  return growCheapestTree(problem, values, random, budget, (out, cost) => informed.sample(out, cost, random));
}
