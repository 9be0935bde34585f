import type { Random } from '../math/random.ts';
import type { Budget, PlannerDefinition, PlanningProblem, PlanResult } from './planner.ts';
import { Tree } from './tree.ts';

const options = {
  stepSize: { value: 0.75, unit: 'rad', meaning: 'longest motion added to a tree at once (L2 over the joints)' },
};

export const rrtConnect: PlannerDefinition = {
  summary: 'two trees, one from each end, that run towards each other',
  source: 'KuffnerLaValle00',
  options,
  iterations: 200_000,
  plan,
};

/** RRT_CONNECT_PLANNER of the paper; the goal tree has a root for each goal. */
function plan(
  problem: PlanningProblem,
  { stepSize }: Readonly<Record<string, number>>,
  random: Random,
  budget: Budget,
): PlanResult {
  const { space, motions, start, goals } = problem;
  const startTree = new Tree(space, motions, stepSize, [start]);
  const goalTree = new Tree(space, motions, stepSize, goals);
  const qSample = new Float64Array(space.dof);
  const qNew = new Float64Array(space.dof);
  let [growing, other] = [startTree, goalTree];
  let iterations = 0;

  while (!budget.isSpent()) {
    iterations++;
    space.sample(qSample, random);
    if (growing.extend(qSample) !== 'trapped') {
      growing.read(qNew, growing.newest);
      if (other.connect(qNew) === 'reached') {
        const [, ...tail] = goalTree.newestToRoot(); // both trees hold the meeting point
        const path = [...startTree.newestToRoot().reverse(), ...tail];
        return { status: 'solved', path, iterations, nodes: startTree.size + goalTree.size };
      }
    }
    [growing, other] = [other, growing];
  }
  return { status: 'budget-spent', path: [], iterations, nodes: startTree.size + goalTree.size };
}
