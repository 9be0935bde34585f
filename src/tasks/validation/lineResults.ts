import { InputError } from '../../errors.ts';

/** A line as read: its content, or the error. */
export interface ReadLine {
  /** JSON text. */
  readonly id: string;
  readonly line: number;
  readonly error: string | undefined;
}

/** Reader of a list with one query per line. */
export interface LineReader<Line extends ReadLine> {
  /** Reads one line; undefined if it contains no query. */
  read(text: string): Line | undefined;
}

/** Numbers of lines that were processed, and that could not be read. */
export interface LineCounts {
  readonly read: number;
  readonly unreadable: number;
}

/** Batched queries, which are faster than single ones. */
export interface LineBatches<Line extends ReadLine> {
  /** Number of queries in a batch. */
  readonly size: number;
  /** Returns a copy of a line that stays valid when the reader reads on. */
  readonly copy: (line: Line) => Line;
  /** Is called with the lines of a batch before their results are computed. */
  readonly prepare: (lines: readonly Line[]) => void;
}

/**
 * Computes one JSON line per query; `resultOf` returns the fields after the id. The result of a line that cannot be
 * read, or whose query throws `InputError`, is `{"id", "line", "error"}`.
 */
export class LineResults<Line extends ReadLine> implements LineCounts {
  read = 0;
  unreadable = 0;

  constructor(
    private readonly reader: LineReader<Line>,
    private readonly resultOf: (line: Line) => string,
    private readonly batches?: LineBatches<Line>,
  ) {}

  /** Returns the results of some lines, each with its newline. */
  process(lines: readonly string[]): string {
    const { reader, batches } = this;
    const batch: Line[] = [];
    let results = '';
    for (const text of lines) {
      const line = reader.read(text);
      if (line === undefined) continue;
      if (batches === undefined) {
        results += this.resultLine(line);
        continue;
      }
      batch.push(batches.copy(line));
      if (batch.length === batches.size) results += this.batchResults(batch);
    }
    return results + this.batchResults(batch);
  }

  /** Returns the results of a batch, and empties it. */
  private batchResults(batch: Line[]): string {
    if (batch.length > 1) this.batches?.prepare(batch.filter(({ error }) => error === undefined));
    let results = '';
    for (const line of batch) results += this.resultLine(line);
    batch.length = 0;
    return results;
  }

  private resultLine(line: Line): string {
    let { error } = line;
    if (error === undefined) {
      try {
        const result = `{"id":${line.id},${this.resultOf(line)}}\n`;
        this.read++;
        return result;
      } catch (reason) {
        if (!(reason instanceof InputError)) throw reason;
        error = errorText(reason);
      }
    }
    this.unreadable++;
    return `{"id":${line.id},"line":${line.line},"error":${JSON.stringify(error)}}\n`;
  }
}

/** Formats an error and its note in one line. */
export function errorText({ message, note }: InputError): string {
  return note === '' ? message : `${message}. ${note}`;
}
