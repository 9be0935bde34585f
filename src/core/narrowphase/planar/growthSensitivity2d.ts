import { type PlanarTransform, rotatePlanar, transformPlanarPoint, type Vec2 } from '../../math/planar.ts';
import type { PlanarShape } from '../../shapes/planar/planarShape.ts';
import type { NoJacobian } from '../growth/contactJacobian.ts';
import { gameValue } from '../growth/contactSolutions.ts';
import type { GrowthGradient } from '../growth/gradientOfGrowth.ts';
import type { GrowthSensitivity } from '../growth/growthSensitivity.ts';
import { Separation } from '../solver.ts';
import { GrowthDistance2d } from './growthDistance2d.ts';
import { PlanarCache } from './planarSolver.ts';

/** Angle, radians, up to which an edge is orthogonal to a normal. */
const FLAT = 1e-6;
/** Distance from the end of an edge, relative to the outer radii, at which the edge may change. */
const ON_BOUNDARY = 1e-6;
/** Length of the interval of normals, relative to them, up to which there is one. */
const EQUAL = 1e-9;
/** Sum of the rounding radii, relative to the outer radii, up to which the normal of vertices that meet is free. */
const SHARP = 1e-9;
const MOTIONS = 6;

/** Primal and dual solution of a planar growth distance, in the frame of B; see `GrowthContact`. */
export interface PlanarContact {
  /** Shape A. */
  readonly a: PlanarShape;
  /** Pose of A in the frame of B. */
  readonly T_b_a: PlanarTransform;
  /** Shape B. */
  readonly b: PlanarShape;
  /** Unit normal from A to B. */
  readonly normal: Vec2;
  /** Points of the shapes, relative to their centres, that are in contact when they are grown. */
  readonly pointA: Vec2;
  readonly pointB: Vec2;
  /** Vector from the centre of A to that of B; all 0 if they coincide to rounding. */
  readonly centers: Vec2;
  /** Growth distance. */
  readonly growth: number;
  /** Whether witness points are on the shapes, which are apart. */
  readonly isSeparated: boolean;
}

/** Part of the tangent that a support set covers, from the contact: metres along the normal turned to the left. */
type Interval = readonly [number, number];

/** Whether the contact is within an edge of A, and of B. */
interface ContactEdges {
  readonly isEdgeA: boolean;
  readonly isEdgeB: boolean;
}

/**
 * As `SpatialSensitivity` in the plane: support sets are intervals of the tangent, the scaled normals form an interval
 * of the line m·c = σ, and an edge holds the normal.
 */
export class PlanarSensitivity implements GrowthSensitivity {
  constructor(
    private readonly contact: PlanarContact,
    private readonly gradient: GrowthGradient,
  ) {}

  derivative(a: ArrayLike<number>, b: ArrayLike<number>): number | undefined {
    const { gradient, contact } = this;
    const { centers, normal: n, growth } = contact;
    if (gradient.differentiable) {
      let sum = 0;
      for (let k = 0; k < 3; k++) sum += gradient.a[k] * a[k] + gradient.b[k] * b[k];
      return sum;
    }
    if (centers[0] === 0 && centers[1] === 0) return this.derivativeAtCenter(b[0] - a[0], b[1] - a[1]);
    const faceA = supportInterval(contact.a, contact.T_b_a, contact.pointA, n, 1);
    const faceB = supportInterval(contact.b, undefined, contact.pointB, n, -1);
    const points = [Math.max(faceA[0], faceB[0]), Math.min(faceA[1], faceB[1])];
    const [m0, m1] = this.normals((points[0] + points[1]) / 2);
    // m·(V_B − V_A) at the contact point, moved along the tangent
    const rate = (m: Vec2, along: number) => {
      const velocity = [0, 1].map((k) => {
        const [side, other] = k === 0 ? [-1, 1] : [1, 0];
        const arm = (point: Vec2) => growth * (point[other] + along * (other === 1 ? n[0] : -n[1]));
        return b[k] - a[k] + side * (b[2] * arm(contact.pointB) - a[2] * arm(contact.pointA));
      });
      return m[0] * velocity[0] + m[1] * velocity[1];
    };
    return gameValue(rate(m0, points[0]), rate(m1, points[0]), rate(m0, points[1]), rate(m1, points[1]));
  }

