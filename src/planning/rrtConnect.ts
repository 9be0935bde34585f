import type { Configuration } from '../math/configuration.ts';
import type { Random } from '../math/random.ts';
import type { Budget, MotionValidator, PlannerDefinition, PlanningProblem, PlanResult } from './planner.ts';
import { Tree } from './tree.ts';

const options = {
  stepSize: { value: 0.75, unit: 'rad', meaning: 'longest motion added to a tree at once (L2 over the joints)' },
};

/**
 * After so many ways that turned out blocked, quick looks are no longer trusted: whatever hides between their states is then in many a way.
 * Measured on the suites: 3 and 10 cost more, in the mean.
 */
const MOST_REFUTED = 5;

export const rrtConnect: PlannerDefinition = {
  summary: 'two trees, one from each end, that run towards each other',
  source: 'KuffnerLaValle00',
  options,
  iterations: 200_000,
  plan,
};

/**
 * RRT_CONNECT_PLANNER of the paper; the goal tree has a root for each goal. The tree that has grown less is the next to grow: balanced, the two
 * ask for half of the motions, in the mean [KuffnerLaValle05]. Where a proof is dear, the trees grow by quick looks, and only
 * the way from root to root is proved, as lazy planners do [SanchezLatombe01]: of all motions in the trees, few are on it. A motion that
 * is refuted is cut off with all that hangs on it, and the search goes on.
 */
function plan(
  problem: PlanningProblem,
  { stepSize }: Readonly<Record<string, number>>,
  random: Random,
  budget: Budget,
): PlanResult {
  const { space, motions, start, goals } = problem;
  let refuted = 0;
  const isFree = (qFrom: Configuration, qTo: Configuration) =>
    motions.seemsMotionValid && refuted < MOST_REFUTED
      ? motions.seemsMotionValid(qFrom, qTo)
      : motions.isMotionValid(qFrom, qTo);
  const startTree = new Tree(space, isFree, stepSize, [start]);
  const goalTree = new Tree(space, isFree, stepSize, goals);
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
        const path = wayThrough(startTree, goalTree, motions);
        if (path) return { status: 'solved', path, iterations, nodes: startTree.size + goalTree.size };
        refuted++;
      }
    }
    if (growing.grown >= other.grown) [growing, other] = [other, growing];
  }
  return { status: 'budget-spent', path: [], iterations, nodes: startTree.size + goalTree.size };
}

/**
 * The way from root to root through the meeting point, the newest node of both trees. Where its motions were looked at only, it goes on from
 * each node to the farthest later one that a proved motion leads to: fewer motions have to be proved. Where not even the next one can be
 * reached, the motion to it is cut out of its tree, and there is no way yet.
 */
function wayThrough(startTree: Tree, goalTree: Tree, motions: MotionValidator): Configuration[] | undefined {
  const there = startTree.newestToRoot().reverse();
  const back = goalTree.newestToRoot(); // begins where `there` ends
  const path = [...there.map((node) => startTree.at(node)), ...back.slice(1).map((node) => goalTree.at(node))];
  if (!motions.seemsMotionValid) return path;
  const way = path.slice(0, 1);
  for (let i = 0; i < path.length - 1; ) {
    let next = path.length - 1;
    while (next > i && !motions.isMotionValid(path[i], path[next], true)) next--;
    if (next === i) {
      if (i + 1 < there.length) startTree.cut(there[i + 1]);
      else goalTree.cut(back[i + 1 - there.length]);
      return undefined;
    }
    way.push(path[next]);
    i = next;
  }
  return way;
}
