import { expect, test, vi } from 'vitest';
import { Random } from '../../../src/core/math/random.ts';
import { QpSolver } from '../../../src/core/optimization/quadraticProgram.ts';
import { readPair } from '../../../src/formats/streams/pairs.ts';
import { createPairQuery, type PairResult } from '../../../src/tasks/queries/queryPairs.ts';
import { cases } from '../../cases.ts';

const options = { solver: 'pill-qp', gap: undefined, warm: false } as const;
const gradients = createPairQuery({ ...options, what: 'gradient' });
const proximities = createPairQuery({ ...options, what: 'proximity' });

interface Body {
  readonly shape: object;
  readonly center: readonly number[];
  readonly xyz: readonly number[];
  /** Rotation matrix, row by row. */
  readonly R: readonly number[];
}

const product = (A: readonly number[], B: readonly number[]) =>
  Array.from({ length: 9 }, (_, i) =>
    [0, 1, 2].reduce((sum, k) => sum + A[3 * ((i / 3) | 0) + k] * B[3 * k + (i % 3)], 0),
  );
const applied = (R: readonly number[], p: readonly number[]) =>
  [0, 1, 2].map((i) => R[3 * i] * p[0] + R[3 * i + 1] * p[1] + R[3 * i + 2] * p[2]);

/** Rotation about the axis k of the world. */
function turned(axis: number, angle: number): number[] {
  const [c, s] = [Math.cos(angle), Math.sin(angle)];
  const R = [1, 0, 0, 0, 1, 0, 0, 0, 1];
  const [i, j] = [(axis + 1) % 3, (axis + 2) % 3];
  [R[4 * i], R[4 * j], R[3 * i + j], R[3 * j + i]] = [c, c, -s, s];
  return R;
}

function quaternionOf(R: readonly number[]): number[] {
  // Of the four forms, that with the largest component.
  const squares = [R[0] + R[4] + R[8], R[0] - R[4] - R[8], R[4] - R[0] - R[8], R[8] - R[0] - R[4]].map((x) => 1 + x);
  const k = squares.indexOf(Math.max(...squares));
  const [x, y, z] = [R[7] - R[5], R[2] - R[6], R[3] - R[1]];
  const [xy, xz, yz] = [R[1] + R[3], R[2] + R[6], R[5] + R[7]];
  const rows = [
    [squares[0], x, y, z],
    [x, squares[1], xy, xz],
    [y, xy, squares[2], yz],
    [z, xz, yz, squares[3]],
  ];
  const length = Math.hypot(...rows[k]);
  return rows[k].map((value) => value / length);
}

/** The pair after a motion of one body: its center moves along an axis of the world, or it turns about that axis. */
function moved(bodies: readonly [Body, Body], column: number, step: number) {
  const [a, b] = bodies.map(({ shape, center, xyz, R }, i) => {
    const part = column - 6 * i;
    if (part < 0 || part > 5) return { shape, center, pose: { xyz, quat_wxyz: quaternionOf(R) } };
    if (part < 3) {
      const place = xyz.map((x, k) => x + (k === part ? step : 0));
      return { shape, center, pose: { xyz: place, quat_wxyz: quaternionOf(R) } };
    }
    const next = product(turned(part - 3, step), R);
    const [before, after] = [applied(R, center), applied(next, center)];
    const place = xyz.map((x, k) => x + before[k] - after[k]);
    return { shape, center, pose: { xyz: place, quat_wxyz: quaternionOf(next) } };
  });
  return readPair({ a, b } as never);
}

function randomPair(random: Random): [Body, Body] {
  const size = () => random.between(0.2, 1);
  const body = (): Body => {
    const R = product(
      product(turned(0, random.between(-3, 3)), turned(1, random.between(-1, 1))),
      turned(2, 2 * size()),
    );
    const corners = [0, 1, 2, 3, 4].map((k) => [Math.cos(1.2 * k + 0.2 * size()), size() + Math.sin(1.2 * k), 0]);
    const shape = [
      { type: 'sphere', radius: size() },
      { type: 'capsule', radius: size() / 2, length: size() },
      { type: 'convex', points: corners, margin: size() / 4 },
    ][random.below(3)];
    const three = (limit: number) => [0, 1, 2].map(() => random.between(-limit, limit));
    return { shape, center: three(0.3), xyz: three(1.5), R };
  };
  return [body(), body()];
}

