/** Bytes of the parts that a thread keeps (`bytesOfParts`): four times what one session may add. */
const MAX_WEIGHT = 96 * 1024 * 1024;

/**
 * What a thread keeps of the parts of added objects, by id: those used last, up to a total weight. The main thread has
 * one of these for each thread, without the parts, and makes the same calls in the same order, so that it knows which
 * parts it need not send.
 */
export class KeptParts<T> {
  private readonly items = new Map<number, { readonly weight: number; readonly value: T }>();
  private weight = 0;

  constructor(private readonly most = MAX_WEIGHT) {}

  /** Returns the value of an id; undefined if there is none. */
  get(id: number): T | undefined {
    return this.items.get(id)?.value;
  }

  has(id: number): boolean {
    return this.items.has(id);
  }

  /** Adds a value, or marks that of the id as used. */
  use(id: number, weight: number, value: T): void {
    const known = this.items.get(id);
    if (known) this.items.delete(id);
    else this.weight += weight;
    this.items.set(id, known ?? { weight, value });
  }

  /**
   * Drops values beyond the limit, those that were not used for longest first.
   * @param used number of the values used last, which stay
   */
  trim(used: number): readonly number[] {
    const dropped: number[] = [];
    for (const [id, { weight }] of this.items) {
      if (this.weight <= this.most || this.items.size <= used) break;
      this.items.delete(id);
      this.weight -= weight;
      dropped.push(id);
    }
    return dropped;
  }
}
