/** Connected components: disjoint sets with path halving [Tarjan75]. */
export class Components {
  private readonly parents: number[] = [];

  /** Adds a node as a component of its own. */
  add(): void {
    this.parents.push(this.parents.length);
  }

  join(a: number, b: number): void {
    this.parents[this.find(a)] = this.find(b);
  }

  areJoined(a: number, b: number): boolean {
    return this.find(a) === this.find(b);
  }

  private find(node: number): number {
    const { parents } = this;
    let i = node;
    while (parents[i] !== i) i = parents[i] = parents[parents[i]];
    return i;
  }
}
