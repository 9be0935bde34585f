import { assert, describe, test } from 'vitest';
import { clipEars, clippingBudget } from '../../../src/core/hulls/earClipping.ts';
import { createFillSection } from '../../../src/core/hulls/sectionCap.ts';
import { Random } from '../../../src/core/math/random.ts';

const UP = Float64Array.of(0, 0, 1);

/** Returns the edges (six numbers each) of a closed walk through points of the plane z = 0. */
const rimOf = (walk: readonly (readonly number[])[]): number[] =>
  walk.flatMap(([x, y], i) => [x, y, 0, walk[(i + 1) % walk.length][0], walk[(i + 1) % walk.length][1], 0]);

/** Counts how often each edge occurs in its direction, minus the opposite direction. */
function boundary(edges: Iterable<readonly [string, string]>): Map<string, number> {
  const counts = new Map<string, number>();
  for (const [from, to] of edges) {
    if (from === to) continue;
    const [key, sign] = from < to ? [`${from} ${to}`, 1] : [`${to} ${from}`, -1];
    counts.set(key, (counts.get(key) ?? 0) + sign);
    if (counts.get(key) === 0) counts.delete(key);
  }
  return new Map([...counts].sort());
}

function* edgesOfTriangles(triangles: Float64Array): Generator<[string, string]> {
  const at = (i: number) => triangles.slice(i, i + 3).join();
  for (let t = 0; t < triangles.length; t += 9) {
    yield [at(t), at(t + 3)];
    yield [at(t + 3), at(t + 6)];
    yield [at(t + 6), at(t)];
  }
}

/** Returns the edges of a rim, reversed: the boundary of its filling. */
function* reversedEdges(rim: readonly number[]): Generator<[string, string]> {
  for (let e = 0; e < rim.length; e += 6) yield [rim.slice(e + 3, e + 6).join(), rim.slice(e, e + 3).join()];
}

describe('the triangles of a section', () => {
  test('have the rim as boundary, for closed walks that cross, touch and repeat themselves', () => {
    const random = new Random(7);
    for (let round = 0; round < 3000; round++) {
      const size = 2 + Math.floor(random.between(0, 6));
      const walks = Array.from({ length: 1 + (round % 3) }, () =>
        Array.from({ length: 3 + Math.floor(random.between(0, 12)) }, () =>
          [0, 1].map(() => Math.floor(random.between(0, size)) + (round % 2) * random.between(-1e-9, 1e-9)),
        ),
      );
      const rim = walks.flatMap(rimOf);
      const filling = createFillSection()(rim, UP, 1e-12);
      const loops = boundary(edgesOfTriangles(filling));
      assert.deepEqual(loops, boundary(reversedEdges(rim)), JSON.stringify(walks));
    }
  });

  test('of a square with a square hole have its area', () => {
    const square = (r: number) => [[-r, -r], [r, -r], [r, r], [-r, r]]; // biome-ignore format: an outline
    for (const turned of [false, true]) {
      const walks = [square(2), square(1).toReversed()].map((walk) => (turned ? walk.toReversed() : walk));
      const filling = createFillSection()(walks.flatMap(rimOf), UP, 1e-12);
      let [area, absolute] = [0, 0];
      for (let t = 0; t < filling.length; t += 9) {
        const [ax, ay, , bx, by, , cx, cy] = filling.slice(t, t + 9);
        const twice = (bx - ax) * (cy - ay) - (by - ay) * (cx - ax);
        area += twice / 2;
        absolute += Math.abs(twice) / 2;
      }
      assert.equal(area, turned ? 12 : -12);
      assert.equal(absolute, 12);
    }
  });

  test('are a fan with the same boundary once the budget is used up', () => {
    const star = Array.from({ length: 40 }, (_, i) => [(i * 17) % 40, (i * 23) % 37]);
    const budget = { tests: 5 };
    const filling = createFillSection(budget)(rimOf(star), UP, 1e-12);
    assert.isBelow(budget.tests, 0);
    assert.deepEqual(boundary(edgesOfTriangles(filling)), boundary(reversedEdges(rimOf(star))));
  });
});

test('outlines that cross themselves share one bound on the tests of ear clipping', () => {
  const random = new Random(3);
  const budget = { tests: 1e6 };
  for (let k = 0; k < 200; k++) {
    const flat = Array.from({ length: 800 }, () => random.between(-1, 1));
    clipEars(flat, [], budget);
  }
  assert.isBelow(budget.tests, 0);
  assert.isAbove(budget.tests, -1000);
  assert.equal(clipEars([0, 0, 1, 0, 1, 1, 0, 1], [], budget), undefined);
  assert.lengthOf(clipEars([0, 0, 1, 0, 1, 1, 0, 1], [], clippingBudget())!, 6);
});
