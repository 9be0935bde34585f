import { expect, test } from 'vitest';
import { readPair } from '../../../src/formats/streams/pairs.ts';
import type { QueryJacobian } from '../../../src/tasks/queries/queryGradient.ts';
import { createPairQuery, type PairResult } from '../../../src/tasks/queries/queryPairs.ts';

const gradients = createPairQuery({ solver: undefined, what: 'gradient', gap: undefined, warm: false });
const growths = createPairQuery({ solver: undefined, what: 'growth', gap: 1e-13, warm: false });

/** A pair in the world after `step` seconds of the motions of both shapes: velocity, then turn about z. */
type Place = (step: number) => Parameters<typeof readPair>[0];

const box = { type: 'box', size: [0.4, 0.6, 0.8] };
const square = {
  type: 'polygon',
  points: [
    [-0.3, -0.3],
    [0.3, -0.3],
    [0.3, 0.3],
    [-0.3, 0.3],
  ],
};
const ellipsoid = { type: 'ellipsoid', radii: [0.5, 0.3, 0.2] };
const velocities = { 2: [0.3, -0.2, 0.5], 3: [0.3, -0.2, 0.4, 0, 0, 0.5] };
const others = { 2: [-0.1, 0.7, -0.3], 3: [-0.1, 0.7, 0.2, 0, 0, -0.3] };

const spatial = (shapeA: object, shapeB: object, xyz: number[], yaw: number, roll = 0): Place => {
  const moved = (from: number[], by: number[], step: number) => from.map((x, k) => x + step * by[k]);
  return (step) => ({
    a: {
      shape: shapeA,
      pose: { xyz: moved([1, 2, 3], velocities[3], step), rpy: [roll, roll, yaw + 0.5 * step] },
      velocity: velocities[3],
    },
    b: {
      shape: shapeB,
      pose: { xyz: moved(xyz, others[3], step), rpy: [0, 0, 0.7 - 0.3 * step] },
      velocity: others[3],
    },
  });
};
const planar = (shapeB: object, x: number, y: number, turn: number): Place => {
  const [u, v] = [velocities[2], others[2]];
  return (step) => ({
    a: { shape: square, pose: { xy: [1 + step * u[0], 2 + step * u[1]], angle: turn + step * u[2] }, velocity: u },
    b: { shape: shapeB, pose: { xy: [x + step * v[0], y + step * v[1]], angle: 0.7 + step * v[2] }, velocity: v },
  });
};

const growthOf = (place: Place, step: number): number => growths(readPair(place(step))).growth!.lower;

test.each<[string, Place, boolean]>([
  ['box and ellipsoid', spatial(box, ellipsoid, [2, 2.5, 3.3], 0.2), true],
  ['boxes in collision', spatial(box, box, [1.2, 2.1, 3.1], 0.2, 0.3), true],
  ['parallel boxes', spatial(box, box, [1.1, 2.1, 4.2], 0.7), false],
  ['square and disc', planar({ type: 'disc', radius: 0.2 }, 2, 2.1, 0.3), true],
  ['parallel squares', planar(square, 1 + 0.9 * Math.cos(0.7), 2 + 0.9 * Math.sin(0.7), 0.7), false],
])('derivatives in the world frame: %s', (_label, place, isSmooth) => {
  const pair = readPair(place(0));
  const { gradient, normal, warnings } = gradients(pair);
  expect(gradient?.differentiable).toBe(isSmooth);
  const [now, far, near] = [0, 1e-6, 5e-7].map((step) => growthOf(place, step));
  expect(gradient?.directional).toBeCloseTo((2 * (near - now)) / 5e-7 - (far - now) / 1e-6, 4);
  expect(gradient?.oneSided === undefined).toBe(isSmooth);
  if (!isSmooth) {
    expect([gradient?.jacobian, warnings]).toEqual([undefined, undefined]);
    return;
  }
  const motion = [velocities[pair.dimension], others[pair.dimension]];
  const [plus, minus] = [1e-4, -1e-4].map((step) => growths(readPair(place(step))));
  for (const name of ['normal', 'witnessA', 'witnessB'] as const) {
    const rates = ratesOf(gradient?.jacobian, name, motion);
    const expected = normal!.map((_, k) => (plus[name]![k] - minus[name]![k]) / 2e-4);
    rates.forEach((rate, k) => {
      expect(rate).toBeCloseTo(expected[k], 2);
    });
  }
});

function ratesOf(jacobian: QueryJacobian | undefined, name: keyof QueryJacobian, motion: number[][]): number[] {
  const { a, b } = jacobian![name]!;
  return a.map((row, i) => [...row, ...b[i]].reduce((sum, x, k) => sum + x * motion.flat()[k], 0));
}

test('one-sided derivatives of stacked boxes: lifting and lowering differ from tilting', () => {
  const pair = { a: { shape: box }, b: { shape: box, pose: { xyz: [0, 0, 1.6] } } };
  const { gradient }: PairResult = gradients(readPair(pair));
  const { increasing, decreasing } = gradient!.oneSided!.b;
  // Growth 2: the lower edge of B is at 0.8, and a tilt about x lowers an edge 0.3 m from the centre.
  const rounded = (rates: readonly number[]) => rates.map((x) => Math.round(1e6 * x) / 1e6 + 0);
  expect(rounded(increasing)).toEqual([0, 0, 1.25, -0.75, -0.5, 0]);
  expect(rounded(decreasing)).toEqual([0, 0, -1.25, -0.75, -0.5, 0]);
  expect(gradient).not.toHaveProperty('directional');
});

test('velocities are checked', () => {
  const read = (velocity: unknown) => () => readPair({ a: { shape: box, velocity }, b: { shape: box } });
  expect(read([1, 2, 3])).toThrow('a.velocity is [1,2,3]');
  expect(read([1, 2, 3, 4, 5, 'x'])).toThrow('a.velocity[5] is "x", not a finite number');
});

test('a pair with velocities is warned of them unless its gradient is requested', () => {
  const pair = readPair({
    a: { shape: box, velocity: [1, 0, 0, 0, 0, 0] },
    b: { shape: box, pose: { xyz: [0, 0, 1.6] } },
  });
  const distance = createPairQuery({ solver: undefined, what: 'distance', gap: 1e-9, warm: false })(pair);
  expect(distance.warnings).toEqual(['"velocity" is not used: only the gradient has a directional derivative']);
  expect(gradients(pair)).not.toHaveProperty('warnings');
});
