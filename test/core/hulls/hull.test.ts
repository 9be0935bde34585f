import fc from 'fast-check';
import { assert, describe, test } from 'vitest';
import { convexHull, type Hull } from '../../../src/core/hulls/hull.ts';
import { cases } from '../../cases.ts';

/**
 * Computes the largest distance by which a point lies outside the hull's vertices in any of 300 directions, relative to
 * the size of the set.
 */
function supportError(points: readonly (readonly number[])[], hull: Hull): number {
  let worst = 0;
  let size = 0;
  for (const p of points)
    for (const q of points.slice(0, 20)) size = Math.max(size, Math.hypot(...p.map((x, i) => x - q[i])));
  for (let k = 0; k < 300; k++) {
    const z = 1 - (2 * k + 1) / 300;
    const d = [Math.sqrt(1 - z * z) * Math.cos(2.4 * k), Math.sqrt(1 - z * z) * Math.sin(2.4 * k), z];
    // Subtract one point first, so that the test itself loses no precision far from the origin.
    const reach = (p: readonly number[]) => p.reduce((sum, x, i) => sum + (x - points[0][i]) * d[i], 0);
    worst = Math.max(worst, Math.max(...points.map(reach)) - Math.max(...hull.points.map(reach)));
  }
  return size === 0 ? worst : worst / size;
}

/**
 * Returns true if hill climbing along the edges ends at the support vertex, from any vertex and in any of 60
 * directions.
 */
function climbs(hull: Hull): boolean {
  const neighbors = hull.points.map((): number[] => []);
  for (const [a, b] of hull.edges) {
    neighbors[a].push(b);
    neighbors[b].push(a);
  }
  const size = Math.max(...hull.points.flat().map(Math.abs));
  for (let k = 0; k < 60; k++) {
    const d = [Math.cos(k), Math.sin(1.7 * k), Math.cos(2.3 * k + 1)];
    const reach = hull.points.map((p) => p[0] * d[0] + p[1] * d[1] + p[2] * d[2]);
    const most = Math.max(...reach);
    for (let start = 0; start < hull.points.length; start++) {
      let at = start;
      for (;;) {
        const better = neighbors[at].find((next) => reach[next] > reach[at]);
        if (better === undefined) break;
        at = better;
      }
      if (most - reach[at] > 1e-11 * size) return false;
    }
  }
  return true;
}

/** Returns a pseudo-random number from −1 to 1 that depends only on its argument. */
function noiseOf(i: number): number {
  const x = Math.imul(i + 1, 0x9e3779b1);
  return (Math.imul(x ^ (x >>> 15), 0x2c1b3c6d) >>> 0) / 2 ** 31 - 1;
}

function ballPoint(noise: (k: number) => number, radius: number): number[] {
  const z = noise(1);
  const a = Math.PI * noise(2);
  return [Math.sqrt(1 - z * z) * Math.cos(a), Math.sqrt(1 - z * z) * Math.sin(a), z].map((x) => radius * x);
}

/** Computes the support value of the points along d, relative to the first of `from`. */
function reachOf(points: Float64Array, d: readonly number[], from: Float64Array): number {
  let most = Number.NEGATIVE_INFINITY;
  for (let i = 0; i < points.length; i += 3) {
    const along = (points[i] - from[0]) * d[0] + (points[i + 1] - from[1]) * d[1] + (points[i + 2] - from[2]) * d[2];
    most = Math.max(most, along);
  }
  return most;
}

const coordinate = fc.double({ min: -1, max: 1, noNaN: true });
const grid = fc.integer({ min: -2, max: 2 });
const point = fc.oneof(fc.tuple(coordinate, coordinate, coordinate), fc.tuple(grid, grid, grid));

