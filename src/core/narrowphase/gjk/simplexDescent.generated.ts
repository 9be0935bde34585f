// Expanded from ../kernels/simplexDescent.ts by `node scripts/kernels.mjs`: edit it there.
import { create, type Vec3 } from '../../math/vec3.ts';
import { supportInPlace } from '../../shapes/polytope.ts';
import { iterationLimit, roundoff } from '../iterationLimits.ts';
import type { MinkowskiDifference } from '../minkowskiDifference.generated.ts';
import { hasSupportCurvature } from '../supportCurvature.ts';
import type { StoppingCriterion } from './iteration.ts';
import { NewtonDirection } from './newtonDirection.generated.ts';
import type { Simplex } from './simplex.ts';

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
    let nX = first[0],
      nY = first[1],
      nZ = first[2];
    let length = Math.sqrt(nX * nX + nY * nY + nZ * nZ);
    let lower = Number.NEGATIVE_INFINITY;
    let upper = Number.POSITIVE_INFINITY;
    let bestX = 0,
      bestY = 0,
      bestZ = 0;
    let bestLength = 1;
    // The simplex: its vertices, their offsets in `points`, the weights of the nearest point v, and ‖v‖².
    let count = 0;
    let x1X = 0,
      x1Y = 0,
      x1Z = 0;
    let x2X = 0,
      x2Y = 0,
      x2Z = 0;
    let x3X = 0,
      x3Y = 0,
      x3Z = 0;
    let slot1 = 0;
    let slot2 = 0;
    let slot3 = 0;
    let free = 0;
    let weight1 = 1;
    let weight2 = 0;
    let weight3 = 0;
    let vX = 0,
      vY = 0,
      vZ = 0;
    let squared = Number.POSITIVE_INFINITY;
    let result: Descent = FAILED;
    let iterations = 0;
    let isProposed = false;
    let gapOfBounds = Number.POSITIVE_INFINITY;
    let pause = 0;
    let nextPause = 1;
    const r0X = T[0],
      r0Y = T[1],
      r0Z = T[2];
    const r1X = T[4],
      r1Y = T[5],
      r1Z = T[6];
    const r2X = T[8],
      r2Y = T[9],
      r2Z = T[10];
    const tX = T[3],
      tY = T[7],
      tZ = T[11];

    while (iterations < iterationLimit) {
      iterations++;
      // Support point along n, and the lower bound that its plane proves.
      pointA[0] = nX * r0X + nY * r1X + nZ * r2X;
      pointA[1] = nX * r0Y + nY * r1Y + nZ * r2Y;
      pointA[2] = nX * r0Z + nY * r1Z + nZ * r2Z;
      pointB[0] = -nX;
      pointB[1] = -nY;
      pointB[2] = -nZ;
      hintA = supportInPlace(pointA, a, hintA);
      hintB = supportInPlace(pointB, b, hintB);
      const sX = pointA[0],
        sY = pointA[1],
        sZ = pointA[2];
      const pAX = r0X * sX + r0Y * sY + r0Z * sZ + tX,
        pAY = r1X * sX + r1Y * sY + r1Z * sZ + tY,
        pAZ = r2X * sX + r2Y * sY + r2Z * sZ + tZ;
      const wX = pAX - pointB[0],
        wY = pAY - pointB[1],
        wZ = pAZ - pointB[2];
      const gap = -(nX * wX + nY * wY + nZ * wZ) / length;
      const isHigher = gap > lower;
      if (isHigher) {
        lower = gap;
        bestX = nX;
        bestY = nY;
        bestZ = nZ;
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
      let cX = wX,
        cY = wY,
        cZ = wZ;
      let weightP = 0;
      let weightQ = 0;
      const isKnown =
        (count > 0 && wX === x1X && wY === x1Y && wZ === x1Z) ||
        (count > 1 && wX === x2X && wY === x2Y && wZ === x2Z) ||
        (count > 2 && wX === x3X && wY === x3Y && wZ === x3Z);
      if (!isKnown) {
        let edges = count === 1 ? 1 : 0; // bit i − 1: the edge to vertex i
        let faces = count === 2 ? 4 : 0; // bit i − 1: the face opposite to vertex i
        if (count === 0) {
          nearest = NEWEST;
          minSquared = wX * wX + wY * wY + wZ * wZ;
        } else if (count === 3) {
          // Barycentric coordinates of the origin, times the volume: their signs select the faces beyond which it is.
          const fX = x1X - wX,
            fY = x1Y - wY,
            fZ = x1Z - wZ;
          const gX = x2X - wX,
            gY = x2Y - wY,
            gZ = x2Z - wZ;
          const hX = x3X - wX,
            hY = x3Y - wY,
            hZ = x3Z - wZ;
          const uX = gY * hZ - gZ * hY,
            uY = gZ * hX - gX * hZ,
            uZ = gX * hY - gY * hX;
          const volume = fX * uX + fY * uY + fZ * uZ;
          const sign = volume < 0 ? 1 : -1;
          const l1 = sign * (wX * uX + wY * uY + wZ * uZ);
          const l2 = sign * (wX * (hY * fZ - hZ * fY) + wY * (hZ * fX - hX * fZ) + wZ * (hX * fY - hY * fX));
          const l3 = sign * (wX * (fY * gZ - fZ * gY) + wY * (fZ * gX - fX * gZ) + wZ * (fX * gY - fY * gX));
          if (!(l1 > 0)) faces = 1;
          if (!(l2 > 0)) faces |= 2;
          if (!(l3 > 0)) faces |= 4;
          if (faces === 0) {
            if (!(lower <= floor)) break; // flat: a plane separates the cores
            points[free] = pAX;
            points[free + 1] = pAY;
            points[free + 2] = pAZ;
            const { w: vertices, a: pointsOfA } = simplex;
            simplex.clear();
            simplex.slack = difference.rounding;
            simplex.count = 4;
            vertices[0] = x1X;
            vertices[1] = x1Y;
            vertices[2] = x1Z;
            vertices[3] = x2X;
            vertices[4] = x2Y;
            vertices[5] = x2Z;
            vertices[6] = x3X;
            vertices[7] = x3Y;
            vertices[8] = x3Z;
            vertices[9] = wX;
            vertices[10] = wY;
            vertices[11] = wZ;
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
          const fX = (i === 1 ? x2X : x1X) - wX,
            fY = (i === 1 ? x2Y : x1Y) - wY,
            fZ = (i === 1 ? x2Z : x1Z) - wZ;
          const gX = (i === 3 ? x2X : x3X) - wX,
            gY = (i === 3 ? x2Y : x3Y) - wY,
            gZ = (i === 3 ? x2Z : x3Z) - wZ;
          const mX = fY * gZ - fZ * gY,
            mY = fZ * gX - fX * gZ,
            mZ = fX * gY - fY * gX;
          const mm = mX * mX + mY * mY + mZ * mZ;
          const edgeP = i === 1 ? 2 : 1;
          const edgeQ = i === 3 ? 2 : 4;
          const product = (fX * fX + fY * fY + fZ * fZ) * (gX * gX + gY * gY + gZ * gZ);
          if (!(mm > FLAT * product)) {
            edges |= edgeP | edgeQ;
            continue;
          }
          let p = 0;
          let q = 0;
          let xX = wX,
            xY = wY,
            xZ = wZ;
          for (let pass = mm > SLIVER * product ? 1 : 0; pass < 2; pass++) {
            const height = (mX * xX + mY * xY + mZ * xZ) / mm;
            const oX = height * mX - xX,
              oY = height * mY - xY,
              oZ = height * mZ - xZ;
            const dp = (mX * (oY * gZ - oZ * gY) + mY * (oZ * gX - oX * gZ) + mZ * (oX * gY - oY * gX)) / mm;
            const dq = (mX * (fY * oZ - fZ * oY) + mY * (fZ * oX - fX * oZ) + mZ * (fX * oY - fY * oX)) / mm;
            p += dp;
            q += dq;
            xX = xX + (dp * fX + dq * gX);
            xY = xY + (dp * fY + dq * gY);
            xZ = xZ + (dp * fZ + dq * gZ);
          }
          if (p > 0 && q > 0) {
            const xx = xX * xX + xY * xY + xZ * xZ;
            if (!(p + q < 1) || !(xx < minSquared)) continue;
            nearest = FACE + i;
            minSquared = xx;
            weightP = p;
            weightQ = q;
            cX = xX;
            cY = xY;
            cZ = xZ;
          } else {
            if (!(p > 0)) edges |= edgeQ;
            if (!(q > 0)) edges |= edgeP;
          }
        }
        // Edges, and w itself.
        for (let i = 1; edges !== 0; i++, edges >>= 1) {
          if ((edges & 1) === 0) continue;
          const eX = (i === 1 ? x1X : i === 2 ? x2X : x3X) - wX,
            eY = (i === 1 ? x1Y : i === 2 ? x2Y : x3Y) - wY,
            eZ = (i === 1 ? x1Z : i === 2 ? x2Z : x3Z) - wZ;
          const along = -(wX * eX + wY * eY + wZ * eZ);
          const ee = eX * eX + eY * eY + eZ * eZ;
          if (!(along < ee)) continue;
          const part = along > 0 ? along / ee : 0;
          const xX = wX + part * eX,
            xY = wY + part * eY,
            xZ = wZ + part * eZ;
          const xx = xX * xX + xY * xY + xZ * xZ;
          if (!(xx < minSquared)) continue;
          nearest = along > 0 ? i : NEWEST;
          minSquared = xx;
          weightP = part;
          cX = xX;
          cY = xY;
          cZ = xZ;
        }
      }

      // The simplex of the nearest feature, with w as its last vertex, and the upper bound.
      if (nearest !== NONE) {
        points[free] = pAX;
        points[free + 1] = pAY;
        points[free + 2] = pAZ;
        if (nearest === FACE + 1 || nearest === 2) {
          x1X = x2X;
          x1Y = x2Y;
          x1Z = x2Z;
          slot1 = slot2;
        } else if (nearest === 3) {
          x1X = x3X;
          x1Y = x3Y;
          x1Z = x3Z;
          slot1 = slot3;
        }
        if (nearest === NEWEST) {
          count = 1;
          x1X = wX;
          x1Y = wY;
          x1Z = wZ;
          slot1 = free;
          weight1 = 1;
        } else if (nearest <= FACE) {
          count = 2;
          x2X = wX;
          x2Y = wY;
          x2Z = wZ;
          slot2 = free;
          weight1 = weightP;
          weight2 = 1 - weightP;
        } else {
          count = 3;
          if (nearest !== FACE + 3) {
            x2X = x3X;
            x2Y = x3Y;
            x2Z = x3Z;
            slot2 = slot3;
          }
          x3X = wX;
          x3Y = wY;
          x3Z = wZ;
          slot3 = free;
          weight1 = weightP;
          weight2 = weightQ;
          weight3 = 1 - weightP - weightQ;
        }
        const used = (1 << slot1) | (count > 1 ? 1 << slot2 : 0) | (count > 2 ? 1 << slot3 : 0);
        free = (used & 1) === 0 ? 0 : (used & 8) === 0 ? 3 : (used & 64) === 0 ? 6 : 9;
        vX = cX;
        vY = cY;
        vZ = cZ;
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
          next[0] = nX / length;
          next[1] = nY / length;
          next[2] = nZ / length;
          support[0] = wX;
          support[1] = wY;
          support[2] = wZ;
          vertices[0] = x1X;
          vertices[1] = x1Y;
          vertices[2] = x1Z;
          vertices[3] = x2X;
          vertices[4] = x2Y;
          vertices[5] = x2Z;
          vertices[6] = x3X;
          vertices[7] = x3Y;
          vertices[8] = x3Z;
          newton.step(a, T, b, count);
          nX = next[0];
          nY = next[1];
          nZ = next[2];
          length = 1;
          continue;
        }
      }
      // Against v; if an edge is longer than v, which has lost digits then, orthogonal to the edge or the face.
      nX = -vX;
      nY = -vY;
      nZ = -vZ;
      length = upper;
      if (count === 1) continue;
      let eX = x2X - x1X,
        eY = x2Y - x1Y,
        eZ = x2Z - x1Z;
      let ee = eX * eX + eY * eY + eZ * eZ;
      if (count === 3) {
        const fX = x3X - x1X,
          fY = x3Y - x1Y,
          fZ = x3Z - x1Z;
        const gX = x3X - x2X,
          gY = x3Y - x2Y,
          gZ = x3Z - x2Z;
        const mX = eY * fZ - eZ * fY,
          mY = eZ * fX - eX * fZ,
          mZ = eX * fY - eY * fX;
        const mm = mX * mX + mY * mY + mZ * mZ;
        const ff = fX * fX + fY * fY + fZ * fZ;
        const gg = gX * gX + gY * gY + gZ * gZ;
        if (mm > squared * Math.max(ee, ff, gg)) {
          const sign = mX * nX + mY * nY + mZ * nZ < 0 ? -1 : 1;
          nX = sign * mX;
          nY = sign * mY;
          nZ = sign * mZ;
          length = Math.sqrt(mm);
          continue;
        }
        if (ff > ee && ff > gg) {
          eX = fX;
          eY = fY;
          eZ = fZ;
          ee = ff;
        } else if (gg > ee) {
          eX = gX;
          eY = gY;
          eZ = gZ;
          ee = gg;
        }
      }
      if (!(ee > squared)) continue;
      for (let pass = 0; pass < 2; pass++) {
        const along = (nX * eX + nY * eY + nZ * eZ) / ee;
        nX = nX - along * eX;
        nY = nY - along * eY;
        nZ = nZ - along * eZ;
      }
      length = Math.sqrt(nX * nX + nY * nY + nZ * nZ);
      if (!(length > 0)) break;
    }

    const { normal, nearest, witnessA } = this;
    this.lower = lower;
    this.upper = upper;
    this.iterations = iterations;
    difference.hintA = hintA;
    difference.hintB = hintB;
    normal[0] = bestX / bestLength;
    normal[1] = bestY / bestLength;
    normal[2] = bestZ / bestLength;
    nearest[0] = vX;
    nearest[1] = vY;
    nearest[2] = vZ;
    for (let k = 0; k < 3; k++) {
      let sum = weight1 * points[slot1 + k];
      if (count > 1) sum += weight2 * points[slot2 + k];
      if (count > 2) sum += weight3 * points[slot3 + k];
      witnessA[k] = sum;
    }
    return result;
  }
}
