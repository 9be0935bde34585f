import { availableParallelism } from 'node:os';
import { InputError } from '../../../errors.ts';
import { QueueWork } from '../../experiments/queue/queueWorker.ts';
import { shownUrl } from '../../experiments/queue/redis.ts';
import { readRecords } from '../../experiments/recordFile.ts';
import { writeReport } from '../../experiments/report/writeReport.ts';
import { writeTables } from '../../experiments/tables.ts';
import { defineCommand } from '../command.ts';
import { ExitCode } from '../exitCode.ts';
import { type ExperimentValues, experimentOptions } from '../experiment/experimentOptions.ts';
import { makeExperiment } from '../experiment/runExperiment.ts';
import type { Io } from '../io.ts';
import { flagName } from '../parse.ts';

/** Options that each form of the command accepts. */
const acceptedOptions: Readonly<Record<string, readonly (keyof typeof experimentOptions)[]>> = {
  FILE: ['output', 'jobs', 'seeds', 'shard', 'queue', 'format'],
  report: ['format'],
  worker: ['queue', 'jobs', 'idle'],
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

/**
 * Runs `experiment report DIR`: writes the page, its charts and, with `--format`, a table; prints the path of the page
 * to stdout.
 */
async function reportExperiment(io: Io, folder: string | undefined, given: ExperimentValues): Promise<ExitCode> {
  if (folder === undefined) {
    throw new InputError(
      'experiment report: DIR is missing',
      'Name the folder that experiment FILE -o DIR has written.',
    );
  }
  io.progress(`${folder}: writing the report …`);
  const { page, figures, summary, runs, warnings } = await writeReport(folder);
  io.warn(warnings);
  io.say(`${summary.name}: ${runs} of ${summary.runs} runs, ${figures.length} pictures`);
  if (given.format !== undefined) io.say(await writeTables(readRecords(folder).records, folder));
  await io.write(`${page}\n`);
  return ExitCode.Ok;
}

/**
 * Runs `experiment worker --queue URL`: executes runs of the queue until it is stopped; on SIGTERM it finishes its
 * current runs.
 */
async function workOnExperiments(
  io: Io,
  extra: string | undefined,
  { queue, jobs, idle }: ExperimentValues,
): Promise<ExitCode> {
  if (extra !== undefined)
    throw new InputError(`experiment worker: unexpected "${extra}"`, 'A worker takes its runs from --queue.');
  if (queue === undefined)
    throw new InputError('experiment worker: --queue is missing', 'Write --queue redis://HOST:PORT.');
  const threads = jobs ?? availableParallelism();
  const shown = shownUrl(queue);
  const work = new QueueWork();
  process.once('SIGTERM', work.end);
  io.exitOnInterrupt();
  let made = 0;
  const finished = () => io.progress(`${shown}: ${++made} runs completed`);
  const ready = () => io.say(`${shown}: ready, ${threads} ${threads === 1 ? 'thread' : 'threads'}`);
  await work.run(queue, { threads, idle, ready, finished, notify: (line) => io.say(line) });
  io.say(`${shown}: ${made} runs completed`);
  return ExitCode.Ok;
}
