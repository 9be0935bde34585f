import { assert, describe, test } from 'vitest';
import { convexHull } from '../../../src/core/hulls/hull.ts';
import { HullTally, type OuterHull, simplified, simplifyHull } from '../../../src/core/hulls/outerHull.ts';
import { Random } from '../../../src/core/math/random.ts';
import { create } from '../../../src/core/math/transform.ts';
import { createDistanceSolver } from '../../../src/core/narrowphase/index.ts';
import { PairCache, Separation } from '../../../src/core/narrowphase/solver.ts';
import { createShape } from '../../../src/core/shapes/index.ts';
import { InputError } from '../../../src/errors.ts';

/** Returns points on an ellipsoid, some inside, some repeated, translated and scaled. */
function potato(random: Random, count: number, scale: number, shift: number): Float64Array {
  const points: number[] = [];
  for (let i = 0; i < count; i++) {
    const d = [0, 1, 2].map(() => random.between(-1, 1));
    const length = Math.hypot(...d) / (i % 7 === 0 ? 0.8 : 1);
    points.push(...d.map((x, k) => scale * ((x / length) * [1, 0.6, 0.3][k] + shift)));
  }
  return Float64Array.from(points);
}

const solver = createDistanceSolver();
const out = new Separation();
/** Computes the distance of a point from a hull, 0 inside. */
function distance(p: readonly number[], hull: { points: readonly (readonly number[])[] }): number {
  const T = create();
  T.set([1, 0, 0, p[0], 0, 1, 0, p[1], 0, 0, 1, p[2]]);
  const dot = createShape({ type: 'convex', points: [[0, 0, 0]] });
  const body = createShape({ type: 'convex', points: hull.points });
  solver.distance(out, dot, T, body, Number.POSITIVE_INFINITY, new PairCache());
  return out.distance.upper;
}

describe('simplifyHull', () => {
  test.each([
    [1, 0],
    [1e-3, 5],
    [1e3, -20],
  ])(
    'holds every point, at scale %s and place %s, with at most the requested number of vertices',
    async (scale, shift) => {
      const random = new Random(3);
      for (const most of [8, 20, 60]) {
        const hull = await convexHull(potato(random, 400, scale, shift));
        const { hull: outer, excess, maxProtrusion: sticksOut } = await simplifyHull(hull, most);
        assert.isAtMost(outer.points.length, most);
        assert.isAbove(excess, 0);
        assert.closeTo(outer.volume - hull.volume, excess, 1e-12 * scale ** 3);
        for (const p of hull.points) assert.isAtMost(distance(p, outer), 1e-15 * scale * (1 + Math.abs(shift)));
        const farthest = Math.max(...outer.points.map((p) => distance(p, hull)));
        assert.isAtLeast(sticksOut, farthest * (1 - 1e-9));
        assert.isAtMost(sticksOut, 1.2 * farthest);
      }
    },
  );

  test('a higher vertex limit reduces the excess', async () => {
    const hull = await convexHull(potato(new Random(5), 2000, 1, 0));
    const found: OuterHull[] = [];
    for (const most of [8, 16, 32, 64, 128]) found.push(await simplifyHull(hull, most));
    for (let i = 1; i < found.length; i++) assert.isBelow(found[i].excess, found[i - 1].excess);
    assert.isBelow(found[4].excess, 0.06 * hull.volume);
  });

  test('leaves small and flat hulls as they are', async () => {
    const random = new Random(7);
    const small = await convexHull(potato(random, 30, 1, 0));
    assert.deepEqual(await simplifyHull(small, 30), { hull: small, excess: 0, maxProtrusion: 0 });
    const disc = Array.from({ length: 100 }, (_, i) => [Math.cos(i), Math.sin(i), 1]).flat();
    const flat = await convexHull(disc);
    assert.strictEqual((await simplifyHull(flat, 8)).hull, flat);
  });

  test('rejects limits below the number of vertices of a box', async () => {
    const hull = await convexHull(potato(new Random(1), 50, 1, 0));
    const answer = await simplifyHull(hull, 7).catch((error: unknown) => error);
    assert.instanceOf(answer, InputError);
  });

  test('a tally reports the totals, and nothing if no hull changed', async () => {
    const points = potato(new Random(9), 300, 1, 0);
    const ways = async (triangles: Float64Array) => [await convexHull(triangles)];
    const tally = new HullTally(16);
    await simplified(ways, 16, tally.add)(points);
    assert.match(
      tally.report()[0],
      /^hulls of at most 16 vertices: \d+ vertices became 1\d, volume grew by \d+\.\d %, \d+\.\d mm/,
    );
    const idle = new HullTally(1000);
    await simplified(ways, 1000, idle.add)(points);
    assert.deepEqual(idle.report(), []);
  });
});
