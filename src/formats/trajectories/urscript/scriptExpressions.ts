import type { Call, Expression, Link, Parameter, TextSpan } from './syntax.ts';
import { ScriptProblem, type Token, type Tokenizer } from './tokens.ts';
import { createList, literal, type NumberValue, negated } from './values.ts';

/** Limit of nested brackets, signs and blocks. */
export const MAX_DEPTH = 50;
/**
 * Limit of expressions, each of about 100 bytes; operators and statements count as several. A servoj of six joints is
 * 31, so that a script may have 160,000 of them.
 */
const MAX_SIZE = 5_000_000;

export const KEYWORDS: ReadonlySet<string> = new Set(
  (
    'and break continue def elif else end False for global halt if in join kill local not or pass return run sec ' +
    'struct switch case default thread True while xor enter_critical exit_critical'
  ).split(' '),
);

/** Limit of the parameters of a function. */
const MAX_PARAMETERS = 100;

const COMPARISONS = ['==', '!=', '<', '<=', '>', '>='];
const LOGIC = ['and', 'or', 'xor'];

/** Parses expressions: numbers, strings, booleans, lists, poses, variables, calls and operators. */
export class ExpressionParser {
  /** All parsed calls. */
  readonly calls: Call[] = [];
  /** Names of variables that are read, and of parameters. */
  reads = new Set<string>();
  /** Number of parsed expressions, with operators and statements counted by their memory. */
  size = 0;
  private depth = 0;

  constructor(protected readonly tokens: Tokenizer) {}

  parseExpression(): Expression {
    return this.nested(() => {
      const first = this.parseNot();
      const rest = this.parseLinks(LOGIC, () => this.parseNot());
      const other = rest.find(({ op }) => op !== rest[0].op);
      if (other !== undefined)
        throw new ScriptProblem(first.line, `${rest[0].op} beside ${other.op}`, 'Put one of them in parentheses.');
      return chained(first, rest);
    });
  }

  /** Parses a call `name(…)`; the name has been consumed. */
  parseCall({ text: name, line, from }: Token): Call {
    const positional: Expression[] = [];
    const named: { name: string; value: Expression }[] = [];
    const values: TextSpan[] = [];
    const parseValue = () => {
      const first = this.tokens.peek().from;
      const value = this.parseExpression();
      values.push([first, this.tokens.consumed]);
      return value;
    };
    this.expect('(');
    while (!this.accepts(')')) {
      if (positional.length + named.length > 0) this.expect(',');
      const isNamed = this.tokens.peek().kind === 'name' && isSymbol(this.tokens.peek(1), '=');
      if (isNamed) {
        const parameter = this.tokens.next();
        this.tokens.next();
        named.push({ name: parameter.text, value: parseValue() });
      } else if (named.length > 0) throw new ScriptProblem(line, `${name}: a value without name after one with a name`);
      else positional.push(parseValue());
    }
    const place = name.startsWith('move') ? { whole: [from, this.tokens.consumed] as const, values } : undefined;
    const call: Call = { kind: 'call', name, positional, named, line, ...(place && { place }) };
    this.calls.push(call);
    return call;
  }

  /** Parses `(PARAMETER, PARAMETER=VALUE, …)` of a function. */
  protected parseParameters(name: string, line: number): Parameter[] {
    const parameters: Parameter[] = [];
    this.expect('(');
    while (!this.accepts(')')) {
      if (parameters.length > 0) this.expect(',');
      const parameter = this.tokens.next();
      if (parameter.kind !== 'name') throw new ScriptProblem(line, `${shownToken(parameter)} is not a parameter`);
      checkName(parameter.text, line);
      this.reads.add(parameter.text);
      if (parameters.length >= MAX_PARAMETERS)
        throw new ScriptProblem(line, `${name} has more than ${MAX_PARAMETERS} parameters`);
      if (parameters.some((other) => other.name === parameter.text))
        throw new ScriptProblem(line, `the parameter ${parameter.text} occurs twice`);
      const value = this.accepts('=') ? this.parseExpression() : undefined;
      if (value === undefined && parameters.at(-1)?.value !== undefined)
        throw new ScriptProblem(line, `the parameter ${parameter.text} has no default, the one before has`);
      parameters.push({ name: parameter.text, value });
    }
    return parameters;
  }

  protected accepts(text: string): boolean {
    if (!isSymbol(this.tokens.peek(), text)) return false;
    this.tokens.next();
    return true;
  }

  protected expect(text: string): void {
    if (this.accepts(text)) return;
    const token = this.tokens.peek();
    throw new ScriptProblem(token.line, `${shownToken(token)} where ${text} is expected`);
  }

  protected nested<T>(parse: () => T): T {
    if (this.depth >= MAX_DEPTH)
      throw new ScriptProblem(this.tokens.peek().line, `nested deeper than ${MAX_DEPTH}`, 'Use variables.');
    this.depth++;
    this.count(1);
    try {
      return parse();
    } finally {
      this.depth--;
    }
  }

  /** Counts parsed expressions. Throws `ScriptProblem`, which ends parsing, if there are too many. */
  protected count(size: number): void {
    this.size += size;
    if (this.size > MAX_SIZE)
      throw new ScriptProblem(this.tokens.peek().line, `more than ${MAX_SIZE} statements and expressions`, '', true);
  }

