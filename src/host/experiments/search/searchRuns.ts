import type { SearchStep } from '../../node/experimentTask.ts';
import { nameOf } from '../problems.ts';
import type { RunRecord } from '../record.ts';

/** The search of one run, of elbowroom or of another library. */
export interface SearchRun {
  readonly problem: string;
  /**
   * Key of the problem and of the changes of its path constraints: lengths of runs with equal keys are comparable,
   * since their optimum is the same.
   */
  readonly comparable: string;
  /** Better paths in order; empty if the run is not solved. */
  readonly steps: readonly SearchStep[];
  /** Length of the path before and after simplification; infinite if the run is not solved. */
  readonly searchLength: number;
  readonly finalLength: number;
}

/** Searches of all runs with one setting. */
export interface SearchGroup {
  readonly label: string;
  readonly runs: readonly SearchRun[];
}

/**
 * Returns the searches of records, the unsolved ones included. Of several repetitions of a run, the first counts: the
 * others have the same search. Problems of which any search was not recorded (programs, moving objects, records of
 * earlier versions) are left out altogether, since only their unsolved runs would be counted.
 */
export function searchGroupsOf(
  groups: readonly { readonly label: string; readonly records: readonly RunRecord[] }[],
): SearchGroup[] {
  const unrecorded = new Set(
    groups
      .flatMap(({ records }) => records)
      .filter(({ status, improvements }) => status === 'solved' && !improvements)
      .map(({ problem_hash }) => problem_hash),
  );
  return groups.map(({ label, records }) => ({ label, runs: searchRunsOf(records, unrecorded) }));
}

function searchRunsOf(records: readonly RunRecord[], unrecorded: ReadonlySet<string>): SearchRun[] {
  const first = new Map<string, RunRecord>();
  for (const record of records) {
    if (unrecorded.has(record.problem_hash)) continue;
    const key = `${record.problem_hash} ${record.seed}`;
    const other = first.get(key);
    if (!other || record.repetition < other.repetition) first.set(key, record);
  }
  const runs = [...first.values()].sort((a, b) => compare(nameOf(a), nameOf(b)) || a.seed - b.seed);
  return runs.map((record) => ({
    problem: nameOf(record),
    comparable: JSON.stringify([record.problem_hash, record.constraints ?? null]),
    steps: record.improvements ?? [],
    searchLength: record.search_length ?? Number.POSITIVE_INFINITY,
    finalLength: (record.improvements && record.path_length) ?? Number.POSITIVE_INFINITY,
  }));
}

const compare = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0);
