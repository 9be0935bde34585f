import { assert, describe, test } from 'vitest';
import { type Decomposition, decompose } from '../../../src/core/hulls/decomposition.ts';
import { createFillSection } from '../../../src/core/hulls/sectionCap.ts';
import { connectedPieces, enclosedVolume, fatness } from '../../../src/core/hulls/solid.ts';
import { cutTriangles } from '../../../src/core/hulls/triangleCut.ts';
import { Random } from '../../../src/core/math/random.ts';
import { sha256 } from '../../../src/core/math/sha256.ts';
import { Cover } from '../../helpers/coverage.ts';
import { bin, block, lProfile, numbersOf, type Point, prism, torus, turned, uProfile } from '../../helpers/solids.ts';

const crossed = [...block([0, 0, 0], [5, 1, 1]), ...block([2, -2, 0.2], [3, 3, 0.7])];
const apart = [...block([0, 0, 0], [1, 1, 1]), ...turned(block([0, 0, 0], [1, 2, 1]), 1, [4, 1, 0])];
const bent = lProfile.slice(0, 24).filter((_, i) => i % 6 < 3); // one side of the L, without depth
const sheet = [...lProfile.slice(24, 36), ...lProfile.slice(48)]; // some of its walls
const room = bin.filter((_, i) => i >= 6); // a bin without its outer floor

const fillSection = createFillSection();

/** Meshes, each with the maximum share of the hull's volume that its parts may have. */
const meshes: readonly (readonly [string, readonly Point[], number])[] = [
  ['an L profile', lProfile, 2 / 3],
  ['an L profile turned', turned(lProfile), 2 / 3],
  ['an L profile of a millimetre, far away', turned(lProfile, 1e-3, [5, -3, 2]), 2 / 3],
  ['a U profile', uProfile, 2 / 3],
  ['a bin', bin, 0.25],
  ['a torus', torus(1, 0.2), 0.7],
  ['a torus turned', turned(torus(1, 0.2)), 0.7],
  ['two blocks through each other', crossed, 0.75],
  ['two blocks apart', apart, 0.5],
  ['an open bin', room, 0.3],
  ['walls of an L', sheet, 1],
  ['a flat L without depth', bent, 1],
  ['a plate', block([0, 0, 0], [3, 2, 1e-3]), 1],
];

const sizeOf = (mesh: readonly Point[]): number =>
  Math.max(...[0, 1, 2].map((k) => Math.max(...mesh.map((p) => p[k])) - Math.min(...mesh.map((p) => p[k]))));

const coverOf = ({ parts }: Decomposition, size: number) =>
  new Cover(
    parts.map(({ points }) => points),
    1e-9 * size,
  );

const trianglesOf = (mesh: readonly Point[]): Point[][] =>
  Array.from({ length: mesh.length / 3 }, (_, t) => mesh.slice(3 * t, 3 * t + 3));

describe.each(meshes)('the parts of %s', (_, mesh, share) => {
  test('hold every triangle as a whole', async () => {
    const decomposition = await decompose(numbersOf(mesh));
    if (decomposition.hullVolume === 0) {
      assert.lengthOf(decomposition.parts, 1); // flat: the hull itself, which test/core/hulls/hull.test.ts checks
      return;
    }
    const cover = coverOf(decomposition, sizeOf(mesh));
    for (const triangle of trianglesOf(mesh)) assert.deepEqual(cover.uncovered(triangle), []);
  });

  test(`are few and hold no more than ${share} of the hull`, async () => {
    const { parts, volume, hullVolume } = await decompose(numbersOf(mesh));
    assert.isAtMost(parts.length, 8);
    assert.isAtMost(volume, share * hullVolume * (1 + 1e-9));
  });
});

test('the test of coverage sees a part that is missing, and one that is a hair too small', async () => {
  const { parts } = await decompose(numbersOf(lProfile));
  const short = parts.map(({ points }) => points.map(([x, y, z]): Point => [x, y, 0.9999 * z]));
  const covers = [new Cover([parts[0].points], 0), new Cover(short, 1e-9)];
  for (const cover of covers) {
    assert.isTrue(trianglesOf(lProfile).some((triangle) => cover.uncovered(triangle).length > 0));
  }
});

test.each([
  [
    'an L profile',
    turned(lProfile),
    (x: number, y: number, z: number) => z > 0 && z < 1 && x > 0 && y > 0 && ((x < 4 && y < 1) || (x < 1 && y < 3)),
  ],
])('the parts of %s hold what it encloses', async (_, mesh, inside) => {
  const cover = coverOf(await decompose(numbersOf(mesh)), sizeOf(mesh));
  const random = new Random(5);
  let tried = 0;
  while (tried < 2000) {
    const p: Point = [random.between(0, 4), random.between(0, 3), random.between(0, 1)];
    if (!inside(...(p as [number, number, number]))) continue;
    tried++;
    assert.isTrue(cover.holds(turned([p])[0]), p.join());
  }
});

