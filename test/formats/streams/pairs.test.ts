import { expect, test } from 'vitest';
import { InputError } from '../../../src/errors.ts';
import { PairReader } from '../../../src/formats/streams/pairs.ts';
import type { PlanarPair, SpatialPair } from '../../../src/formats/streams/shapePair.ts';

const box = { shape: { type: 'box', size: [1, 2, 3] } };
const disc = { shape: { type: 'disc', radius: 1 } };
const read = (pair: unknown) => new PairReader().read(JSON.stringify(pair))!;

function refusal(pair: unknown): string {
  const line = read(pair);
  expect(line.pair).toBeInstanceOf(InputError);
  return (line.pair as InputError).message;
}

test('a spatial pair: poses with quaternions of length 1 or with rpy, centers, a track', () => {
  const { id, line, pair } = read({
    id: 'x',
    track: 7,
    why: 'other keys are ignored',
    a: { ...box, pose: { xyz: [1, 2, 3], quat_wxyz: [1.0005, 0, 0, 0] }, center: [0.1, 0, 0] },
    b: { ...box, pose: { rpy: [0, 0, Math.PI / 2] } },
  });
  const { a, T_world_a, b, T_world_b, track, dimension } = pair as SpatialPair;
  expect({ id, line, track, dimension }).toEqual({ id: '"x"', line: 1, track: '7', dimension: 3 });
  expect([...T_world_a]).toEqual([1, 0, 0, 1, 0, 1, 0, 2, 0, 0, 1, 3]);
  expect(T_world_b[4]).toBeCloseTo(1, 15);
  expect([...a.center]).toEqual([0.1, 0, 0]);
  expect([...b.center]).toEqual([0, 0, 0]);
});

test('the default center of growth of convex shapes is their origin', () => {
  const points = [
    [0, 0, 0],
    [4, 0, 0],
    [0, 4, 0],
    [0, 0, 4],
  ];
  const { pair } = read({ a: { shape: { type: 'convex', points } }, b: box });
  expect([...(pair as SpatialPair).a.center]).toEqual([0, 0, 0]);
});

test('a planar pair', () => {
  const { pair } = read({ a: { ...disc, pose: { xy: [1, 2], angle: 0 } }, b: { ...disc, center: [0.5, 0] } });
  const { T_world_a, b, dimension } = pair as PlanarPair;
  expect(dimension).toBe(2);
  expect([...T_world_a]).toEqual([1, 0, 1, 2]);
  expect([...b.center]).toEqual([0.5, 0]);
});

test('blank lines count, and pairs without an id have their line number as id', () => {
  const reader = new PairReader();
  expect(reader.read('')).toBeUndefined();
  expect(reader.read('  ')).toBeUndefined();
  expect(reader.read(JSON.stringify({ a: disc, b: disc }))).toMatchObject({ id: '3', line: 3 });
  expect(reader.read('{')).toMatchObject({ id: 'null', line: 4, pair: { message: 'not JSON: {' } });
  expect(reader.read('[]')).toMatchObject({ id: 'null', line: 5 });
});

test('equal shape texts give the same cached shape', () => {
  const reader = new PairReader();
  const line = JSON.stringify({ a: box, b: { ...box, center: [0, 0, 0.5] } });
  const first = reader.read(line)!.pair as SpatialPair;
  const second = reader.read(line)!.pair as SpatialPair;
  expect(second.a).toBe(first.a);
  expect(second.b).toBe(first.b);
  expect(first.b).not.toBe(first.a);
});

test.each<[string, unknown, string]>([
  ['a pair of both kinds', { a: box, b: disc }, 'a disc is a 2D shape, a box a 3D shape'],
  ['a body that is missing', { a: box }, 'b is missing'],
  ['a body without shape', { a: box, b: {} }, 'b.shape is missing'],
  ['an unknown shape', { a: box, b: { shape: { type: 'bx' } } }, 'b.shape.type: unknown shape "bx"'],
  [
    'an unknown key of a shape',
    { a: { shape: { type: 'sphere', radius: 1, size: 2 } }, b: box },
    'a.shape: unknown key "size"',
  ],
  ['an unknown key of a body', { a: { ...box, centre: [0, 0, 0] }, b: box }, 'a: unknown key "centre"'],
  ['an unknown key of a pose', { a: { ...box, pose: { xy: [0, 0] } }, b: box }, 'a.pose: unknown key "xy"'],
  ['a size below zero', { a: box, b: { shape: { type: 'box', size: [1, -1, 1] } } }, 'b.shape: size[1] is -1'],
  ['a position that is no number', { a: { ...box, pose: { xyz: ['NaN', 0, 0] } }, b: box }, 'a.pose: xyz[0] is "NaN"'],
  [
    'a quaternion of zeros',
    { a: { ...box, pose: { quat_wxyz: [0, 0, 0, 0] } }, b: box },
    'a.pose: quat_wxyz is [0,0,0,0]',
  ],
  [
    'a quaternion whose length overflows',
    { a: { ...box, pose: { quat_wxyz: [1e200, 0, 0, 0] } }, b: box },
    'a.pose: quat_wxyz',
  ],
  [
    'two rotations',
    { a: { ...box, pose: { quat_wxyz: [1, 0, 0, 0], rpy: [0, 0, 0] } }, b: box },
    'a.pose: has quat_wxyz and rpy',
  ],
  ['a planar centre for a box', { a: { ...box, center: [0, 0] }, b: box }, 'a.center is [0,0]'],
  ['an angle that is no number', { a: { ...disc, pose: { angle: '90 deg' } }, b: disc }, 'a.pose: angle is "90 deg"'],
  [
    'a clockwise polygon',
    {
      a: disc,
      b: {
        shape: {
          type: 'polygon',
          points: [
            [0, 0],
            [0, 1],
            [1, 0],
          ],
        },
      },
    },
    'b.shape: points run clockwise',
  ],
])('%s is refused, with the place', (_, pair, words) => {
  expect(refusal(pair)).toContain(words);
});

test('infinite numbers are rejected: JSON.parse reads 1e999 as Infinity', () => {
  const text =
    '{"a":{"shape":{"type":"disc","radius":1},"pose":{"xy":[1e999,0]}},"b":{"shape":{"type":"disc","radius":1}}}';
  expect((new PairReader().read(text)!.pair as InputError).message).toBe(
    'a.pose: xy[0] is Infinity, not a finite number',
  );
});
