import { InputError } from '../../errors.ts';
import { defineCommand } from '../command.ts';
import type { ExitCode } from '../exitCode.ts';
import { type ExperimentValues, experimentOptions } from '../experiment/experimentOptions.ts';
import { reportExperiment } from '../experiment/reportExperiment.ts';
import { makeExperiment } from '../experiment/runExperiment.ts';
import { workOnExperiments } from '../experiment/runWorker.ts';
import type { Io } from '../io.ts';
import { flagName } from '../parse.ts';

/** What each of the ways to call it takes. */
const takes: Readonly<Record<string, readonly (keyof typeof experimentOptions)[]>> = {
  FILE: ['output', 'jobs', 'seeds', 'shard', 'queue', 'format'],
  report: ['format'],
  worker: ['queue', 'jobs', 'idle'],
};

export const experiment = defineCommand({
  summary: 'scenes × planners × settings × seeds: run them all, in parallel, and compare',
  operands: [
    { name: 'FILE', meaning: 'experiment file (YAML or JSON); or the word report and DIR; or the word worker' },
    { name: 'DIR', meaning: 'of report: the folder', optional: true },
  ],
  options: experimentOptions,
  details: `DIR holds runs.jsonl, a line for each finished run, on disk before the run counts. End the process at any time and give the
same command again: it makes what is missing, nothing twice. Runs are known by the hash of scene, settings and seed.
experiment report DIR writes DIR/report/index.html, a page that loads nothing: tables, tests of differences, pictures; and each
picture as SVG beside it. A file called report is ./report.
experiment worker takes runs from a queue, on as many machines as there are; it may be ended at any time, too.
Exit code 0: every run has been made, solved or not. docs/experiments.md tells more.`,
  examples: [
    ['elbowroom experiment examples/experiments/checkers.yaml -o checkers', 'all runs, on all cores'],
    ['elbowroom experiment report checkers', 'what came out'],
    ['elbowroom experiment sweep.yaml -o sweep --shard 2/8', 'the second of eight parts'],
    ['elbowroom experiment sweep.yaml -o sweep --queue redis://host:6379', 'made by workers; results come here'],
    ['elbowroom experiment worker --queue redis://host:6379', 'one of them'],
  ],
  run,
});

async function run(
  io: Io,
  [what, folder]: readonly (string | undefined)[],
  given: ExperimentValues,
): Promise<ExitCode> {
  const way = Object.hasOwn(takes, what!) && what !== 'FILE' ? what! : 'FILE';
  refuseUseless(way, given);
  if (way === 'report') return reportExperiment(io, folder, given);
  if (way === 'worker') return workOnExperiments(io, folder, given);
  if (folder !== undefined) {
    throw new InputError(`experiment: unexpected "${folder}"`, `Write experiment FILE, or experiment report DIR.`);
  }
  return makeExperiment(io, what!, given);
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
