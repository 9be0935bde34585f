import type { Transform } from '../../math/transform.ts';
import { create, cross, dot, sub, type Vec3 } from '../../math/vec3.ts';
import { isHalfspace } from '../../shapes/halfspace.ts';
import type { ConvexShape } from '../../shapes/shape.ts';
import { clearSeparation } from '../outcome.ts';
import { PairCache, type Separation } from '../solver.ts';
import { ContactRegularity } from './contactRegularity.ts';
import type { GrowthGradient } from './gradientOfGrowth.ts';
import { GrowthDistance } from './growthDistance.ts';
import { type GrowthSensitivity, SpatialSensitivity } from './growthSensitivity.ts';
import { HalfspaceGradient } from './halfspaceGradient.ts';

/** Relative gap of the solver: the error of the normal is about its square root. */
const RELATIVE_GAP = 1e-13;
/** Distance of the centres, relative to the outer radii, up to which its direction is rounding. */
const COINCIDENT = 1e-12;
/** Growth distance of a shape and a half-space up to which it may be rounding. */
const ROUNDING = 1e-13;

/**
 * Computes the gradient of σ = max over n of n·c / (h_A(n) + h_B(−n)), c = cB − cA. With D = h_A + h_B at the
 * maximizing n, and r_A, r_B from the centres to the touching points, the envelope theorem gives
 *
 *     ∂σ/∂cB = n / D = −∂σ/∂cA,      ∂σ/∂ω_A = −(σ/D) r_A × n,      ∂σ/∂ω_B = (σ/D) r_B × n.
 */
export class GrowthGradientSolver {
  private readonly solver = new GrowthDistance({ relativeGap: RELATIVE_GAP });
  private readonly cache = new PairCache();
  private readonly halfspace = new HalfspaceGradient();
  private readonly regularity = new ContactRegularity();
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
    const { pointA, pointB, centerDistance } = this.solver;
    if (centerDistance <= COINCIDENT * (a.outerRadius + b.outerRadius)) return true;
    out.differentiable = this.regularity.isRegular(a, T_b_a, b, separation.normal, pointA, pointB);
    return true;
  }

  /**
   * Computes the gradient as `solve`, and returns how growth distance, normal and witness points change with the poses;
   * undefined if no growth distance is defined. The result reads `out` and `separation` when it is called.
   */
  sensitivity(
    out: GrowthGradient,
    separation: Separation,
    a: ConvexShape,
    T_b_a: Transform,
    b: ConvexShape,
  ): GrowthSensitivity | undefined {
    if (!this.solve(out, separation, a, T_b_a, b)) return undefined;
    const isPlane = isHalfspace(a) || isHalfspace(b);
    const { solver } = this;
    const isAtCenter = isPlane
      ? !(separation.growth.lower > ROUNDING)
      : !separation.hasNormal || solver.centerDistance <= COINCIDENT * (a.outerRadius + b.outerRadius);
    return new SpatialSensitivity(a, T_b_a, b, out, separation, isAtCenter, isPlane ? undefined : solver);
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
}
