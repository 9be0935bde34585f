import { rotate, type Transform, transformPoint } from '../../math/transform.ts';
import { add, copy, create, sub, type Vec3 } from '../../math/vec3.ts';
import { isHalfspace } from '../../shapes/halfspace.ts';
import type { ConvexShape } from '../../shapes/shape.ts';
import { Gjk } from '../gjk/gjk.ts';
import { growthOfHalfspace } from './growthHalfspace.ts';
import { iterationLimit, roundoff } from '../iterationLimits.ts';
import { clearOutcome } from '../outcome.ts';
import { RayPortal } from './rayPortal.ts';
import { QuasiNewtonProposal } from './quasiNewtonProposal.ts';
import { COLLIDING, PairCache, SEPARATED, type Separation } from '../solver.ts';

export const defaults = {
  /** Width of the bounds, relative to the upper one, at which the walk may stop: the root of machine epsilon, as in the paper. */
  relativeGap: 1.5e-8,
};

/** A proposed look is a success if it leaves at most this share of the width of the bounds. */
const SUFFICIENT_DECREASE = 0.3;
/** Most looks along the portal before a proposal is tried again. */
const MAX_PAUSE = 8;

/**
 * Growth distance [Thirugnanam26 Alg. 3]: the least factor by which both bodies must be scaled, each about its centre, to meet. M, the
 * Minkowski difference about the difference of the centres, is met by the ray to the other centre at height t*, and the growth
 * distance is (distance of the centres) / t*. Points of M bound t* from below (`RayPortal`), its support planes from above. The walk
 * looks along the portal's normal, keeps the best plane and hangs the portal higher, until both bounds agree.
 *
 * Bodies are whole, margins included: the margin grows with the body. Where no growth distance is defined (neither body has an
 * interior, or a centre is outside its body) its bounds stay [0, ∞] and only the status is answered.
 */
export class GrowthDistance {
  /** Distance of the centres, and the heights that M is known to reach and not to pass, metres. */
  centerDistance = 0;
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

