import type { Transform } from '../../math/transform.ts';
import {
  addScaled,
  copy,
  create,
  cross,
  dot,
  norm,
  normalize,
  perpendicular,
  scale,
  set,
  sub,
  type Vec3,
} from '../../math/vec3.ts';
import { isHalfspace } from '../../shapes/halfspace.ts';
import type { ConvexShape } from '../../shapes/shape.ts';
import { GjkDistance } from '../gjk/gjkDistance.ts';
import { Simplex } from '../gjk/simplex.ts';
import { roundoff } from '../iterationLimits.ts';
import { contactTolerance, SignedDistanceBounds, setFromSignedDistance } from '../outcome.ts';
import { type DepthSolver, PairCache, type Separation } from '../solver.ts';
import { ExpandingPolytope } from './expandingPolytope.generated.ts';

export const defaults = {
  /** Relative gap of the bounds at which the expansion stops. Smooth shapes may reach the expansion limit instead. */
  relativeGap: 1e-10,
  /** Difference of the bounds, metres, at which the expansion stops. */
  absoluteGap: 0,
  /** Maximum number of vertices added: the limit for smooth shapes. The bounds then state the accuracy reached. */
  maxExpansions: 500,
  /** Vertices added after that to lower the upper bound: see `descend`. */
  maxDescent: 100,
};

/**
 * Thickness relative to the largest coordinate below which A ⊖ B counts as flat, and gain below which a face is final.
 */
const flatness = 2 * roundoff;
/** Height above a face from which a vertex replaces it, relative: above rounding, below `flatness`. */
const visibility = 0.25 * roundoff;

/**
 * Penetration depth by the expanding polytope algorithm [VanDenBergen01] on the cores: starting from a tetrahedron in A
 * ⊖ B around the origin, the face nearest to the origin is expanded to the support point along its normal. The nearest
 * face bounds the depth from below, each support plane from above; on polytopes the bounds meet. Separated cores with
 * overlapping margins need no polytope: depth = margins − distance.
 *
 * The witness points are the deepest points: witnessA − witnessB = depth · normal, up to the gap of the bounds.
 */
export class Epa implements DepthSolver {
  private readonly options: typeof defaults;
  readonly gjk = new GjkDistance();
  private readonly cache = new PairCache();
  private readonly gap = new SignedDistanceBounds();
  private createdPolytope: ExpandingPolytope | undefined;
  private readonly face = new Simplex();
  private readonly n: Vec3 = create();
  private readonly e: Vec3 = create();
  private readonly p: Vec3 = create();
  private readonly scratch: Vec3 = create();
  private farthestSquared = 0;
  private readonly nearest: Vec3 = create();
  private readonly deepest: Vec3 = create();
  /** Vertices of a face relative to `deepest`, and their points of A. */
  private readonly relative = new Float64Array(9);
  private readonly pointsA = new Float64Array(9);
  private readonly farthest: Vec3 = create();
  private readonly farthestA: Vec3 = create();
  /** Bounds of the core depth, the direction that proves the upper bound, and whether it is the normal of a face. */
  lower = 0;
  upper = 0;
  /** Support value of the last `evaluateSupport`. */
  private height = 0;
  private readonly normal: Vec3 = create();
  private isNormalOfFace = false;

  constructor(options: Partial<typeof defaults> = {}) {
    this.options = { ...defaults, ...options };
  }

  /** The polytope: memory that most programs that create a solver never need. */
  get polytope(): ExpandingPolytope {
    this.createdPolytope ??= new ExpandingPolytope();
    return this.createdPolytope;
  }

