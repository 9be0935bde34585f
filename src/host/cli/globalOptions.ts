import { InputError } from '../../errors.ts';
import type { Command } from './command.ts';
import { flag } from './options.ts';

/** Options of every command. They say which diagnostics are written to stderr; results do not depend on them. */
const globalOptions = {
  quiet: flag('write only warnings and errors to stderr'),
  verbose: flag('also write to stderr: names of the files read, time of each phase'),
};

/** Returns the command with the options of every command after its own. */
export const withGlobalOptions = (command: Command): Command => ({
  ...command,
  options: { ...command.options, ...globalOptions },
});

/**
 * Splits the option values of a command with global options into its own and the amount of diagnostics. Throws
 * `InputError` if they contradict each other.
 */
export function splitOptions({ quiet, verbose, ...own }: Readonly<Record<string, unknown>>): {
  readonly own: Readonly<Record<string, unknown>>;
  readonly quiet: boolean;
  readonly verbose: boolean;
} {
  if (quiet === true && verbose === true)
    throw new InputError('--quiet and --verbose are both given', 'Give one of them.');
  return { own, quiet: quiet === true, verbose: verbose === true };
}
