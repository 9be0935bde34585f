import { type PlanarTransform, transformPlanarPoint, type Vec2 } from '../../math/planar.ts';
import type { PlanarShape } from '../../shapes/planar/planarShape.ts';
import { clearOutcome } from '../outcome.ts';
import { COLLIDING, SEPARATED, type Separation, UNDECIDED, type Verdict } from '../solver.ts';
import { coreDepth } from './depth2d.ts';
import { Gjk2d } from './gjk2d.ts';
import { InnerSegment } from './innerSegment.ts';
import { MinkowskiDifference } from './minkowskiDifference2d.ts';
import type { PlanarCache, PlanarChecker } from './planarSolver.ts';

/** Iterations after which the answer is `undecided`. An arc is halved each time, so a gap of 1e-12 takes some twenty. */
const MAX_ITERATIONS = 500;

const BOTH_SIDES = [1, -1];

const defaults = {
  /** Relative gap between the bounds of the growth distance at which `growth` may stop. */
  relativeGap: 1.5e-8,
};

/**
 * Growth distance in the plane [Thirugnanam26]: the least scale σ at which A and B, scaled about their centres, meet. With
 * C = (A − cA) ⊖ (B − cB) and the centre difference d = cB − cA, the ray from the origin along d leaves C at d / σ.
 *
 * A segment of two points of C, one on each side of the ray, bounds that point from inside; the line that supports C along the
 * segment's normal bounds it from outside, and its corner makes a better segment.
 *
 *        L ●───____           n: normal of the segment
 *          │       ‾‾‾●  new corner, on the side of R: the next segment joins it to L
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
  /** Unit vector along the ray, in the frame of B, and the distance of the centres. */
  #ux = 0;
  #uy = 0;
  #apart = 0;
  /** Both margins with what was asked about them, and lengths below which all is rounding. */
  #margin = 0;
  #rounding = 0;
  /** Where the ray leaves the segment, and the best supporting line; the direction of the latter. */
  #inside = 0;
  #outside = 0;
  readonly #normal: Vec2 = new Float64Array(2);

  constructor(options: Partial<typeof defaults> = {}) {
    this.#relativeGap = options.relativeGap ?? defaults.relativeGap;
    this.#gjk = new Gjk2d({ relativeGap: this.#relativeGap });
  }

  /**
   * Bounds on the growth distance, with normal and the points of A and B that meet (where they overlap: a common point).
   * Two bodies that are flat the same way have none, unless their centres coincide: the answer then tells their status only.
   */
  growth(out: Separation, a: PlanarShape, T_b_a: PlanarTransform, b: PlanarShape, cache: PlanarCache): void {
    if (!this.#start(a, T_b_a, b, 0)) {
      this.#answerFlat(out, a, T_b_a, b, cache);
      return;
    }
    clearOutcome(out);
    if (this.#apart === 0) {
      answerCoincident(out, a, T_b_a, b);
      return;
    }
    this.#margin = a.margin + b.margin;
    this.#warmStart(a, b, cache);
    let isDone = false;
    while (out.iterations < MAX_ITERATIONS && !isDone) {
      out.iterations++;
      isDone = !this.#improve() || this.#outside - this.#inside <= this.#relativeGap * this.#outside;
    }
    this.iterations += out.iterations;
    this.#answer(out, a, T_b_a, b, isDone);
    this.#remember(cache);
  }

  /** Stops as soon as one bound passes 1. A margin of `least` about the two asks whether they come that near. */
  check(a: PlanarShape, T_b_a: PlanarTransform, b: PlanarShape, least: number, cache: PlanarCache): Verdict {
    if (!this.#start(a, T_b_a, b, least)) {
      const before = this.#gjk.iterations;
      const verdict = this.#gjk.check(a, T_b_a, b, least, cache);
      this.iterations += this.#gjk.iterations - before;
      return verdict;
    }
    if (this.#apart === 0) return COLLIDING;
    this.#margin = a.margin + b.margin + least;
    this.#warmStart(a, b, cache);
    for (let k = 1; k <= MAX_ITERATIONS; k++) {
      this.iterations++;
      const isBetter = this.#improve();
      const isSeparated = this.#outside < this.#apart;
      if (isSeparated || this.#inside >= this.#apart || !isBetter) {
        this.#remember(cache);
        return isSeparated ? SEPARATED : COLLIDING; // neither bound passes, no corner is left: contact within rounding
      }
    }
    return UNDECIDED;
  }

  /** Places the pair and a first segment within C. False where C has no interior: two bodies that are flat the same way. */
  #start(a: PlanarShape, T_b_a: PlanarTransform, b: PlanarShape, least: number): boolean {
    const difference = this.#difference;
    difference.cornerA = 0;
    difference.cornerB = 0;
    difference.placeCentered(a, T_b_a, b);
    const { betweenCentersX: dx, betweenCentersY: dy } = difference;
    this.#apart = Math.sqrt(dx * dx + dy * dy);
    this.#ux = this.#apart > 0 ? dx / this.#apart : 1;
    this.#uy = this.#apart > 0 ? dy / this.#apart : 0;
    const innerRadius = a.innerRadius + b.innerRadius + least;
    const rounding = difference.ownRounding;
    this.#rounding = rounding;
    this.#segment.ray[0] = this.#ux;
    this.#segment.ray[1] = this.#uy;
    this.#segment.radius = innerRadius;
    if (innerRadius > rounding) this.#segment.reset();
    else if (coreDepth(this.#normal, difference, a, T_b_a, b) > rounding) this.#startAcross();
    else return false;
    this.#segment.measure();
    this.#inside = this.#segment.length;
    this.#outside = Number.POSITIVE_INFINITY;
    return true;
  }

  /** Crossed segments span a parallelogram that neither knows an inner disc of: its outermost corners on either side of the ray. */
  #startAcross(): void {
    const difference = this.#difference;
    for (const side of BOTH_SIDES) {
      difference.along[0] = -side * this.#uy;
      difference.along[1] = side * this.#ux;
      difference.support();
      const { candidate } = this.#segment;
      candidate[0] = difference.wx;
      candidate[1] = difference.wy;
      candidate[2] = 0;
      candidate[3] = 0;
      this.#segment.place(side > 0, difference.cornerA, difference.cornerB);
    }
  }

  /** Primal: the corners kept are still points of C. Dual: the direction kept still bounds it. Both of the poses at hand. */
  #warmStart(a: PlanarShape, b: PlanarShape, cache: PlanarCache): void {
    if (!cache.fits(a, b)) return;
    const { axis, corners } = cache;
    const difference = this.#difference;
    for (let i = 0; i < 4; i += 2) {
      difference.corner(corners[i], corners[i + 1]);
      this.#take(axis, corners[i], corners[i + 1], 0);
    }
    difference.cornerA = corners[0];
    difference.cornerB = corners[1];
    difference.along.set(axis);
    this.#probe(0);
  }

  /** Supports C along the normal of the segment; false if no corner lies beyond it: both bounds are then one, but for rounding. */
  #improve(): boolean {
    const { left, right } = this.#segment;
    const ex = left[0] - right[0];
    const ey = left[1] - right[1];
    const length = Math.sqrt(ex * ex + ey * ey);
    const { along } = this.#difference;
    along[0] = ey / length;
    along[1] = -ex / length;
    return this.#probe(1);
  }

  /**
   * The supporting line along the difference's `along`, a unit vector, bounds the ray from outside, its corner from inside.
   * @param doubt how many roundings a corner must lie beyond the segment
   */
  #probe(doubt: 0 | 1): boolean {
    const difference = this.#difference;
    const { along } = difference;
    const nx = along[0],
      ny = along[1];
    const slope = nx * this.#ux + ny * this.#uy;
    if (!(slope > 0)) return false;
    difference.support();
    const outside = (nx * difference.wx + ny * difference.wy + this.#margin) / slope;
    if (outside < this.#outside) {
      this.#outside = outside;
      this.#normal[0] = nx;
      this.#normal[1] = ny;
    }
    return this.#take(along, difference.cornerA, difference.cornerB, doubt);
  }

  /** Joins the point of C found last, rounded along the unit vector n, to the segment if it lies beyond. */
  #take(n: Vec2, cornerA: number, cornerB: number, doubt: 0 | 1): boolean {
    const segment = this.#segment;
    const { candidate } = segment;
    candidate[0] = this.#difference.wx + this.#margin * n[0];
    candidate[1] = this.#difference.wy + this.#margin * n[1];
    candidate[2] = n[0];
    candidate[3] = n[1];
    segment.least = doubt * this.#rounding;
    if (!segment.extend(cornerA, cornerB)) return false;
    segment.measure();
    this.#inside = Math.max(this.#inside, segment.length);
    return true;
  }

  #answer(out: Separation, a: PlanarShape, T_b_a: PlanarTransform, b: PlanarShape, isDone: boolean): void {
    const { growth } = out;
    const one = this.#apart / this.#outside;
    const other = this.#apart / this.#inside;
    growth.lower = Math.min(one, other); // rounding may cross them
    growth.upper = Math.max(one, other);
    const blur = this.#rounding / this.#inside;
    if (growth.lower > 1 + blur) out.status = 'separated';
    else if (growth.upper <= 1 - blur) out.status = 'colliding';
    else if (isDone) out.status = 'touching';
    out.normal[0] = this.#normal[0];
    out.normal[1] = this.#normal[1];
    out.hasNormal = true;
    this.#setWitnesses(out, a, T_b_a, b);
  }

  /** Where the ray leaves the segment, traced back to the bodies; overlapping ones are met at their common scale, inside both. */
  #setWitnesses(out: Separation, a: PlanarShape, T_b_a: PlanarTransform, b: PlanarShape): void {
    const { left, right, leftCorners, rightCorners } = this.#segment;
    this.#segment.measure();
    this.#share = this.#segment.share;
    const { witnessA, witnessB } = out;
    transformPlanarPoint(centerOfA, T_b_a, a.center);
    witnessA.fill(0);
    witnessB.fill(0);
    this.#addPoints(witnessA, witnessB, left, leftCorners, a, b);
    this.#share = 1 - this.#share;
    this.#addPoints(witnessA, witnessB, right, rightCorners, a, b);
    const scale = Math.min(1, out.growth.upper);
    for (let k = 0; k < 2; k++) {
      witnessA[k] = centerOfA[k] + scale * (witnessA[k] - centerOfA[k]);
      witnessB[k] = b.center[k] + scale * (witnessB[k] - b.center[k]);
    }
    out.hasWitnesses = true;
  }

  /** Of the end that `addPoints` adds. */
  #share = 0;

  /** Adds that share of the points of A and B behind one end of the segment. An end without corners is a point of the inner disc. */
  #addPoints(outA: Vec2, outB: Vec2, end: Float64Array, corners: Int32Array, a: PlanarShape, b: PlanarShape): void {
    const radiusA = Math.max(0, a.innerRadius);
    const part = radiusA / (radiusA + Math.max(0, b.innerRadius));
    const share = this.#share;
    const i = corners[0];
    const j = corners[1];
    for (let k = 0; k < 2; k++) {
      const ofA = i < 0 ? centerOfA[k] + part * end[k] : this.#difference.cornerOfA(i, k) + a.margin * end[k + 2];
      const ofB = j < 0 ? b.center[k] - (1 - part) * end[k] : b.vertices[j + k] + b.middle[k] - b.margin * end[k + 2];
      outA[k] += share * ofA;
      outB[k] += share * ofB;
    }
  }

  #remember(cache: PlanarCache): void {
    const { leftCorners, rightCorners } = this.#segment;
    const first = leftCorners[0] < 0 ? rightCorners : leftCorners;
    const second = rightCorners[0] < 0 ? leftCorners : rightCorners;
    if (first[0] < 0) return; // the inner disc was enough
    cache.axis.set(this.#normal);
    cache.remember(first[0], first[1], second[0], second[1]);
  }

  #answerFlat(out: Separation, a: PlanarShape, T_b_a: PlanarTransform, b: PlanarShape, cache: PlanarCache): void {
    this.#gjk.distance(out, a, T_b_a, b, 0, false, cache);
    out.hasNormal = false; // it would prove a distance, which was not asked for
    if (this.#apart === 0) out.growth.upper = 0;
    this.iterations += out.iterations;
  }
}

/** Leaf scratch: the growth centre of A in the frame of B. */
const centerOfA: Vec2 = new Float64Array(2);

/** One point is the centre of both: they meet at any scale, down to 0. */
function answerCoincident(out: Separation, a: PlanarShape, T_b_a: PlanarTransform, b: PlanarShape): void {
  out.status = 'colliding';
  out.growth.upper = 0;
  transformPlanarPoint(out.witnessA, T_b_a, a.center);
  out.witnessB.set(b.center);
  out.hasWitnesses = true;
}
