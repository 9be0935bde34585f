import { describe, expect, test } from 'vitest';
import { Random } from '../../../src/core/math/random.ts';
import { readPair, ShapeCache } from '../../../src/formats/streams/pairs.ts';
import type { ShapePair } from '../../../src/formats/streams/shapePair.ts';
import type { TracedStep } from '../../../src/tasks/queries/queryOptions.ts';
import { createPairQuery, type PairResult, type QuantityBounds } from '../../../src/tasks/queries/queryPairs.ts';
import type { Quantity } from '../../../src/tasks/queries/querySolver.ts';
import { type QuerySolverName, querySolvers } from '../../../src/tasks/queries/querySolvers.ts';
import { keysOf } from '../../helpers/keysOf.ts';

const traced = keysOf(querySolvers).filter((name) => querySolvers[name].isTraced);
const cache = new ShapeCache();

/** Random pairs as `query` reads them: hulls and curved shapes; polygons and discs in the plane. */
function randomPair(random: Random, dimension: 2 | 3) {
  const body = () => {
    const size = () => random.between(0.2, 1);
    const point = () => Array.from({ length: dimension }, () => random.between(-1, 1));
    const center = () => Array.from({ length: dimension }, () => random.between(-1.5, 1.5));
    const kind = random.below(3);
    if (dimension === 2) {
      const count = 3 + random.below(6);
      const [width, height] = [size(), size()];
      const angles = Array.from({ length: count }, (_, k) => (2 * Math.PI * (k + random.between(0.1, 0.9))) / count);
      const corners = angles.map((t) => [width * Math.cos(t), height * Math.sin(t)]);
      const shape = kind > 0 ? { type: 'polygon', points: corners } : { type: 'disc', radius: size() };
      return { shape, pose: { xy: center(), angle: random.between(0, 6) } };
    }
    const points = Array.from({ length: 4 + random.below(8) }, point);
    const shapes = [
      { type: 'box', size: [size(), size(), size()] },
      { type: 'ellipsoid', radii: [size(), size(), size()] },
    ];
    const shape = shapes[kind] ?? { type: 'convex', points };
    return { shape, pose: { xyz: center(), quat_wxyz: [size(), size(), size(), size()] } };
  };
  const normalized = (given: ReturnType<typeof body>) => {
    const q = (given.pose as { quat_wxyz?: number[] }).quat_wxyz;
    if (q) given.pose = { ...given.pose, quat_wxyz: q.map((x) => x / Math.hypot(...q)) } as typeof given.pose;
    return given;
  };
  return readPair({ a: normalized(body()), b: normalized(body()) } as never, cache);
}

describe.each(traced)('the trace of %s', (name: QuerySolverName) => {
  const { dimension, computes } = querySolvers[name];
  const what = (['growth', 'distance', 'depth', 'collide'] as const).find((quantity) => computes.includes(quantity))!;

  test('has one step per iteration, bounds that contain the result, and leaves the result as it is', () => {
    const random = new Random(57);
    const steps: TracedStep[] = [];
    const gap = name.startsWith('frank-wolfe') ? 0.1 : undefined; // it takes thousands of steps for more digits
    let count = 0;
    const options = { solver: name, what, gap, warm: false } as const;
    const plain = createPairQuery(options);
    const query = createPairQuery({ ...options, observe: (step) => void steps.push(step) });
    for (let i = 0; i < (name.startsWith('frank-wolfe') ? 5 : 100); i++) {
      const pair = randomPair(random, dimension);
      steps.length = 0;
      const result = query(pair);
      expect(result, `pair ${i}`).toEqual(plain(pair));
      if (steps.length === 0) continue;
      const bounds = boundsOf(pair, result, what);
      for (const { lower, upper, direction, point, simplex } of steps) {
        const label = `${name}, pair ${i}, ${JSON.stringify(pair)}`;
        const slack = 1e-7 * (1 + (bounds?.upper ?? 0));
        if (bounds?.upper !== undefined) {
          expect(lower ?? 0, label).toBeLessThanOrEqual(bounds.upper + slack);
          if (what === 'growth' || what === 'depth' || result.status === 'separated') {
            expect(upper ?? Number.POSITIVE_INFINITY, label).toBeGreaterThanOrEqual(bounds.lower - slack);
          }
        }
        expect(Math.abs(Math.hypot(...direction) - 1)).toBeLessThan(1e-12);
        // The support point is the farthest of all known points along the direction.
        const along = (p: readonly number[]) => p.reduce((sum, x, k) => sum + x * direction[k], 0);
        for (const known of simplex) expect(along(known), label).toBeLessThanOrEqual(along(point) + 1e-9);
      }
      expect(steps.map(({ iteration }) => iteration)).toEqual(steps.map((_, k) => k + 1));
      count += steps.length;
    }
    expect(count).toBeGreaterThan(10);
  });
});

/** Bounds of the traced quantity; of a Boolean check, the distance of another solver. */
function boundsOf(pair: ShapePair, result: PairResult, what: Quantity): QuantityBounds | undefined {
  if (what === 'depth') return { lower: result.depth ?? 0, upper: result.depth ?? 0 };
  if (what !== 'collide') return result[what as 'growth' | 'distance'];
  return createPairQuery({ solver: 'gjk', what: 'distance', gap: undefined, warm: false })(pair).distance;
}

test('the trace of epa encloses the depth ever closer, and its points are those of the expanded polytope', () => {
  const steps: TracedStep[] = [];
  const options = { solver: 'epa', what: 'depth', gap: undefined, warm: false } as const;
  const query = createPairQuery({ ...options, observe: (step) => void steps.push(step) });
  const box = { shape: { type: 'box', size: [1, 1, 1] } };
  const other = { ...box, pose: { xyz: [0.7, 0.1, 0.2], quat_wxyz: [0.8, 0, 0.6, 0] } };
  const { depth } = query(readPair({ a: box, b: other } as never, cache));
  for (const [k, { lower, upper, simplex, point }] of steps.entries()) {
    const next = steps[k + 1] ?? { lower: depth, upper: depth, simplex: [...simplex, point] };
    expect(lower).toBeLessThanOrEqual(next.lower! + 1e-12);
    expect(upper).toBeGreaterThanOrEqual(next.upper! - 1e-12);
    expect(next.simplex.slice(0, simplex.length)).toEqual(simplex);
    if (next.simplex.length > simplex.length) expect(next.simplex.at(-1)).toEqual(point);
  }
  expect(steps.length).toBeGreaterThan(2);
  // Separated cores have no polytope.
  steps.length = 0;
  query(readPair({ a: box, b: { ...box, pose: { xyz: [3, 0, 0] } } } as never, cache));
  expect(steps).toEqual([]);
});

test('a solver whose iterations are not those of a paper has no trace', () => {
  const observe = () => undefined;
  const options = { what: undefined, gap: undefined, warm: false, observe } as const;
  expect(() => createPairQuery({ ...options, solver: 'gjk' })).toThrow('gjk has no trace');
  expect(() => createPairQuery({ ...options, solver: undefined })).toThrow('a trace needs a solver');
  expect(() => createPairQuery({ ...options, solver: 'gjk-plain', what: 'collide' })).toThrow('no trace of collide');
  expect(() => createPairQuery({ ...options, solver: 'epa', what: 'collide' })).toThrow('no trace of collide');
});
