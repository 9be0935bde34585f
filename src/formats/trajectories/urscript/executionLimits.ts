import { ScriptProblem } from './tokens.ts';

/**
 * Limit of steps, in addition to one execution of each statement and expression of the script. Steps are executed
 * statements and expressions, values that are written out, and 16 characters of texts that are compared or written.
 */
const MAX_STEPS = 1_000_000;
/** Characters that cost one step. */
const CHARACTERS = 16;
/** Limit of nested blocks and expressions over all active calls; far below a stack overflow. */
const MAX_NESTING = 500;

/** Limits of the execution of a script. State is not restored after a `ScriptProblem`, which ends the execution. */
export class ExecutionLimits {
  private left: number;
  private nesting = 0;

  /** @param size number of statements and expressions of the script */
  constructor(size: number) {
    this.left = MAX_STEPS + size;
  }

  /** Counts the characters of a text before it is compared or written. Throws `ScriptProblem` if there are too many. */
  text(length: number, line: number): void {
    this.step(length / CHARACTERS, line);
  }

  /** Counts steps before they are executed. Throws `ScriptProblem` if there are too many. */
  step(count: number, line: number): void {
    this.left -= count;
    if (this.left < 0)
      throw new ScriptProblem(
        line,
        `not at its end after ${MAX_STEPS} steps`,
        'Endless and very long loops are not supported, nor are very long texts.',
      );
  }

  /** Enters a block or an expression. Throws `ScriptProblem` if too many are nested. */
  enter(line: number): void {
    if (++this.nesting > MAX_NESTING)
      throw new ScriptProblem(line, `more than ${MAX_NESTING} blocks and expressions within each other`);
  }

  /** Leaves the innermost block or expression. */
  leave(): void {
    this.nesting--;
  }
}
