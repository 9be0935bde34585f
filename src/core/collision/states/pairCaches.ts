import { PairCache } from '../../narrowphase/solver.ts';

/**
 * The cache of each collision pair, created when it is first used: most pairs of a long chain never reach the narrow
 * phase.
 */
export class PairCaches {
  private readonly caches: (PairCache | undefined)[];
  private readonly created: PairCache[] = [];

  /** @param keepsCorners of each cache, see `PairCache` */
  constructor(
    pairCount: number,
    private readonly keepsCorners: boolean,
  ) {
    this.caches = new Array<PairCache | undefined>(pairCount).fill(undefined);
  }

  /** Returns the cache of a pair, always the same object. */
  of(pair: number): PairCache {
    return this.caches[pair] ?? this.create(pair);
  }

  private create(pair: number): PairCache {
    const cache = new PairCache();
    cache.storesSimplex = this.keepsCorners;
    this.caches[pair] = cache;
    this.created.push(cache);
    return cache;
  }

  /** Clears all caches: the next query of each pair is a cold start. */
  clear(): void {
    for (const cache of this.created) cache.clear();
  }
}
