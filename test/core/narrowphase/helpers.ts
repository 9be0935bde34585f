import { Random } from '../../../src/core/math/random.ts';
import { relative, rotate, rotateBack, type Transform, transformPoint } from '../../../src/core/math/transform.ts';
import { create, dot, norm, scale, type Vec3 } from '../../../src/core/math/vec3.ts';
import { createShape } from '../../../src/core/shapes/index.ts';
import type { ConvexShape, ShapeSpec } from '../../../src/core/shapes/shape.ts';

/** Two shapes and the pose of A in the frame of B, with a label for failing tests. */
export interface Pair {
  readonly label: string;
  readonly specA: ShapeSpec;
  readonly specB: ShapeSpec;
  readonly a: ConvexShape;
  readonly b: ConvexShape;
  readonly T_b_a: Transform;
  /** Bound on the coordinates, metres: the scale of tolerances. */
  readonly size: number;
}

/**
 * Returns pairs of all kinds of shapes: flat and thin to 1000:1, with and without margin, on lattices with many ties;
 * separated and overlapping.
 */
export function randomPairs({ seed = 1, count = 100, scale: unit = 1 }): readonly Pair[] {
  const key = `${seed} ${count} ${unit}`;
  const known = pairsByKey.get(key);
  if (known !== undefined) return known;
  const random = new Random(seed);
  const pairs = Array.from({ length: count }, (_, i) => {
    const specA = randomSpec(random, unit);
    const specB = randomSpec(random, unit);
    const T_b_a = randomTransform(random, unit * (random.below(3) === 0 ? 3 : 0.6));
    return createPair(`seed ${seed}, pair ${i} at scale ${unit}`, specA, specB, T_b_a);
  });
  pairsByKey.set(key, pairs);
  return pairs;
}

/** Pairs are shared by the tests of a file: building a hull takes longer than a query. */
const pairsByKey = new Map<string, readonly Pair[]>();

export function createPair(label: string, specA: ShapeSpec, specB: ShapeSpec, T_b_a: Transform): Pair {
  const a = createShape(specA);
  const b = createShape(specB);
  return {
    label,
    specA,
    specB,
    a,
    b,
    T_b_a,
    size: sizeOf(a) + sizeOf(b) + norm(Float64Array.of(T_b_a[3], T_b_a[7], T_b_a[11])),
  };
}

function sizeOf({ bounds }: ConvexShape): number {
  return bounds.reduce((largest, x) => Math.max(largest, Math.abs(x)), 0);
}

/** Returns a random shape specification with lengths up to `unit` metres. */
export function randomSpec(random: Random, unit: number, types = kinds): ShapeSpec {
  const length = () => unit * [1, 1, 0.3, 0.3, 0.03, 0.001][random.below(6)] * random.between(0.5, 1);
  const lattice = () => (unit * (random.below(5) - 2)) / 2;
  const type = types[random.below(types.length)];
  const margin = random.below(2) * length() * 0.3;
  switch (type) {
    case 'box':
      return { type, size: [length(), length(), length()], margin };
    case 'cube':
      return { type: 'box', size: [unit, unit, unit] };
    case 'sphere':
      return { type, radius: length() };
    case 'frustum':
      return { type, radiusBottom: length(), radiusTop: length(), length: length(), margin };
    case 'ellipsoid':
      return { type, radii: [length(), length(), length()], margin };
    case 'lattice':
      return {
        type: 'convex',
        points: Array.from({ length: 1 + random.below(12) }, () => [lattice(), lattice(), lattice()]),
        margin,
      };
    case 'hull': {
      const [x, y, z] = [length(), length(), length()];
      const points = Array.from({ length: 1 + random.below(30) }, () => [
        x * random.between(-1, 1),
        y * random.between(-1, 1),
        z * random.between(-1, 1),
      ]);
      return { type: 'convex', points, margin };
    }
    default:
      return { type, radius: length(), length: length(), margin };
  }
}

const kinds = ['box', 'cube', 'sphere', 'capsule', 'cylinder', 'cone', 'frustum', 'ellipsoid', 'hull', 'lattice'];
/** Kinds whose core is a polytope: their depth is exact. */
export const polytopes = ['box', 'cube', 'sphere', 'capsule', 'hull', 'lattice'];

/**
 * Returns a random pose within `reach` metres along each axis; every fourth quaternion consists of 0 and 1, which
 * causes ties.
 */
export function randomTransform(random: Random, reach: number): Transform {
  const part = () => random.between(-reach, reach);
  const q =
    random.below(4) === 0 ? [1, random.below(2), random.below(2), random.below(2)] : [part(), part(), part(), part()];
  return poseOf([part(), part(), part()], q);
}

/** Returns the transform of a position and a quaternion w, x, y, z of any length. */
export function poseOf([tx, ty, tz]: number[], quaternion: number[]): Transform {
  const length = Math.sqrt(quaternion.reduce((sum, x) => sum + x * x, 0));
  const [w, x, y, z] = quaternion.map((part) => part / length);
  return Float64Array.of(
    ...[1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y), tx],
    ...[2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x), ty],
    ...[2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y), tz],
  );
}

/** Returns the gap between the shapes along a unit n from A to B, by two support calls; negative: overlap along n. */
export function slabAlong(n: Vec3, { a, T_b_a, b }: Pick<Pair, 'a' | 'T_b_a' | 'b'>): number {
  const d = create();
  const p = create();
  rotateBack(d, T_b_a, n);
  a.support(p, a, d, -1);
  transformPoint(p, T_b_a, p);
  const supportA = dot(n, p) + a.margin;
  scale(d, n, -1);
  b.support(p, b, d, -1);
  return dot(n, p) - b.margin - supportA;
}

/**
 * Returns the largest distance of a point, in the frame of B, beyond the support planes of many directions; positive:
 * it is outside.
 */
export function excess(point: Vec3, shape: ConvexShape, T_b_shape: Transform, directions: readonly Vec3[]): number {
  const d = create();
  const p = create();
  let worst = Number.NEGATIVE_INFINITY;
  for (const n of directions) {
    rotateBack(d, T_b_shape, n);
    shape.support(p, shape, d, -1);
    rotate(p, T_b_shape, p);
    const support = dot(n, p) + n[0] * T_b_shape[3] + n[1] * T_b_shape[7] + n[2] * T_b_shape[11] + shape.margin;
    worst = Math.max(worst, dot(n, point) - support);
  }
  return worst;
}

/** Returns random unit vectors. */
export function randomDirections(random: Random, count: number): Vec3[] {
  return Array.from({ length: count }, () => {
    const d = create(random.between(-1, 1), random.between(-1, 1), random.between(-1, 1));
    scale(d, d, 1 / norm(d));
    return d;
  });
}

export const between = (p: Vec3, q: Vec3): number => norm(Float64Array.of(p[0] - q[0], p[1] - q[1], p[2] - q[2]));

/** Returns the pose of A in the frame of B from two world poses. */
export function seenFrom(T_world_b: Transform, T_world_a: Transform): Transform {
  const T_b_a = new Float64Array(12);
  relative(T_b_a, T_world_b, T_world_a);
  return T_b_a;
}
