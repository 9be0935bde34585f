import { PythonError } from './budget.ts';
import { requireSize } from './pyNumbers.ts';
import type { Argument, Clause, Comprehension, Expression } from './pySyntax.ts';
import { tokenize } from './pyTokens.ts';
import { TokenStream } from './tokenStream.ts';

/** Longest expression, characters. */
const MAX_LENGTH = 20_000;

/**
 * Parses an expression of Python 3. Throws `PythonError` for statements, f-strings, assignments, for names that start
 * with two underscores, and for what no description uses: lambdas, and braces, which end an expression of xacro.
 */
export function parseExpression(source: string): Expression {
  if (source.length > MAX_LENGTH) throw new PythonError(`the expression is longer than ${MAX_LENGTH} characters`);
  const parser = new Parser(tokenize(source));
  return parser.parse();
}

/** Binary operators by increasing precedence. */
const LEVELS: readonly (readonly string[])[] = [['|'], ['^'], ['&'], ['<<', '>>'], ['+', '-'], ['*', '/', '//', '%']];
const COMPARISONS = ['<', '>', '==', '!=', '<=', '>='];

class Parser extends TokenStream {
  parse(): Expression {
    const expression = this.tupleOr(() => this.expression());
    if (this.token.kind !== 'end') this.fail();
    return expression;
  }

  /** Parses one expression, or several with commas as a tuple. */
  private tupleOr(parse: () => Expression): Expression {
    const first = parse();
    if (!this.is(',')) return first;
    const items = [first];
    while (this.accept(',')) {
      if (this.token.kind === 'end' || [')', ']'].some((end) => this.is(end))) break;
      items.push(parse());
    }
    return { kind: 'tuple', items };
  }

  private expression(): Expression {
    return this.nested(() => {
      if (this.is('lambda')) throw new PythonError('lambda is not supported');
      const then = this.or();
      if (!this.accept('if')) return then;
      const condition = this.or();
      this.expect('else');
      return { kind: 'if', condition, then, otherwise: this.expression() };
    });
  }

  private or(): Expression {
    let left = this.and();
    while (this.accept('or')) left = { kind: 'or', left, right: this.and() };
    return left;
  }

  private and(): Expression {
    let left = this.not();
    while (this.accept('and')) left = { kind: 'and', left, right: this.not() };
    return left;
  }

  private not(): Expression {
    if (!this.accept('not')) return this.comparison();
    return this.nested(() => ({ kind: 'unary', operator: 'not', operand: this.not() }));
  }

  private comparison(): Expression {
    const first = this.binary(0);
    const rest: [string, Expression][] = [];
    for (let operator = this.comparator(); operator !== undefined; operator = this.comparator()) {
      rest.push([operator, this.binary(0)]);
    }
    return rest.length === 0 ? first : { kind: 'compare', first, rest };
  }

  private comparator(): string | undefined {
    const sign = COMPARISONS.find((text) => this.is(text));
    if (sign !== undefined) {
      this.at++;
      return sign;
    }
    if (this.accept('in')) return 'in';
    if (this.accept('is')) return this.accept('not') ? 'is not' : 'is';
    if (!this.accept('not')) return undefined;
    this.expect('in');
    return 'not in';
  }

  private binary(level: number): Expression {
    if (level === LEVELS.length) return this.unary();
    let left = this.binary(level + 1);
    for (;;) {
      const operator = LEVELS[level].find((text) => this.is(text));
      if (operator === undefined) return left;
      this.at++;
      left = { kind: 'binary', operator, left, right: this.binary(level + 1) };
    }
  }

  private unary(): Expression {
    const operator = ['-', '+', '~'].find((text) => this.is(text));
    if (operator === undefined) return this.power();
    this.at++;
    return this.nested(() => ({ kind: 'unary', operator, operand: this.unary() }));
  }

  private power(): Expression {
    const left = this.primary();
    if (!this.accept('**')) return left;
    return this.nested(() => ({ kind: 'binary', operator: '**', left, right: this.unary() }));
  }