  private parseNot(): Expression {
    const token = this.tokens.peek();
    if (token.kind !== 'name' || token.text !== 'not') return this.parseComparison();
    this.tokens.next();
    return this.nested(() => ({ kind: 'unary', op: 'not', operand: this.parseNot(), line: token.line }));
  }

  private parseComparison(): Expression {
    const left = this.parseSum();
    const operator = this.tokens.peek();
    if (operator.kind !== 'symbol' || !COMPARISONS.includes(operator.text)) return left;
    this.tokens.next();
    const right = this.parseSum();
    const next = this.tokens.peek();
    if (next.kind === 'symbol' && COMPARISONS.includes(next.text))
      throw new ScriptProblem(next.line, `${operator.text} beside ${next.text}`, 'Join two comparisons with and.');
    return { kind: 'compare', op: operator.text, operands: [left, right], line: operator.line };
  }

  private parseSum(): Expression {
    const first = this.parseProduct();
    return chained(
      first,
      this.parseLinks(['+', '-'], () => this.parseProduct()),
    );
  }

  private parseProduct(): Expression {
    const first = this.parseSigned();
    return chained(
      first,
      this.parseLinks(['*', '/', '%'], () => this.parseSigned()),
    );
  }

  private parseLinks(operators: readonly string[], parseOperand: () => Expression): Link[] {
    const links: Link[] = [];
    for (let token = this.tokens.peek(); isOperator(token, operators); token = this.tokens.peek()) {
      this.tokens.next();
      this.count(2);
      links.push({ op: token.text, operand: parseOperand() });
    }
    return links;
  }

  private parseSigned(): Expression {
    const { line } = this.tokens.peek();
    if (this.accepts('+')) return this.nested(() => this.parseSigned());
    if (!this.accepts('-')) return this.parseIndexed();
    const operand = this.nested(() => this.parseSigned());
    if (operand.kind === 'constant' && operand.value.kind === 'number')
      return { kind: 'constant', value: negated(operand.value), line };
    return { kind: 'unary', op: '-', operand, line };
  }

  private parseIndexed(): Expression {
    let base = this.parseAtom();
    while (isSymbol(this.tokens.peek(), '[')) {
      const { line } = this.tokens.next();
      if (base.kind !== 'name' && base.kind !== 'index')
        throw new ScriptProblem(line, 'an index of other than a variable', 'Assign the list to a variable first.');
      if (base.kind === 'index' && base.base.kind === 'index')
        throw new ScriptProblem(line, 'more than two indices', 'Use a list of lists at most.');
      base = { kind: 'index', base, index: this.parseExpression(), line };
      this.expect(']');
    }
    return base;
  }

  private parseAtom(): Expression {
    this.count(1);
    const token = this.tokens.peek();
    const { kind, text, line } = token;
    if (this.accepts('[')) return this.parseList(line, false);
    if (this.accepts('(')) {
      const inner = this.parseExpression();
      this.expect(')');
      return inner;
    }
    if (kind === 'number' || kind === 'text') {
      this.tokens.next();
      return { kind: 'constant', value: kind === 'text' ? { kind: 'text', value: text } : literal(text, line), line };
    }
    if (kind !== 'name') throw new ScriptProblem(line, `${shownToken(token)} where a value is expected`);
    if (text === 'True' || text === 'False') {
      this.tokens.next();
      return { kind: 'constant', value: { kind: 'boolean', value: text === 'True' }, line };
    }
    if (KEYWORDS.has(text)) throw new ScriptProblem(line, `${text} where a value is expected`);
    this.tokens.next();
    if (isSymbol(this.tokens.peek(), '(')) return this.nested(() => this.parseCall(token));
    if (text === 'p' && this.accepts('[')) return this.parseList(line, true);
    this.reads.add(text);
    return { kind: 'name', name: text, line };
  }

  /** Parses the items of a list or pose; the opening bracket has been consumed. */
  private parseList(line: number, isPose: boolean): Expression {
    const items: Expression[] = [];
    while (!this.accepts(']')) {
      if (items.length > 0) this.expect(',');
      items.push(this.parseExpression());
    }
    const numbers: NumberValue[] = [];
    for (const item of items) if (item.kind === 'constant' && item.value.kind === 'number') numbers.push(item.value);
    if (!isPose && numbers.length === items.length) return { kind: 'numbers', list: createList(numbers), line };
    return { kind: 'list', items, isPose, line };
  }
}

const chained = (first: Expression, rest: readonly Link[]): Expression =>
  rest.length === 0 ? first : { kind: 'chain', first, rest, line: first.line };

export const isSymbol = ({ kind, text }: Token, symbol: string) => kind === 'symbol' && text === symbol;

const isOperator = ({ kind, text }: Token, operators: readonly string[]) =>
  (kind === 'symbol' || kind === 'name') && operators.includes(text);

export function shownToken({ kind, text }: Token): string {
  if (kind === 'newline') return 'the end of the line';
  if (kind === 'end of file') return 'the end of the file';
  return kind === 'text' ? `"${text.slice(0, 40)}"` : text.slice(0, 40);
}

export function checkName(name: string, line: number): void {
  if (KEYWORDS.has(name) || name === 'p')
    throw new ScriptProblem(line, `${name} is not a name of a variable`, 'Choose another name.');
}
