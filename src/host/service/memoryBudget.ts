/** Memory budget in bytes, shared by many clients: reserved with `take`, returned with `release`. */
export class MemoryBudget {
  private left: number;

  /** @param parent budget that contains this one: its bytes are reserved too */
  constructor(
    readonly total: number,
    private readonly parent?: MemoryBudget,
  ) {
    this.left = total;
  }

  get taken(): number {
    return this.total - this.left;
  }

  /** Reserves bytes. Returns false and reserves nothing if not enough are left. */
  take(bytes: number): boolean {
    if (bytes > this.left || this.parent?.take(bytes) === false) return false;
    this.left -= bytes;
    return true;
  }

  release(bytes: number): void {
    this.left += bytes;
    this.parent?.release(bytes);
  }
}
