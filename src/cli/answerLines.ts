import { InputError } from '../errors.ts';
import { lineBlocks, openInput } from '../node/lines.ts';
import { WholeFile } from '../node/wholeFile.ts';
import type { Io } from './io.ts';

/** What a reader makes of a line: what it holds, or what keeps it from being read. */
export interface ReadLine {
  /** JSON text. */
  readonly id: string;
  readonly line: number;
  readonly error: string | undefined;
}

/** Reads a list of questions, a line each. */
export interface LineReader<Line extends ReadLine> {
  /** Undefined for lines that hold none. */
  read(text: string): Line | undefined;
}

/** Where a list comes from, and where its answers go. */
export interface LineStreams {
  /** Path; `-` or undefined: standard input. */
  readonly input: string | undefined;
  /** Path; undefined: standard output. */
  readonly output: string | undefined;
  /** What the lines are, for people: `states`. */
  readonly what: string;
}

/** What became of a list. */
export interface LineCounts {
  readonly read: number;
  readonly unreadable: number;
}

/**
 * One JSON line per line of a list, in order, each as soon as it is known: `answer` gives the rest of it behind the id. A line that cannot
 * be read is answered by `{"id", "line", "error"}` in its place. Memory stays bounded however long the list is: nothing more is read
 * while the reader of our answers is behind.
 *
 * @param createReader makes the reader once the name of the list is known
 */
export async function answerLines<Line extends ReadLine>(
  io: Io,
  { input, output, what }: LineStreams,
  createReader: (name: string) => LineReader<Line>,
  answer: (line: Line) => string,
): Promise<LineCounts> {
  const { stream, name } = openInput(input);
  const reader = createReader(name);
  const file = output === undefined ? undefined : new WholeFile(output);
  let read = 0;
  let unreadable = 0;
  const answerTo = (text: string): string => {
    const line = reader.read(text);
    if (line === undefined) return '';
    if (line.error !== undefined) {
      unreadable++;
      return `{"id":${line.id},"line":${line.line},"error":${JSON.stringify(line.error)}}\n`;
    }
    read++;
    return `{"id":${line.id},${answer(line)}}\n`;
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
      `${name}: ${unreadable} of ${read + unreadable} ${what} could not be read`,
      'Their answers say line and reason.',
    );
    io.problem(error);
  }
  return { read, unreadable };
}
