import type { RobotDescription } from '../../core/kinematics/robotModel.ts';
import type { Scene } from '../../core/scene/scene.ts';
import type { ReaderPlace } from '../../formats/streams/states.ts';
import { createSceneRobot } from '../../tasks/sceneRobot.ts';
import type { LineCounts } from '../../tasks/validation/lineResults.ts';
import { ValidationLines, type ValidationLinesOptions } from '../../tasks/validation/validationLines.ts';
import { OrderedOutput } from './orderedOutput.ts';
import { createWorkerPool } from './workers.ts';

/** Data that each thread receives at its start. */
export interface ValidationThreadData {
  readonly robot: RobotDescription;
  readonly scene: Scene;
  readonly options: ValidationLinesOptions;
  /** Prefix of messages. */
  readonly name: string;
}

/** Block of lines of a list, and its position in the list. */
export interface ValidationTask {
  readonly text: string;
  readonly place: ReaderPlace;
}

export interface ValidationReply extends LineCounts {
  readonly answers: string;
  readonly invalid: number;
}

/** Blocks of a list per thread: one that is processed, one that waits, one that is written. */
const BLOCKS_PER_THREAD = 3;

/**
 * Validates a list of states or motions on worker threads. Passes results to `write` in order, as soon as they are
 * known; they are identical to those of one thread. The beginning of the list, which determines its format, is
 * validated on this thread: short lists start no thread.
 */
export async function validateInThreads(
  data: ValidationThreadData,
  threads: number,
  texts: AsyncIterable<string>,
  write: (answers: string) => Promise<void>,
): Promise<LineCounts & { readonly invalid: number }> {
  const here = linesOf(data);
  const counts = { read: 0, unreadable: 0, invalid: 0 };
  const count = ({ read, unreadable, invalid }: typeof counts) => {
    counts.read += read;
    counts.unreadable += unreadable;
    counts.invalid += invalid;
  };
  let place: ReaderPlace | undefined;
  let pool: Awaited<ReturnType<typeof createWorkerPool>> | undefined;
  const inOrder = new OrderedOutput<ValidationReply>(BLOCKS_PER_THREAD * threads, async (reply) => {
    count(reply);
    await write(reply.answers);
  });
  try {
    for await (const text of texts) {
      if (place === undefined) {
        await write(here.to(text.split('\n')));
        place = here.place;
        continue;
      }
      pool ??= await createWorkerPool('validateWorker', { threads, data });
      const task: ValidationTask = { text, place };
      await inOrder.add(pool.run(task));
      place = { ...place, lines: place.lines + linesIn(text) };
    }
    await inOrder.end();
  } finally {
    await pool?.destroy();
  }
  count(here);
  return counts;
}

/** Creates what validates lines. */
export const linesOf = ({ robot, scene, options, name }: ValidationThreadData): ValidationLines =>
  new ValidationLines(createSceneRobot({ scene, robot }), scene, options, name);

function linesIn(text: string): number {
  let lines = 1;
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) lines++;
  return lines;
}
