import { describe, expect, test } from 'vitest';
import { Random } from '../../src/math/random.ts';
import { compose, invert, type Transform } from '../../src/math/transform.ts';
import { Epa } from '../../src/narrowphase/depth/epa.ts';
import { checkers, distanceSolvers, growthSolvers } from '../../src/narrowphase/index.ts';
import { type Bounds, COLLIDING, PairCache, SEPARATED, Separation } from '../../src/narrowphase/solver.ts';
import { createShape } from '../../src/shapes/index.ts';
import type { ConvexShape, ShapeSpec } from '../../src/shapes/shape.ts';
import { scaledSpec } from '../shapes/sampleShapes.ts';
import { type Pair, poseOf, randomPairs, randomTransform, seenFrom } from './helpers.ts';

/** One quantity of one solver. `resolution`: how far two answers about one pair may differ, relative to what `scaleOf` says. */
interface Subject {
  readonly ask: (pair: Asked) => Bounds;
  readonly resolution: number;
  /** Whether the quantity grows with the bodies. */
  readonly isLength: boolean;
}

type Asked = Pick<Pair, 'a' | 'T_b_a' | 'b'>;

const out = new Separation();
const subjects: Record<string, Subject> = Object.fromEntries([
  ...Object.entries(growthSolvers).map(([name, { create }]) => {
    const solver = create({ relativeGap: 1e-12 });
    const ask = ({ a, T_b_a, b }: Asked) => {
      solver.solve(out, a, T_b_a, b, new PairCache());
      return out.growth;
    };
    return [`growth by ${name}`, { ask, resolution: 1e-8, isLength: false }];
  }),
  ...Object.entries(distanceSolvers).map(([name, { create }]) => {
    const solver = create();
    const ask = ({ a, T_b_a, b }: Asked) => {
      solver.distance(out, a, T_b_a, b, Number.POSITIVE_INFINITY, new PairCache());
      return out.distance;
    };
    return [`distance by ${name}`, { ask, resolution: 1e-10, isLength: true }];
  }),
]);
const epa = new Epa();
subjects['depth by epa'] = {
  ask: ({ a, T_b_a, b }) => {
    epa.depth(out, a, T_b_a, b);
    return out.depth;
  },
  // Round bodies may meet the cap: their bounds are a little apart, and need not be the same ones.
  resolution: 1e-6,
  isLength: true,
};

/** The same body, larger, about the same centre: where several points are equally far, rounding may choose others for a mean. */
const scaled = (spec: ShapeSpec, { center }: ConvexShape, scale: number): ConvexShape =>
  createShape(
    scaledSpec(spec, scale),
    center.map((x) => scale * x),
  );

/** Pairs that have what is asked for: growth needs an interior, and is a ratio to its size. */
function pairsFor(name: string, seed: number): readonly Pair[] {
  const pairs = randomPairs({ seed, count: 600 });
  return name.startsWith('growth')
    ? pairs.filter(({ a, b, size }) => a.innerRadius + b.innerRadius > 1e-4 * size)
    : pairs;
}

describe.each(Object.entries(subjects))('%s', (name, { ask, resolution, isLength }) => {
  const expectSame = (found: Bounds, known: Bounds, pair: Pair, label: string) => {
    const slack = resolution * (isLength ? pair.size : Math.max(1e-3, known.upper));
    expect(Math.abs(found.upper - known.upper), `${pair.label}, ${label}`).toBeLessThanOrEqual(slack);
    expect(Math.abs(found.lower - known.lower), `${pair.label}, ${label}`).toBeLessThanOrEqual(slack);
  };

  test('the order of the two is no matter', () => {
    const T_a_b: Transform = new Float64Array(12);
    for (const pair of pairsFor(name, 81)) {
      const known = { ...ask(pair) };
      invert(T_a_b, pair.T_b_a);
      expectSame(ask({ a: pair.b, T_b_a: T_a_b, b: pair.a }), known, pair, 'swapped');
    }
  });

  test('nor is a motion of both, as long as rounding of their poses leaves the pair alone', () => {
    const random = new Random(82);
    const T_world_a: Transform = new Float64Array(12);
    for (const pair of pairsFor(name, 83)) {
      const known = { ...ask(pair) };
      const T_world_b = randomTransform(random, pair.size);
      compose(T_world_a, T_world_b, pair.T_b_a);
      expectSame(ask({ ...pair, T_b_a: seenFrom(T_world_b, T_world_a) }), known, pair, 'moved');
    }
  });

  test.each([1e-4, 1e-2, 1e2, 1e4])('bodies and places scaled by %f give the answer scaled', (scale) => {
    for (const pair of pairsFor(name, 84)) {
      const { lower, upper } = ask(pair);
      const T_b_a = pair.T_b_a.slice();
      for (let k = 0; k < 3; k++) T_b_a[4 * k + 3] *= scale;
      const found = ask({ a: scaled(pair.specA, pair.a, scale), T_b_a, b: scaled(pair.specB, pair.b, scale) });
      const factor = isLength ? scale : 1;
      const back = { lower: found.lower / factor, upper: found.upper / factor };
      expectSame(back, { lower, upper }, pair, `scaled by ${scale}`);
    }
  });

  test('far from the origin, at 1e6, the answer is the same to the bit where places are', () => {
    const random = new Random(85);
    // Places on a grid that 1e6 metres can be added to without rounding.
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
      const { lower, upper } = ask({ ...pair, T_b_a: at(0) });
      const { lower: farLower, upper: farUpper } = ask({ ...pair, T_b_a: at(1e6) });
      expect([farLower, farUpper], pair.label).toEqual([lower, upper]);
    }
  });
});

describe.each(Object.keys(checkers))('the verdict of %s', (name) => {
  test('is the same swapped, moved, and scaled from 1e-4 to 1e4, but within 1e-9 of contact', () => {
    const random = new Random(87);
    const checker = checkers[name].create();
    const verdict = ({ a, T_b_a, b }: Asked) => checker.check(a, T_b_a, b, 0, new PairCache());
    const distances = distanceSolvers['gjk'].create();
    const [T_a_b, T_world_a]: Transform[] = [new Float64Array(12), new Float64Array(12)];
    let count = 0;
    for (const pair of randomPairs({ seed: 88, count: 600 })) {
      const known = verdict(pair);
      distances.distance(out, pair.a, pair.T_b_a, pair.b, Number.POSITIVE_INFINITY, new PairCache());
      if (out.status === 'colliding') epa.depth(out, pair.a, pair.T_b_a, pair.b);
      if (!(Math.max(out.distance.lower, out.depth.lower) > 1e-9 * pair.size)) continue;
      count++;
      expect([SEPARATED, COLLIDING], pair.label).toContain(known);
      invert(T_a_b, pair.T_b_a);
      expect(verdict({ a: pair.b, T_b_a: T_a_b, b: pair.a }), `${pair.label}, swapped`).toBe(known);
      const T_world_b = randomTransform(random, pair.size);
      compose(T_world_a, T_world_b, pair.T_b_a);
      expect(verdict({ ...pair, T_b_a: seenFrom(T_world_b, T_world_a) }), `${pair.label}, moved`).toBe(known);
      const scale = 10 ** random.between(-4, 4);
      const T_b_a = pair.T_b_a.slice();
      for (let k = 0; k < 3; k++) T_b_a[4 * k + 3] *= scale;
      const [a, b] = [scaled(pair.specA, pair.a, scale), scaled(pair.specB, pair.b, scale)];
      expect(verdict({ a, T_b_a, b }), `${pair.label}, scaled by ${scale}`).toBe(known);
    }
    expect(count).toBeGreaterThan(400);
  });
});
