import { create, cross, dot, normalize, perpendicular, scale, set, type Vec3 } from '../../math/vec3.ts';
import type { GjkDistance } from '../gjk/gjkDistance.ts';
import { roundoff } from '../iterationLimits.ts';
import type { MinkowskiDifference } from '../minkowskiDifference.generated.ts';
import { ExpandingPolytope } from './expandingPolytope.generated.ts';

/** Maximum number of vertices added; few pairs are proved with more. */
const MAX_EXPANSIONS = 40;
/** Relative: thickness below which the polytope counts as flat, and gain below which a face is final. */
const flatness = 2 * roundoff;
/** Height above a face from which a vertex replaces it, relative: above rounding, below `flatness`. */
const visibility = 0.25 * roundoff;

/**
 * First-order motion of a body, in the frame of B: in a time σ of [−1, 1] its point p moves by
 *   σ (V + Ω × p) + R,   ‖R‖ <= rest
 */
export interface PointVelocities {
  /** Ω, rad. */
  readonly turning: Vec3;
  /** V, the velocity of the point at the origin, metres. */
  readonly velocity: Vec3;
}

const createPointVelocities = (): PointVelocities => ({ turning: create(), velocity: create() });

/**
 * Proves that the cores of two bodies that move independently, each for a time of [−1, 1] of its own, overlap at all
 * times. A polytope in A ⊖ B around the origin is expanded as for the penetration depth [VanDenBergen01]; its vertices
 * a − b move by σ α − τ β with the velocities α of a and β of b. A face with the outward normal n and the height h over
 * the origin does not reach it if h > |n·α| + |n·β| + rest at each of its vertices. If that holds for all faces, the
 * origin never crosses the moving surface, so the surface encloses it for all σ and τ, and with it A ⊖ B does.
 */
export class LastingOverlap {
  /** Bound on the displacements beyond those of first order, of both bodies together, metres. */
  rest = 0;
  /**
   * Penetration depth, metres, with which no displacement separates the bodies: bound on those of all points of both,
   * together. The margins of rounded shapes count for it alone.
   */
  enough = Number.POSITIVE_INFINITY;
  /** Velocities of the points of A and of B. */
  readonly ofA = createPointVelocities();
  readonly ofB = createPointVelocities();
  /**
   * After a failure: unit normal, in the frame of B, of a face that may reach the origin, along which the overlap of
   * the pair is likely to be small.
   */
  readonly normal: Vec3 = create();
  private createdPolytope: ExpandingPolytope | undefined;
  /** By vertex: α, then β. */
  private readonly velocities = new Float64Array(6 * (MAX_EXPANSIONS + 4));
  private readonly point: Vec3 = create();
  private readonly edge: Vec3 = create();
  /** Bound on |n·α| + |n·β| + rest over all vertices and unit vectors n. */
  private farthest = 0;

  /** The polytope: memory that is only needed if bodies overlap. */
  private get polytope(): ExpandingPolytope {
    this.createdPolytope ??= new ExpandingPolytope();
    return this.createdPolytope;
  }

  /**
   * Returns true if the cores overlap at all times.
   * @param gjk has solved the pair last, at the pose of time 0
   */
  isProved({ difference, iteration }: GjkDistance): boolean {
    const { polytope, normal } = this;
    const { simplex } = iteration;
    const { extent, margins, w, pointA } = difference;
    if (!iteration.containsOrigin) return false;
    polytope.clear();
    polytope.flatThickness = flatness * extent;
    polytope.visibilityHeight = visibility * extent;
    for (let k = 0; k < simplex.count; k++) polytope.addVertex(simplex.w, simplex.a, 3 * k);
    if ((simplex.count < 4 || polytope.isFlat()) && !this.createTetrahedron(difference)) return false;
    polytope.closeTetrahedron();
    this.farthest = this.rest;
    for (let k = 0; k < 4; k++) this.addVelocities(k);
    for (let count = 4; ; ) {
      const f = polytope.nearestFace();
      const isDeep = f < 0 || polytope.heights[f] > Math.min(this.farthest, this.enough - margins);
      if (isDeep) return !this.hasFaceWithoutArea();
      if (polytope.heights[f] > this.approachOfFace(f)) {
        polytope.dequeue();
        continue;
      }
      for (let k = 0; k < 3; k++) normal[k] = polytope.normals[3 * f + k];
      if (count === MAX_EXPANSIONS + 4) return false;
      difference.support(normal);
      const height = -difference.gap;
      if (!(height - polytope.heights[f] > flatness * extent && polytope.expand(f, w, pointA))) return false;
      this.addVelocities(count++);
      if (!(height > this.approach(count - 1, normal[0], normal[1], normal[2]))) return false;
    }
  }

