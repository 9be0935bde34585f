import type { Configuration } from '../../core/math/configuration.ts';
import type { JointSpace } from '../../core/planning/planner.ts';
import { pathLength } from '../../core/planning/shortcut.ts';
import type { StartAndGoals } from './startAndGoals.ts';

/** Limits of path improvement, in counts, so that equal seeds give equal paths. */
interface ImprovementEffort {
  readonly searches: number;
  /** Searches without a shorter path after which no other is started. */
  readonly failures: number;
  /** Iterations of one search. */
  readonly iterations: number;
}

const EASY: ImprovementEffort = { searches: 4, failures: 2, iterations: 300 };
/** Limit of iterations for problems whose first search took long. */
const MAX_ITERATIONS = 3000;

/**
 * Returns the effort for a problem whose first search took so many iterations: another path takes about as many again,
 * and its paths differ most in length. With it, 95 % of the paths on the MotionBenchMaker suites are at most 1.11 (UR5)
 * and 1.09 (Panda) times as long as the shortest known (`npm run bench -- planning:suite-lengths`).
 */
function effortAfter(iterations: number): ImprovementEffort {
  if (iterations <= EASY.iterations) return EASY;
  return { searches: 8, failures: 4, iterations: Math.min(2 * iterations, MAX_ITERATIONS) };
}

/**
 * A goal is searched for only if its straight-line distance is below this fraction of the path length. On the bundled
 * scenes with twenty seeds each, 0.85 reduces the median path from 1.1 to 1.03 times the shortest of all, and the 90th
 * percentile from 1.6 to 1.07, for twice the number of edges checked; 0.7 has half of that effect.
 */
const MAX_DISTANCE_RATIO = 0.85;

type Path = readonly Configuration[];

/** Returns the goals whose distance from the start allows a sufficiently shorter path than `length`. */
export function nearerGoals(
  { start, goals }: StartAndGoals,
  space: JointSpace,
  length: number,
): readonly Configuration[] {
  return goals.filter((goal) => space.distance(start, goal) < MAX_DISTANCE_RATIO * length);
}

/**
 * Path improvement: searches again for shorter paths. A search ends with the first path that it finds: shortcuts do not
 * change the side on which the path passes an obstacle, and the goal that it reaches is often not the nearest. Searches
 * are repeated for the goals whose distance allows a sufficiently shorter path, up to the limits. The result is never
 * longer than the path given.
 * @param iterations iterations of the search that found the path given
 * @param search searches within `iterations` for a path shorter than `length` to one of these goals; returns undefined
 *   if it finds none
 */
export function improvePath(
  first: Path,
  ends: StartAndGoals,
  space: JointSpace,
  iterations: number,
  search: (ends: StartAndGoals, length: number, iterations: number, round: number) => Path | undefined,
): Path {
  const effort = effortAfter(iterations);
  let path = first;
  let length = pathLength(path, space);
  let failures = 0;
  for (let round = 1; round <= effort.searches && failures < effort.failures; round++) {
    const nearer = nearerGoals(ends, space, length);
    if (nearer.length === 0) return path;
    const other = search({ ...ends, goals: nearer }, length, effort.iterations, round);
    const otherLength = other ? pathLength(other, space) : Number.POSITIVE_INFINITY;
    if (other && otherLength < length) [path, length] = [other, otherLength];
    else failures++;
  }
  return path;
}
