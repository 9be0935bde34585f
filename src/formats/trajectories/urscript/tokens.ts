/** Characters of a message, which quotes names and texts of any length. */
const MAX_MESSAGE = 300;

/** Problem of a script, with its line. The reader catches it and converts it to an `InputError`. */
export class ScriptProblem extends Error {
  readonly what: string;

  constructor(
    readonly line: number,
    what: string,
    readonly note = '',
    /** True if parsing must not continue with the next line. */
    readonly isLast = false,
  ) {
    super();
    this.what = what.length > MAX_MESSAGE ? `${what.slice(0, MAX_MESSAGE)}…` : what;
  }
}

/** A token. `newline` ends a statement; line ends between brackets produce no token. */
export interface Token {
  readonly kind: 'name' | 'number' | 'text' | 'symbol' | 'newline' | 'end of file';
  /** Source text; of a string literal without its quotes. */
  readonly text: string;
  readonly line: number;
  /** True if the token begins in the first column of its line. */
  readonly isFirst: boolean;
  /** Offset in the text at which it begins, and that of its end. */
  readonly from: number;
  readonly to: number;
}

/** Blanks, a line continuation, a comment. */
const BLANK = /[ \t]+|\\\r?\n|#[^\n]*/y;
const NEWLINE = /\r?\n/y;
const NAME = /[A-Za-z_][A-Za-z0-9_]*/y;
const NUMBER = /(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?/y;
/** Characters that must not directly follow a number. */
const TAIL = /[\w.]{1,40}/y;
const QUOTED = /"[^"\n]*"/y;
const SYMBOL = /[=!<>]=|[-+*/%<>=()[\],:$]/y;

/** Characters that only some parsers treat as the end of a line or of the text. */
const CONTROL = /\r(?!\n)|[^\t\n\r -~\u0080-\uffff]|[\u0080-\u009f\u2028\u2029]/;

/** Splits URScript into tokens, one at a time, so that no list of all tokens of a long script is stored. */
export class Tokenizer {
  private at = 0;
  private line = 1;
  private brackets = 0;
  private readonly buffer: Token[] = [];
  /** Offset of the end of the last token that was consumed. */
  consumed = 0;

  constructor(private readonly text: string) {
    const control = CONTROL.exec(text);
    if (control === null) return;
    let line = 1;
    for (let i = 0; i < control.index; i++) if (text[i] === '\n') line++;
    const code = control[0].charCodeAt(0).toString(16).toUpperCase().padStart(4, '0');
    throw new ScriptProblem(
      line,
      `the control character U+${code}`,
      'Lines end with a line feed: remove the character.',
    );
  }

  /** Returns the next token, or the one after it, without consuming it. */
  peek(ahead: 0 | 1 = 0): Token {
    while (this.buffer.length <= ahead) this.buffer.push(this.read());
    return this.buffer[ahead];
  }

  next(): Token {
    const token = this.peek();
    this.buffer.shift();
    this.consumed = token.to;
    return token;
  }

  /** Skips the rest of a line that could not be parsed. */
  skipLine(): void {
    const kept = this.buffer.findIndex(({ kind }) => kind === 'newline');
    this.buffer.splice(0, kept < 0 ? this.buffer.length : kept);
    this.brackets = 0;
    if (kept >= 0) return;
    const end = this.text.indexOf('\n', this.at);
    this.at = end < 0 ? this.text.length : end;
  }

  private read(): Token {
    for (;;) {
      while (this.skipBlank());
      const token = this.match();
      if (token.kind !== 'newline' || this.brackets === 0) return token;
    }
  }

  private skipBlank(): boolean {
    const blank = this.take(BLANK);
    if (blank === undefined) return false;
    if (blank.endsWith('\n')) this.line++;
    else if (/^#.*\\\r?$/.test(blank))
      throw new ScriptProblem(
        this.line,
        'a backslash at the end of a comment',
        'It may continue the comment: remove it.',
      );
    return true;
  }

  private match(): Token {
    const { text, at, line } = this;
    const isFirst = at === 0 || text[at - 1] === '\n';
    const token = (kind: Token['kind'], shown: string): Token => ({
      kind,
      text: shown,
      line,
      isFirst,
      from: at,
      to: this.at,
    });
    if (at >= text.length) return token('end of file', '');
    if (this.take(NEWLINE) !== undefined) {
      this.line++;
      return token('newline', '');
    }
    const name = this.take(NAME);
    if (name !== undefined) return token('name', name);
    const number = this.take(NUMBER);
    if (number !== undefined) return token('number', this.checkedNumber(number));
    const symbol = this.take(SYMBOL);
    if (symbol === undefined) {
      const quoted = this.take(QUOTED);
      if (quoted === undefined) throw unreadable(text, at, line);
      return token('text', unquoted(quoted, line));
    }
    if (symbol === '(' || symbol === '[') this.brackets++;
    else if (symbol === ')' || symbol === ']') this.brackets = Math.max(0, this.brackets - 1);
    return token('symbol', symbol);
  }

  /** Consumes and returns the text that matches at the current position; undefined if none does. */
  private take(pattern: RegExp): string | undefined {
    pattern.lastIndex = this.at;
    if (!pattern.test(this.text)) return undefined;
    const taken = this.text.slice(this.at, pattern.lastIndex);
    this.at = pattern.lastIndex;
    return taken;
  }

  /** Rejects literals that parsers read differently: `0x10`, `010`, `1_000`, `1.2.3`, `5deg`. */
  private checkedNumber(number: string): string {
    const tail = this.take(TAIL) ?? '';
    if (tail === '' && !/^0\d/.test(number)) return number;
    throw new ScriptProblem(
      this.line,
      `${number}${tail} is not a decimal number`,
      'Write a decimal number such as -1.57.',
    );
  }
}

function unquoted(quoted: string, line: number): string {
  const text = quoted.slice(1, -1);
  if (!text.endsWith('\\')) return text;
  throw new ScriptProblem(
    line,
    'a backslash before a quotation mark',
    'It is not known where the text ends: leave it out.',
  );
}

function unreadable(text: string, at: number, line: number): ScriptProblem {
  const character = String.fromCodePoint(text.codePointAt(at)!);
  if (character === '"') return new ScriptProblem(line, 'a text without its closing quotation mark', 'Close it.');
  const note = character === "'" ? 'Put texts between double quotation marks.' : 'URScript has no such character.';
  return new ScriptProblem(line, `the character ${character} is not supported`, note);
}
