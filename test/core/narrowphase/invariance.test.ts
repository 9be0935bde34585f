import { describe, expect, test } from 'vitest';
import { Random } from '../../../src/core/math/random.ts';
import { compose, invert, type Transform } from '../../../src/core/math/transform.ts';
import { Epa } from '../../../src/core/narrowphase/depth/epa.ts';
import { checkers, distanceSolvers, growthSolvers } from '../../../src/core/narrowphase/index.ts';
import { type Bounds, COLLIDING, PairCache, SEPARATED, Separation } from '../../../src/core/narrowphase/solver.ts';
import { createShape } from '../../../src/core/shapes/index.ts';
import type { ConvexShape, ShapeSpec } from '../../../src/core/shapes/shape.ts';
import { cases } from '../../cases.ts';
import { keysOf } from '../../helpers/keysOf.ts';
import { scaledSpec } from '../shapes/sampleShapes.ts';
import { type Pair, poseOf, randomPairs, randomTransform, seenFrom } from './helpers.ts';

/** One quantity of one solver. */
interface Subject {
  readonly solve: (pair: Query) => Bounds;
  /** Largest difference of two results of one pair: relative to its size if `isLength`, else to the value. */
  readonly resolution: number;
  /** Whether the quantity is a length, which scales with the shapes. */
  readonly isLength: boolean;
}

type Query = Pick<Pair, 'a' | 'T_b_a' | 'b'>;

const out = new Separation();
const subjects: Record<string, Subject> = Object.fromEntries([
  ...Object.entries(growthSolvers).map(([name, { create }]) => {
    const solver = create({ relativeGap: 1e-12 });
    const solve = ({ a, T_b_a, b }: Query) => {
      solver.solve(out, a, T_b_a, b, new PairCache());
      return out.growth;
    };
    return [`growth by ${name}`, { solve, resolution: 1e-8, isLength: false }];
  }),
  ...Object.entries(distanceSolvers).map(([name, { create }]) => {
    const solver = create();
    const solve = ({ a, T_b_a, b }: Query) => {
      solver.distance(out, a, T_b_a, b, Number.POSITIVE_INFINITY, new PairCache());
      return out.distance;
    };
    return [`distance by ${name}`, { solve, resolution: 1e-10, isLength: true }];
  }),
]);
const epa = new Epa();
subjects['depth by epa'] = {
  solve: ({ a, T_b_a, b }) => {
    epa.depth(out, a, T_b_a, b);
    return out.depth;
  },
  // Curved shapes may reach the limit of iterations: their bounds differ slightly, and may change.
  resolution: 1e-6,
  isLength: true,
};

/**
 * Scales a shape and its centre. The centre is passed, because a computed one may differ by rounding if support points
 * are tied.
 */
const scaled = (spec: ShapeSpec, { center }: ConvexShape, scale: number): ConvexShape =>
  createShape(
    scaledSpec(spec, scale),
    center.map((x) => scale * x),
  );

/**
 * Returns pairs for which the quantity is defined: the growth distance needs an interior, and is a ratio to its size.
 */
function pairsFor(name: string, seed: number): readonly Pair[] {
  const pairs = randomPairs({ seed, count: cases(600) });
  return name.startsWith('growth')
    ? pairs.filter(({ a, b, size }) => a.innerRadius + b.innerRadius > 1e-4 * size)
    : pairs;
}

