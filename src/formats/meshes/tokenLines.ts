import { InputError } from '../../errors.ts';
import { quote } from '../text/xmlDocument.ts';

/** Walks over the lines of a text that hold words: blank lines and comments skipped, a backslash at the end joins the next line. */
export class TokenLines {
  /** Words of the current line. */
  words: readonly string[] = [];
  /** Number of the current line (the last of joined ones), counted from 1; the last line once all are read. */
  line = 0;
  private readonly lines: readonly string[];

  /** @param comment what begins a comment, up to the end of the line */
  constructor(
    text: string,
    private readonly file: string,
    private readonly comment = '',
  ) {
    this.lines = text.replace(/^\uFEFF/, '').split(/\r\n|\n|\r/);
  }

  next(): boolean {
    while (this.line < this.lines.length) {
      let text = this.take();
      while (text.endsWith('\\') && this.line < this.lines.length) text = `${text.slice(0, -1)} ${this.take()}`;
      const trimmed = text.trim();
      if (trimmed === '') continue;
      this.words = trimmed.split(/\s+/);
      return true;
    }
    return false;
  }

  /** `count` finite numbers from the word at index `first` on; `place` names in messages what they belong to. */
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

  error(what: string, note = ''): InputError {
    return new InputError(`${this.file}:${this.line}: ${what}`, note);
  }

  private take(): string {
    const text = this.lines[this.line++];
    const end = this.comment === '' ? -1 : text.indexOf(this.comment);
    return (end < 0 ? text : text.slice(0, end)).trimEnd();
  }
}
