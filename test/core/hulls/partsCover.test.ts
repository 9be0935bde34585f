import { assert, describe, test } from 'vitest';
import { decompose } from '../../../src/core/hulls/decomposition.ts';
import { Random } from '../../../src/core/math/random.ts';
import { partsCover } from '../../helpers/partsCover.ts';
import { bin, block, lProfile, numbersOf, type Point, torus, turned, uProfile } from '../../helpers/solids.ts';
import { WindingNumber } from '../../helpers/windingNumber.ts';

const cube = numbersOf(block([0, 0, 0], [1, 1, 1]));

/** Returns the vertices of an axis-aligned box. */
const box = (from: Point, to: Point): Point[] =>
  Array.from(
    { length: 8 },
    (_, i): Point => [i & 1 ? to[0] : from[0], i & 2 ? to[1] : from[1], i & 4 ? to[2] : from[2]],
  );

/** Returns six slabs that fill the unit cube except for a cavity, extended outwards by `beyond`. */
function slabs([x0, y0, z0]: Point, [x1, y1, z1]: Point, beyond = 0): Point[][] {
  const [o, e] = [-beyond, 1 + beyond];
  return [
    box([o, o, o], [e, e, z0]),
    box([o, o, z1], [e, e, e]),
    box([o, o, z0], [e, y0, z1]),
    box([o, y1, z0], [e, e, z1]),
    box([o, y0, z0], [x0, y1, z1]),
    box([x1, y0, z0], [e, y1, z1]),
  ];
}

describe('parts that do not cover a closed mesh', () => {
  test('because of a cavity anywhere in it, of any size down to 1e-4 of it, are found', () => {
    const random = new Random(11);
    for (let k = 0; k < 100; k++) {
      const side = 10 ** -random.between(0.1, 4);
      const from = [0, 1, 2].map(() => random.between(0, 1 - side)) as unknown as Point;
      const to = from.map((x) => x + side) as unknown as Point;
      const parts = slabs(from, to).filter((points) => new Set(points.map(String)).size === 8);
      assert.isFalse(partsCover(cube, parts), `${from} ${side}`);
      if (side < 1e-3) continue; // such thin parts are rejected: their rounding errors are not bounded
      assert.isTrue(partsCover(cube, [...parts, box(from, to)]), `${from} ${side}`);
    }
  });

  test.each([0, 3e-10, 5e-10, 1e-9, 3e-9, 1e-6])('as walls %s outside of its faces are found', (gap) => {
    const inside = [1e-3, 0.1].map((thick) =>
      slabs([-gap, -gap, -gap] as Point, [1 + gap, 1 + gap, 1 + gap] as Point, thick),
    );
    for (const parts of inside) assert.isFalse(partsCover(cube, parts));
  });

  test('but for a needle or a wedge whose planes pass near the mesh are found', () => {
    const thin = [1e-3, 1e-6, 1e-9, 1e-12];
    for (const t of thin) {
      // A wedge along the diagonal of a triangle: its edge ends before the vertex.
      const wedge: Point[] = [[0, 0, 0], [0.5, 0, 0], [0, 0.5, 0], [0, 0, -t], [0.25, 0.25, -t / 2]]; // biome-ignore format: points
      assert.isFalse(partsCover(Float64Array.of(0, 0, 0, 0.51, 0, 0, 0, 0.51, 0), [wedge]), `${t}`);
    }
  });

  test('but for small triangles are found', () => {
    const far = numbersOf(turned(block([0, 0, 0], [2e-5, 2e-5, 2e-5]), 1, [2, 0, 0]));
    const mesh = Float64Array.from([...cube, ...far]);
    assert.isFalse(partsCover(mesh, [box([0, 0, 0], [1, 1, 1])]));
    assert.isTrue(partsCover(mesh, [box([0, 0, 0], [1, 1, 1]), box([1.99, -0.01, -0.01], [2.01, 0.01, 0.01])]));
  });
});

test('parts of decompositions of closed meshes are found to cover them', async () => {
  const crossed = [...block([0, 0, 0], [5, 1, 1]), ...block([2, -2, 0.2], [3, 3, 0.7])];
  for (const solid of [lProfile, turned(lProfile), uProfile, turned(uProfile), bin, torus(1, 0.2), crossed]) {
    const mesh = numbersOf(solid);
    const { parts } = await decompose(mesh);
    assert.isAbove(parts.length, 1);
    assert.isTrue(
      partsCover(
        mesh,
        parts.map(({ points }) => points),
      ),
    );
  }
});

test('winding numbers of a torus agree with its formula', () => {
  const winding = new WindingNumber(numbersOf(torus(1, 0.2)));
  const random = new Random(2);
  let inside = 0;
  for (let k = 0; k < 3000; k++) {
    const [x, y, z] = [random.between(-1.3, 1.3), random.between(-1.3, 1.3), random.between(-0.3, 0.3)];
    const off = Math.sqrt((Math.sqrt(x * x + y * y) - 1) ** 2 + z * z);
    if (off > 0.16 && off < 0.21) continue;
    if (off <= 0.16) inside++;
    assert.equal(Math.abs(winding.at([x, y, z])!), off <= 0.16 ? 1 : 0);
  }
  assert.isAbove(inside, 100);
});
