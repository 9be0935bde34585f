import type { PlanarTransform } from '../../math/planar.ts';
import type { PlanarShape } from '../../shapes/planar/planarShape.ts';
import { COLLIDING, SEPARATED, UNDECIDED, type Verdict } from '../solver.ts';
import { MinkowskiDifference } from './minkowskiDifference2d.ts';
import type { PlanarCache, PlanarChecker } from './planarSolver.ts';

/**
 * Separating axis test, a baseline of [Zhang20 tables I-VI]: two cores are disjoint exactly if they are separated
 * along a normal of one of their edges, and the largest gap along these normals and the directions from a vertex of A
 * to a vertex of B is their distance. The latter are tested for cores that are closer than the margins and the minimum
 * distance, and where an edge has no area beside it. Every axis is tested until one separates. Pairs with an ellipse,
 * which has no edges, are undecided.
 */
export class SeparatingAxis2d implements PlanarChecker {
  /** Number of axes tested. */
  iterations = 0;
  private readonly difference = new MinkowskiDifference();
  private threshold = 0;
  /** Largest gap of the cores along an axis so far, metres; negative: overlap. */
  private gap = 0;

  check(a: PlanarShape, T_b_a: PlanarTransform, b: PlanarShape, minDistance: number, cache: PlanarCache): Verdict {
    if (a.round || b.round) return UNDECIDED;
    const { difference } = this;
    difference.bind(a, T_b_a, b);
    difference.vertexA = 0;
    difference.vertexB = 0;
    this.threshold = a.margin + b.margin + minDistance;
    this.gap = Number.NEGATIVE_INFINITY;
    const [cosine, sine] = T_b_a;
    for (let i = 0; i < a.edges.length; i += 2) {
      const ex = cosine * a.edges[i] - sine * a.edges[i + 1];
      const ey = sine * a.edges[i] + cosine * a.edges[i + 1];
      if (this.separates(ey, -ex, cache)) return SEPARATED;
    }
    for (let i = 0; i < b.edges.length; i += 2) {
      if (this.separates(-b.edges[i + 1], b.edges[i], cache)) return SEPARATED;
    }
    const isArea = a.edges.length > 0 || b.edges.length > 0;
    if (isArea && this.gap < -difference.rounding) return COLLIDING;
    for (let i = 0; i < a.vertices.length; i += 2) {
      for (let j = 0; j < b.vertices.length; j += 2) {
        difference.setVertices(i, j);
        if (this.separates(-difference.wx, -difference.wy, cache)) return SEPARATED;
      }
    }
    return COLLIDING;
  }

  /** Tests a direction from A to B, of any length; returns true if the gap along it exceeds the threshold. */
  private separates(x: number, y: number, cache: PlanarCache): boolean {
    const { difference } = this;
    const length = Math.sqrt(x * x + y * y);
    if (!(length > 0)) return false;
    this.iterations++;
    const { direction } = difference;
    direction[0] = x / length;
    direction[1] = y / length;
    difference.support();
    const gap = -(direction[0] * difference.wx + direction[1] * difference.wy);
    if (gap > this.gap) this.gap = gap;
    if (!(gap > this.threshold)) return false;
    cache.axis.set(direction);
    cache.store(difference.vertexA, difference.vertexB, difference.vertexA, difference.vertexB);
    return true;
  }
}
