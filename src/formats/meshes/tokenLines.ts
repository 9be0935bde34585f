import { InputError } from '../../errors.ts';
import { linesOf } from '../text/fileText.ts';
import { quote } from '../text/xmlDocument.ts';

/** NaN and infinities as C libraries print them, which normals of degenerate triangles are. */
const UNUSED = /^[-+]?(nan|inf(inity)?|\d\.#?(ind|qnan|snan|inf)\d*)(\(\w*\))?$/i;

/** Characters. Limit of the length of a line, whose words are stored. */
const MAX_LINE = 5_000_000;

/**
 * Iterates over the lines of a text that contain words: blank lines and comments are skipped, a backslash at the end of
 * a line continues it on the next one, if that is not blank.
 */
export class TokenLines {
  /** Words of the current line. */
  words: readonly string[] = [];
  /**
   * Number of the current line (the last one of continued lines), from 1; the number of the last line at the end of the
   * text.
   */
  line = 0;
  private readonly lines: Iterator<readonly [number: number, line: string]>;
  /** The next line that is not blank; undefined at the end. */
  private following: readonly [number: number, line: string] | undefined;

  /** @param comment begins a comment that extends to the end of the line */
  constructor(
    text: string,
    private readonly file: string,
    private readonly comment = '',
  ) {
    this.lines = linesOf(text)[Symbol.iterator]();
    this.take();
  }

  next(): boolean {
    while (this.following !== undefined) {
      const parts: string[] = [];
      let isContinued = true;
      while (isContinued) {
        const part = this.take();
        const hasBackslash = part.endsWith('\\');
        parts.push(hasBackslash ? part.slice(0, -1) : part);
        isContinued = hasBackslash && this.following?.[0] === this.line + 1;
      }
      const trimmed = parts.join(' ').trim();
      if (trimmed.length > MAX_LINE) throw this.error(`a line of more than ${MAX_LINE} characters`);
      if (trimmed === '') continue;
      this.words = trimmed.split(/\s+/);
      return true;
    }
    return false;
  }

  /**
   * Reads `count` finite numbers from the word at index `first` on; `place` names the item that they belong to, for
   * messages.
   */
  numbers(first: number, count: number, place = ''): number[] {
    const prefix = place === '' ? '' : `${place}: `;
    const values: number[] = [];
    for (let i = first; i < first + count; i++) {
      const word = this.words[i];
      if (word === undefined)
        throw this.error(`${prefix}${this.words[0]} has ${this.words.length - first} numbers, it must have ${count}`);
      const value = Number(word);
      if (!/^[-+.\d]/.test(word) || !Number.isFinite(value)) {
        const note = /^[-+]?\d+,\d+$/.test(word) ? `Use a decimal point: ${word.replace(',', '.')}.` : '';
        throw this.error(`${prefix}${quote(word)} is not a finite number`, note);
      }
      values.push(value);
    }
    return values;
  }

  /** Checks numbers that are not used, from the word at index `first` on: they may be NaN or infinite. */
  refuseWords(first: number): void {
    const word = this.words.slice(first).find((one) => !UNUSED.test(one) && !Number.isFinite(Number(one)));
    if (word !== undefined) throw this.error(`${this.words[0]}: ${quote(word)} is not a number`);
  }

  error(what: string, note = ''): InputError {
    return new InputError(`${this.file}:${this.line}: ${what}`, note);
  }

  private take(): string {
    const [number, text] = this.following ?? [0, ''];
    this.line = number;
    const { done, value } = this.lines.next();
    this.following = done === true ? undefined : value;
    const end = this.comment === '' ? -1 : text.indexOf(this.comment);
    return (end < 0 ? text : text.slice(0, end)).trimEnd();
  }
}