  depth(out: Separation, a: ConvexShape, T_b_a: Transform, b: ConvexShape): void {
    const { gjk, cache } = this;
    cache.clear();
    gjk.distance(out, a, T_b_a, b, Number.POSITIVE_INFINITY, cache);
    if (isHalfspace(a) || isHalfspace(b)) return;
    const { margins, extent } = gjk.difference;
    // Cores closer than the resolution of GJK are treated as overlapping: the faces around the origin resolve them
    // better.
    const isOverlapping =
      gjk.iteration.containsOrigin ||
      (gjk.iteration.lower <= roundoff * extent && gjk.iteration.upper <= contactTolerance * extent);
    if (!isOverlapping) {
      if (out.status === 'separated') return;
      gjk.writeWitnesses(out, a, b);
      return;
    }
    this.lower = 0;
    this.upper = -gjk.iteration.lower;
    copy(this.normal, gjk.iteration.normal);
    this.isNormalOfFace = false;
    const hasFaces = this.createTetrahedron();
    const expansions = hasFaces ? this.expand() : 0;

    // A negative upper bound: a plane separates the cores after all, by that much.
    this.gap.lower = -this.upper - margins;
    this.gap.upper = -Math.min(this.lower, this.upper) - margins;
    this.gap.extent = extent;
    setFromSignedDistance(out, this.gap);
    out.iterations += expansions;
    out.hasNormal = true;
    copy(out.normal, this.normal);
    this.witnesses(out, a.margin, b.margin, hasFaces);
  }

  /** Extends the simplex of GJK to a tetrahedron; returns false if A ⊖ B is flat, and the depth of the cores 0. */
  private createTetrahedron(): boolean {
    const { polytope } = this;
    const { difference, iteration: walk } = this.gjk;
    const { simplex } = walk;
    polytope.flatThickness = flatness * difference.extent;
    polytope.clear();
    for (let k = 0; k < simplex.count; k++) polytope.addVertex(simplex.w, simplex.a, 3 * k);
    if (polytope.vertexCount === 4 && polytope.isFlat()) polytope.flatten();
    while (polytope.vertexCount < 4) if (!this.addFarthestVertex()) return false;
    polytope.closeTetrahedron();
    return true;
  }

  /**
   * Adds the vertex farthest from the point, line or plane of the present ones; returns false if its distance counts as
   * flat.
   */
  private addFarthestVertex(): boolean {
    const { polytope, n, e, p, farthest } = this;
    const { w, vertexCount } = polytope;
    this.farthestSquared = 0;
    set(p, w[0], w[1], w[2]);
    set(e, w[3] - w[0], w[4] - w[1], w[5] - w[2]);
    if (vertexCount === 1) {
      for (let axis = 0; axis < 3; axis++) {
        set(n, axis === 0 ? 1 : 0, axis === 1 ? 1 : 0, axis === 2 ? 1 : 0);
        this.supportAlongBoth(1);
      }
    } else if (vertexCount === 2) {
      perpendicular(n, e);
      this.supportAlongBoth(2);
      cross(n, e, n);
      this.supportAlongBoth(2);
    } else {
      set(n, w[6] - w[0], w[7] - w[1], w[8] - w[2]);
      cross(n, e, n);
      normalize(n, n);
      this.supportAlongBoth(3);
    }
    if (!(this.farthestSquared > polytope.flatThickness * polytope.flatThickness)) return false;
    polytope.addVertex(farthest, this.farthestA);
    return true;
  }

  /** Evaluates the support along ±n and keeps the point farthest from the affine hull of the first `count` vertices. */
  private supportAlongBoth(count: number): void {
    const { n, e, p, scratch, farthest, farthestA } = this;
    const { difference } = this.gjk;
    for (let side = 0; side < 2; side++) {
      this.evaluateSupport();
      sub(scratch, difference.w, p);
      if (count === 2) {
        const along = dot(scratch, e) / dot(e, e);
        addScaled(scratch, scratch, e, -along);
      } else if (count === 3) scale(scratch, n, dot(scratch, n));
      const squared = dot(scratch, scratch);
      if (squared > this.farthestSquared) {
        this.farthestSquared = squared;
        copy(farthest, difference.w);
        copy(farthestA, difference.pointA);
      }
      scale(n, n, -1);
    }
  }

  /**
   * Evaluates the support plane along n: computes its height over the origin, an upper bound of the depth, and keeps
   * the smallest.
   */
  private evaluateSupport(): void {
    const { n } = this;
    const length = norm(n);
    const { difference } = this.gjk;
    difference.support(n);
    const height = -difference.gap / length;
    if (height < this.upper) {
      this.upper = height;
      scale(this.normal, n, 1 / length);
      this.isNormalOfFace = false;
    }
    this.height = height;
  }

