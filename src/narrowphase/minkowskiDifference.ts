import { rotateBack, type Transform } from '../math/transform.ts';
import { copy, create, set, type Vec3 } from '../math/vec3.ts';
import type { ConvexShape } from '../shapes/shape.ts';
import type { PairCache } from './solver.ts';
import { posedSupport } from './supportAlong.ts';

/** What support functions take where nothing is known. */
const noHint = -1;

/**
 * The cores of two bodies seen as one set, A ⊖ B = {p − q : p in A, q in B}, in the frame of B. Its least distance from the origin
 * is that of the cores; margins are added by whoever asks. Bound to a pair by `bind`, queried by `look`; holds no memory per query.
 */
export class MinkowskiDifference {
  /** Points of the last `look`, frame of B: the farthest of A along n, the farthest of B against it, and their difference. */
  readonly pointA: Vec3 = create();
  readonly pointB: Vec3 = create();
  readonly w: Vec3 = create();
  gap = 0;
  /** Both margins together: what rounds the cores, metres. */
  margins = 0;
  /** The largest coordinate that enters a sum, metres: rounding errors are a few machine epsilons of it. */
  extent = 0;
  /** One rounding of such a sum, metres. */
  rounding = 0;
  private a!: ConvexShape;
  private b!: ConvexShape;
  private T_b_a!: Transform;
  private hintA = noHint;
  private hintB = noHint;
  private readonly opposite: Vec3 = create();
  private readonly boxCenterA: Vec3 = create();
  private readonly boxCenterB: Vec3 = create();

  bind(a: ConvexShape, T_b_a: Transform, b: ConvexShape, cache?: PairCache): void {
    this.a = a;
    this.b = b;
    this.T_b_a = T_b_a;
    this.margins = a.margin + b.margin;
    this.extent = Math.max(Math.abs(T_b_a[3]), Math.abs(T_b_a[7]), Math.abs(T_b_a[11]));
    this.addToExtent(a.bounds);
    this.addToExtent(b.bounds);
    this.rounding = Number.EPSILON * this.extent;
    this.hintA = cache === undefined ? noHint : cache.hintA;
    this.hintB = cache === undefined ? noHint : cache.hintB;
  }

  /** Leaves the hints of the support functions for the next query of the pair. */
  storeHints(cache: PairCache): void {
    cache.hintA = this.hintA;
    cache.hintB = this.hintB;
  }

  /** n = from the centre of A to the centre of B; along x where the centres coincide. */
  centerDirection(n: Vec3): void {
    this.directionBetween(n, this.a.center, this.b.center);
  }

  /** n = from the middle of the box around A to that of the box around B, boxes in the bodies' own frames. */
  boxCenterDirection(n: Vec3): void {
    boxCenter(this.boxCenterA, this.a.bounds);
    boxCenter(this.boxCenterB, this.b.bounds);
    this.directionBetween(n, this.boxCenterA, this.boxCenterB);
  }

  /** Leaves the nearest points, given in the frame of B, in the cache, each in its body's own frame. */
  storeWitnesses(cache: PairCache, pointA: Vec3, pointB: Vec3): void {
    const { T_b_a: T, opposite } = this;
    set(opposite, pointA[0] - T[3], pointA[1] - T[7], pointA[2] - T[11]);
    rotateBack(cache.witnessA, T, opposite);
    copy(cache.witnessB, pointB);
    cache.hasNearest = true;
  }

  /** Adds the largest coordinate of a box to the extent. */
  private addToExtent(bounds: Float64Array): void {
    let largest = 0;
    for (let i = 0; i < 6; i++) largest = Math.max(largest, Math.abs(bounds[i]));
    this.extent += largest;
  }

  private directionBetween(n: Vec3, p: Vec3, q: Vec3): void {
    const { T_b_a: T } = this;
    n[0] = q[0] - (T[0] * p[0] + T[1] * p[1] + T[2] * p[2] + T[3]);
    n[1] = q[1] - (T[4] * p[0] + T[5] * p[1] + T[6] * p[2] + T[7]);
    n[2] = q[2] - (T[8] * p[0] + T[9] * p[1] + T[10] * p[2] + T[11]);
    if (n[0] * n[0] + n[1] * n[1] + n[2] * n[2] > 0) return;
    n[0] = 1;
    n[1] = 0;
    n[2] = 0;
  }

  /**
   * Looks along n, from A to B, any length but zero: fills `pointA`, `pointB`, `w` and `gap` = −n·w, which for a unit n is the width of
   * the empty slab between the cores; below zero they overlap by that much along n. (Returned, the number would cost an allocation.)
   */
  support(n: Vec3): void {
    const { a, b, pointA, pointB, w, opposite } = this;
    this.hintA = posedSupport(pointA, a, this.T_b_a, n, this.hintA);
    const x = n[0],
      y = n[1],
      z = n[2];
    opposite[0] = -x;
    opposite[1] = -y;
    opposite[2] = -z;
    this.hintB = b.support(pointB, b, opposite, this.hintB);
    w[0] = pointA[0] - pointB[0];
    w[1] = pointA[1] - pointB[1];
    w[2] = pointA[2] - pointB[2];
    this.gap = -(x * w[0] + y * w[1] + z * w[2]);
  }
}

function boxCenter(out: Vec3, bounds: Float64Array): void {
  for (let i = 0; i < 3; i++) out[i] = (bounds[i] + bounds[i + 3]) / 2;
}