  jacobian(): ReturnType<GrowthSensitivity['jacobian']> {
    const { contact, gradient } = this;
    if (!gradient.differentiable || !(contact.growth > 0)) return 'kink';
    const edges = this.findEdges();
    if (typeof edges === 'string') return edges;
    const out = {
      normal: new Float64Array(2 * MOTIONS),
      witnessA: new Float64Array(2 * MOTIONS),
      witnessB: new Float64Array(2 * MOTIONS),
    };
    for (let column = 0; column < MOTIONS; column++) this.addColumn(out, column, edges);
    return out;
  }

  /** Finds the edges of the contact; returns why there is no Jacobian, if so. */
  private findEdges(): ContactEdges | NoJacobian {
    const { a, b, T_b_a, pointA, pointB, normal } = this.contact;
    const faces = [supportInterval(a, T_b_a, pointA, normal, 1), supportInterval(b, undefined, pointB, normal, -1)];
    const boundary = ON_BOUNDARY * (a.outerRadius + b.outerRadius);
    const isPoint = ([from, to]: Interval) => to - from <= boundary;
    if (faces.some((face) => !isPoint(face) && Math.min(-face[0], face[1]) <= boundary)) return 'boundary of a face';
    const [isEdgeA, isEdgeB] = faces.map((face) => !isPoint(face));
    const [radiusA, radiusB] = this.curvatureRadii();
    const isHeld = isEdgeA || isEdgeB || radiusA + radiusB > SHARP * (a.outerRadius + b.outerRadius);
    return isHeld ? { isEdgeA, isEdgeB } : 'singular';
  }

  /** Returns the radii of curvature of A and B at the contact, metres: the margins of vertices and edges. */
  private curvatureRadii(): readonly [number, number] {
    const { a, b, T_b_a, normal: n } = this.contact;
    const [cosine, sine] = T_b_a;
    const normalA = Float64Array.of(cosine * n[0] + sine * n[1], cosine * n[1] - sine * n[0]);
    return [a.round?.radiusAlong(normalA) ?? a.margin, b.round?.radiusAlong(n) ?? b.margin];
  }

  /** Writes the derivatives by one unit velocity: of A for columns 0 to 2, of B for 3 to 5. */
  private addColumn(
    out: Record<'normal' | 'witnessA' | 'witnessB', Float64Array>,
    column: number,
    { isEdgeA, isEdgeB }: ContactEdges,
  ): void {
    const { normal: n, pointA, pointB, growth, isSeparated } = this.contact;
    const { gradient } = this;
    const motion = Array.from({ length: MOTIONS }, (_, k) => (k === column ? 1 : 0));
    const slope = column < 3 ? gradient.a[column] : gradient.b[column - 3];
    const [turnA, turnB] = [motion[2], motion[5]];
    const tangent = [-n[1], n[0]];
    // The contact along the tangent: c_A + σ p_A = c_B + σ p_B, with p moving by ω × p, radius (θ − ω) and s.
    let apart = 0;
    for (let k = 0; k < 2; k++) {
      const turned = (k === 0 ? -1 : 1) * (turnA * pointA[1 - k] - turnB * pointB[1 - k]);
      apart += tangent[k] * (motion[k] - motion[3 + k] + slope * (pointA[k] - pointB[k]) + growth * turned);
    }
    const [radiusA, radiusB] = this.curvatureRadii();
    const radii = radiusA + radiusB;
    const turns = radiusA * turnA + radiusB * turnB;
    const theta = isEdgeA ? turnA : isEdgeB ? turnB : (turns - apart / growth) / radii;
    const slide = turns - apart / growth - radii * theta; // of A along its edge, or of B along its own, reversed
    const alongA = radiusA * (theta - turnA) + (isEdgeA ? slide : 0);
    // The outer normal of B is −n.
    const alongB = -radiusB * (theta - turnB) - (isEdgeA || !isEdgeB ? 0 : slide);
    for (let k = 0; k < 2; k++) {
      const side = k === 0 ? -1 : 1;
      const changeA = side * turnA * pointA[1 - k] + alongA * tangent[k];
      const changeB = side * turnB * pointB[1 - k] + alongB * tangent[k];
      const at = k * MOTIONS + column;
      out.normal[at] = theta * tangent[k];
      out.witnessA[at] = motion[k] + (isSeparated ? changeA : slope * pointA[k] + growth * changeA);
      out.witnessB[at] = motion[3 + k] + (isSeparated ? changeB : slope * pointB[k] + growth * changeB);
    }
  }

