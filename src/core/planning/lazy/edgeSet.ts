import type { Configuration } from '../../math/configuration.ts';

/** Set of directed edges. States are compared by identity: an edge between copies of its ends is another one. */
export class EdgeSet {
  /** Last states by first states. */
  private readonly ends = new Map<Configuration, Configuration[]>();

  has(qFrom: Configuration, qTo: Configuration): boolean {
    return this.ends.get(qFrom)?.includes(qTo) === true;
  }

  add(qFrom: Configuration, qTo: Configuration): void {
    const ends = this.ends.get(qFrom);
    if (ends) ends.push(qTo);
    else this.ends.set(qFrom, [qTo]);
  }
}

/**
 * Results of the edge checks of paths. The paths that one search finds share most of their states, the nodes of its
 * trees, so that edges between them are checked once.
 */
export class KnownEdges {
  /** Edges that were certified. */
  readonly certified = new EdgeSet();
  /** Edges that passed the approximate check. */
  readonly likely = new EdgeSet();
  /** Edges that are not valid, by the approximate check or, where there is none, by `isMotionValid`. */
  readonly invalid = new EdgeSet();
}
