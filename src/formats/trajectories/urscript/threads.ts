import type { Block, Expression, Script, Statement, Thread } from './syntax.ts';
import { ScriptProblem } from './tokens.ts';

const NOTE = 'Only threads that count for themselves, as the step counters of the teach pendant, are supported.';

/** Calls of a thread that take time and have no other effect. */
const WAITS: ReadonlySet<string> = new Set(['sync', 'sleep']);
/** Operations that do not fail for numbers. */
const OPERATIONS: ReadonlySet<string> = new Set(['+', '-', '*']);

/**
 * Reports threads that could affect the program: those that do more than to wait and to compute with numbers in
 * variables that nothing else reads.
 */
export function checkThreads(script: Script, report: (problem: ScriptProblem) => void): void {
  for (const [i, thread] of script.threads.entries()) {
    const others = script.threads.filter((_, j) => j !== i);
    const problem = problemOf(thread, script, others);
    if (problem !== undefined) report(problem);
  }
}

function problemOf({ definition, reads }: Thread, script: Script, others: readonly Thread[]) {
  const { name, line, variables, parameters } = definition;
  const refuse = (what: string, at = line) => new ScriptProblem(at, `the thread ${name} ${what}`, NOTE);
  const hasName = (names: ReadonlySet<string>) => [...variables, ...reads, name].find((one) => names.has(one));
  const shared = [script.reads, ...others.flatMap((other) => [other.reads, other.definition.variables])];
  const used = shared.map(hasName).find((one) => one !== undefined);
  if (parameters.length > 0) return refuse('has parameters');
  if (used !== undefined) return refuse(`uses ${used}, which is read elsewhere`);
  const around = definition.parent;
  const isSet = (one: string) =>
    script.globals.has(one) || (around?.parent === undefined && around?.variables.has(one));
  const unset = [...reads].find((one) => !isSet(one) || script.computed.has(one));
  if (unset !== undefined) return refuse(`reads ${unset}, which the program does not set to a number`);
  const isTaken = [...script.definitions, ...others.map((other) => other.definition)].some((one) => one.name === name);
  if (isTaken || script.globals.has(name)) return refuse('has the name of something else');
  const other = firstOther(definition.block);
  return other && refuse('does more than to count and to wait', other.line);
}

/** Returns the first statement that is not one of waiting or of counting. */
function firstOther(block: Block): Statement | undefined {
  for (const statement of block) {
    if (statement.kind === 'while' && isNumeric(statement.condition)) {
      const other = firstOther(statement.block);
      if (other !== undefined) return other;
    } else if (!isWait(statement) && !isCount(statement)) return statement;
  }
  return undefined;
}

const isWait = (statement: Statement): boolean =>
  statement.kind === 'call' &&
  WAITS.has(statement.call.name) &&
  statement.call.named.length === 0 &&
  statement.call.positional.every(isNumeric);

const isCount = (statement: Statement): boolean =>
  statement.kind === 'assign' && statement.index === undefined && isNumeric(statement.value);

function isNumeric(expression: Expression): boolean {
  if (expression.kind === 'constant') return expression.value.kind === 'number' || expression.value.kind === 'boolean';
  if (expression.kind === 'name') return true;
  if (expression.kind === 'compare') return expression.operands.every(isNumeric);
  if (expression.kind !== 'chain') return false;
  return (
    isNumeric(expression.first) && expression.rest.every(({ op, operand }) => OPERATIONS.has(op) && isNumeric(operand))
  );
}
