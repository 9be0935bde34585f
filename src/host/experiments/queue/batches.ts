import { hashOf } from '../problems.ts';
import type { Run } from '../runs.ts';

/** Runs that one job of the queue executes. */
export interface Batch {
  /** Hash of the ids of all runs of its group; the id of the run if the group is one run. */
  readonly id: string;
  /** Number of runs of the groups; the last group may have fewer. */
  readonly size: number;
  /** The runs of the group that are missing. */
  readonly runs: readonly Run[];
}

/** Largest number of runs per job. With `--parts`, a job whose worker is killed is executed again as a whole. */
export const LARGEST_BATCH = 1000;

/**
 * Divides runs into groups of a size, in order, and returns those with missing runs. A group has the same id when its
 * other runs are finished, so that an interrupted command does not submit its job again.
 * @param wanted all runs of the experiment, or of a shard
 */
export function batchesOf(wanted: readonly Run[], size: number, isMissing = (_: Run) => true): Batch[] {
  const batches: Batch[] = [];
  for (let from = 0; from < wanted.length; from += size) {
    const group = wanted.slice(from, from + size);
    const runs = group.filter(isMissing);
    if (runs.length === 0) continue;
    batches.push({ id: size === 1 ? group[0].id : hashOf(group.map(({ id }) => id).join('\n')), size, runs });
  }
  return batches;
}