  private primary(): Expression {
    let object = this.nested(() => this.atom());
    for (;;) {
      if (this.accept('.')) object = { kind: 'attribute', object, name: this.name() };
      else if (this.accept('(')) object = { kind: 'call', callee: object, args: this.arguments() };
      else if (this.accept('[')) object = this.subscript(object);
      else return object;
    }
  }

  private arguments(): Argument[] {
    const args: Argument[] = [];
    while (!this.accept(')')) {
      const spread = this.accept('**') ? '**' : this.accept('*') ? '*' : undefined;
      const isNamed = this.token.kind === 'name' && this.tokens[this.at + 1].text === '=';
      if (spread !== undefined) args.push({ value: this.expression(), spread });
      else if (isNamed) {
        const name = this.name();
        this.expect('=');
        args.push({ name, value: this.expression() });
      } else {
        const item = this.expression();
        const value: Expression = this.is('for')
          ? { kind: 'comprehension', of: 'generator', parts: this.clauses(item) }
          : item;
        args.push({ value });
      }
      if (!this.accept(',') && !this.is(')')) this.fail();
    }
    return args;
  }

  private subscript(object: Expression): Expression {
    const bounds: (Expression | undefined)[] = [undefined];
    while (!this.is(']')) {
      if (this.accept(':')) bounds.push(undefined);
      else if (bounds[bounds.length - 1] === undefined)
        bounds[bounds.length - 1] = this.tupleOr(() => this.expression());
      else this.fail();
    }
    this.expect(']');
    const [index] = bounds;
    if (bounds.length > 3 || (bounds.length === 1 && index === undefined)) this.fail();
    return bounds.length === 1 ? { kind: 'index', object, index: index! } : { kind: 'slice', object, bounds };
  }

  private atom(): Expression {
    const { kind, text } = this.token;
    if (kind === 'name') return { kind: 'name', name: this.name() };
    if (this.accept('(')) return this.parenthesized();
    if (this.accept('[')) return this.listDisplay();
    if (this.is('{')) throw new PythonError('braces are not supported', 'dict(…) makes a dictionary.');
    this.at++;
    if (kind === 'int') return { kind: 'constant', value: requireSize(BigInt(text.replaceAll('_', ''))) };
    if (kind === 'float') return { kind: 'constant', value: Number(text.replaceAll('_', '')) };
    if (kind === 'string') return { kind: 'constant', value: this.restOfString(text) };
    if (kind === 'keyword' && Object.hasOwn(CONSTANTS, text)) return { kind: 'constant', value: CONSTANTS[text] };
    this.at--;
    return this.fail();
  }

  /** Strings that follow each other are one. */
  private restOfString(first: string): string {
    const parts = [first];
    while (this.token.kind === 'string') parts.push(this.tokens[this.at++].text);
    return parts.join('');
  }

  private parenthesized(): Expression {
    if (this.accept(')')) return { kind: 'tuple', items: [] };
    const item = this.tupleOr(() => this.expression());
    const inner: Expression = this.is('for')
      ? { kind: 'comprehension', of: 'generator', parts: this.clauses(item) }
      : item;
    this.expect(')');
    return inner;
  }

  private listDisplay(): Expression {
    if (this.accept(']')) return { kind: 'list', items: [] };
    const first = this.expression();
    if (this.is('for')) {
      const parts = this.clauses(first);
      this.expect(']');
      return { kind: 'comprehension', of: 'list', parts };
    }
    const items = [first];
    while (this.accept(',') && !this.is(']')) items.push(this.expression());
    this.expect(']');
    return { kind: 'list', items };
  }

  private clauses(item: Expression): Comprehension {
    const clauses: Clause[] = [];
    while (this.accept('for')) {
      const isParenthesized = this.accept('(');
      const targets = [this.name()];
      let unpacks = false;
      while (this.accept(',')) {
        unpacks = true;
        if (this.token.kind === 'name') targets.push(this.name());
      }
      if (isParenthesized) this.expect(')');
      this.expect('in');
      const items = this.or();
      const conditions: Expression[] = [];
      while (this.accept('if')) conditions.push(this.or());
      clauses.push({ targets, unpacks, items, conditions });
    }
    return { item, clauses };
  }
}

const CONSTANTS: Readonly<Record<string, boolean | null>> = { True: true, False: false, None: null };
