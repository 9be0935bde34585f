import { expect, test } from 'vitest';
import { readPair } from '../../../src/formats/streams/pairs.ts';
import type { ShapePair } from '../../../src/formats/streams/shapePair.ts';
import { createPairQuery, type PairResult } from '../../../src/tasks/queries/queryPairs.ts';
import { type Quantity, quantities } from '../../../src/tasks/queries/querySolver.ts';
import { type QuerySolverName, querySolvers } from '../../../src/tasks/queries/querySolvers.ts';
import { keysOf } from '../../helpers/keysOf.ts';

const turn = Math.PI / 6;
const cube = { type: 'box', size: [1, 1, 1] };
/** A square of 1 m width and no thickness, padded by 1 mm; only its core is as wide as the cube. */
const plate = {
  type: 'convex',
  points: [-0.499, 0.499].flatMap((x) => [-0.5, 0.5].map((y) => [x, y, 0])),
  margin: 0.001,
};
/** Unit squares and cubes, 0.5 m apart along their common x axis, which is 30 degrees from the world's. */
const apart = {
  2: planar([0.75, -0.75], [0.75 + 1.5 * Math.cos(turn), -0.75 + 1.5 * Math.sin(turn)]),
  3: spatial([0.75, -0.75, 7], [0.75 + 1.5 * Math.cos(turn), -0.75 + 1.5 * Math.sin(turn), 7]),
  pills: spatial([0.75, -0.75, 7], [0.75 + 1.5 * Math.cos(turn), -0.75 + 1.5 * Math.sin(turn), 7], plate),
};
/** The same, 0.25 m deep in each other. */
const overlapping = {
  2: planar([0, 0], [0.75 * Math.cos(turn), 0.75 * Math.sin(turn)]),
  3: spatial([0, 0, 0], [0.75 * Math.cos(turn), 0.75 * Math.sin(turn), 0]),
  pills: spatial([0, 0, 0], [0.75 * Math.cos(turn), 0.75 * Math.sin(turn), 0], plate),
};

function planar(a: number[], b: number[]): ShapePair {
  const shape = {
    type: 'polygon',
    points: [
      [-0.5, -0.5],
      [0.5, -0.5],
      [0.5, 0.5],
      [-0.5, 0.5],
    ],
  };
  return readPair({ a: { shape, pose: { xy: a, angle: turn } }, b: { shape, pose: { xy: b, angle: turn } } });
}

function spatial(a: number[], b: number[], shape: object = cube): ShapePair {
  const rpy = [0, 0, turn];
  return readPair({ a: { shape, pose: { xyz: a, rpy } }, b: { shape, pose: { xyz: b, rpy } } });
}

const ask = (
  pair: ShapePair,
  options: { solver?: QuerySolverName; what?: Quantity; warm?: boolean; gap?: number } = {},
): PairResult =>
  createPairQuery({
    solver: options.solver,
    what: options.what,
    gap: options.gap ?? 1e-12,
    warm: options.warm ?? false,
  })(pair);

function expectVector(found: readonly number[] | undefined, dimension: 2 | 3): void {
  expect(found).toHaveLength(dimension);
  const axis = [Math.cos(turn), Math.sin(turn), 0];
  found?.forEach((x, k) => {
    expect(x).toBeCloseTo(axis[k], 9);
  });
}

