import { rotate, rotateBack, type Transform, transformPoint } from '../math/transform.ts';
import { add, addScaled, copy, create, scale, set, sub, type Vec3 } from '../math/vec3.ts';
import { isHalfspace } from '../shapes/halfspace.ts';
import type { ConvexShape } from '../shapes/shape.ts';
import { Gjk } from './gjk.ts';
import { growthOfHalfspace } from './growthHalfspace.ts';
import { iterationLimit, roundoff } from './limits.ts';
import { clearOutcome } from './outcome.ts';
import { RayPortal } from './rayPortal.ts';
import { COLLIDING, PairCache, SEPARATED, type Separation } from './solver.ts';
import { bodyAlong, bodySupport } from './supportAlong.ts';

export const defaults = {
  /** Width of the bounds, relative to the upper one, at which the walk may stop: the root of machine epsilon, as in the paper. */
  relativeGap: 1.5e-8,
};

/**
 * Growth distance [GrowthDistance Alg. 3]: the least factor by which both bodies must be scaled, each about its centre, to meet. M, the
 * Minkowski difference about the difference of the centres, is met by the ray to the other centre at height t*, and the growth
 * distance is (distance of the centres) / t*. Points of M bound t* from below (`RayPortal`), its support planes from above. The walk
 * looks along the portal's normal, keeps the best plane and hangs the portal higher, until both bounds agree.
 *
 * Bodies are whole, margins included: the margin grows with the body. Where no growth distance is defined (neither body has an
 * interior, or a centre is outside its body) its bounds stay [0, ∞] and only the status is answered.
 */
export class GrowthDistance {
  /** Distance of the centres, and the heights that M is known to reach and not to pass, metres. */
  apart = 0;
  lower = 0;
  upper = 0;
  /** Best normal, unit, from A to B, in the frame of B; and points of A and B, about their centres, where the ray leaves M. */
  readonly normal: Vec3 = create();
  readonly pointA: Vec3 = create();
  readonly pointB: Vec3 = create();
  /** Centres of A and B in the frame of B. */
  readonly centerA: Vec3 = create();
  readonly centerB: Vec3 = create();
  iterations = 0;

  private readonly relativeGap: number;
  private readonly portal = new RayPortal();
  private readonly gjk = new Gjk();
  private readonly verdicts = new PairCache();
  private readonly n: Vec3 = create();
  private readonly d: Vec3 = create();
  private readonly wA: Vec3 = create();
  private readonly wB: Vec3 = create();

  constructor({ relativeGap }: typeof defaults = defaults) {
    this.relativeGap = relativeGap;
  }

  /** Fills status, growth, normal and witness points; `cache` may hold anything, and holds the solution for the next call after it. */
  solve(out: Separation, a: ConvexShape, T_b_a: Transform, b: ConvexShape, cache: PairCache): void {
    clearOutcome(out);
    this.iterations = 0;
    if (isHalfspace(a) || isHalfspace(b)) {
      growthOfHalfspace(out, a, T_b_a, b);
      return;
    }
    const { centerA, centerB, n } = this;
    transformPoint(centerA, T_b_a, a.center);
    copy(centerB, b.center);
    sub(n, centerB, centerA);
    this.apart = Math.sqrt(n[0] * n[0] + n[1] * n[1] + n[2] * n[2]);
    const isDefined = a.innerRadius >= 0 && b.innerRadius >= 0 && a.innerRadius + b.innerRadius > 0;
    if (!isDefined) {
      this.askGjk(out, a, T_b_a, b);
      return;
    }
    if (this.apart === 0) {
      concludeCoincident(out, centerB);
      return;
    }
    this.start(a, T_b_a, b, cache);
    this.walk(a, T_b_a, b, cache);
    this.conclude(out, a, T_b_a, b);
    this.remember(a, T_b_a, b, cache, out);
  }

  /** The balls about the centres, and whatever points the cache has of these very bodies [GrowthDistance §III-F.3]. */
  private start(a: ConvexShape, T_b_a: Transform, b: ConvexShape, cache: PairCache): void {
    const { portal, n, normal, pointA, pointB, wA, wB } = this;
    portal.open(n[0], n[1], n[2], a.innerRadius, b.innerRadius);
    this.lower = a.innerRadius + b.innerRadius;
    this.upper = Number.POSITIVE_INFINITY;
    copy(normal, portal.ray);
    scale(pointA, portal.ray, a.innerRadius);
    scale(pointB, portal.ray, -b.innerRadius);
    if (cache.cornersOfA !== a || cache.cornersOfB !== b) return;
    for (let i = 0; i < 9; i += 3) {
      set(wA, cache.corners[i], cache.corners[i + 1], cache.corners[i + 2]);
      rotate(wA, T_b_a, wA);
      set(wB, cache.corners[i + 9], cache.corners[i + 10], cache.corners[i + 11]);
      if (!this.hang()) return;
    }
  }

