import type { ExperimentFile, RunSettings } from '../formats/schemas/experimentFile.ts';
import { hashOf, type StoredProblem } from './problems.ts';

/** One plan to be made: what it is about, and a name that depends on that alone. */
export interface Run {
  /** Hash of problem, settings, seed and repetition: the same on every machine, in every order, in every experiment. */
  readonly id: string;
  readonly problem: Pick<StoredProblem, 'scene' | 'problem' | 'hash'>;
  readonly settings: RunSettings;
  readonly seed: number;
  /** Counted from 1. */
  readonly repetition: number;
}

/** Which part of the runs is wanted: the `index`-th of `of`, counted from 1. */
export interface Shard {
  readonly index: number;
  readonly of: number;
}

/** Part of what ids are hashes of: another meaning of a field is another run. */
const FORMAT = 'elbowroom-run/1';

/**
 * Every run of an experiment, or of a shard of it. Seeds come slowest, so that an experiment cut short has looked at every scene with
 * every setting alike. A run belongs to the same shard whatever else the experiment asks for.
 */
export function* runsOf(
  experiment: Pick<ExperimentFile, 'conditions' | 'seeds' | 'repetitions'>,
  problems: readonly StoredProblem[],
  shard: Shard = { index: 1, of: 1 },
): Generator<Run> {
  for (let repetition = 1; repetition <= experiment.repetitions; repetition++) {
    for (const seed of experiment.seeds) {
      for (const { scene, problem, hash } of problems) {
        for (const { settings } of experiment.conditions) {
          const id = hashOf(JSON.stringify([FORMAT, hash, settings, seed, repetition]));
          if (Number.parseInt(id.slice(0, 12), 16) % shard.of !== shard.index - 1) continue;
          yield { id, problem: { scene, problem, hash }, settings, seed, repetition };
        }
      }
    }
  }
}
