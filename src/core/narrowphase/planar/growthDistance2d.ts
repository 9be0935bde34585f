import { type PlanarTransform, transformPlanarPoint, type Vec2 } from '../../math/planar.ts';
import type { PlanarShape } from '../../shapes/planar/planarShape.ts';
import { clearSeparation } from '../outcome.ts';
import { COLLIDING, SEPARATED, type Separation, UNDECIDED, type Verdict } from '../solver.ts';
import { Gjk2d } from './gjk2d.ts';
import type { PlanarCache, PlanarChecker } from './planarSolver.ts';
import { SegmentAscent } from './segmentAscent.ts';

const defaults = {
  /** Relative gap of the growth distance bounds at which `growth` may stop. */
  relativeGap: 1.5e-8,
};

/**
 * Planar growth distance [Thirugnanam26]: the smallest scale σ at which A and B, scaled about their centers, touch.
 * With C = (A − cA) ⊖ (B − cB) and the center difference d = cB − cA, the ray from the origin along d leaves C at
 * d/σ: a point that `SegmentAscent` bounds from inside and from outside.
 */
export class GrowthDistance2d implements PlanarChecker {
  iterations = 0;
  readonly #relativeGap: number;
  /** Bounds of the current query. */
  readonly ascent = new SegmentAscent();
  readonly #gjk: Gjk2d;

  constructor(options: Partial<typeof defaults> = {}) {
    this.#relativeGap = options.relativeGap ?? defaults.relativeGap;
    this.#gjk = new Gjk2d({ relativeGap: this.#relativeGap });
  }

  /**
   * Computes bounds on the growth distance, with normal and contact points of A and B at that scale (if they overlap: a
   * common point). For two parallel flat shapes the growth distance is undefined unless their centers coincide; only
   * the status is set.
   */
  growth(out: Separation, a: PlanarShape, T_b_a: PlanarTransform, b: PlanarShape, cache: PlanarCache): void {
    const ascent = this.ascent;
    ascent.bind(a, T_b_a, b);
    if (!ascent.start(a, T_b_a, b, 0)) {
      this.#writeFlat(out, a, T_b_a, b, cache);
      return;
    }
    clearSeparation(out);
    if (ascent.centerDistance === 0) {
      writeCoincident(out, a, T_b_a, b);
      return;
    }
    ascent.warmStart(a, b, cache);
    ascent.gap = this.#relativeGap;
    const isConverged = ascent.ascend() !== UNDECIDED;
    ascent.segment.measure();
    out.iterations = ascent.steps;
    this.iterations += out.iterations;
    this.#writeResult(out, a, T_b_a, b, isConverged);
    this.#updateCache(cache);
  }

  /**
   * Checks the pair, by discs and then by bounds, until one of them passes 1. `minDistance` is added as a margin around
   * the two shapes.
   */
  check(a: PlanarShape, T_b_a: PlanarTransform, b: PlanarShape, minDistance: number, cache: PlanarCache): Verdict {
    const ascent = this.ascent;
    ascent.bind(a, T_b_a, b);
    const ofDiscs = ascent.compareDiscs(a, b, minDistance);
    if (ofDiscs === SEPARATED) {
      const { betweenCentersX, betweenCentersY } = ascent.difference;
      cache.axis[0] = betweenCentersX / ascent.centerDistance;
      cache.axis[1] = betweenCentersY / ascent.centerDistance;
      cache.hasAxis = true;
    }
    if (ofDiscs !== UNDECIDED) return ofDiscs;
    if (!ascent.start(a, T_b_a, b, minDistance)) {
      const before = this.#gjk.iterations;
      const verdict = this.#gjk.check(a, T_b_a, b, minDistance, cache);
      this.iterations += this.#gjk.iterations - before;
      return verdict;
    }
    if (ascent.centerDistance === 0) return COLLIDING;
    ascent.warmStart(a, b, cache);
    ascent.gap = Number.POSITIVE_INFINITY;
    const verdict = ascent.ascend();
    this.iterations += ascent.steps;
    if (verdict !== UNDECIDED) this.#updateCache(cache);
    return verdict;
  }

