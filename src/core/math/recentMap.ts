/** The values that were used last, up to a number of them: those that were not used for longest are dropped. */
export class RecentMap<K, V> extends Map<K, V> {
  constructor(private readonly most: number) {
    super();
  }

  /** Stores a value as the one that was used last. */
  override set(key: K, value: V): this {
    this.delete(key);
    super.set(key, value);
    if (this.size > this.most) this.delete(this.keys().next().value!);
    return this;
  }

  /** Returns the value of a key, which was used last then; creates it if there is none. */
  use(key: K, create: () => V): V {
    const value = this.get(key) ?? create();
    this.set(key, value);
    return value;
  }
}
