import type { PlanarTransform, Vec2 } from '../../math/planar.ts';
import type { PlanarShape } from '../../shapes/planar/planarShape.ts';
import { clearOutcome } from '../outcome.ts';
import { COLLIDING, SEPARATED, type Separation, UNDECIDED, type Verdict } from '../solver.ts';
import { coreDepth } from './depth2d.ts';
import { MinkowskiDifference } from './minkowskiDifference2d.ts';
import type { PlanarCache, PlanarChecker } from './planarSolver.ts';
import {
  balance,
  type FoundCorner,
  PlanarSimplex,
  s2dOrdered,
  subdistance,
  type TriangleRoutine,
} from './subdistance.ts';

/** Iterations after which the answer is `undecided`. Each one finds a new corner nearer to the origin: none is known to need twenty. */
const MAX_ITERATIONS = 500;

const defaults = {
  /** Relative gap between the bounds of the distance at which `distance` may stop. */
  relativeGap: 1.5e-8,
  /** Subdistance of triangles: `s2dOrdered` (four cases) or `s2d` (seven). */
  triangle: s2dOrdered as TriangleRoutine,
};

/**
 * Barycode GJK in the plane [Zhang20]: the distance of two bodies is that of the origin from their Minkowski difference, which is
 * searched simplex by simplex. Works on the cores; margins are taken off at the end, which is exact.
 *
 * Level 1 of the paper is `check`, level 2 and 3 (witnesses, separating direction) are `distance`.
 */
export class Gjk2d implements PlanarChecker {
  iterations = 0;
  readonly #relativeGap: number;
  readonly #triangle: TriangleRoutine;
  readonly #difference = new MinkowskiDifference();
  readonly #simplex = new PlanarSimplex();
  /** Largest lower bound of the distance of the cores, and the direction from B to A that proves it. */
  #lower = 0;
  /** Lengths below this are rounding, for the pair at hand. */
  #rounding = 0;
  readonly #direction: Vec2 = new Float64Array(2);

  constructor(options: Partial<typeof defaults> = {}) {
    const { relativeGap, triangle } = { ...defaults, ...options };
    this.#relativeGap = relativeGap;
    this.#triangle = triangle;
  }

  /** Algorithm 6: leaves at the first line that parts the two, or the first triangle around the origin. */
  check(a: PlanarShape, T_b_a: PlanarTransform, b: PlanarShape, least: number, cache: PlanarCache): Verdict {
    const simplex = this.#simplex;
    const difference = this.#difference;
    const reach = a.margin + b.margin + least;
    this.#start(a, T_b_a, b, cache);
    const rounding = this.#rounding;
    for (let k = 1; k <= MAX_ITERATIONS; k++) {
      this.iterations++;
      const { distance, nx, ny } = simplex;
      if (simplex.count === 3 || distance <= reach + rounding) return this.#leave(COLLIDING, cache);
      difference.along[0] = -nx;
      difference.along[1] = -ny;
      difference.support();
      const height = nx * difference.wx + ny * difference.wy;
      this.#direction[0] = nx;
      this.#direction[1] = ny;
      // v · w > 0: the line through the origin square to v has all of A ⊖ B behind it (so far that margins do not reach across).
      if (height > reach) return this.#leave(SEPARATED, cache);
      if (height <= 0 && simplex.count === 2 && opensBehind(simplex, difference)) return this.#leave(COLLIDING, cache);
      // No corner is left, yet neither bound passes: contact within rounding.
      if (!this.#advance()) return this.#leave(distance - height <= rounding ? COLLIDING : UNDECIDED, cache);
    }
    return UNDECIDED;
  }

  /**
   * Algorithm 1, with bounds, witness points and normal. Stops early once the distance is known to be `stopAt` metres or more. With
   * `wantDepth` an overlap is measured, too; a contact within rounding always is, for its direction comes from there.
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
    clearOutcome(out);
    const simplex = this.#simplex;
    const margins = a.margin + b.margin;
    this.#start(a, T_b_a, b, cache);
    const rounding = this.#rounding;
    while (out.iterations < MAX_ITERATIONS && simplex.count < 3 && simplex.distance > rounding) {
      out.iterations++;
      const isHigher = this.#bound();
      const before = simplex.distance;
      const gap = before - this.#lower;
      if (gap <= rounding || gap <= this.#relativeGap * Math.abs(before - margins)) break;
      if (this.#lower - margins >= stopAt || !this.#advance()) break;
      // From a corner to an edge through it v may turn without getting shorter, but then the line through it gets better.
      if (!isHigher && !(simplex.distance < before)) break;
    }
    this.iterations += out.iterations;
    if (simplex.count < 3 && simplex.distance > rounding) this.#answerApart(out, a, b);
    else this.#answerOverlap(out, a, T_b_a, b, wantDepth);
    this.#leave(UNDECIDED, cache);
  }

  /** The first simplex: what the cache remembers, or the corner towards the origin from a point of A ⊖ B. */
  #start(a: PlanarShape, T_b_a: PlanarTransform, b: PlanarShape, cache: PlanarCache): void {
    const difference = this.#difference;
    const simplex = this.#simplex;
    difference.place(a, T_b_a, b);
    simplex.count = 0;
    this.#lower = Number.NEGATIVE_INFINITY;
    const { offsetX, offsetY } = difference;
    if (cache.fits(a, b)) {
      const { corners } = cache;
      difference.corner(corners[2], corners[3]);
      simplex.add(difference);
      difference.corner(corners[0], corners[1]);
      if (!simplex.holds(corners[0], corners[1])) simplex.add(difference);
    } else {
      difference.cornerA = 0;
      difference.cornerB = 0;
      const isCentred = offsetX === 0 && offsetY === 0;
      difference.along[0] = isCentred ? 1 : -offsetX;
      difference.along[1] = -offsetY;
      difference.support();
      simplex.add(difference);
    }
    subdistance(simplex, this.#triangle);
    this.#rounding = difference.rounding;
  }

  /** Support towards the origin: the line through it bounds the distance from below. Says whether that is the best bound so far. */
  #bound(): boolean {
    const { nx, ny } = this.#simplex;
    const difference = this.#difference;
    difference.along[0] = -nx;
    difference.along[1] = -ny;
    difference.support();
    const height = nx * difference.wx + ny * difference.wy;
    if (height <= this.#lower) return false;
    this.#lower = height;
    this.#direction[0] = nx;
    this.#direction[1] = ny;
    return true;
  }

  /** Takes the corner found last into the simplex and reduces it. False if it is there already. */
  #advance(): boolean {
    const simplex = this.#simplex;
    const difference = this.#difference;
    if (simplex.holds(difference.cornerA, difference.cornerB)) return false;
    simplex.add(difference);
    subdistance(simplex, this.#triangle);
    return true;
  }

  #leave(verdict: Verdict, cache: PlanarCache): Verdict {
    const { corners, count } = this.#simplex;
    const other = count > 1 ? 2 : 0;
    cache.axis[0] = -this.#direction[0];
    cache.axis[1] = -this.#direction[1];
    cache.remember(corners[0], corners[1], corners[other], corners[other + 1]);
    return verdict;
  }

