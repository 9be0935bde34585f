import { rotate, type Transform, transformPoint } from '../../math/transform.ts';
import { add, copy, create, sub, type Vec3 } from '../../math/vec3.ts';
import { isHalfspace } from '../../shapes/halfspace.ts';
import type { ConvexShape } from '../../shapes/shape.ts';
import { Gjk } from '../gjk/gjk.ts';
import { iterationLimit, roundoff } from '../iterationLimits.ts';
import { clearSeparation } from '../outcome.ts';
import { COLLIDING, PairCache, SEPARATED, type Separation } from '../solver.ts';
import { growthOfHalfspace } from './growthHalfspace.ts';
import { QuasiNewtonProposal } from './quasiNewtonProposal.ts';
import { RayPortal } from './rayPortal.ts';

export const defaults = {
  /** Relative difference of the bounds at which the iteration may stop: √(machine epsilon), as in the paper. */
  relativeGap: 1.5e-8,
};

/** A proposed normal is successful if it shrinks the difference of the bounds to at most this fraction. */
const SUFFICIENT_DECREASE = 0.3;
/** Limit of iterations along the portal normal before a proposal is tried again. */
const MAX_PAUSE = 8;

/**
 * Growth distance [Thirugnanam26 Alg. 3]: the smallest factor by which both shapes must be scaled, each about its
 * centre, to touch. Let M = (A − cA) ⊖ (B − cB), c the centres. The ray from 0 along cB − cA leaves M at height t*, and
 * the growth distance is ‖cB − cA‖ / t*. Points of M bound t* from below (`RayPortal`), support planes from above. Each
 * iteration evaluates the support function along the portal normal, keeps the best plane and raises the portal, until
 * the bounds agree.
 *
 * Shapes include their margins, which are scaled as well. If the growth distance is not defined (neither shape has an
 * interior, or a centre is outside its shape), its bounds stay [0, ∞] and only the status is computed.
 */
export class GrowthDistance {
  /** Output of `solve`: distance of the centres, and lower and upper bound of t*, metres. */
  centerDistance = 0;
  lower = 0;
  upper = 0;
  /**
   * Output of `solve`, frame of B: best normal, a unit vector from A to B; points of A and B, relative to their
   * centres, where the ray leaves M.
   */
  readonly normal: Vec3 = create();
  readonly pointA: Vec3 = create();
  readonly pointB: Vec3 = create();
  /** Output of `solve`: centres of A and B in the frame of B. */
  readonly centerA: Vec3 = create();
  readonly centerB: Vec3 = create();
  iterations = 0;

  /** Lower bound of t* despite rounding: the height up to which portal point and inner sphere surely span the ray. */
  private certainLower = 0;
  /** Radius of a sphere about 0 inside M. */
  private innerRadius = 0;
  private readonly relativeGap: number;
  private readonly portal = new RayPortal();
  private readonly gjk = new Gjk();
  private readonly gjkCache = new PairCache();
  private readonly quasiNewton = new QuasiNewtonProposal();
  /** Whether the pair has curved surfaces, so that normals are also proposed by `quasiNewton`. */
  private isRound = false;
  private readonly n: Vec3 = create();
  /** The best normal in the u, v, t axes of the portal. */
  private readonly best: Vec3 = create();

  constructor({ relativeGap }: typeof defaults = defaults) {
    this.relativeGap = relativeGap;
  }

