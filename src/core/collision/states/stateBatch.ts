import type { Configuration } from '../../math/configuration.ts';
import { IN_COLLISION, OUT_OF_RANGE, StateFilter } from '../filter/stateFilter.ts';
import type { PosedParts } from '../model/posedParts.ts';
import { SelfPairTables } from '../selfPairs/selfPairTables.ts';
import type { PairCaches } from './pairCaches.ts';

/** Number of states that are checked at a time. */
export const BATCH = 4;

/** The exact checks of a collision manager. */
interface ExactChecks {
  /** Metres that every pair must be farther apart than. */
  readonly padding: number;
  readonly counters: { states: number };
  /** Cached separating planes of the pairs. */
  readonly caches: PairCaches;
  /** Poses the robot and checks all pairs. */
  isStateFree(q: Configuration): boolean;
  /** Poses the robot; returns the colliding pair with the lowest index, or −1. */
  firstCollidingPair(q: Configuration): number;
  /** Checks one pair at the current poses of its parts. */
  collides(pair: number): boolean;
}

/**
 * Checks up to four states at a time. A filter in single precision decides most of their pairs at once; the pairs that
 * it leaves open are checked exactly. Without the filter (no WebAssembly SIMD, many obstacles), each state is checked
 * by itself. The results are the same. All given states count as checked; afterwards the posed parts of the manager
 * hold no single state.
 */
export class StateBatch {
  private filter: StateFilter | undefined;
  /** Padding and poses of obstacles for which `filter` was created. */
  private padding = Number.NaN;
  private generation = -1;
  /** Open pairs of one state. */
  private readonly open: Int32Array;
  private readonly tables: SelfPairTables;
  /**
   * Pair that `areFree` or `writeFree` found in collision last, or −1. It orders the checks and does not change their
   * results.
   */
  private lastColliding = -1;

  constructor(
    private readonly posed: PosedParts,
    private readonly exact: ExactChecks,
  ) {
    this.open = new Int32Array(posed.model.pairCount);
    this.tables = SelfPairTables.of(posed.model);
  }

  /** Forgets the last collision; the filter depends on the scene alone. */
  reset(): void {
    this.lastColliding = -1;
  }

  /** Returns true if `CollisionManager.isCollisionFree` is true of the first `count` states, at most BATCH. */
  areFree(states: readonly Configuration[], count: number): boolean {
    const { exact } = this;
    const { use } = this.posed;
    use.enter();
    try {
      exact.counters.states += count;
      const filter = this.currentFilter();
      const entries = filter?.check(states, count, 'any') ?? OUT_OF_RANGE;
      if (entries === IN_COLLISION) return false;
      for (let i = 0; i < count; i++) {
        const isFree =
          entries === OUT_OF_RANGE
            ? exact.isStateFree(states[i])
            : !this.hasOpenCollision(filter!, entries, states[i], i);
        if (!isFree) return false;
      }
      return true;
    } finally {
      use.leave();
    }
  }

  /**
   * Writes for each of the first `count` states, at most BATCH, the index of the pair that
   * `CollisionManager.firstCollision` returns, or −1.
   */
  firstCollidingPairs(out: Int32Array, states: readonly Configuration[], count: number): void {
    const { exact } = this;
    const { use } = this.posed;
    use.enter();
    try {
      exact.counters.states += count;
      const filter = this.currentFilter();
      const entries = filter?.check(states, count, 'never') ?? OUT_OF_RANGE;
      for (let i = 0; i < count; i++)
        out[i] =
          entries === OUT_OF_RANGE
            ? exact.firstCollidingPair(states[i])
            : this.openCollision(filter!, entries, states[i], i);
    } finally {
      use.leave();
    }
  }

