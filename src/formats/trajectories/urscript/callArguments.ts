import type { ExecutionLimits } from './executionLimits.ts';
import type { MoveRecorder } from './moves.ts';
import type { Value } from './values.ts';

/** Arguments of a call by parameter name, and the state that the function acts on. */
export interface Arguments {
  readonly values: ReadonlyMap<string, Value>;
  readonly line: number;
  readonly recorder: MoveRecorder;
  readonly limits: ExecutionLimits;
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
