import { convexHull } from '../../src/formats/hull.ts';
import { type Quaternion, setRotationFromQuaternion } from '../../src/math/quaternion.ts';
import type { Random } from '../../src/math/random.ts';
import { create, type Transform } from '../../src/math/transform.ts';
import { createShape } from '../../src/shapes/index.ts';
import type { ConvexShape, ShapeSpec } from '../../src/shapes/shape.ts';

/** Two bodies and where they are, ready for a solver. */
export interface BenchPair {
  readonly a: ConvexShape;
  readonly b: ConvexShape;
  readonly T_b_a: Transform;
}

/** Hulls of about `corners` corners: points on ellipsoids with half axes from 0.25 to 0.5 m. */
export async function randomHulls(random: Random, corners: number, count: number): Promise<ConvexShape[]> {
  const hulls: ConvexShape[] = [];
  for (let h = 0; h < count; h++) {
    const axes = [random.between(0.25, 0.5), random.between(0.25, 0.5), random.between(0.25, 0.5)];
    const points = new Float64Array(3 * corners);
    for (let i = 0; i < corners; i++) {
      const d = randomDirection(random);
      for (let k = 0; k < 3; k++) points[3 * i + k] = axes[k] * d[k];
    }
    hulls.push(createShape({ type: 'convex', ...(await convexHull(points)) } as unknown as ShapeSpec));
  }
  return hulls;
}

/** Pairs of bodies drawn from a list, their centres `nearest` to `farthest` metres apart, turned at random. */
export function randomPairs(
  random: Random,
  bodies: readonly ConvexShape[],
  count: number,
  nearest: number,
  farthest: number,
): BenchPair[] {
  return Array.from({ length: count }, () => {
    const a = bodies[random.below(bodies.length)];
    const b = bodies[random.below(bodies.length)];
    const T_b_a = create();
    setRotationFromQuaternion(T_b_a, randomQuaternion(random));
    const distance = random.between(nearest, farthest);
    const d = randomDirection(random);
    for (let k = 0; k < 3; k++) T_b_a[4 * k + 3] = distance * d[k];
    return { a, b, T_b_a };
  });
}

export function randomDirection(random: Random): Float64Array {
  for (;;) {
    const d = Float64Array.of(random.between(-1, 1), random.between(-1, 1), random.between(-1, 1));
    const length = Math.sqrt(d[0] * d[0] + d[1] * d[1] + d[2] * d[2]);
    if (length > 0.05 && length <= 1) return d.map((x) => x / length);
  }
}

export function randomQuaternion(random: Random): Quaternion {
  for (;;) {
    const q: Quaternion = [random.between(-1, 1), random.between(-1, 1), random.between(-1, 1), random.between(-1, 1)];
    const squared = q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3];
    if (squared > 0.01 && squared <= 1) return q;
  }
}
