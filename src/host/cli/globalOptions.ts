import { InputError } from '../../errors.ts';
import type { Command } from './command.ts';
import { type DiagnosticFormat, diagnosticFormats } from './diagnostics.ts';
import { choice, flag } from './options.ts';

/** Options of every command. They say how diagnostics are written to stderr; results do not depend on them. */
const globalOptions = {
  errors: choice(
    diagnosticFormats,
    'text',
    'format of diagnostics on stderr; json: an object per line with severity, file, line, place, message, hint',
  ),
  quiet: flag('write only warnings and errors to stderr'),
  verbose: flag('also write to stderr: names of the files read, time of each phase'),
};

/** Returns the command with the options of every command after its own. */
export const withGlobalOptions = (command: Command): Command => ({
  ...command,
  options: { ...command.options, ...globalOptions },
});

/**
 * Returns the format of diagnostics that the arguments choose, before they are parsed: errors of the parser itself are
 * written in it. A missing or unknown value is `text`; the parser refuses it.
 */
export function requestedFormat(args: readonly string[]): DiagnosticFormat {
  const end = args.indexOf('--');
  const words = args.slice(0, end < 0 ? args.length : end);
  const isJson = words.some((word, i) => word === '--errors=json' || (word === '--errors' && words[i + 1] === 'json'));
  return isJson ? 'json' : 'text';
}

/**
 * Splits the option values of a command with global options into its own and the amount of diagnostics. Throws
 * `InputError` if they contradict each other.
 */
export function splitOptions({ errors: _, quiet, verbose, ...own }: Readonly<Record<string, unknown>>): {
  readonly own: Readonly<Record<string, unknown>>;
  readonly quiet: boolean;
  readonly verbose: boolean;
} {
  if (quiet === true && verbose === true)
    throw new InputError('--quiet and --verbose are both given', 'Give one of them.');
  return { own, quiet: quiet === true, verbose: verbose === true };
}
