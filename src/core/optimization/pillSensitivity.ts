import { rotate, type Transform } from '../math/transform.ts';
import { create, type Vec3 } from '../math/vec3.ts';
import { ContactJacobian } from '../narrowphase/growth/contactJacobian.ts';
import type { GrowthGradient } from '../narrowphase/growth/gradientOfGrowth.ts';
import type { GrowthSensitivity } from '../narrowphase/growth/growthSensitivity.ts';
import type { ConvexShape } from '../shapes/shape.ts';
import type { PillDerivatives } from './pillDerivatives.ts';

/** Derivatives by position and attitude of one body. */
const BODY = 6;

/**
 * Writes the gradient of the proximity of two pills, m²/m and m²/rad, and returns how closest points and normal change:
 * derivatives by the velocity of the growth centres instead of the origins, and by the angular velocities about them,
 * in the frame of B. The proximity is differentiable unless several pairs of points are closest [Tracy22 §III-D].
 */
export function pillSensitivity(
  gradient: GrowthGradient,
  derivatives: PillDerivatives,
  a: ConvexShape,
  T_b_a: Transform,
  b: ConvexShape,
): GrowthSensitivity {
  const armA = create();
  rotate(armA, T_b_a, a.center);
  gradient.a.set(derivatives.a);
  gradient.b.set(derivatives.b);
  moveToCenter(gradient.a, 0, armA);
  moveToCenter(gradient.b, 0, b.center);
  gradient.differentiable = derivatives.proximityIsSmooth;
  const ofCenters = (matrix: Float64Array) => {
    const out = matrix.slice();
    for (let row = 0; row < 3; row++) {
      moveToCenter(out, 2 * BODY * row, armA);
      moveToCenter(out, 2 * BODY * row + BODY, b.center);
    }
    return out;
  };
  return {
    derivative: (motionA, motionB) =>
      gradient.differentiable
        ? gradient.a.reduce((sum, x, k) => sum + x * motionA[k], 0) +
          gradient.b.reduce((sum, x, k) => sum + x * motionB[k], 0)
        : undefined,
    unknownDerivative: 'several pairs of points of the pills are closest',
    jacobian() {
      if (!derivatives.pointsAreSmooth) return 'kink';
      const jacobian = new ContactJacobian();
      jacobian.normal.set(ofCenters(derivatives.normal));
      jacobian.witnessA.set(ofCenters(derivatives.pointA));
      jacobian.witnessB.set(ofCenters(derivatives.pointB));
      return jacobian;
    },
  };
}

/**
 * Converts derivatives by the motion of the origin of a frame to those by the motion of a point at `arm` from it: with
 * v_origin = v − ω × arm, the derivative by ω loses arm × the derivative by v.
 */
function moveToCenter(d: Float64Array, from: number, [x, y, z]: Vec3): void {
  const [dx, dy, dz] = d.slice(from, from + 3);
  d[from + 3] -= y * dz - z * dy;
  d[from + 4] -= z * dx - x * dz;
  d[from + 5] -= x * dy - y * dx;
}
