import { once } from 'node:events';
import { writeSync } from 'node:fs';
import type { InputError } from '../../errors.ts';
import { AtomicFile } from '../node/atomicFile.ts';
import { type Diagnostic, diagnosticText } from './diagnostics.ts';
import { ExitCode } from './exitCode.ts';
import { printable } from './printable.ts';
import { asStarted } from './startedAs.ts';

/** Destination of results. `write` resolves when the reader accepts more data (back-pressure). */
export interface Output {
  write(content: string | Uint8Array): Promise<void>;
}

/** Streams and signals of one run: results on stdout, diagnostics on stderr, handlers of SIGINT and SIGTERM. */
export class Io implements Output {
  private readonly progressLine = new ProgressLine(process.stderr);
  private readonly warned = new Set<string>();

  /** Files and their contents, which are written at the end of the command. */
  private readonly saved: [file: string, content: string | Uint8Array][] = [];

  /** Names of the commands, which hints may contain. */
  verbs: readonly string[] = [];
  /** True if only warnings and errors are written to stderr. */
  quiet = false;
  /** True if files, and phases with their times, are written to stderr, too. */
  verbose = false;

  /** Returns the time of a monotonic clock in milliseconds. (Node loads `performance` in two milliseconds.) */
  readonly clock = () => {
    const [seconds, nanoseconds] = process.hrtime();
    return 1e3 * seconds + 1e-6 * nanoseconds;
  };

  constructor() {
    for (const stream of ['stdout', 'stderr'] as const)
      process[stream].on('error', (error) => exitOnStreamError(stream, error));
  }

  /** Writes part of the result to stdout; resolves when the reader accepts more. */
  async write(content: string | Uint8Array): Promise<void> {
    if (this.isTerminal) this.progressLine.clear();
    if (content.length > 0 && !process.stdout.write(content)) await once(process.stdout, 'drain');
  }

  /** Keeps an output file, which is written when the command ends without an error. */
  save(file: string, content: string | Uint8Array): void {
    this.saved.push([file, content]);
  }

  /** Writes to stdout if the file is `-` or undefined, otherwise saves the file. */
  async put(file: string | undefined, content: string | Uint8Array): Promise<void> {
    if (file === undefined || file === '-') await this.write(content);
    else this.save(file, content);
  }

  /** Writes all saved files, or none. */
  async commit(): Promise<void> {
    const outputs: AtomicFile[] = [];
    for (const [file, content] of this.saved.splice(0)) {
      const output = this.open(file);
      await output.write(content);
      output.finish();
      outputs.push(output);
    }
    for (const output of outputs) output.commit();
  }

  /** Opens an output file, which an interrupt discards. */
  open(file: string): AtomicFile {
    this.exitOnInterrupt();
    return new AtomicFile(file);
  }

  /** Ends the process by `process.exit` at SIGINT from now on, so that temporary files and folders are removed. */
  exitOnInterrupt(): void {
    process.off('SIGINT', exitInterrupted).on('SIGINT', exitInterrupted);
  }

  /** True if stdout is a terminal. */
  get isTerminal(): boolean {
    return process.stdout.isTTY === true;
  }

  /** Writes one line of information to stderr, unless the run is quiet; control characters are escaped. */
  say(line: string): void {
    if (!this.quiet) this.report({ severity: 'info', text: line, hint: '' });
  }

  /** Writes one line of information to stderr if the run is verbose. */
  detail(line: string): void {
    if (this.verbose) this.report({ severity: 'info', text: line, hint: '' });
  }

  /** The warnings that were written in this run, in order. */
  get warnings(): readonly string[] {
    return [...this.warned];
  }

  /** Writes each warning to stderr that has not been written in this run. */
  warn(warnings: readonly string[]): void {
    for (const warning of warnings) {
      if (this.warned.has(warning)) continue;
      this.warned.add(warning);
      this.report({ severity: 'warning', text: warning, hint: '' });
    }
  }

  /** Writes an input error and its note on how to fix it to stderr. */
  problem({ message, note }: InputError): void {
    this.report({ severity: 'error', text: message, hint: note });
  }

  /** Writes a diagnostic to stderr; commands in it begin with the command that started this program. */
  report(diagnostic: Diagnostic): void {
    this.progressLine.clear();
    const { text, hint } = diagnostic;
    const shown = { ...diagnostic, text: asStarted(text, this.verbs), hint: asStarted(hint, this.verbs) };
    process.stderr.write(`${diagnosticText(shown)}\n`);
  }

  /** Shows a progress line if stderr is a terminal and the run is not quiet. */
  progress(line: string): void {
    if (!this.quiet) this.progressLine.show(line);
  }

  /** Removes the progress line, before input is read from the terminal. */
  clearProgress(): void {
    this.progressLine.clear();
  }

  /**
   * Runs synchronous work that may take seconds. No file is open during such work, and SIGINT has no handler, which
   * could not run meanwhile: Ctrl-C ends the process at once (130 in a shell).
   * @param phase what the work does, for the progress line and for verbose runs: `checking the motion`
   */
  compute<T>(phase: string, work: () => T): T {
    this.progress(`${phase} …`);
    const startTime = this.clock();
    try {
      return work();
    } finally {
      this.progressLine.clear();
      this.detail(`${phase}: ${(this.clock() - startTime).toFixed(0)} ms`);
    }
  }

  /** Resolves when all results have been written to stdout. */
  async flush(): Promise<void> {
    await new Promise((resolve) => process.stdout.write('', resolve));
  }

  /** Registers `stop` for the first SIGINT or SIGTERM; the second signal ends the process at once. */
  onStop(stop: (signal: 'SIGINT' | 'SIGTERM') => void): void {
    const once = (signal: 'SIGINT' | 'SIGTERM') => {
      process.off('SIGINT', once).off('SIGTERM', once).on('SIGINT', exitInterrupted).on('SIGTERM', exitInterrupted);
      stop(signal);
    };
    process.on('SIGINT', once).on('SIGTERM', once);
  }
}

function exitInterrupted(): void {
  AtomicFile.discardAll();
  process.exit(ExitCode.Interrupted);
}

/**
 * Ends the process when stdout or stderr fails: quietly if the reader closed the pipe (EPIPE, as `head` does), else
 * with an error message.
 */
function exitOnStreamError(stream: string, error: NodeJS.ErrnoException): void {
  AtomicFile.discardAll();
  if (error.code === 'EPIPE') process.exit(ExitCode.Ok);
  try {
    const text = `${stream} cannot be written (${error.code})`;
    writeSync(2, `${diagnosticText({ severity: 'error', text, hint: '' })}\n`);
  } catch {
    // stderr has failed, too
  }
  process.exit(ExitCode.BadInput);
}

/** Terminal that shows the progress line: `process.stderr`, or a substitute in tests. */
interface ProgressTerminal {
  readonly isTTY?: boolean;
  readonly columns?: number;
  write(text: string): unknown;
}

/** A line on a terminal that the next line overwrites. Does nothing if stderr is not a terminal. */
export class ProgressLine {
  private isShown = false;

  constructor(private readonly terminal: ProgressTerminal) {}

  /** Replaces the line; longer lines are cut to the width of the terminal, since only one line can be removed. */
  show(line: string): void {
    const { isTTY, columns = 80 } = this.terminal;
    if (isTTY !== true) return;
    this.isShown = true;
    this.terminal.write(`\r\x1b[K${printable(line).slice(0, Math.max(columns - 1, 1))}`);
  }

  /** Removes the line. */
  clear(): void {
    if (this.isShown) this.terminal.write('\r\x1b[K');
    this.isShown = false;
  }
}
