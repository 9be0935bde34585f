import { LARGEST_BATCH } from '../../experiments/runs.ts';
import { tableFormats } from '../../experiments/tables.ts';
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
  batch: optionalInteger('1, or 100 with --parts', 'number of runs per job, with --queue', {
    min: 1,
    max: LARGEST_BATCH,
  }),
  parts: text('DIR', 'with --queue: shared folder to which workers write results as Parquet parts, merged at the end'),
  idle: optionalInteger('unlimited', 'idle time after which a worker exits, s', { min: 1 }),
  ompl: text('FILE', 'OMPL benchmarks that report shows beside the runs, .log or .db; several with commas'),
  format: optionalChoice(tableFormats, 'JSON lines only', 'format of an additional table of all results'),
};

export type ExperimentValues = Values<typeof experimentOptions>;