  /** Computes status, growth, normal and witness points. `cache` may hold any data; it receives a new warm start. */
  solve(out: Separation, a: ConvexShape, T_b_a: Transform, b: ConvexShape, cache: PairCache): void {
    clearSeparation(out);
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
      // Proposals may have led to slivers to which rounding admits no further vertex: repeat without proposals.
      this.isRound = false;
      sub(n, centerB, centerA);
      this.initialize(a, T_b_a, b, cache);
      this.iterate(a, b);
    }
    this.writeResult(out, a, T_b_a, b);
    this.storeWarmStart(a, b, cache, out);
  }

  /**
   * Sets the first portal and bounds: from the inner spheres, then from cached vertices or a cached plane
   * [Thirugnanam26 §III-F.3].
   */
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
    const isCached = cache.simplexShapeA === a && cache.simplexShapeB === b;
    const isCurved = a.vertices.length === 0 || b.vertices.length === 0;
    if (isCached && !(isCurved && cache.isSimplexOptimal)) {
      if (portal.restore(cache.simplexPoints, a, b)) this.updateLowerBound();
      else {
        for (let k = 0; k < 3; k++) {
          portal.loadVertex(cache.simplexPoints, k);
          this.raisePortal(false);
        }
      }
    } else if (isCached || cache.hasAxis) {
      // Use the plane: a Boolean check may store nothing else, and the vertices of a converged portal of curved shapes
      // lie close together and would lead to slivers.
      const { axis } = cache;
      const { axesB } = portal;
      for (let i = 0; i < 3; i++) {
        n[i] = axesB[3 * i] * axis[0] + axesB[3 * i + 1] * axis[1] + axesB[3 * i + 2] * axis[2];
      }
      if (n[2] > 0) this.evaluate(a, b, n, true);
    }
  }

  /** Raises the portal along its normal, or along proposed normals, until the bounds agree or rounding stops it. */
  private iterate(a: ConvexShape, b: ConvexShape): void {
    const { relativeGap } = this;
    const { normal } = this.portal;
    const { quasiNewton, n, isRound } = this;
    let gap = Number.POSITIVE_INFINITY;
    let pause = 0;
    let nextPause = 1;
    for (this.iterations = 1; this.iterations <= iterationLimit; this.iterations++) {
      // A proposal without sufficient decrease is followed by iterations along the portal normal, which always gain;
      // their number doubles with each such proposal.
      const isProposed: boolean = isRound && pause === 0 && quasiNewton.propose(n);
      const isHigher = this.evaluate(a, b, isProposed ? n : normal, isProposed);
      const nextGap = this.upper - this.lower;
      if ((!isHigher && !isProposed) || nextGap <= relativeGap * this.upper) return;
      if (!isProposed) pause = Math.max(0, pause - 1);
      else if (nextGap <= SUFFICIENT_DECREASE * gap) nextPause = 1;
      else {
        pause = nextPause;
        nextPause = Math.min(2 * nextPause, MAX_PAUSE);
      }
      gap = nextGap;
    }
    this.iterations = iterationLimit;
  }

  /**
   * Evaluates the support function along a unit normal (u, v, t) and updates both bounds; returns whether the portal
   * was raised.
   */
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

  /**
   * Adds the last support point to the portal if that raises it, and updates the lower bound; returns whether it did.
   */
  private raisePortal(isProposed: boolean): boolean {
    if (!this.portal.addVertex(isProposed)) return false;
    this.updateLowerBound();
    return true;
  }

  /** Takes the height of the portal and its witness points if the height improves the lower bound. */
  private updateLowerBound(): void {
    const { portal, pointA, pointB } = this;
    if (!(portal.height > this.lower)) return;
    this.lower = portal.height;
    this.certainLower = (portal.pointHeight * this.innerRadius) / (this.innerRadius + portal.rayOffset);
    portal.interpolate(pointA, pointB);
  }

  /** Writes `out`, and converts normal and points to the frame of B. */
  private writeResult(out: Separation, a: ConvexShape, T_b_a: Transform, b: ConvexShape): void {
    const { centerDistance, upper, centerA, centerB, pointA, pointB, normal, best, portal } = this;
    const { axesB } = portal;
    for (let i = 0; i < 3; i++) normal[i] = best[0] * axesB[i] + best[1] * axesB[3 + i] + best[2] * axesB[6 + i];
    rotate(pointA, T_b_a, pointA);
    const lower = Math.min(this.lower, upper); // rounding may have crossed them
    const certainLower = Math.min(this.certainLower, upper);
    out.iterations = this.iterations;
    out.growth.lower = centerDistance / upper;
    out.growth.upper = centerDistance / lower;
    out.hasNormal = true;
    copy(out.normal, normal);
    // Relative error of t*: a few machine epsilons of the coordinates in its sum.
    const extent = a.outerRadius + b.outerRadius + Math.abs(T_b_a[3]) + Math.abs(T_b_a[7]) + Math.abs(T_b_a[11]);
    const error = (roundoff * extent) / lower;
    // Separation is decided by the gap along the normal, not by the ratio: a plane nearly parallel to the ray amplifies
    // rounding in the ratio.
    if (best[2] * (centerDistance - upper) > roundoff * extent) out.status = 'separated';
    else if (centerDistance < certainLower * (1 - error)) out.status = 'colliding';
    else if (upper - certainLower <= Math.max(this.relativeGap, 2 * error) * upper) out.status = 'touching';
    else this.decideByGjk(out, a, T_b_a, b);

    out.hasWitnesses = true;
    add(out.witnessA, centerA, pointA);
    add(out.witnessB, centerB, pointB);
    if (out.growth.upper > 1) return;
    // In collision: the common point of the scaled shapes lies in both shapes.
    const scale = out.growth.upper;
    for (let i = 0; i < 3; i++) out.witnessA[i] = centerA[i] + scale * pointA[i];
    copy(out.witnessB, out.witnessA);
  }

  /** Computes the status alone, by GJK, which needs neither an interior nor a centre. */
  private decideByGjk(out: Separation, a: ConvexShape, T_b_a: Transform, b: ConvexShape): void {
    const { gjk, gjkCache } = this;
    gjkCache.hasAxis = false;
    gjkCache.hintA = -1;
    gjkCache.hintB = -1;
    const before = gjk.iterations;
    const verdict = gjk.check(a, T_b_a, b, 0, gjkCache);
    out.iterations = this.iterations + gjk.iterations - before;
    out.status = verdict === SEPARATED ? 'separated' : verdict === COLLIDING ? 'colliding' : 'undecided';
  }

  /** Stores the portal vertices, the normal and the support hints in the cache. */
  private storeWarmStart(a: ConvexShape, b: ConvexShape, cache: PairCache, out: Separation): void {
    const { portal, best, normal } = this;
    cache.hintA = portal.hintA;
    cache.hintB = portal.hintB;
    cache.hasAxis = out.status === 'separated';
    copy(cache.axis, normal);
    cache.gap = best[2] * (this.centerDistance - this.upper);
    cache.simplexShapeA = a;
    cache.simplexShapeB = b;
    cache.isSimplexOptimal = true;
    portal.store(cache.simplexPoints);
  }
}

/** Writes the result for equal centres: the shapes intersect at any scale. */
function writeCoincident(out: Separation, center: Vec3): void {
  out.status = 'colliding';
  out.growth.lower = 0;
  out.growth.upper = 0;
  out.hasWitnesses = true;
  copy(out.witnessA, center);
  copy(out.witnessB, center);
}
