import { RpcError } from '../jsonRpc.ts';
import type { MemoryBudget } from '../memoryBudget.ts';
import type { Counters } from '../serviceMetrics.ts';

/** Bytes of the memory budget that one session reserves for added objects and gates. */
export class SessionMemory {
  private kept = 0;
  private isClosed = false;

  constructor(
    private readonly objects: MemoryBudget,
    private readonly metrics: Counters,
  ) {}

  /** Sets the memory that all added objects reserve. Throws `RpcError` if the budget is exhausted. */
  keep(bytes: number): void {
    const { objects, metrics, kept } = this;
    if (this.isClosed) return;
    if (bytes > kept && !objects.take(bytes - kept)) {
      metrics.refuse('memory');
      throw new RpcError(
        'tooLarge',
        `the objects and gates of the session would take ${sizeText(bytes)}, more than the memory budget has left`,
        'Remove objects, close gates, send clouds of fewer points, or start the service with a greater --memory.',
      );
    }
    if (bytes < kept) objects.release(kept - bytes);
    this.kept = bytes;
  }

  /** Releases the memory of all added objects; further calls of `keep` have no effect. */
  close(): void {
    this.objects.release(this.kept);
    this.kept = 0;
    this.isClosed = true;
  }
}

const sizeText = (bytes: number) =>
  bytes < 1e6 ? `${Math.ceil(bytes / 1024)} KiB` : `${(bytes / 2 ** 20).toFixed(1)} MiB`;
