import type { Vec3 } from '../../math/vec3.ts';

/**
 * Smallest component along the ray of a unit normal that is used: the slopes of steeper planes are too large and would
 * dominate.
 */
const MIN_ALONG_RAY = 1e-3;
/**
 * Smallest squared cosine between step and gradient change at which they define a curvature; less is a vertex, or
 * rounding.
 */
const MIN_CURVATURE = 1e-10;

/**
 * Proposes normals for the growth distance of curved shapes. The support plane with slopes (a, b), normal (a, b, 1) in
 * the ray axes (u, v, t), intersects the ray at the height U(a, b) = h(a, b, 1), h the support function. U is convex,
 * its gradient is (u, v) of the support point, and its minimum is the height sought: a minimization in the plane by the
 * quasi-Newton method BFGS (Broyden, Fletcher, Goldfarb, Shanno) [Nocedal06 §6.1]. Proposals only order the work:
 * bounds are proved by the support points that they lead to.
 */
export class QuasiNewtonProposal {
  /** Slopes, gradient and height of the lowest plane so far. */
  private readonly best = new Float64Array(5);
  /** Approximation of the inverse Hessian: aa, ab, bb. */
  private readonly inverse = new Float64Array(3);
  /**
   * Change of slopes, then change of gradient, from the lowest plane to the newest. Input of `updateInverseHessian`.
   */
  private readonly step = new Float64Array(4);
  private updates = 0;
  /** Whether `inverse` was computed from a curvature. */
  private hasCurvature = false;

  /** Clears the model. */
  clear(): void {
    this.updates = 0;
    this.hasCurvature = false;
  }

  /**
   * Updates the model by the support point of a unit normal (u, v, t); the point is read at offset `at` of `points`.
   */
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

  /** Writes the unit normal at the minimum of the model; returns false if there is none or if it is too steep. */
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

  /** H ← (I − s yᵀ/yᵀs) H (I − y sᵀ/yᵀs) + s sᵀ/yᵀs for the step s = (a, b) and the gradient change y = (u, v). */
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
