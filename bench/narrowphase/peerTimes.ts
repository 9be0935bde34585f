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
