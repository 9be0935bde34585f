import type { PlanarTransform, Vec2 } from '../../math/planar.ts';
import type { PlanarShape } from '../../shapes/planar/planarShape.ts';
import { clearSeparation } from '../outcome.ts';
import { COLLIDING, SEPARATED, type Separation, UNDECIDED, type Verdict } from '../solver.ts';
import { CoreDepth } from './depth2d.ts';
import { MinkowskiDifference } from './minkowskiDifference2d.ts';
import type { PlanarCache, PlanarChecker } from './planarSolver.ts';
import {
  PlanarSimplex,
  recomputeBarycentric,
  type SupportPoint,
  s2dOrdered,
  subdistance,
  type TriangleRoutine,
} from './subdistance.ts';

/**
 * Iterations after which the status is `undecided`. Each iteration finds a new vertex nearer to the origin: no known
 * pair requires twenty.
 */
const MAX_ITERATIONS = 500;

const defaults = {
  /** Relative gap of the distance bounds at which `distance` may stop. */
  relativeGap: 1.5e-8,
  /** Subdistance of triangles: `s2dOrdered` (four cases) or `s2d` (seven). */
  triangle: s2dOrdered as TriangleRoutine,
};

/**
 * Planar GJK with barycodes [Zhang20]: the distance of two shapes is the distance of the origin from their Minkowski
 * difference, which is searched with simplices. Operates on the cores; margins are subtracted at the end, which is
 * exact.
 *
 * Level 1 of the paper is `check`, levels 2 and 3 (witness points, separating direction) are `distance`.
 */
export class Gjk2d implements PlanarChecker {
  iterations = 0;
  readonly #relativeGap: number;
  readonly #triangle: TriangleRoutine;
  /** Minkowski difference and simplex of the current query. */
  readonly difference = new MinkowskiDifference();
  readonly simplex = new PlanarSimplex();
  readonly #depth = new CoreDepth();
  /** Largest lower bound of the core distance, and the direction from B to A that proves it. */
  #lower = 0;
  /** Rounding error of lengths of the current pair. */
  #rounding = 0;
  readonly #direction: Vec2 = new Float64Array(2);

  constructor(options: Partial<typeof defaults> = {}) {
    const { relativeGap, triangle } = { ...defaults, ...options };
    this.#relativeGap = relativeGap;
    this.#triangle = triangle;
  }

