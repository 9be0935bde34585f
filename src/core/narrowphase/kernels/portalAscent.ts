import type { Transform } from '../../math/transform.ts';
import type { Vec3 } from '../../math/vec3.ts';
import { cellAt } from '../../shapes/directionCells.ts';
import type { ConvexShape } from '../../shapes/shape.ts';
import type { PortalBounds } from '../growth/portalBounds.generated.ts';
import { loadPoints, POINT_A, POINT_B, STRIDE, setInnerVertices } from '../growth/portalVertices.generated.ts';
import { toRayAxes } from '../growth/rayAxes.generated.ts';
import { iterationLimit } from '../iterationLimits.ts';
import { combined, cross, dot, load, neg, rotated, scaled, store, sub, type V, vec } from './notation.ts';

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
    const r0 = load(T_b_a, 0);
    const r1 = load(T_b_a, 4);
    const r2 = load(T_b_a, 8);
    const t = load(axesB, 6);
    const cA = load(centerA);
    const cB = load(centerB);
    const extent = a.outerRadius + b.outerRadius;
    const tolerance = SIDE_ERROR * extent * extent;
    let slot1 = 0;
    let slot2 = STRIDE;
    let slot3 = 2 * STRIDE;
    let free = 3 * STRIDE;
    // Vertices, and the normal of the portal with its height above the center: n·x = s.
    let x1: V;
    let x2: V;
    let x3: V;
    let n = t;
    let nt = 1;
    let s = 0;
    // Vertices that are still on the inner spheres: bits 0 to 2.
    let inner = 0;
    if (stored !== undefined) {
      x1 = sub(rotated(r0, r1, r2, load(stored, 0)), load(stored, 9));
      x2 = sub(rotated(r0, r1, r2, load(stored, 3)), load(stored, 12));
      x3 = sub(rotated(r0, r1, r2, load(stored, 6)), load(stored, 15));
      // Left of all three edges: t·(xᵢ × xⱼ) > 0.
      if (!(dot(t, cross(x1, x2)) > tolerance)) return false;
      if (!(dot(t, cross(x2, x3)) > tolerance)) return false;
      if (!(dot(t, cross(x3, x1)) > tolerance)) return false;
      n = cross(sub(x2, x1), sub(x3, x1));
      nt = dot(n, t);
      s = dot(n, x1);
      if (!(nt > 0)) return false;
      loadPoints(vertices, stored);
    } else {
      const radius = a.innerRadius + b.innerRadius;
      const v = scaled(SIN_60 * radius, load(axesB, 3));
      x1 = scaled(radius, load(axesB, 0));
      x2 = sub(v, scaled(0.5, x1));
      x3 = sub(neg(v), scaled(0.5, x1));
      inner = 7;
      if (axis !== undefined) {
        n = load(axis);
        nt = dot(n, t);
      }
    }
    let upper = Number.POSITIVE_INFINITY;
    let lowest = n; // of the support planes
    let { hintA, hintB } = portal;
    let iterations = 0;

    // Runs once, so that the loop in it is not compiled on its own (OSR): calls would enter that code after one step,
    // and no longer count as hot; the function, once deoptimized, would stay so, at three times the time.
    for (let once = 0; once < 1; once++) {
      while (iterations < iterationLimit) {
        iterations++;
        // Support points of A along n and of B against n, relative to the centers, and their difference w.
        const l = combined(n, r0, r1, r2);
        let pA: V;
        let pB: V;
        if (verticesA.length > 0) {
          const cell = cellAt(l[0], l[1], l[2], bitsA);
          const end = startA[cell + 1];
          let i = startA[cell];
          hintA = candidatesA[i];
          let highest = dot(load(verticesA, hintA), l);
          for (i++; i < end; i++) {
            const k = candidatesA[i];
            const height = dot(load(verticesA, k), l);
            if (height > highest) {
              highest = height;
              hintA = k;
            }
          }
          pA = sub(load(verticesA, hintA), cA);
        } else {
          pA = vec(l[0] < 0 ? -halfA[0] : halfA[0], l[1] < 0 ? -halfA[1] : halfA[1], l[2] < 0 ? -halfA[2] : halfA[2]);
          pA = sub(pA, cA);
        }
        if (verticesB.length > 0) {
          const cell = cellAt(-n[0], -n[1], -n[2], bitsB);
          const end = startB[cell + 1];
          let i = startB[cell];
          hintB = candidatesB[i];
          let least = dot(load(verticesB, hintB), n);
          for (i++; i < end; i++) {
            const k = candidatesB[i];
            const height = dot(load(verticesB, k), n);
            if (height < least) {
              least = height;
              hintB = k;
            }
          }
          pB = sub(load(verticesB, hintB), cB);
        } else {
          pB = vec(n[0] > 0 ? -halfB[0] : halfB[0], n[1] > 0 ? -halfB[1] : halfB[1], n[2] > 0 ? -halfB[2] : halfB[2]);
          pB = sub(pB, cB);
        }
        const w = sub(rotated(r0, r1, r2, pA), pB);

        // t* <= h(n) / n·t
        const height = dot(n, w);
        if (height < upper * nt) {
          upper = height / nt;
          lowest = n;
        }
        const gain = inner === 7 ? dot(t, w) : height - s;
        const squared = dot(w, w) * dot(n, n);
        if (!(gain > 0 && gain * gain > MIN_SQUARED_GAIN * squared)) break;

        // e = t × w: the signs of e·xₖ select which of the three triangles of w and an edge of the portal the ray
        // passes through.
        const e = cross(t, w);
        const e1 = dot(x1, e);
        let leaving: number;
        if (e1 > 0) {
          const e2 = dot(x2, e);
          if (e1 < tolerance || (e2 < tolerance && e2 > -tolerance)) break;
          leaving = e2 > 0 ? 1 : 3;
        } else {
          const e3 = dot(x3, e);
          if (e1 > -tolerance || (e3 < tolerance && e3 > -tolerance)) break;
          leaving = e3 > 0 ? 2 : 1;
        }
        store(vertices, free + POINT_A, pA);
        store(vertices, free + POINT_B, pB);
        const next = free;
        if (leaving === 1) {
          free = slot1;
          slot1 = next;
          x1 = w;
          inner &= 6;
        } else if (leaving === 2) {
          free = slot2;
          slot2 = next;
          x2 = w;
          inner &= 5;
        } else {
          free = slot3;
          slot3 = next;
          x3 = w;
          inner &= 3;
        }

        // n = (x₂ − x₁) × (x₃ − x₁)
        n = cross(sub(x2, x1), sub(x3, x1));
        nt = dot(n, t);
        s = dot(n, x1);
        if (!(nt > 0) || upper * nt - s <= relativeGap * upper * nt) break;
      }
    }
    if (inner !== 0) setInnerVertices(vertices, inner, slot1, slot2, slot3, axesA, axesB, a, b);
    const scale = 1 / Math.sqrt(dot(lowest, lowest));
    store(best, 0, scaled(scale, lowest));
    toRayAxes(best, best, axesB);
    bounds.upper = upper;
    bounds.iterations = iterations;
    portal.hintA = hintA;
    portal.hintB = hintB;
    portal.setOffsets(slot1, slot2, slot3);
    return true;
  }
}
