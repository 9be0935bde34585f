import { create, type Vec3 } from '../../math/vec3.ts';
import { supportInPlace } from '../../shapes/polytope.ts';
import type { ConvexShape } from '../../shapes/shape.ts';
import type { PortalBounds } from '../growth/portalBounds.generated.ts';
import { POINT_A, POINT_B, STRIDE, setInnerVertices } from '../growth/portalVertices.generated.ts';
import { QuasiNewtonProposal } from '../growth/quasiNewtonProposal.ts';
import { iterationLimit } from '../iterationLimits.ts';
import { addSupportCurvature } from '../supportCurvature.ts';
import { add, combined, cross, dot, load, neg, rotated, scaled, size, store, sub, vec } from './notation.ts';

/** Smallest gain of a new vertex over the portal, relative to its norm: less may be rounding. */
const MIN_GAIN = 2 * Number.EPSILON;
/** Rounding error of a cross product of two points in the (u, v) plane, relative to extent times their norms. */
const SIDE_ERROR = 4 * Number.EPSILON;
const SIN_60 = 0.8660254037844386;
/** Squared norm of a proposed normal (α, β, 1): the planes of longer ones intersect the ray too far. */
const MAX_SQUARED_NORM = 1e6;
/** A proposed normal is successful if it shrinks the difference of the bounds to at most this fraction. */
const SUFFICIENT_DECREASE = 0.3;
/** Limit of iterations along the portal normal before a proposal is tried again. */
const MAX_PAUSE = 8;
/** Smallest determinant of second derivatives, relative to their squared trace, that Newton's method divides by. */
const MIN_DETERMINANT = 1e-12;

/**
 * Raises the portal of a pair with curved surfaces [Thirugnanam26 Alg. 3], in the ray axes u, v, t: the
 * fast part of the growth distance, as `PortalAscent` is for polytopes. Besides portal normals it evaluates proposed
 * ones. The support plane with slopes (α, β), normal (α, β, 1), intersects the ray at the height U(α, β) = h(α, β, 1),
 * h the support function. U is convex, its gradient is (u, v) of the support point, and its minimum is the height
 * sought: Newton's method with the second derivatives of h finds it where U is smooth, BFGS if a shape is given by its
 * support function. Proposals only order the work: bounds follow from the support points that they lead to.
 */
export class RoundAscent {
  private readonly directionA: Vec3 = create();
  private readonly directionB: Vec3 = create();
  private readonly pointA: Vec3 = create();
  private readonly pointB: Vec3 = create();
  private readonly curvature = new Float64Array(3);
  private readonly n: Vec3 = create();
  private readonly w: Vec3 = create();
  private readonly quasiNewton = new QuasiNewtonProposal();

