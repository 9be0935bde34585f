import { type Choice, executeAll, RepeatedStates } from './choices.ts';
import { ExecutionLimits } from './executionLimits.ts';
import { Interpreter } from './interpreter.ts';
import type { MoveRecorder } from './moves.ts';
import { requireCalled } from './scriptNames.ts';
import type { Definition, Script } from './syntax.ts';

/**
 * Executes a parsed script whose names have been checked, and records its moves.
 * @param program the function that the controller executes; undefined if the statements outside of all functions are
 *   the program
 * @throws ScriptProblem at the first statement whose effect is unknown
 */
export function execute(script: Script, program: Definition | undefined, recorder: MoveRecorder, dof: number): void {
  const called = new Interpreter(script, program, recorder, dof).run();
  if (program === undefined) requireCalled(script, called);
}

/** An execution of a program, and the choices that lead to it. */
export interface Execution {
  readonly recorder: MoveRecorder;
  readonly choices: readonly Choice[];
}

/**
 * Executes a parsed script as `execute` does, once for each way in which the conditions turn out that are not known
 * before, and in which the manual may be read. An execution ends where the program rests in a state in which an
 * earlier one was: what follows is judged with that one.
 */
export function executeEach(
  script: Script,
  program: Definition | undefined,
  recorderOf: () => MoveRecorder,
  dof: number,
): Execution[] {
  const limits = new ExecutionLimits(script.size);
  const states = new RepeatedStates();
  const ids = new Map<object, number>();
  const idOf = (statement: object) => ids.get(statement) ?? ids.set(statement, ids.size).size - 1;
  const several = { limits, states, isKnown: states.ofLoop(), idOf };
  const called = new Set<Definition>();
  const executions = executeAll((choices) => {
    const recorder = recorderOf();
    for (const one of new Interpreter(script, program, recorder, dof, { choices, ...several }).run()) called.add(one);
    return { recorder, choices: choices.chosen };
  });
  if (program === undefined) requireCalled(script, called);
  return executions;
}
