import type { Configuration } from '../../math/configuration.ts';
import type { Random } from '../../math/random.ts';
import type { Budget } from '../planner.ts';
import { roundedDown, type SpaceTimeProblem, type Visit } from './spaceTime.ts';
import { connection, type TimeNode, TimeTree, visitsOf } from './timeTree.ts';

/** Iterations after which the time horizon is extended. */
const BATCH = 32;
/** Factor of the horizon from batch to batch, and seconds that are added. */
const GROWTH = 1.4;
const STEP = 0.5;
/** Nodes of the other tree to which a new node is connected. */
const NEIGHBORS = 4;

/** Result of a search in joints and time. */
export interface SpaceTimeResult {
  /** Waypoints with times; undefined if the budget was spent. */
  readonly visits: readonly Visit[] | undefined;
  readonly iterations: number;
  readonly nodes: number;
}

/**
 * Bidirectional RRT in joints and time, after ST-RRT* [Grothe22]: a tree from the start at time 0, and one from the
 * goals at sampled times of arrival; states are sampled at times that the limits allow; the horizon of the times grows
 * with the number of iterations. Unlike there, motions are from rest to rest, with waits between them, and the arrival
 * is shortened afterwards.
 * @param horizon latest time of arrival; undefined: it grows from the earliest possible one
 */
export function stRrtConnect(
  problem: SpaceTimeProblem,
  random: Random,
  budget: Budget,
  horizon?: number,
): SpaceTimeResult {
  const { space, start, goals, tick } = problem;
  const forward = new TimeTree(problem, true);
  const backward = new TimeTree(problem, false);
  const earliest = goals.map(({ q, from }) => Math.max(from, problem.leastDuration(start, q)));
  const soonest = Math.min(...earliest);
  const latest = horizon ?? Math.max(problem.end, soonest) + 4 * soonest + 10;
  const sample = new Float64Array(space.dof);
  let limit = Math.min(latest, 1.2 * soonest + STEP);
  let iterations = 0;
  const nodes = () => forward.nodes.length + backward.nodes.length;
  const joined = (one: TimeNode, other: TimeTree): readonly Visit[] | undefined => {
    for (const near of other.nearest(one.q, one.time, NEIGHBORS)) {
      const [from, to] = other.forward ? [near, one] : [one, near];
      const found = connection(problem, from, to);
      if (found) return visitsOf(problem, found);
    }
    return undefined;
  };

  forward.addRoot(start, 0);
  const addGoal = (i: number, time: number) => {
    if (time < earliest[i]) return undefined;
    return joined(backward.addRoot(goals[i].q, roundedDown(time, tick)), forward);
  };
  for (const [i] of goals.entries()) {
    const visits = addGoal(i, limit);
    if (visits) return { visits, iterations, nodes: nodes() };
  }
  while (!budget.isSpent()) {
    iterations++;
    if (iterations % BATCH === 0) {
      limit = Math.min(latest, GROWTH * limit + STEP);
      const i = random.below(goals.length);
      const visits = addGoal(i, iterations % (2 * BATCH) === 0 ? random.between(earliest[i], limit) : limit);
      if (visits) return { visits, iterations, nodes: nodes() };
    }
    space.sample(sample, random);
    const isForward = iterations % 2 === 1;
    if (space.constraints && !space.constraints.project(sample)) continue;
    const time = sampledTime(problem, sample, limit, random);
    const waitsFirst = random.below(2) === 0;
    if (time === undefined) continue;
    const [tree, other] = isForward ? [forward, backward] : [backward, forward];
    const node = tree.extend(sample, roundedDown(time, tick), waitsFirst);
    const visits = node && joined(node, other);
    if (visits) return { visits, iterations, nodes: nodes() };
  }
  return { visits: undefined, iterations, nodes: nodes() };
}

/** Returns a time at which a state lies in the causality cones of start and goals; undefined if there is none. */
function sampledTime(
  { start, goals, leastDuration }: SpaceTimeProblem,
  q: Configuration,
  limit: number,
  random: Random,
): number | undefined {
  const first = leastDuration(start, q);
  const toGoal = Math.min(...goals.map((goal) => leastDuration(q, goal.q)));
  const last = limit - toGoal;
  return last < first ? undefined : random.between(first, last);
}