  /**
   * Raises the portal until the bounds agree, or until a sign is within rounding. Starts from the inner spheres, or
   * from `stored`, the points of an earlier portal in the format of `PairCache.simplexPoints`; returns false if the ray
   * does not surely pass through those. From the inner spheres, `first` may give the first normal, in u, v, t, of any
   * length, less than 90° from the ray. Writes the upper bound with its normal, the iterations, and the points of the
   * vertices of the portal; reads and writes its hints.
   *
   * Normals are not normalized without need: each iteration would wait for a square root and a division.
   */
  raise(
    bounds: PortalBounds,
    stored: Float64Array | undefined,
    first: Vec3 | undefined,
    a: ConvexShape,
    b: ConvexShape,
  ): boolean {
    const { directionA, directionB, pointA, pointB, curvature, quasiNewton, n: normal, w: point } = this;
    const { portal, relativeGap } = bounds;
    const { vertices, axesA, axesB } = portal;
    const isGivenByFunction = a.type === 'support' || b.type === 'support';
    if (isGivenByFunction) quasiNewton.clear();
    const cA = load(a.center);
    const cB = load(b.center);
    const marginA = a.margin;
    const marginB = b.margin;
    const needsUnit = marginA > 0 || marginB > 0 || isGivenByFunction;
    const sideError = SIDE_ERROR * (a.outerRadius + b.outerRadius);
    let slot1 = 0;
    let slot2 = STRIDE;
    let slot3 = 2 * STRIDE;
    let free = 3 * STRIDE;
    const radius = a.innerRadius + b.innerRadius;
    let x1 = vec(radius, 0, 0);
    let x2 = vec(-0.5 * radius, SIN_60 * radius, 0);
    let x3 = vec(x2[0], -x2[1], 0);
    // Vertices that are still on the inner spheres: bits 0 to 2.
    let inner = 7;
    // Normal of the portal, and that of the next evaluation.
    let p = vec(0, 0, 1);
    let n = vec(0, 0, 1);
    let lower = 0;
    let isProposed = false;
    if (stored !== undefined) {
      if (!portal.restore(stored, a, b)) return false;
      x1 = load(vertices, 0);
      x2 = load(vertices, STRIDE);
      x3 = load(vertices, 2 * STRIDE);
      inner = 0;
      p = load(portal.normal);
      n = p;
      lower = Math.max(0, portal.height);
    } else if (first !== undefined) {
      const given = load(first);
      const scale = needsUnit ? 1 / Math.sqrt(dot(given, given)) : 1;
      n = scaled(scale, given);
      isProposed = true;
    }
    let upper = Number.POSITIVE_INFINITY;
    // The lowest support plane: its normal, the gradient of U there, and the second derivatives.
    let best = vec(0, 0, 1);
    let bestGU = 0;
    let bestGV = 0;
    let h = vec(0, 0, 0);
    let { hintA, hintB } = portal;
    let iterations = 0;
    let gap = Number.POSITIVE_INFINITY;
    let pause = 0;
    let nextPause = 1;

    // Runs once: see `PortalAscent`.
    for (let once = 0; once < 1; once++) {
      while (iterations < iterationLimit) {
        iterations++;
        // Support points of A along n and of B against n, relative to the centers, and their difference w.
        const lA = combined(n, load(axesA, 0), load(axesA, 3), load(axesA, 6));
        store(directionA, 0, lA);
        store(pointA, 0, lA);
        hintA = supportInPlace(pointA, a, hintA);
        const pA = sub(add(load(pointA), scaled(marginA, lA)), cA);
        const lB = neg(combined(n, load(axesB, 0), load(axesB, 3), load(axesB, 6)));
        store(directionB, 0, lB);
        store(pointB, 0, lB);
        hintB = supportInPlace(pointB, b, hintB);
        const pB = sub(add(load(pointB), scaled(marginB, lB)), cB);
        const w = sub(
          rotated(load(axesA, 0), load(axesA, 3), load(axesA, 6), pA),
          rotated(load(axesB, 0), load(axesB, 3), load(axesB, 6), pB),
        );

        // t* <= h(n) / n·t
        const height = dot(n, w);
        if (isGivenByFunction) {
          store(normal, 0, n);
          store(point, 0, w);
          quasiNewton.update(normal, point, 0);
        }
        if (height < upper * n[2]) {
          upper = height / n[2];
          best = n;
          bestGU = w[0];
          bestGV = w[1];
          curvature[0] = (marginA + marginB) * (1 - n[0] * n[0]);
          curvature[1] = -(marginA + marginB) * n[0] * n[1];
          curvature[2] = (marginA + marginB) * (1 - n[1] * n[1]);
          addSupportCurvature(curvature, a, directionA, pointA, axesA);
          addSupportCurvature(curvature, b, directionB, pointB, axesB);
          h = scaled(n[2], load(curvature));
        }
        let isHigher = false;
        const gain = dot(p, sub(w, x1));
        if (gain > MIN_GAIN * size(p) * size(w)) {
          // w × xₖ in the (u, v) plane: the signs select which of the three triangles of w and an edge of the portal
          // the ray passes through.
          const width = Math.abs(w[0]) + Math.abs(w[1]);
          const e1 = w[0] * x1[1] - w[1] * x1[0];
          const e2 = w[0] * x2[1] - w[1] * x2[0];
          const e3 = w[0] * x3[1] - w[1] * x3[0];
          const bound1 = sideError * (width + Math.abs(x1[0]) + Math.abs(x1[1]));
          const bound2 = sideError * (width + Math.abs(x2[0]) + Math.abs(x2[1]));
          const bound3 = sideError * (width + Math.abs(x3[0]) + Math.abs(x3[1]));
          let leaving = 0;
          if (e1 > bound1 && e2 > bound2) leaving = 1;
          else if (e1 > bound1 && e2 < -bound2) leaving = 3;
          else if (e1 < -bound1 && e3 > bound3) leaving = 2;
          else if (e1 < -bound1 && e3 < -bound3) leaving = 1;
          else {
            // On an edge of a triangle, to rounding: of the triangles that qualify, the largest.
            let area = 0;
            const area1 = x2[0] * x3[1] - x2[1] * x3[0] + e2 - e3;
            const area2 = x3[0] * x1[1] - x3[1] * x1[0] + e3 - e1;
            const area3 = x1[0] * x2[1] - x1[1] * x2[0] + e1 - e2;
            if (e2 >= -bound2 && e3 <= bound3 && area1 > area) {
              leaving = 1;
              area = area1;
            }
            if (e3 >= -bound3 && e1 <= bound1 && area2 > area) {
              leaving = 2;
              area = area2;
            }
            if (e1 >= -bound1 && e2 <= bound2 && area3 > area) leaving = 3;
          }
          if (leaving !== 0) {
            isHigher = true;
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
            const c = cross(sub(x2, x1), sub(x3, x1));
            if (!(c[2] > 0)) break;
            const scale = needsUnit ? 1 / Math.sqrt(dot(c, c)) : 1;
            p = scaled(scale, c);
            lower = Math.max(lower, dot(p, x1) / p[2]);
          }
        }
        if (!isHigher && !isProposed) break;
        const nextGap = upper - lower;
        if (nextGap <= relativeGap * upper) break;
        if (!isProposed) pause = pause > 0 ? pause - 1 : 0;
        else if (nextGap <= SUFFICIENT_DECREASE * gap) nextPause = 1;
        else {
          pause = nextPause;
          nextPause = Math.min(2 * nextPause, MAX_PAUSE);
        }
        gap = nextGap;
        // A proposal without sufficient decrease is followed by iterations along the portal normal, which always gain;
        // their number doubles with each such proposal.
        isProposed = false;
        if (pause === 0) {
          // (α, β) ← (α, β) − H⁻¹ (u, v)
          const determinant = h[0] * h[2] - h[1] * h[1];
          const trace = h[0] + h[2];
          if (determinant > MIN_DETERMINANT * trace * trace) {
            const du = (h[2] * bestGU - h[1] * bestGV) / determinant;
            const dv = (h[0] * bestGV - h[1] * bestGU) / determinant;
            const alpha = best[0] / best[2] - du;
            const beta = best[1] / best[2] - dv;
            const squared = alpha * alpha + beta * beta + 1;
            if (squared < MAX_SQUARED_NORM) {
              const scale = needsUnit ? 1 / Math.sqrt(squared) : 1;
              n = vec(alpha * scale, beta * scale, scale);
              isProposed = true;
            }
          } else if (isGivenByFunction && quasiNewton.propose(normal)) {
            n = load(normal);
            isProposed = true;
          }
        }
        if (!isProposed) n = p;
      }
    }
    if (inner !== 0) setInnerVertices(vertices, inner, slot1, slot2, slot3, axesA, axesB, a, b);
    const scale = 1 / Math.sqrt(dot(best, best));
    const { best: out } = bounds;
    store(out, 0, scaled(scale, best));
    bounds.upper = upper;
    bounds.iterations = iterations;
    portal.hintA = hintA;
    portal.hintB = hintB;
    portal.setOffsets(slot1, slot2, slot3);
    return true;
  }
}
