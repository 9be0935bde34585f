import { InputError } from '../../errors.ts';
import { tableFormats } from '../../experiments/tables.ts';
import { defineCommand, type Values } from '../command.ts';
import type { ExitCode } from '../exitCode.ts';
import { makeExperiment } from '../experiment/make.ts';
import type { Io } from '../io.ts';
import { optionalChoice, optionalInteger, text } from '../options.ts';
import { flagName } from '../parse.ts';

const options = {
  output: text('DIR', 'folder of the results (default: NAME.runs, after the experiment)', 'o'),
  jobs: optionalInteger('one for each core', 'threads that plan', { least: 1, most: 1024 }),
  shard: text('I/N', 'make the I-th part of N only: the others are for other machines'),
  format: optionalChoice(tableFormats, 'JSON lines alone', 'write all results as a table, too'),
};

/** What each of the three ways to call it takes. */
const takes: Readonly<Record<string, readonly (keyof typeof options)[]>> = {
  FILE: ['output', 'jobs', 'shard', 'format'],
};

export type ExperimentValues = Values<typeof options>;

export const experiment = defineCommand({
  summary: 'scenes × planners × settings × seeds: run them all, in parallel, and compare',
  operands: [{ name: 'FILE', meaning: 'experiment file (YAML or JSON)' }],
  options,
  details: `DIR holds runs.jsonl, a line for each finished run, on disk before the next line begins. End the process at any time and give
the same command again: it makes what is missing, nothing twice. Runs are known by the hash of scene, settings and seed.
Exit code 0: every run has been made, solved or not. docs/experiments.md tells more.`,
  examples: [
    ['elbowroom experiment examples/experiments/checkers.yaml -o checkers', 'all runs, on all cores'],
    ['elbowroom experiment sweep.yaml -o sweep --shard 2/8', 'the second of eight parts'],
  ],
  run,
});

async function run(io: Io, [file]: readonly (string | undefined)[], given: ExperimentValues): Promise<ExitCode> {
  refuseUseless('FILE', given);
  return makeExperiment(io, file!, given);
}

function refuseUseless(way: string, given: ExperimentValues): void {
  for (const [key, value] of Object.entries(given)) {
    if (value === undefined || (takes[way] as readonly string[]).includes(key)) continue;
    throw new InputError(
      `experiment ${way} does not take ${flagName(key)}`,
      `It takes: ${takes[way].map((one) => flagName(one)).join(', ')}.`,
    );
  }
}