  /** What `lower` is worth to the last digit: the height at which a point off the ray and the ball about 0 still hold the ray. */
  private certainLower = 0;
  /** Radius of the ball about 0 that M holds. */
  private innerRadius = 0;
  private readonly relativeGap: number;
  private readonly portal = new RayPortal();
  private readonly gjk = new Gjk();
  private readonly gjkCache = new PairCache();
  private readonly quasiNewton = new QuasiNewtonProposal();
  private isRound = false;
  private readonly n: Vec3 = create();
  /** The best normal in u, v, t of the portal. */
  private readonly best: Vec3 = create();

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
    this.centerDistance = Math.sqrt(n[0] * n[0] + n[1] * n[1] + n[2] * n[2]);
    const isDefined = a.innerRadius >= 0 && b.innerRadius >= 0 && a.innerRadius + b.innerRadius > 0;
    if (!isDefined) {
      this.decideByGjk(out, a, T_b_a, b);
      return;
    }
    if (this.centerDistance === 0) {
      writeCoincident(out, centerB);
      return;
    }
    this.isRound = a.vertices.length === 0 || b.vertices.length === 0 || a.margin + b.margin > 0;
    this.quasiNewton.clear();
    this.initialize(a, T_b_a, b, cache);
    this.iterate(a, b);
    if (this.isRound && this.upper - this.lower > this.relativeGap * this.upper) {
      // Proposals may lead into slivers that rounding lets nothing be hung on: then once more without.
      this.isRound = false;
      sub(n, centerB, centerA);
      this.initialize(a, T_b_a, b, cache);
      this.iterate(a, b);
    }
    this.writeResult(out, a, T_b_a, b);
    this.storeWarmStart(a, b, cache, out);
  }

  /** The balls about the centres, and whatever points or plane the cache has of these very bodies [Thirugnanam26 §III-F.3]. */
  private initialize(a: ConvexShape, T_b_a: Transform, b: ConvexShape, cache: PairCache): void {
    const { portal, n, best, pointA, pointB } = this;
    portal.initialize(n, T_b_a, a, b);
    portal.hintA = cache.hintA;
    portal.hintB = cache.hintB;
    this.innerRadius = a.innerRadius + b.innerRadius;
    this.lower = this.innerRadius;
    this.certainLower = this.innerRadius;
    this.upper = Number.POSITIVE_INFINITY;
    copy(best, portal.normal);
    for (let i = 0; i < 3; i++) {
      pointA[i] = a.innerRadius * portal.axesA[6 + i];
      pointB[i] = -b.innerRadius * portal.axesB[6 + i];
    }
    const isKnown = cache.cornersOfA === a && cache.cornersOfB === b;
    const isCurved = a.vertices.length === 0 || b.vertices.length === 0;
    if (isKnown && !(isCurved && cache.isSimplexOptimal)) {
      if (portal.restore(cache.simplexPoints, a, b)) this.updateLowerBound();
      else {
        for (let k = 0; k < 3; k++) {
          portal.loadVertex(cache.simplexPoints, k);
          this.raisePortal(false);
        }
      }
    } else if (isKnown || cache.hasAxis) {
      // A plane: all that a Boolean answer may leave; and on curved bodies the corners of a portal that has closed lie side by side, where they
      // lead into slivers.
      const { axis } = cache;
      const { axesB } = portal;
      for (let i = 0; i < 3; i++) {
        n[i] = axesB[3 * i] * axis[0] + axesB[3 * i + 1] * axis[1] + axesB[3 * i + 2] * axis[2];
      }
      if (n[2] > 0) this.evaluate(a, b, n, true);
    }
  }

  /** Looks along the portal's normal and hangs the portal higher, until the bounds agree or rounding is all that is left. */
  private iterate(a: ConvexShape, b: ConvexShape): void {
    const { relativeGap } = this;
    const { normal } = this.portal;
    const { quasiNewton: descent, n, isRound } = this;
    let width = Number.POSITIVE_INFINITY;
    let pause = 0;
    let longest = 1;
    for (this.iterations = 1; this.iterations <= iterationLimit; this.iterations++) {
      // A proposal that did not bring the bounds much nearer is followed by looks along the portal, which always gain: more and more of them.
      const isProposed: boolean = isRound && pause === 0 && descent.propose(n);
      const isHigher = this.evaluate(a, b, isProposed ? n : normal, isProposed);
      const left = this.upper - this.lower;
      if ((!isHigher && !isProposed) || left <= relativeGap * this.upper) return;
      if (!isProposed) pause = Math.max(0, pause - 1);
      else if (left <= SUFFICIENT_DECREASE * width) longest = 1;
      else {
        pause = longest;
        longest = Math.min(2 * longest, MAX_PAUSE);
      }
      width = left;
    }
    this.iterations = iterationLimit;
  }

  /** One look along a unit normal (u, v, t): its plane may lower the upper bound, its corner raise the portal; whether it did. */
  private evaluate(a: ConvexShape, b: ConvexShape, normal: Vec3, isProposed: boolean): boolean {
    // t* <= h(n) / (n·ray)
    const { portal } = this;
    portal.support(a, b, normal);
    if (portal.supportValue < this.upper * normal[2]) {
      this.upper = portal.supportValue / normal[2];
      copy(this.best, normal);
    }
    if (this.isRound) this.quasiNewton.update(normal, portal.vertices, portal.freeSlot);
    return this.raisePortal(isProposed);
  }

  /** Hangs the portal on the last look, if that raises it, and keeps the height and its points. */
  private raisePortal(isProposed: boolean): boolean {
    if (!this.portal.addVertex(isProposed)) return false;
    this.updateLowerBound();
    return true;
  }

  /** Keeps the height of the portal, and the points that prove it, where it is the best. */
  private updateLowerBound(): void {
    const { portal, pointA, pointB } = this;
    if (!(portal.height > this.lower)) return;
    this.lower = portal.height;
    this.certainLower = (portal.pointHeight * this.innerRadius) / (this.innerRadius + portal.rayOffset);
    portal.interpolate(pointA, pointB);
  }

  private writeResult(out: Separation, a: ConvexShape, T_b_a: Transform, b: ConvexShape): void {
    const { centerDistance: apart, upper, centerA, centerB, pointA, pointB, normal, best, portal } = this;
    const { axesB } = portal;
    for (let i = 0; i < 3; i++) normal[i] = best[0] * axesB[i] + best[1] * axesB[3 + i] + best[2] * axesB[6 + i];
    rotate(pointA, T_b_a, pointA);
    const lower = Math.min(this.lower, upper); // rounding may have crossed them
    const certain = Math.min(this.certainLower, upper);
    out.iterations = this.iterations;
    out.growth.lower = apart / upper;
    out.growth.upper = apart / lower;
    out.hasNormal = true;
    copy(out.normal, normal);
    // Relative error of t*: a few machine epsilons of the coordinates that it is summed from.
    const extent = a.outerRadius + b.outerRadius + Math.abs(T_b_a[3]) + Math.abs(T_b_a[7]) + Math.abs(T_b_a[11]);
    const doubt = (roundoff * extent) / lower;
    // Apart by the gap along the normal, not by the ratio: a plane that stands steep over the ray turns rounding into much of a ratio.
    if (best[2] * (apart - upper) > roundoff * extent) out.status = 'separated';
    else if (apart < certain * (1 - doubt)) out.status = 'colliding';
    else if (upper - certain <= Math.max(this.relativeGap, 2 * doubt) * upper) out.status = 'touching';
    else this.decideByGjk(out, a, T_b_a, b);

    out.hasWitnesses = true;
    add(out.witnessA, centerA, pointA);
    add(out.witnessB, centerB, pointB);
    if (out.growth.upper > 1) return;
    // Colliding: the scaled bodies' common point lies in both.
    const scale = out.growth.upper;
    for (let i = 0; i < 3; i++) out.witnessA[i] = centerA[i] + scale * pointA[i];
    copy(out.witnessB, out.witnessA);
  }

  /** The status alone, by a method that needs no interior and no centre. */
  private decideByGjk(out: Separation, a: ConvexShape, T_b_a: Transform, b: ConvexShape): void {
    const { gjk, gjkCache: verdicts } = this;
    verdicts.hasAxis = false;
    verdicts.hintA = -1;
    verdicts.hintB = -1;
    const before = gjk.iterations;
    const verdict = gjk.check(a, T_b_a, b, 0, verdicts);
    out.iterations = this.iterations + gjk.iterations - before;
    out.status = verdict === SEPARATED ? 'separated' : verdict === COLLIDING ? 'colliding' : 'undecided';
  }

  private storeWarmStart(a: ConvexShape, b: ConvexShape, cache: PairCache, out: Separation): void {
    const { portal, best, normal } = this;
    cache.hintA = portal.hintA;
    cache.hintB = portal.hintB;
    cache.hasAxis = out.status === 'separated';
    copy(cache.axis, normal);
    cache.gap = best[2] * (this.centerDistance - this.upper);
    cache.cornersOfA = a;
    cache.cornersOfB = b;
    cache.isSimplexOptimal = true;
    portal.store(cache.simplexPoints);
  }
}

/** Equal centres: the bodies meet however small they get. */
function writeCoincident(out: Separation, center: Vec3): void {
  out.status = 'colliding';
  out.growth.lower = 0;
  out.growth.upper = 0;
  out.hasWitnesses = true;
  copy(out.witnessA, center);
  copy(out.witnessB, center);
}
