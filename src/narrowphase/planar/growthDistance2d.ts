import { type PlanarTransform, transformPlanarPoint, type Vec2 } from '../../math/planar.ts';
import type { PlanarShape } from '../../shapes/planar/planarShape.ts';
import { clearSeparation } from '../outcome.ts';
import { COLLIDING, SEPARATED, type Separation, UNDECIDED, type Verdict } from '../solver.ts';
import { coreDepth } from './depth2d.ts';
import { Gjk2d } from './gjk2d.ts';
import { InnerSegment } from './innerSegment.ts';
import { MinkowskiDifference } from './minkowskiDifference2d.ts';
import type { PlanarCache, PlanarChecker } from './planarSolver.ts';

/** Iterations after which the status is `undecided`. Each one halves an arc, so a gap of 1e-12 takes about twenty. */
const MAX_ITERATIONS = 500;

const BOTH_SIDES = [1, -1];

const defaults = {
  /** Relative gap of the growth distance bounds at which `growth` may stop. */
  relativeGap: 1.5e-8,
};

/**
 * Planar growth distance [Thirugnanam26]: the smallest scale σ at which A and B, scaled about their centers, touch.
 * With C = (A − cA) ⊖ (B − cB) and the center difference d = cB − cA, the ray from the origin along d leaves C at
 * d/σ.
 *
 * A segment between two points of C, one on each side of the ray, bounds that point from inside; the supporting line of
 * C along the normal of the segment bounds it from outside, and its support point makes a better segment.
 *
 *        L ●───____           n: normal of the segment
 *          │       ‾‾‾●  new support point, on the side of R: the next segment joins it to L
 *    0 ────┼─────→ ray
 *          │
 *        R ●
 */