  /** The cores are apart; whether the bodies are is for the margins to say. */
  #answerApart(out: Separation, a: PlanarShape, b: PlanarShape): void {
    const rounding = this.#rounding;
    const margins = a.margin + b.margin;
    const lower = Math.min(this.#lower, this.#simplex.distance) - margins;
    const upper = this.#simplex.distance - margins;
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

  #answerOverlap(out: Separation, a: PlanarShape, T_b_a: PlanarTransform, b: PlanarShape, wantDepth: boolean): void {
    const rounding = this.#rounding;
    out.status = 'colliding';
    out.distance.upper = 0;
    if (this.#simplex.count === 3) balance(this.#simplex);
    if (wantDepth || this.#simplex.count < 3) {
      const overlap = coreDepth(this.#direction, this.#difference, a, T_b_a, b) + a.margin + b.margin;
      if (overlap <= rounding) out.status = 'touching';
      out.depth.lower = Math.max(0, overlap);
      out.depth.upper = out.depth.lower;
      setNormal(out, this.#direction, 1);
    }
    this.#setWitnesses(out, a, b, false);
  }

  /** Level 3: λ of the corners of A and of B; margins carry both points along the line between them, to each other or past it. */
  #setWitnesses(out: Separation, a: PlanarShape, b: PlanarShape, apart: boolean): void {
    const { lambda, corners, count, distance, nx, ny } = this.#simplex;
    let ax = 0,
      ay = 0;
    let bx = 0,
      by = 0;
    for (let i = 0; i < count; i++) {
      ax += lambda[i] * this.#difference.cornerOfA(corners[2 * i], 0);
      ay += lambda[i] * this.#difference.cornerOfA(corners[2 * i], 1);
      bx += lambda[i] * (b.vertices[corners[2 * i + 1]] + b.middle[0]);
      by += lambda[i] * (b.vertices[corners[2 * i + 1] + 1] + b.middle[1]);
    }
    const margins = a.margin + b.margin;
    const span = count === 3 ? 0 : distance;
    const share = margins > 0 ? span / margins : 0;
    // A point of both, where they meet: so far along the line that each margin reaches it.
    const fromA = apart ? a.margin : share * a.margin;
    const fromB = apart ? b.margin : share * b.margin;
    out.witnessA[0] = ax - fromA * nx;
    out.witnessA[1] = ay - fromA * ny;
    out.witnessB[0] = bx + fromB * nx;
    out.witnessB[1] = by + fromB * ny;
    out.hasWitnesses = true;
  }
}

/** Level 1's second exit: w lies in the angle opposite to AOB, so the triangle A, B, w is around the origin. */
function opensBehind({ points }: PlanarSimplex, { wx, wy }: FoundCorner): boolean {
  return (points[0] * wy - points[1] * wx) * (points[2] * wy - points[3] * wx) <= 0;
}

function setNormal(out: Separation, d: Vec2, sign: 1 | -1): void {
  out.normal[0] = sign * d[0];
  out.normal[1] = sign * d[1];
  out.hasNormal = true;
}
