import type { Point2 } from '../../math/planarHull.ts';
import { add, addScaled, create, cross, dot, norm, scale, tangentsOf, type Vec3 } from '../../math/vec3.ts';
import { lowestCommonPoint, type PlanarSet } from './contactPatch.ts';
import { ContactSide, type GrowthContact } from './contactSide.ts';

/** Distance, relative to the outer radii, up to which a point outside a support set counts as a point of it. */
const INSIDE = 2e-6;
/** Angle by which the constraints on normals are relaxed: of polytopes, and of cores with rims, known to the gap. */
const RELAXED = 1e-9;
const RELAXED_RIM = 1e-6;
/** Distance of contact points relative to the outer radii, and of normals relative to their length, of one solution. */
const EQUAL = 1e-5;
const DIAGONALS: readonly Point2[] = [-1, 0, 1].flatMap((x) =>
  [-1, 0, 1].flatMap((y): Point2[] => (x === 0 && y === 0 ? [] : [[x, y]])),
);

/**
 * All solutions of the program of a growth distance σ. The primal ones are the common points of the grown shapes: the
 * intersection of their support sets along the normal. The dual ones are the normals m, scaled such that
 * h_A(m) + h_B(−m) = 1, at which all of these points are support points of both shapes: they are orthogonal to no
 * direction into the shapes, m·d ≤ 0 for A and ≥ 0 for B, and lie in the plane m·c = σ.
 */
export class ContactSolutions {
  /** Vertices of the polygon of scaled normals, frame of B. */
  readonly normals: readonly Vec3[];
  /** Vertices of the set of contact points if there are several normals; relative to the contact, not grown. */
  readonly points: readonly Vec3[];

  private constructor(
    private readonly contact: GrowthContact,
    private readonly patch: Patch,
    normals: readonly Vec3[],
  ) {
    const extent = contact.a.outerRadius + contact.b.outerRadius;
    this.points = distinct(patch.corners, EQUAL * Math.min(extent, patch.reach));
    this.normals = normals;
  }

  /** Returns the solutions; undefined if the shapes are not known well enough: support functions, tips of cones. */
  static of(contact: GrowthContact): ContactSolutions | undefined {
    const patch = Patch.of(contact);
    const normals = patch && normalsOf(contact, patch);
    return patch && normals && new ContactSolutions(contact, patch, normals);
  }

  /**
   * Returns the one-sided derivative of σ for velocities of both centres and angular velocities: min over the contact
   * points z of max over the scaled normals m of m·(V_B(z) − V_A(z)), V the velocities of the material points
   * [Golshtein72]. The objective is linear in both, which makes it a matrix game on the vertices.
   */
  derivative(velocityA: Vec3, angularA: Vec3, velocityB: Vec3, angularB: Vec3): number {
    const { contact, points, normals } = this;
    const relative = create();
    const turning = create();
    const rate = (m: Vec3, offset: Vec3): number => {
      scale(relative, velocityB, 1);
      addScaled(relative, relative, velocityA, -1);
      for (const [angular, arm, sign] of [
        [angularB, contact.pointB, 1],
        [angularA, contact.pointA, -1],
      ] as const) {
        add(turning, arm, offset);
        cross(turning, angular, turning);
        addScaled(relative, relative, turning, sign * contact.growth);
      }
      return dot(m, relative);
    };
    if (normals.length === 1) {
      const slope = create();
      addScaled(slope, angularB, angularA, -1);
      cross(slope, normals[0], slope); // m·(ω × δ) = δ·(m × ω)
      return rate(normals[0], this.patch.lowest(slope));
    }
    if (points.length === 1) return Math.max(...normals.map((m) => rate(m, points[0])));
    const [p, q] = farthest(points);
    const [m, n] = farthest(normals);
    return gameValue(rate(m, p), rate(n, p), rate(m, q), rate(n, q));
  }
}

/** Common points of the support sets, relative to the contact. */
class Patch {
  /** Extreme points in eight directions. */
  readonly corners: readonly Vec3[];
  /** Largest distance of a vertex of the smaller support set from the contact. */
  readonly reach: number;

  private constructor(
    readonly sideA: ContactSide,
    readonly sideB: ContactSide,
    private readonly u: Vec3,
    private readonly v: Vec3,
    private readonly faces: readonly [PlanarSet, PlanarSet],
    private readonly tolerance: number,
  ) {
    this.corners = DIAGONALS.map(([x, y]) => this.at(lowestCommonPoint(...faces, [x, y], tolerance)));
    const reaches = faces
      .filter(({ kind, ring }) => kind === 'disc' || (kind === 'hull' && ring.length > 1))
      .map(({ ring, radius }) => radius + Math.max(...ring.map(([x, y]) => Math.sqrt(x * x + y * y))));
    this.reach = Math.min(...reaches);
  }

