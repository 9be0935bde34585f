import type { PlannerDefinition } from './planner.ts';
import { Tree } from './tree.ts';

const options = {
  stepSize: { value: 0.75, unit: 'rad', meaning: 'longest edge added to the tree (L2 over the joints)' },
  goalBias: {
    value: 0.05,
    unit: 'share',
    meaning: 'goal bias: probability that the tree is extended towards a goal instead of a random state',
  },
};

/**
 * BUILD_RRT of the paper with a goal bias [LaValleKuffner00]. The newest node is connected to the goal, not the node
 * nearest to the goal, which would check the same invalid edge again and again.
 */
const plan: PlannerDefinition['plan'] = (problem, { stepSize, goalBias }, random, budget) => {
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
};

export const rrt: PlannerDefinition = {
  summary: 'RRT from the start, with a bias towards the goals',
  source: 'LaValle98',
  options,
  iterations: 200_000,
  plan,
};
