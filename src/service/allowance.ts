/** A store of bytes that many share: whoever keeps something for a while takes as much from it, and gives it back. */
export class Allowance {
  private left: number;

  constructor(readonly total: number) {
    this.left = total;
  }

  get taken(): number {
    return this.total - this.left;
  }

  /** False, and nothing is taken, where there is not as much left. */
  take(bytes: number): boolean {
    if (bytes > this.left) return false;
    this.left -= bytes;
    return true;
  }

  giveBack(bytes: number): void {
    this.left += bytes;
  }
}
