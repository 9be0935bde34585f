import type { ExperimentFile, RunSettings } from '../../formats/schemas/experimentFile.ts';
import { hashOf, type StoredProblem } from './problems.ts';

/** One planning run, with an id that depends only on its data. */
export interface Run {
  /** Hash of problem, settings, seed and repetition: independent of machine, order and experiment. */
  readonly id: string;
  readonly problem: Pick<StoredProblem, 'scene' | 'problem' | 'hash'>;
  readonly settings: RunSettings;
  readonly seed: number;
  /** Counted from 1. */
  readonly repetition: number;
}

/** Part of the runs: the `index`-th of `of`, counted from 1. */
export interface Shard {
  readonly index: number;
  readonly of: number;
}

/** Format version, part of the hashed data: it changes if a field changes its meaning. */
const FORMAT = 'elbowroom-run/1';

/**
 * Yields all runs of an experiment or of one of its shards. Seeds are the outer loop, so that an interrupted experiment
 * has covered every scene with every setting equally. The shard of a run depends only on its id, not on the rest of the
 * experiment.
 */
export function* runsOf(
  experiment: Pick<ExperimentFile, 'conditions' | 'seeds' | 'repetitions'>,
  problems: readonly StoredProblem[],
  shard: Shard = { index: 1, of: 1 },
): Generator<Run> {
  const named = problems.map(({ scene, problem, hash }) => ({ scene, problem, hash })); // shared: there may be 10⁷ runs
  for (let repetition = 1; repetition <= experiment.repetitions; repetition++) {
    for (const seed of experiment.seeds) {
      for (const problem of named) {
        for (const { settings } of experiment.conditions) {
          const id = hashOf(JSON.stringify([FORMAT, problem.hash, settings, seed, repetition]));
          if (Number.parseInt(id.slice(0, 12), 16) % shard.of !== shard.index - 1) continue;
          yield { id, problem, settings, seed, repetition };
        }
      }
    }
  }
}
