import { checkName, ExpressionParser, isSymbol, KEYWORDS, shownToken } from './scriptExpressions.ts';
import type { Block, Branch, Definition, Script, Statement, Thread } from './syntax.ts';
import { ScriptProblem, type Token, Tokenizer } from './tokens.ts';

/** Note on a line without indentation. Reported once per script, because the other lines are usually the same. */
const INDENT = 'In a program sent to the controller all lines but def and its end begin with a blank.';

/** Memory of a statement, in expressions. */
const STATEMENT = 5;

const NOT_READ: ReadonlySet<string> = new Set(
  'for sec kill join enter_critical exit_critical struct switch case default pass in'.split(' '),
);

/**
 * Parses URScript. A statement that cannot be parsed is reported and skipped; a script with reported problems must not
 * be executed.
 * @param report receives each problem
 */
export function parseScript(text: string, report: (problem: ScriptProblem) => void): Script {
  const parser = new ScriptParser(new Tokenizer(text), report);
  const block = parser.parseText();
  const { definitions, threads, reads, computed, calls, globals, size } = parser;
  return { block, definitions, threads, reads, computed, calls, globals, size };
}

class ScriptParser extends ExpressionParser {
  readonly definitions: Definition[] = [];
  readonly globals = new Set<string>();
  readonly threads: Thread[] = [];
  computed = new Set<string>();
  private inside: Definition | undefined;
  private isIndented = true;
  private loops = 0;

  constructor(
    tokens: Tokenizer,
    private readonly report: (problem: ScriptProblem) => void,
  ) {
    super(tokens);
  }

  parseText(): Block {
    const statements: Statement[] = [];
    for (;;) {
      for (const statement of this.parseBlock([])) statements.push(statement); // too many to be arguments of one call
      const token = this.tokens.peek();
      if (token.kind === 'end of file') return statements;
      this.report(
        new ScriptProblem(token.line, `${token.text} without its beginning`, 'Each end closes one def, if or while.'),
      );
      this.tokens.skipLine();
    }
  }

  /** Parses statements up to a keyword that closes or divides a block, which is not consumed. */
  private parseBlock(enders: readonly string[]): Statement[] {
    const statements: Statement[] = [];
    for (;;) {
      const token = this.peekToken();
      if (token === undefined) continue;
      if (token.kind === 'end of file') return statements;
      if (token.kind === 'name' && (token.text === 'end' || token.text === 'else' || token.text === 'elif')) {
        if (enders.length === 0 || enders.includes(token.text)) return statements;
      }
      const statement = this.attempt(() => this.parseStatement());
      if (statement !== undefined) statements.push(statement);
    }
  }

  /** Returns the next token that is not the end of a line, undefined if an invalid line was skipped. */
  private peekToken(): Token | undefined {
    return this.attempt(() => {
      while (this.tokens.peek().kind === 'newline') this.tokens.next();
      return this.tokens.peek();
    });
  }

  /** Returns the result of `parse`. If it throws a ScriptProblem: reports it, skips the line and returns undefined. */
  private attempt<T>(parse: () => T): T | undefined {
    try {
      return parse();
    } catch (problem) {
      if (!(problem instanceof ScriptProblem) || problem.isLast) throw problem;
      this.report(problem);
      this.tokens.skipLine();
      return undefined;
    }
  }

  private parseStatement(): Statement | undefined {
    this.count(STATEMENT);
    const token = this.tokens.next();
    this.checkIndent(token);
    const { kind, text, line } = token;
    if (isSymbol(token, '$')) return this.skipLabel();
    if (kind !== 'name') throw new ScriptProblem(line, `${shownToken(token)} where a statement is expected`);
    if (text === 'def') return this.parseDefinition(line);
    if (text === 'thread') return this.parseThread(line);
    if (text === 'run') return this.parseRun(line);
    if (text === 'if') return this.parseIf(line);
    if (text === 'while') return this.parseWhile(line);
    if (NOT_READ.has(text)) throw new ScriptProblem(line, `${text} is not supported`, orderNote(text));
    const statement = this.parseSimple(token);
    this.expectLineEnd();
    return statement;
  }

  private parseSimple(token: Token): Statement {
    const { text, line } = token;
    if (text === 'return') {
      if (this.inside === undefined) throw new ScriptProblem(line, 'return outside of a function');
      const isBare = this.tokens.peek().kind === 'newline' || this.tokens.peek().kind === 'end of file';
      return { kind: 'return', value: isBare ? undefined : this.parseExpression(), line };
    }
    if (text === 'break' || text === 'continue') {
      if (this.loops === 0) throw new ScriptProblem(line, `${text} outside of a while`);
      return { kind: text, line };
    }
    if (text === 'halt') return { kind: 'halt', line };
    if (text === 'global' || text === 'local') return this.parseAssignment(this.tokens.next(), text);
    if (KEYWORDS.has(text)) throw new ScriptProblem(line, `${text} where a statement is expected`);
    if (isSymbol(this.tokens.peek(), '(')) return { kind: 'call', call: this.parseCall(token), line };
    return this.parseAssignment(token, 'free');
  }

  private parseAssignment({ kind, text: name, line }: Token, scope: 'free' | 'global' | 'local'): Statement {
    const next = this.tokens.peek();
    if (kind !== 'name' || !(isSymbol(next, '=') || isSymbol(next, '[')))
      throw new ScriptProblem(
        line,
        `${name} is neither a call nor an assignment`,
        'A statement is NAME(…) or NAME = ….',
      );
    checkName(name, line);
    let index: ReturnType<ExpressionParser['parseExpression']> | undefined;
    if (scope === 'free' && this.accepts('[')) {
      this.reads.add(name);
      index = this.parseExpression();
      this.expect(']');
    }
    this.expect('=');
    if (this.inside === undefined || scope === 'global') this.globals.add(name);
    if (scope === 'local') this.inside?.locals.add(name);
    this.inside?.variables.add(name);
    const value = this.parseExpression();
    if (value.kind !== 'constant' || value.value.kind !== 'number') this.computed.add(name);
    return { kind: 'assign', scope, name, index, value, line };
  }

