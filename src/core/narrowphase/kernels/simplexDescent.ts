import { create, type Vec3 } from '../../math/vec3.ts';
import { supportInPlace } from '../../shapes/polytope.ts';
import type { StoppingCriterion } from '../gjk/iteration.ts';
import { NewtonDirection } from '../gjk/newtonDirection.generated.ts';
import type { Simplex } from '../gjk/simplex.ts';
import { iterationLimit, roundoff } from '../iterationLimits.ts';
import type { MinkowskiDifference } from '../minkowskiDifference.generated.ts';
import { hasSupportCurvature } from '../supportCurvature.ts';
import { add, areEqual, combined, cross, dot, load, neg, over, rotated, scaled, store, sub, vec } from './notation.ts';

/** Smallest norm of the nearest point, relative to rounding: next to contact the signs of volumes need more care. */
const CONTACT = 64;
/** Largest difference of the bounds, relative to rounding, at which a known support point ends the iteration. */
const KNOWN = 16;
/** Smallest ratio of the squared (doubled) area of a triangle to the product of two squared edges that is used. */
const FLAT = 1e-24;
/** The same ratio, below which the weights of a triangle are computed in two passes. */
const SLIVER = 1e-4;
/** A step of Newton's method is successful if it shrinks the difference of the bounds to at most this fraction. */
const SUFFICIENT_DECREASE = 0.3;
/** Limit of iterations of GJK after which Newton's method is tried again. */
const MAX_PAUSE = 8;

/** Results of `descend`. */
export const CONVERGED = 0;
export const ENCLOSED = 1;
export const FAILED = 2;
export type Descent = typeof CONVERGED | typeof ENCLOSED | typeof FAILED;

/** Nearest features besides edges 1 to 3 of the newest vertex and its faces opposite to vertex 1 to 3. */
const NONE = -1;
const NEWEST = 0;
const FACE = 3;

/**
 * The iteration of Gilbert, Johnson and Keerthi [GilbertJohnsonKeerthi88] in vector notation: the fast part of the
 * minimum distance of disjoint cores. For curved shapes the search directions are those of Newton's method, while that
 * is successful. The bounds hold for any directions.
 *
 *         x₁              x₁ x₂ x₃  vertices of the simplex, points of A ⊖ B
 *        ╱ ╲        ●     w         support point against v, the newest vertex
 *       ╱   w    origin   v         point of the simplex nearest to the origin: ‖v‖ is an upper bound
 *      x₂───x₃            n         search direction: n·w / ‖n‖ is a lower bound
 */
export class SimplexDescent {
  /** Output, as of `MinNormIteration`. */
  lower = 0;
  upper = 0;
  iterations = 0;
  readonly normal: Vec3 = create();
  readonly nearest: Vec3 = create();
  readonly witnessA: Vec3 = create();
  /** Point of A of each vertex, by slot. */
  private readonly points = new Float64Array(12);
  private readonly newton = new NewtonDirection();

