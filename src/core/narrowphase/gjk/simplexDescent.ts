import { create, type Vec3 } from '../../math/vec3.ts';
import { supportInPlace } from '../../shapes/polytope.ts';
import { iterationLimit, roundoff } from '../iterationLimits.ts';
import type { MinkowskiDifference } from '../minkowskiDifference.ts';
import { hasSupportCurvature } from '../supportCurvature.ts';
import type { StoppingCriterion } from './iteration.ts';
import { NewtonDirection } from './newtonDirection.ts';
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
 * The iteration of Gilbert, Johnson and Keerthi [GilbertJohnsonKeerthi88] in scalars: the fast part of the minimum
 * distance of disjoint cores. For curved shapes the search directions are those of Newton's method, while that is
 * successful. The bounds hold for any directions.
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
   * Searches from the direction `n`. CONVERGED: a plane proves the lower bound, which is positive; the bounds agree, or
   * rounding prevents it, or the lower bound is sufficient. ENCLOSED: the origin seems to be in a tetrahedron, which is
   * written to `simplex`. FAILED: signs are within rounding.
   *
   * An unrolled kernel: scalars in registers double its speed.
   */
  descend(difference: MinkowskiDifference, n: Vec3, criterion: StoppingCriterion, simplex: Simplex): Descent {
    const { newton, points } = this;
    const { pointA, pointB } = newton;
    const { a, b, T_b_a: T, margins, extent } = difference;
    const { relativeGap, sufficientLower } = criterion;
    const isCurved = hasSupportCurvature(a) || hasSupportCurvature(b);
    const floor = roundoff * extent;
    let { hintA, hintB } = difference;
    let nx = n[0],
      ny = n[1],
      nz = n[2];
    let length = Math.sqrt(nx * nx + ny * ny + nz * nz);
    let lower = Number.NEGATIVE_INFINITY,
      upper = Number.POSITIVE_INFINITY;
    let bestX = 0,
      bestY = 0,
      bestZ = 0,
      bestLength = 1;
    // The simplex: its vertices, their offsets in `points`, the weights of the nearest point v, and ‖v‖².
    let count = 0;
    let x1 = 0,
      y1 = 0,
      z1 = 0;
    let x2 = 0,
      y2 = 0,
      z2 = 0;
    let x3 = 0,
      y3 = 0,
      z3 = 0;
    let slot1 = 0,
      slot2 = 0,
      slot3 = 0,
      free = 0;
    let weight1 = 1,
      weight2 = 0,
      weight3 = 0;
    let vx = 0,
      vy = 0,
      vz = 0,
      squared = Number.POSITIVE_INFINITY;
    let result: Descent = FAILED;
    let iterations = 0;
    let isProposed = false;
    let gapOfBounds = Number.POSITIVE_INFINITY;
    let pause = 0,
      nextPause = 1;

    const r00 = T[0],
      r01 = T[1],
      r02 = T[2],
      tx = T[3],
      r10 = T[4],
      r11 = T[5],
      r12 = T[6],
      ty = T[7],
      r20 = T[8],
      r21 = T[9],
      r22 = T[10],
      tz = T[11];
    while (iterations < iterationLimit) {
      iterations++;
      pointA[0] = r00 * nx + r10 * ny + r20 * nz;
      pointA[1] = r01 * nx + r11 * ny + r21 * nz;
      pointA[2] = r02 * nx + r12 * ny + r22 * nz;
      pointB[0] = -nx;
      pointB[1] = -ny;
      pointB[2] = -nz;
      hintA = supportInPlace(pointA, a, hintA);
      hintB = supportInPlace(pointB, b, hintB);
      const px = pointA[0],
        py = pointA[1],
        pz = pointA[2];
      const ax = r00 * px + r01 * py + r02 * pz + tx,
        ay = r10 * px + r11 * py + r12 * pz + ty,
        az = r20 * px + r21 * py + r22 * pz + tz;
      const wx = ax - pointB[0],
        wy = ay - pointB[1],
        wz = az - pointB[2];
      const gap = -(nx * wx + ny * wy + nz * wz) / length;
      const isHigher = gap > lower;
      if (isHigher) {
        lower = gap;
        bestX = nx;
        bestY = ny;
        bestZ = nz;
        bestLength = length;
      }
      if (
        count > 0 &&
        (upper - lower <= Math.max(floor, relativeGap * (upper - margins)) || lower >= sufficientLower)
      ) {
        result = lower > floor ? CONVERGED : FAILED;
        break;
      }
      // The point nearest to the origin on w, and on edges and faces at w.
      let nearest = NONE;
      let minSquared = squared;
      let cx = wx,
        cy = wy,
        cz = wz;
      let weightP = 0,
        weightQ = 0;
      const isKnown =
        (count > 0 && wx === x1 && wy === y1 && wz === z1) ||
        (count > 1 && wx === x2 && wy === y2 && wz === z2) ||
        (count > 2 && wx === x3 && wy === y3 && wz === z3);
      if (!isKnown) {
        let edges = count === 1 ? 1 : 0; // bit i − 1: the edge to vertex i
        let faces = count === 2 ? 4 : 0; // bit i − 1: the face opposite to vertex i
        if (count === 0) {
          nearest = NEWEST;
          minSquared = wx * wx + wy * wy + wz * wz;
        } else if (count === 3) {
          const fx = x1 - wx,
            fy = y1 - wy,
            fz = z1 - wz;
          const gx = x2 - wx,
            gy = y2 - wy,
            gz = z2 - wz;
          const hx = x3 - wx,
            hy = y3 - wy,
            hz = z3 - wz;
          const ux = gy * hz - gz * hy,
            uy = gz * hx - gx * hz,
            uz = gx * hy - gy * hx;
          // Barycentric coordinates of the origin, times the volume: their signs select the faces beyond which it is.
          const volume = fx * ux + fy * uy + fz * uz;
          const s = volume < 0 ? 1 : -1;
          const l1 = s * (wx * ux + wy * uy + wz * uz);
          const l2 = s * (wx * (hy * fz - hz * fy) + wy * (hz * fx - hx * fz) + wz * (hx * fy - hy * fx));
          const l3 = s * (wx * (fy * gz - fz * gy) + wy * (fz * gx - fx * gz) + wz * (fx * gy - fy * gx));
          if (!(l1 > 0)) faces = 1;
          if (!(l2 > 0)) faces |= 2;
          if (!(l3 > 0)) faces |= 4;
          if (faces === 0) {
            if (!(lower <= floor)) break; // flat: a plane separates the cores
            points[free] = ax;
            points[free + 1] = ay;
            points[free + 2] = az;
            const { w, a: pointsOfA } = simplex;
            simplex.clear();
            simplex.slack = difference.rounding;
            simplex.count = 4;
            w[0] = x1;
            w[1] = y1;
            w[2] = z1;
            w[3] = x2;
            w[4] = y2;
            w[5] = z2;
            w[6] = x3;
            w[7] = y3;
            w[8] = z3;
            w[9] = wx;
            w[10] = wy;
            w[11] = wz;
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
        for (let i = 1; i <= 3; i++) {
          if ((faces & (1 << (i - 1))) === 0) continue;
          const fx = (i === 1 ? x2 : x1) - wx,
            fy = (i === 1 ? y2 : y1) - wy,
            fz = (i === 1 ? z2 : z1) - wz;
          const gx = (i === 3 ? x2 : x3) - wx,
            gy = (i === 3 ? y2 : y3) - wy,
            gz = (i === 3 ? z2 : z3) - wz;
          const mx = fy * gz - fz * gy,
            my = fz * gx - fx * gz,
            mz = fx * gy - fy * gx;
          const mm = mx * mx + my * my + mz * mz;
          const edgeP = i === 1 ? 2 : 1,
            edgeQ = i === 3 ? 2 : 4;
          const product = (fx * fx + fy * fy + fz * fz) * (gx * gx + gy * gy + gz * gz);
          if (!(mm > FLAT * product)) {
            edges |= edgeP | edgeQ;
            continue;
          }
          let p = 0,
            q = 0,
            x = wx,
            y = wy,
            z = wz;
          for (let pass = mm > SLIVER * product ? 1 : 0; pass < 2; pass++) {
            const height = (mx * x + my * y + mz * z) / mm;
            const ox = height * mx - x,
              oy = height * my - y,
              oz = height * mz - z;
            const dp = (mx * (oy * gz - oz * gy) + my * (oz * gx - ox * gz) + mz * (ox * gy - oy * gx)) / mm;
            const dq = (mx * (fy * oz - fz * oy) + my * (fz * ox - fx * oz) + mz * (fx * oy - fy * ox)) / mm;
            p += dp;
            q += dq;
            x += dp * fx + dq * gx;
            y += dp * fy + dq * gy;
            z += dp * fz + dq * gz;
          }
          if (p > 0 && q > 0) {
            const xx = x * x + y * y + z * z;
            if (!(p + q < 1) || !(xx < minSquared)) continue;
            nearest = FACE + i;
            minSquared = xx;
            weightP = p;
            weightQ = q;
            cx = x;
            cy = y;
            cz = z;
          } else {
            if (!(p > 0)) edges |= edgeQ;
            if (!(q > 0)) edges |= edgeP;
          }
        }
        for (let i = 1; edges !== 0; i++, edges >>= 1) {
          if ((edges & 1) === 0) continue;
          const ex = (i === 1 ? x1 : i === 2 ? x2 : x3) - wx,
            ey = (i === 1 ? y1 : i === 2 ? y2 : y3) - wy,
            ez = (i === 1 ? z1 : i === 2 ? z2 : z3) - wz;
          const along = -(wx * ex + wy * ey + wz * ez);
          const ee = ex * ex + ey * ey + ez * ez;
          if (!(along < ee)) continue;
          const t = along > 0 ? along / ee : 0;
          const x = wx + t * ex,
            y = wy + t * ey,
            z = wz + t * ez;
          const xx = x * x + y * y + z * z;
          if (!(xx < minSquared)) continue;
          nearest = along > 0 ? i : NEWEST;
          minSquared = xx;
          weightP = t;
          cx = x;
          cy = y;
          cz = z;
        }
      }
      if (nearest !== NONE) {
        points[free] = ax;
        points[free + 1] = ay;
        points[free + 2] = az;
        if (nearest === FACE + 1 || nearest === 2) {
          x1 = x2;
          y1 = y2;
          z1 = z2;
          slot1 = slot2;
        } else if (nearest === 3) {
          x1 = x3;
          y1 = y3;
          z1 = z3;
          slot1 = slot3;
        }
        if (nearest === NEWEST) {
          count = 1;
          x1 = wx;
          y1 = wy;
          z1 = wz;
          slot1 = free;
          weight1 = 1;
        } else if (nearest <= FACE) {
          count = 2;
          x2 = wx;
          y2 = wy;
          z2 = wz;
          slot2 = free;
          weight1 = weightP;
          weight2 = 1 - weightP;
        } else {
          count = 3;
          if (nearest !== FACE + 3) {
            x2 = x3;
            y2 = y3;
            z2 = z3;
            slot2 = slot3;
          }
          x3 = wx;
          y3 = wy;
          z3 = wz;
          slot3 = free;
          weight1 = weightP;
          weight2 = weightQ;
          weight3 = 1 - weightP - weightQ;
        }
        const used = (1 << slot1) | (count > 1 ? 1 << slot2 : 0) | (count > 2 ? 1 << slot3 : 0);
        free = (used & 1) === 0 ? 0 : (used & 8) === 0 ? 3 : (used & 64) === 0 ? 6 : 9;
        vx = cx;
        vy = cy;
        vz = cz;
        squared = minSquared;
        upper = Math.sqrt(squared);
        if (!(upper > CONTACT * floor)) break;
        if (
          lower > floor &&
          (upper - lower <= Math.max(floor, relativeGap * (upper - margins)) || lower >= sufficientLower)
        ) {
          result = CONVERGED;
          break;
        }
      } else if (!isProposed) {
        if (isKnown && lower > floor && upper - lower <= KNOWN * floor) result = CONVERGED; // to rounding
        break;
      }

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
          const { n: next, w, vertices } = newton;
          next[0] = nx / length;
          next[1] = ny / length;
          next[2] = nz / length;
          w[0] = wx;
          w[1] = wy;
          w[2] = wz;
          vertices[0] = x1;
          vertices[1] = y1;
          vertices[2] = z1;
          vertices[3] = x2;
          vertices[4] = y2;
          vertices[5] = z2;
          vertices[6] = x3;
          vertices[7] = y3;
          vertices[8] = z3;
          newton.step(a, T, b, count);
          nx = next[0];
          ny = next[1];
          nz = next[2];
          length = 1;
          continue;
        }
      }
      // Against v; if an edge is longer than v, which has lost digits then, orthogonal to the edge or the face.
      nx = -vx;
      ny = -vy;
      nz = -vz;
      length = upper;
      if (count === 1) continue;
      let ex = x2 - x1,
        ey = y2 - y1,
        ez = z2 - z1;
      let ee = ex * ex + ey * ey + ez * ez;
      if (count === 3) {
        const fx = x3 - x1,
          fy = y3 - y1,
          fz = z3 - z1;
        const gx = x3 - x2,
          gy = y3 - y2,
          gz = z3 - z2;
        const mx = ey * fz - ez * fy,
          my = ez * fx - ex * fz,
          mz = ex * fy - ey * fx;
        const mm = mx * mx + my * my + mz * mz;
        const ff = fx * fx + fy * fy + fz * fz,
          gg = gx * gx + gy * gy + gz * gz;
        if (mm > squared * Math.max(ee, ff, gg)) {
          const s = mx * nx + my * ny + mz * nz < 0 ? -1 : 1;
          nx = s * mx;
          ny = s * my;
          nz = s * mz;
          length = Math.sqrt(mm);
          continue;
        }
        if (ff > ee && ff > gg) {
          ex = fx;
          ey = fy;
          ez = fz;
          ee = ff;
        } else if (gg > ee) {
          ex = gx;
          ey = gy;
          ez = gz;
          ee = gg;
        }
      }
      if (!(ee > squared)) continue;
      for (let pass = 0; pass < 2; pass++) {
        const along = (nx * ex + ny * ey + nz * ez) / ee;
        nx -= along * ex;
        ny -= along * ey;
        nz -= along * ez;
      }
      length = Math.sqrt(nx * nx + ny * ny + nz * nz);
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
    nearest[0] = vx;
    nearest[1] = vy;
    nearest[2] = vz;
    for (let k = 0; k < 3; k++) {
      let x = weight1 * points[slot1 + k];
      if (count > 1) x += weight2 * points[slot2 + k];
      if (count > 2) x += weight3 * points[slot3 + k];
      witnessA[k] = x;
    }
    return result;
  }
}
