// Expanded from ../kernels/roundAscent.ts by `node scripts/kernels.mjs`: edit it there.
import { create, type Vec3 } from '../../math/vec3.ts';
import { supportInPlace } from '../../shapes/polytope.ts';
import type { ConvexShape } from '../../shapes/shape.ts';
import { iterationLimit } from '../iterationLimits.ts';
import { addSupportCurvature } from '../supportCurvature.ts';
import type { PortalBounds } from './portalBounds.generated.ts';
import { POINT_A, POINT_B, STRIDE, setInnerVertices } from './portalVertices.generated.ts';
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
    const cAX = a.center[0],
      cAY = a.center[1],
      cAZ = a.center[2];
    const cBX = b.center[0],
      cBY = b.center[1],
      cBZ = b.center[2];
    const marginA = a.margin;
    const marginB = b.margin;
    const needsUnit = marginA > 0 || marginB > 0 || isGivenByFunction;
    const sideError = SIDE_ERROR * (a.outerRadius + b.outerRadius);
    let slot1 = 0;
    let slot2 = STRIDE;
    let slot3 = 2 * STRIDE;
    let free = 3 * STRIDE;
    const radius = a.innerRadius + b.innerRadius;
    let x1X = radius,
      x1Y = 0,
      x1Z = 0;
    let x2X = -0.5 * radius,
      x2Y = SIN_60 * radius,
      x2Z = 0;
    let x3X = x2X,
      x3Y = -x2Y,
      x3Z = 0;
    // Vertices that are still on the inner spheres: bits 0 to 2.
    let inner = 7;
    // Normal of the portal, and that of the next evaluation.
    let pX = 0,
      pY = 0,
      pZ = 1;
    let nX = 0,
      nY = 0,
      nZ = 1;
    let lower = 0;
    let isProposed = false;
    if (stored !== undefined) {
      if (!portal.restore(stored, a, b)) return false;
      x1X = vertices[0];
      x1Y = vertices[1];
      x1Z = vertices[2];
      x2X = vertices[STRIDE];
      x2Y = vertices[STRIDE + 1];
      x2Z = vertices[STRIDE + 2];
      x3X = vertices[2 * STRIDE];
      x3Y = vertices[2 * STRIDE + 1];
      x3Z = vertices[2 * STRIDE + 2];
      inner = 0;
      pX = portal.normal[0];
      pY = portal.normal[1];
      pZ = portal.normal[2];
      nX = pX;
      nY = pY;
      nZ = pZ;
      lower = Math.max(0, portal.height);
    } else if (first !== undefined) {
      const givenX = first[0],
        givenY = first[1],
        givenZ = first[2];
      const scale = needsUnit ? 1 / Math.sqrt(givenX * givenX + givenY * givenY + givenZ * givenZ) : 1;
      nX = scale * givenX;
      nY = scale * givenY;
      nZ = scale * givenZ;
      isProposed = true;
    }
    let upper = Number.POSITIVE_INFINITY;
    // The lowest support plane: its normal, the gradient of U there, and the second derivatives.
    let bestX = 0,
      bestY = 0,
      bestZ = 1;
    let bestGU = 0;
    let bestGV = 0;
    let hX = 0,
      hY = 0,
      hZ = 0;
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
        const lAX = nX * axesA[0] + nY * axesA[3] + nZ * axesA[6],
          lAY = nX * axesA[1] + nY * axesA[4] + nZ * axesA[7],
          lAZ = nX * axesA[2] + nY * axesA[5] + nZ * axesA[8];
        directionA[0] = lAX;
        directionA[1] = lAY;
        directionA[2] = lAZ;
        pointA[0] = lAX;
        pointA[1] = lAY;
        pointA[2] = lAZ;
        hintA = supportInPlace(pointA, a, hintA);
        const pAX = pointA[0] + marginA * lAX - cAX,
          pAY = pointA[1] + marginA * lAY - cAY,
          pAZ = pointA[2] + marginA * lAZ - cAZ;
        const lBX = -(nX * axesB[0] + nY * axesB[3] + nZ * axesB[6]),
          lBY = -(nX * axesB[1] + nY * axesB[4] + nZ * axesB[7]),
          lBZ = -(nX * axesB[2] + nY * axesB[5] + nZ * axesB[8]);
        directionB[0] = lBX;
        directionB[1] = lBY;
        directionB[2] = lBZ;
        pointB[0] = lBX;
        pointB[1] = lBY;
        pointB[2] = lBZ;
        hintB = supportInPlace(pointB, b, hintB);
        const pBX = pointB[0] + marginB * lBX - cBX,
          pBY = pointB[1] + marginB * lBY - cBY,
          pBZ = pointB[2] + marginB * lBZ - cBZ;
        const wX =
            axesA[0] * pAX + axesA[1] * pAY + axesA[2] * pAZ - (axesB[0] * pBX + axesB[1] * pBY + axesB[2] * pBZ),
          wY = axesA[3] * pAX + axesA[4] * pAY + axesA[5] * pAZ - (axesB[3] * pBX + axesB[4] * pBY + axesB[5] * pBZ),
          wZ = axesA[6] * pAX + axesA[7] * pAY + axesA[8] * pAZ - (axesB[6] * pBX + axesB[7] * pBY + axesB[8] * pBZ);

        // t* <= h(n) / n·t
        const height = nX * wX + nY * wY + nZ * wZ;
        if (isGivenByFunction) {
          normal[0] = nX;
          normal[1] = nY;
          normal[2] = nZ;
          point[0] = wX;
          point[1] = wY;
          point[2] = wZ;
          quasiNewton.update(normal, point, 0);
        }
        if (height < upper * nZ) {
          upper = height / nZ;
          bestX = nX;
          bestY = nY;
          bestZ = nZ;
          bestGU = wX;
          bestGV = wY;
          curvature[0] = (marginA + marginB) * (1 - nX * nX);
          curvature[1] = -(marginA + marginB) * nX * nY;
          curvature[2] = (marginA + marginB) * (1 - nY * nY);
          addSupportCurvature(curvature, a, directionA, pointA, axesA);
          addSupportCurvature(curvature, b, directionB, pointB, axesB);
          hX = nZ * curvature[0];
          hY = nZ * curvature[1];
          hZ = nZ * curvature[2];
        }
        let isHigher = false;
        const gain = pX * (wX - x1X) + pY * (wY - x1Y) + pZ * (wZ - x1Z);
        if (
          gain >
          MIN_GAIN * (Math.abs(pX) + Math.abs(pY) + Math.abs(pZ)) * (Math.abs(wX) + Math.abs(wY) + Math.abs(wZ))
        ) {
          // w × xₖ in the (u, v) plane: the signs select which of the three triangles of w and an edge of the portal
          // the ray passes through.
          const width = Math.abs(wX) + Math.abs(wY);
          const e1 = wX * x1Y - wY * x1X;
          const e2 = wX * x2Y - wY * x2X;
          const e3 = wX * x3Y - wY * x3X;
          const bound1 = sideError * (width + Math.abs(x1X) + Math.abs(x1Y));
          const bound2 = sideError * (width + Math.abs(x2X) + Math.abs(x2Y));
          const bound3 = sideError * (width + Math.abs(x3X) + Math.abs(x3Y));
          let leaving = 0;
          if (e1 > bound1 && e2 > bound2) leaving = 1;
          else if (e1 > bound1 && e2 < -bound2) leaving = 3;
          else if (e1 < -bound1 && e3 > bound3) leaving = 2;
          else if (e1 < -bound1 && e3 < -bound3) leaving = 1;
          else {
            // On an edge of a triangle, to rounding: of the triangles that qualify, the largest.
            let area = 0;
            const area1 = x2X * x3Y - x2Y * x3X + e2 - e3;
            const area2 = x3X * x1Y - x3Y * x1X + e3 - e1;
            const area3 = x1X * x2Y - x1Y * x2X + e1 - e2;
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
            const cX = (x2Y - x1Y) * (x3Z - x1Z) - (x2Z - x1Z) * (x3Y - x1Y),
              cY = (x2Z - x1Z) * (x3X - x1X) - (x2X - x1X) * (x3Z - x1Z),
              cZ = (x2X - x1X) * (x3Y - x1Y) - (x2Y - x1Y) * (x3X - x1X);
            if (!(cZ > 0)) break;
            const scale = needsUnit ? 1 / Math.sqrt(cX * cX + cY * cY + cZ * cZ) : 1;
            pX = scale * cX;
            pY = scale * cY;
            pZ = scale * cZ;
            lower = Math.max(lower, (pX * x1X + pY * x1Y + pZ * x1Z) / pZ);
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
          const determinant = hX * hZ - hY * hY;
          const trace = hX + hZ;
          if (determinant > MIN_DETERMINANT * trace * trace) {
            const du = (hZ * bestGU - hY * bestGV) / determinant;
            const dv = (hX * bestGV - hY * bestGU) / determinant;
            const alpha = bestX / bestZ - du;
            const beta = bestY / bestZ - dv;
            const squared = alpha * alpha + beta * beta + 1;
            if (squared < MAX_SQUARED_NORM) {
              const scale = needsUnit ? 1 / Math.sqrt(squared) : 1;
              nX = alpha * scale;
              nY = beta * scale;
              nZ = scale;
              isProposed = true;
            }
          } else if (isGivenByFunction && quasiNewton.propose(normal)) {
            nX = normal[0];
            nY = normal[1];
            nZ = normal[2];
            isProposed = true;
          }
        }
        if (!isProposed) {
          nX = pX;
          nY = pY;
          nZ = pZ;
        }
      }
    }
    if (inner !== 0) setInnerVertices(vertices, inner, slot1, slot2, slot3, axesA, axesB, a, b);
    const scale = 1 / Math.sqrt(bestX * bestX + bestY * bestY + bestZ * bestZ);
    const { best: out } = bounds;
    out[0] = scale * bestX;
    out[1] = scale * bestY;
    out[2] = scale * bestZ;
    bounds.upper = upper;
    bounds.iterations = iterations;
    portal.hintA = hintA;
    portal.hintB = hintB;
    portal.setOffsets(slot1, slot2, slot3);
    return true;
  }
}
