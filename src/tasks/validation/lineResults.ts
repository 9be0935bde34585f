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
  ) {}

  /** Returns the results of some lines, each with its newline. */
  process(lines: readonly string[]): string {
    let results = '';
    for (const line of lines) results += this.resultLine(line);
    return results;
  }

  private resultLine(text: string): string {
    const line = this.reader.read(text);
    if (line === undefined) return '';
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
