import { assert, describe, test } from 'vitest';
import { Random } from '../../../src/core/math/random.ts';
import { create } from '../../../src/core/math/transform.ts';
import { createDistanceSolver } from '../../../src/core/narrowphase/index.ts';
import { PairCache, Separation } from '../../../src/core/narrowphase/solver.ts';
import { createShape } from '../../../src/core/shapes/index.ts';
import { InputError } from '../../../src/errors.ts';
import { fieldParts, heightFieldProblem, readHeights } from '../../../src/formats/clouds/heightField.ts';

const encode = (text: string) => new TextEncoder().encode(text);

/** Computes the height of the surface: of the triangle on either side of the diagonal of its cell. */
function surface(heights: number[][], [dx, dy]: [number, number], x: number, y: number): number {
  const u = x / dx + (heights[0].length - 1) / 2;
  const v = y / dy + (heights.length - 1) / 2;
  const [i, j] = [Math.floor(u), Math.floor(v)];
  const [s, t] = [u - i, v - j];
  const [a, b, c, d] = [heights[j][i], heights[j][i + 1], heights[j + 1][i + 1], heights[j + 1][i]];
  return s >= t ? a + s * (b - a) + t * (c - b) : a + t * (d - a) + s * (c - d);
}

describe('fieldParts', () => {
  test('a sphere touches the parts exactly where it touches the surface, level rectangles included', () => {
    const random = new Random(5);
    const heights = Array.from({ length: 6 }, (_, j) =>
      Array.from({ length: 9 }, (_, i) => (i < 4 && j < 3 ? 0.25 : random.between(0, 0.5))),
    );
    const cell: [number, number] = [0.2, 0.1];
    const parts = fieldParts({ heights, cell, base: -0.1, margin: 0 }).map(({ shape }) => createShape(shape));
    const solver = createDistanceSolver();
    const out = new Separation();
    const point = createShape({ type: 'sphere', radius: 1e-9 });
    const T = create();
    const isInside = (x: number, y: number, z: number) => {
      T.set([1, 0, 0, x, 0, 1, 0, y, 0, 0, 1, z]);
      return parts.some((part) => {
        solver.distance(out, point, T, part, Number.POSITIVE_INFINITY, new PairCache());
        return out.distance.upper === 0;
      });
    };
    for (let k = 0; k < 300; k++) {
      const [x, y] = [random.between(-0.79, 0.79), random.between(-0.24, 0.24)];
      const z = surface(heights, cell, x, y);
      assert.isTrue(isInside(x, y, z - 1e-6), `below the surface at ${x}, ${y}`);
      assert.isFalse(isInside(x, y, z + 1e-6), `above the surface at ${x}, ${y}`);
    }
    assert.isTrue(isInside(0.1, 0.1, -0.0999));
    assert.isFalse(isInside(0.1, 0.1, -0.1001));
  });

  test('level ground is one box for every grid resolution', () => {
    const flat = Array.from({ length: 50 }, () => Array(70).fill(0.1));
    assert.lengthOf(fieldParts({ heights: flat, cell: [0.1, 0.1], base: 0, margin: 0 }), 1);
    flat[20][30] = 0.2;
    assert.isBelow(fieldParts({ heights: flat, cell: [0.1, 0.1], base: 0, margin: 0 }).length, 16);
  });
});

describe('readHeights', () => {
  test('reads rows of numbers', () => {
    assert.deepEqual(readHeights(encode('# x\n0, 1, 2\n3 4;5\n\n'), 'a.csv'), [
      [0, 1, 2],
      [3, 4, 5],
    ]);
  });

  test.each([
    ['1 2\n1 2 3\n', /^a\.csv:2: it has 3 heights, the rows above have 2/],
    ['1 nan\n', /^a\.csv:1: a height is not finite/],
    ['1 x\n', /^a\.csv:1: "x" is not a number/],
  ])('refuses %j', (text, message) => {
    assert.throws(() => readHeights(encode(text), 'a.csv'), InputError, message);
  });
});

test('reports why heights are not a valid field', () => {
  assert.match(heightFieldProblem([[1, 2]], 0)!, /at least two rows of two are required/);
  assert.match(
    heightFieldProblem(
      [
        [1, 2],
        [1, 2, 3],
      ],
      0,
    )!,
    /row 1 has 3/,
  );
  assert.match(
    heightFieldProblem(
      [
        [1, 2],
        [1, -2],
      ],
      0,
    )!,
    /-2, below its base at 0/,
  );
  const random = new Random(1);
  const rough = Array.from({ length: 200 }, () => Array.from({ length: 200 }, () => random.next()));
  assert.match(heightFieldProblem(rough, 0)!, /79202 convex parts, the limit is 16384/);
});
