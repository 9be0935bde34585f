import { InputError } from '../../src/errors.ts';
import { generator, mutate } from './mutate.ts';
import { samples } from './samples.ts';
import { targets } from './targets.ts';

/** A file that a reader neither read nor refused. */
export interface Crash {
  readonly reader: string;
  readonly seed: number;
  readonly round: number;
  readonly what: string;
}

/** Files that take longer than this are told: milliseconds of the processor, for others may want it too. */
const SLOW = 2000;

/** The file of one round: the same for the same seed. */
export function caseOf(reader: string, seed: number, round: number): Uint8Array {
  return mutate(samples[reader], generator(seed, round));
}

/**
 * Reads mutated files, `count` rounds from `first` on; whatever comes of it but data or an InputError is a crash.
 * @param began hears of each round before it is read: should it never end, this was it
 */
export async function fuzz(
  reader: string,
  { seed, first = 0, count, began }: { seed: number; first?: number; count: number; began?: (round: number) => void },
): Promise<{ crashes: Crash[]; read: number }> {
  const crashes: Crash[] = [];
  let read = 0;
  for (let round = first; round < first + count; round++) {
    began?.(round);
    const bytes = caseOf(reader, seed, round);
    const start = process.cpuUsage().user;
    try {
      await targets[reader](bytes);
      read++;
    } catch (error) {
      if (!(error instanceof InputError))
        crashes.push({ reader, seed, round, what: (error as Error).stack ?? String(error) });
    }
    const elapsedMs = (process.cpuUsage().user - start) / 1000;
    if (elapsedMs > SLOW) crashes.push({ reader, seed, round, what: `it took ${elapsedMs.toFixed(0)} ms` });
  }
  return { crashes, read };
}