  private walk(a: ConvexShape, T_b_a: Transform, b: ConvexShape, cache: PairCache): void {
    const { portal, n, d, normal, wA, wB, centerA, centerB } = this;
    const { across, up, ray } = portal;
    let hintA = cache.hintA;
    let hintB = cache.hintB;
    for (this.iterations = 1; this.iterations <= iterationLimit; this.iterations++) {
      const nu = portal.normal[0],
        nv = portal.normal[1],
        nt = portal.normal[2];
      for (let k = 0; k < 3; k++) n[k] = nu * across[k] + nv * up[k] + nt * ray[k];
      hintA = bodyAlong(wA, a, T_b_a, n, hintA);
      sub(wA, wA, centerA);
      scale(d, n, -1);
      hintB = bodySupport(wB, b, d, hintB);
      sub(wB, wB, centerB);

      // t* <= h(n) / (n·ray)
      const reach = n[0] * (wA[0] - wB[0]) + n[1] * (wA[1] - wB[1]) + n[2] * (wA[2] - wB[2]);
      if (reach < this.upper * nt) {
        this.upper = reach / nt;
        copy(normal, n);
      }
      if (this.upper - this.lower <= this.relativeGap * this.upper) break;
      if (!this.hang()) break;
    }
    cache.hintA = hintA;
    cache.hintB = hintB;
  }

  /** Hangs the portal on the new corner wA − wB, if that raises it; false if it gains nothing that rounding could not make. */
  private hang(): boolean {
    const { portal, wA, wB, pointA, pointB } = this;
    const { across, up, ray, corners, normal } = portal;
    const x = wA[0] - wB[0],
      y = wA[1] - wB[1],
      z = wA[2] - wB[2];
    const u = across[0] * x + across[1] * y + across[2] * z;
    const v = up[0] * x + up[1] * y + up[2] * z;
    const t = ray[0] * x + ray[1] * y + ray[2] * z;
    const gain = normal[0] * (u - corners[0]) + normal[1] * (v - corners[1]) + normal[2] * (t - corners[2]);
    const size = Math.abs(u) + Math.abs(v) + Math.abs(t);
    if (!(gain > 2 * Number.EPSILON * size)) return false;
    portal.setCorner(portal.outgoing(u, v), wA[0], wA[1], wA[2], wB[0], wB[1], wB[2]);
    if (!portal.raise()) return false;
    if (portal.height > this.lower) {
      this.lower = portal.height;
      portal.blend(pointA, 3);
      portal.blend(pointB, 6);
    }
    return true;
  }

  private conclude(out: Separation, a: ConvexShape, T_b_a: Transform, b: ConvexShape): void {
    const { apart, upper, centerA, centerB, pointA, pointB } = this;
    const lower = Math.min(this.lower, upper); // rounding may have crossed them
    out.iterations = this.iterations;
    out.growth.lower = apart / upper;
    out.growth.upper = apart / lower;
    out.hasNormal = true;
    copy(out.normal, this.normal);
    // Relative error of t*: a few machine epsilons of the coordinates that it is summed from.
    const extent = a.outerRadius + b.outerRadius + Math.abs(T_b_a[3]) + Math.abs(T_b_a[7]) + Math.abs(T_b_a[11]);
    const doubt = (roundoff * extent) / lower;
    if (out.growth.lower > 1 + doubt) out.status = 'separated';
    else if (out.growth.upper < 1 - doubt) out.status = 'colliding';
    else if (upper - lower <= Math.max(this.relativeGap, 2 * doubt) * upper) out.status = 'touching';
    else this.askGjk(out, a, T_b_a, b);

    out.hasWitnesses = true;
    add(out.witnessA, centerA, pointA);
    add(out.witnessB, centerB, pointB);
    if (out.growth.upper > 1) return;
    // Colliding: the scaled bodies' common point lies in both.
    addScaled(out.witnessA, centerA, pointA, out.growth.upper);
    copy(out.witnessB, out.witnessA);
  }

  /** The status alone, by a method that needs no interior and no centre. */
  private askGjk(out: Separation, a: ConvexShape, T_b_a: Transform, b: ConvexShape): void {
    const { gjk, verdicts } = this;
    verdicts.hasAxis = false;
    verdicts.hintA = -1;
    verdicts.hintB = -1;
    const before = gjk.iterations;
    const verdict = gjk.check(a, T_b_a, b, 0, verdicts);
    out.iterations = this.iterations + gjk.iterations - before;
    out.status = verdict === SEPARATED ? 'separated' : verdict === COLLIDING ? 'colliding' : 'undecided';
  }

  private remember(a: ConvexShape, T_b_a: Transform, b: ConvexShape, cache: PairCache, out: Separation): void {
    const { portal, d, normal } = this;
    cache.hasAxis = out.status === 'separated';
    copy(cache.axis, normal);
    const { ray } = portal;
    cache.gap = (normal[0] * ray[0] + normal[1] * ray[1] + normal[2] * ray[2]) * (this.apart - this.upper);
    cache.cornersOfA = a;
    cache.cornersOfB = b;
    for (let k = 0; k < 3; k++) {
      const i = 9 * k;
      set(d, portal.corners[i + 3], portal.corners[i + 4], portal.corners[i + 5]);
      rotateBack(d, T_b_a, d);
      cache.corners.set(d, 3 * k);
      for (let j = 0; j < 3; j++) cache.corners[9 + 3 * k + j] = portal.corners[i + 6 + j];
    }
  }
}

/** Equal centres: the bodies meet however small they get. */
function concludeCoincident(out: Separation, center: Vec3): void {
  out.status = 'colliding';
  out.growth.lower = 0;
  out.growth.upper = 0;
  out.hasWitnesses = true;
  copy(out.witnessA, center);
  copy(out.witnessB, center);
}
