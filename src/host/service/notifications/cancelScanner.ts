import { FRAME_PREFIX as PREFIX } from '../../client/clientFrame.ts';
import { FIRST_BYTE, frameLength } from '../frames/binaryFrame.ts';

const NEWLINE = 10;

/** Name of the notification that cancels a request. */
export const CANCEL = '$/cancelRequest';

/** Longest message that is searched for cancellations, bytes. */
export const MAX_CANCEL = 4096;

/**
 * Searches the lines of a stream for cancellations while an earlier message is processed; skips binary frames. Each
 * byte is passed once, in pieces of any size.
 */
export class CancelScanner {
  private readonly line = Buffer.alloc(MAX_CANCEL);
  private length = 0;
  /** Remaining bytes of a frame. */
  private skip = 0;

  /** @param found receives each complete line that may be a cancellation */
  constructor(private readonly found: (line: string) => void) {}

  /** Starts at the beginning of a line. */
  reset(): void {
    this.length = 0;
    this.skip = 0;
  }

  /** Searches the next bytes of the stream. */
  feed(bytes: Buffer): void {
    for (let at = 0; at < bytes.length; ) {
      at += this.skipFrame(bytes, at);
      if (at >= bytes.length) return;
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

  /** Returns the number of bytes from `at` on that belong to a frame. */
  private skipFrame(bytes: Buffer, at: number): number {
    let from = at;
    if (this.skip === 0 && (this.length === 0 ? bytes[at] : this.line[0]) === FIRST_BYTE && this.length < PREFIX) {
      const to = Math.min(bytes.length, at + PREFIX - this.length);
      bytes.copy(this.line, this.length, at, to);
      const length = this.length + to - at;
      const total = frameLength(this.line.subarray(0, length));
      if (total === undefined && length < PREFIX) {
        this.length = length;
        return to - at; // the prefix is incomplete
      }
      if (total === undefined) return 0; // a line that is no valid message
      this.length = 0;
      this.skip = total - PREFIX;
      from = to;
    }
    const skipped = Math.min(this.skip, bytes.length - from);
    this.skip -= skipped;
    return from + skipped - at;
  }
}
