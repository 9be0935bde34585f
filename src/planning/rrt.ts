import type { Random } from '../math/random.ts';
import type { Budget, PlannerDefinition, PlanningProblem, PlanResult } from './planner.ts';
import { Tree } from './tree.ts';

const options = {
  stepSize: { value: 0.75, unit: 'rad', meaning: 'longest motion added to the tree at once (L2 over the joints)' },
  goalBias: {
    value: 0.05,
    unit: 'share',
    meaning: 'how often the tree is grown towards a goal instead of a random point',
  },
};

export const rrt: PlannerDefinition = {
  summary: 'one tree from the start, now and then drawn to a goal',
  source: 'LaValle98',
  options,
  iterations: 200_000,
  plan,
};

/**
 * BUILD_RRT of the paper with a bias towards the goals [LaValleKuffner00]. It starts from the newest node, not from the one nearest to a
 * goal: that would try the same blocked motion over and over.
 */
function plan(
  problem: PlanningProblem,
  { stepSize, goalBias }: Readonly<Record<string, number>>,
  random: Random,
  budget: Budget,
): PlanResult {
  const { space, motions, start, goals } = problem;
  const tree = new Tree(space, (qFrom, qTo) => motions.isMotionValid(qFrom, qTo), stepSize, [start]);
  const qSample = new Float64Array(space.dof);
  let iterations = 0;

  while (!budget.isSpent()) {
    iterations++;
    space.sample(qSample, random);
    if (tree.extend(qSample) === 'trapped' || random.next() >= goalBias) continue;
    if (tree.connectNewest(goals[random.below(goals.length)]) !== 'reached') continue;
    const path = tree.newestToRoot().reverse();
    return { status: 'solved', path: path.map((node) => tree.at(node)), iterations, nodes: tree.size };
  }
  return { status: 'budget-spent', path: [], iterations, nodes: tree.size };
}
