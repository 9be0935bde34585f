import type { Transform } from '../../math/transform.ts';
import { create, type Vec3 } from '../../math/vec3.ts';
import { isHalfspace } from '../../shapes/halfspace.ts';
import { supportVertex } from '../../shapes/polytope.ts';
import type { ConvexShape } from '../../shapes/shape.ts';
import { Gjk } from '../gjk/gjk.ts';
import { cachedSimplexContainsOrigin, PortalRecord, storeSimplex } from '../growth/primalWarmStart.generated.ts';
import { checkHalfspace } from '../halfspaceCheck.ts';
import { roundoff } from '../iterationLimits.ts';
import { cachedPlaneSeparates } from '../separatingPlaneCache.generated.ts';
import { type Checker, type CheckerDefinition, COLLIDING, type PairCache, SEPARATED, type Verdict } from '../solver.ts';
import {
  add,
  combined,
  cross,
  dot,
  load,
  neg,
  over,
  rotated,
  scaled,
  size,
  store,
  sub,
  type V,
  vec,
} from './notation.ts';

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

    const r0 = load(T_b_a, 0);
    const r1 = load(T_b_a, 4);
    const r2 = load(T_b_a, 8);
    const t = vec(T_b_a[3], T_b_a[7], T_b_a[11]);
    const { d, record } = this;
    const { points } = record;
    const verticesA = a.vertices;
    const verticesB = b.vertices;
    const rounding = a.margin + b.margin + minDistance;
    let hintA = -1; // cold start: among equally far vertices the support vertex must not depend on the last query
    let hintB = -1;
    // All points below are relative to p: M − p contains 0; the check is whether it contains o = −p.
    const centerA = load(a.center);
    const c = sub(add(rotated(r0, r1, r2, centerA), t), load(b.center));
    const o = neg(c);
    const centerDistance = Math.sqrt(dot(o, o));
    const inner = a.innerRadius + b.innerRadius + minDistance;
    if (!(inner > 0) || a.innerRadius < 0 || b.innerRadius < 0)
      return this.decideByGjk(a, T_b_a, b, minDistance, cache);
    if (centerDistance <= inner) {
      this.iterations++;
      return this.store(cache, hintA, hintB, COLLIDING);
    }
    // First normal: along the ray. First portal: an equilateral triangle about p, orthogonal to the ray, in a sphere
    // inside M.
    let n = over(o, centerDistance);
    const isSteep = Math.abs(n[0]) > 0.57;
    const u = isSteep ? vec(n[1], -n[0], 0) : vec(0, n[2], -n[1]);
    const s = inner / Math.sqrt(dot(u, u));
    let x1 = scaled(s, u);
    const v = scaled(SIN_60, cross(n, x1));
    let x2 = sub(v, scaled(0.5, x1));
    let x3 = sub(neg(v), scaled(0.5, x1));
    let from1 = -1; // the iterations that the vertices are from; -1: the inner sphere
    let from2 = -1;
    let from3 = -1;
    const maxNorm = a.outerRadius + b.outerRadius + minDistance; // bound on the norm of points of M − p
    // rounding error of a triple product of o and two points of M − p
    const signError = SIGN_ERROR * maxNorm * maxNorm * centerDistance;
    let isCertain = true;

    for (let iteration = 0; iteration < ITERATION_LIMIT; iteration++) {
      // Support points of A along n and of B against n.
      const l = combined(n, r0, r1, r2);
      store(d, 0, l);
      let pA: V;
      if (verticesA.length > 0) {
        hintA = supportVertex(a, d);
        pA = load(verticesA, hintA);
      } else {
        a.support(d, a, d, hintA);
        pA = load(d);
      }
      store(d, 0, neg(n));
      let pB: V;
      if (verticesB.length > 0) {
        hintB = supportVertex(b, d);
        pB = load(verticesB, hintB);
      } else {
        b.support(d, b, d, hintB);
        pB = load(d);
      }
      let w = sub(add(rotated(r0, r1, r2, pA), t), pB);

      // Origin beyond the support plane: separated, if by more than rounding.
      const along = dot(n, w);
      if (along + rounding < 0) {
        const s = 1 / Math.sqrt(dot(n, n));
        const gap = -along * s - a.margin - b.margin;
        const translationAndA = size(t) + Math.abs(pA[0]) + Math.abs(pA[1]) + Math.abs(pA[2]);
        const extent = translationAndA + Math.abs(pB[0]) + Math.abs(pB[1]) + Math.abs(pB[2]);
        if (gap > minDistance + roundoff * extent) {
          const { axis, planeSupportB } = cache;
          n = scaled(s, n);
          store(axis, 0, n);
          store(planeSupportB, 0, n);
          planeSupportB[3] = dot(n, pB);
          cache.planeShapeB = b;
          cache.gap = gap;
          this.iterations += iteration + 1;
          return this.store(cache, hintA, hintB, SEPARATED);
        }
        break;
      }
      const at = 6 * iteration;
      store(points, at, add(pA, scaled(a.margin, l)));
      store(points, at + 3, sub(pB, scaled(b.margin, n)));
      // The new vertex, relative to p. Unless it lies beyond the portal, no progress is possible.
      w = add(w, sub(scaled(rounding, n), c));
      const gain = dot(n, sub(w, x1));
      if (!(gain * gain > roundoff * roundoff * maxNorm * maxNorm * dot(n, n)) || gain < 0) break;

      // e = o × w: the signs of e·xₖ select which of the three triangles of w and an edge of the portal the ray passes
      // through.
      const e = cross(o, w);
      const s1 = dot(x1, e);
      if (s1 > 0) {
        const s2 = dot(x2, e);
        if (s1 < signError || Math.abs(s2) < signError) isCertain = false;
        if (s2 > 0) {
          x1 = w;
          from1 = iteration;
        } else {
          x3 = w;
          from3 = iteration;
        }
      } else {
        const s3 = dot(x3, e);
        if (s1 > -signError || Math.abs(s3) < signError) isCertain = false;
        if (s3 > 0) {
          x2 = w;
          from2 = iteration;
        } else {
          x1 = w;
          from1 = iteration;
        }
      }

      // n = (x₂ − x₁) × (x₃ − x₁). If the origin is on the inner side of the portal, it is in the simplex p x₁ x₂ x₃.
      n = cross(sub(x2, x1), sub(x3, x1));
      if (dot(n, sub(x1, o)) > 8 * SIGN_ERROR * maxNorm * maxNorm * maxNorm) {
        if (!isCertain) break;
        this.iterations += iteration + 1;
        if (cache.storesSimplex) {
          record.setVertex(0, x1[0], x1[1], x1[2], from1);
          record.setVertex(1, x2[0], x2[1], x2[2], from2);
          record.setVertex(2, x3[0], x3[1], x3[2], from3);
          record.vertices[9] = inner;
          storeSimplex(cache, a, T_b_a, b, record);
        }
        return this.store(cache, hintA, hintB, COLLIDING);
      }
      if (rounding > 0) {
        const s = 1 / Math.sqrt(dot(n, n));
        n = scaled(s, n);
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
