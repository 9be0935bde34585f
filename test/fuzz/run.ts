import { InputError } from '../../src/errors.ts';
import { generator, mutate } from './mutate.ts';
import { mutatedRecording } from './recordings.ts';
import { samples } from './samples.ts';
import { targets } from './targets.ts';

/** A file that a reader neither read nor refused. */
export interface Crash {
  readonly reader: string;
  readonly seed: number;
  readonly round: number;
  readonly what: string;
}

/** Files that take longer are reported: CPU time in ms, since other processes may be running. */
const SLOW = 2000;

/** Readers whose files are changed within their messages, instead of at any byte. */
const mutators: Readonly<Record<string, (random: ReturnType<typeof generator>) => Promise<Uint8Array>>> = {
  recordings: mutatedRecording,
};

/** The file of one round: the same for the same seed. */
export async function caseOf(reader: string, seed: number, round: number): Promise<Uint8Array> {
  const random = generator(seed, round);
  return Object.hasOwn(mutators, reader) ? mutators[reader](random) : mutate(samples[reader], random);
}

/** Receives events during the run, so that its results are known even if a file hangs or crashes the thread. */
export interface Listener {
  /** Before each round is read. */
  readonly began?: (round: number) => void;
  readonly found?: (crash: Crash) => void;
}

/** Reads mutated files, `count` rounds from `first` on; whatever comes of it but data or an InputError is a crash. */
export async function fuzz(
  reader: string,
  { seed, first = 0, count, began, found }: { seed: number; first?: number; count: number } & Listener,
): Promise<{ crashes: Crash[]; read: number }> {
  const crashes: Crash[] = [];
  let read = 0;
  const { stackTraceLimit } = Error;
  Error.stackTraceLimit = 0; // a stack for each mistake of a broken file takes longer than to read it
  const tell = (round: number, what: string) => {
    crashes.push({ reader, seed, round, what });
    found?.(crashes[crashes.length - 1]);
  };
  for (let round = first; round < first + count; round++) {
    began?.(round);
    const bytes = await caseOf(reader, seed, round);
    const start = process.cpuUsage().user;
    const error = await failure(reader, bytes);
    const elapsedMs = (process.cpuUsage().user - start) / 1000;
    if (error === undefined) read++;
    else if (!(error instanceof InputError)) {
      Error.stackTraceLimit = stackTraceLimit;
      const again = await failure(reader, bytes);
      tell(round, again instanceof Error ? String(again.stack) : `at the second time: ${again}; at first: ${error}`);
      Error.stackTraceLimit = 0;
    }
    if (elapsedMs > SLOW) tell(round, `it took ${elapsedMs.toFixed(0)} ms`);
  }
  Error.stackTraceLimit = stackTraceLimit;
  return { crashes, read };
}

async function failure(reader: string, bytes: Uint8Array): Promise<unknown> {
  try {
    await targets[reader](bytes);
    return undefined;
  } catch (error) {
    return error ?? 'nothing was thrown';
  }
}
