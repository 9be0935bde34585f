import type { Transform } from '../../src/core/math/transform.ts';
import type { PairCache } from '../../src/core/narrowphase/solver.ts';
import type { ConvexShape } from '../../src/core/shapes/shape.ts';
import { forget } from './solvers.ts';

/** A pair of shapes and the pose of the first in the frame of the second. */
export interface PeerQuery {
  readonly a: ConvexShape;
  readonly b: ConvexShape;
  readonly T: Transform;
}

/** Returns the minimum time per query over the rounds of a block, ns; each query is a cold start. */
export function leastTime(
  queries: readonly PeerQuery[],
  cache: PairCache,
  rounds: number,
  ask: (a: ConvexShape, T: Transform, b: ConvexShape) => void,
): number {
  let minTime = Number.POSITIVE_INFINITY;
  for (let round = 0; round <= rounds; round++) {
    const before = performance.now();
    for (const { a, b, T } of queries) {
      forget(cache);
      ask(a, T, b);
    }
    minTime = Math.min(minTime, performance.now() - before);
  }
  return (minTime * 1e6) / queries.length;
}

/**
 * Minimum times of single queries over rounds: under load a round is interrupted, most of its queries are not. `record`
 * is called once per round; the first round warms up.
 */
export class LeastTimes {
  private readonly least: Float64Array;
  private rounds = 0;

  /** @param clock ms; CPU time for queries that are longer than a time slice of the system */
  constructor(
    private readonly query: (i: number) => void,
    count: number,
    private readonly clock = () => performance.now(),
  ) {
    this.least = new Float64Array(count).fill(Number.POSITIVE_INFINITY);
  }

  record(): void {
    const { least, query, clock } = this;
    const isWarm = this.rounds++ > 0;
    for (let i = 0; i < least.length; i++) {
      const before = clock();
      query(i);
      const elapsed = clock() - before;
      if (isWarm && elapsed < least[i]) least[i] = elapsed;
    }
  }

  /** Mean of the minima, ns, less what reading the clock takes. */
  get mean(): number {
    return (1e6 * this.least.reduce((sum, x) => sum + x, 0)) / this.least.length - clockTime(this.clock);
  }
}

/** Time between two readings of the clock, ns. */
function clockTime(clock: () => number): number {
  let least = Number.POSITIVE_INFINITY;
  for (let i = 0; i < 1000; i++) {
    const before = clock();
    least = Math.min(least, clock() - before);
  }
  return 1e6 * least;
}
