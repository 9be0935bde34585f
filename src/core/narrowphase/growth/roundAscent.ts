import { create, type Vec3 } from '../../math/vec3.ts';
import { supportInPlace } from '../../shapes/polytope.ts';
import type { ConvexShape } from '../../shapes/shape.ts';
import { iterationLimit } from '../iterationLimits.ts';
import { addSupportCurvature } from '../supportCurvature.ts';
import type { PortalBounds } from './portalBounds.ts';
import { POINT_A, POINT_B, STRIDE, setInnerVertices } from './portalVertices.ts';
import { QuasiNewtonProposal } from './quasiNewtonProposal.ts';

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
 * Raises the portal of a pair with curved surfaces [Thirugnanam26 Alg. 3], in the ray axes u, v, t and in scalars: the
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
   * An unrolled kernel: scalars in registers double its speed. Normals are not normalized without need: each iteration
   * would wait for a square root and a division.
   */
  raise(
    bounds: PortalBounds,
    stored: Float64Array | undefined,
    first: Vec3 | undefined,
    a: ConvexShape,
    b: ConvexShape,
  ): boolean {
    const { directionA, directionB, pointA, pointB, curvature, quasiNewton, n, w } = this;
    const { portal, relativeGap } = bounds;
    const { vertices, axesA, axesB } = portal;
    const isGivenByFunction = a.type === 'support' || b.type === 'support';
    if (isGivenByFunction) quasiNewton.clear();
    const centerA = a.center;
    const centerB = b.center;
    const cax = centerA[0],
      cay = centerA[1],
      caz = centerA[2];
    const cbx = centerB[0],
      cby = centerB[1],
      cbz = centerB[2];
    const marginA = a.margin,
      marginB = b.margin;
    const needsUnit = marginA > 0 || marginB > 0 || isGivenByFunction;
    const sideError = SIDE_ERROR * (a.outerRadius + b.outerRadius);
    let slot1 = 0;
    let slot2 = STRIDE;
    let slot3 = 2 * STRIDE;
    let free = 3 * STRIDE;
    const radius = a.innerRadius + b.innerRadius;
    let u1 = radius,
      v1 = 0,
      t1 = 0;
    let u2 = -0.5 * radius,
      v2 = SIN_60 * radius,
      t2 = 0;
    let u3 = u2,
      v3 = -v2,
      t3 = 0;
    // Vertices that are still on the inner spheres: bits 0 to 2.
    let inner = 7;
    // Normal of the portal, and that of the next evaluation.
    let pu = 0,
      pv = 0,
      pt = 1;
    let lower = 0;
    let nu = 0,
      nv = 0,
      nt = 1;
    let isProposed = false;
    if (stored !== undefined) {
      if (!portal.restore(stored, a, b)) return false;
      u1 = vertices[0];
      v1 = vertices[1];
      t1 = vertices[2];
      u2 = vertices[STRIDE];
      v2 = vertices[STRIDE + 1];
      t2 = vertices[STRIDE + 2];
      u3 = vertices[2 * STRIDE];
      v3 = vertices[2 * STRIDE + 1];
      t3 = vertices[2 * STRIDE + 2];
      inner = 0;
      nu = pu = portal.normal[0];
      nv = pv = portal.normal[1];
      nt = pt = portal.normal[2];
      lower = Math.max(0, portal.height);
    } else if (first !== undefined) {
      const u = first[0],
        v = first[1],
        t = first[2];
      const scale = needsUnit ? 1 / Math.sqrt(u * u + v * v + t * t) : 1;
      nu = u * scale;
      nv = v * scale;
      nt = t * scale;
      isProposed = true;
    }
    let upper = Number.POSITIVE_INFINITY;
    let bestU = 0,
      bestV = 0,
      bestT = 1,
      bestGU = 0,
      bestGV = 0;
    let h0 = 0,
      h1 = 0,
      h2 = 0;
    let { hintA, hintB } = portal;
    let iterations = 0;
    let gap = Number.POSITIVE_INFINITY;
    let pause = 0;
    let nextPause = 1;

    // Runs once: see `PortalAscent`.
    for (let once = 0; once < 1; once++) {
      while (iterations < iterationLimit) {
        iterations++;
        const lax = nu * axesA[0] + nv * axesA[3] + nt * axesA[6];
        const lay = nu * axesA[1] + nv * axesA[4] + nt * axesA[7];
        const laz = nu * axesA[2] + nv * axesA[5] + nt * axesA[8];
        pointA[0] = directionA[0] = lax;
        pointA[1] = directionA[1] = lay;
        pointA[2] = directionA[2] = laz;
        hintA = supportInPlace(pointA, a, hintA);
        const ax = pointA[0] + marginA * lax - cax,
          ay = pointA[1] + marginA * lay - cay,
          az = pointA[2] + marginA * laz - caz;
        const lbx = -(nu * axesB[0] + nv * axesB[3] + nt * axesB[6]);
        const lby = -(nu * axesB[1] + nv * axesB[4] + nt * axesB[7]);
        const lbz = -(nu * axesB[2] + nv * axesB[5] + nt * axesB[8]);
        pointB[0] = directionB[0] = lbx;
        pointB[1] = directionB[1] = lby;
        pointB[2] = directionB[2] = lbz;
        hintB = supportInPlace(pointB, b, hintB);
        const bx = pointB[0] + marginB * lbx - cbx,
          by = pointB[1] + marginB * lby - cby,
          bz = pointB[2] + marginB * lbz - cbz;
        const wu = axesA[0] * ax + axesA[1] * ay + axesA[2] * az - (axesB[0] * bx + axesB[1] * by + axesB[2] * bz);
        const wv = axesA[3] * ax + axesA[4] * ay + axesA[5] * az - (axesB[3] * bx + axesB[4] * by + axesB[5] * bz);
        const wt = axesA[6] * ax + axesA[7] * ay + axesA[8] * az - (axesB[6] * bx + axesB[7] * by + axesB[8] * bz);

        // t* <= h(n) / n·t
        const height = nu * wu + nv * wv + nt * wt;
        if (isGivenByFunction) {
          n[0] = nu;
          n[1] = nv;
          n[2] = nt;
          w[0] = wu;
          w[1] = wv;
          w[2] = wt;
          quasiNewton.update(n, w, 0);
        }
        if (height < upper * nt) {
          upper = height / nt;
          bestU = nu;
          bestV = nv;
          bestT = nt;
          bestGU = wu;
          bestGV = wv;
          curvature[0] = (marginA + marginB) * (1 - nu * nu);
          curvature[1] = -(marginA + marginB) * nu * nv;
          curvature[2] = (marginA + marginB) * (1 - nv * nv);
          addSupportCurvature(curvature, a, directionA, pointA, axesA);
          addSupportCurvature(curvature, b, directionB, pointB, axesB);
          h0 = curvature[0] * nt;
          h1 = curvature[1] * nt;
          h2 = curvature[2] * nt;
        }
        let isHigher = false;
        const gain = pu * (wu - u1) + pv * (wv - v1) + pt * (wt - t1);
        const size = Math.abs(pu) + Math.abs(pv) + Math.abs(pt);
        if (gain > MIN_GAIN * size * (Math.abs(wu) + Math.abs(wv) + Math.abs(wt))) {
          // w × xₖ in the (u, v) plane: the signs select which of the three triangles of w and an edge of the portal
          // the ray passes through.
          const width = Math.abs(wu) + Math.abs(wv);
          const e1 = wu * v1 - wv * u1;
          const e2 = wu * v2 - wv * u2;
          const e3 = wu * v3 - wv * u3;
          const bound1 = sideError * (width + Math.abs(u1) + Math.abs(v1));
          const bound2 = sideError * (width + Math.abs(u2) + Math.abs(v2));
          const bound3 = sideError * (width + Math.abs(u3) + Math.abs(v3));
          let leaving = 0;
          if (e1 > bound1 && e2 > bound2) leaving = 1;
          else if (e1 > bound1 && e2 < -bound2) leaving = 3;
          else if (e1 < -bound1 && e3 > bound3) leaving = 2;
          else if (e1 < -bound1 && e3 < -bound3) leaving = 1;
          else {
            // On an edge of a triangle, to rounding: of the triangles that qualify, the largest.
            let area = 0;
            const area1 = u2 * v3 - v2 * u3 + e2 - e3;
            const area2 = u3 * v1 - v3 * u1 + e3 - e1;
            const area3 = u1 * v2 - v1 * u2 + e1 - e2;
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
              u1 = wu;
              v1 = wv;
              t1 = wt;
              inner &= 6;
            } else if (leaving === 2) {
              free = slot2;
              slot2 = next;
              u2 = wu;
              v2 = wv;
              t2 = wt;
              inner &= 5;
            } else {
              free = slot3;
              slot3 = next;
              u3 = wu;
              v3 = wv;
              t3 = wt;
              inner &= 3;
            }
            const fu = u2 - u1,
              fv = v2 - v1,
              ft = t2 - t1;
            const gu = u3 - u1,
              gv = v3 - v1,
              gt = t3 - t1;
            const cu = fv * gt - ft * gv;
            const cv = ft * gu - fu * gt;
            const ct = fu * gv - fv * gu;
            if (!(ct > 0)) break;
            const scale = needsUnit ? 1 / Math.sqrt(cu * cu + cv * cv + ct * ct) : 1;
            pu = cu * scale;
            pv = cv * scale;
            pt = ct * scale;
            lower = Math.max(lower, (pu * u1 + pv * v1 + pt * t1) / pt);
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
          const determinant = h0 * h2 - h1 * h1;
          const trace = h0 + h2;
          if (determinant > MIN_DETERMINANT * trace * trace) {
            const du = (h2 * bestGU - h1 * bestGV) / determinant;
            const dv = (h0 * bestGV - h1 * bestGU) / determinant;
            const alpha = bestU / bestT - du;
            const beta = bestV / bestT - dv;
            const squared = alpha * alpha + beta * beta + 1;
            if (squared < MAX_SQUARED_NORM) {
              const scale = needsUnit ? 1 / Math.sqrt(squared) : 1;
              nu = alpha * scale;
              nv = beta * scale;
              nt = scale;
              isProposed = true;
            }
          } else if (isGivenByFunction && quasiNewton.propose(n)) {
            nu = n[0];
            nv = n[1];
            nt = n[2];
            isProposed = true;
          }
        }
        if (!isProposed) {
          nu = pu;
          nv = pv;
          nt = pt;
        }
      }
    }
    if (inner !== 0) setInnerVertices(vertices, inner, slot1, slot2, slot3, axesA, axesB, a, b);
    const scale = 1 / Math.sqrt(bestU * bestU + bestV * bestV + bestT * bestT);
    const { best } = bounds;
    best[0] = bestU * scale;
    best[1] = bestV * scale;
    best[2] = bestT * scale;
    bounds.upper = upper;
    bounds.iterations = iterations;
    portal.hintA = hintA;
    portal.hintB = hintB;
    portal.setOffsets(slot1, slot2, slot3);
    return true;
  }
}