  /**
   * Searches from the direction `first`. CONVERGED: a plane proves the lower bound, which is positive; the bounds
   * agree, or rounding prevents it, or the lower bound is sufficient. ENCLOSED: the origin seems to be in a
   * tetrahedron, which is written to `simplex`. FAILED: signs are within rounding.
   */
  descend(difference: MinkowskiDifference, first: Vec3, criterion: StoppingCriterion, simplex: Simplex): Descent {
    const { newton, points } = this;
    const { pointA, pointB } = newton;
    const { a, b, T_b_a: T, margins, extent } = difference;
    const { relativeGap, absoluteGap, sufficientLower } = criterion;
    const isCurved = hasSupportCurvature(a) || hasSupportCurvature(b);
    const floor = roundoff * extent;
    let { hintA, hintB } = difference;
    let n = load(first);
    let length = Math.sqrt(dot(n, n));
    let lower = Number.NEGATIVE_INFINITY;
    let upper = Number.POSITIVE_INFINITY;
    let best = vec(0, 0, 0);
    let bestLength = 1;
    // The simplex: its vertices, their offsets in `points`, the weights of the nearest point v, and ‖v‖².
    let count = 0;
    let x1 = vec(0, 0, 0);
    let x2 = vec(0, 0, 0);
    let x3 = vec(0, 0, 0);
    let slot1 = 0;
    let slot2 = 0;
    let slot3 = 0;
    let free = 0;
    let weight1 = 1;
    let weight2 = 0;
    let weight3 = 0;
    let v = vec(0, 0, 0);
    let squared = Number.POSITIVE_INFINITY;
    let result: Descent = FAILED;
    let iterations = 0;
    let isProposed = false;
    let gapOfBounds = Number.POSITIVE_INFINITY;
    let pause = 0;
    let nextPause = 1;
    const r0 = load(T, 0);
    const r1 = load(T, 4);
    const r2 = load(T, 8);
    const t = vec(T[3], T[7], T[11]);

    while (iterations < iterationLimit) {
      iterations++;
      // Support point along n, and the lower bound that its plane proves.
      store(pointA, 0, combined(n, r0, r1, r2));
      store(pointB, 0, neg(n));
      hintA = supportInPlace(pointA, a, hintA);
      hintB = supportInPlace(pointB, b, hintB);
      const s = load(pointA);
      const pA = add(rotated(r0, r1, r2, s), t);
      const w = sub(pA, load(pointB));
      const gap = -dot(n, w) / length;
      const isHigher = gap > lower;
      if (isHigher) {
        lower = gap;
        best = n;
        bestLength = length;
      }
      if (
        count > 0 &&
        (upper - lower <= Math.max(floor, absoluteGap, relativeGap * (upper - margins)) || lower >= sufficientLower)
      ) {
        result = lower > floor ? CONVERGED : FAILED;
        break;
      }

      // The point nearest to the origin on w, and on edges and faces at w.
      let nearest = NONE;
      let minSquared = squared;
      let c = w;
      let weightP = 0;
      let weightQ = 0;
      const isKnown =
        (count > 0 && areEqual(w, x1)) || (count > 1 && areEqual(w, x2)) || (count > 2 && areEqual(w, x3));
      if (!isKnown) {
        let edges = count === 1 ? 1 : 0; // bit i − 1: the edge to vertex i
        let faces = count === 2 ? 4 : 0; // bit i − 1: the face opposite to vertex i
        if (count === 0) {
          nearest = NEWEST;
          minSquared = dot(w, w);
        } else if (count === 3) {
          // Barycentric coordinates of the origin, times the volume: their signs select the faces beyond which it is.
          const f = sub(x1, w);
          const g = sub(x2, w);
          const h = sub(x3, w);
          const u = cross(g, h);
          const volume = dot(f, u);
          const sign = volume < 0 ? 1 : -1;
          const l1 = sign * dot(w, u);
          const l2 = sign * dot(w, cross(h, f));
          const l3 = sign * dot(w, cross(f, g));
          if (!(l1 > 0)) faces = 1;
          if (!(l2 > 0)) faces |= 2;
          if (!(l3 > 0)) faces |= 4;
          if (faces === 0) {
            if (!(lower <= floor)) break; // flat: a plane separates the cores
            store(points, free, pA);
            const { w: vertices, a: pointsOfA } = simplex;
            simplex.clear();
            simplex.slack = difference.rounding;
            simplex.count = 4;
            store(vertices, 0, x1);
            store(vertices, 3, x2);
            store(vertices, 6, x3);
            store(vertices, 9, w);
            for (let k = 0; k < 3; k++) {
              pointsOfA[k] = points[slot1 + k];
              pointsOfA[k + 3] = points[slot2 + k];
              pointsOfA[k + 6] = points[slot3 + k];
              pointsOfA[k + 9] = points[free + k];
            }
            result = ENCLOSED;
            break;
          }
        }
        // Faces: weights p and q of the two older vertices, in two passes for slivers.
        for (let i = 1; i <= 3; i++) {
          if ((faces & (1 << (i - 1))) === 0) continue;
          const f = sub(i === 1 ? x2 : x1, w);
          const g = sub(i === 3 ? x2 : x3, w);
          const m = cross(f, g);
          const mm = dot(m, m);
          const edgeP = i === 1 ? 2 : 1;
          const edgeQ = i === 3 ? 2 : 4;
          const product = dot(f, f) * dot(g, g);
          if (!(mm > FLAT * product)) {
            edges |= edgeP | edgeQ;
            continue;
          }
          let p = 0;
          let q = 0;
          let x = w;
          for (let pass = mm > SLIVER * product ? 1 : 0; pass < 2; pass++) {
            const height = dot(m, x) / mm;
            const o = sub(scaled(height, m), x);
            const dp = dot(m, cross(o, g)) / mm;
            const dq = dot(m, cross(f, o)) / mm;
            p += dp;
            q += dq;
            x = add(x, add(scaled(dp, f), scaled(dq, g)));
          }
          if (p > 0 && q > 0) {
            const xx = dot(x, x);
            if (!(p + q < 1) || !(xx < minSquared)) continue;
            nearest = FACE + i;
            minSquared = xx;
            weightP = p;
            weightQ = q;
            c = x;
          } else {
            if (!(p > 0)) edges |= edgeQ;
            if (!(q > 0)) edges |= edgeP;
          }
        }
        // Edges, and w itself.
        for (let i = 1; edges !== 0; i++, edges >>= 1) {
          if ((edges & 1) === 0) continue;
          const e = sub(i === 1 ? x1 : i === 2 ? x2 : x3, w);
          const along = -dot(w, e);
          const ee = dot(e, e);
          if (!(along < ee)) continue;
          const part = along > 0 ? along / ee : 0;
          const x = add(w, scaled(part, e));
          const xx = dot(x, x);
          if (!(xx < minSquared)) continue;
          nearest = along > 0 ? i : NEWEST;
          minSquared = xx;
          weightP = part;
          c = x;
        }
      }

      // The simplex of the nearest feature, with w as its last vertex, and the upper bound.
      if (nearest !== NONE) {
        store(points, free, pA);
        if (nearest === FACE + 1 || nearest === 2) {
          x1 = x2;
          slot1 = slot2;
        } else if (nearest === 3) {
          x1 = x3;
          slot1 = slot3;
        }
        if (nearest === NEWEST) {
          count = 1;
          x1 = w;
          slot1 = free;
          weight1 = 1;
        } else if (nearest <= FACE) {
          count = 2;
          x2 = w;
          slot2 = free;
          weight1 = weightP;
          weight2 = 1 - weightP;
        } else {
          count = 3;
          if (nearest !== FACE + 3) {
            x2 = x3;
            slot2 = slot3;
          }
          x3 = w;
          slot3 = free;
          weight1 = weightP;
          weight2 = weightQ;
          weight3 = 1 - weightP - weightQ;
        }
        const used = (1 << slot1) | (count > 1 ? 1 << slot2 : 0) | (count > 2 ? 1 << slot3 : 0);
        free = (used & 1) === 0 ? 0 : (used & 8) === 0 ? 3 : (used & 64) === 0 ? 6 : 9;
        v = c;
        squared = minSquared;
        upper = Math.sqrt(squared);
        if (!(upper > CONTACT * floor)) break;
        if (
          lower > floor &&
          (upper - lower <= Math.max(floor, absoluteGap, relativeGap * (upper - margins)) || lower >= sufficientLower)
        ) {
          result = CONVERGED;
          break;
        }
      } else if (!isProposed) {
        if (isKnown && lower > floor && upper - lower <= KNOWN * floor) result = CONVERGED; // to rounding
        break;
      }

      // The next direction by Newton's method; after a failure that pauses, for longer with each failure.
      if (isCurved) {
        const nextGap = upper - Math.max(0, lower);
        if (!isProposed) pause = pause > 0 ? pause - 1 : 0;
        else if (nextGap <= SUFFICIENT_DECREASE * gapOfBounds) nextPause = 1;
        else {
          pause = nextPause;
          nextPause = Math.min(2 * nextPause, MAX_PAUSE);
        }
        gapOfBounds = nextGap;
        isProposed = pause === 0 && isHigher && lower > 0;
        if (isProposed) {
          const { n: next, w: support, vertices } = newton;
          store(next, 0, over(n, length));
          store(support, 0, w);
          store(vertices, 0, x1);
          store(vertices, 3, x2);
          store(vertices, 6, x3);
          newton.step(a, T, b, count);
          n = load(next);
          length = 1;
          continue;
        }
      }
      // Against v; if an edge is longer than v, which has lost digits then, orthogonal to the edge or the face.
      n = neg(v);
      length = upper;
      if (count === 1) continue;
      let e = sub(x2, x1);
      let ee = dot(e, e);
      if (count === 3) {
        const f = sub(x3, x1);
        const g = sub(x3, x2);
        const m = cross(e, f);
        const mm = dot(m, m);
        const ff = dot(f, f);
        const gg = dot(g, g);
        if (mm > squared * Math.max(ee, ff, gg)) {
          const sign = dot(m, n) < 0 ? -1 : 1;
          n = scaled(sign, m);
          length = Math.sqrt(mm);
          continue;
        }
        if (ff > ee && ff > gg) {
          e = f;
          ee = ff;
        } else if (gg > ee) {
          e = g;
          ee = gg;
        }
      }
      if (!(ee > squared)) continue;
      for (let pass = 0; pass < 2; pass++) {
        const along = dot(n, e) / ee;
        n = sub(n, scaled(along, e));
      }
      length = Math.sqrt(dot(n, n));
      if (!(length > 0)) break;
    }

    const { normal, nearest, witnessA } = this;
    this.lower = lower;
    this.upper = upper;
    this.iterations = iterations;
    difference.hintA = hintA;
    difference.hintB = hintB;
    store(normal, 0, over(best, bestLength));
    store(nearest, 0, v);
    for (let k = 0; k < 3; k++) {
      let sum = weight1 * points[slot1 + k];
      if (count > 1) sum += weight2 * points[slot2 + k];
      if (count > 2) sum += weight3 * points[slot3 + k];
      witnessA[k] = sum;
    }
    return result;
  }
}
