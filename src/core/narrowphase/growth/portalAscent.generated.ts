// Expanded from ../kernels/portalAscent.ts by `node scripts/kernels.mjs`: edit it there.
import type { Transform } from '../../math/transform.ts';
import type { Vec3 } from '../../math/vec3.ts';
import { cellAt } from '../../shapes/directionCells.ts';
import type { ConvexShape } from '../../shapes/shape.ts';
import { iterationLimit } from '../iterationLimits.ts';
import type { PortalBounds } from './portalBounds.generated.ts';
import { loadPoints, POINT_A, POINT_B, STRIDE, setInnerVertices } from './portalVertices.generated.ts';
import { toRayAxes } from './rayAxes.generated.ts';

/** Square of the smallest gain of a new vertex over the portal, relative to its norm: less may be rounding. */
const MIN_SQUARED_GAIN = 4 * Number.EPSILON * Number.EPSILON;
/** Rounding error of a triple product with the unit ray, relative to the squared extent of the pair. */
const SIDE_ERROR = 16 * Number.EPSILON;
const SIN_60 = 0.8660254037844386;

/**
 * Raises the portal of a pair of polytopes [Thirugnanam26 Alg. 3], in the frame of B: the fast part of the growth
 * distance. It writes points of the shapes and planes only, whose bounds `RayPortal` proves afterwards, with
 * its error terms; it stops where a sign is within rounding, and `RayPortal` continues from there.
 */
