import { builtins } from './builtins.ts';
import { argumentsOf } from './callArguments.ts';
import { type OneOfSeveral, RepeatedStates } from './choices.ts';
import { ExecutionLimits } from './executionLimits.ts';
import type { MoveRecorder } from './moves.ts';
import { binary, comparison, measuredComparison, unary } from './operators.ts';
import type { Assignment, Block, Call, Definition, Expression, Script, Statement } from './syntax.ts';
import { ScriptProblem } from './tokens.ts';
import type { ListValue, PoseValue, Value } from './values.ts';
import { callOf, elementIndex, elementOf, NOTHING, newList, PI_VALUE, withUnknownType } from './values.ts';
import { type Frame, Variables } from './variables.ts';

/** Limit of nested calls. */
const MAX_CALL_DEPTH = 50;

/** How the execution of a block ended. */
type Outcome = 'done' | 'break' | 'continue' | 'return' | 'halt';

/** One execution of a program. */
export class Interpreter {
  private readonly defined = new Set<Definition>();
  private readonly called = new Set<Definition>();
  private readonly byName: ReadonlyMap<string, Definition>;
  private readonly variables: Variables;
  private readonly active: Definition[] = [];
  private frame: Frame;
  private returned: Value = NOTHING;
  private readonly limits: ExecutionLimits;
  private readonly states: RepeatedStates;
  /** Statements that are being executed, outermost first, and calls of functions, whose frames are those of callers. */
  private readonly place: Statement[] = [];
  private readonly frames: Frame[];
  /** Number of calls that are being executed within expressions: values of other parts are pending. */
  private pending = 0;

  constructor(
    private readonly script: Script,
    private readonly program: Definition | undefined,
    private readonly recorder: MoveRecorder,
    private readonly dof: number,
    private readonly several?: OneOfSeveral,
  ) {
    this.byName = new Map(script.definitions.map((definition) => [definition.name, definition]));
    this.variables = new Variables(script, program, several?.choices);
    this.frame = { definition: program, isFirstLevel: true, values: new Map() };
    this.frames = [this.frame];
    this.limits = several?.limits ?? new ExecutionLimits(script.size);
    this.states = several?.states ?? new RepeatedStates();
  }

  /** Executes the program and returns the functions that were called. */
  run(): ReadonlySet<Definition> {
    this.executeBlock(this.program?.block ?? this.script.block);
    this.recorder.finish();
    return this.called;
  }

  private executeBlock(block: Block): Outcome {
    let outcome: Outcome = 'done';
    this.limits.enter(block[0]?.line ?? 0);
    for (let i = 0; i < block.length && outcome === 'done'; i++) {
      this.place.push(block[i]);
      outcome = this.isJudged() ? 'halt' : this.executeStatement(block[i]);
      this.place.pop();
    }
    this.limits.leave();
    return outcome;
  }

  /** True if the arm rests, and the program was in this state before: what follows belongs to that execution. */
  private isJudged(mark = ''): boolean {
    if (!this.several?.choices.isNew || this.pending > 0) return false;
    const { choices, idOf, isKnown } = this.several;
    return isKnown(() => {
      const state = this.stateText();
      return state && `${this.place.map(idOf).join()}${mark}|${choices.stateText}|${state}`;
    });
  }

  private executeStatement(statement: Statement): Outcome {
    this.limits.step(1, statement.line);
    switch (statement.kind) {
      case 'call':
        return this.call(statement.call, true) === 'halt' ? 'halt' : 'done';
      case 'assign':
        return this.assign(statement);
      case 'define':
        this.defined.add(statement.definition);
        return 'done';
      case 'if': {
        const taken = statement.branches.find(({ condition }) => this.isTrue(condition));
        return this.executeBlock(taken?.block ?? statement.otherwise);
      }
      case 'while':
        return this.executeLoop(statement.condition, statement.block, statement.line);
      case 'return': {
        const value = statement.value === undefined ? NOTHING : this.evaluateWhole(statement.value);
        if (value === 'halt') return 'halt';
        this.returned = value;
        return 'return';
      }
      default:
        return statement.kind;
    }
  }

