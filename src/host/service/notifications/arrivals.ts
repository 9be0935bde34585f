import { performance } from 'node:perf_hooks';

/** Arrival times of the bytes of a stream that have been received but not processed, in order. */
export class Arrivals {
  private readonly pieces: { bytes: number; readonly time: number }[] = [];

  /** Called when bytes arrive. */
  add(bytes: number): void {
    this.pieces.push({ bytes, time: performance.now() });
  }

  /** Removes the first bytes. Returns the time (ms) at which the last of them arrived. */
  take(bytes: number): number {
    let left = bytes;
    for (;;) {
      const [piece] = this.pieces;
      if (piece === undefined) return performance.now();
      if (left < piece.bytes) {
        piece.bytes -= left;
        return piece.time;
      }
      left -= piece.bytes;
      this.pieces.shift();
      if (left === 0) return piece.time;
    }
  }
}
