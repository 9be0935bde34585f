import { RpcError } from '../jsonRpc.ts';
import type { MemoryBudget } from '../memoryBudget.ts';
import type { Metrics } from '../serviceMetrics.ts';

/** Bytes of the memory budget that one session reserves besides its messages. */
export class SessionMemory {
  /** Reserved until the session ends or resets its scene. */
  private kept = 0;
  /** Reserved by the running request. */
  private held = 0;

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

  /** Reserves memory for an object that is added. Throws `RpcError` if the budget is exhausted. */
  keep(bytes: number): void {
    if (!this.memory.take(bytes)) {
      this.metrics.refuse('memory');
      throw new RpcError('tooLarge', 'the memory budget does not allow another object');
    }
    this.kept += bytes;
  }

  /** Releases the memory of all added objects. */
  giveBack(): void {
    this.memory.release(this.kept);
    this.kept = 0;
  }
}
