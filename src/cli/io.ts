import { once } from 'node:events';
import { writeSync } from 'node:fs';
import type { InputError } from '../errors.ts';
import { AtomicFile } from '../node/atomicFile.ts';
import { type Diagnostic, type DiagnosticFormat, diagnosticFormats } from './diagnostics.ts';
import { ExitCode } from './exitCode.ts';
import { printable } from './printable.ts';

/** Destination of results. `write` resolves when the reader accepts more data (back-pressure). */
export interface Output {
  write(content: string | Uint8Array): Promise<void>;
}

/** Streams and signals of one run: results on stdout, diagnostics on stderr, handlers of SIGINT and SIGTERM. */
export class Io implements Output {
  private readonly progressShown = process.stderr.isTTY === true && process.stdout.isTTY === true;
  private progressLength = 0;
  private readonly warned = new Set<string>();

  /** Format of diagnostics on stderr. */
  format: DiagnosticFormat = 'text';
  /** True if only warnings and errors are written to stderr. */
  quiet = false;

  /** Returns the time of a monotonic clock in milliseconds. */
  readonly clock = () => performance.now();

  constructor() {
    process.on('SIGINT', exitInterrupted);
    for (const stream of ['stdout', 'stderr'] as const)
      process[stream].on('error', (error) => exitOnStreamError(stream, error, this.format));
  }

  /** Writes part of the result to stdout; resolves when the reader accepts more. */
  async write(content: string | Uint8Array): Promise<void> {
    if (content.length > 0 && !process.stdout.write(content)) await once(process.stdout, 'drain');
  }

  /** True if stdout is a terminal. */
  get isTerminal(): boolean {
    return process.stdout.isTTY === true;
  }

  /** Writes one line of information to stderr, unless the run is quiet; control characters are escaped. */
  say(line: string): void {
    if (!this.quiet) this.report({ severity: 'info', text: line, hint: '' });
  }

  /** Writes an empty line to stderr, between paragraphs of text. */
  blankLine(): void {
    if (this.format === 'text') this.say('');
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

  /** Writes a diagnostic to stderr. */
  report(diagnostic: Diagnostic): void {
    this.clearProgress();
    process.stderr.write(`${diagnosticFormats[this.format](diagnostic)}\n`);
  }

  /** Writes a progress line that the next line overwrites; does nothing unless stdout and stderr are terminals. */
  progress(line: string): void {
    if (!this.progressShown || this.quiet || this.format === 'json') return;
    this.progressLength = line.length;
    process.stderr.write(`\r\x1b[K${printable(line)}`);
  }

  /**
   * Runs synchronous work that may take seconds. The SIGINT handler could not run meanwhile, so it is removed until the
   * work is done: Ctrl-C then ends the process at once (130 in a shell). No file is open during such work.
   */
  compute<T>(work: () => T): T {
    process.off('SIGINT', exitInterrupted);
    try {
      return work();
    } finally {
      process.on('SIGINT', exitInterrupted);
      this.clearProgress();
    }
  }

  /** Resolves when all results have been written to stdout. */
  async flush(): Promise<void> {
    await new Promise((resolve) => process.stdout.write('', resolve));
  }

  /** Registers `stop` for the first SIGINT or SIGTERM; the second signal ends the process at once. */
  onStop(stop: (signal: 'SIGINT' | 'SIGTERM') => void): void {
    process.off('SIGINT', exitInterrupted);
    const once = (signal: 'SIGINT' | 'SIGTERM') => {
      process.off('SIGINT', once).off('SIGTERM', once).on('SIGINT', exitInterrupted).on('SIGTERM', exitInterrupted);
      stop(signal);
    };
    process.on('SIGINT', once).on('SIGTERM', once);
  }

  private clearProgress(): void {
    if (this.progressLength > 0) process.stderr.write('\r\x1b[K');
    this.progressLength = 0;
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
function exitOnStreamError(stream: string, error: NodeJS.ErrnoException, format: DiagnosticFormat): void {
  AtomicFile.discardAll();
  if (error.code === 'EPIPE') process.exit(ExitCode.Ok);
  try {
    const text = `${stream} cannot be written (${error.code})`;
    writeSync(2, `${diagnosticFormats[format]({ severity: 'error', text, hint: '' })}\n`);
  } catch {
    // stderr has failed, too
  }
  process.exit(ExitCode.BadInput);
}
