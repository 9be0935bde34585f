import { RpcError } from '../jsonRpc.ts';
import type { MemoryBudget } from '../memoryBudget.ts';
import type { Metrics } from '../serviceMetrics.ts';

/** Bytes of the memory budget that one session reserves besides its messages. */
export class SessionMemory {
  /** Reserved for added objects. */
  private kept = 0;
  /** Reserved by the running request. */
  private held = 0;
  private isClosed = false;

  /**
   * @param memory budget of messages and of running requests
   * @param objects budget of added objects
   */
  constructor(
    private readonly memory: MemoryBudget,
    private readonly objects: MemoryBudget,
    private readonly metrics: Metrics,
  ) {}

  /** Sets the memory that sliced work reserves. Throws `RpcError` if the budget is exhausted. */
  hold(bytes: number): void {
    const { memory, metrics, held } = this;
    if (bytes > held && !memory.take(bytes - held)) {
      metrics.refuse('memory');
      throw new RpcError('tooLarge', 'the intervals of this motion exceed the memory budget', 'Divide the motion.');
    }
    if (bytes < held) memory.release(held - bytes);
    this.held = bytes;
  }

  /** Sets the memory that all added objects reserve. Throws `RpcError` if the budget is exhausted. */
  keep(bytes: number): void {
    const { objects, metrics, kept } = this;
    if (this.isClosed) return;
    if (bytes > kept && !objects.take(bytes - kept)) {
      metrics.refuse('memory');
      throw new RpcError(
        'tooLarge',
        `the objects of the session would take ${sizeText(bytes)}, more than the memory budget has left`,
        'Remove objects, send clouds of fewer points, or start the service with a greater --memory.',
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
