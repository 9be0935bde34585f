import { convexHull } from '../../src/core/hulls/hull.ts';
import type { Random } from '../../src/core/math/random.ts';
import { sinCos } from '../../src/core/math/trigonometry.ts';
import type { Vec3 } from '../../src/core/math/vec3.ts';
import { createShape } from '../../src/core/shapes/index.ts';
import type { ConvexShape, ShapeSpec } from '../../src/core/shapes/shape.ts';
import type { SupportSpec } from '../../src/core/shapes/supportShape.ts';
import { randomDirection } from './randomDirection.ts';

/** A shape as plain data, for peers, and as a `ConvexShape`. */
export interface BenchBody {
  readonly spec: ShapeSpec;
  readonly shape: ConvexShape;
}

/** A named set of shapes about 1 m in size. */
export interface BodySet {
  readonly name: string;
  readonly bodies: readonly BenchBody[];
}

export const hullSizes = [20, 100, 500, 2000] as const;

/** Returns the sets of the main table. */
export async function bodySets(random: Random): Promise<BodySet[]> {
  const sets: BodySet[] = [{ name: 'primitives, 100:1', bodies: skewedPrimitives(random, 40) }];
  for (const vertexCount of hullSizes) {
    sets.push({
      name: `hulls of ${vertexCount}`,
      bodies: await randomHulls(random, vertexCount, vertexCount > 500 ? 6 : 20),
    });
  }
  sets.push({ name: 'ellipsoids', bodies: ellipsoids(random, 30) }, { name: 'cubes', bodies: cubes(random, 30) });
  return sets;
}

/** Returns hulls of `vertexCount` vertices: points on ellipsoids with half axes from 0.25 to 0.5 m. */
export async function randomHulls(random: Random, vertexCount: number, count: number): Promise<BenchBody[]> {
  const half = () => random.between(0.25, 0.5);
  return hullsOn(random, vertexCount, count, () => [half(), half(), half()]);
}

/**
 * Returns hulls that represent meshes of everyday objects: a third round, a third flat, a third long, half length 0.5
 * m.
 */
export async function objectHulls(random: Random, vertexCount: number, count: number): Promise<BenchBody[]> {
  const kinds = [
    [0.5, 0.5, 0.5],
    [0.5, 0.5, 0.1],
    [0.1, 0.1, 0.5],
  ];
  return hullsOn(random, vertexCount, count, (h) => kinds[h % kinds.length]);
}

async function hullsOn(
  random: Random,
  vertexCount: number,
  count: number,
  axesOf: (hull: number) => readonly number[],
): Promise<BenchBody[]> {
  const bodies: BenchBody[] = [];
  for (let h = 0; h < count; h++) {
    const axes = axesOf(h);
    const points = new Float64Array(3 * vertexCount);
    for (let i = 0; i < vertexCount; i++) {
      const d = randomDirection(random);
      for (let k = 0; k < 3; k++) points[3 * i + k] = axes[k] * d[k];
    }
    bodies.push(bodyOf({ type: 'convex', ...(await convexHull(points)) } as unknown as ShapeSpec));
  }
  return bodies;
}

/**
 * Returns capsules, cylinders, cones, frusta and ellipsoids with lengths from a range of two orders of magnitude:
 * including needles and sheets.
 */
export function skewedPrimitives(random: Random, count: number): BenchBody[] {
  const size = () => 0.005 * 100 ** random.next();
  const specs: (() => ShapeSpec)[] = [
    () => ({ type: 'capsule', radius: size(), length: 2 * size() }),
    () => ({ type: 'cylinder', radius: size(), length: 2 * size() }),
    () => ({ type: 'cone', radius: size(), length: 2 * size() }),
    () => ({ type: 'frustum', radiusBottom: size(), radiusTop: size(), length: 2 * size() }),
    () => ({ type: 'ellipsoid', radii: [size(), size(), size()] }),
  ];
  return Array.from({ length: count }, (_, i) => bodyOf(specs[i % specs.length]()));
}

/** Returns smooth hulls of the vertices of everyday objects. */
export async function smoothHulls(random: Random, vertexCount: number, count: number): Promise<BenchBody[]> {
  const hulls = await objectHulls(random, vertexCount, count);
  return hulls.map(({ shape }) => bodyOf(smoothHull(shape.vertices)));
}

/**
 * Returns a shape with a differentiable support function, as in [Lee23] and [Thirugnanam26 Fig. 3b]: h(d) =
 * (Σ max(0, v·d)⁸)^(1/8) over vertices v, x, y, z each. The support point is its gradient.
 */
export function smoothHull(vertices: Float64Array): SupportSpec {
  return { type: 'support', support: (out, d) => smoothSupport(out, vertices, d) };
}

/** Writes Σ (v·d)⁷ v / h⁷ over the vertices v with v·d > 0. */
function smoothSupport(out: Vec3, vertices: Float64Array, d: Vec3): void {
  let [x, y, z, sum] = [0, 0, 0, 0];
  for (let i = 0; i < vertices.length; i += 3) {
    const along = vertices[i] * d[0] + vertices[i + 1] * d[1] + vertices[i + 2] * d[2];
    if (!(along > 0)) continue;
    const cube = along * along * along;
    const weight = cube * cube * along;
    x += weight * vertices[i];
    y += weight * vertices[i + 1];
    z += weight * vertices[i + 2];
    sum += weight * along;
  }
  const scale = 1 / sum ** (7 / 8);
  out[0] = scale * x;
  out[1] = scale * y;
  out[2] = scale * z;
}

/** Returns shapes that the peers support too: capsules, cylinders, cones. */
export function commonPrimitives(random: Random, count: number): BenchBody[] {
  const size = () => 0.005 * 100 ** random.next();
  const types = ['capsule', 'cylinder', 'cone'];
  return Array.from({ length: count }, (_, i) => bodyOf({ type: types[i % 3], radius: size(), length: 2 * size() }));
}

export function ellipsoids(random: Random, count: number): BenchBody[] {
  const radius = () => random.between(0.05, 0.5);
  return Array.from({ length: count }, () => bodyOf({ type: 'ellipsoid', radii: [radius(), radius(), radius()] }));
}

export function cubes(random: Random, count: number): BenchBody[] {
  return Array.from({ length: count }, () => {
    const edge = random.between(0.1, 1);
    return bodyOf({ type: 'box', size: [edge, edge, edge] });
  });
}

/**
 * Returns a convex polygon: vertices on an ellipse with half axes from 0.25 to 0.5 m, at random angles,
 * counter-clockwise.
 */
export function randomPolygon(random: Random, vertexCount: number): [number, number][] {
  const [a, b] = [random.between(0.25, 0.5), random.between(0.25, 0.5)];
  const pair = new Float64Array(2);
  const angles = Array.from(
    { length: vertexCount },
    (_, i) => ((i + random.between(0.1, 0.9)) * 2 * Math.PI) / vertexCount,
  );
  return angles.map((angle) => {
    sinCos(pair, angle);
    return [a * pair[1], b * pair[0]];
  });
}

function bodyOf(spec: ShapeSpec): BenchBody {
  return { spec, shape: createShape(spec) };
}
