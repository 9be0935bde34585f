import { tableFormats } from '../../experiments/tables.ts';
import type { Values } from '../command.ts';
import { optionalChoice, optionalInteger, text } from '../options.ts';

/** Options of `experiment`, `experiment report` and `experiment worker`. */
export const experimentOptions = {
  output: text('DIR', 'folder of the results (default: NAME.runs, after the experiment)', 'o'),
  jobs: optionalInteger('one for each core', 'threads that plan', { least: 1, most: 1024 }),
  seeds: optionalInteger('all', 'the first N seeds alone, to try it out: the others can follow', { least: 1 }),
  shard: text('I/N', 'make the I-th part of N only: the others are for other machines'),
  queue: text('URL', 'put the runs on this Redis server, for workers wherever they are; of worker: take them there'),
  idle: optionalInteger('stays', 'of worker: leave after as many seconds without a run', { least: 1 }),
  format: optionalChoice(tableFormats, 'JSON lines alone', 'write all results as a table, too'),
};

export type ExperimentValues = Values<typeof experimentOptions>;