for (const name of keysOf(querySolvers)) {
  const { dimension, computes: knows, isBaseline = false } = querySolvers[name];
  const kind = name === 'pill-qp' ? 'pills' : dimension;
  for (const what of knows) {
    test(`${name} computes ${what} in the world frame`, () => {
      const separated = ask(apart[kind], { solver: name, what });
      const colliding = ask(overlapping[kind], { solver: name, what });
      expect(separated.status).toBe('separated');
      expect(colliding.status).toBe('colliding');
      const isAnyPlane = isBaseline && what === 'collide'; // it separates, and need not be the best one
      if (what === 'proximity') expect(separated.proximity! > 0 && colliding.proximity! < 0).toBe(true);
      if (what === 'contacts') expect(separated.contacts!.length * colliding.contacts!.length).toBeGreaterThan(0);
      if (what !== 'depth' && what !== 'gradient' && !isAnyPlane) expectVector(separated.normal, dimension);
      if (what === 'distance') {
        expect(separated.distance?.lower).toBeCloseTo(0.5, 9);
        expect(separated.distance?.upper).toBeCloseTo(0.5, 9);
        expect(colliding.distance).toEqual({ lower: 0, upper: 0 });
        const { witnessA = [], witnessB = [] } = separated;
        expectVector(
          witnessB.map((x, k) => 2 * (x - witnessA[k])),
          dimension,
        );
      }
      if (what === 'growth') {
        expect(separated.growth?.upper).toBeCloseTo(1.5, 9);
        expect(colliding.growth?.lower).toBeCloseTo(0.75, 9);
      }
      if (what === 'gradient') {
        // σ = n·(cB − cA) / (hA + hB), and the two half widths add up to 1 m.
        const { a = [], b = [] } = separated.gradient ?? {};
        expect([a.length, b.length]).toEqual(dimension === 3 ? [6, 6] : [3, 3]);
        // The proximity of pills changes at twice the distance of their cores.
        const scale = kind === 'pills' ? Math.hypot(...b.slice(0, 3)) : 1;
        const unit = (d: readonly number[], sign: 1 | -1) => d.slice(0, dimension).map((x) => (sign * x) / scale);
        expectVector(unit(b, 1), dimension);
        expectVector(unit(a, -1), dimension);
      }
      if (what === 'depth') {
        expect(colliding.depth).toBeCloseTo(0.25, 9);
        expectVector(colliding.normal, dimension);
      }
    });

    test(`${name} returns no other quantity if ${what} is requested`, () => {
      const answer = ask(apart[kind], { solver: name, what });
      const allowed = ['status', 'normal', 'witnessA', 'witnessB', 'iterations', what];
      // The pills are parallel.
      if (kind === 'pills' && what === 'gradient') allowed.push('warnings');
      expect(Object.keys(answer).filter((key) => !allowed.includes(key))).toEqual([]);
    });
  }

  test(`${name} returns the same results with warm starts`, () => {
    const query = createPairQuery({ solver: name, what: undefined, gap: 1e-12, warm: true });
    for (const pair of [apart, overlapping, apart, apart, overlapping]) {
      const tracked = { ...pair[kind], track: '"t"' };
      const { iterations: _, ...warm } = query(tracked);
      const { iterations: __, ...cold } = ask(pair[kind], { solver: name });
      expect(warm.status).toBe(cold.status);
      for (const quantity of ['distance', 'growth'] as const) {
        expect(warm[quantity]?.upper ?? 0).toBeCloseTo(cold[quantity]?.upper ?? 0, 9);
      }
    }
  });
}

test('by default the first solver that computes the quantity is used, for 2D and 3D pairs in one list', () => {
  for (const what of quantities) {
    const query = createPairQuery({ solver: undefined, what, gap: 1e-9, warm: false });
    for (const dimension of [2, 3] as const) {
      const pair = overlapping[what === 'proximity' && dimension === 3 ? 'pills' : dimension];
      if (dimension === 2 && (what === 'proximity' || what === 'contacts')) {
        expect(() => query(pair)).toThrow();
        continue;
      }
      expect(query(pair).status).toBe('colliding');
      if (what !== 'collide') expect(query(pair)).toHaveProperty(what);
    }
  }
});

test('an unknown solver, or one that does not compute the quantity, is rejected before the first pair', () => {
  expect(() => ask(apart[2], { solver: 'gjk-2d', what: 'growth' })).toThrow('gjk-2d does not compute growth');
  expect(() => ask(apart[2], { solver: 'gjk3d' as never })).toThrow('unknown solver "gjk3d"');
});

test('a pair of the other kind is refused by a solver that was named', () => {
  expect(() => ask(apart[3], { solver: 'gjk-2d' })).toThrow('gjk-2d is for 2D pairs, this one is 3D');
  expect(() => ask(apart[2], { solver: 'gjk' })).toThrow('gjk is for 3D pairs, this one is 2D');
});

test('a gradient with a half-space is returned; if there is none, a warning states why', () => {
  const ground = { shape: { type: 'halfspace', normal: [0, 0, 1] } };
  const sphere = { shape: { type: 'sphere', radius: 0.5 }, pose: { xyz: [0, 0, 2] } };
  const { gradient, growth, warnings } = ask(readPair({ a: sphere, b: ground }), { what: 'gradient' });
  expect(JSON.parse(JSON.stringify(gradient))).toMatchObject({
    a: [0, 0, 2, 0, 0, 0],
    b: [0, 0, -2, 0, 0, 0],
    differentiable: true,
  });
  expect([growth, warnings]).toEqual([undefined, undefined]);
  const none = ask(readPair({ a: ground, b: ground }), { what: 'gradient' });
  expect(none).not.toHaveProperty('gradient');
  expect(none.warnings?.[0]).toMatch('no gradient: the growth distance is not defined');
  const point = { shape: { type: 'convex', points: [[0, 0, 0]] } };
  expect(ask(readPair({ a: point, b: point }), { what: 'growth' }).warnings?.[0]).toMatch('no growth: the growth');
});

