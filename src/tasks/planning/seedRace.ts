import type { PlanAnswer } from './planMotion.ts';

/** Iterations of the first round of a race; each round is twice as long. */
const FIRST_ROUND = 256;

/** What one seed of a race came to. */
export interface RaceResult {
  readonly seed: number;
  readonly answer: PlanAnswer;
  /** Iterations that the search for its path took; infinite where it has none. */
  readonly iterations: number;
}

/** How many iterations a seed may take that can still win, once another was done after so many: to the end of that one's round. */
export function endOfRound(iterations: number): number {
  let end = FIRST_ROUND;
  while (end < iterations) end *= 2;
  return end;
}

/**
 * The winner of several seeds: of those done in the earliest round the one with the shortest path, and of equals the first. Rounds are counted
 * in iterations, so who is fast on the clock wins nothing. Without any path, the first seed answers for all.
 */
export function winnerOf(results: readonly RaceResult[]): PlanAnswer {
  const solved = results.filter(({ answer }) => answer.status === 'solved');
  if (solved.length === 0) return lossOf(results);
  const round = Math.min(...solved.map(({ iterations }) => endOfRound(iterations)));
  const { answer } = solved
    .filter(({ iterations }) => endOfRound(iterations) === round)
    .reduce((best, one) => (lengthOf(one) < lengthOf(best) ? one : best));
  // The clock may have stopped a seed that could have won.
  const cutShort = results.some((one) => one.answer.cutShort && one.answer.status !== 'solved');
  if (!cutShort || !answer.trajectory) return answer;
  return { ...answer, cutShort, trajectory: { ...answer.trajectory, cutShort } };
}

function lossOf(results: readonly RaceResult[]): PlanAnswer {
  const [{ seed, answer }] = results;
  if (results.length === 1 || answer.status !== 'no-path') return answer;
  return { ...answer, reason: `seeds ${seed} to ${results[results.length - 1].seed}: ${answer.reason}` };
}

const lengthOf = ({ answer }: RaceResult) => answer.stats.path_length ?? Number.POSITIVE_INFINITY;
