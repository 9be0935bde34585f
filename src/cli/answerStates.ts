import { InputError } from '../errors.ts';
import { StateReader } from '../formats/states.ts';
import type { Configuration } from '../math/configuration.ts';
import { lineBlocks, openInput } from '../node/lines.ts';
import { WholeFile } from '../node/wholeFile.ts';
import type { Io } from './io.ts';

/** What became of a list of states. */
export interface StateCounts {
  readonly read: number;
  readonly unreadable: number;
}

/**
 * One JSON line per state of the list, in order, each as soon as it is known: `answer` gives the rest of the line behind the id. A line
 * that cannot be read is answered by `{"id", "line", "error"}` in its place. Memory stays bounded however long the list is: nothing more
 * is read while the reader of our answers is behind.
 */
export async function answerStates(
  io: Io,
  states: string | undefined,
  jointNames: readonly string[],
  output: string | undefined,
  answer: (q: Configuration) => string,
): Promise<StateCounts> {
  const { stream, name } = openInput(states);
  const reader = new StateReader(jointNames, name);
  const file = output === undefined ? undefined : new WholeFile(output);
  let read = 0;
  let unreadable = 0;
  const answerTo = (line: string): string => {
    const state = reader.read(line);
    if (state === undefined) return '';
    if (state.error !== undefined) {
      unreadable++;
      return `{"id":${state.id},"line":${state.line},"error":${JSON.stringify(state.error)}}\n`;
    }
    read++;
    return `{"id":${state.id},${answer(state.q)}}\n`;
  };
  try {
    for await (const lines of lineBlocks(stream, name)) {
      let answers = '';
      for (const line of lines) answers += answerTo(line);
      await (file ?? io).write(answers);
    }
    file?.commit();
  } finally {
    file?.discard();
  }
  if (unreadable > 0) {
    const error = new InputError(
      `${name}: ${unreadable} of ${read + unreadable} states could not be read`,
      'Their answers say line and reason.',
    );
    io.problem(error);
  }
  return { read, unreadable };
}
