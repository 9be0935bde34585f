import type { Transform } from '../../math/transform.ts';
import { addScaled, copy, create, cross, dot, norm, normalize, scale, set, sub, type Vec3 } from '../../math/vec3.ts';
import { isHalfspace } from '../../shapes/halfspace.ts';
import type { ConvexShape } from '../../shapes/shape.ts';
import { GjkDistance } from '../gjk/gjkDistance.ts';
import { roundoff } from '../iterationLimits.ts';
import { contactTolerance, SignedDistanceBounds, setFromSignedDistance } from '../outcome.ts';
import { type DepthSolver, PairCache, type Separation } from '../solver.ts';
import { ExpandingPolytope } from './expandingPolytope.ts';

export const defaults = {
  /** Width of the bounds, relative to the depth, at which the expansion may stop. Polytopes reach it; round bodies may meet the cap. */
  relativeGap: 1e-10,
  /** Most corners that are added: the cap for round bodies. The bounds then say how far it came. */
  maxExpansions: 500,
};

/** Thickness, relative to the largest coordinate, below which A ⊖ B counts as flat, and gain below which a face is final. */
const thin = 2 * roundoff;
/** Height above a face from which on it gives way to a new corner, relative: above rounding, below `thin`. */
const clearance = 0.25 * roundoff;

/**
 * Penetration depth by the expanding polytope algorithm [VanDenBergen01] on the cores: from a tetrahedron in A ⊖ B around the origin,
 * the face nearest to the origin grows to the support point behind it. The nearest face bounds the depth from below, each support
 * plane from above; on polytopes they meet. Cores that are apart while the margins overlap need no polytope: margins − distance.
 *
 * The witness points are the deepest ones: witnessA − witnessB = depth · normal, as far as the bounds have met.
 */
export class Epa implements DepthSolver {
  private readonly options: typeof defaults;
  private readonly gjk = new GjkDistance();
  private readonly cache = new PairCache();
  private readonly gap = new SignedDistanceBounds();
  private readonly polytope = new ExpandingPolytope();
  private readonly face = new Simplex();
  private readonly n: Vec3 = create();
  private readonly e: Vec3 = create();
  private readonly p: Vec3 = create();
  private readonly scratch: Vec3 = create();
  private farthestSquared = 0;
  private readonly nearest: Vec3 = create();
  private readonly farthest: Vec3 = create();
  private readonly farthestA: Vec3 = create();
  // Bounds of the depth of the cores, the direction that proves the upper one, and the face that the direction belongs to.
  private lower = 0;
  private upper = 0;
  /** Of the last look. */
  private height = 0;
  private readonly normal: Vec3 = create();
  private readonly corners = new Int32Array(3);

  constructor(options: Partial<typeof defaults> = {}) {
    this.options = { ...defaults, ...options };
  }

  depth(out: Separation, a: ConvexShape, T_b_a: Transform, b: ConvexShape): void {
    const { gjk, cache } = this;
    cache.hasAxis = false;
    cache.hintA = -1;
    cache.hintB = -1;
    gjk.distance(out, a, T_b_a, b, Number.POSITIVE_INFINITY, cache);
    if (isHalfspace(a) || isHalfspace(b)) return;
    const { margins, extent } = gjk.difference;
    // Cores nearer than the walk can tell are taken as meeting: the faces around the origin will know better.
    const isOpen =
      gjk.iteration.containsOrigin ||
      (gjk.iteration.lower <= roundoff * extent && gjk.iteration.upper <= contactTolerance * extent);
    if (!isOpen) {
      if (out.status === 'separated') return;
      gjk.writeWitnesses(out, a, b);
      return;
    }
    this.lower = 0;
    this.upper = -gjk.iteration.lower;
    copy(this.normal, gjk.iteration.normal);
    this.corners.fill(-1);
    const expansions = this.openPolytope() ? this.expand() : 0;

    // A negative upper bound: a plane has parted the cores after all, by that little.
    this.gap.lower = -this.upper - margins;
    this.gap.upper = -Math.min(this.lower, this.upper) - margins;
    this.gap.extent = extent;
    setFromSignedDistance(out, this.gap);
    out.iterations += expansions;
    out.hasNormal = true;
    copy(out.normal, this.normal);
    this.witnesses(out, a.margin, b.margin);
  }

  /** Turns the corners that GJK left into a tetrahedron; false when A ⊖ B is flat, and the depth of the cores 0. */
  private openPolytope(): boolean {
    const { polytope } = this;
    const { difference, iteration: walk } = this.gjk;
    const { simplex } = walk;
    polytope.thin = thin * difference.extent;
    polytope.clear();
    for (let k = 0; k < simplex.count; k++) polytope.addVertex(simplex.w, simplex.a, 3 * k);
    if (polytope.vertexCount === 4 && polytope.isFlat()) polytope.flatten();
    while (polytope.vertexCount < 4) if (!this.widen()) return false;
    polytope.closeTetrahedron();
    return true;
  }

