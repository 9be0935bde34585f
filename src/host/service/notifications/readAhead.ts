import type { MemoryBudget } from '../memoryBudget.ts';
import { CancelScanner } from './cancelScanner.ts';

/** Limits of the bytes and pieces that are read while a message is processed. */
const MAX_BYTES = 256 * 1024;
const MAX_PIECES = 1024;

/**
 * Bytes that arrive while a message is processed: kept for later, and searched for cancellations. Their bytes count
 * against the memory budget.
 */
export class ReadAhead {
  private pieces: Buffer[] = [];
  /** Bytes of the rest and of the pieces; all of them are reserved in the budget unless it is exhausted. */
  private bytes = 0;
  private reserved = 0;
  private readonly scanner: CancelScanner;
  /** Bytes of the rest that have been searched already. */
  private searched = 0;

  constructor(
    private readonly memory: MemoryBudget,
    found: (line: string) => void,
  ) {
    this.scanner = new CancelScanner(found);
  }

  /**
   * Searches the unprocessed rest of what was received before, which begins with a new line. Returns false if no more
   * should be read.
   */
  begin(rest: Buffer | undefined): boolean {
    this.bytes = rest?.length ?? 0;
    if (this.searched === 0) this.scanner.reset();
    if (rest && rest.length > this.searched) this.scanner.feed(rest.subarray(this.searched));
    this.searched = this.bytes;
    return this.reserve();
  }

  /** Adds received bytes. Returns false if no more should be read. */
  add(piece: Buffer): boolean {
    this.scanner.feed(piece);
    this.searched += piece.length;
    this.pieces.push(piece);
    this.bytes += piece.length;
    return this.reserve();
  }

  /** Returns the rest with all bytes that were added; undefined if there are none. */
  take(rest: Buffer | undefined): Buffer | undefined {
    if (this.pieces.length === 0) return rest;
    const all = Buffer.concat(rest ? [rest, ...this.pieces] : this.pieces);
    this.pieces = [];
    return all;
  }

  /** Called when bytes of the rest are processed. */
  processed(count: number): void {
    this.searched = Math.max(0, this.searched - count);
  }

  /** Called when the rest has been stored elsewhere. */
  clear(): void {
    this.searched = 0;
    this.release();
  }

  release(): void {
    this.memory.release(this.reserved);
    this.reserved = 0;
  }

  /** Reserves memory for all bytes. Returns false at the limits. */
  private reserve(): boolean {
    const { bytes, reserved, memory } = this;
    if (bytes < reserved) memory.release(reserved - bytes);
    else if (!memory.take(bytes - reserved)) return false;
    this.reserved = bytes;
    return bytes < MAX_BYTES && this.pieces.length < MAX_PIECES;
  }
}