test('a baseline that needs an interior point does not report a collision if a center is outside its shape', () => {
  const hull = {
    shape: {
      type: 'convex',
      points: [
        [9, 9, 9],
        [9, 9, 9],
      ],
    },
  };
  const sphere = { shape: { type: 'sphere', radius: 1 }, pose: { xyz: [0.1, 0, 0] } };
  for (const solver of ['portal-refinement', 'internal-expanding'] as const) {
    expect(ask(readPair({ a: sphere, b: hull }), { solver, what: 'collide' }).status).toBe('undecided');
  }
});

test('gjk-plain iterates where gjk has a closed form or takes Newton steps, with the same distances', () => {
  const at = [2, 1, 0.5];
  const shapes = [
    { type: 'sphere', radius: 0.5 },
    { type: 'ellipsoid', radii: [0.2, 0.5, 0.9] },
  ];
  for (const shape of shapes) {
    const pair = readPair({ a: { shape }, b: { shape, pose: { xyz: at, rpy: [0.3, 0.7, 1.1] } } });
    const plain = ask(pair, { solver: 'gjk-plain', what: 'distance' });
    const fast = ask(pair, { solver: 'gjk', what: 'distance' });
    expect(plain.distance?.upper, shape.type).toBeCloseTo(fast.distance?.lower ?? 0, 10);
    expect(plain.iterations, shape.type).toBeGreaterThan(fast.iterations ?? 0);
  }
});

test('solvers of special shapes refuse others by name', () => {
  expect(() => ask(apart[3], { solver: 'pill-qp', what: 'distance' })).toThrow('a is a box, which pill-qp');
  const cone = readPair({ a: { shape: cube }, b: { shape: { type: 'cone', radius: 1, length: 1 } } });
  expect(() => ask(cone, { solver: 'vertex-qp', what: 'distance' })).toThrow('b is a cone, which vertex-qp');
  expect(() => ask(ellipses(3), { solver: 'sat-2d' })).toThrow('an ellipse has none');
});

const ellipses = (x: number) =>
  readPair({
    a: { shape: { type: 'ellipse', radii: [1, 0.25] } },
    b: { shape: { type: 'ellipse', radii: [0.25, 2] }, pose: { xy: [x, 0] } },
  });

test('ellipses in the plane have closed forms along their axes', () => {
  const separated = ask(ellipses(3), { solver: 'gjk-2d' });
  expect(separated.distance!.upper).toBeCloseTo(1.75, 10);
  expect([...separated.witnessA!, ...separated.witnessB!].map((x) => Math.round(1e4 * x) / 1e4)).toEqual([
    1, 0, 2.75, 0,
  ]);
  expect(ask(ellipses(0.5), { solver: 'gjk-2d' }).depth).toBeCloseTo(0.75, 10);
  expect(ask(ellipses(3), { what: 'growth' }).growth!.lower).toBeCloseTo(3 / 1.25, 10);
  const { gradient } = ask(ellipses(3), { what: 'gradient' });
  expect(gradient).toMatchObject({ differentiable: true });
  expect(gradient!.b[0]).toBeCloseTo(1 / 1.25, 7);
  expect(ask(ellipses(1.25 + 1e-9), { what: 'collide' }).status).toBe('separated');
  expect(ask(ellipses(1.25 - 1e-9), { what: 'collide' }).status).toBe('colliding');
});

test('two bodies without interior have no growth distance; the result omits it and keeps the status', () => {
  const shape = {
    type: 'polygon',
    points: [
      [-1, 0],
      [1, 0],
    ],
  };
  const pair = readPair({ a: { shape }, b: { shape, pose: { xy: [3, 0] } } });
  const answer = ask(pair, { solver: 'growth-distance-2d' });
  expect(answer.status).toBe('separated');
  expect(answer).not.toHaveProperty('growth');
  expect(answer).not.toHaveProperty('normal');
});

test('a depth that did not converge is reported with its bounds, another one without a warning', () => {
  const capsule = { shape: { type: 'capsule', radius: 0.25, length: 3 }, pose: { xyz: [0, 0, 0.2] } };
  const pair = readPair({ a: capsule, b: { shape: { type: 'cone', radius: 0.25, length: 3 } } });
  const { depth, warnings } = ask(pair, { solver: 'epa' });
  expect(warnings).toEqual([expect.stringMatching(/^depth did not converge: it is between 0\.48\d+ and 0\.48\d+$/)]);
  expect(warnings![0]).toMatch(`and ${depth}`);
  expect(ask(pair, { solver: 'epa', gap: 0.01 }).warnings).toBeUndefined();
  for (const solver of ['epa', 'gjk-2d'] as const) {
    expect(ask(overlapping[solver === 'epa' ? 3 : 2], { solver }).warnings).toBeUndefined();
  }
});
