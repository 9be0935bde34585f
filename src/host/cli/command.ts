import type { ExitCode } from './exitCode.ts';
import type { Io } from './io.ts';
import type { Option } from './options.ts';

/** A positional argument of a command. */
export interface Operand {
  /** Name in capitals, as help and errors show it: SCENE. */
  readonly name: string;
  readonly meaning: string;
  readonly optional?: boolean;
  /** True if one or more values are accepted; allowed for the last operand only. */
  readonly many?: boolean;
}

export type Options = Readonly<Record<string, Option<unknown>>>;

/** Values of the options that `run` receives, by the names of the definition. */
export type Values<O extends Options> = { readonly [K in keyof O]: O[K] extends Option<infer T> ? T : never };

/** One command of the command line: data for its help text and its parser, and the function that runs it. */
export interface Command<O extends Options = Options> {
  /** One line, lower case, no full stop: standard term, colon, what the command prints. */
  readonly summary: string;
  readonly operands: readonly Operand[];
  /** Options by name in camelCase; the command line uses dashes: `timeLimit` is `--time-limit`. */
  readonly options: O;
  /** Text after the options: choices, formats, exit codes. */
  readonly details?: string;
  readonly examples?: readonly (readonly [string, string])[];
  /**
   * Runs the command and resolves to the exit code. Missing optional operands are undefined. Throws `InputError` for
   * bad input.
   */
  readonly run: (io: Io, operands: readonly (string | undefined)[], options: Values<O>) => Promise<ExitCode>;
}

/** Returns the command; infers the types of the option values that its `run` receives. */
export function defineCommand<const O extends Options>(command: Command<O>): Command {
  return command as unknown as Command; // the parser fills exactly the options that the definition lists
}
