import { describe, expect, test } from 'vitest';
import { convexHull } from '../../../src/core/hulls/hull.ts';
import { hullFaces } from '../../../src/core/hulls/quickHull.ts';
import { createShape } from '../../../src/core/shapes/index.ts';
import type { ConvexShape } from '../../../src/core/shapes/shape.ts';

type Point = readonly [number, number, number];

const grid = (count: number): number[] => Array.from({ length: count + 1 }, (_, i) => i / count);

/** Points of the surface of a box whose faces are divided into squares. */
function dividedBox(count: number, [x, y, z]: Point): Point[] {
  const at = grid(count);
  return at.flatMap((u) =>
    at.flatMap((v) =>
      [-0.5, 0.5].flatMap((side): Point[] => [
        [side * x, (u - 0.5) * y, (v - 0.5) * z],
        [(u - 0.5) * x, side * y, (v - 0.5) * z],
        [(u - 0.5) * x, (v - 0.5) * y, side * z],
      ]),
    ),
  );
}

/** Rings of a solid of revolution, with the centers of both caps: what triangulated fans of caps consist of. */
function revolved(count: number, profile: readonly (readonly [radius: number, height: number])[]): Point[] {
  const rings = profile.flatMap(([radius, height]) =>
    Array.from({ length: count }, (_, i): Point => {
      const angle = (2 * Math.PI * i) / count;
      return [radius * Math.cos(angle), radius * Math.sin(angle), height];
    }),
  );
  return [...rings, [0, 0, profile[0][1]], [0, 0, profile[profile.length - 1][1]]];
}

/** Moves points by a rotation whose rounding lifts points of flat faces out of their planes, or by none. */
function placed(points: readonly Point[], isTurned: boolean): Point[] {
  if (!isTurned) return [...points];
  const [c, s] = [Math.cos(0.7), Math.sin(0.7)];
  return points.map(([x, y, z]): Point => {
    const [u, v] = [c * x - s * y, s * x + c * y];
    return [u + 0.3, c * v - s * z - 0.2, s * v + c * z + 0.1];
  });
}

const meshes: readonly (readonly [string, readonly Point[]])[] = [
  ['a box with divided faces', dividedBox(16, [0.3, 0.2, 0.1])],
  ['a thin plate with divided faces', dividedBox(16, [0.3, 0.2, 0.001])],
  [
    'a cylinder',
    revolved(520, [
      [0.05, 0],
      [0.05, 0.2],
    ]),
  ],
  [
    'a chamfered plate',
    revolved(260, [
      [0.099, 0],
      [0.1, 0.001],
      [0.1, 0.009],
      [0.099, 0.01],
    ]),
  ],
  [
    'a prism with points along its edges',
    revolved(
      12,
      grid(90).map((t) => [0.1, 0.3 * t]),
    ),
  ],
  [
    'a flat lens',
    revolved(260, [
      [0.1, 0],
      [0.09, 0.001],
      [0.08, 0.0015],
      [0.07, 0.0018],
    ]),
  ],
];

const tilts = [0, 1e-17, 1e-16, 1e-15, 1e-14, 1e-13, 1e-12, 1e-11, 1e-10, 1e-9];

/** Axes, and the normals of at most 60 faces of the hull; each with its negative and all tilts. */
function directionsOf(vertices: Float64Array): Float64Array[] {
  const faces = hullFaces(vertices)!;
  const normals: number[][] = [
    [1, 0, 0],
    [0, 1, 0],
    [0, 0, 1],
  ];
  const stride = 3 * Math.max(1, Math.floor(faces.length / 180));
  for (let f = 0; f < faces.length; f += stride) {
    const [a, b, c] = [0, 1, 2].map((k) => vertices.subarray(3 * faces[f + k], 3 * faces[f + k] + 3));
    const [u, v] = [b.map((x, k) => x - a[k]), c.map((x, k) => x - a[k])];
    const n = [u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]];
    normals.push(n.map((x) => x / Math.hypot(...n)));
  }
  return normals.flatMap(([x, y, z]) =>
    [1, -1].flatMap((sign) => tilts.map((t) => Float64Array.of(sign * x + t, sign * y - 0.7 * t, sign * z + 0.3 * t))),
  );
}

const heightOf = ([x, y, z]: ArrayLike<number> & Iterable<number>, d: Float64Array): number =>
  x * d[0] + y * d[1] + z * d[2];

/** Number of hints per direction; consecutive directions have others, so that together they cover all vertices. */
const HINTS = 6;

/** Returns the largest amount by which a support point is lower than the highest point, over directions and hints. */
function worstMiss(shape: ConvexShape, points: readonly Point[], directions: readonly Float64Array[]): number {
  const out = new Float64Array(3);
  const count = shape.vertices.length / 3;
  let worst = 0;
  let hint = 0;
  for (const d of directions) {
    let most = Number.NEGATIVE_INFINITY;
    for (const point of points) most = Math.max(most, heightOf(point, d));
    for (let k = 0; k < HINTS; k++) {
      hint = (hint + 1) % count;
      shape.support(out, shape, d, 3 * hint);
      worst = Math.max(worst, most - heightOf(out, d));
    }
  }
  return worst;
}

describe.each(meshes)('the support function of %s', (_, given) => {
  test.each([
    ['as given', false],
    ['turned', true],
  ] as const)('has the height of the farthest point, %s', async (_label, isTurned) => {
    const points = placed(given, isTurned);
    const hull = await convexHull(points.flat());
    const shape = createShape({ type: 'convex', points: hull.points });
    const directions = directionsOf(shape.vertices);
    expect(worstMiss(shape, hull.points, directions)).toBeLessThanOrEqual(1e-16);
    const ofAll = createShape({ type: 'convex', points });
    expect(
      worstMiss(
        ofAll,
        points,
        directions.filter((__, i) => i % 5 === 0),
      ),
    ).toBeLessThanOrEqual(1e-16);
  });
});
