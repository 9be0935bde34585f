import type { PlanarTransform, Vec2 } from '../../math/planar.ts';
import type { PlanarShape } from '../../shapes/planar/planarShape.ts';
import type { Verdict } from '../solver.ts';

/**
 * Planar counterpart of `Checker` in solver.ts: frame of B, `T_b_a` is the pose of A in that frame; results are stored
 * in a `Separation` whose third coordinates stay 0.
 */
export interface PlanarChecker {
  /**
   * Returns SEPARATED if the shapes are proved farther apart than `minDistance` metres; COLLIDING if they are not,
   * including contact within rounding.
   */
  check(a: PlanarShape, T_b_a: PlanarTransform, b: PlanarShape, minDistance: number, cache: PlanarCache): Verdict;
  /** Iterations since the last reset. */
  iterations: number;
}

/** Warm start data of a pair. It orders the work and never decides: a wrong cache costs only time. */
export class PlanarCache {
  /** Unit direction from A to B in the frame of B, which gave the best bound of the last query. */
  readonly axis: Vec2 = new Float64Array(2);
  hasAxis = false;
  /** Vertex offsets of A and B of the last simplex, two numbers per point. */
  readonly vertices = new Int32Array(4);
  count = 0;

  /** Stores one or two pairs of vertices, (a0, b0) and (a1, b1), and marks `axis` as valid. */
  store(a0: number, b0: number, a1: number, b1: number): void {
    this.hasAxis = true;
    this.vertices[0] = a0;
    this.vertices[1] = b0;
    this.vertices[2] = a1;
    this.vertices[3] = b1;
  }

  /** Returns true if the stored vertices are vertices of these shapes: the cache may be that of another pair. */
  isValidFor(a: PlanarShape, b: PlanarShape): boolean {
    const { vertices } = this;
    return (
      this.hasAxis &&
      vertices[0] < a.vertices.length &&
      vertices[2] < a.vertices.length &&
      vertices[1] < b.vertices.length &&
      vertices[3] < b.vertices.length
    );
  }
}