  static of({ a, T_b_a, b, normal, pointA, pointB }: GrowthContact): Patch | undefined {
    const [u, v] = tangentsOf(normal);
    const sideA = new ContactSide(a, T_b_a, normal, pointA);
    const inward = normal.map((x) => -x);
    const sideB = new ContactSide(b, undefined, inward, pointB);
    const [faceA, faceB] = [sideA.face(u, v), sideB.face(u, v)];
    if (faceA === undefined || faceB === undefined) return undefined;
    const extent = Math.min(a.outerRadius, b.outerRadius);
    return new Patch(sideA, sideB, u, v, [faceA, faceB], INSIDE * extent);
  }

  /** Returns the contact point that is lowest along a vector. */
  lowest(along: Vec3): Vec3 {
    const { u, v, faces, tolerance } = this;
    return this.at(lowestCommonPoint(...faces, [dot(along, u), dot(along, v)], tolerance));
  }

  private at([x, y]: Point2): Vec3 {
    const out = create();
    scale(out, this.u, x);
    addScaled(out, out, this.v, y);
    return out;
  }
}

/** Returns the vertices of the polygon of scaled normals; undefined if unknown. */
function normalsOf(contact: GrowthContact, { sideA, sideB, corners }: Patch): readonly Vec3[] | undefined {
  const { a, b, normal, centers, growth } = contact;
  const along = dot(normal, centers);
  const single = normal.map((x) => (x * growth) / along);
  if (sideA.isSmooth || sideB.isSmooth) return [single];
  const middle = create();
  for (const corner of corners) addScaled(middle, middle, corner, 1 / corners.length);
  const [coneA, coneB] = [sideA.cone(middle), sideB.cone(middle)];
  const length = norm(centers);
  const [x, y] = tangentsOf(centers.map((component) => component / length));
  const base = centers.map((component) => (component * growth) / (length * length));
  const relaxed = [a, b].some(({ type, vertices }) => vertices.length === 0 && type !== 'box') ? RELAXED_RIM : RELAXED;
  const half = 2 / (a.innerRadius + b.innerRadius); // no scaled normal is longer than 1 / inner radii
  let polygon: Point2[] = [
    [-half, -half],
    [half, -half],
    [half, half],
    [-half, half],
  ];
  for (const [cone, sign] of [
    [coneA, 1],
    [coneB, -1],
  ] as const) {
    for (const d of cone ?? []) {
      const constant = sign * dot(base, d) - relaxed * norm(single) * norm(d);
      polygon = clip(polygon, constant, sign * dot(x, d), sign * dot(y, d));
    }
  }
  if (polygon.length === 0) return undefined;
  const normals = polygon.map(([s, t]) => base.map((component, k) => component + s * x[k] + t * y[k]));
  if (normals.every((m) => distance(m, single) <= EQUAL * norm(single))) return [single];
  return coneA !== undefined && coneB !== undefined ? normals : undefined;
}

/** Returns the part of a polygon with c + a x + b y <= 0. */
function clip(polygon: readonly Point2[], c: number, a: number, b: number): Point2[] {
  const out: Point2[] = [];
  polygon.forEach((p, i) => {
    const q = polygon[(i + 1) % polygon.length];
    const [from, to] = [c + a * p[0] + b * p[1], c + a * q[0] + b * q[1]];
    if (from <= 0) out.push(p);
    if (from <= 0 === to <= 0) return;
    const t = from / (from - to);
    out.push([p[0] + t * (q[0] - p[0]), p[1] + t * (q[1] - p[1])]);
  });
  return out;
}

/** Returns the vectors without those that are nearer than `tolerance` to the first, or the first alone. */
function distinct(vectors: readonly Vec3[], tolerance: number): readonly Vec3[] {
  const [first] = vectors;
  return vectors.some((x) => distance(x, first) > tolerance) ? vectors : [first];
}

/** Returns the ends of vectors that lie on a segment. */
function farthest(vectors: readonly Vec3[]): readonly [Vec3, Vec3] {
  const from = (x: Vec3) => vectors.reduce((best, y) => (distance(x, y) > distance(x, best) ? y : best));
  const end = from(vectors[0]);
  return [end, from(end)];
}

const distance = (x: Vec3, y: Vec3): number => norm(x.map((component, k) => component - y[k]));

/** Returns the value of a game of two rows, which minimize, and two columns, which maximize. */
export function gameValue(a: number, b: number, c: number, d: number): number {
  const least = Math.min(Math.max(a, b), Math.max(c, d));
  const most = Math.max(Math.min(a, c), Math.min(b, d));
  return least <= most ? least : (a * d - b * c) / (a + d - b - c);
}
