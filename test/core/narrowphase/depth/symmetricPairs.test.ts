import { expect, test } from 'vitest';
import { Random } from '../../../../src/core/math/random.ts';
import { create, dot, norm } from '../../../../src/core/math/vec3.ts';
import { Epa } from '../../../../src/core/narrowphase/depth/epa.ts';
import { Separation } from '../../../../src/core/narrowphase/solver.ts';
import type { ShapeSpec } from '../../../../src/core/shapes/shape.ts';
import { createPair, excess, poseOf, randomDirections, slabAlong } from '../helpers.ts';

const half = Math.SQRT1_2;
const turns = [
  [1, 0, 0, 0],
  [half, half, 0, 0],
  [half, 0, half, 0],
  [0.5, 0.5, 0.5, 0.5],
  [half, 0, 0, half],
];
const lengths = [0.1, 0.25, 0.4, 1, 3];
const offsets = [0, 0, 0.1, 0.25, 0.3, -0.2];

const kinds: ((length: () => number) => ShapeSpec)[] = [
  (length) => ({ type: 'box', size: [length(), length(), length()] }),
  (length) => ({ type: 'sphere', radius: length() / 2 }),
  (length) => ({ type: 'capsule', radius: length() / 2, length: length() }),
  (length) => ({ type: 'cylinder', radius: length() / 2, length: length() }),
  (length) => ({ type: 'cone', radius: length() / 2, length: length() }),
  (length) => ({ type: 'ellipsoid', radii: [length(), length(), length()] }),
  (length) => ({ type: 'box', size: [length(), length(), length()], margin: 0.05 }),
  (length) => ({
    type: 'convex',
    points: [-1, 1].flatMap((x) => [-1, 1].flatMap((y) => [-1, 1].map((z) => [x * length(), 0.3 * y, 0.2 * z]))),
  }),
];

/** Concentric, coaxial and aligned pairs, of which many directions have the same depth. */
test('of symmetric pairs, the witness points are apart by the depth along the normal', () => {
  const random = new Random(39);
  const pick = <T>(list: readonly T[]): T => list[random.below(list.length)];
  const directions = randomDirections(random, 200);
  for (const axis of [0, 1, 2]) {
    for (const side of [-1, 1]) {
      const d = create();
      d[axis] = side;
      directions.push(d);
    }
  }
  const epa = new Epa();
  const out = new Separation();
  const identity = poseOf([0, 0, 0], [1, 0, 0, 0]);
  let colliding = 0;
  for (let i = 0; i < 600; i++) {
    const [specA, specB] = [pick(kinds)(() => pick(lengths)), pick(kinds)(() => pick(lengths))];
    const T = poseOf([pick(offsets), pick(offsets), pick(offsets)], pick(turns));
    const pair = createPair(`${i}: ${JSON.stringify([specA, specB])} ${T.join(' ')}`, specA, specB, T);
    epa.depth(out, pair.a, T, pair.b);
    if (out.status !== 'colliding') continue;
    colliding++;
    const { depth, normal, witnessA, witnessB } = out;
    const slack = 1e-10 * pair.size;
    // Along a smooth surface, a gap g, or one of rounding, leaves a deviation of √g.
    const off = 1e-6 * pair.size + Math.sqrt(Math.max(0, depth.upper - depth.lower) * pair.size);
    const apart = witnessA.map((x, k) => x - witnessB[k] - depth.upper * normal[k]);
    expect(norm(apart), pair.label).toBeLessThanOrEqual(off);
    expect(Math.abs(dot(apart, normal)), pair.label).toBeLessThanOrEqual(slack + depth.upper - depth.lower);
    expect(excess(witnessA, pair.a, T, directions), pair.label).toBeLessThan(slack);
    expect(excess(witnessB, pair.b, identity, directions), pair.label).toBeLessThan(slack);
    expect(Math.abs(-slabAlong(normal, pair) - depth.upper), pair.label).toBeLessThan(slack);
    for (const n of directions) expect(-slabAlong(n, pair), pair.label).toBeGreaterThan(depth.lower - slack);
  }
  expect(colliding).toBeGreaterThan(300);
});
