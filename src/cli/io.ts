import { once } from 'node:events';
import { writeSync } from 'node:fs';
import type { InputError } from '../errors.ts';
import { WholeFile } from '../node/atomicFile.ts';
import { ExitCode } from './exitCode.ts';
import { printable } from './printable.ts';

/** Where a command writes results; waits while the reader of a pipe is slower than we are. */
export interface Output {
  write(content: string | Uint8Array): Promise<void>;
}

/** The streams of one run: results on stdout, talk on stderr, and what happens when somebody interrupts. */
export class Io implements Output {
  private readonly progressShown = process.stderr.isTTY === true && process.stdout.isTTY === true;
  private progressLength = 0;

  /** Milliseconds on a clock that only runs forward. */
  readonly clock = () => performance.now();

  constructor() {
    process.on('SIGINT', interrupted);
    process.stdout.on('error', leave);
    process.stderr.on('error', leave);
  }

  /** A part of the result; resolves when the reader can take more. */
  async write(content: string | Uint8Array): Promise<void> {
    if (content.length > 0 && !process.stdout.write(content)) await once(process.stdout, 'drain');
  }

  /** True where results go to a screen. */
  get isTerminal(): boolean {
    return process.stdout.isTTY === true;
  }

  /** A line for the person watching; control characters of names in it are escaped. */
  say(line: string): void {
    this.clearProgress();
    process.stderr.write(`${printable(line)}\n`);
  }

  /** An empty line. */
  space(): void {
    this.say('');
  }

  warn(warnings: readonly string[]): void {
    for (const warning of warnings) this.say(`warning: ${warning}`);
  }

  /** Wrong input: what is wrong, and the way out. */
  problem({ message, note }: InputError): void {
    this.say(`elbowroom: error: ${message}`);
    if (note !== '') this.say(`  note: ${note}`);
  }

  /** A line that the next one overwrites; nothing at all unless stdout and stderr are terminals. */
  progress(line: string): void {
    if (!this.progressShown) return;
    this.progressLength = line.length;
    process.stderr.write(`\r\x1b[K${printable(line)}`);
  }

  /**
   * Synchronous work that may take seconds. Our handler of interrupts could not run meanwhile, so it steps aside: Ctrl-C then ends the
   * process at once (130 in a shell). No file is open at such a time.
   */
  compute<T>(work: () => T): T {
    process.off('SIGINT', interrupted);
    try {
      return work();
    } finally {
      process.on('SIGINT', interrupted);
      this.clearProgress();
    }
  }

  /** Waits until everything written has left the process. */
  async flush(): Promise<void> {
    await new Promise((resolve) => process.stdout.write('', resolve));
  }

  /** From now on Ctrl-C, or a request to terminate, calls `stop`, once; a second one ends the process at once. */
  onStop(stop: (signal: 'SIGINT' | 'SIGTERM') => void): void {
    process.off('SIGINT', interrupted);
    const once = (signal: 'SIGINT' | 'SIGTERM') => {
      process.off('SIGINT', once).off('SIGTERM', once).on('SIGINT', interrupted).on('SIGTERM', interrupted);
      stop(signal);
    };
    process.on('SIGINT', once).on('SIGTERM', once);
  }

  private clearProgress(): void {
    if (this.progressLength > 0) process.stderr.write('\r\x1b[K');
    this.progressLength = 0;
  }
}

function interrupted(): void {
  WholeFile.discardAll();
  process.exit(ExitCode.Interrupted);
}

/** The reader has gone, as `head` does when it has seen enough: nobody is left to answer. A disk that is full is worth a word. */
function leave(error: NodeJS.ErrnoException): void {
  WholeFile.discardAll();
  if (error.code === 'EPIPE') process.exit(ExitCode.Ok);
  try {
    writeSync(2, `elbowroom: error: stdout cannot be written (${error.code})\n`);
  } catch {
    // stderr is gone too
  }
  process.exit(ExitCode.BadInput);
}
