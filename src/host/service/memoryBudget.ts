/** Memory budget in bytes, shared by many clients: reserved with `take`, returned with `release`. */
export class MemoryBudget {
  /**
   * @param parent budget that contains this one: its bytes are reserved too
   * @param used first item: the bytes that are reserved; may be shared with other threads, which read it
   */
  constructor(
    readonly total: number,
    private readonly parent?: MemoryBudget,
    private readonly used: Float64Array = new Float64Array(1),
  ) {}

  get taken(): number {
    return this.used[0];
  }

  /** Reserves bytes. Returns false and reserves nothing if not enough are left. */
  take(bytes: number): boolean {
    if (bytes > this.total - this.used[0] || this.parent?.take(bytes) === false) return false;
    this.used[0] += bytes;
    return true;
  }

  release(bytes: number): void {
    this.used[0] -= bytes;
    this.parent?.release(bytes);
  }
}
