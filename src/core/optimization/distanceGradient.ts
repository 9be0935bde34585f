import { copy as copyTransform, create as createTransform, type Transform, transformPoint } from '../math/transform.ts';
import { create, cross, sub, type Vec3 } from '../math/vec3.ts';
import { GjkDistance } from '../narrowphase/gjk/gjkDistance.ts';
import { createDepthSolver } from '../narrowphase/index.ts';
import { PairCache, Separation } from '../narrowphase/solver.ts';
import { isHalfspace } from '../shapes/halfspace.ts';
import type { ConvexShape } from '../shapes/shape.ts';
import { BodyGradient, MOTIONS, perturb, relativeChange } from './bodyGradient.ts';

/** Relative gap of the distance: the error of witness points is the square root of the gap. */
const RELATIVE_GAP = 1e-14;
/** Perturbation at which the gradient is compared: relative to the size of the pair, or in radians. */
const STEP = 1e-7;
/**
 * A relative change of the gradient by this much within a step is a kink; a radius of curvature of 1e-5 of the size
 * still counts as smooth.
 */
const MAX_GRADIENT_CHANGE = 1e-2;

/**
 * Signed distance of two convex shapes and its gradient: the distance, or minus the penetration depth. With n from A to
 * B and the nearest (deepest) points wA, wB, the envelope theorem gives
 *
 *     ∂s/∂wB = n = −∂s/∂wA,
 *
 * where the points move with their shapes. If there are several pairs of nearest points (coplanar faces, parallel
 * capsules, equal depths), the gradient is that of one of them, finite, and `differentiable` is false.
 */
export class DistanceGradientSolver {
  /** Result of the last `solve` in the frame of B: nearest or deepest points and normal. */
  readonly separation = new Separation();
  private readonly distance = new GjkDistance({ relativeGap: RELATIVE_GAP });
  private readonly depth = createDepthSolver();
  private readonly cache = new PairCache();
  private readonly perturbed = new BodyGradient();
  private readonly perturbedSeparation = new Separation();
  private readonly T_step: Transform = createTransform();
  private readonly centerA: Vec3 = create();
  private readonly arm: Vec3 = create();

  /**
   * Returns the signed distance and fills `out` in the frame of B: derivatives by the velocities of the centers and by
   * the angular velocities.
   */
  solve(out: BodyGradient, a: ConvexShape, T_b_a: Transform, b: ConvexShape): number {
    const { separation } = this;
    const signed = this.evaluate(out, separation, a, T_b_a, b);
    out.differentiable = separation.hasNormal && this.isSmooth(out, a, T_b_a, b);
    return signed;
  }

  /** Like `solve`, without the test of differentiability: `differentiable` is true if there is a normal. */
  evaluate(out: BodyGradient, separation: Separation, a: ConvexShape, T_b_a: Transform, b: ConvexShape): number {
    this.cache.clear(); // results depend on the poses alone, to the last digit
    this.distance.distance(separation, a, T_b_a, b, Number.POSITIVE_INFINITY, this.cache);
    let signed = separation.distance.upper;
    if (!(separation.distance.lower > 0)) {
      this.depth.depth(separation, a, T_b_a, b);
      signed = separation.distance.lower > 0 ? separation.distance.upper : 0 - separation.depth.upper;
    }
    out.clear();
    out.differentiable = separation.hasNormal;
    if (!separation.hasNormal) return signed;
    const { normal: n, witnessA, witnessB } = separation;
    transformPoint(this.centerA, T_b_a, a.center);
    this.writeWrench(out.a, witnessA, this.centerA, n, -1);
    this.writeWrench(out.b, witnessB, b.center, n, 1);
    return signed;
  }

  /** Writes a unit force along ±n at a point as a force at the center and a moment. */
  private writeWrench(six: Float64Array, point: Vec3, center: Vec3, n: Vec3, sign: number): void {
    sub(this.arm, point, center);
    cross(this.arm, this.arm, n);
    for (let k = 0; k < 3; k++) {
      six[k] = sign * n[k];
      six[3 + k] = sign * this.arm[k];
    }
  }

  /** Returns true if the gradient hardly changes when A is perturbed by small translations and rotations. */
  private isSmooth(gradient: BodyGradient, a: ConvexShape, T_b_a: Transform, b: ConvexShape): boolean {
    const { perturbed, perturbedSeparation, T_step } = this;
    const bounded = isHalfspace(b) ? a.outerRadius : isHalfspace(a) ? b.outerRadius : a.outerRadius + b.outerRadius;
    for (let k = 0; k < MOTIONS; k++) {
      for (const step of [-STEP, STEP]) {
        copyTransform(T_step, T_b_a);
        perturb(T_step, k, k < 3 ? step * bounded : step, a.center);
        this.evaluate(perturbed, perturbedSeparation, a, T_step, b);
        if (
          !perturbedSeparation.hasNormal ||
          !(relativeChange(gradient.a, perturbed.a, bounded) <= MAX_GRADIENT_CHANGE)
        )
          return false;
      }
    }
    return true;
  }
}
