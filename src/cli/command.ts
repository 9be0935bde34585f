import type { ExitCode } from './exitCode.ts';
import type { Io } from './io.ts';
import type { Option } from './options.ts';

/** An operand: what stands on the command line without a dash. */
export interface Operand {
  /** In capitals, as help and errors show it: SCENE. */
  readonly name: string;
  readonly meaning: string;
  readonly optional?: boolean;
  /** One or more of them; only the last operand can be. */
  readonly many?: boolean;
}

export type Options = Readonly<Record<string, Option<unknown>>>;

/** What `run` gets: the value of each option, named as in the definition. */
export type Values<O extends Options> = { readonly [K in keyof O]: O[K] extends Option<infer T> ? T : never };

/** One verb of the command line. Everything that help shows and parsing needs is data here. */
export interface Command<O extends Options = Options> {
  /** One line, lower case, no full stop. */
  readonly summary: string;
  readonly operands: readonly Operand[];
  /** Names in camelCase; the command line has them with dashes: `timeLimit` is `--time-limit`. */
  readonly options: O;
  /** Lines shown after the options: what choices there are, formats, examples. */
  readonly details?: string;
  readonly examples?: readonly (readonly [string, string])[];
  /** Resolves to the exit code. Missing optional operands are undefined. Throws InputError for what the user can mend. */
  readonly run: (io: Io, operands: readonly (string | undefined)[], options: Values<O>) => Promise<ExitCode>;
}

/** A command, with the types of its options known to its `run`. */
export function defineCommand<const O extends Options>(command: Command<O>): Command {
  return command as unknown as Command; // the parser fills exactly the options that the definition lists
}
