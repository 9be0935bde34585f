import type { Vec3 } from '../../math/vec3.ts';

/** A normal this near to square to the ray (its part along the ray) has no slopes worth keeping: they would drown the others. */
const MIN_ALONG_RAY = 1e-3;
/** Change of the gradient along a step, relative to the two, from which on it tells a curvature: less is a corner, or rounding. */
const MIN_CURVATURE = 1e-10;

/**
 * Where to look next on a body that is round: the plane with slopes (a, b), the normal (a, b, 1) over the ray's (u, v, t), leaves at the
 * height U(a, b) = h(a, b, 1). That is convex, its gradient is the (u, v) of the support point, and its least value is the height sought: a
 * minimum in the plane, found by the quasi-Newton method of Broyden, Fletcher, Goldfarb and Shanno [Nocedal06 §6.1]. It only proposes directions;
 * what a look along them proves is for the bounds to say.
 */
export class QuasiNewtonProposal {
  /** Slopes, gradient and height of the lowest plane. */
  private readonly best = new Float64Array(5);
  /** The inverse Hessian: xx, xy, yy. */
  private readonly inverse = new Float64Array(3);
  /** From the lowest plane to the one just learned of: change of slopes, change of gradient. */
  private readonly step = new Float64Array(4);
  private updates = 0;
  /** Whether `inverse` has seen any curvature. */
  private hasCurvature = false;

  clear(): void {
    this.updates = 0;
    this.hasCurvature = false;
  }

  /** Takes in a look along a unit normal (u, v, t), and the support point it found, at an offset of `points`. */
  update(normal: Vec3, points: Float64Array, at: number): void {
    const { best, step } = this;
    const along = normal[2];
    if (!(along > MIN_ALONG_RAY)) return;
    const a = normal[0] / along,
      b = normal[1] / along,
      u = points[at],
      v = points[at + 1];
    const height = a * u + b * v + points[at + 2];
    if (this.updates++ > 0) {
      step[0] = a - best[0];
      step[1] = b - best[1];
      step[2] = u - best[2];
      step[3] = v - best[3];
      this.updateInverseHessian();
    }
    if (this.updates > 1 && !(height < best[4])) return;
    best[0] = a;
    best[1] = b;
    best[2] = u;
    best[3] = v;
    best[4] = height;
  }

  /** Writes the normal that the model takes for the best; false if it has none. */
  propose(normal: Vec3): boolean {
    const { best, inverse } = this;
    if (!this.hasCurvature) return false;
    const a = best[0] - (inverse[0] * best[2] + inverse[1] * best[3]);
    const b = best[1] - (inverse[1] * best[2] + inverse[2] * best[3]);
    const s = 1 / Math.sqrt(a * a + b * b + 1);
    normal[0] = a * s;
    normal[1] = b * s;
    normal[2] = s;
    return s > MIN_ALONG_RAY;
  }

  /** H ← (I − s yᵀ/yᵀs) H (I − y sᵀ/yᵀs) + s sᵀ/yᵀs for the step s = (a, b), which changed the gradient by y = (u, v). */
  private updateInverseHessian(): void {
    const { inverse: H, step } = this;
    const a = step[0],
      b = step[1],
      u = step[2],
      v = step[3];
    const ys = a * u + b * v;
    const yy = u * u + v * v;
    const ss = a * a + b * b;
    if (!(ys * ys > MIN_CURVATURE * ss * yy)) return;
    if (!this.hasCurvature) {
      H[0] = ys / yy;
      H[1] = 0;
      H[2] = ys / yy;
      this.hasCurvature = true;
    }
    const hu = H[0] * u + H[1] * v;
    const hv = H[1] * u + H[2] * v;
    const factor = (1 + (u * hu + v * hv) / ys) / ys;
    H[0] += factor * a * a - (2 * a * hu) / ys;
    H[1] += factor * a * b - (a * hv + b * hu) / ys;
    H[2] += factor * b * b - (2 * b * hv) / ys;
  }
}
