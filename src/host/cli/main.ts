import { InputError, InputErrors, nearestName } from '../../errors.ts';
import { AtomicFile } from '../node/atomicFile.ts';
import { packageVersion } from '../node/packageVersion.ts';
import type { ReadFile } from '../node/readFiles.ts';
import type { Command } from './command.ts';
import { commands } from './commands/index.ts';
import { ExitCode } from './exitCode.ts';
import { requestedFormat, splitOptions, withGlobalOptions } from './globalOptions.ts';
import { helpOf, overview } from './help.ts';
import { Io } from './io.ts';

/** Runs the command line and ends the process with its exit code. */
export async function main(args: readonly string[]): Promise<never> {
  const io = new Io();
  io.format = requestedFormat(args);
  let code: ExitCode;
  try {
    code = await run(io, args);
  } catch (error) {
    AtomicFile.discardAll();
    code = reportFailure(io, error);
  }
  await io.flush();
  process.exit(code);
}

async function run(io: Io, args: readonly string[]): Promise<ExitCode> {
  const [verb, ...rest] = args[0] === 'help' ? [...args.slice(1), '--help'] : args;
  if (verb === undefined) {
    // a usage error: the overview is a diagnostic here, not a result
    process.stderr.write(overview(packageVersion(), commands));
    return ExitCode.BadInput;
  }
  if (verb === '--help' || verb === '-h') return printed(io, overview(packageVersion(), commands));
  if (verb === '--version' || verb === '-V') return printed(io, `${packageVersion()}\n`);

  const command = await load(verb);
  if (isHelpRequested(rest)) return printed(io, helpOf(verb, command));
  const { parseArguments } = await import('./parse.ts');
  const { operands, options } = parseArguments(verb, command, rest);
  const { own, quiet, verbose } = splitOptions(options);
  Object.assign(io, { quiet, verbose });
  if (verbose) await observeFiles(io);
  io.progress(`${verb}: reading the input …`);
  const code = await command.run(io, operands, own as never);
  io.commit();
  if (verbose) io.detail(`${verb}: exit code ${code}, ${resourcesText()}`);
  return code;
}

/** Writes the name and size of each file that is read from now on. */
async function observeFiles(io: Io): Promise<void> {
  const { reads } = await import('../node/readFiles.ts');
  reads.subscribe((read) => {
    const { file, bytes } = read as ReadFile;
    io.detail(`read ${file}: ${bytes} bytes`);
  });
}

function resourcesText(): string {
  const { user, system } = process.cpuUsage();
  const memory = process.resourceUsage().maxRSS / 1024;
  return `${((user + system) / 1e3).toFixed(0)} ms of CPU, at most ${memory.toFixed(0)} MiB`;
}

async function printed(io: Io, text: string): Promise<ExitCode> {
  await io.write(text);
  return ExitCode.Ok;
}

async function load(verb: string): Promise<Command> {
  if (Object.hasOwn(commands, verb)) return withGlobalOptions(await commands[verb].load());
  const near = nearestName(verb, Object.keys(commands));
  const list = `Commands: ${Object.keys(commands).join(', ')}.`;
  const what = verb.startsWith('-') ? `unknown option ${verb} before a command` : `unknown command "${verb}"`;
  throw new InputError(what, near === undefined ? list : `Did you mean "${near}"? ${list}`);
}

/** Returns true if `--help` or `-h` occurs before `--`; all words after `--` are operands. */
function isHelpRequested(args: readonly string[]): boolean {
  const end = args.indexOf('--');
  return args.slice(0, end < 0 ? args.length : end).some((word) => word === '--help' || word === '-h');
}

/**
 * Writes each input error with its note to stderr and returns the exit code. Stack traces are shown with
 * ELBOWROOM_DEBUG only.
 */
function reportFailure(io: Io, error: unknown): ExitCode {
  if (process.env['ELBOWROOM_DEBUG'] && error instanceof Error)
    for (const line of (error.stack ?? error.message).split('\n'))
      io.report({ severity: 'info', text: line, hint: '' });
  if (error instanceof InputErrors) {
    for (const problem of error.problems) io.problem(problem);
    return ExitCode.BadInput;
  }
  if (error instanceof InputError) {
    io.problem(error);
    return ExitCode.BadInput;
  }
  const what = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
  io.report({
    severity: 'bug',
    text: what.split('\n')[0],
    hint:
      'this is a bug in elbowroom. Please report it with the command and its files; ELBOWROOM_DEBUG=1 shows the ' +
      'stack trace.',
  });
  return ExitCode.Bug;
}