const STEP = 1e-5;

test('the gradient of the proximity and the Jacobians are central differences about the growth centers', () => {
  const random = new Random(99);
  let [compared, jacobians, overlapping] = [0, 0, 0];
  for (let i = 0; i < cases(100, 1 / 4); i++) {
    const bodies = randomPair(random);
    const label = `pair ${i}: ${JSON.stringify(bodies)}`;
    const result = gradients(moved(bodies, 0, 0));
    const { gradient } = result;
    if (gradient === undefined || !gradient.differentiable) continue;
    if (result.status === 'colliding') overlapping++;
    const analytic = [...gradient.a, ...gradient.b];
    for (let column = 0; column < 12; column++) {
      const [before, after] = [-STEP, STEP].map((step) => gradients(moved(bodies, column, step)));
      const [low, high] = [-STEP, STEP].map((step) => proximities(moved(bodies, column, step)).proximity!);
      const slope = (high - low) / (2 * STEP);
      expect(Math.abs(analytic[column] - slope), label).toBeLessThan(2e-4 * (1 + Math.abs(slope)));
      compared++;
      for (const field of ['normal', 'witnessA', 'witnessB'] as const) {
        const jacobian = gradient.jacobian?.[field];
        if (jacobian === undefined || result.status !== 'separated') continue;
        const differences = derivative(before, after, field);
        // Where the closest points change their features between the steps, there is no derivative to compare.
        const one = gradients(moved(bodies, column, STEP / 2));
        if (differences === undefined || one.gradient?.jacobian === undefined) continue;
        for (let k = 0; k < 3; k++) {
          const value = (column < 6 ? jacobian.a : jacobian.b)[k][column % 6];
          expect(Math.abs(value - differences[k]), `${field}, ${label}`).toBeLessThan(5e-3 * (1 + Math.abs(value)));
        }
        jacobians++;
      }
    }
  }
  expect(compared).toBeGreaterThan(cases(300, 1 / 4));
  expect(jacobians).toBeGreaterThan(cases(300, 1 / 4));
  expect(overlapping).toBeGreaterThan(cases(8, 1 / 4));
});

function derivative(before: PairResult, after: PairResult, field: 'normal' | 'witnessA' | 'witnessB') {
  const [p, q] = [before[field], after[field]];
  return p && q && p.map((x, k) => (q[k] - x) / (2 * STEP));
}

test('the proximity is that of the paper, and its gradient twice the vector between the cores', () => {
  const sphere = (radius: number, x: number) => ({ shape: { type: 'sphere', radius }, pose: { xyz: [x, 0, 0] } });
  const pair = readPair({ a: sphere(1, 0), b: sphere(0.5, 4) } as never);
  expect(proximities(pair).proximity).toBeCloseTo(16 - 2.25, 12);
  expect(gradients(pair).gradient!.a).toEqual([-8, 0, 0, 0, 0, 0].map((x) => x || expect.closeTo(0, 12)));
});

test('parallel capsules have several closest pairs: no gradient is claimed', () => {
  const capsule = { type: 'capsule', radius: 0.2, length: 1 };
  const pair = readPair({ a: { shape: capsule }, b: { shape: capsule, pose: { xyz: [1, 0, 0.2] } } } as never);
  const { gradient, warnings } = gradients(pair);
  expect(gradient!.differentiable).toBe(false);
  expect(warnings!.join()).toContain('several pairs of points of the pills are closest');
});

test('a quadratic program that does not converge gives warnings instead of proximity and gradient', () => {
  const flat = {
    type: 'convex',
    points: [
      [0, 0, 0],
      [1, 0, 0],
      [0, 1, 0],
    ],
    margin: 0.1,
  };
  const pair = readPair({ a: { shape: flat }, b: { shape: flat, pose: { xyz: [0.1, 0, 2] } } } as never);
  const spy = vi.spyOn(QpSolver.prototype, 'solve').mockReturnValue('undecided');
  try {
    const warnings = ['proximity', 'gradient'].map((what) => `no ${what}: the quadratic program did not converge`);
    for (const [k, { warnings: found, ...result }] of [proximities(pair), gradients(pair)].entries()) {
      expect(found).toEqual([warnings[k]]);
      expect([result.proximity, result.gradient]).toEqual([undefined, undefined]);
    }
  } finally {
    spy.mockRestore();
  }
  expect(proximities(pair).warnings).toBeUndefined();
});
