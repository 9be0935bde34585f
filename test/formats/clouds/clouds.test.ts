import { assert, describe, test } from 'vitest';
import { Random } from '../../../src/core/math/random.ts';
import { InputError } from '../../../src/errors.ts';
import { readCloud } from '../../../src/formats/clouds/index.ts';
import { decompressLzf } from '../../../src/formats/clouds/pcd.ts';
import {
  attachedClusters,
  MAX_ATTACHED_CLUSTERS,
  MAX_CLUSTERS,
  sphereClusters,
} from '../../../src/formats/clouds/sphereClusters.ts';

const encode = (text: string) => new TextEncoder().encode(text);
const join = (...blocks: Uint8Array[]) => Uint8Array.from(blocks.flatMap((block) => [...block]));
const uint32 = (value: number) => new Uint8Array(Uint32Array.of(value).buffer);

/** Coordinates that are exact in single precision. */
const wanted = [0.5, -1.25, 2, 0.125, 3, -4, 8, 16, -32];
const header = (data: string, more = '') =>
  encode(
    `# .PCD v0.7 - Point Cloud Data file format\nVERSION 0.7\nFIELDS rgb x y z\nSIZE 4 4 4 4\nTYPE U F F F\nCOUNT 1 1 1 1\n${more}WIDTH 3\nHEIGHT 1\nVIEWPOINT 9 9 9 1 0 0 0\nPOINTS 3\nDATA ${data}\n`,
  );
const rows = [0, 1, 2].map((i) => wanted.slice(3 * i, 3 * i + 3));
const ascii = join(header('ascii'), encode(rows.map((row) => `4278190080 ${row.join(' ')}\n`).join('')));
const binary = join(
  header('binary'),
  ...rows.flatMap((row) => [uint32(7), new Uint8Array(Float32Array.from(row).buffer)]),
);
const columns = join(
  ...[7, 7, 7].map(uint32),
  ...[0, 1, 2].map((k) => new Uint8Array(Float32Array.from(rows, (row) => row[k]).buffer)),
);
/**
 * Compresses with all constructs of LZF: the first 12 bytes as a literal run of 4 and a back reference of 8 at distance
 * 4, the rest as literal runs.
 */
const packed = join(
  Uint8Array.of(3, 7, 0, 0, 0, (8 - 2) << 5, 3),
  Uint8Array.of(31, ...columns.subarray(12, 44)),
  Uint8Array.of(3, ...columns.subarray(44)),
);
const compressed = join(header('binary_compressed'), uint32(packed.length), uint32(columns.length), packed);

function refusal(bytes: Uint8Array, file: string): string {
  try {
    readCloud(bytes, file);
  } catch (error) {
    assert.instanceOf(error, InputError);
    return (error as InputError).message;
  }
  throw new Error('it was read');
}

