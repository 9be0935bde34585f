import type { Values } from '../command.ts';
import { optionalChoice, optionalInteger, text } from '../options.ts';

/** Options of `experiment`, `experiment report` and `experiment worker`. */
export const experimentOptions = {
  output: text('DIR', 'folder of the results (default: NAME.runs, NAME being that of the experiment)', 'o'),
  jobs: optionalInteger('one for each core', 'number of planning threads', { min: 1, max: 1024 }),
  seeds: optionalInteger('all', 'number of seeds, the first N of the experiment; the others can be run later', {
    min: 1,
  }),
  shard: text('I/N', 'run shard I of N only; the other shards are for other machines'),
  queue: text('URL', 'Redis server of the job queue (experiment: adds the runs; worker: takes runs from it)'),
  idle: optionalInteger('unlimited', 'idle time after which a worker exits, s', { min: 1 }),
  format: optionalChoice({ csv: true }, 'JSON lines only', 'format of an additional table of all results'),
};

export type ExperimentValues = Values<typeof experimentOptions>;