test.each([0.05, 0.001])(
  'the parts of a torus hold what it encloses, however finely it is cut (%f)',
  async (partCost) => {
    const mesh = torus(1, 0.2);
    const cover = coverOf(await decompose(numbersOf(mesh), { partCost }), 2.4);
    const random = new Random(5);
    for (let i = 0; i < 2000; ) {
      const p: Point = [random.between(-1.2, 1.2), random.between(-1.2, 1.2), random.between(-0.2, 0.2)];
      const off = Math.sqrt(p[0] * p[0] + p[1] * p[1]) - 1;
      if (off * off + p[2] * p[2] > 0.16 * 0.16) continue; // the mesh lies slightly inside the torus that it approximates
      i++;
      assert.isTrue(cover.holds(p), p.join());
    }
  },
);

test('cutting three ways leaves no hole where the planes meet inside the solid', () => {
  const across = [1, 1, 1].map((_, k) => Float64Array.from([0, 1, 2], (axis) => (axis === k ? 1 : 0)));
  let pieces = [numbersOf(block([0, 0, 0], [2, 2, 2]))];
  for (const direction of across) {
    pieces = pieces.flatMap((piece) => {
      const { below, above, rim } = cutTriangles(piece, { direction, offset: 1 }, 1e-9);
      const section = fillSection(rim, direction, 1e-9);
      return [below, above].map((side) => Float64Array.from([...side, ...section]));
    });
  }
  assert.lengthOf(pieces, 8);
  for (const piece of pieces) {
    const corners = Array.from({ length: piece.length / 3 }, (_, i) => piece.slice(3 * i, 3 * i + 3).join());
    assert.include(corners, '1,1,1');
  }
});

test('an L and a U come apart into the boxes that they are made of', async () => {
  for (const [mesh, count] of [
    [lProfile, 2],
    [uProfile, 3],
  ] as const) {
    const { parts, volume, solidVolume } = await decompose(numbersOf(mesh));
    assert.lengthOf(parts, count);
    assert.approximately(volume, solidVolume!, 1e-9);
  }
});

test('what is convex, or nearly, stays one hull', async () => {
  const wedge = prism([[0, 0], [3, 0], [0, 2]], [0, 1, 2], 1); // biome-ignore format: an outline
  for (const mesh of [block([0, 0, 0], [3, 2, 1]), wedge, turned(wedge)]) {
    assert.lengthOf((await decompose(numbersOf(mesh))).parts, 1);
  }
});

test('flat faces with the noise of single precision are cut as if they were flat', async () => {
  const rounded = Float64Array.from(numbersOf(turned(lProfile, 0.1)), Math.fround);
  const { parts, volume, solidVolume } = await decompose(rounded);
  assert.lengthOf(parts, 2);
  assert.approximately(volume, solidVolume!, 1e-4 * volume);
});

test('maxParts is kept', async () => {
  for (const maxParts of [1, 2, 3, 4]) {
    const { parts } = await decompose(numbersOf(torus(1, 0.2)), { maxParts });
    assert.isAtMost(parts.length, maxParts);
  }
});

test('the same parts come out on every machine', async () => {
  const found = await Promise.all([turned(uProfile), bin, crossed].map((mesh) => decompose(numbersOf(mesh))));
  assert.equal(sha256(JSON.stringify(found)), '7e333ae821c06d2b9a512d8509d492579cdf394cefc524ce0e0d852861cac631');
});

describe('solids', () => {
  test('the enclosed volume is that of the outline times the height, wherever the solid is', () => {
    for (const shift of [0, 1000]) {
      const moved = turned(lProfile, 1, [shift, shift, -shift]);
      assert.approximately(enclosedVolume(numbersOf(moved))!, 6, 1e-9);
    }
    assert.approximately(enclosedVolume(numbersOf([...uProfile].reverse()))!, 16, 1e-12);
  });

  test('an open surface, or one whose triangles face both ways, encloses nothing', () => {
    assert.isUndefined(enclosedVolume(numbersOf(lProfile.slice(3))));
    const [a, b, c, ...rest] = lProfile;
    assert.isUndefined(enclosedVolume(numbersOf([a, c, b, ...rest])));
    assert.isUndefined(fatness(numbersOf(sheet), 1));
  });

  test('a hull is as fat as it holds more than its mesh', async () => {
    const { hullVolume } = await decompose(numbersOf(lProfile));
    assert.approximately(fatness(numbersOf(lProfile), hullVolume)!, hullVolume / 6, 1e-12);
  });

  test('pieces that share no corner come apart, in their order and without loss', () => {
    const mixed = trianglesOf(crossed).sort((s, t) => s[0][2] - t[0][2]).flat(); // biome-ignore format: one thing
    const pieces = connectedPieces(numbersOf(mixed));
    assert.deepEqual(pieces.map((piece) => piece.length), [12 * 9, 12 * 9]); // biome-ignore format: one thing
    assert.approximately(
      pieces.reduce((sum, piece) => sum + enclosedVolume(piece)!, 0),
      5 + 2.5,
      1e-12,
    );
  });
});