  /** Adds the corner farthest from the point, line or plane of those there are; false if none is farther than what counts as flat. */
  private widen(): boolean {
    const { polytope, n, e, p, farthest } = this;
    const { w, vertexCount } = polytope;
    this.farthestSquared = 0;
    set(p, w[0], w[1], w[2]);
    set(e, w[3] - w[0], w[4] - w[1], w[5] - w[2]);
    if (vertexCount === 1) {
      for (let axis = 0; axis < 3; axis++) {
        set(n, axis === 0 ? 1 : 0, axis === 1 ? 1 : 0, axis === 2 ? 1 : 0);
        this.lookBothWays(1);
      }
    } else if (vertexCount === 2) {
      squareDirection(n, e);
      this.lookBothWays(2);
      cross(n, e, n);
      this.lookBothWays(2);
    } else {
      set(n, w[6] - w[0], w[7] - w[1], w[8] - w[2]);
      cross(n, e, n);
      normalize(n, n);
      this.lookBothWays(3);
    }
    if (!(this.farthestSquared > polytope.thin * polytope.thin)) return false;
    polytope.addVertex(farthest, this.farthestA);
    return true;
  }

  /** Looks along ±n for the point farthest from the hull of the first `count` corners. */
  private lookBothWays(count: number): void {
    const { n, e, p, scratch, farthest, farthestA } = this;
    const { difference } = this.gjk;
    for (let way = 0; way < 2; way++) {
      this.look();
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

  /** The support plane along n: an upper bound of the depth, kept if it is the least; and its height over the origin. */
  private look(): void {
    const { n } = this;
    const length = norm(n);
    const { difference } = this.gjk;
    difference.support(n);
    const height = -difference.gap / length;
    if (height < this.upper) {
      this.upper = height;
      const factor = 1 / length;
      for (let i = 0; i < 3; i++) this.normal[i] = factor * n[i];
      this.corners[0] = -1;
    }
    this.height = height;
  }

  /** Grows the polytope until the bounds meet; returns how many times it looked. */
  private expand(): number {
    const { polytope, n, normal, corners } = this;
    const { relativeGap, maxExpansions } = this.options;
    const { difference } = this.gjk;
    const { extent, margins } = difference;
    const even = roundoff * extent;
    polytope.clearance = clearance * extent;
    let settled = Number.POSITIVE_INFINITY; // least height of the faces that nothing lies beyond

    for (let expansions = 0; expansions < maxExpansions; expansions++) {
      const f = polytope.nearestFace();
      this.lower = Math.max(this.lower, Math.min(settled, f < 0 ? settled : polytope.heights[f]));
      const tolerance = Math.max(even, relativeGap * (this.upper + margins));
      if (f < 0 || (this.upper - this.lower <= tolerance && corners[0] >= 0)) return expansions;

      for (let k = 0; k < 3; k++) n[k] = polytope.normals[3 * f + k];
      this.look();
      const { height } = this;
      if (height <= this.upper + even) {
        copy(normal, n);
        for (let k = 0; k < 3; k++) corners[k] = polytope.corners[3 * f + k];
      }
      const gain = height - polytope.heights[f];
      if (gain > thin * extent && polytope.expand(f, difference.w, difference.pointA)) continue;
      settled = Math.min(settled, polytope.heights[f]);
      polytope.dequeue();
    }
    return maxExpansions;
  }

  /** The deepest points: those behind the point of the surface nearest to the origin, moved out by the margins. */
  private witnesses(out: Separation, marginA: number, marginB: number): void {
    const { polytope, face, nearest, corners } = this;
    const { difference, iteration: walk } = this.gjk;
    const { simplex } = walk;
    out.hasWitnesses = true;
    simplex.witnessA(out.witnessA);
    copy(nearest, simplex.v);
    // Of a face cut into triangles all planes are equally near, but only one triangle holds the point itself.
    const reach = this.upper + contactTolerance * difference.extent;
    let least = Number.POSITIVE_INFINITY;
    for (let f = 0; corners[0] >= 0 && f < polytope.faceCount; f++) {
      if (polytope.isGone[f] === 1 || polytope.heights[f] > reach) continue;
      face.clear();
      for (let k = 0; k < 3; k++) face.add(polytope.w, polytope.a, 3 * polytope.corners[3 * f + k]);
      face.reduce(false);
      if (!(face.normSquared < least)) continue;
      least = face.normSquared;
      face.witnessA(out.witnessA);
      copy(nearest, face.v);
    }
    sub(out.witnessB, out.witnessA, nearest);
    addScaled(out.witnessA, out.witnessA, out.normal, marginA);
    addScaled(out.witnessB, out.witnessB, out.normal, -marginB);
  }
}

/** A vector square to e, from the axis that e has least of. */
function squareDirection(n: Vec3, e: Vec3): void {
  const x = Math.abs(e[0]),
    y = Math.abs(e[1]),
    z = Math.abs(e[2]);
  const isX = x <= y && x <= z;
  const isY = !isX && y <= z;
  set(n, isX ? 1 : 0, isY ? 1 : 0, isX || isY ? 0 : 1);
  cross(n, e, n);
}