export class PortalAscent {
  /**
   * Raises the portal until the bounds agree, or until a sign is within rounding. Starts from the inner spheres, or
   * from `stored`, the points of an earlier portal in the format of `PairCache.simplexPoints`; returns false if the ray
   * does not surely pass through those. From the inner spheres, `axis` may give the first normal: a unit vector in the
   * frame of B, less than 90° from the ray. Writes the upper bound with its normal, the iterations, and the points of
   * the vertices of the portal; reads and writes its hints.
   */
  raise(
    bounds: PortalBounds,
    stored: Float64Array | undefined,
    axis: Vec3 | undefined,
    a: ConvexShape,
    T_b_a: Transform,
    b: ConvexShape,
  ): boolean {
    const { portal, relativeGap, best } = bounds;
    const { vertices, axesA, axesB } = portal;
    // Polytopes without vertices are boxes, of which `size` holds half edge lengths.
    const { vertices: verticesA, size: halfA, center: centerA } = a;
    const { vertices: verticesB, size: halfB, center: centerB } = b;
    const { cellBits: bitsA, cellStart: startA, cellVertices: candidatesA } = a;
    const { cellBits: bitsB, cellStart: startB, cellVertices: candidatesB } = b;
    const r0X = T_b_a[0],
      r0Y = T_b_a[1],
      r0Z = T_b_a[2];
    const r1X = T_b_a[4],
      r1Y = T_b_a[5],
      r1Z = T_b_a[6];
    const r2X = T_b_a[8],
      r2Y = T_b_a[9],
      r2Z = T_b_a[10];
    const tX = axesB[6],
      tY = axesB[7],
      tZ = axesB[8];
    const cAX = centerA[0],
      cAY = centerA[1],
      cAZ = centerA[2];
    const cBX = centerB[0],
      cBY = centerB[1],
      cBZ = centerB[2];
    const extent = a.outerRadius + b.outerRadius;
    const tolerance = SIDE_ERROR * extent * extent;
    let slot1 = 0;
    let slot2 = STRIDE;
    let slot3 = 2 * STRIDE;
    let free = 3 * STRIDE;
    // Vertices, and the normal of the portal with its height above the center: n·x = s.
    let x1X: number, x1Y: number, x1Z: number;
    let x2X: number, x2Y: number, x2Z: number;
    let x3X: number, x3Y: number, x3Z: number;
    let nX = tX,
      nY = tY,
      nZ = tZ;
    let nt = 1;
    let s = 0;
    // Vertices that are still on the inner spheres: bits 0 to 2.
    let inner = 0;
    if (stored !== undefined) {
      x1X = r0X * stored[0] + r0Y * stored[1] + r0Z * stored[2] - stored[9];
      x1Y = r1X * stored[0] + r1Y * stored[1] + r1Z * stored[2] - stored[10];
      x1Z = r2X * stored[0] + r2Y * stored[1] + r2Z * stored[2] - stored[11];
      x2X = r0X * stored[3] + r0Y * stored[4] + r0Z * stored[5] - stored[12];
      x2Y = r1X * stored[3] + r1Y * stored[4] + r1Z * stored[5] - stored[13];
      x2Z = r2X * stored[3] + r2Y * stored[4] + r2Z * stored[5] - stored[14];
      x3X = r0X * stored[6] + r0Y * stored[7] + r0Z * stored[8] - stored[15];
      x3Y = r1X * stored[6] + r1Y * stored[7] + r1Z * stored[8] - stored[16];
      x3Z = r2X * stored[6] + r2Y * stored[7] + r2Z * stored[8] - stored[17];
      // Left of all three edges: t·(xᵢ × xⱼ) > 0.
      if (!(tX * (x1Y * x2Z - x1Z * x2Y) + tY * (x1Z * x2X - x1X * x2Z) + tZ * (x1X * x2Y - x1Y * x2X) > tolerance))
        return false;
      if (!(tX * (x2Y * x3Z - x2Z * x3Y) + tY * (x2Z * x3X - x2X * x3Z) + tZ * (x2X * x3Y - x2Y * x3X) > tolerance))
        return false;
      if (!(tX * (x3Y * x1Z - x3Z * x1Y) + tY * (x3Z * x1X - x3X * x1Z) + tZ * (x3X * x1Y - x3Y * x1X) > tolerance))
        return false;
      nX = (x2Y - x1Y) * (x3Z - x1Z) - (x2Z - x1Z) * (x3Y - x1Y);
      nY = (x2Z - x1Z) * (x3X - x1X) - (x2X - x1X) * (x3Z - x1Z);
      nZ = (x2X - x1X) * (x3Y - x1Y) - (x2Y - x1Y) * (x3X - x1X);
      nt = nX * tX + nY * tY + nZ * tZ;
      s = nX * x1X + nY * x1Y + nZ * x1Z;
      if (!(nt > 0)) return false;
      loadPoints(vertices, stored);
    } else {
      const radius = a.innerRadius + b.innerRadius;
      const vX = SIN_60 * radius * axesB[3],
        vY = SIN_60 * radius * axesB[4],
        vZ = SIN_60 * radius * axesB[5];
      x1X = radius * axesB[0];
      x1Y = radius * axesB[1];
      x1Z = radius * axesB[2];
      x2X = vX - 0.5 * x1X;
      x2Y = vY - 0.5 * x1Y;
      x2Z = vZ - 0.5 * x1Z;
      x3X = -vX - 0.5 * x1X;
      x3Y = -vY - 0.5 * x1Y;
      x3Z = -vZ - 0.5 * x1Z;
      inner = 7;
      if (axis !== undefined) {
        nX = axis[0];
        nY = axis[1];
        nZ = axis[2];
        nt = nX * tX + nY * tY + nZ * tZ;
      }
    }
    let upper = Number.POSITIVE_INFINITY;
    let lowestX = nX,
      lowestY = nY,
      lowestZ = nZ; // of the support planes
    let { hintA, hintB } = portal;
    let iterations = 0;

    // Runs once, so that the loop in it is not compiled on its own (OSR): calls would enter that code after one step,
    // and no longer count as hot; the function, once deoptimized, would stay so, at three times the time.
    for (let once = 0; once < 1; once++) {
      while (iterations < iterationLimit) {
        iterations++;
        // Support points of A along n and of B against n, relative to the centers, and their difference w.
        const lX = nX * r0X + nY * r1X + nZ * r2X,
          lY = nX * r0Y + nY * r1Y + nZ * r2Y,
          lZ = nX * r0Z + nY * r1Z + nZ * r2Z;
        let pAX: number, pAY: number, pAZ: number;
        let pBX: number, pBY: number, pBZ: number;
        if (verticesA.length > 0) {
          const cell = cellAt(lX, lY, lZ, bitsA);
          const end = startA[cell + 1];
          let i = startA[cell];
          hintA = candidatesA[i];
          let highest = verticesA[hintA] * lX + verticesA[hintA + 1] * lY + verticesA[hintA + 2] * lZ;
          for (i++; i < end; i++) {
            const k = candidatesA[i];
            const height = verticesA[k] * lX + verticesA[k + 1] * lY + verticesA[k + 2] * lZ;
            if (height > highest) {
              highest = height;
              hintA = k;
            }
          }
          pAX = verticesA[hintA] - cAX;
          pAY = verticesA[hintA + 1] - cAY;
          pAZ = verticesA[hintA + 2] - cAZ;
        } else {
          pAX = lX < 0 ? -halfA[0] : halfA[0];
          pAY = lY < 0 ? -halfA[1] : halfA[1];
          pAZ = lZ < 0 ? -halfA[2] : halfA[2];
          pAX = pAX - cAX;
          pAY = pAY - cAY;
          pAZ = pAZ - cAZ;
        }
        if (verticesB.length > 0) {
          const cell = cellAt(-nX, -nY, -nZ, bitsB);
          const end = startB[cell + 1];
          let i = startB[cell];
          hintB = candidatesB[i];
          let least = verticesB[hintB] * nX + verticesB[hintB + 1] * nY + verticesB[hintB + 2] * nZ;
          for (i++; i < end; i++) {
            const k = candidatesB[i];
            const height = verticesB[k] * nX + verticesB[k + 1] * nY + verticesB[k + 2] * nZ;
            if (height < least) {
              least = height;
              hintB = k;
            }
          }
          pBX = verticesB[hintB] - cBX;
          pBY = verticesB[hintB + 1] - cBY;
          pBZ = verticesB[hintB + 2] - cBZ;
        } else {
          pBX = nX > 0 ? -halfB[0] : halfB[0];
          pBY = nY > 0 ? -halfB[1] : halfB[1];
          pBZ = nZ > 0 ? -halfB[2] : halfB[2];
          pBX = pBX - cBX;
          pBY = pBY - cBY;
          pBZ = pBZ - cBZ;
        }
        const wX = r0X * pAX + r0Y * pAY + r0Z * pAZ - pBX,
          wY = r1X * pAX + r1Y * pAY + r1Z * pAZ - pBY,
          wZ = r2X * pAX + r2Y * pAY + r2Z * pAZ - pBZ;

        // t* <= h(n) / n·t
        const height = nX * wX + nY * wY + nZ * wZ;
        if (height < upper * nt) {
          upper = height / nt;
          lowestX = nX;
          lowestY = nY;
          lowestZ = nZ;
        }
        const gain = inner === 7 ? tX * wX + tY * wY + tZ * wZ : height - s;
        const squared = (wX * wX + wY * wY + wZ * wZ) * (nX * nX + nY * nY + nZ * nZ);
        if (!(gain > 0 && gain * gain > MIN_SQUARED_GAIN * squared)) break;

        // e = t × w: the signs of e·xₖ select which of the three triangles of w and an edge of the portal the ray
        // passes through.
        const eX = tY * wZ - tZ * wY,
          eY = tZ * wX - tX * wZ,
          eZ = tX * wY - tY * wX;
        const e1 = x1X * eX + x1Y * eY + x1Z * eZ;
        let leaving: number;
        if (e1 > 0) {
          const e2 = x2X * eX + x2Y * eY + x2Z * eZ;
          if (e1 < tolerance || (e2 < tolerance && e2 > -tolerance)) break;
          leaving = e2 > 0 ? 1 : 3;
        } else {
          const e3 = x3X * eX + x3Y * eY + x3Z * eZ;
          if (e1 > -tolerance || (e3 < tolerance && e3 > -tolerance)) break;
          leaving = e3 > 0 ? 2 : 1;
        }
        vertices[free + POINT_A] = pAX;
        vertices[free + POINT_A + 1] = pAY;
        vertices[free + POINT_A + 2] = pAZ;
        vertices[free + POINT_B] = pBX;
        vertices[free + POINT_B + 1] = pBY;
        vertices[free + POINT_B + 2] = pBZ;
        const next = free;
        if (leaving === 1) {
          free = slot1;
          slot1 = next;
          x1X = wX;
          x1Y = wY;
          x1Z = wZ;
          inner &= 6;
        } else if (leaving === 2) {
          free = slot2;
          slot2 = next;
          x2X = wX;
          x2Y = wY;
          x2Z = wZ;
          inner &= 5;
        } else {
          free = slot3;
          slot3 = next;
          x3X = wX;
          x3Y = wY;
          x3Z = wZ;
          inner &= 3;
        }

        // n = (x₂ − x₁) × (x₃ − x₁)
        nX = (x2Y - x1Y) * (x3Z - x1Z) - (x2Z - x1Z) * (x3Y - x1Y);
        nY = (x2Z - x1Z) * (x3X - x1X) - (x2X - x1X) * (x3Z - x1Z);
        nZ = (x2X - x1X) * (x3Y - x1Y) - (x2Y - x1Y) * (x3X - x1X);
        nt = nX * tX + nY * tY + nZ * tZ;
        s = nX * x1X + nY * x1Y + nZ * x1Z;
        if (!(nt > 0) || upper * nt - s <= relativeGap * upper * nt) break;
      }
    }
    if (inner !== 0) setInnerVertices(vertices, inner, slot1, slot2, slot3, axesA, axesB, a, b);
    const scale = 1 / Math.sqrt(lowestX * lowestX + lowestY * lowestY + lowestZ * lowestZ);
    best[0] = scale * lowestX;
    best[1] = scale * lowestY;
    best[2] = scale * lowestZ;
    toRayAxes(best, best, axesB);
    bounds.upper = upper;
    bounds.iterations = iterations;
    portal.hintA = hintA;
    portal.hintB = hintB;
    portal.setOffsets(slot1, slot2, slot3);
    return true;
  }
}
