import { InputError } from '../errors.ts';
import { WholeFile } from '../node/atomicFile.ts';
import { lineTexts, openInput } from '../node/inputLines.ts';
import { LineAnswers, type LineCounts, type LineReader, type ReadLine } from '../tasks/validation/lineResults.ts';
import type { Io, Output } from './io.ts';

/** Where a list comes from, and where its answers go. */
export interface LineStreams {
  /** Path; `-` or undefined: standard input. */
  readonly input: string | undefined;
  /** Path; undefined: standard output. */
  readonly output: string | undefined;
  /** What the lines are, for people: `states`. */
  readonly what: string;
}

/**
 * One JSON line per line of a list, in order, each as soon as it is known: `answer` gives the rest of it behind the id. A line that cannot
 * be read is answered by `{"id", "line", "error"}` in its place. Memory stays bounded however long the list is: nothing more is read
 * while the reader of our answers is behind.
 *
 * @param createReader makes the reader once the name of the list is known
 */
export function answerLines<Line extends ReadLine>(
  io: Io,
  streams: LineStreams,
  createReader: (name: string) => LineReader<Line>,
  answer: (line: Line) => string,
): Promise<LineCounts> {
  return answerList(io, streams, async (texts, name, out) => {
    const answers = new LineAnswers(createReader(name), answer);
    for await (const text of texts) await out.write(answers.to(text.split('\n')));
    return answers;
  });
}

/** As `answerLines`, for those who answer whole stretches of the list: `answer` gets them as they arrive, with the name of the list. */
export async function answerList<Counts extends LineCounts>(
  io: Io,
  { input, output, what }: LineStreams,
  answer: (texts: AsyncGenerator<string>, name: string, out: Output) => Promise<Counts>,
): Promise<Counts> {
  const { stream, name } = openInput(input);
  const file = output === undefined ? undefined : new WholeFile(output);
  let counts: Counts;
  try {
    counts = await answer(lineTexts(stream, name), name, file ?? io);
    file?.commit();
  } finally {
    file?.discard();
  }
  const { read, unreadable } = counts;
  if (unreadable > 0) {
    const error = new InputError(
      `${name}: ${unreadable} of ${read + unreadable} ${what} could not be read`,
      'Their answers say line and reason.',
    );
    io.problem(error);
  }
  return counts;
}