describe('readCloud', () => {
  test.each([
    ['an ascii PCD', ascii, 'a.pcd'],
    ['a binary PCD', binary, 'a.PCD'],
    ['a compressed PCD', compressed, 'a.pcd'],
    [
      'an XYZ with colours and comments',
      encode(`# scan\n${rows.map((r) => `${r.join('\t')} 1 2 3\r\n`).join('\n')}`),
      'a.xyz',
    ],
    ['a CSV', encode(rows.map((row) => row.join(', ')).join('\n')), 'a.csv'],
    [
      'a PLY without faces',
      encode(
        `ply\nformat ascii 1.0\nelement vertex 3\nproperty float x\nproperty float y\nproperty float z\nend_header\n${rows.map((row) => row.join(' ')).join('\n')}\n`,
      ),
      'a.ply',
    ],
  ])('reads the same points from %s', (_, bytes, file) => {
    const moved = /\.pcd$/i.test(file) ? { viewpoint: '9 9 9 1 0 0 0' } : {};
    assert.deepEqual(readCloud(bytes, file), { points: Float64Array.from(wanted), skipped: 0, ...moved });
  });

  test('skips points that are not finite and counts them', () => {
    const text = 'nan nan nan\n1 2 3\n0 -inf 1\n';
    assert.deepEqual(readCloud(encode(text), 'a.xyz'), { points: Float64Array.of(1, 2, 3), skipped: 2 });
    const pcd = join(header('ascii'), encode('0 nan nan nan\n0 1 2 3\n0 nan 1 1\n'));
    assert.equal(readCloud(pcd, 'a.pcd').skipped, 2);
  });

  test.each([
    ['a binary PCD cut off', binary.subarray(0, -1), 'a.pcd', /states 3 points, which take 48 bytes, but 47 are left/],
    ['an ascii PCD cut off', ascii.subarray(0, -12), 'a.pcd', /states 3 points, but there are 2|coordinate is missing/],
    ['a compressed PCD cut off', compressed.subarray(0, -1), 'a.pcd', /states \d+ compressed bytes, but \d+ are left/],
    [
      'a compressed PCD of another size',
      join(header('binary_compressed'), uint32(1), uint32(1 << 30)),
      'a.pcd',
      /compressed/,
    ],
    [
      'a PCD that claims a billion points',
      encode('FIELDS x y z\nSIZE 4 4 4\nTYPE F F F\nPOINTS 1000000000\nDATA binary\n'),
      'a.pcd',
      /1000000000 points, the limit is 1000000/,
    ],
    ['a PCD without z', encode('FIELDS x y\nSIZE 4 4\nTYPE F F\nPOINTS 1\nDATA ascii\n1 2\n'), 'a.pcd', /have no z/],
    [
      'a PCD of another kind',
      encode('FIELDS x y z\nSIZE 4 4 4\nTYPE F F F\nPOINTS 1\nDATA zip\n'),
      'a.pcd',
      /DATA is "zip"/,
    ],
    ['what is no PCD', encode('hello'), 'a.pcd', /this is not a PCD file/],
    ['a word for a number', encode('1 2 3\n1 two 3\n'), 'a.xyz', /^a\.xyz:2: "two" is not a number/],
    ['a line of two numbers', encode('1 2\n'), 'a.xyz', /^a\.xyz:1: a point of 2 numbers/],
    ['nothing but holes', encode('nan nan nan\n'), 'a.xyz', /none of its 1 points is finite/],
    ['nothing at all', encode(''), 'a.xyz', /empty \(0 bytes\)/],
    ['another kind of file', encode('x'), 'a.las', /of the kind "\.las" cannot be read/],
  ])('refuses %s', (_, bytes, file, message) => {
    assert.match(refusal(bytes, file), message);
  });

  test('a compressed block with a reference before its beginning or past its end is invalid', () => {
    for (const broken of [
      [0x20, 0],
      [5, 1, 2],
      [0, 1, 0xe0],
      [0, 1, 0xe0, 255, 0],
      [0, 1, 0, 2],
    ]) {
      assert.isUndefined(decompressLzf(Uint8Array.from(broken), 3), String(broken));
    }
    assert.deepEqual(decompressLzf(Uint8Array.of(0, 9, 0x20, 0), 4), Uint8Array.of(9, 9, 9, 9));
  });
});

describe('ballGroups', () => {
  const random = new Random(3);
  const points = Float64Array.from({ length: 3 * 20_000 }, () => random.between(-1, 1));
  const groups = sphereClusters(points, 0.01);

  test('every point is in exactly one cluster, and repeated points count once', () => {
    const twice = new Float64Array([...points.subarray(0, 3000), ...points.subarray(0, 3000)]);
    const seen = sphereClusters(twice, 0.01).flatMap(({ shape }) => (shape.points as number[][]).map(String));
    assert.equal(seen.length, 1000);
    assert.equal(new Set(seen).size, 1000);
    const all = groups.flatMap(({ shape }) => shape.points as number[][]);
    assert.equal(all.length, 20_000);
  });

  test('the number of clusters is limited, and none is far wider than the others', () => {
    assert.equal(groups.length, MAX_CLUSTERS);
    const widths = groups.map(({ shape }) => {
      const list = shape.points as number[][];
      return Math.max(...[0, 1, 2].map((k) => Math.max(...list.map((p) => p[k])) - Math.min(...list.map((p) => p[k]))));
    });
    assert.isBelow(Math.max(...widths), 0.3); // 2 m / cube root of 2048 = 0.16 m
  });

  test('clusters that are as narrow as their spheres have at most 1024 points each', () => {
    const parts = sphereClusters(points, 1); // narrower than four radii as a whole
    const counts = parts.map(({ shape }) => (shape.points as number[][]).length);
    assert.isAtMost(Math.max(...counts), 1024);
    assert.isBelow(parts.length, 100);
    assert.equal(new Set(parts.flatMap(({ shape }) => (shape.points as number[][]).map(String))).size, 20_000);
  });

  test('an attached cloud has few clusters, with every point in one, which are solid convex hulls', () => {
    const parts = attachedClusters(points, 0.01);
    assert.equal(parts.length, MAX_ATTACHED_CLUSTERS);
    assert.equal(new Set(parts.flatMap(({ shape }) => (shape.points as number[][]).map(String))).size, 20_000);
    assert.isTrue(parts.every(({ balls, shape }) => balls === undefined && shape.margin === 0.01));
  });

  test('splitting terminates for points at the limits of precision', () => {
    const near = Float64Array.from({ length: 300 }, (_, i) =>
      i % 3 === 0 ? 1 + Math.floor(i / 3) * Number.EPSILON : 0,
    );
    assert.equal(sphereClusters(near, 1e-29).flatMap(({ shape }) => shape.points as number[][]).length, 100);
  });
});