  /**
   * Writes for each of the first `count` states, at most BATCH, 1 into `out` if
   * `CollisionManager.isCollisionFree` is true of it, otherwise 0.
   */
  writeFree(out: Float64Array, states: readonly Configuration[], count: number): void {
    const { exact } = this;
    const { use } = this.posed;
    use.enter();
    try {
      exact.counters.states += count;
      const filter = this.currentFilter();
      const entries = filter?.check(states, count, 'all') ?? OUT_OF_RANGE;
      for (let i = 0; i < count; i++) {
        let isFree = false;
        if (entries === OUT_OF_RANGE) isFree = exact.isStateFree(states[i]);
        else if (entries !== IN_COLLISION && (filter!.collided & (1 << i)) === 0)
          isFree = !this.hasOpenCollision(filter!, entries, states[i], i);
        out[i] = isFree ? 1 : 0;
      }
    } finally {
      use.leave();
    }
  }

  /**
   * Checks the pairs that the filter left open in state i, first the one that collided last; returns true if one
   * collides. Only pairs that neither a table nor a cached plane proves separated are checked exactly.
   */
  private hasOpenCollision(filter: StateFilter, entries: number, q: Configuration, i: number): boolean {
    const { posed, exact, open, tables } = this;
    const { padding, caches } = exact;
    const count = filter.writePairsOf(open, entries, i, open.length);
    moveToFront(open, count, this.lastColliding);
    let isPosed = false;
    for (let k = 0; k < count; k++) {
      const pair = open[k];
      if (tables.separatesState(pair, q, padding) || filter.planeSeparates(pair, i, caches.of(pair), padding)) continue;
      if (!isPosed) posed.poseLinks(q);
      isPosed = true;
      posed.poseParts(pair);
      if (!exact.collides(pair)) continue;
      this.lastColliding = pair;
      return true;
    }
    return false;
  }

  /**
   * Returns the colliding pair of state i with the lowest index, or −1. Checks the pairs that the filter left open in
   * ascending order, up to the first one that is surely in collision. Tables are queried pair by pair: most states of a
   * random list collide, and the pairs after that are not needed.
   */
  private openCollision(filter: StateFilter, entries: number, q: Configuration, i: number): number {
    const { posed, exact, open, tables } = this;
    const { padding } = exact;
    const { pairCount } = posed.model;
    const surely = filter.lowestCollision(entries, i, pairCount);
    const count = filter.writePairsOf(open, entries, i, surely);
    sortFirst(open, count);
    let isPosed = false;
    for (let k = 0; k < count; k++) {
      const pair = open[k];
      if (tables.separatesState(pair, q, padding)) continue;
      if (!isPosed) posed.poseLinks(q);
      isPosed = true;
      posed.poseParts(pair);
      if (exact.collides(pair)) return pair;
    }
    return surely < pairCount ? surely : -1;
  }

  /** Returns the filter for the current poses of obstacles; undefined if the host or the scene has no use for it. */
  private currentFilter(): StateFilter | undefined {
    const { padding } = this.exact;
    const { generation } = this.posed;
    if (this.padding !== padding || this.generation !== generation) {
      this.filter = StateFilter.create(this.posed, padding);
      this.padding = padding;
      this.generation = generation;
    }
    return this.filter;
  }
}

/** Swaps a value, if it is one of the first `count`, with the first. */
function moveToFront(values: Int32Array, count: number, value: number): void {
  for (let k = 1; k < count; k++) {
    if (values[k] !== value) continue;
    values[k] = values[0];
    values[0] = value;
    return;
  }
}

/** Largest list that is sorted by insertion: a call of the sort of typed arrays takes longer. */
const MAX_INSERTION = 24;

/** Sorts the first `count` values in ascending order. */
function sortFirst(values: Int32Array, count: number): void {
  if (count > MAX_INSERTION) {
    values.subarray(0, count).sort();
    return;
  }
  for (let i = 1; i < count; i++) {
    const value = values[i];
    let hole = i;
    for (; hole > 0 && values[hole - 1] > value; hole--) values[hole] = values[hole - 1];
    values[hole] = value;
  }
}