  /** Algorithm 6: returns at the first separating line or the first triangle that contains the origin. */
  check(a: PlanarShape, T_b_a: PlanarTransform, b: PlanarShape, minDistance: number, cache: PlanarCache): Verdict {
    const simplex = this.simplex;
    const difference = this.difference;
    const threshold = a.margin + b.margin + minDistance;
    this.#start(a, T_b_a, b, cache);
    const rounding = this.#rounding;
    const isRound = a.round !== undefined || b.round !== undefined;
    for (let k = 1; k <= MAX_ITERATIONS; k++) {
      this.iterations++;
      const { distance, nx, ny } = simplex;
      if (simplex.count === 3 || distance <= threshold + rounding) return this.#updateCache(COLLIDING, cache);
      difference.direction[0] = -nx;
      difference.direction[1] = -ny;
      difference.support();
      const height = nx * difference.wx + ny * difference.wy;
      this.#direction[0] = nx;
      this.#direction[1] = ny;
      // v · w > 0: all of A ⊖ B is beyond the line through the origin perpendicular to v, by more than the margins.
      if (height > threshold) return this.#updateCache(SEPARATED, cache);
      if (height <= 0 && simplex.count === 2 && closesTriangle(simplex, difference))
        return this.#updateCache(COLLIDING, cache);
      // No new vertex, or for round cores no progress, and neither bound decides: contact within rounding.
      const isHigher = height > this.#lower;
      if (isHigher) this.#lower = height;
      if (!this.#advance() || (isRound && !isHigher && !(simplex.distance < distance)))
        return this.#updateCache(distance - this.#lower <= rounding ? COLLIDING : UNDECIDED, cache);
    }
    return UNDECIDED;
  }

  /**
   * Algorithm 1: computes the distance with bounds, witness points and normal. Stops early when the distance is proved
   * to be at least `stopAt` metres. With `wantDepth`, computes the penetration depth too; for a contact within rounding
   * it is always computed, because it yields the normal.
   */
  distance(
    out: Separation,
    a: PlanarShape,
    T_b_a: PlanarTransform,
    b: PlanarShape,
    stopAt: number,
    wantDepth: boolean,
    cache: PlanarCache,
  ): void {
    clearSeparation(out);
    const simplex = this.simplex;
    const margins = a.margin + b.margin;
    this.#start(a, T_b_a, b, cache);
    const rounding = this.#rounding;
    while (out.iterations < MAX_ITERATIONS && simplex.count < 3 && simplex.distance > rounding) {
      out.iterations++;
      const isHigher = this.#updateLowerBound();
      const before = simplex.distance;
      const gap = before - this.#lower;
      if (gap <= rounding || gap <= this.#relativeGap * Math.abs(before - margins)) break;
      if (this.#lower - margins >= stopAt || !this.#advance()) break;
      // From a vertex to an incident edge v may rotate without getting shorter, but then its lower bound improves.
      if (!isHigher && !(simplex.distance < before)) break;
    }
    this.iterations += out.iterations;
    if (simplex.count < 3 && simplex.distance > rounding) this.#writeSeparated(out, a, b);
    else this.#writeOverlap(out, a, T_b_a, b, wantDepth);
    this.#updateCache(UNDECIDED, cache);
  }

  /** Sets up the first simplex: the cached one, or the support point towards the origin from a point of A ⊖ B. */
  #start(a: PlanarShape, T_b_a: PlanarTransform, b: PlanarShape, cache: PlanarCache): void {
    const difference = this.difference;
    const simplex = this.simplex;
    difference.bind(a, T_b_a, b);
    simplex.count = 0;
    this.#lower = Number.NEGATIVE_INFINITY;
    const { offsetX, offsetY } = difference;
    if (cache.isValidFor(a, b)) {
      const { vertices } = cache;
      difference.setVertices(vertices[2], vertices[3]);
      simplex.add(difference);
      difference.setVertices(vertices[0], vertices[1]);
      if (!simplex.contains(vertices[0], vertices[1])) simplex.add(difference);
    } else {
      difference.vertexA = 0;
      difference.vertexB = 0;
      const isCentred = offsetX === 0 && offsetY === 0;
      difference.direction[0] = isCentred ? 1 : -offsetX;
      difference.direction[1] = -offsetY;
      difference.support();
      simplex.add(difference);
    }
    subdistance(simplex, this.#triangle);
    this.#rounding = difference.rounding;
  }

  /**
   * Evaluates the support towards the origin, which bounds the distance from below. Returns true if this is the best
   * bound so far.
   */
  #updateLowerBound(): boolean {
    const { nx, ny } = this.simplex;
    const difference = this.difference;
    difference.direction[0] = -nx;
    difference.direction[1] = -ny;
    difference.support();
    const height = nx * difference.wx + ny * difference.wy;
    if (height <= this.#lower) return false;
    this.#lower = height;
    this.#direction[0] = nx;
    this.#direction[1] = ny;
    return true;
  }

  /** Adds the last support point to the simplex and reduces it. Returns false if the simplex contains it already. */
  #advance(): boolean {
    const simplex = this.simplex;
    const difference = this.difference;
    if (simplex.contains(difference.vertexA, difference.vertexB)) return false;
    simplex.add(difference);
    subdistance(simplex, this.#triangle);
    return true;
  }

  #updateCache(verdict: Verdict, cache: PlanarCache): Verdict {
    const { vertices, count } = this.simplex;
    const other = count > 1 ? 2 : 0;
    cache.axis[0] = -this.#direction[0];
    cache.axis[1] = -this.#direction[1];
    cache.store(vertices[0], vertices[1], vertices[other], vertices[other + 1]);
    return verdict;
  }

  /** Writes the result for separated cores; the margins decide about the shapes. */
  #writeSeparated(out: Separation, a: PlanarShape, b: PlanarShape): void {
    const rounding = this.#rounding;
    const margins = a.margin + b.margin;
    const lower = Math.min(this.#lower, this.simplex.distance) - margins;
    const upper = this.simplex.distance - margins;
    if (lower > rounding) out.status = 'separated';
    else if (upper < -rounding) out.status = 'colliding';
    else if (upper - lower <= 2 * rounding) out.status = 'touching';
    out.distance.lower = Math.max(0, lower);
    out.distance.upper = Math.max(0, upper);
    out.depth.lower = Math.max(0, -upper);
    out.depth.upper = Math.max(0, -lower);
    setNormal(out, this.#direction, -1);
    this.#setWitnesses(out, a, b, lower > 0);
  }

  #writeOverlap(out: Separation, a: PlanarShape, T_b_a: PlanarTransform, b: PlanarShape, wantDepth: boolean): void {
    const rounding = this.#rounding;
    out.status = 'colliding';
    out.distance.upper = 0;
    if (this.simplex.count === 3) recomputeBarycentric(this.simplex);
    if (wantDepth || this.simplex.count < 3) {
      const depth = this.#depth;
      const margins = a.margin + b.margin;
      depth.compute(this.difference, a, T_b_a, b, rounding, this.#relativeGap);
      if (depth.upper + margins <= rounding) out.status = 'touching';
      out.depth.lower = Math.max(0, depth.lower + margins);
      out.depth.upper = Math.max(0, depth.upper + margins);
      setNormal(out, depth.normal, 1);
    }
    this.#setWitnesses(out, a, b, false);
  }

  /**
   * Level 3: computes the witness points from λ and the vertices of A and B; margins move both points along the line
   * between them, towards or past each other.
   */
  #setWitnesses(out: Separation, a: PlanarShape, b: PlanarShape, isSeparated: boolean): void {
    const { lambda, vertices, count, distance, nx, ny } = this.simplex;
    let ax = 0,
      ay = 0;
    let bx = 0,
      by = 0;
    for (let i = 0; i < count; i++) {
      ax += lambda[i] * this.difference.vertexOfA(vertices[2 * i], 0);
      ay += lambda[i] * this.difference.vertexOfA(vertices[2 * i], 1);
      bx += lambda[i] * this.difference.vertexOfB(vertices[2 * i + 1], 0);
      by += lambda[i] * this.difference.vertexOfB(vertices[2 * i + 1], 1);
    }
    const margins = a.margin + b.margin;
    const span = count === 3 ? 0 : distance;
    const share = margins > 0 ? span / margins : 0;
    // A common point if the margins overlap: at the fraction of the line at which each margin reaches it.
    const fromA = isSeparated ? a.margin : share * a.margin;
    const fromB = isSeparated ? b.margin : share * b.margin;
    out.witnessA[0] = ax - fromA * nx;
    out.witnessA[1] = ay - fromA * ny;
    out.witnessB[0] = bx + fromB * nx;
    out.witnessB[1] = by + fromB * ny;
    out.hasWitnesses = true;
  }
}

/**
 * Second exit of level 1: returns true if w is in the angle opposite to AOB, so that the triangle A, B, w contains the
 * origin.
 */
function closesTriangle({ points }: PlanarSimplex, { wx, wy }: SupportPoint): boolean {
  return (points[0] * wy - points[1] * wx) * (points[2] * wy - points[3] * wx) <= 0;
}

function setNormal(out: Separation, d: Vec2, sign: 1 | -1): void {
  out.normal[0] = sign * d[0];
  out.normal[1] = sign * d[1];
  out.hasNormal = true;
}