export class GrowthDistance2d implements PlanarChecker {
  iterations = 0;
  readonly #relativeGap: number;
  readonly #difference = new MinkowskiDifference();
  readonly #segment = new InnerSegment();
  readonly #gjk: Gjk2d;
  /** Unit vector along the ray in the frame of B, and the distance of the centers. */
  #ux = 0;
  #uy = 0;
  #centerDistance = 0;
  /** Sum of the margins and the distance tested for; rounding error of lengths. */
  #margin = 0;
  #rounding = 0;
  /**
   * Length of the ray up to the segment (inner bound) and the best supporting line (outer bound); normal of the line.
   */
  #innerLength = 0;
  #outerLength = 0;
  readonly #normal: Vec2 = new Float64Array(2);

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
    if (!this.#start(a, T_b_a, b, 0)) {
      this.#writeFlat(out, a, T_b_a, b, cache);
      return;
    }
    clearSeparation(out);
    if (this.#centerDistance === 0) {
      writeCoincident(out, a, T_b_a, b);
      return;
    }
    this.#margin = a.margin + b.margin;
    this.#warmStart(a, b, cache);
    let isConverged = false;
    while (out.iterations < MAX_ITERATIONS && !isConverged) {
      out.iterations++;
      isConverged = !this.#improve() || this.#areBoundsClose();
    }
    this.iterations += out.iterations;
    this.#writeResult(out, a, T_b_a, b, isConverged);
    this.#updateCache(cache);
  }

  /** Checks the pair; stops as soon as one bound passes 1. `minDistance` is added as a margin around the two shapes. */
  check(a: PlanarShape, T_b_a: PlanarTransform, b: PlanarShape, minDistance: number, cache: PlanarCache): Verdict {
    if (!this.#start(a, T_b_a, b, minDistance)) {
      const before = this.#gjk.iterations;
      const verdict = this.#gjk.check(a, T_b_a, b, minDistance, cache);
      this.iterations += this.#gjk.iterations - before;
      return verdict;
    }
    if (this.#centerDistance === 0) return COLLIDING;
    this.#margin = a.margin + b.margin + minDistance;
    this.#warmStart(a, b, cache);
    for (let k = 1; k <= MAX_ITERATIONS; k++) {
      this.iterations++;
      const isBetter = this.#improve();
      const isSeparated = this.#outerLength < this.#centerDistance;
      if (isSeparated || this.#innerLength >= this.#centerDistance || !isBetter) {
        this.#updateCache(cache);
        return isSeparated ? SEPARATED : COLLIDING; // no new vertex, and neither bound decides: contact within rounding
      }
    }
    return UNDECIDED;
  }

  /** Binds the pair and sets up a segment within C. Returns false if C has no interior: two parallel flat shapes. */
  #start(a: PlanarShape, T_b_a: PlanarTransform, b: PlanarShape, minDistance: number): boolean {
    const difference = this.#difference;
    difference.vertexA = 0;
    difference.vertexB = 0;
    difference.bindCentered(a, T_b_a, b);
    const { betweenCentersX: dx, betweenCentersY: dy } = difference;
    this.#centerDistance = Math.sqrt(dx * dx + dy * dy);
    this.#ux = this.#centerDistance > 0 ? dx / this.#centerDistance : 1;
    this.#uy = this.#centerDistance > 0 ? dy / this.#centerDistance : 0;
    const innerRadius = a.innerRadius + b.innerRadius + minDistance;
    const rounding = difference.ownRounding;
    this.#rounding = rounding;
    this.#segment.ray[0] = this.#ux;
    this.#segment.ray[1] = this.#uy;
    this.#segment.radius = innerRadius;
    if (innerRadius > rounding) this.#segment.reset();
    else if (coreDepth(this.#normal, difference, a, T_b_a, b) > rounding) this.#startFromSupports();
    else return false;
    this.#segment.measure();
    this.#innerLength = this.#segment.length;
    this.#outerLength = Number.POSITIVE_INFINITY;
    return true;
  }

  /** Starts with the support points on either side of the ray: crossed segments have no inner disc. */
  #startFromSupports(): void {
    const difference = this.#difference;
    for (const side of BOTH_SIDES) {
      difference.direction[0] = -side * this.#uy;
      difference.direction[1] = side * this.#ux;
      difference.support();
      const { candidate } = this.#segment;
      candidate[0] = difference.wx;
      candidate[1] = difference.wy;
      candidate[2] = 0;
      candidate[3] = 0;
      this.#segment.setEnd(side > 0, difference.vertexA, difference.vertexB);
    }
  }

  /** Warm start at the current poses: the cached vertices are points of C, the cached direction bounds C. */
  #warmStart(a: PlanarShape, b: PlanarShape, cache: PlanarCache): void {
    if (!cache.isValidFor(a, b)) return;
    const { axis, vertices } = cache;
    const difference = this.#difference;
    for (let i = 0; i < 4; i += 2) {
      difference.setVertices(vertices[i], vertices[i + 1]);
      this.#addToSegment(axis, vertices[i], vertices[i + 1], 0);
    }
    difference.vertexA = vertices[0];
    difference.vertexB = vertices[1];
    difference.direction.set(axis);
    this.#evaluateSupport(0);
  }

  /**
   * Whether the bounds agree to the gap and are on one side of contact: the status must not depend on the start, so
   * bounds that straddle contact are improved to rounding.
   */
  #areBoundsClose(): boolean {
    const isOpen = this.#innerLength < this.#centerDistance && this.#outerLength >= this.#centerDistance;
    return !isOpen && this.#outerLength - this.#innerLength <= this.#relativeGap * this.#outerLength;
  }

  /** Evaluates the support along the normal of the segment; returns false if no vertex is beyond it (bounds agree). */
  #improve(): boolean {
    const { left, right } = this.#segment;
    const ex = left[0] - right[0];
    const ey = left[1] - right[1];
    const length = Math.sqrt(ex * ex + ey * ey);
    const { direction } = this.#difference;
    direction[0] = ey / length;
    direction[1] = -ex / length;
    return this.#evaluateSupport(1);
  }

  /**
   * Evaluates the supporting line along the unit vector `direction` of the difference: the line is an outer bound of
   * the ray, its support point improves the inner one.
   * @param roundings multiple of the rounding error by which a point must be beyond the segment
   */
  #evaluateSupport(roundings: 0 | 1): boolean {
    const difference = this.#difference;
    const { direction } = difference;
    const nx = direction[0],
      ny = direction[1];
    const slope = nx * this.#ux + ny * this.#uy;
    if (!(slope > 0)) return false;
    difference.support();
    const outerLength = (nx * difference.wx + ny * difference.wy + this.#margin) / slope;
    if (outerLength < this.#outerLength) {
      this.#outerLength = outerLength;
      this.#normal[0] = nx;
      this.#normal[1] = ny;
    }
    return this.#addToSegment(direction, difference.vertexA, difference.vertexB, roundings);
  }

  /** Adds the last point of C, moved by the margins along the unit vector n, to the segment if it is beyond it. */
  #addToSegment(n: Vec2, vertexA: number, vertexB: number, roundings: 0 | 1): boolean {
    const segment = this.#segment;
    const { candidate } = segment;
    candidate[0] = this.#difference.wx + this.#margin * n[0];
    candidate[1] = this.#difference.wy + this.#margin * n[1];
    candidate[2] = n[0];
    candidate[3] = n[1];
    segment.minGain = roundings * this.#rounding;
    if (!segment.extend(vertexA, vertexB)) return false;
    segment.measure();
    this.#innerLength = Math.max(this.#innerLength, segment.length);
    return true;
  }

  #writeResult(out: Separation, a: PlanarShape, T_b_a: PlanarTransform, b: PlanarShape, isConverged: boolean): void {
    const { growth } = out;
    const one = this.#centerDistance / this.#outerLength;
    const other = this.#centerDistance / this.#innerLength;
    growth.lower = Math.min(one, other); // rounding may cross them
    growth.upper = Math.max(one, other);
    const tolerance = this.#rounding / this.#innerLength;
    if (growth.lower > 1 + tolerance) out.status = 'separated';
    else if (growth.upper <= 1 - tolerance) out.status = 'colliding';
    else if (isConverged) out.status = 'touching';
    out.normal[0] = this.#normal[0];
    out.normal[1] = this.#normal[1];
    out.hasNormal = true;
    this.#setWitnesses(out, a, T_b_a, b);
  }

  /** Computes the contact points where the ray leaves the segment; if the shapes overlap, at their common scale. */
  #setWitnesses(out: Separation, a: PlanarShape, T_b_a: PlanarTransform, b: PlanarShape): void {
    const { left, right, leftVertices, rightVertices } = this.#segment;
    this.#segment.measure();
    this.#share = this.#segment.share;
    const { witnessA, witnessB } = out;
    transformPlanarPoint(centerOfA, T_b_a, a.center);
    witnessA.fill(0);
    witnessB.fill(0);
    this.#addPoints(witnessA, witnessB, left, leftVertices, a, b);
    this.#share = 1 - this.#share;
    this.#addPoints(witnessA, witnessB, right, rightVertices, a, b);
    const scale = Math.min(1, out.growth.upper);
    for (let k = 0; k < 2; k++) {
      witnessA[k] = centerOfA[k] + scale * (witnessA[k] - centerOfA[k]);
      witnessB[k] = b.center[k] + scale * (witnessB[k] - b.center[k]);
    }
    out.hasWitnesses = true;
  }

  /** Weight of the end point that `addPoints` adds. */
  #share = 0;

  /**
   * Adds the weighted points of A and B of an end of the segment; without vertices, it is a point of the inner disc.
   */
  #addPoints(outA: Vec2, outB: Vec2, end: Float64Array, vertices: Int32Array, a: PlanarShape, b: PlanarShape): void {
    const radiusA = Math.max(0, a.innerRadius);
    const part = radiusA / (radiusA + Math.max(0, b.innerRadius));
    const share = this.#share;
    const i = vertices[0];
    const j = vertices[1];
    for (let k = 0; k < 2; k++) {
      const pointOfA = i < 0 ? centerOfA[k] + part * end[k] : this.#difference.vertexOfA(i, k) + a.margin * end[k + 2];
      const pointOfB =
        j < 0 ? b.center[k] - (1 - part) * end[k] : b.vertices[j + k] + b.middle[k] - b.margin * end[k + 2];
      outA[k] += share * pointOfA;
      outB[k] += share * pointOfB;
    }
  }

  #updateCache(cache: PlanarCache): void {
    const { leftVertices, rightVertices } = this.#segment;
    const first = leftVertices[0] < 0 ? rightVertices : leftVertices;
    const second = rightVertices[0] < 0 ? leftVertices : rightVertices;
    if (first[0] < 0) return; // no vertices: the inner disc decided
    cache.axis.set(this.#normal);
    cache.store(first[0], first[1], second[0], second[1]);
  }

  #writeFlat(out: Separation, a: PlanarShape, T_b_a: PlanarTransform, b: PlanarShape, cache: PlanarCache): void {
    this.#gjk.distance(out, a, T_b_a, b, 0, false, cache);
    out.hasNormal = false; // it would prove a distance instead of a growth distance
    if (this.#centerDistance === 0) out.growth.upper = 0;
    this.iterations += out.iterations;
  }
}

/** Scratch of leaf functions: growth center of A in the frame of B. */
const centerOfA: Vec2 = new Float64Array(2);

/** Writes the result for coinciding centers: the shapes touch at any scale down to 0. */
function writeCoincident(out: Separation, a: PlanarShape, T_b_a: PlanarTransform, b: PlanarShape): void {
  out.status = 'colliding';
  out.growth.upper = 0;
  transformPlanarPoint(out.witnessA, T_b_a, a.center);
  out.witnessB.set(b.center);
  out.hasWitnesses = true;
}