  #writeResult(out: Separation, a: PlanarShape, T_b_a: PlanarTransform, b: PlanarShape, isConverged: boolean): void {
    const { growth } = out;
    const { centerDistance, outerLength, rounding, normal, segment } = this.ascent;
    const one = centerDistance / outerLength;
    const other = centerDistance / segment.length;
    growth.lower = Math.min(one, other); // rounding may cross them
    growth.upper = Math.max(one, other);
    const tolerance = rounding / segment.length;
    if (growth.lower > 1 + tolerance) out.status = 'separated';
    else if (growth.upper <= 1 - tolerance) out.status = 'colliding';
    else if (isConverged) out.status = 'touching';
    out.normal[0] = normal[0];
    out.normal[1] = normal[1];
    out.hasNormal = true;
    this.#setWitnesses(out, a, T_b_a, b);
  }

  /** Computes the contact points where the ray leaves the segment; if the shapes overlap, at their common scale. */
  #setWitnesses(out: Separation, a: PlanarShape, T_b_a: PlanarTransform, b: PlanarShape): void {
    const { left, right, leftVertices, rightVertices, share } = this.ascent.segment;
    const { witnessA, witnessB } = out;
    const scale = Math.min(1, out.growth.upper);
    transformPlanarPoint(centerOfA, T_b_a, a.center);
    this.#setPoints(left, leftVertices, a, b);
    const ax = pointOfA[0],
      ay = pointOfA[1];
    const bx = pointOfB[0],
      by = pointOfB[1];
    this.#setPoints(right, rightVertices, a, b);
    const rest = 1 - share;
    witnessA[0] = centerOfA[0] + scale * (share * ax + rest * pointOfA[0] - centerOfA[0]);
    witnessA[1] = centerOfA[1] + scale * (share * ay + rest * pointOfA[1] - centerOfA[1]);
    witnessB[0] = b.center[0] + scale * (share * bx + rest * pointOfB[0] - b.center[0]);
    witnessB[1] = b.center[1] + scale * (share * by + rest * pointOfB[1] - b.center[1]);
    out.hasWitnesses = true;
  }

  /** Sets `pointOfA` and `pointOfB` to the points of an end of the segment; without vertices, one of the inner disc. */
  #setPoints(end: Float64Array, vertices: Int32Array, a: PlanarShape, b: PlanarShape): void {
    const i = vertices[0],
      j = vertices[1];
    if (i < 0) {
      const radiusA = Math.max(0, a.innerRadius);
      const part = radiusA / (radiusA + Math.max(0, b.innerRadius));
      pointOfA[0] = centerOfA[0] + part * end[0];
      pointOfA[1] = centerOfA[1] + part * end[1];
      pointOfB[0] = b.center[0] - (1 - part) * end[0];
      pointOfB[1] = b.center[1] - (1 - part) * end[1];
      return;
    }
    const { difference } = this.ascent;
    pointOfA[0] = difference.vertexOfA(i, 0) + a.margin * end[2];
    pointOfA[1] = difference.vertexOfA(i, 1) + a.margin * end[3];
    pointOfB[0] = difference.vertexOfB(j, 0) - b.margin * end[2];
    pointOfB[1] = difference.vertexOfB(j, 1) - b.margin * end[3];
  }

  #updateCache(cache: PlanarCache): void {
    const { normal, segment } = this.ascent;
    const { leftVertices, rightVertices } = segment;
    const first = leftVertices[0] < 0 ? rightVertices : leftVertices;
    const second = rightVertices[0] < 0 ? leftVertices : rightVertices;
    if (first[0] < 0) return; // no vertices: the inner disc decided
    cache.axis[0] = normal[0];
    cache.axis[1] = normal[1];
    cache.store(first[0], first[1], second[0], second[1]);
  }

  #writeFlat(out: Separation, a: PlanarShape, T_b_a: PlanarTransform, b: PlanarShape, cache: PlanarCache): void {
    this.#gjk.distance(out, a, T_b_a, b, 0, false, cache);
    out.hasNormal = false; // it would prove a distance instead of a growth distance
    if (this.ascent.centerDistance === 0) out.growth.upper = 0;
    this.iterations += out.iterations;
  }
}

/** Scratch of leaf functions: growth center of A in the frame of B, points of A and B in that frame. */
const centerOfA: Vec2 = new Float64Array(2);
const pointOfA: Vec2 = new Float64Array(2);
const pointOfB: Vec2 = new Float64Array(2);

/** Writes the result for coinciding centers: the shapes touch at any scale down to 0. */
function writeCoincident(out: Separation, a: PlanarShape, T_b_a: PlanarTransform, b: PlanarShape): void {
  out.status = 'colliding';
  out.growth.upper = 0;
  transformPlanarPoint(out.witnessA, T_b_a, a.center);
  out.witnessB.set(b.center);
  out.hasWitnesses = true;
}
