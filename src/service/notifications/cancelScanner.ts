const NEWLINE = 10;

/** Name of the notification that cancels a request. */
export const CANCEL = '$/cancelRequest';

/** Longest message that is searched for cancellations, bytes. */
export const MAX_CANCEL = 4096;

/**
 * Searches the lines of a stream for cancellations while an earlier line is processed. Each byte is passed once, in
 * pieces of any size.
 */
export class CancelScanner {
  private readonly line = Buffer.alloc(MAX_CANCEL);
  private length = 0;

  /** @param found receives each complete line that may be a cancellation */
  constructor(private readonly found: (line: string) => void) {}

  /** Starts at the beginning of a line. */
  reset(): void {
    this.length = 0;
  }

  /** Searches the next bytes of the stream. */
  feed(bytes: Buffer): void {
    for (let at = 0; at < bytes.length; ) {
      const end = bytes.indexOf(NEWLINE, at);
      const to = end < 0 ? bytes.length : end;
      if (this.length + to - at <= MAX_CANCEL) bytes.copy(this.line, this.length, at, to);
      this.length += to - at;
      at = to + 1;
      if (end < 0) return;
      const line = this.line.subarray(0, this.length);
      if (this.length <= MAX_CANCEL && line.includes(CANCEL)) this.found(line.toString());
      this.length = 0;
    }
  }
}
