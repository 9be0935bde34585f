import type { Transform } from '../../math/transform.ts';
import type { Vec3 } from '../../math/vec3.ts';
import { cellAt } from '../../shapes/directionCells.ts';
import type { ConvexShape } from '../../shapes/shape.ts';
import { iterationLimit } from '../iterationLimits.ts';
import type { PortalBounds } from './portalBounds.ts';
import { loadPoints, POINT_A, POINT_B, STRIDE, setInnerVertices } from './portalVertices.ts';
import { toRayAxes } from './rayAxes.ts';

/** Square of the smallest gain of a new vertex over the portal, relative to its norm: less may be rounding. */
const MIN_SQUARED_GAIN = 4 * Number.EPSILON * Number.EPSILON;
/** Rounding error of a triple product with the unit ray, relative to the squared extent of the pair. */
const SIDE_ERROR = 16 * Number.EPSILON;
const SIN_60 = 0.8660254037844386;

/**
 * Raises the portal of a pair of polytopes [Thirugnanam26 Alg. 3], in the frame of B and in scalars: the fast part of
 * the growth distance. It writes points of the shapes and planes only, whose bounds `RayPortal` proves afterwards, with
 * its error terms; it stops where a sign is within rounding, and `RayPortal` continues from there.
 */
export class PortalAscent {
  /**
   * Raises the portal until the bounds agree, or until a sign is within rounding. Starts from the inner spheres, or
   * from `stored`, the points of an earlier portal in the format of `PairCache.simplexPoints`; returns false if the ray
   * does not surely pass through those. From the inner spheres, `axis` may give the first normal: a unit vector in the
   * frame of B, less than 90° from the ray. Writes the upper bound with its normal, the iterations, and the points of
   * the vertices of the portal; reads and writes its hints.
   *
   * An unrolled kernel: scalars in registers double its speed.
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
    const r00 = T_b_a[0],
      r01 = T_b_a[1],
      r02 = T_b_a[2];
    const r10 = T_b_a[4],
      r11 = T_b_a[5],
      r12 = T_b_a[6];
    const r20 = T_b_a[8],
      r21 = T_b_a[9],
      r22 = T_b_a[10];
    const tx = axesB[6],
      ty = axesB[7],
      tz = axesB[8];
    const pax = centerA[0],
      pay = centerA[1],
      paz = centerA[2];
    const pbx = centerB[0],
      pby = centerB[1],
      pbz = centerB[2];
    const extent = a.outerRadius + b.outerRadius;
    const tolerance = SIDE_ERROR * extent * extent;
    let slot1 = 0;
    let slot2 = STRIDE;
    let slot3 = 2 * STRIDE;
    let free = 3 * STRIDE;
    // Vertices, and the normal of the portal with its height above the center: n·x = s.
    let x1: number, y1: number, z1: number, x2: number, y2: number, z2: number, x3: number, y3: number, z3: number;
    let nx = tx,
      ny = ty,
      nz = tz,
      nt = 1,
      s = 0;
    // Vertices that are still on the inner spheres: bits 0 to 2.
    let inner = 0;
    if (stored !== undefined) {
      x1 = r00 * stored[0] + r01 * stored[1] + r02 * stored[2] - stored[9];
      y1 = r10 * stored[0] + r11 * stored[1] + r12 * stored[2] - stored[10];
      z1 = r20 * stored[0] + r21 * stored[1] + r22 * stored[2] - stored[11];
      x2 = r00 * stored[3] + r01 * stored[4] + r02 * stored[5] - stored[12];
      y2 = r10 * stored[3] + r11 * stored[4] + r12 * stored[5] - stored[13];
      z2 = r20 * stored[3] + r21 * stored[4] + r22 * stored[5] - stored[14];
      x3 = r00 * stored[6] + r01 * stored[7] + r02 * stored[8] - stored[15];
      y3 = r10 * stored[6] + r11 * stored[7] + r12 * stored[8] - stored[16];
      z3 = r20 * stored[6] + r21 * stored[7] + r22 * stored[8] - stored[17];
      // Left of all three edges: t·(xᵢ × xⱼ) > 0.
      if (!(tx * (y1 * z2 - z1 * y2) + ty * (z1 * x2 - x1 * z2) + tz * (x1 * y2 - y1 * x2) > tolerance)) return false;
      if (!(tx * (y2 * z3 - z2 * y3) + ty * (z2 * x3 - x2 * z3) + tz * (x2 * y3 - y2 * x3) > tolerance)) return false;
      if (!(tx * (y3 * z1 - z3 * y1) + ty * (z3 * x1 - x3 * z1) + tz * (x3 * y1 - y3 * x1) > tolerance)) return false;
      const fx = x2 - x1,
        fy = y2 - y1,
        fz = z2 - z1;
      const gx = x3 - x1,
        gy = y3 - y1,
        gz = z3 - z1;
      nx = fy * gz - fz * gy;
      ny = fz * gx - fx * gz;
      nz = fx * gy - fy * gx;
      nt = nx * tx + ny * ty + nz * tz;
      s = nx * x1 + ny * y1 + nz * z1;
      if (!(nt > 0)) return false;
      loadPoints(vertices, stored);
    } else {
      const radius = a.innerRadius + b.innerRadius;
      const vx = SIN_60 * radius * axesB[3],
        vy = SIN_60 * radius * axesB[4],
        vz = SIN_60 * radius * axesB[5];
      x1 = radius * axesB[0];
      y1 = radius * axesB[1];
      z1 = radius * axesB[2];
      x2 = vx - 0.5 * x1;
      y2 = vy - 0.5 * y1;
      z2 = vz - 0.5 * z1;
      x3 = -vx - 0.5 * x1;
      y3 = -vy - 0.5 * y1;
      z3 = -vz - 0.5 * z1;
      inner = 7;
      if (axis !== undefined) {
        nx = axis[0];
        ny = axis[1];
        nz = axis[2];
        nt = nx * tx + ny * ty + nz * tz;
      }
    }
    let upper = Number.POSITIVE_INFINITY;
    let bestX = nx,
      bestY = ny,
      bestZ = nz;
    let { hintA, hintB } = portal;
    let iterations = 0;

    // Runs once, so that the loop in it is not compiled on its own (OSR): calls would enter that code after one step,
    // and no longer count as hot; the function, once deoptimized, would stay so, at three times the time.
    for (let once = 0; once < 1; once++) {
      while (iterations < iterationLimit) {
        iterations++;
        // Support points of A along n and of B against n, relative to the centers, and their difference w.
        const lx = r00 * nx + r10 * ny + r20 * nz;
        const ly = r01 * nx + r11 * ny + r21 * nz;
        const lz = r02 * nx + r12 * ny + r22 * nz;
        let ax: number, ay: number, az: number, bx: number, by: number, bz: number;
        if (verticesA.length > 0) {
          const cell = cellAt(lx, ly, lz, bitsA);
          const end = startA[cell + 1];
          let i = startA[cell];
          hintA = candidatesA[i];
          let highest = verticesA[hintA] * lx + verticesA[hintA + 1] * ly + verticesA[hintA + 2] * lz;
          for (i++; i < end; i++) {
            const k = candidatesA[i];
            const height = verticesA[k] * lx + verticesA[k + 1] * ly + verticesA[k + 2] * lz;
            if (height > highest) {
              highest = height;
              hintA = k;
            }
          }
          ax = verticesA[hintA] - pax;
          ay = verticesA[hintA + 1] - pay;
          az = verticesA[hintA + 2] - paz;
        } else {
          ax = (lx < 0 ? -halfA[0] : halfA[0]) - pax;
          ay = (ly < 0 ? -halfA[1] : halfA[1]) - pay;
          az = (lz < 0 ? -halfA[2] : halfA[2]) - paz;
        }
        if (verticesB.length > 0) {
          const cell = cellAt(-nx, -ny, -nz, bitsB);
          const end = startB[cell + 1];
          let i = startB[cell];
          hintB = candidatesB[i];
          let lowest = verticesB[hintB] * nx + verticesB[hintB + 1] * ny + verticesB[hintB + 2] * nz;
          for (i++; i < end; i++) {
            const k = candidatesB[i];
            const height = verticesB[k] * nx + verticesB[k + 1] * ny + verticesB[k + 2] * nz;
            if (height < lowest) {
              lowest = height;
              hintB = k;
            }
          }
          bx = verticesB[hintB] - pbx;
          by = verticesB[hintB + 1] - pby;
          bz = verticesB[hintB + 2] - pbz;
        } else {
          bx = (nx > 0 ? -halfB[0] : halfB[0]) - pbx;
          by = (ny > 0 ? -halfB[1] : halfB[1]) - pby;
          bz = (nz > 0 ? -halfB[2] : halfB[2]) - pbz;
        }
        const wx = r00 * ax + r01 * ay + r02 * az - bx;
        const wy = r10 * ax + r11 * ay + r12 * az - by;
        const wz = r20 * ax + r21 * ay + r22 * az - bz;

        // t* <= h(n) / n·t
        const height = nx * wx + ny * wy + nz * wz;
        if (height < upper * nt) {
          upper = height / nt;
          bestX = nx;
          bestY = ny;
          bestZ = nz;
        }
        const gain = inner === 7 ? tx * wx + ty * wy + tz * wz : height - s;
        const squared = (wx * wx + wy * wy + wz * wz) * (nx * nx + ny * ny + nz * nz);
        if (!(gain > 0 && gain * gain > MIN_SQUARED_GAIN * squared)) break;

        // e = t × w: the signs of e·xₖ select which of the three triangles of w and an edge of the portal the ray
        // passes through.
        const ex = ty * wz - tz * wy;
        const ey = tz * wx - tx * wz;
        const ez = tx * wy - ty * wx;
        const e1 = x1 * ex + y1 * ey + z1 * ez;
        let leaving: number;
        if (e1 > 0) {
          const e2 = x2 * ex + y2 * ey + z2 * ez;
          if (e1 < tolerance || (e2 < tolerance && e2 > -tolerance)) break;
          leaving = e2 > 0 ? 1 : 3;
        } else {
          const e3 = x3 * ex + y3 * ey + z3 * ez;
          if (e1 > -tolerance || (e3 < tolerance && e3 > -tolerance)) break;
          leaving = e3 > 0 ? 2 : 1;
        }
        vertices[free + POINT_A] = ax;
        vertices[free + POINT_A + 1] = ay;
        vertices[free + POINT_A + 2] = az;
        vertices[free + POINT_B] = bx;
        vertices[free + POINT_B + 1] = by;
        vertices[free + POINT_B + 2] = bz;
        const next = free;
        if (leaving === 1) {
          free = slot1;
          slot1 = next;
          x1 = wx;
          y1 = wy;
          z1 = wz;
          inner &= 6;
        } else if (leaving === 2) {
          free = slot2;
          slot2 = next;
          x2 = wx;
          y2 = wy;
          z2 = wz;
          inner &= 5;
        } else {
          free = slot3;
          slot3 = next;
          x3 = wx;
          y3 = wy;
          z3 = wz;
          inner &= 3;
        }

        // n = (x₂ − x₁) × (x₃ − x₁)
        const fx = x2 - x1,
          fy = y2 - y1,
          fz = z2 - z1;
        const gx = x3 - x1,
          gy = y3 - y1,
          gz = z3 - z1;
        nx = fy * gz - fz * gy;
        ny = fz * gx - fx * gz;
        nz = fx * gy - fy * gx;
        nt = nx * tx + ny * ty + nz * tz;
        s = nx * x1 + ny * y1 + nz * z1;
        if (!(nt > 0) || upper * nt - s <= relativeGap * upper * nt) break;
      }
    }
    if (inner !== 0) setInnerVertices(vertices, inner, slot1, slot2, slot3, axesA, axesB, a, b);
    const scale = 1 / Math.sqrt(bestX * bestX + bestY * bestY + bestZ * bestZ);
    best[0] = bestX * scale;
    best[1] = bestY * scale;
    best[2] = bestZ * scale;
    toRayAxes(best, best, axesB);
    bounds.upper = upper;
    bounds.iterations = iterations;
    portal.hintA = hintA;
    portal.hintB = hintB;
    portal.setOffsets(slot1, slot2, slot3);
    return true;
  }
}