  /** Expands the polytope until the bounds meet; returns the number of expansions. */
  expand(): number {
    const { polytope } = this;
    const { relativeGap, absoluteGap, maxExpansions } = this.options;
    const { extent, margins } = this.gjk.difference;
    polytope.visibilityHeight = visibility * extent;
    let finalHeight = Number.POSITIVE_INFINITY; // minimum height of the final faces, which nothing lies beyond

    for (let expansions = 0; expansions < maxExpansions; expansions++) {
      const f = polytope.nearestFace();
      this.lower = Math.max(this.lower, Math.min(finalHeight, f < 0 ? finalHeight : polytope.heights[f]));
      const tolerance = Math.max(roundoff * extent, absoluteGap, relativeGap * (this.upper + margins));
      if (f < 0 || (this.upper - this.lower <= tolerance && this.isNormalOfFace)) return expansions;
      if (this.expandFace(f)) continue;
      finalHeight = Math.min(finalHeight, polytope.heights[f]);
      polytope.dequeue();
    }
    return maxExpansions + this.descend();
  }

  /**
   * Lowers the upper bound to a local minimum after the expansion limit, always at the lowest face that the last vertex
   * created: of pairs with an axis of symmetry, faces all around would be expanded in turn, and none becomes small.
   */
  private descend(): number {
    const { polytope, options } = this;
    let f = polytope.nearestFace();
    for (let expansions = 0; expansions < options.maxDescent; expansions++) {
      const first = polytope.faceCount;
      if (f < 0 || !this.expandFace(f)) return expansions;
      f = first;
      for (let k = first + 1; k < polytope.faceCount; k++) if (polytope.heights[k] < polytope.heights[f]) f = k;
    }
    return options.maxDescent;
  }

  /** Expands face f to the support point along its normal; returns false if it is final. */
  expandFace(f: number): boolean {
    const { polytope, n, normal } = this;
    const { difference } = this.gjk;
    for (let k = 0; k < 3; k++) n[k] = polytope.normals[3 * f + k];
    this.evaluateSupport();
    const { height } = this;
    if (height <= this.upper + roundoff * difference.extent) {
      copy(normal, n);
      this.isNormalOfFace = true;
    }
    return (
      height - polytope.heights[f] > flatness * difference.extent && polytope.expand(f, difference.w, difference.pointA)
    );
  }

  /**
   * Computes the witness points: of the surface of the polytope, the point nearest to depth · normal, with the point of
   * A that belongs to it, both moved outwards by the margins. Of several faces at the same height (symmetric pairs), it
   * lies on one with that normal; of the triangles of a triangulated face, on the one that contains it.
   */
  private witnesses(out: Separation, marginA: number, marginB: number, hasFaces: boolean): void {
    const { polytope, face, nearest, deepest } = this;
    const { difference, iteration } = this.gjk;
    out.hasWitnesses = true;
    iteration.simplex.witnessA(out.witnessA);
    copy(nearest, iteration.simplex.v);
    scale(deepest, this.normal, this.upper);
    // n · deepest <= upper for every unit vector n: a face through that point is no higher.
    const maxHeight = this.upper + contactTolerance * difference.extent;
    let minSquared = Number.POSITIVE_INFINITY;
    for (let f = 0; hasFaces && f < polytope.faceCount; f++) {
      if (polytope.isRemoved[f] === 1 || polytope.heights[f] > maxHeight) continue;
      this.setFaceFromDeepest(f);
      if (!(face.normSquared < minSquared)) continue;
      minSquared = face.normSquared;
      face.witnessA(out.witnessA);
      addScaled(nearest, deepest, face.v, 1);
    }
    sub(out.witnessB, out.witnessA, nearest);
    addScaled(out.witnessA, out.witnessA, out.normal, marginA);
    addScaled(out.witnessB, out.witnessB, out.normal, -marginB);
  }

  /** Computes the point of a face of the polytope nearest to `deepest`, relative to that. */
  private setFaceFromDeepest(f: number): void {
    const { polytope, face, deepest, relative, pointsA } = this;
    face.clear();
    for (let k = 0; k < 3; k++) {
      const from = 3 * polytope.faceVertices[3 * f + k];
      for (let i = 0; i < 3; i++) {
        relative[3 * k + i] = polytope.w[from + i] - deepest[i];
        pointsA[3 * k + i] = polytope.a[from + i];
      }
      face.add(relative, pointsA, 3 * k);
    }
    face.reduce(false);
  }
}
