// Expanded from ../kernels/growthDistanceCheck.ts by `node scripts/kernels.mjs`: edit it there.
import type { Transform } from '../../math/transform.ts';
import { create, type Vec3 } from '../../math/vec3.ts';
import { isHalfspace } from '../../shapes/halfspace.ts';
import { supportVertex } from '../../shapes/polytope.ts';
import type { ConvexShape } from '../../shapes/shape.ts';
import { Gjk } from '../gjk/gjk.ts';
import { checkHalfspace } from '../halfspaceCheck.ts';
import { roundoff } from '../iterationLimits.ts';
import { cachedPlaneSeparates } from '../separatingPlaneCache.generated.ts';
import { type Checker, type CheckerDefinition, COLLIDING, type PairCache, SEPARATED, type Verdict } from '../solver.ts';
import { cachedSimplexContainsOrigin, PortalRecord, storeSimplex } from './primalWarmStart.generated.ts';

/** Iterations after which GJK takes over. Twenty are rare, on rounded shapes that just touch. */
const ITERATION_LIMIT = 64;
/** Rounding error of a triple product x·(y × z), relative to the product of the three lengths. */
const SIGN_ERROR = 16 * Number.EPSILON;
const SIN_60 = 0.8660254037844386;

/**
 * Boolean check by growth distance with early termination [Thirugnanam26 §III-F.4]. Let M = A ⊖ B, rounded by the
 * margins, and p = (centre of A − centre of B). The shapes intersect if and only if M contains the origin. The ray from
 * p to the origin leaves M through a portal, a triangle x₁ x₂ x₃ of points of M:
 *
 *            x₁
 *       p ── ╱ ╲ ─────►  origin          origin inside the portal: COLLIDING, it is in the simplex p x₁ x₂ x₃
 *          x₂───x₃                       origin beyond the support plane along the portal normal n: SEPARATED
 *
 * Otherwise the support point along n replaces a vertex, such that the ray still passes through the portal. Most checks
 * terminate after two iterations.
 *
 * Every sign that COLLIDING depends on is compared with its rounding error. GJK decides if a sign is uncertain, if
 * neither shape has an interior to start from, and if contact is too close for planes.
 */
export class GrowthDistanceCheck implements Checker {
  iterations = 0;
  private readonly gjk = new Gjk();
  private readonly d: Vec3 = create();
  private readonly record = new PortalRecord(ITERATION_LIMIT);

