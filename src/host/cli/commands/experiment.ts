import { InputError } from '../../../errors.ts';
import { defineCommand } from '../command.ts';
import type { ExitCode } from '../exitCode.ts';
import { type ExperimentValues, experimentOptions } from '../experiment/experimentOptions.ts';
import { reportExperiment } from '../experiment/reportExperiment.ts';
import { makeExperiment } from '../experiment/runExperiment.ts';
import { workOnExperiments } from '../experiment/runWorker.ts';
import type { Io } from '../io.ts';
import { flagName } from '../parse.ts';

/** Options that each form of the command accepts. */
const acceptedOptions: Readonly<Record<string, readonly (keyof typeof experimentOptions)[]>> = {
  FILE: ['output', 'jobs', 'seeds', 'shard', 'queue', 'batch', 'parts', 'format'],
  report: ['format', 'ompl'],
  worker: ['queue', 'jobs', 'idle', 'parts'],
};

export const experiment = defineCommand({
  summary: 'benchmark: scenes × planners × settings × seeds, run in parallel and compared',
  operands: [
    { name: 'FILE', meaning: 'experiment file (YAML or JSON); or the word report, with DIR; or the word worker' },
    { name: 'DIR', meaning: 'for report: folder of the results', optional: true },
  ],
  options: experimentOptions,
  details: `DIR contains runs.jsonl, one line per completed run, flushed to disk before the run counts as completed. The
process can be stopped at any
time; the same command resumes with the missing runs. Runs are identified by a hash of scene, settings and seed.
experiment report DIR writes DIR/report/index.html, a self-contained page with tables, significance tests and charts,
and each chart as an SVG file beside it. For an experiment file named report, write ./report.
experiment worker executes runs from a queue, on any number of machines; it can be stopped at any time, too.
Exit code 0: every run is completed, solved or not. See docs/experiments.md.`,
  examples: [
    ['elbowroom experiment examples/experiments/checkers.yaml -o checkers', 'all runs, on all cores'],
    ['elbowroom experiment report checkers', 'tables and charts of the results'],
    ['elbowroom experiment sweep.yaml -o sweep --shard 2/8', 'the second of eight parts'],
    [
      'elbowroom experiment sweep.yaml -o sweep --queue redis://host:6379',
      'executed by workers; results are written here',
    ],
    ['elbowroom experiment worker --queue redis://host:6379', 'one of the workers'],
  ],
  run,
});

async function run(
  io: Io,
  [first, folder]: readonly (string | undefined)[],
  given: ExperimentValues,
): Promise<ExitCode> {
  const form = Object.hasOwn(acceptedOptions, first!) && first !== 'FILE' ? first! : 'FILE';
  checkOptions(form, given);
  if (form === 'report') return reportExperiment(io, folder, given);
  if (form === 'worker') return workOnExperiments(io, folder, given);
  if (folder !== undefined) {
    throw new InputError(`experiment: unexpected "${folder}"`, `Write experiment FILE, or experiment report DIR.`);
  }
  return makeExperiment(io, first!, given);
}

/** Throws `InputError` for options that this form of the command does not accept. */
function checkOptions(form: string, given: ExperimentValues): void {
  for (const [key, value] of Object.entries(given)) {
    if (value === undefined || (acceptedOptions[form] as readonly string[]).includes(key)) continue;
    throw new InputError(
      `experiment ${form} does not accept ${flagName(key)}`,
      `It accepts: ${acceptedOptions[form].map((one) => flagName(one)).join(', ')}.`,
    );
  }
}
