import { printable } from './printable.ts';

/** Terminal that shows the progress line: `process.stderr`, or a substitute in tests. */
export interface ProgressTerminal {
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