  /** Returns the ends of the interval of normals m, scaled such that h_A(m) + h_B(−m) = 1. */
  private normals(along: number): readonly [Vec2, Vec2] {
    const { a, b, T_b_a, normal: n, pointA, pointB, centers, growth } = this.contact;
    const squared = centers[0] * centers[0] + centers[1] * centers[1];
    const base = Float64Array.of((growth * centers[0]) / squared, (growth * centers[1]) / squared);
    const length = Math.sqrt(squared);
    const across = [-centers[1] / length, centers[0] / length];
    let [from, to] = [-2 / (a.innerRadius + b.innerRadius), 2 / (a.innerRadius + b.innerRadius)];
    const isSmooth = a.round !== undefined || b.round !== undefined || a.margin + b.margin > 0;
    for (const [shape, T, point, sign] of [
      [a, T_b_a, pointA, 1],
      [b, undefined, pointB, -1],
    ] as const) {
      if (isSmooth) break;
      const contact = [point[0] - along * n[1], point[1] + along * n[0]];
      for (const [x, y] of verticesFromCenter(shape, T)) {
        // sign (base + s across)·d <= 0 for each direction d into the shape
        const d = [x - contact[0], y - contact[1]];
        const reach = Math.sqrt(d[0] * d[0] + d[1] * d[1]);
        if (!(reach > EQUAL * shape.outerRadius)) continue;
        const constant = sign * (base[0] * d[0] + base[1] * d[1]);
        const factor = sign * (across[0] * d[0] + across[1] * d[1]);
        if (factor > EQUAL * reach) to = Math.min(to, -constant / factor);
        if (factor < -EQUAL * reach) from = Math.max(from, -constant / factor);
      }
    }
    if (isSmooth || to - from <= EQUAL * Math.sqrt(base[0] * base[0] + base[1] * base[1])) {
      const scale = growth / (n[0] * centers[0] + n[1] * centers[1]);
      const single = Float64Array.of(scale * n[0], scale * n[1]);
      return [single, single];
    }
    const at = (s: number) => Float64Array.of(base[0] + s * across[0], base[1] + s * across[1]);
    return [at(from), at(to)];
  }

  /** σ is positively homogeneous in the difference of the centres: see `SpatialSensitivity`. */
  private derivativeAtCenter(x: number, y: number): number | undefined {
    const { a, b, T_b_a } = this.contact;
    const speed = Math.sqrt(x * x + y * y);
    if (speed === 0) return 0;
    const reach = (a.outerRadius + b.outerRadius) / speed;
    const T = T_b_a.slice();
    const center = new Float64Array(2);
    transformPlanarPoint(center, T_b_a, a.center);
    T[2] += b.center[0] - center[0] - reach * x;
    T[3] += b.center[1] - center[1] - reach * y;
    const moved = new Separation();
    new GrowthDistance2d({ relativeGap: 1e-13 }).growth(moved, a, T, b, new PlanarCache());
    return moved.growth.upper < Number.POSITIVE_INFINITY ? moved.growth.lower / reach : undefined;
  }
}

/** Returns the vertices of the core relative to the centre of the shape, in the frame of B. */
function verticesFromCenter(shape: PlanarShape, T_b_shape: PlanarTransform | undefined): Vec2[] {
  const { vertices, centerFromMiddle } = shape;
  return Array.from({ length: vertices.length / 2 }, (_, i) => {
    const out = Float64Array.of(vertices[2 * i] - centerFromMiddle[0], vertices[2 * i + 1] - centerFromMiddle[1]);
    if (T_b_shape) rotatePlanar(out, T_b_shape, out);
    return out;
  });
}

/**
 * Returns the support set along ±n, which contains the contact point.
 *
 * @param sign 1: n points out of the shape, −1: into it
 */
function supportInterval(
  shape: PlanarShape,
  T_b_shape: PlanarTransform | undefined,
  contact: Vec2,
  n: Vec2,
  sign: number,
): Interval {
  if (shape.round) return [0, 0];
  const vertices = verticesFromCenter(shape, T_b_shape);
  const height = ([x, y]: Vec2) => sign * (n[0] * x + n[1] * y);
  const along = ([x, y]: Vec2) => n[0] * (y - contact[1]) - n[1] * (x - contact[0]);
  const highest = vertices.reduce((best, v) => (height(v) > height(best) ? v : best));
  let [from, to] = [0, 0];
  for (const v of vertices) {
    if (height(highest) - height(v) > FLAT * Math.abs(along(v) - along(highest))) continue;
    from = Math.min(from, along(v));
    to = Math.max(to, along(v));
  }
  return [from, to];
}
