import { PythonError } from './budget.ts';
import type { Token } from './pyTokens.ts';

/**
 * Limit of nested brackets, operators and lambdas: above that of hand-written expressions, far below a stack overflow.
 */
const MAX_DEPTH = 60;

/** The tokens of an expression and the position of the next one. */
export class TokenStream {
  protected at = 0;
  private depth = 0;

  constructor(protected readonly tokens: readonly Token[]) {}

  /** The next token. */
  protected get token(): Token {
    return this.tokens[this.at];
  }

  /** Throws a syntax error at the next token. */
  protected fail(): never {
    const { kind, text } = this.token;
    const what = kind === 'end' ? 'the expression ends too early' : `unexpected ${kind} "${text}"`;
    throw new PythonError(`syntax error: ${what}`);
  }

  /** Returns true if the next token is this operator or keyword. */
  protected is(text: string): boolean {
    return (this.token.kind === 'operator' || this.token.kind === 'keyword') && this.token.text === text;
  }

  /** Skips the next token if it is this operator or keyword, and returns whether it was. */
  protected accept(text: string): boolean {
    if (!this.is(text)) return false;
    this.at++;
    return true;
  }

  protected expect(text: string): void {
    if (!this.accept(text)) this.fail();
  }

  /** Reads a name. Throws `PythonError` if it starts with two underscores. */
  protected name(): string {
    const { kind, text } = this.token;
    if (kind !== 'name') this.fail();
    if (text.startsWith('__'))
      throw new PythonError(`the name ${text} starts with two underscores, it may not be used`);
    this.at++;
    return text;
  }

  /** Calls a method that parses a nested expression; throws `PythonError` if the nesting is too deep. */
  protected nested<T>(parse: () => T): T {
    if (++this.depth > MAX_DEPTH) throw new PythonError(`the expression is nested more than ${MAX_DEPTH} deep`);
    const result = parse();
    this.depth--;
    return result;
  }
}
