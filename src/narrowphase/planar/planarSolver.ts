import type { PlanarTransform, Vec2 } from '../../math/planar.ts';
import type { PlanarShape } from '../../shapes/planar/planarShape.ts';
import type { Verdict } from '../solver.ts';

/**
 * The questions of `solver.ts` in the plane: frame of B, `T_b_a` the pose of A seen from B, answers in a `Separation` whose third
 * coordinates stay 0.
 */
export interface PlanarChecker {
  /** SEPARATED: proved farther apart than `least` metres; COLLIDING: not so, contact within rounding included. */
  check(a: PlanarShape, T_b_a: PlanarTransform, b: PlanarShape, least: number, cache: PlanarCache): Verdict;
  /** Iterations since the last reset. */
  iterations: number;
}

/** What is remembered of a pair. It orders the work and decides nothing: a wrong cache costs time only. */
export class PlanarCache {
  /** Unit direction from A to B, frame of B, that bounded the pair last. */
  readonly axis: Vec2 = new Float64Array(2);
  hasAxis = false;
  /** Corners of A and B behind the last simplex, two numbers a point. */
  readonly corners = new Int32Array(4);
  count = 0;

  /** Keeps the direction that `axis` was given and a pair or two of corners: (a0, b0), (a1, b1). */
  remember(a0: number, b0: number, a1: number, b1: number): void {
    this.hasAxis = true;
    this.corners[0] = a0;
    this.corners[1] = b0;
    this.corners[2] = a1;
    this.corners[3] = b1;
  }

  /** Whether the corners kept are corners of these bodies: a cache may have been another pair's. */
  fits(a: PlanarShape, b: PlanarShape): boolean {
    const { corners } = this;
    return (
      this.hasAxis &&
      corners[0] < a.vertices.length &&
      corners[2] < a.vertices.length &&
      corners[1] < b.vertices.length &&
      corners[3] < b.vertices.length
    );
  }
}
