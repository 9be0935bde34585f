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

  constructor(
    private readonly memory: MemoryBudget,
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
    const { memory, metrics, kept } = this;
    if (this.isClosed) return;
    if (bytes > kept && !memory.take(bytes - kept)) {
      metrics.refuse('memory');
      throw new RpcError('tooLarge', 'the memory budget does not allow another object', 'Remove objects first.');
    }
    if (bytes < kept) memory.release(kept - bytes);
    this.kept = bytes;
  }

  /** Releases the memory of all added objects; further calls of `keep` have no effect. */
  close(): void {
    this.memory.release(this.kept);
    this.kept = 0;
    this.isClosed = true;
  }
}
