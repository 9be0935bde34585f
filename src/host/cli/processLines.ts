import { InputError } from '../../errors.ts';
import { type LineCounts, type LineReader, LineResults, type ReadLine } from '../../tasks/validation/lineResults.ts';
import { lineChunks, openInput, rowChunks, textsOf } from '../node/inputLines.ts';
import type { Io, Output } from './io.ts';

/** Input and output of a command that processes lines. */
export interface LineStreams {
  /** Path; `-` or undefined for stdin. */
  readonly input: string | undefined;
  /** Path; undefined for stdout. */
  readonly output: string | undefined;
  /** Plural noun for the lines, for messages: `states`. */
  readonly what: string;
  /** Length of the rows of a binary input, bytes; undefined: lines. */
  readonly width?: number;
}

/**
 * Writes one JSON line per input line, in order, each as soon as it is computed. For a line that cannot be read it
 * writes `{"id", "line", "error"}`. Memory is bounded for any length of input: reading stops while the reader of the
 * output is slower (back-pressure).
 *
 * @param createReader creates the reader of lines for the name of the input
 * @param resultOf returns the fields of the result after the id, as JSON text without braces
 */
export function processLines<Line extends ReadLine>(
  io: Io,
  streams: LineStreams,
  createReader: (name: string) => LineReader<Line>,
  resultOf: (line: Line) => string,
): Promise<LineCounts> {
  return processChunks(io, streams, async (chunks, name, out) => {
    const results = new LineResults(createReader(name), resultOf);
    for await (const text of textsOf(chunks)) await out.write(results.process(text.split('\n')));
    return results;
  });
}

/**
 * As `processLines` for chunks of many lines: calls `processAll` with the chunks of `lineChunks` as they arrive, the
 * name of the input and the output.
 */
export async function processChunks<Counts extends LineCounts>(
  io: Io,
  { input, output, what, width }: LineStreams,
  processAll: (chunks: AsyncGenerator<string | Buffer>, name: string, out: Output) => Promise<Counts>,
): Promise<Counts> {
  const { stream, name } = openInput(input);
  const file = output === undefined ? undefined : io.open(output);
  let counts: Counts;
  try {
    const given = width === undefined ? lineChunks(stream, name) : rowChunks(stream, name, width);
    counts = await processAll(withProgress(io, given, name), name, file ?? io);
    file?.commit();
  } finally {
    file?.discard();
  }
  const { read, unreadable } = counts;
  if (unreadable > 0) {
    const error = new InputError(
      `${name}: ${unreadable} of ${read + unreadable} ${what} could not be read`,
      width === undefined ? 'Their results give line and reason.' : 'Their byte is 2.',
    );
    io.problem(error);
  }
  return counts;
}

/** Interval between progress lines, ms. */
const PROGRESS_INTERVAL = 200;

/** Yields the chunks, with a progress line about their total length unless the results appear on the terminal. */
async function* withProgress(
  io: Io,
  chunks: AsyncGenerator<string | Buffer>,
  name: string,
): AsyncGenerator<string | Buffer> {
  io.clearProgress();
  let [length, lastTime] = [0, io.clock()];
  for await (const chunk of chunks) {
    yield chunk;
    length += chunk.length;
    if (io.isTerminal || io.clock() - lastTime < PROGRESS_INTERVAL) continue;
    lastTime = io.clock();
    io.progress(`${name}: ${(length / 1e6).toFixed(1)} MB processed`);
  }
  io.clearProgress();
}
