import { availableParallelism } from 'node:os';
import { InputError } from '../../../errors.ts';
import { loadExperiment, Results } from '../../experiments/loadExperiment.ts';
import { makeRuns } from '../../experiments/pool.ts';
import { Progress } from '../../experiments/progress.ts';
import { makeRunsByQueue } from '../../experiments/queue/queueRuns.ts';
import { shownUrl } from '../../experiments/queue/redis.ts';
import type { RunRecord } from '../../experiments/record.ts';
import { readRecords } from '../../experiments/recordFile.ts';
import type { Shard } from '../../experiments/runs.ts';
import { writeTables } from '../../experiments/tables.ts';
import { ExitCode } from '../exitCode.ts';
import type { Io } from '../io.ts';
import type { ExperimentValues } from './experimentOptions.ts';

/** Runs `experiment FILE`: executes every run that the folder of results does not contain yet. */
export async function makeExperiment(io: Io, file: string, given: ExperimentValues): Promise<ExitCode> {
  const shard = shardOf(given.shard);
  const threads = given.jobs ?? availableParallelism();
  checkQueueOptions(given);
  const loaded = await loadExperiment(file, given.seeds);
  const folder = given.output ?? `${loaded.experiment.name.replace(/[/\\\0]/g, '_')}.runs`;
  const results = await Results.open(loaded, folder, shard);
  const { missing } = results;
  const wanted = results.wanted.length;
  io.warn([...loaded.warnings, ...results.warnings]);
  const before = wanted - missing.length;
  io.say(`${folder}: ${wanted} runs${before > 0 ? `, ${before} of them completed before` : ''}`);

  const progress = new Progress(wanted, before, io.clock);
  const seen = { made: 0, solved: 0, failed: undefined as string | undefined };
  const done = async (record: RunRecord) => {
    await results.keep(record);
    seen.made++;
    if (record.status === 'solved') seen.solved++;
    if (record.status === 'error') seen.failed ??= `${record.id}: ${record.reason}`;
    io.progress(progress.step());
  };
  const onInterrupt = () => {
    io.say(`interrupted: ${before + seen.made} of ${wanted} runs are completed; run the same command again to resume`);
    process.exit(ExitCode.Interrupted);
  };
  const notify = (line: string) => io.say(line);
  const { version } = results;
  process.on('SIGINT', onInterrupt);
  try {
    if (given.queue === undefined) await makeRuns(missing, results.problems, threads, version, done);
    else await makeRunsByQueue(missing, loaded.problems, given.queue, version, done, notify);
  } finally {
    process.off('SIGINT', onInterrupt);
    await results.close();
  }
  io.say(`${folder}: ${seen.made} runs completed, ${seen.solved} of them solved`);
  if (given.format !== undefined) await writeTables(readRecords(folder).records, folder);
  if (given.shard === undefined) io.say(`Next: elbowroom experiment report ${folder}`);
  if (seen.failed === undefined) return ExitCode.Ok;
  io.report({ severity: 'bug', text: `run ${seen.failed}`, hint: '' });
  return ExitCode.Bug;
}

/** Parses `2/8`. */
function shardOf(given = '1/1'): Shard {
  const [, index, of] = /^(\d+)\/(\d+)$/.exec(given)?.map(Number) ?? [];
  if (index >= 1 && index <= of) return { index, of };
  throw new InputError(`--shard is "${given}"`, 'Write I/N, for example 2/8: the second of eight parts.');
}

/** Throws `InputError` for a wrong URL of the queue, and for an option that has no effect with it. */
function checkQueueOptions({ queue, jobs }: ExperimentValues): void {
  if (queue === undefined) return;
  shownUrl(queue);
  if (jobs !== undefined) {
    throw new InputError(
      '--jobs has no effect with --queue: the workers plan',
      'Pass it to experiment worker --queue URL.',
    );
  }
}
