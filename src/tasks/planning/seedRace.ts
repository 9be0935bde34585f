import type { PlanMotionResult } from './planMotion.ts';

/** Iterations of the first round of a race; each round is twice as long. */
const FIRST_ROUND = 256;

/** Result of one seed of a race. */
export interface RaceResult {
  readonly seed: number;
  readonly result: PlanMotionResult;
  /** Iterations of the search for its path; Infinity if it found none. */
  readonly iterations: number;
}

/** Returns the last iteration of the round that contains `iterations`: a seed that needs more cannot win against it. */
export function endOfRound(iterations: number): number {
  let end = FIRST_ROUND;
  while (end < iterations) end *= 2;
  return end;
}

/**
 * Returns the result of the winning seed: the shortest path of the earliest round in which one is found, the first of
 * equals. Rounds are counted in iterations, so the winner does not depend on the clock. If no seed finds a path, the
 * result of the first seed is returned.
 */
export function selectWinner(results: readonly RaceResult[]): PlanMotionResult {
  const solved = results.filter(({ result }) => result.status === 'solved');
  if (solved.length === 0) return failureOf(results);
  const round = Math.min(...solved.map(({ iterations }) => endOfRound(iterations)));
  const { result } = solved
    .filter(({ iterations }) => endOfRound(iterations) === round)
    .reduce((best, one) => (lengthOf(one) < lengthOf(best) ? one : best));
  // Without the time limit, another seed might have won.
  const cutShort = results.some(({ result: { cutShort } }) => cutShort);
  if (!cutShort || !result.trajectory) return result;
  return { ...result, cutShort, trajectory: { ...result.trajectory, cutShort } };
}

/** Returns the failure of the first seed; its reason names all seeds. */
function failureOf(results: readonly RaceResult[]): PlanMotionResult {
  const [{ seed, result }] = results;
  if (results.length === 1 || result.status !== 'no-path') return result;
  return { ...result, reason: `seeds ${seed} to ${results[results.length - 1].seed}: ${result.reason}` };
}

const lengthOf = ({ result }: RaceResult) => result.stats.path_length ?? Number.POSITIVE_INFINITY;
