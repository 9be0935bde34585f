import type { Configuration } from '../math/configuration.ts';
import { KnownEdges, LazyPath, type LazyProblem, type LazyVerdict } from './lazy/lazyPath.ts';
import type { JointSpace, PlannerDefinition } from './planner.ts';
import { Tree } from './tree.ts';

const options = {
  stepSize: { value: 0.75, unit: 'rad', meaning: 'longest edge added to a tree (L2 over the joints)' },
};

/**
 * After this many invalid paths, edges are certified as they are added: the approximate check then misses an obstacle
 * that many paths cross. Measured on the suites: 3 and 10 take longer, in the mean.
 */
const INVALID_PATH_LIMIT = 5;

/**
 * After this many iterations a search for one goal is hard: its samples are those of a wider box, see `widenSample`. If
 * most of several goals are unreachable, such samples find the others later: they remain uniform.
 */
const EASY_ITERATIONS = 300;

/**
 * Width of that box relative to the limits. Plans of MotionBenchMaker's UR5 and Panda suites check 0.69 and 0.89 of the
 * states that they check with a width of 1, in the mean, 0.57 and 0.81 at the 95th percentile, and the paths are no
 * longer (`npm run bench -- planning:suite-lengths`); 1.1 and 1.2 gain less.
 */
const WIDTH = 1.35;

/**
 * RRT_CONNECT_PLANNER of the paper; the goal tree has a root for each goal. The smaller tree is extended next: balanced
 * trees check half as many edges, in the mean [KuffnerLaValle05]. Lazy collision checking [SanchezLatombe01]: if the
 * validator has an approximate check, edges are added after that check, and only the edges of the path from root to
 * root are certified. An invalid edge is pruned with its subtree, and the search continues.
 */
const plan: PlannerDefinition['plan'] = (problem: LazyProblem, { stepSize }, random, budget) => {
  const { space, motions, start, goals } = problem;
  let invalidPaths = 0;
  const isEdgeValid = (qFrom: Configuration, qTo: Configuration) =>
    motions.isMotionLikelyValid && invalidPaths < INVALID_PATH_LIMIT
      ? motions.isMotionLikelyValid(qFrom, qTo)
      : motions.isMotionValid(qFrom, qTo);
  const startTree = new Tree(space, isEdgeValid, stepSize, [start]);
  const goalTree = new Tree(space, isEdgeValid, stepSize, goals);
  const known = new KnownEdges();
  const qSample = new Float64Array(space.dof);
  const qNew = new Float64Array(space.dof);
  let [growing, other] = [startTree, goalTree];
  const isSingle = goals.length === 1;
  let iterations = 0;

  while (!budget.isSpent()) {
    iterations++;
    space.sample(qSample, random);
    if (isSingle && iterations > EASY_ITERATIONS) widenSample(qSample, space);
    if (growing.extend(qSample) !== 'trapped') {
      growing.read(qNew, growing.newest);
      if (other.connect(qNew) === 'reached') {
        const path = validateConnection(startTree, goalTree, problem, known);
        if (path === 'discarded') break;
        if (path) return { status: 'solved', path, iterations, nodes: startTree.size + goalTree.size };
        invalidPaths++;
      }
    }
    if (growing.grown >= other.grown) [growing, other] = [other, growing];
  }
  return { status: 'budget-spent', path: [], iterations, nodes: startTree.size + goalTree.size };
};

export const rrtConnect: PlannerDefinition = {
  summary: 'bidirectional RRT with greedy connect',
  source: 'KuffnerLaValle00',
  options,
  iterations: 200_000,
  plan,
};

/**
 * Replaces a uniform sample of the box of limits by one of a wider box, clamped to the limits. Nodes near a limit are
 * otherwise rarely extended along it: hardly any sample lies beyond them. Leaves joints that wrap and states on
 * constraints unchanged.
 */
function widenSample(q: Configuration, { dof, lower, upper, halfTurns, constraints }: JointSpace): void {
  if (constraints) return;
  for (let j = 0; j < dof; j++) {
    if (halfTurns && halfTurns[j] < Number.POSITIVE_INFINITY) continue;
    const middle = (lower[j] + upper[j]) / 2;
    q[j] = Math.min(Math.max(middle + WIDTH * (q[j] - middle), lower[j]), upper[j]);
  }
}

/**
 * Extracts the path from root to root through the connecting node, the newest node of both trees. If its edges were
 * checked approximately, shortens and certifies it. If an edge of the trees is not valid, prunes it and returns
 * undefined.
 */
function validateConnection(
  startTree: Tree,
  goalTree: Tree,
  { space, motions, finish = certifyFewEdges }: LazyProblem,
  known: KnownEdges,
): readonly Configuration[] | 'discarded' | undefined {
  const fromStart = startTree.newestToRoot().reverse();
  const toGoal = goalTree.newestToRoot(); // begins at the last state of `fromStart`
  const path = [...fromStart.map((node) => startTree.at(node)), ...toGoal.slice(1).map((node) => goalTree.at(node))];
  if (!motions.isMotionLikelyValid) return path;
  const lazy = new LazyPath(path, space, motions, false, known);
  const verdict = finish(lazy);
  if (verdict !== 'invalid') return verdict === 'certified' ? lazy.states : 'discarded';
  const next = lazy.invalid + 1;
  if (next < fromStart.length) startTree.prune(fromStart[next]);
  else goalTree.prune(toGoal[next - fromStart.length]);
  return undefined;
}

/** Removes states, so that fewer edges have to be certified. */
function certifyFewEdges(path: LazyPath): LazyVerdict {
  path.removeStates();
  return path.certify();
}
