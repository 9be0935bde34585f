import { rotate, rotateBack, type Transform, transformPoint } from '../../math/transform.ts';
import { addScaled, create, cross, dot, norm, normalize, scale, sub, type Vec3 } from '../../math/vec3.ts';
import { isHalfspace } from '../../shapes/halfspace.ts';
import type { ConvexShape } from '../../shapes/shape.ts';
import { growthOfHalfspace } from '../halfspaceCheck.ts';
import type { Separation } from '../solver.ts';
import { supportWithMargin } from '../supportAlong.generated.ts';
import type { GrowthGradient } from './gradientOfGrowth.ts';

/** Tilt of the plane normal, radians, by which a support set of more than one point is detected. */
const TILT = 1e-7;
/**
 * Displacement of the support point by that tilt, relative to the outer radius of the shape, that counts as a kink.
 * Smaller faces and edges are not detected; a radius of curvature above 1000 outer radii counts as a kink too.
 */
const KINK = 1e-4;
/** Rounding of the growth distance, relative to the ratio of the coordinates and the support value. */
const ROUNDING = 16 * Number.EPSILON;

/**
 * Gradient of the growth distance of a shape and a half-space in closed form. With the plane normal n from A to B, the
 * support value D of the other shape along it, relative to its centre and including the distance from the centre of the
 * half-space to its plane, and x, y from the centres to the common point of the grown shapes,
 *
 *     ∂σ/∂cB = n / D = −∂σ/∂cA,      ∂σ/∂ω_A = −(x × n) / D,      ∂σ/∂ω_B = (y × n) / D,
 *
 * since n turns with the half-space. There is a kink if a face or an edge of the shape is parallel to the plane, and
 * where the centre of the shape enters the half-space, in which σ is 0.
 */
export class HalfspaceGradient {
  private readonly x: Vec3 = create();
  private readonly y: Vec3 = create();
  private readonly c: Vec3 = create();
  private readonly n: Vec3 = create();
  private readonly u: Vec3 = create();
  private readonly tilted: Vec3 = create();
  private readonly point: Vec3 = create();
  private readonly other: Vec3 = create();

  /**
   * Writes the gradient, in the frame of B, and the growth distance; returns false if none is defined: for two
   * half-spaces, and for shapes without an interior whose plane passes through the centre.
   */
  solve(out: GrowthGradient, separation: Separation, a: ConvexShape, T_b_a: Transform, b: ConvexShape): boolean {
    out.differentiable = false;
    out.a.fill(0);
    out.b.fill(0);
    growthOfHalfspace(separation, a, T_b_a, b);
    const sigma = separation.growth.lower;
    if (separation.growth.upper === Number.POSITIVE_INFINITY) return false;
    const { x, y, c, n, point } = this;
    n.set(separation.normal);
    transformPoint(point, T_b_a, a.center);
    sub(c, b.center, point);
    const along = dot(n, c);
    const plane = isHalfspace(a) ? a : b;
    const body = isHalfspace(a) ? b : a;
    const width = plane.innerRadius + this.supportOf(point, body, T_b_a, isHalfspace(a));
    const isResolved = Math.abs(along) > ROUNDING * (norm(c) + width);
    if (!(along > 0)) {
      out.differentiable = isResolved; // 0 in a neighborhood, unless the centre is on the boundary
      return true;
    }
    // x of A, y of B: the support point of the other shape, scaled; the half-space meets it there.
    scale(isHalfspace(a) ? y : x, point, sigma);
    if (isHalfspace(a)) addScaled(x, y, c, 1);
    else addScaled(y, x, c, -1);
    for (let k = 0; k < 3; k++) {
      out.a[k] = -n[k] / width;
      out.b[k] = n[k] / width;
    }
    cross(point, x, n);
    for (let k = 0; k < 3; k++) out.a[3 + k] = -point[k] / width;
    cross(point, y, n);
    for (let k = 0; k < 3; k++) out.b[3 + k] = point[k] / width;
    out.differentiable = isResolved && this.hasOnePoint(body, T_b_a, isHalfspace(a));
    return true;
  }

  /**
   * Writes the support point of the shape towards the plane, along `n` or, for shape B, −n, relative to its centre, in
   * the frame of B; returns the support value.
   */
  private supportOf(out: Vec3, body: ConvexShape, T_b_a: Transform, isB: boolean): number {
    const { n } = this;
    this.supportAlong(out, body, T_b_a, n, isB);
    return isB ? -dot(n, out) : dot(n, out);
  }

  private supportAlong(out: Vec3, body: ConvexShape, T_b_a: Transform, n: Vec3, isB: boolean): void {
    const { other } = this;
    if (isB) scale(other, n, -1);
    else rotateBack(other, T_b_a, n);
    supportWithMargin(out, body, other, -1);
    sub(out, out, body.center);
    if (!isB) rotate(out, T_b_a, out);
  }

  /** Returns true if the support point hardly moves when the plane is tilted in each of six directions. */
  private hasOnePoint(body: ConvexShape, T_b_a: Transform, isB: boolean): boolean {
    const { n, u, tilted, point, x } = this;
    this.supportAlong(x, body, T_b_a, n, isB);
    for (let k = 0; k < 6; k++) {
      u.fill(0);
      u[k % 3] = k < 3 ? 1 : -1;
      addScaled(u, u, n, -dot(u, n));
      if (!(norm(u) > 0.1)) continue;
      normalize(u, u);
      tilted.set(n);
      addScaled(tilted, tilted, u, TILT);
      this.supportAlong(point, body, T_b_a, tilted, isB);
      sub(point, point, x);
      if (norm(point) > KINK * body.outerRadius) return false;
    }
    return true;
  }
}
