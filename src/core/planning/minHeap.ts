/** Priority queue of numbers, smallest key first: a binary heap [Williams64]. */
export class MinHeap {
  private readonly keys: number[] = [];
  private readonly values: number[] = [];

  get size(): number {
    return this.keys.length;
  }

  /** The smallest key; infinite for an empty heap. */
  get leastKey(): number {
    return this.keys.length > 0 ? this.keys[0] : Number.POSITIVE_INFINITY;
  }

  push(key: number, value: number): void {
    const { keys, values } = this;
    let hole = keys.length;
    while (hole > 0) {
      const parent = (hole - 1) >> 1;
      if (keys[parent] <= key) break;
      keys[hole] = keys[parent];
      values[hole] = values[parent];
      hole = parent;
    }
    keys[hole] = key;
    values[hole] = value;
  }

  /** Removes and returns a value with the smallest key; −1 for an empty heap. */
  pop(): number {
    const { keys, values } = this;
    if (keys.length === 0) return -1;
    const least = values[0];
    const key = keys.pop()!;
    const value = values.pop()!;
    const size = keys.length;
    if (size === 0) return least;
    let hole = 0;
    for (let child = 1; child < size; child = 2 * hole + 1) {
      if (child + 1 < size && keys[child + 1] < keys[child]) child++;
      if (keys[child] >= key) break;
      keys[hole] = keys[child];
      values[hole] = values[child];
      hole = child;
    }
    keys[hole] = key;
    values[hole] = value;
    return least;
  }

  clear(): void {
    this.keys.length = 0;
    this.values.length = 0;
  }
}