  /** Executes a loop. One that is endless and repeats its moves ends the program: nothing follows but these moves. */
  private executeLoop(condition: Expression, block: Block, line: number): Outcome {
    const isRepeated = condition.kind === 'constant' ? this.states.ofLoop() : undefined;
    while (this.isTrue(condition)) {
      this.limits.step(1, line);
      if (this.isJudged('again')) return 'halt';
      if (isRepeated?.(() => this.stateText())) return 'halt';
      const outcome = this.executeBlock(block);
      if (outcome === 'break') return 'done';
      if (outcome === 'return' || outcome === 'halt') return outcome;
    }
    return 'done';
  }

  /** Writes the state that the further execution depends on, undefined if the arm does not rest. */
  private stateText(): string | undefined {
    const arm = this.recorder.restText;
    const defined = Array.from(this.defined, ({ name }) => name).sort();
    const variables = this.variables.stateText(this.frames);
    return arm && variables && `${arm}|${defined.join()}|${variables}`;
  }

  private assign(statement: Assignment): Outcome {
    const { scope, name, index, line } = statement;
    const value = this.evaluateWhole(statement.value);
    if (value === 'halt') return 'halt';
    if (value.kind === 'nothing') throw new ScriptProblem(line, `${name} is assigned what has no value`);
    if (index === undefined) this.variables.assign(this.frame, scope, name, value, line);
    else this.assignElement(name, index, value, line);
    return 'done';
  }

  private assignElement(name: string, index: Expression, value: Value, line: number): void {
    const list = this.variables.read(this.frame, name, line);
    if (list.kind === 'pose')
      throw new ScriptProblem(line, `an element of the pose ${name} is assigned`, 'Write a new pose.');
    const at = this.indexOf(list, index, line);
    this.limits.step((list as ListValue).items.length, line);
    this.variables.assignElement(this.frame, name, list as ListValue, at, value, line);
  }

  /** Evaluates an expression that is the whole right side of a statement: a call here may move the arm. */
  private evaluateWhole(expression: Expression): Value | 'halt' {
    return expression.kind === 'call' ? this.call(expression, true) : this.evaluate(expression);
  }

  private isTrue(condition: Expression): boolean {
    const value = this.evaluate(condition);
    if (value.kind === 'boolean') return value.value;
    throw new ScriptProblem(condition.line, `the condition is a ${value.kind}`, 'Conditions are True or False.');
  }

  private evaluate(expression: Expression): Value {
    this.limits.step(1, expression.line);
    this.limits.enter(expression.line);
    const value = this.valueOf(expression);
    this.limits.leave();
    return value;
  }

  private valueOf(expression: Expression): Value {
    const { line } = expression;
    switch (expression.kind) {
      case 'constant':
        return expression.value;
      case 'numbers':
        return { ...expression.list };
      case 'list':
        return newList(
          expression.items.map((item) => this.evaluate(item)),
          expression.isPose,
          line,
        );
      case 'name':
        return expression.name === 'pi' ? PI_VALUE : this.variables.read(this.frame, expression.name, line);
      case 'index': {
        const list = this.evaluate(expression.base);
        return elementOf(list as ListValue | PoseValue, this.indexOf(list, expression.index, line));
      }
      case 'unary':
        return unary(expression.op, this.evaluate(expression.operand), line);
      case 'compare': {
        const [a, b] = expression.operands.map((operand) => this.evaluate(operand));
        if (a.kind === 'text') this.limits.text(a.value.length, line);
        if (a.kind === 'measured' || b.kind === 'measured')
          return measuredComparison(expression.op, a, b, this.several!.choices.choose, line);
        return { kind: 'boolean', value: comparison(expression.op, a, b, line) };
      }
      case 'chain':
        return this.evaluateChain(expression);
      default:
        return this.call(expression, false) as Value; // never 'halt', which counts as an effect and throws
    }
  }

  /**
   * Evaluates a chain of operators. Both operands of `and` and `or` are evaluated: operands have no side effects, so
   * the result does not depend on whether the controller short-circuits.
   */
  private evaluateChain({ first, rest, line }: Extract<Expression, { kind: 'chain' }>): Value {
    let left = this.evaluate(first);
    for (const { op, operand } of rest) left = binary(op, left, this.evaluate(operand), line, this.several?.choices);
    return left;
  }

