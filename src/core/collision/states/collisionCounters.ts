/** Work counters; deterministic: equal inputs give equal counts on every machine. */
export class CollisionCounters {
  /** Number of states checked. */
  states = 0;
  /** Number of pairs that reached the narrow phase. */
  pairChecks = 0;
  /** Number of distances computed. */
  distances = 0;
  /** Number of pairs that the checker left undecided, so that their distance was computed. */
  undecided = 0;

  /** Sets all counters to 0. */
  reset(): void {
    this.states = 0;
    this.pairChecks = 0;
    this.distances = 0;
    this.undecided = 0;
  }
}