describe('convexHull', () => {
  test('holds every point, whatever the points, at any scale and place', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(point, { minLength: 1, maxLength: 40 }),
        fc.constantFrom(1e-4, 1, 1e4),
        fc.constantFrom(0, 100),
        async (points, scale, shift) => {
          const moved = points.map((p) => p.map((x) => scale * (x + shift)));
          const hull = await convexHull(moved.flat());
          assert.isAtMost(supportError(moved, hull), 2e-12);
          for (const corner of hull.points) assert.isTrue(moved.some((p) => p.every((x, i) => x + 0 === corner[i])));
        },
      ),
      { numRuns: cases(300), seed: 1 },
    );
  });

  test('gives edges along which a climb finds the farthest corner', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(point, { minLength: 2, maxLength: 40 }), async (points) => {
        const hull = await convexHull(points.flat());
        if (hull.edges.length > 0) assert.isTrue(climbs(hull));
      }),
      { numRuns: 200, seed: 2 },
    );
  });

  test('a cube given as triangles, with points inside its faces, has volume 1 and its corners on the hull', async () => {
    const points: number[][] = [];
    for (const x of [0, 0.5, 1])
      for (const y of [0, 0.5, 1]) for (const z of [0, 0.5, 1]) points.push([x, y, z], [x, y, z]);
    const hull = await convexHull(points.flat());
    assert.closeTo(hull.volume, 1, 1e-14);
    assert.isAtMost(supportError(points, hull), 1e-15);
    assert.isTrue(climbs(hull));
  });

  test('a mirrored mesh keeps a positive volume', async () => {
    const tetra = [0, 0, 0, 1, 0, 0, 0, 2, 0, 0, 0, 3];
    const mirrored = tetra.map((x, i) => (i % 3 === 1 ? -x : x));
    assert.closeTo((await convexHull(tetra)).volume, 1, 1e-15);
    assert.closeTo((await convexHull(mirrored)).volume, 1, 1e-15);
  });

  test('flat input is a polygon of its extreme points, however it is tilted', async () => {
    for (const tilt of [0, 0.3, 1]) {
      const [c, s] = [Math.cos(tilt), Math.sin(tilt)];
      const at = (x: number, y: number): [number, number, number] => [x, c * y, s * y];
      const points = [at(0, 0), at(1, 0), at(1, 1), at(0, 1), at(0.5, 0.5), at(0.5, 0), at(1, 0.25), at(0.3, 0.9)];
      const hull = await convexHull(points.flat());
      assert.deepEqual(hull.points, points.slice(0, 4));
      assert.deepEqual(hull.edges, []);
      assert.equal(hull.volume, 0);
    }
  });

  test('points on a line make a segment, one point a point, none nothing', async () => {
    const line = [1, 1, 1, 2, 2, 2, 4, 4, 4, 3, 3, 3];
    assert.deepEqual(await convexHull(line), {
      points: [
        [1, 1, 1],
        [4, 4, 4],
      ],
      edges: [],
      volume: 0,
    });
    assert.deepEqual(await convexHull([1, 2, 3, 1, 2, 3]), { points: [[1, 2, 3]], edges: [], volume: 0 });
    assert.deepEqual(await convexHull([]), { points: [], edges: [], volume: 0 });
  });

  test.each([1e-8, 1e-10, 1e-11, 1e-12])(
    'a film of thickness %s keeps the corners of its outline',
    async (thickness) => {
      const lost = await Promise.all(
        Array.from({ length: 40 }, async (_, k) => {
          const wide = 0.1 + 0.9 * Math.abs(noiseOf(k));
          const points = Array.from({ length: 300 + 40 * k }, (_, i) => {
            const a = Math.PI * noiseOf(1000 * k + i);
            return [Math.cos(a), thickness * Math.cos(3 * a), wide * Math.sin(a)];
          });
          const hull = await convexHull(points.flat());
          const reach = (p: readonly number[], a: number) => p[0] * Math.cos(a) + p[2] * Math.sin(a);
          const shortAt = (a: number) =>
            Math.max(...points.map((p) => reach(p, a))) - Math.max(...hull.points.map((p) => reach(p, a)));
          return Math.max(...Array.from({ length: 200 }, (_, i) => shortAt(0.0314 * i)));
        }),
      );
      assert.isBelow(Math.max(...lost), 2e-12);
    },
  );

  test.each([1e-6, 1e-9, 1e-11, 1e-13, 1e-16])('a sheet of thickness %s loses no corner', async (thickness) => {
    const points: number[][] = [];
    for (let i = 0; i < 60; i++) points.push([Math.cos(i), Math.sin(i), thickness * Math.cos(7 * i)]);
    const hull = await convexHull(points.flat());
    assert.isAtMost(supportError(points, hull), 1e-12);
  });

  const turned = (x: number, y: number, z: number) => [0.6 * x - 0.8 * y, 0.8 * x + 0.6 * y, z + 0.3 * x];
  test.each<[string, number, (i: number, noise: (k: number) => number) => number[]]>([
    ['an exactly planar grid', 100_000, (i) => [i % 400, Math.floor(i / 400), 0]],
    ['a tilted planar grid', 100_000, (i) => turned(i % 400, Math.floor(i / 400), 0)],
    ['a line', 100_000, (i) => [i, 2 * i, -i]],
    [
      'a line with noise in the last digits',
      100_000,
      (i, noise) => [i, 2 * i + 1e-10 * noise(1), 3 + 1e-10 * noise(2)],
    ],
    ['a plane with noise', 100_000, (i, noise) => [i % 400, Math.floor(i / 400), 1e-9 * noise(1)]],
    ['eight corners, repeated', 100_000, (i) => [i & 1, (i >> 1) & 1, (i >> 2) & 1]],
    ['a noisy ball', 100_000, (_, noise) => ballPoint(noise, 1 + 0.01 * noise(3))],
    ['a ball, far away', 100_000, (_, noise) => ballPoint(noise, 1).map((x) => x + 1000)],
    ['a cube of a grid', 1_000_000, (i) => [i % 100, Math.floor(i / 100) % 100, Math.floor(i / 10_000)]],
    ['a scan of a bent sheet', 200_000, (_, noise) => [noise(1), noise(2), noise(1) * noise(1) + 1e-3 * noise(3)]],
  ])('holds every point of %s of %i points to 1e-9 of its size', async (_, count, at) => {
    const points = new Float64Array(3 * count);
    for (let i = 0; i < count; i++)
      points.set(
        at(i, (k) => noiseOf(4 * i + k)),
        3 * i,
      );
    const hull = await convexHull(points);
    const corners = Float64Array.from(hull.points.flat());
    let size = 0;
    for (let i = 0; i < points.length; i++) size = Math.max(size, Math.abs(points[i] - points[i % 3]));
    for (let k = 0; k < 40; k++) {
      const z = 1 - (2 * k + 1) / 40;
      const d = [Math.sqrt(1 - z * z) * Math.cos(2.4 * k), Math.sqrt(1 - z * z) * Math.sin(2.4 * k), z];
      assert.isAtMost(reachOf(points, d, points) - reachOf(corners, d, points), 1e-9 * size);
    }
  });

  test('gives the same hull again', async () => {
    const points = Array.from({ length: 900 }, (_, i) => Math.sin(i * i));
    assert.deepEqual(await convexHull(points), await convexHull(points));
  });
});
