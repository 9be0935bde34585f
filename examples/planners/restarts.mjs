// An anytime planner: repeats RRT-Connect, each time with new samples, and keeps the shortest path.
import { pathLength, planners } from 'elbowroom';

/** @type {import('elbowroom').PlannerDefinition} */
export default {
  summary: 'RRT-Connect, repeated (anytime)',
  iterations: 5000, // in all; the search ends earlier if the time limit does
  improves: true,
  options: {
    stepSize: { value: 0.75, unit: 'rad', meaning: 'longest edge added to a tree (L2 over the joints)' },
  },

  /** `problem` has space, motions, start, goals and onBetter; `random` is the only source of random numbers. */
  plan(problem, { stepSize }, random, budget) {
    let path = [];
    let cost = Number.POSITIVE_INFINITY;
    let iterations = 0;
    let nodes = 0;
    for (;;) {
      const found = planners['rrt-connect'].plan(problem, { stepSize }, random, budget);
      iterations += found.iterations;
      nodes += found.nodes;
      if (found.status !== 'solved') break; // the budget is spent
      const length = pathLength(found.path, problem.space);
      if (length >= cost) continue;
      ({ path } = found);
      cost = length;
      problem.onBetter?.(cost, iterations);
    }
    return { status: path.length > 0 ? 'solved' : 'budget-spent', path, iterations, nodes };
  },
};
