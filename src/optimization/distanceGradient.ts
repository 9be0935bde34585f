import { copy as copyTransform, create as createTransform, type Transform, transformPoint } from '../math/transform.ts';
import { create, cross, sub, type Vec3 } from '../math/vec3.ts';
import { GjkDistance } from '../narrowphase/gjk/gjkDistance.ts';
import { createDepthSolver } from '../narrowphase/index.ts';
import { PairCache, Separation } from '../narrowphase/solver.ts';
import { isHalfspace } from '../shapes/halfspace.ts';
import type { ConvexShape } from '../shapes/shape.ts';
import { BodyGradient, NUDGES, nudge, relativeChange } from './bodyGradient.ts';

/** Witness points are as good as the root of the gap. */
const RELATIVE_GAP = 1e-14;
/** Step to each side at which the gradient is looked at again: relative to the size of the pair, or in radians. */
const STEP = 1e-7;
/** A change of the gradient by this part of it within a step is a kink; a curvature of 1e-5 of the size is still smooth. */
const KINK = 1e-2;

/**
 * Signed distance of two convex bodies and its gradient: the distance, or minus the depth. With n from A to B and the nearest (deepest)
 * points wA, wB, the envelope theorem gives
 *
 *     ∂s/∂wB = n = −∂s/∂wA,
 *
 * the points moving with their bodies. Where several pairs of points are nearest (faces that lie on each other, parallel rods, equal
 * depths) the gradient is that of one of them, finite, and `differentiable` is false.
 */
export class DistanceGradientSolver {
  /** The nearest or deepest points and the normal of the last answer, in the frame of B. */
  readonly separation = new Separation();
  private readonly distance = new GjkDistance({ relativeGap: RELATIVE_GAP });
  private readonly depth = createDepthSolver();
  private readonly cache = new PairCache();
  private readonly nearby = new BodyGradient();
  private readonly nearbySeparation = new Separation();
  private readonly T_step: Transform = createTransform();
  private readonly centerA: Vec3 = create();
  private readonly arm: Vec3 = create();

  /** Returns the signed distance, and fills `out` in the frame of B: derivatives by the centres' velocities and by the angular velocities. */
  solve(out: BodyGradient, a: ConvexShape, T_b_a: Transform, b: ConvexShape): number {
    const { separation } = this;
    const signed = this.evaluate(out, separation, a, T_b_a, b);
    out.differentiable = separation.hasNormal && this.isSmooth(out, a, T_b_a, b);
    return signed;
  }

  /** As `solve`, for loops that do not ask whether there is a derivative: `differentiable` says only that there is a normal. */
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
    this.push(out.a, witnessA, this.centerA, n, -1);
    this.push(out.b, witnessB, b.center, n, 1);
    return signed;
  }

  /** A unit force along ±n at a point, as a force at the centre and a moment. */
  private push(six: Float64Array, point: Vec3, center: Vec3, n: Vec3, sign: number): void {
    sub(this.arm, point, center);
    cross(this.arm, this.arm, n);
    for (let k = 0; k < 3; k++) {
      six[k] = sign * n[k];
      six[3 + k] = sign * this.arm[k];
    }
  }

  /** Moves and turns A a little each way: where the value is smooth, the gradient hardly changes. */
  private isSmooth(here: BodyGradient, a: ConvexShape, T_b_a: Transform, b: ConvexShape): boolean {
    const { nearby, nearbySeparation, T_step } = this;
    const bounded = isHalfspace(b) ? a.outerRadius : isHalfspace(a) ? b.outerRadius : a.outerRadius + b.outerRadius;
    for (let k = 0; k < NUDGES; k++) {
      for (const step of [-STEP, STEP]) {
        copyTransform(T_step, T_b_a);
        nudge(T_step, k, k < 3 ? step * bounded : step, a.center);
        this.evaluate(nearby, nearbySeparation, a, T_step, b);
        if (!nearbySeparation.hasNormal || !(relativeChange(here.a, nearby.a, bounded) <= KINK)) return false;
      }
    }
    return true;
  }
}