  check(a: ConvexShape, T_b_a: Transform, b: ConvexShape, minDistance: number, cache: PairCache): Verdict {
    if (isHalfspace(a) || isHalfspace(b)) return checkHalfspace(a, T_b_a, b, minDistance, cache);
    if (cache.hasAxis) {
      this.iterations++;
      if (cachedPlaneSeparates(a, T_b_a, b, minDistance, cache)) return SEPARATED;
    }
    if (
      !cache.hasAxis &&
      cache.simplexShapeA === a &&
      cache.simplexShapeB === b &&
      cachedSimplexContainsOrigin(a, T_b_a, b, cache)
    ) {
      return COLLIDING;
    }

    const r0X = T_b_a[0],
      r0Y = T_b_a[1],
      r0Z = T_b_a[2];
    const r1X = T_b_a[4],
      r1Y = T_b_a[5],
      r1Z = T_b_a[6];
    const r2X = T_b_a[8],
      r2Y = T_b_a[9],
      r2Z = T_b_a[10];
    const tX = T_b_a[3],
      tY = T_b_a[7],
      tZ = T_b_a[11];
    const { d, record } = this;
    const { points } = record;
    const verticesA = a.vertices;
    const verticesB = b.vertices;
    const rounding = a.margin + b.margin + minDistance;
    let hintA = -1; // cold start: among equally far vertices the support vertex must not depend on the last query
    let hintB = -1;
    // All points below are relative to p: M − p contains 0; the check is whether it contains o = −p.
    const centerAX = a.center[0],
      centerAY = a.center[1],
      centerAZ = a.center[2];
    const cX = r0X * centerAX + r0Y * centerAY + r0Z * centerAZ + tX - b.center[0],
      cY = r1X * centerAX + r1Y * centerAY + r1Z * centerAZ + tY - b.center[1],
      cZ = r2X * centerAX + r2Y * centerAY + r2Z * centerAZ + tZ - b.center[2];
    const oX = -cX,
      oY = -cY,
      oZ = -cZ;
    const centerDistance = Math.sqrt(oX * oX + oY * oY + oZ * oZ);
    const inner = a.innerRadius + b.innerRadius + minDistance;
    if (!(inner > 0) || a.innerRadius < 0 || b.innerRadius < 0)
      return this.decideByGjk(a, T_b_a, b, minDistance, cache);
    if (centerDistance <= inner) {
      this.iterations++;
      return this.store(cache, hintA, hintB, COLLIDING);
    }
    // First normal: along the ray. First portal: an equilateral triangle about p, orthogonal to the ray, in a sphere
    // inside M.
    let nX = oX / centerDistance,
      nY = oY / centerDistance,
      nZ = oZ / centerDistance;
    const isSteep = Math.abs(nX) > 0.57;
    const uX = isSteep ? nY : 0,
      uY = isSteep ? -nX : nZ,
      uZ = isSteep ? 0 : -nY;
    const s = inner / Math.sqrt(uX * uX + uY * uY + uZ * uZ);
    let x1X = s * uX,
      x1Y = s * uY,
      x1Z = s * uZ;
    const vX = SIN_60 * (nY * x1Z - nZ * x1Y),
      vY = SIN_60 * (nZ * x1X - nX * x1Z),
      vZ = SIN_60 * (nX * x1Y - nY * x1X);
    let x2X = vX - 0.5 * x1X,
      x2Y = vY - 0.5 * x1Y,
      x2Z = vZ - 0.5 * x1Z;
    let x3X = -vX - 0.5 * x1X,
      x3Y = -vY - 0.5 * x1Y,
      x3Z = -vZ - 0.5 * x1Z;
    let from1 = -1; // the iterations that the vertices are from; -1: the inner sphere
    let from2 = -1;
    let from3 = -1;
    const maxNorm = a.outerRadius + b.outerRadius + minDistance; // bound on the norm of points of M − p
    // rounding error of a triple product of o and two points of M − p
    const signError = SIGN_ERROR * maxNorm * maxNorm * centerDistance;
    let isCertain = true;

    for (let iteration = 0; iteration < ITERATION_LIMIT; iteration++) {
      // Support points of A along n and of B against n.
      const lX = nX * r0X + nY * r1X + nZ * r2X,
        lY = nX * r0Y + nY * r1Y + nZ * r2Y,
        lZ = nX * r0Z + nY * r1Z + nZ * r2Z;
      d[0] = lX;
      d[1] = lY;
      d[2] = lZ;
      let pAX: number, pAY: number, pAZ: number;
      if (verticesA.length > 0) {
        hintA = supportVertex(a, d);
        pAX = verticesA[hintA];
        pAY = verticesA[hintA + 1];
        pAZ = verticesA[hintA + 2];
      } else {
        a.support(d, a, d, hintA);
        pAX = d[0];
        pAY = d[1];
        pAZ = d[2];
      }
      d[0] = -nX;
      d[1] = -nY;
      d[2] = -nZ;
      let pBX: number, pBY: number, pBZ: number;
      if (verticesB.length > 0) {
        hintB = supportVertex(b, d);
        pBX = verticesB[hintB];
        pBY = verticesB[hintB + 1];
        pBZ = verticesB[hintB + 2];
      } else {
        b.support(d, b, d, hintB);
        pBX = d[0];
        pBY = d[1];
        pBZ = d[2];
      }
      let wX = r0X * pAX + r0Y * pAY + r0Z * pAZ + tX - pBX,
        wY = r1X * pAX + r1Y * pAY + r1Z * pAZ + tY - pBY,
        wZ = r2X * pAX + r2Y * pAY + r2Z * pAZ + tZ - pBZ;

      // Origin beyond the support plane: separated, if by more than rounding.
      const along = nX * wX + nY * wY + nZ * wZ;
      if (along + rounding < 0) {
        const s = 1 / Math.sqrt(nX * nX + nY * nY + nZ * nZ);
        const gap = -along * s - a.margin - b.margin;
        const translationAndA =
          Math.abs(tX) + Math.abs(tY) + Math.abs(tZ) + Math.abs(pAX) + Math.abs(pAY) + Math.abs(pAZ);
        const extent = translationAndA + Math.abs(pBX) + Math.abs(pBY) + Math.abs(pBZ);
        if (gap > minDistance + roundoff * extent) {
          const { axis, planeSupportB } = cache;
          nX = s * nX;
          nY = s * nY;
          nZ = s * nZ;
          axis[0] = nX;
          axis[1] = nY;
          axis[2] = nZ;
          planeSupportB[0] = nX;
          planeSupportB[1] = nY;
          planeSupportB[2] = nZ;
          planeSupportB[3] = nX * pBX + nY * pBY + nZ * pBZ;
          cache.planeShapeB = b;
          cache.gap = gap;
          this.iterations += iteration + 1;
          return this.store(cache, hintA, hintB, SEPARATED);
        }
        break;
      }
      const at = 6 * iteration;
      points[at] = pAX + a.margin * lX;
      points[at + 1] = pAY + a.margin * lY;
      points[at + 2] = pAZ + a.margin * lZ;
      points[at + 3] = pBX - b.margin * nX;
      points[at + 3 + 1] = pBY - b.margin * nY;
      points[at + 3 + 2] = pBZ - b.margin * nZ;
      // The new vertex, relative to p. Unless it lies beyond the portal, no progress is possible.
      wX = wX + (rounding * nX - cX);
      wY = wY + (rounding * nY - cY);
      wZ = wZ + (rounding * nZ - cZ);
      const gain = nX * (wX - x1X) + nY * (wY - x1Y) + nZ * (wZ - x1Z);
      if (!(gain * gain > roundoff * roundoff * maxNorm * maxNorm * (nX * nX + nY * nY + nZ * nZ)) || gain < 0) break;

      // e = o × w: the signs of e·xₖ select which of the three triangles of w and an edge of the portal the ray passes
      // through.
      const eX = oY * wZ - oZ * wY,
        eY = oZ * wX - oX * wZ,
        eZ = oX * wY - oY * wX;
      const s1 = x1X * eX + x1Y * eY + x1Z * eZ;
      if (s1 > 0) {
        const s2 = x2X * eX + x2Y * eY + x2Z * eZ;
        if (s1 < signError || Math.abs(s2) < signError) isCertain = false;
        if (s2 > 0) {
          x1X = wX;
          x1Y = wY;
          x1Z = wZ;
          from1 = iteration;
        } else {
          x3X = wX;
          x3Y = wY;
          x3Z = wZ;
          from3 = iteration;
        }
      } else {
        const s3 = x3X * eX + x3Y * eY + x3Z * eZ;
        if (s1 > -signError || Math.abs(s3) < signError) isCertain = false;
        if (s3 > 0) {
          x2X = wX;
          x2Y = wY;
          x2Z = wZ;
          from2 = iteration;
        } else {
          x1X = wX;
          x1Y = wY;
          x1Z = wZ;
          from1 = iteration;
        }
      }

      // n = (x₂ − x₁) × (x₃ − x₁). If the origin is on the inner side of the portal, it is in the simplex p x₁ x₂ x₃.
      nX = (x2Y - x1Y) * (x3Z - x1Z) - (x2Z - x1Z) * (x3Y - x1Y);
      nY = (x2Z - x1Z) * (x3X - x1X) - (x2X - x1X) * (x3Z - x1Z);
      nZ = (x2X - x1X) * (x3Y - x1Y) - (x2Y - x1Y) * (x3X - x1X);
      if (nX * (x1X - oX) + nY * (x1Y - oY) + nZ * (x1Z - oZ) > 8 * SIGN_ERROR * maxNorm * maxNorm * maxNorm) {
        if (!isCertain) break;
        this.iterations += iteration + 1;
        if (cache.storesSimplex) {
          record.setVertex(0, x1X, x1Y, x1Z, from1);
          record.setVertex(1, x2X, x2Y, x2Z, from2);
          record.setVertex(2, x3X, x3Y, x3Z, from3);
          record.vertices[9] = inner;
          storeSimplex(cache, a, T_b_a, b, record);
        }
        return this.store(cache, hintA, hintB, COLLIDING);
      }
      if (rounding > 0) {
        const s = 1 / Math.sqrt(nX * nX + nY * nY + nZ * nZ);
        nX = s * nX;
        nY = s * nY;
        nZ = s * nZ;
      }
    }
    return this.decideByGjk(a, T_b_a, b, minDistance, cache);
  }

  /** Stores hints and verdict in the cache; returns the verdict. */
  private store(cache: PairCache, hintA: number, hintB: number, verdict: Verdict): Verdict {
    cache.hasAxis = verdict === SEPARATED;
    cache.hintA = hintA;
    cache.hintB = hintB;
    return verdict;
  }

  /** Decides by GJK and adds its iterations. */
  private decideByGjk(
    a: ConvexShape,
    T_b_a: Transform,
    b: ConvexShape,
    minDistance: number,
    cache: PairCache,
  ): Verdict {
    const before = this.gjk.iterations;
    cache.clear();
    const verdict = this.gjk.check(a, T_b_a, b, minDistance, cache);
    this.iterations += this.gjk.iterations - before;
    return verdict;
  }
}

export const growthDistanceCheck: CheckerDefinition = {
  summary: 'growth distance by ray intersection, with early termination once its bounds exclude 1',
  source: 'Thirugnanam26',
  create: () => new GrowthDistanceCheck(),
};