describe.each(Object.entries(subjects))('%s', (name, { solve, resolution, isLength }) => {
  const expectSame = (found: Bounds, expected: Bounds, pair: Pair, label: string) => {
    const slack = resolution * (isLength ? pair.size : Math.max(1e-3, expected.upper));
    expect(Math.abs(found.upper - expected.upper), `${pair.label}, ${label}`).toBeLessThanOrEqual(slack);
    expect(Math.abs(found.lower - expected.lower), `${pair.label}, ${label}`).toBeLessThanOrEqual(slack);
  };

  test('is invariant under swapping A and B', () => {
    const T_a_b: Transform = new Float64Array(12);
    for (const pair of pairsFor(name, 81)) {
      const expected = { ...solve(pair) };
      invert(T_a_b, pair.T_b_a);
      expectSame(solve({ a: pair.b, T_b_a: T_a_b, b: pair.a }), expected, pair, 'swapped');
    }
  });

  test('is invariant under a common motion, up to rounding of the poses', () => {
    const random = new Random(82);
    const T_world_a: Transform = new Float64Array(12);
    for (const pair of pairsFor(name, 83)) {
      const expected = { ...solve(pair) };
      const T_world_b = randomTransform(random, pair.size);
      compose(T_world_a, T_world_b, pair.T_b_a);
      expectSame(solve({ ...pair, T_b_a: seenFrom(T_world_b, T_world_a) }), expected, pair, 'moved');
    }
  });

  test.each([1e-4, 1e-2, 1e2, 1e4])('scales with shapes and positions by %f', (scale) => {
    for (const pair of pairsFor(name, 84)) {
      const { lower, upper } = solve(pair);
      const T_b_a = pair.T_b_a.slice();
      for (let k = 0; k < 3; k++) T_b_a[4 * k + 3] *= scale;
      const found = solve({ a: scaled(pair.specA, pair.a, scale), T_b_a, b: scaled(pair.specB, pair.b, scale) });
      const factor = isLength ? scale : 1;
      const back = { lower: found.lower / factor, upper: found.upper / factor };
      expectSame(back, { lower, upper }, pair, `scaled by ${scale}`);
    }
  });

  test('is the same to the bit at 1e6 m from the origin if positions are exact', () => {
    const random = new Random(85);
    // Positions on a grid to which 1e6 metres can be added without rounding.
    const place = () => Math.round(random.between(-1, 1) * 2 ** 20) / 2 ** 20;
    for (const pair of pairsFor(name, 86)) {
      const quaternion = () => [0, 1, 2, 3].map(() => random.between(-1, 1));
      const [placeA, placeB, turnA, turnB] = [[0, 0, 0].map(place), [0, 0, 0].map(place), quaternion(), quaternion()];
      const at = (far: number) =>
        seenFrom(
          poseOf(
            placeB.map((x) => x + far),
            turnB,
          ),
          poseOf(
            placeA.map((x) => x + far),
            turnA,
          ),
        );
      const { lower, upper } = solve({ ...pair, T_b_a: at(0) });
      const { lower: farLower, upper: farUpper } = solve({ ...pair, T_b_a: at(1e6) });
      expect([farLower, farUpper], pair.label).toEqual([lower, upper]);
    }
  });
});

describe.each(keysOf(checkers))('the verdict of %s', (name) => {
  test('is invariant under swapping, motion and scaling by 1e-4 to 1e4, except within 1e-9 of contact', () => {
    const random = new Random(87);
    const checker = checkers[name].create();
    const verdict = ({ a, T_b_a, b }: Query) => checker.check(a, T_b_a, b, 0, new PairCache());
    const distances = distanceSolvers['gjk'].create();
    const [T_a_b, T_world_a]: Transform[] = [new Float64Array(12), new Float64Array(12)];
    let count = 0;
    for (const pair of randomPairs({ seed: 88, count: cases(600) })) {
      const expected = verdict(pair);
      distances.distance(out, pair.a, pair.T_b_a, pair.b, Number.POSITIVE_INFINITY, new PairCache());
      if (out.status === 'colliding') epa.depth(out, pair.a, pair.T_b_a, pair.b);
      if (!(Math.max(out.distance.lower, out.depth.lower) > 1e-9 * pair.size)) continue;
      count++;
      expect([SEPARATED, COLLIDING], pair.label).toContain(expected);
      invert(T_a_b, pair.T_b_a);
      expect(verdict({ a: pair.b, T_b_a: T_a_b, b: pair.a }), `${pair.label}, swapped`).toBe(expected);
      const T_world_b = randomTransform(random, pair.size);
      compose(T_world_a, T_world_b, pair.T_b_a);
      expect(verdict({ ...pair, T_b_a: seenFrom(T_world_b, T_world_a) }), `${pair.label}, moved`).toBe(expected);
      const scale = 10 ** random.between(-4, 4);
      const T_b_a = pair.T_b_a.slice();
      for (let k = 0; k < 3; k++) T_b_a[4 * k + 3] *= scale;
      const [a, b] = [scaled(pair.specA, pair.a, scale), scaled(pair.specB, pair.b, scale)];
      expect(verdict({ a, T_b_a, b }), `${pair.label}, scaled by ${scale}`).toBe(expected);
    }
    expect(count).toBeGreaterThan(cases(400));
  });
});