  private indexOf(list: Value, index: Expression, line: number): number {
    if (list.kind !== 'list' && list.kind !== 'pose') throw new ScriptProblem(line, `an index of a ${list.kind}`);
    return elementIndex(list, this.evaluate(index), line);
  }

  /** Calls a function. @param isWhole true if the call is the only expression of its statement */
  private call(call: Call, isWhole: boolean): Value | 'halt' {
    const { name, line } = call;
    const definition = this.byName.get(name);
    const parameters = definition?.parameters.map((parameter) => parameter.name) ?? builtins.get(name)!.parameters;
    const values = argumentsOf(call, parameters, (expression) => this.evaluate(expression));
    if (definition !== undefined) return this.callFunction(definition, values, call, isWhole);
    const { required, isStatement, run } = builtins.get(name)!;
    const missing = parameters.slice(0, required).find((parameter) => !values.has(parameter));
    if (missing !== undefined) throw new ScriptProblem(line, `${name} without ${missing}`);
    if (isStatement && !isWhole) throw new ScriptProblem(line, `${name} within an expression`);
    return run({
      values,
      line,
      recorder: this.recorder,
      limits: this.limits,
      choices: this.several?.choices,
      dof: this.dof,
    });
  }

  private callFunction(definition: Definition, values: Map<string, Value>, call: Call, isWhole: boolean) {
    const { name, line } = call;
    this.requireCallable(definition, line);
    const caller = this.frame;
    const frame: Frame = { definition, isFirstLevel: false, values: new Map() };
    for (const { name: parameter, value } of definition.parameters) {
      const standard = value && this.evaluateDefault(value);
      const given = values.get(parameter) ?? standard;
      if (given === undefined) throw new ScriptProblem(line, `${name} without ${parameter}`);
      if (given.kind === 'text') this.limits.text(given.value.length, line); // compared with a global variable
      this.variables.declare(frame, parameter, given, standard, line);
    }
    const effects = this.recorder.effects + this.variables.effects;
    this.frame = frame;
    this.frames.push(frame);
    if (!isWhole) this.pending++;
    this.active.push(definition);
    this.returned = NOTHING;
    const given = definition.parameters.flatMap((parameter) => values.get(parameter.name) ?? []);
    const leave = this.recorder.enter({ name, text: () => callOf(name, given, this.limits, line), line });
    const outcome = this.executeBlock(definition.block);
    leave();
    const { returned } = this;
    this.returned = NOTHING;
    this.active.pop();
    this.frames.pop();
    if (!isWhole) this.pending--;
    this.variables.release(frame);
    this.called.add(definition);
    this.frame = caller;
    const hasEffects = outcome === 'halt' || effects !== this.recorder.effects + this.variables.effects;
    if (hasEffects && !isWhole)
      throw new ScriptProblem(
        line,
        `${name} moves the arm or changes a global variable within an expression`,
        'Call it in a statement of its own, or as the whole right side of an assignment.',
      );
    return outcome === 'halt' ? 'halt' : withUnknownType(returned);
  }

  /** Evaluates the default of a parameter, which must be constant: when a controller evaluates it is unknown. */
  private evaluateDefault(expression: Expression): Value {
    const caller = this.frame;
    this.frame = { definition: undefined, isFirstLevel: false, values: new Map(), isConstant: true };
    const value = this.evaluate(expression);
    this.frame = caller;
    return value;
  }

  private requireCallable(definition: Definition, line: number): void {
    const { name, parent } = definition;
    if (!this.defined.has(definition)) throw new ScriptProblem(line, `${name} is called before its definition`);
    if (this.active.includes(definition) || definition === this.program)
      throw new ScriptProblem(line, `${name} calls itself`, 'Recursion is not supported: use while.');
    if (this.active.length >= MAX_CALL_DEPTH)
      throw new ScriptProblem(line, `more than ${MAX_CALL_DEPTH} calls within each other`);
    if (this.frame.isConstant) throw new ScriptProblem(line, `${name} in the default of a parameter`);
    let scope = this.frame.definition;
    while (scope !== parent && scope !== undefined) scope = scope.parent;
    if (scope === parent) return;
    throw new ScriptProblem(line, `${name} is defined within ${parent?.name}`, 'Call it there, or define it outside.');
  }
}