  /** Parses a thread, with the names that it reads. Whether it may run is checked afterwards; it is not executed. */
  private parseThread(line: number): undefined {
    const { reads, computed } = this;
    this.reads = new Set();
    this.computed = new Set();
    const statement = this.parseDefinition(line, 'thread');
    if (statement?.kind === 'define') this.threads.push({ definition: statement.definition, reads: this.reads });
    this.reads = reads;
    this.computed = computed;
  }

  /** Parses `run NAME()`. */
  private parseRun(line: number): undefined {
    const { text: name } = this.tokens.next();
    this.expect('(');
    this.expect(')');
    this.expectLineEnd();
    if (!this.threads.some(({ definition }) => definition.name === name))
      throw new ScriptProblem(line, `run ${name} without a thread of that name before it`);
    if (this.loops > 0) throw new ScriptProblem(line, 'run within a while', 'Run a thread once.');
  }

  private parseDefinition(line: number, keyword = 'def'): Statement | undefined {
    const parent = this.inside;
    const head = this.attempt(() => this.parseHead(line));
    const broken = { name: '', parameters: [], parent, line, locals: new Set(''), variables: new Set(''), block: [] };
    const definition: Definition = head ?? broken;
    const { loops } = this;
    this.inside = definition;
    this.loops = 0;
    try {
      definition.block = this.nested(() => this.parseBlock(['end']));
    } finally {
      this.inside = parent;
      this.loops = loops;
    }
    this.parseEnd(line, `${keyword} ${definition.name}`, parent === undefined);
    if (head === undefined) return undefined;
    if (keyword === 'def') this.definitions.push(definition);
    return { kind: 'define', definition, line };
  }

  /** Parses `NAME(PARAMETER, PARAMETER=VALUE, …):`. */
  private parseHead(line: number): Definition {
    const { kind, text: name } = this.tokens.next();
    if (kind !== 'name' || KEYWORDS.has(name)) throw new ScriptProblem(line, 'def or thread without a name');
    const parameters = this.parseParameters(name, line);
    this.expect(':');
    this.expectLineEnd();
    const variables = new Set(parameters.map((parameter) => parameter.name));
    return { name, parameters, parent: this.inside, line, locals: new Set(), variables, block: [] };
  }

  private parseIf(line: number): Statement {
    const branches: Branch[] = [this.parseBranch()];
    let otherwise: Block = [];
    for (let token = this.tokens.peek(); token.text === 'elif'; token = this.tokens.peek()) {
      this.checkIndent(this.tokens.next());
      branches.push(this.parseBranch());
    }
    if (this.tokens.peek().text === 'else') {
      this.checkIndent(this.tokens.next());
      this.attempt(() => this.expectColon());
      otherwise = this.parseInner(['end']);
    }
    this.parseEnd(line, 'if', false);
    return { kind: 'if', branches, otherwise, line };
  }

  private parseBranch(): Branch {
    const condition = this.parseCondition();
    return { condition, block: this.parseInner(['end', 'elif', 'else']) };
  }

  private parseWhile(line: number): Statement {
    const condition = this.parseCondition();
    this.loops++;
    const block = this.parseInner(['end']);
    this.loops--;
    this.parseEnd(line, 'while', false);
    return { kind: 'while', condition, block, line };
  }

  /** Parses `EXPRESSION:`. Returns the constant False if that fails, so that parsing continues with the block. */
  private parseCondition() {
    const condition = this.attempt(() => {
      const parsed = this.parseExpression();
      this.expectColon();
      return parsed;
    });
    return condition ?? ({ kind: 'constant', value: { kind: 'boolean', value: false }, line: 0 } as const);
  }

  private parseInner(enders: readonly string[]): Block {
    return this.nested(() => this.parseBlock(enders));
  }

  private parseEnd(line: number, what: string, isOuter: boolean): void {
    const token = this.tokens.peek();
    if (token.kind === 'end of file') {
      const isProgram = isOuter && what.startsWith('def');
      const message = isProgram ? 'the program has no end' : `the ${what} of line ${line} has no end`;
      throw new ScriptProblem(token.line, message, 'The file seems to be cut short: write it again.');
    }
    if (!isOuter) this.checkIndent(token);
    this.tokens.next();
    this.expectLineEnd();
  }

  private expectColon(): void {
    this.expect(':');
    this.expectLineEnd();
  }

  private expectLineEnd(): void {
    const token = this.tokens.peek();
    if (token.kind === 'newline' || token.kind === 'end of file') return;
    throw new ScriptProblem(
      token.line,
      `${shownToken(token)} where the line should end`,
      'Write one statement a line.',
    );
  }

  /** Skips a label `$ 1 "name"`, which marks the active node of a program tree for monitoring. */
  private skipLabel(): undefined {
    for (let token = this.tokens.peek(); token.kind === 'number' || token.kind === 'text'; token = this.tokens.peek())
      this.tokens.next();
    this.expectLineEnd();
  }

  private checkIndent({ isFirst, line }: Token): void {
    if (!isFirst || this.inside === undefined || !this.isIndented) return;
    this.isIndented = false;
    this.report(new ScriptProblem(line, 'a line of a function in the first column', INDENT));
  }
}

function orderNote(word: string): string {
  if (word === 'for') return 'URScript has no for: use while with a counter.';
  return 'Threads that affect the program and secondary programs are not supported.';
}
