import { availableParallelism } from 'node:os';
import { InputError } from '../../../errors.ts';
import { QueueWork } from '../../experiments/queue/queueWorker.ts';
import { shownUrl } from '../../experiments/queue/redis.ts';
import { ExitCode } from '../exitCode.ts';
import type { Io } from '../io.ts';
import type { ExperimentValues } from './experimentOptions.ts';

/**
 * Runs `experiment worker --queue URL`: executes runs of the queue until it is stopped; on SIGTERM it finishes its
 * current runs.
 */
export async function workOnExperiments(
  io: Io,
  extra: string | undefined,
  { queue, jobs, idle, parts }: ExperimentValues,
): Promise<ExitCode> {
  if (extra !== undefined)
    throw new InputError(`experiment worker: unexpected "${extra}"`, 'A worker takes its runs from --queue.');
  if (queue === undefined)
    throw new InputError('experiment worker: --queue is missing', 'Write --queue redis://HOST:PORT.');
  const threads = jobs ?? availableParallelism();
  const shown = shownUrl(queue);
  const work = new QueueWork();
  process.once('SIGTERM', work.end);
  let made = 0;
  const finished = () => io.progress(`${shown}: ${++made} runs completed`);
  const ready = () => io.say(`${shown}: ready, ${threads} ${threads === 1 ? 'thread' : 'threads'}`);
  await work.run(queue, { threads, idle, parts, ready, finished, notify: (line) => io.say(line) });
  io.say(`${shown}: ${made} runs completed`);
  return ExitCode.Ok;
}
