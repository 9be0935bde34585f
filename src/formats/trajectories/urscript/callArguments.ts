import type { Choices } from './choices.ts';
import type { ExecutionLimits } from './executionLimits.ts';
import type { MoveRecorder } from './moves.ts';
import type { Call, Expression } from './syntax.ts';
import { ScriptProblem } from './tokens.ts';
import type { Value } from './values.ts';

/** Arguments of a call by parameter name, and the state that the function acts on. */
export interface Arguments {
  readonly values: ReadonlyMap<string, Value>;
  readonly line: number;
  readonly recorder: MoveRecorder;
  readonly limits: ExecutionLimits;
  /** Undefined: the program has one execution, which depends on nothing. */
  readonly choices: Choices | undefined;
  readonly dof: number;
}

export interface Builtin {
  /** Names in order. */
  readonly parameters: readonly string[];
  /** Number of leading parameters without default. */
  readonly required: number;
  /** True if a call is a statement and has no value. */
  readonly isStatement: boolean;
  readonly run: (given: Arguments) => Value;
}

/** Evaluates the arguments of a call, and returns them by the names of the parameters. */
export function argumentsOf(
  { name, positional, named, line }: Call,
  parameters: readonly string[],
  evaluate: (expression: Expression) => Value,
): Map<string, Value> {
  if (positional.length > parameters.length)
    throw new ScriptProblem(line, `${name} with ${positional.length} values, it has ${parameters.length} parameters`);
  const values = new Map<string, Value>();
  for (const [i, expression] of positional.entries()) values.set(parameters[i], evaluate(expression));
  for (const { name: parameter, value } of named) {
    if (!parameters.includes(parameter))
      throw new ScriptProblem(line, `${name} has no parameter ${parameter}`, `It has: ${parameters.join(', ')}.`);
    if (values.has(parameter)) throw new ScriptProblem(line, `${name}: ${parameter} is given twice`);
    values.set(parameter, evaluate(value));
  }
  for (const [parameter, { kind }] of values)
    if (kind === 'nothing') throw new ScriptProblem(line, `${name}: ${parameter} has no value`);
  return values;
}
