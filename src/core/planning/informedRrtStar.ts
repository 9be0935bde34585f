import { InformedSet } from './informed/informedSet.ts';
import type { PlannerDefinition } from './planner.ts';
import { growOptimalTree, rrtStar } from './rrtStar.ts';

/** Algorithm 1 of the paper: RRT* with samples from the prolate hyperspheroid that contains all shorter paths. */
const plan: PlannerDefinition['plan'] = (problem, values, random, budget) => {
  const informed = new InformedSet(problem);
  return growOptimalTree(problem, values, random, budget, (out, cost) => informed.sample(out, cost, random));
};

export const informedRrtStar: PlannerDefinition = {
  summary: 'RRT* that samples the informed set once it has a path (anytime)',
  source: 'Gammell14',
  options: rrtStar.options,
  iterations: 20_000,
  improves: true,
  plan,
};
