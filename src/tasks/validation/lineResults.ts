import { InputError } from '../../errors.ts';

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

/** What became of the lines of a list. */
export interface LineCounts {
  readonly read: number;
  readonly unreadable: number;
}

/**
 * Answers a list of questions line by line: a JSON line each, `answer` gives the rest of it behind the id. A line that cannot be read, or
 * whose answer is an InputError, is answered by `{"id", "line", "error"}` in its place.
 */
export class LineAnswers<Line extends ReadLine> implements LineCounts {
  read = 0;
  unreadable = 0;

  constructor(
    private readonly reader: LineReader<Line>,
    private readonly answer: (line: Line) => string,
  ) {}

  /** The answers to some lines, each with its newline. */
  to(lines: readonly string[]): string {
    let answers = '';
    for (const line of lines) answers += this.toLine(line);
    return answers;
  }

  private toLine(text: string): string {
    const line = this.reader.read(text);
    if (line === undefined) return '';
    let { error } = line;
    if (error === undefined) {
      try {
        const answer = `{"id":${line.id},${this.answer(line)}}\n`;
        this.read++;
        return answer;
      } catch (reason) {
        if (!(reason instanceof InputError)) throw reason;
        error = errorText(reason);
      }
    }
    this.unreadable++;
    return `{"id":${line.id},"line":${line.line},"error":${JSON.stringify(error)}}\n`;
  }
}

/** An error in one line: what is wrong, and the way out. */
export function errorText({ message, note }: InputError): string {
  return note === '' ? message : `${message}. ${note}`;
}
