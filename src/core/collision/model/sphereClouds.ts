import { create, type Transform } from '../../math/transform.ts';
import {
  type Checker,
  COLLIDING,
  type DepthSolver,
  type DistanceSolver,
  PairCache,
  SEPARATED,
  Separation,
} from '../../narrowphase/solver.ts';
import { createShape } from '../../shapes/index.ts';
import type { ConvexShape } from '../../shapes/shape.ts';

/**
 * Collision and distance queries against sphere clouds: parts of which only the spheres about the vertices are solid.
 * Called when the query against their convex hull is not conclusive. Checks sphere by
 * sphere and skips those that are out of reach of the bounding box of A. `T_b_a` is the pose of A in the frame of the
 * cloud; results are in that frame.
 */
export class SphereClouds {
  private readonly spheres = new Map<number, ConvexShape>();
  private readonly T_p_a: Transform = create();
  private readonly cache = new PairCache();
  private readonly separation = new Separation();

  constructor(
    private readonly distanceSolver: DistanceSolver,
    private readonly checker?: Checker,
    private readonly depthSolver?: DepthSolver,
  ) {}

  /** Forgets the last query. */
  clear(): void {
    this.cache.clear();
  }

  /** Returns true unless every sphere is proved to be farther from A than `padding`. */
  collides(a: ConvexShape, T_b_a: Transform, cloud: ConvexShape, padding: number): boolean {
    const { T_p_a, cache, separation } = this;
    const sphere = this.sphereOf(cloud);
    for (let i = 0; i < cloud.vertices.length; i += 3) {
      if (!this.reaches(a, T_b_a, cloud, i, padding)) continue;
      const verdict = this.checker!.check(a, T_p_a, sphere, padding, cache);
      if (verdict === SEPARATED) continue;
      if (verdict === COLLIDING) return true;
      cache.clear();
      this.distanceSolver.distance(separation, a, T_p_a, sphere, Number.POSITIVE_INFINITY, cache);
      if (!(separation.status === 'separated' && separation.distance.lower > padding)) return true;
    }
    return false;
  }

  /** Computes the distance from A to the nearest sphere, or a lower bound of at least `stopAt`; fills `out`. */
  distance(out: Separation, a: ConvexShape, T_b_a: Transform, cloud: ConvexShape, stopAt: number): void {
    const { T_p_a, cache, separation } = this;
    const sphere = this.sphereOf(cloud);
    cache.clear(); // warm start from sphere to sphere, cold start of the query: the result depends on the pose alone
    let lower = stopAt;
    let upper = Number.POSITIVE_INFINITY;
    let nearest = -1;
    for (let i = 0; i < cloud.vertices.length; i += 3) {
      const limit = Math.min(upper, stopAt);
      if (!this.reaches(a, T_b_a, cloud, i, limit)) continue;
      this.distanceSolver.distance(separation, a, T_p_a, sphere, limit, cache);
      lower = Math.min(lower, separation.distance.lower);
      if (separation.distance.upper >= upper) continue;
      upper = separation.distance.upper;
      nearest = i;
    }
    out.hasNormal = false;
    out.hasWitnesses = false;
    if (nearest >= 0) this.solveSphere(out, a, T_b_a, cloud, nearest, stopAt);
    out.distance.lower = Math.min(lower, upper);
    out.distance.upper = upper;
  }

  /**
   * Computes the depth of the deepest sphere: a lower bound on the translation that separates A from all of them; fills
   * `out`.
   */
  depth(out: Separation, a: ConvexShape, T_b_a: Transform, cloud: ConvexShape): void {
    const { T_p_a } = this;
    const sphere = this.sphereOf(cloud);
    let deepest = -1;
    let maxDepth = -1;
    for (let i = 0; i < cloud.vertices.length; i += 3) {
      if (!this.reaches(a, T_b_a, cloud, i, 0)) continue;
      this.depthSolver!.depth(out, a, T_p_a, sphere);
      if (!(out.depth.upper > maxDepth)) continue;
      maxDepth = out.depth.upper;
      deepest = i;
    }
    if (deepest < 0) return;
    this.reaches(a, T_b_a, cloud, deepest, 0);
    this.depthSolver!.depth(out, a, T_p_a, sphere);
    shift(out, cloud, deepest);
  }

  private solveSphere(
    out: Separation,
    a: ConvexShape,
    T_b_a: Transform,
    cloud: ConvexShape,
    i: number,
    stopAt: number,
  ) {
    this.reaches(a, T_b_a, cloud, i, Number.POSITIVE_INFINITY);
    this.distanceSolver.distance(out, a, this.T_p_a, this.sphereOf(cloud), stopAt, this.cache);
    shift(out, cloud, i);
  }

  /**
   * Computes T_p_a, the pose of A relative to the vertex at offset i, and returns whether the local box of A is within
   * `reach` of the sphere there. NaN: true.
   */
  private reaches(a: ConvexShape, T_b_a: Transform, cloud: ConvexShape, i: number, reach: number): boolean {
    const { T_p_a } = this;
    const { vertices, margin } = cloud;
    for (let k = 0; k < 12; k++) T_p_a[k] = T_b_a[k];
    const x = T_b_a[3] - vertices[i],
      y = T_b_a[7] - vertices[i + 1],
      z = T_b_a[11] - vertices[i + 2];
    T_p_a[3] = x;
    T_p_a[7] = y;
    T_p_a[11] = z;
    let square = 0;
    for (let k = 0; k < 3; k++) {
      const own = -(T_b_a[k] * x + T_b_a[4 + k] * y + T_b_a[8 + k] * z); // the point in the frame of A
      const gap = Math.max(a.bounds[k] - own, own - a.bounds[k + 3], 0);
      square += gap * gap;
    }
    const limit = (reach + margin) * (1 + ROUNDING);
    return !(square > limit * limit);
  }

  private sphereOf({ margin }: ConvexShape): ConvexShape {
    let sphere = this.spheres.get(margin);
    if (sphere === undefined) {
      sphere = createShape({ type: 'sphere', radius: margin });
      this.spheres.set(margin, sphere);
    }
    return sphere;
  }
}

/** Relative; enlarges the reach so that rounding never skips a sphere. */
const ROUNDING = 1e-9;

/** Translates the witness points from the frame of a sphere to that of its cloud. */
function shift({ witnessA, witnessB }: Separation, { vertices }: ConvexShape, i: number): void {
  for (let k = 0; k < 3; k++) {
    witnessA[k] += vertices[i + k];
    witnessB[k] += vertices[i + k];
  }
}
