import type { Transform } from '../../math/transform.ts';
import { create, type Vec3 } from '../../math/vec3.ts';
import { isHalfspace } from '../../shapes/halfspace.ts';
import { supportVertex } from '../../shapes/polytope.ts';
import type { ConvexShape } from '../../shapes/shape.ts';
import { Gjk } from '../gjk/gjk.ts';
import { checkHalfspace } from '../halfspaceCheck.ts';
import { roundoff } from '../iterationLimits.ts';
import { cachedPlaneSeparates } from '../separatingPlaneCache.ts';
import { type Checker, type CheckerDefinition, COLLIDING, type PairCache, SEPARATED, type Verdict } from '../solver.ts';
import { cachedSimplexContainsOrigin, PortalRecord, storeSimplex } from './primalWarmStart.ts';

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

  /** An unrolled kernel: planning spends most of its time in this loop, and scalars in registers double its speed. */
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

    const r00 = T_b_a[0],
      r01 = T_b_a[1],
      r02 = T_b_a[2],
      tx = T_b_a[3];
    const r10 = T_b_a[4],
      r11 = T_b_a[5],
      r12 = T_b_a[6],
      ty = T_b_a[7];
    const r20 = T_b_a[8],
      r21 = T_b_a[9],
      r22 = T_b_a[10],
      tz = T_b_a[11];
    const { d, record } = this;
    const { points } = record;
    const verticesA = a.vertices;
    const verticesB = b.vertices;
    const rounding = a.margin + b.margin + minDistance;
    let hintA = -1; // cold start: among equally far vertices the support vertex must not depend on the last query
    let hintB = -1;
    // All points below are relative to p: M − p contains 0; the check is whether it contains o = −p.
    const p = a.center;
    const q = b.center;
    const cx = r00 * p[0] + r01 * p[1] + r02 * p[2] + tx - q[0];
    const cy = r10 * p[0] + r11 * p[1] + r12 * p[2] + ty - q[1];
    const cz = r20 * p[0] + r21 * p[1] + r22 * p[2] + tz - q[2];
    const ox = -cx;
    const oy = -cy;
    const oz = -cz;
    const centerDistance = Math.sqrt(ox * ox + oy * oy + oz * oz);
    const inner = a.innerRadius + b.innerRadius + minDistance;
    if (!(inner > 0) || a.innerRadius < 0 || b.innerRadius < 0)
      return this.decideByGjk(a, T_b_a, b, minDistance, cache);
    if (centerDistance <= inner) {
      this.iterations++;
      return this.store(cache, hintA, hintB, COLLIDING);
    }
    // First normal: along the ray. First portal: an equilateral triangle about p, orthogonal to the ray, in a sphere
    // inside M.
    let nx = ox / centerDistance;
    let ny = oy / centerDistance;
    let nz = oz / centerDistance;
    const isSteep = Math.abs(nx) > 0.57;
    const ux = isSteep ? ny : 0;
    const uy = isSteep ? -nx : nz;
    const uz = isSteep ? 0 : -ny;
    const s = inner / Math.sqrt(ux * ux + uy * uy + uz * uz);
    let x1 = ux * s;
    let y1 = uy * s;
    let z1 = uz * s;
    const vx = SIN_60 * (ny * z1 - nz * y1);
    const vy = SIN_60 * (nz * x1 - nx * z1);
    const vz = SIN_60 * (nx * y1 - ny * x1);
    let x2 = vx - 0.5 * x1;
    let y2 = vy - 0.5 * y1;
    let z2 = vz - 0.5 * z1;
    let x3 = -vx - 0.5 * x1;
    let y3 = -vy - 0.5 * y1;
    let z3 = -vz - 0.5 * z1;
    let from1 = -1; // the iterations that the vertices are from; -1: the inner sphere
    let from2 = -1;
    let from3 = -1;
    const maxNorm = a.outerRadius + b.outerRadius + minDistance; // bound on the norm of points of M − p
    // rounding error of a triple product of o and two points of M − p
    const signError = SIGN_ERROR * maxNorm * maxNorm * centerDistance;
    let isCertain = true;

    for (let iteration = 0; iteration < ITERATION_LIMIT; iteration++) {
      // Support points of A along n and of B against n.
      const lx = r00 * nx + r10 * ny + r20 * nz;
      const ly = r01 * nx + r11 * ny + r21 * nz;
      const lz = r02 * nx + r12 * ny + r22 * nz;
      d[0] = lx;
      d[1] = ly;
      d[2] = lz;
      let ax: number, ay: number, az: number;
      if (verticesA.length > 0) {
        hintA = supportVertex(a, d);
        ax = verticesA[hintA];
        ay = verticesA[hintA + 1];
        az = verticesA[hintA + 2];
      } else {
        a.support(d, a, d, hintA);
        ax = d[0];
        ay = d[1];
        az = d[2];
      }
      d[0] = -nx;
      d[1] = -ny;
      d[2] = -nz;
      let bx: number, by: number, bz: number;
      if (verticesB.length > 0) {
        hintB = supportVertex(b, d);
        bx = verticesB[hintB];
        by = verticesB[hintB + 1];
        bz = verticesB[hintB + 2];
      } else {
        b.support(d, b, d, hintB);
        bx = d[0];
        by = d[1];
        bz = d[2];
      }
      let wx = r00 * ax + r01 * ay + r02 * az + tx - bx;
      let wy = r10 * ax + r11 * ay + r12 * az + ty - by;
      let wz = r20 * ax + r21 * ay + r22 * az + tz - bz;

      // Origin beyond the support plane: separated, if by more than rounding.
      const along = nx * wx + ny * wy + nz * wz;
      if (along + rounding < 0) {
        const s = 1 / Math.sqrt(nx * nx + ny * ny + nz * nz);
        const gap = -along * s - a.margin - b.margin;
        const translation = Math.abs(tx) + Math.abs(ty) + Math.abs(tz);
        const translationAndA = translation + Math.abs(ax) + Math.abs(ay) + Math.abs(az);
        const extent = translationAndA + Math.abs(bx) + Math.abs(by) + Math.abs(bz);
        if (gap > minDistance + roundoff * extent) {
          const { axis, planeSupportB } = cache;
          nx *= s;
          ny *= s;
          nz *= s;
          axis[0] = nx;
          axis[1] = ny;
          axis[2] = nz;
          planeSupportB[0] = nx;
          planeSupportB[1] = ny;
          planeSupportB[2] = nz;
          planeSupportB[3] = nx * bx + ny * by + nz * bz;
          cache.planeShapeB = b;
          cache.gap = gap;
          this.iterations += iteration + 1;
          return this.store(cache, hintA, hintB, SEPARATED);
        }
        break;
      }
      const at = 6 * iteration;
      points[at] = ax + a.margin * lx;
      points[at + 1] = ay + a.margin * ly;
      points[at + 2] = az + a.margin * lz;
      points[at + 3] = bx - b.margin * nx;
      points[at + 4] = by - b.margin * ny;
      points[at + 5] = bz - b.margin * nz;
      // The new vertex, relative to p. Unless it lies beyond the portal, no progress is possible.
      wx += rounding * nx - cx;
      wy += rounding * ny - cy;
      wz += rounding * nz - cz;
      const gain = nx * (wx - x1) + ny * (wy - y1) + nz * (wz - z1);
      if (!(gain * gain > roundoff * roundoff * maxNorm * maxNorm * (nx * nx + ny * ny + nz * nz)) || gain < 0) break;

      // e = o × w: the signs of e·xₖ select which of the three triangles of w and an edge of the portal the ray passes
      // through.
      const ex = oy * wz - oz * wy;
      const ey = oz * wx - ox * wz;
      const ez = ox * wy - oy * wx;
      const s1 = x1 * ex + y1 * ey + z1 * ez;
      if (s1 > 0) {
        const s2 = x2 * ex + y2 * ey + z2 * ez;
        if (s1 < signError || Math.abs(s2) < signError) isCertain = false;
        if (s2 > 0) {
          x1 = wx;
          y1 = wy;
          z1 = wz;
          from1 = iteration;
        } else {
          x3 = wx;
          y3 = wy;
          z3 = wz;
          from3 = iteration;
        }
      } else {
        const s3 = x3 * ex + y3 * ey + z3 * ez;
        if (s1 > -signError || Math.abs(s3) < signError) isCertain = false;
        if (s3 > 0) {
          x2 = wx;
          y2 = wy;
          z2 = wz;
          from2 = iteration;
        } else {
          x1 = wx;
          y1 = wy;
          z1 = wz;
          from1 = iteration;
        }
      }

      // n = (x₂ − x₁) × (x₃ − x₁). If the origin is on the inner side of the portal, it is in the simplex p x₁ x₂ x₃.
      const fx = x2 - x1,
        fy = y2 - y1,
        fz = z2 - z1;
      const gx = x3 - x1,
        gy = y3 - y1,
        gz = z3 - z1;
      nx = fy * gz - fz * gy;
      ny = fz * gx - fx * gz;
      nz = fx * gy - fy * gx;
      if (nx * (x1 - ox) + ny * (y1 - oy) + nz * (z1 - oz) > 8 * SIGN_ERROR * maxNorm * maxNorm * maxNorm) {
        if (!isCertain) break;
        this.iterations += iteration + 1;
        if (cache.storesSimplex) {
          record.setVertex(0, x1, y1, z1, from1);
          record.setVertex(1, x2, y2, z2, from2);
          record.setVertex(2, x3, y3, z3, from3);
          record.vertices[9] = inner;
          storeSimplex(cache, a, T_b_a, b, record);
        }
        return this.store(cache, hintA, hintB, COLLIDING);
      }
      if (rounding > 0) {
        const s = 1 / Math.sqrt(nx * nx + ny * ny + nz * nz);
        nx *= s;
        ny *= s;
        nz *= s;
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
