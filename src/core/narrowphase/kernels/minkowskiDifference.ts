import type { Transform } from '../../math/transform.ts';
import { create, type Vec3 } from '../../math/vec3.ts';
import { supportInPlace } from '../../shapes/polytope.ts';
import type { ConvexShape } from '../../shapes/shape.ts';
import { axisDirection, closestCorePoints } from '../closestCorePoints.ts';
import type { PairCache } from '../solver.ts';
import { posedSupport } from '../supportAlong.generated.ts';
import { add, combined, dot, load, neg, rotated, store, sub, vec } from './notation.ts';

/** Hint that lets a support function search from scratch. */
const noHint = -1;

/**
 * Minkowski difference of the cores of two shapes, A ⊖ B = {p − q : p in A, q in B}, in the frame of B. The distance of
 * the cores is the minimum norm of its points; callers add the margins. `bind` sets the pair, `support` evaluates the
 * support function and writes `pointA`, `pointB`, `w` and `gap`. Allocates nothing per query.
 */
export class MinkowskiDifference {
  /** Output of `support`, frame of B: the support point of A along n, that of B along −n, and their difference. */
  readonly pointA: Vec3 = create();
  readonly pointB: Vec3 = create();
  readonly w: Vec3 = create();
  /**
   * Output of `support`: −n·w. For a unit n the width of the empty slab between the cores, metres; negative: overlap
   * along n.
   */
  gap = 0;
  /** Sum of both margins, metres. */
  margins = 0;
  /** Bound on the coordinates that enter a sum, metres: rounding errors are a few machine epsilons of it. */
  extent = 0;
  /** Rounding error of one such sum, metres. */
  rounding = 0;
  /** The pair. */
  a!: ConvexShape;
  b!: ConvexShape;
  /** Pose of A in the frame of B. */
  T_b_a!: Transform;
  /** Hints of the support functions. */
  hintA = noHint;
  hintB = noHint;
  private readonly boxCenterA: Vec3 = create();
  private readonly boxCenterB: Vec3 = create();

  /**
   * Sets the pair; support hints are taken from the cache, if given. Keeps references to the arguments, except the
   * cache.
   */
  bind(a: ConvexShape, T_b_a: Transform, b: ConvexShape, cache?: PairCache): void {
    this.a = a;
    this.b = b;
    this.T_b_a = T_b_a;
    this.margins = a.margin + b.margin;
    this.extent = Math.max(Math.abs(T_b_a[3]), Math.abs(T_b_a[7]), Math.abs(T_b_a[11]));
    this.extent += a.extent + b.extent;
    this.rounding = Number.EPSILON * this.extent;
    this.hintA = cache === undefined ? noHint : cache.hintA;
    this.hintB = cache === undefined ? noHint : cache.hintB;
  }

  /** Whether both cores are convex hulls of listed vertices. */
  get areHulls(): boolean {
    return this.a.vertices.length > 0 && this.b.vertices.length > 0;
  }

  /** Stores the support hints for the next query of the pair. */
  storeHints(cache: PairCache): void {
    cache.hintA = this.hintA;
    cache.hintB = this.hintB;
  }

  /** Writes the vector from the centre of A to the centre of B; the x axis if the centres coincide. */
  centerDirection(n: Vec3): void {
    this.directionBetween(n, this.a.center, this.b.center);
  }

  /**
   * Writes the vector between the centres of the bounding boxes, from A to B; each box is aligned with the axes of its
   * shape.
   */
  boxCenterDirection(n: Vec3): void {
    boxCenter(this.boxCenterA, this.a.bounds);
    boxCenter(this.boxCenterB, this.b.bounds);
    this.directionBetween(n, this.boxCenterA, this.boxCenterB);
  }

  /** Writes closest points of the cores, in the frame of B; returns false if there is no closed form for the shapes. */
  closestCorePoints(pointA: Vec3, pointB: Vec3): boolean {
    return closestCorePoints(pointA, pointB, this.a, this.T_b_a, this.b);
  }

  /** Writes the vector between the closest points of the axes, if both shapes have one, else between the centres. */
  axisDirection(n: Vec3): void {
    if (!axisDirection(n, this.a, this.T_b_a, this.b)) this.centerDirection(n);
  }

  /** Stores witness points, given in the frame of B, in the cache, each in the frame of its own shape. */
  storeWitnesses(cache: PairCache, pointA: Vec3, pointB: Vec3): void {
    const { T_b_a: T } = this;
    const { witnessA, witnessB } = cache;
    const x = sub(load(pointA), vec(T[3], T[7], T[11]));
    store(witnessA, 0, combined(x, load(T, 0), load(T, 4), load(T, 8)));
    store(witnessB, 0, load(pointB));
    cache.hasWitnesses = true;
  }

  private directionBetween(n: Vec3, p: Vec3, q: Vec3): void {
    const { T_b_a: T } = this;
    const center = add(rotated(load(T, 0), load(T, 4), load(T, 8), load(p)), vec(T[3], T[7], T[11]));
    const between = sub(load(q), center);
    store(n, 0, dot(between, between) > 0 ? between : vec(1, 0, 0));
  }

  /**
   * Computes the support point of A ⊖ B against n; n points from A to B and has any length but zero. Results are in
   * `pointA`, `pointB`, `w` and `gap`, because a returned number would be allocated on the heap.
   */
  support(n: Vec3): void {
    const { a, b, pointA, pointB, w } = this;
    this.hintA = posedSupport(pointA, a, this.T_b_a, n, this.hintA);
    const d = load(n);
    store(pointB, 0, neg(d));
    this.hintB = supportInPlace(pointB, b, this.hintB);
    store(w, 0, sub(load(pointA), load(pointB)));
    this.gap = -dot(d, load(w));
  }
}

function boxCenter(out: Vec3, bounds: Float64Array): void {
  for (let i = 0; i < 3; i++) out[i] = (bounds[i] + bounds[i + 3]) / 2;
}
