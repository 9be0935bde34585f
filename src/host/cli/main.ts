import { InputError, InputErrors, nearestName } from '../../errors.ts';
import { AtomicFile } from '../node/atomicFile.ts';
import { packageVersion } from '../node/packageVersion.ts';
import type { ReadFile } from '../node/readFiles.ts';
import type { Command } from './command.ts';
import { commands } from './commands/index.ts';
import { ExitCode } from './exitCode.ts';
import { splitOptions, withGlobalOptions } from './globalOptions.ts';
import { Io } from './io.ts';
import type { Option } from './options.ts';
import { flagName, operandsOf } from './parse.ts';

/** Runs the command line and ends the process with its exit code. */
export async function main(args: readonly string[]): Promise<never> {
  const io = new Io();
  io.verbs = Object.keys(commands);
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
  await io.commit();
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

const WIDTH = 100;

/** Returns the text of `elbowroom --help`: all commands with their summaries. */
function overview(version: string, commands: Readonly<Record<string, { readonly summary: string }>>): string {
  const rows = Object.entries(commands).map(([name, { summary }]) => [name, summary] as const);
  return `elbowroom ${version}: collision-free motions for robot arms

Usage: elbowroom COMMAND [OPERANDS] [OPTIONS]

Commands:
${table(rows)}

Results go to stdout or to -o FILE; diagnostics go to stderr.
Exit codes: 0 success, 1 negative result (no path, not valid, in collision), 2 bad input, 70 internal error, 130 interrupted.
\`elbowroom COMMAND --help\` shows the operands and options of a command.
`;
}

/** Returns the text of `elbowroom COMMAND --help`. */
function helpOf(verb: string, command: Command): string {
  const operands = command.operands.map(({ name, meaning }) => [name, meaning] as const);
  const options = Object.entries(command.options).map(
    ([key, option]) => [optionHead(key, option), optionText(option)] as const,
  );
  const examples = (command.examples ?? []).map(([line, meaning]) => `  ${line}\n      ${meaning}`);
  const sections = [
    `elbowroom ${verb}: ${command.summary}`,
    `Usage: elbowroom ${[verb, ...operandsOf(command), ...(options.length > 0 ? ['[OPTIONS]'] : [])].join(' ')}`,
    operands.length > 0 && `Operands:\n${table(operands)}`,
    `Options:\n${table([...options, ['--help', 'show this help'] as const])}`,
    command.details && reflow(command.details.trim()),
    examples.length > 0 && `Examples:\n${examples.join('\n')}`,
  ];
  return `${sections.filter(Boolean).join('\n\n')}\n`;
}

function optionHead(key: string, { alias, value }: Option<unknown>): string {
  const name = alias ? `-${alias}, ${flagName(key)}` : flagName(key);
  return value === undefined ? name : `${name} ${value}`;
}

function optionText({ meaning, choices, shown, repeatable }: Option<unknown>): string {
  const notes = [
    choices && `one of: ${choices.join(', ')}`,
    shown !== '' && `default: ${shown}`,
    repeatable && 'may be repeated',
  ].filter(Boolean);
  return notes.length > 0 ? `${meaning} (${notes.join('; ')})` : meaning;
}

/** Formats rows in two columns; the second column is wrapped. */
function table(rows: readonly (readonly [string, string])[]): string {
  const left = Math.min(24, Math.max(...rows.map(([head]) => head.length)));
  const indent = ' '.repeat(left + 4);
  return rows
    .map(([head, text]) => {
      const lines = wrap(text, WIDTH - indent.length);
      const start = head.length > left ? `  ${head}\n${indent}` : `  ${head.padEnd(left)}  `;
      return start + lines.join(`\n${indent}`);
    })
    .join('\n');
}

/** Joins lines of the same paragraph and wraps them again; indented lines keep their indentation. */
function reflow(text: string): string {
  const items: string[] = [];
  for (const line of text.split('\n')) {
    const last = items[items.length - 1] ?? '';
    if (/^\S.*[^.;:}]$/.test(last) && /^\S/.test(line)) items[items.length - 1] = `${last} ${line}`;
    else items.push(line);
  }
  return items
    .map((item) => {
      const indent = /^ */.exec(item)![0];
      const lines = wrap(item.trim(), WIDTH - indent.length);
      return indent + lines.join(`\n${indent && `${indent}  `}`);
    })
    .join('\n');
}

function wrap(text: string, width: number): string[] {
  const lines = [''];
  for (const word of text.split(' ')) {
    const last = lines[lines.length - 1];
    if (last !== '' && last.length + 1 + word.length > width) lines.push(word);
    else lines[lines.length - 1] = last === '' ? word : `${last} ${word}`;
  }
  return lines;
}
