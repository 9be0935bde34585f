import { type Transform, transformPoint } from '../../math/transform.ts';
import { addScaled, copy, create, cross, dot, norm, sub, type Vec3 } from '../../math/vec3.ts';
import { isHalfspace } from '../../shapes/halfspace.ts';
import type { ConvexShape } from '../../shapes/shape.ts';
import { PairCache, Separation } from '../solver.ts';
import { posedSupportWithMargin, supportWithMargin } from '../supportAlong.generated.ts';
import { type ContactJacobian, contactJacobian, type NoJacobian } from './contactJacobian.ts';
import type { GrowthContact } from './contactSide.ts';
import { ContactSolutions } from './contactSolutions.ts';
import type { GrowthGradient } from './gradientOfGrowth.ts';
import { GrowthDistance } from './growthDistance.ts';

/** How the growth distance and its solution change with the poses. Derivatives as in `GrowthGradient`. */
export interface GrowthSensitivity {
  /**
   * Returns the one-sided derivative of the growth distance for the given motion of A and of B: velocity of the centre,
   * then angular velocity; undefined if it is unknown.
   */
  derivative(a: ArrayLike<number>, b: ArrayLike<number>): number | undefined;
  /** Reason why one-sided derivatives are unknown; absent if the reason is that normals of a shape are unknown. */
  readonly unknownDerivative?: string;
  /** Returns the Jacobians of normal and witness points, or why there are none. */
  jacobian(): ContactJacobian | NoJacobian | 'kink';
}

/** Sensitivity of the pair whose gradient was computed last; valid until the solver computes the next one. */
export class SpatialSensitivity implements GrowthSensitivity {
  private solutions: ContactSolutions | 'unknown' | undefined = undefined;
  private readonly contact: GrowthContact | undefined;

  /** @param isAtCenter the centres coincide to rounding, or the centre of a shape is on the plane of a half-space */
  constructor(
    private readonly a: ConvexShape,
    private readonly T_b_a: Transform,
    private readonly b: ConvexShape,
    private readonly gradient: GrowthGradient,
    private readonly separation: Separation,
    private readonly isAtCenter: boolean,
    points: { readonly pointA: Vec3; readonly pointB: Vec3 } | undefined,
  ) {
    this.contact = isAtCenter ? undefined : this.contactOf(points);
  }

  derivative(a: ArrayLike<number>, b: ArrayLike<number>): number | undefined {
    const { gradient, isAtCenter, contact } = this;
    if (gradient.differentiable) return sumOfProducts(gradient.a, a) + sumOfProducts(gradient.b, b);
    const [velocityA, angularA, velocityB, angularB] = [part(a, 0), part(a, 3), part(b, 0), part(b, 3)];
    if (isAtCenter) return this.derivativeAtCenter(velocityA, angularA, velocityB, angularB);
    this.solutions ??= (contact && ContactSolutions.of(contact)) ?? 'unknown';
    if (this.solutions === 'unknown') return undefined;
    return this.solutions.derivative(velocityA, angularA, velocityB, angularB);
  }

  jacobian(): ContactJacobian | NoJacobian | 'kink' {
    const { contact, gradient, separation } = this;
    if (!gradient.differentiable || contact === undefined) return 'kink';
    return contactJacobian(contact, gradient, separation.growth.upper > 1);
  }

  /** Returns the contact; of a half-space it is the support point of the other shape. */
  private contactOf(points: { readonly pointA: Vec3; readonly pointB: Vec3 } | undefined): GrowthContact | undefined {
    const { a, T_b_a, b, separation } = this;
    const normal = separation.normal.slice();
    const growth = separation.growth.lower;
    if (!(growth > 0)) return undefined;
    const centers = centersOf(a, T_b_a, b);
    const pointA = create();
    const pointB = create();
    if (points !== undefined) {
      copy(pointA, points.pointA);
      copy(pointB, points.pointB);
    } else if (isHalfspace(a)) {
      const inward = normal.map((x) => -x);
      supportWithMargin(pointB, b, inward, -1);
      sub(pointB, pointB, b.center);
      addScaled(pointA, pointB, centers, 1 / growth);
    } else {
      posedSupportWithMargin(pointA, a, T_b_a, normal, -1);
      const center = create();
      transformPoint(center, T_b_a, a.center);
      sub(pointA, pointA, center);
      addScaled(pointB, pointA, centers, -1 / growth);
    }
    return { a, T_b_a, b, normal, pointA, pointB, centers, growth };
  }

  /**
   * Where the centres coincide, σ is positively homogeneous in their difference: the derivative is the growth distance
   * for the difference of their velocities. Likewise at the plane of a half-space, where σ is 0 on one side.
   */
  private derivativeAtCenter(velocityA: Vec3, angularA: Vec3, velocityB: Vec3, angularB: Vec3): number | undefined {
    const { a, T_b_a, b, separation } = this;
    const relative = create();
    sub(relative, velocityB, velocityA);
    if (isHalfspace(a) || isHalfspace(b)) {
      const { normal } = separation;
      const turned = create();
      cross(turned, isHalfspace(a) ? angularA : angularB, normal);
      const rate = dot(normal, relative) + dot(turned, centersOf(a, T_b_a, b));
      return rate > 0 ? rate / this.widthAlong(normal) : 0;
    }
    const speed = norm(relative);
    if (speed === 0) return 0;
    const reach = (a.outerRadius + b.outerRadius) / speed;
    const T = T_b_a.slice();
    const shift = centersOf(a, T_b_a, b);
    for (let k = 0; k < 3; k++) T[4 * k + 3] += shift[k] - reach * relative[k];
    const moved = new Separation();
    new GrowthDistance({ relativeGap: 1e-13 }).solve(moved, a, T, b, new PairCache());
    return moved.growth.upper < Number.POSITIVE_INFINITY ? moved.growth.lower / reach : undefined;
  }

  /** Returns h_A(n) + h_B(−n) of a shape and a half-space, relative to their centres. */
  private widthAlong(normal: Vec3): number {
    const { a, T_b_a, b } = this;
    const [plane, body] = isHalfspace(a) ? [a, b] : [b, a];
    const point = create();
    const center = create();
    const outward = isHalfspace(a) ? normal.map((x) => -x) : normal;
    if (isHalfspace(a)) {
      supportWithMargin(point, body, outward, -1);
      copy(center, body.center);
    } else {
      posedSupportWithMargin(point, body, T_b_a, outward, -1);
      transformPoint(center, T_b_a, body.center);
    }
    sub(point, point, center);
    return plane.innerRadius + dot(outward, point);
  }
}

/** Returns the vector from the centre of A to that of B. */
function centersOf(a: ConvexShape, T_b_a: Transform, b: ConvexShape): Vec3 {
  const out = create();
  transformPoint(out, T_b_a, a.center);
  sub(out, b.center, out);
  return out;
}

const part = (six: ArrayLike<number>, from: number): Vec3 => Float64Array.of(six[from], six[from + 1], six[from + 2]);

function sumOfProducts(x: ArrayLike<number>, y: ArrayLike<number>): number {
  let sum = 0;
  for (let k = 0; k < x.length; k++) sum += x[k] * y[k];
  return sum;
}
