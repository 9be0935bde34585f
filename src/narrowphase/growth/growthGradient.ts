import { copy as copyTransform, create as createTransform, rotate, type Transform } from '../../math/transform.ts';
import { create, cross, dot, sub, type Vec3 } from '../../math/vec3.ts';
import { isHalfspace } from '../../shapes/halfspace.ts';
import type { ConvexShape } from '../../shapes/shape.ts';
import { clearSeparation } from '../outcome.ts';
import { PairCache, Separation } from '../solver.ts';
import { GrowthGradient } from './gradientOfGrowth.ts';
import { GrowthDistance } from './growthDistance.ts';
import { HalfspaceGradient } from './halfspaceGradient.ts';

/** Step of the finite differences that detect kinks: relative to the size of the pair, or in radians. */
const STEP = 1e-7;
/**
 * Relative change of the gradient within a step that counts as a kink; a radius of curvature of 1e-5 of the size is
 * still smooth.
 */
const KINK = 1e-2;
/** Relative gap of the solver: the error of the normal is about its square root. */
const RELATIVE_GAP = 1e-13;

/**
 * Computes the gradient of σ = max over n of n·c / (h_A(n) + h_B(−n)), c = cB − cA. With D = h_A + h_B at the
 * maximizing n, and r_A, r_B from the centres to the touching points, the envelope theorem gives
 *
 *     ∂σ/∂cB = n / D = −∂σ/∂cA,      ∂σ/∂ω_A = −(σ/D) r_A × n,      ∂σ/∂ω_B = (σ/D) r_B × n.
 */
export class GrowthGradientSolver {
  private readonly solver = new GrowthDistance({ relativeGap: RELATIVE_GAP });
  private readonly separation = new Separation();
  private readonly cache = new PairCache();
  private readonly halfspace = new HalfspaceGradient();
  private readonly neighbor = new GrowthGradient();
  private readonly T_step: Transform = createTransform();
  private readonly r: Vec3 = create();
  private readonly c: Vec3 = create();

  /**
   * Writes the gradient, in the frame of B, and the growth distance itself; returns false if no growth distance is
   * defined.
   */
  solve(out: GrowthGradient, separation: Separation, a: ConvexShape, T_b_a: Transform, b: ConvexShape): boolean {
    if (isHalfspace(a) || isHalfspace(b)) {
      clearSeparation(separation);
      return this.halfspace.solve(out, separation, a, T_b_a, b);
    }
    this.cache.clear(); // results depend on the poses alone
    this.solver.solve(separation, a, T_b_a, b, this.cache);
    out.differentiable = false;
    out.a.fill(0);
    out.b.fill(0);
    if (separation.growth.upper === Number.POSITIVE_INFINITY) return false;
    if (!separation.hasNormal) return true; // equal centres
    this.evaluate(out, separation);
    out.differentiable = this.isSmooth(out, a, T_b_a, b);
    return true;
  }

  /** Writes the gradient at the last solution of the solver. */
  private evaluate(out: GrowthGradient, { growth, normal: n }: Separation): void {
    const { solver, r, c } = this;
    sub(c, solver.centerB, solver.centerA);
    const sigma = growth.lower;
    const width = dot(n, c) / sigma;
    for (let k = 0; k < 3; k++) {
      out.a[k] = -n[k] / width;
      out.b[k] = n[k] / width;
    }
    cross(r, solver.pointA, n);
    for (let k = 0; k < 3; k++) out.a[3 + k] = (-sigma / width) * r[k];
    cross(r, solver.pointB, n);
    for (let k = 0; k < 3; k++) out.b[3 + k] = (sigma / width) * r[k];
  }

  /**
   * Checks that the gradient hardly changes when A is translated and rotated by small steps along and about each axis.
   */
  private isSmooth(here: GrowthGradient, a: ConvexShape, T_b_a: Transform, b: ConvexShape): boolean {
    const { neighbor, separation, T_step } = this;
    const size = a.outerRadius + b.outerRadius;
    for (let k = 0; k < 6; k++) {
      for (const step of [-STEP, STEP]) {
        copyTransform(T_step, T_b_a);
        if (k < 3) T_step[4 * k + 3] += step * size;
        else this.rotateStep(k - 3, step, a.center);
        this.solver.solve(separation, a, T_step, b, this.cache);
        if (!separation.hasNormal) return false;
        this.evaluate(neighbor, separation);
        if (!(gradientDistance(here.a, neighbor.a, size) <= KINK * gradientDistance(here.a, zero, size))) return false;
      }
    }
    return true;
  }

  /** Rotates T_step by a small angle about an axis through the centre of A parallel to axis k of B: R ← (1 + [ω]) R. */
  private rotateStep(k: number, angle: number, center: Vec3): void {
    const { T_step: T, r, c } = this;
    rotate(c, T, center);
    const i = 4 * ((k + 1) % 3);
    const j = 4 * ((k + 2) % 3);
    for (let column = 0; column < 3; column++) {
      const y = T[i + column];
      const z = T[j + column];
      T[i + column] = y - angle * z;
      T[j + column] = z + angle * y;
    }
    rotate(r, T, center);
    for (let row = 0; row < 3; row++) T[4 * row + 3] += c[row] - r[row];
  }
}

const zero = new Float64Array(6);

/**
 * Returns the norm of the difference of two gradients, with the translational part times `size`, so that both parts are
 * per radian.
 */
function gradientDistance(p: Float64Array, q: Float64Array, size: number): number {
  let sum = 0;
  for (let k = 0; k < 6; k++) {
    const x = (k < 3 ? size : 1) * (p[k] - q[k]);
    sum += x * x;
  }
  return Math.sqrt(sum);
}