  /**
   * Creates a tetrahedron of support points, for bodies so aligned that the origin is in a face of the simplex; returns
   * false if A ⊖ B is flat. It need not contain the origin: the faces that leave it out are expanded first.
   */
  private createTetrahedron(difference: MinkowskiDifference): boolean {
    const { polytope, normal, edge, point } = this;
    const { w } = polytope;
    polytope.clear();
    set(normal, 1, 0, 0);
    difference.support(normal);
    polytope.addVertex(difference.w, difference.pointA);
    if (!this.addOff(difference)) return false;
    set(edge, w[3] - w[0], w[4] - w[1], w[5] - w[2]);
    perpendicular(normal, edge);
    normalize(normal, normal);
    if (!this.addOff(difference)) {
      cross(normal, edge, normal);
      normalize(normal, normal);
      if (!this.addOff(difference)) return false;
    }
    set(point, w[6] - w[0], w[7] - w[1], w[8] - w[2]);
    cross(normal, edge, point);
    normalize(normal, normal);
    return this.addOff(difference) && !polytope.isFlat();
  }

  /** Adds the support point along ±normal that is off vertex 0 along it; returns false if neither is. */
  private addOff(difference: MinkowskiDifference): boolean {
    const { polytope, normal } = this;
    const { w, flatThickness } = polytope;
    for (let side = 0; side < 2; side++) {
      difference.support(normal);
      const along = dot(normal, difference.w) - (normal[0] * w[0] + normal[1] * w[1] + normal[2] * w[2]);
      if (Math.abs(along) > flatThickness) {
        polytope.addVertex(difference.w, difference.pointA);
        return true;
      }
      scale(normal, normal, -1);
    }
    return false;
  }

  /** A triangle without area has no plane, so that nothing is known about it. */
  private hasFaceWithoutArea(): boolean {
    const { faceCount, isRemoved, heights } = this.polytope;
    for (let f = 0; f < faceCount; f++) if (isRemoved[f] === 0 && !(heights[f] < Number.POSITIVE_INFINITY)) return true;
    return false;
  }

  /** Computes the velocities α and β of a vertex of the polytope. */
  private addVelocities(vertex: number): void {
    const { polytope, velocities, point, ofA, ofB } = this;
    const { a, w } = polytope;
    const o = 6 * vertex;
    for (let k = 0; k < 3; k++) point[k] = a[3 * vertex + k];
    writeVelocity(velocities, o, ofA, point);
    for (let k = 0; k < 3; k++) point[k] -= w[3 * vertex + k];
    writeVelocity(velocities, o + 3, ofB, point);
    this.farthest = Math.max(this.farthest, norm(velocities, o) + norm(velocities, o + 3) + this.rest);
  }

  /** Bounds how far the vertices of a face move towards the origin along its normal. */
  private approachOfFace(f: number): number {
    const { faceVertices, normals } = this.polytope;
    const x = normals[3 * f],
      y = normals[3 * f + 1],
      z = normals[3 * f + 2];
    return Math.max(
      this.approach(faceVertices[3 * f], x, y, z),
      this.approach(faceVertices[3 * f + 1], x, y, z),
      this.approach(faceVertices[3 * f + 2], x, y, z),
    );
  }

  /** |n·α| + |n·β| + rest of a vertex. */
  private approach(vertex: number, x: number, y: number, z: number): number {
    const { velocities: v } = this;
    const o = 6 * vertex;
    const alongA = x * v[o] + y * v[o + 1] + z * v[o + 2];
    const alongB = x * v[o + 3] + y * v[o + 4] + z * v[o + 5];
    return Math.abs(alongA) + Math.abs(alongB) + this.rest;
  }
}

function writeVelocity(out: Float64Array, o: number, { turning: w, velocity: v }: PointVelocities, p: Vec3): void {
  out[o] = v[0] + w[1] * p[2] - w[2] * p[1];
  out[o + 1] = v[1] + w[2] * p[0] - w[0] * p[2];
  out[o + 2] = v[2] + w[0] * p[1] - w[1] * p[0];
}

const norm = (v: Float64Array, o: number): number => Math.sqrt(v[o] * v[o] + v[o + 1] * v[o + 1] + v[o + 2] * v[o + 2]);
