import type { Point2 } from '../../math/planarHull.ts';
import { rotate, rotateBack, type Transform } from '../../math/transform.ts';
import { addScaled, create, dot, scale, sub, type Vec3 } from '../../math/vec3.ts';
import { isHalfspace } from '../../shapes/halfspace.ts';
import type { ConvexShape } from '../../shapes/shape.ts';
import { hullOfPoints, type PlanarSet } from './contactPatch.ts';
import { coneInto, supportFace, supportPointChange } from './supportFace.ts';

/** Primal and dual solution of a growth distance, in the frame of B. */
export interface GrowthContact {
  /** Shape A. */
  readonly a: ConvexShape;
  /** Pose of A in the frame of B. */
  readonly T_b_a: Transform;
  /** Shape B. */
  readonly b: ConvexShape;
  /** Unit normal from A to B. */
  readonly normal: Vec3;
  /** Point of A, relative to its centre, that is in contact when A is grown. */
  readonly pointA: Vec3;
  /** Point of B, likewise. */
  readonly pointB: Vec3;
  /** Vector from the centre of A to that of B. */
  readonly centers: Vec3;
  /** Growth distance, positive. */
  readonly growth: number;
}

/** Local geometry of one shape at its point of contact, in the frame of B. */
export class ContactSide {
  readonly shape: ConvexShape;
  /** True if the shape has one outer normal at the contact, whatever its core: a rounded one, or a half-space. */
  readonly isSmooth: boolean;
  private readonly T: Transform | undefined;
  /** Outer normal and contact point of the core, in the frame of the shape. */
  private readonly d: Vec3;
  private readonly q: Vec3;

  /** @param outward outer normal; `point`: contact relative to the centre of the shape; both in the frame of B */
  constructor(shape: ConvexShape, T_b_shape: Transform | undefined, outward: Vec3, point: Vec3) {
    this.shape = shape;
    this.T = T_b_shape;
    this.isSmooth = shape.margin > 0 || shape.type === 'ellipsoid' || isHalfspace(shape);
    this.d = this.inShape(outward);
    this.q = this.inShape(point);
    addScaled(this.q, this.q, shape.center, 1);
    addScaled(this.q, this.q, this.d, -shape.margin);
  }

  /** Returns the support set relative to the contact, in the tangent vectors `u` and `v`; undefined if unknown. */
  face(u: Vec3, v: Vec3): PlanarSet | undefined {
    const face = supportFace(this.shape, this.d);
    if (face === undefined) return undefined;
    const points = face.points.map((p): Point2 => {
      const fromContact = create();
      sub(fromContact, p, this.q);
      const inB = this.inB(fromContact);
      return [dot(inB, u), dot(inB, v)];
    });
    return face.kind === 'hull' ? hullOfPoints(points) : { kind: face.kind, ring: points, radius: face.radius };
  }

  /**
   * Returns directions that span the cone from the contact, moved by `offset` in the tangent plane, into the shape;
   * undefined if unknown.
   */
  cone(offset: Vec3): readonly Vec3[] | undefined {
    const q = this.inShape(offset);
    addScaled(q, q, this.q, 1);
    return coneInto(this.shape, q)?.map((e) => this.inB(e));
  }

  /** Returns how the contact point moves if the outer normal changes; undefined if unknown. */
  pointChange(change: Vec3): Vec3 | undefined {
    const inShape = this.inShape(change);
    const moved = supportPointChange(this.shape, this.d, this.q, inShape);
    if (moved === undefined) return undefined;
    addScaled(moved, moved, inShape, this.shape.margin);
    return this.inB(moved);
  }

  private inShape(x: Vec3): Vec3 {
    const out = create();
    if (this.T) rotateBack(out, this.T, x);
    else scale(out, x, 1);
    return out;
  }

  private inB(x: Vec3): Vec3 {
    const out = create();
    if (this.T) rotate(out, this.T, x);
    else scale(out, x, 1);
    return out;
  }
}
