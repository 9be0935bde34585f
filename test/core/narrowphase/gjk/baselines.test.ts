import { describe, expect, test } from 'vitest';
import { Random } from '../../../../src/core/math/random.ts';
import { norm } from '../../../../src/core/math/vec3.ts';
import { baselineGrowthSolvers } from '../../../../src/core/narrowphase/baselines.ts';
import { GjkDistance } from '../../../../src/core/narrowphase/gjk/gjkDistance.ts';
import { InternalExpanding } from '../../../../src/core/narrowphase/growth/internalExpanding.ts';
import { growthSolvers } from '../../../../src/core/narrowphase/index.ts';
import { VertexQp } from '../../../../src/core/narrowphase/qp/vertexQp.ts';
import { COLLIDING, PairCache, SEPARATED, Separation } from '../../../../src/core/narrowphase/solver.ts';
import { createShape } from '../../../../src/core/shapes/index.ts';
import type { ShapeSpec } from '../../../../src/core/shapes/shape.ts';
import {
  between,
  createPair,
  excess,
  polytopes,
  poseOf,
  randomDirections,
  randomPairs,
  randomSpec,
  randomTransform,
  slabAlong,
} from '../helpers.ts';

const out = new Separation();
const reference = new Separation();
const identity = poseOf([0, 0, 0], [1, 0, 0, 0]);

for (const unit of [1e-3, 1, 1e3]) {
  describe.each(Object.entries({ ...growthSolvers, ...baselineGrowthSolvers }))(
    `growth distance by %s at scale ${unit}`,
    (name, { create }) => {
      test('the bounds contain the value that another method proves, and nearly always converge', () => {
        const solver = create({ relativeGap: 1e-9 });
        const other = growthSolvers['growth-distance'].create({ relativeGap: 1e-12 });
        let [count, narrow] = [0, 0];
        for (const pair of randomPairs({ seed: 71, count: 500, scale: unit })) {
          if (pair.a.innerRadius + pair.b.innerRadius <= 1e-6 * pair.size) continue;
          count++;
          other.solve(reference, pair.a, pair.T_b_a, pair.b, new PairCache());
          solver.solve(out, pair.a, pair.T_b_a, pair.b, new PairCache());
          const slack = 1e-8 * reference.growth.upper + (reference.growth.upper - reference.growth.lower);
          expect(out.growth.lower, pair.label).toBeLessThanOrEqual(reference.growth.upper + slack);
          expect(out.growth.upper, pair.label).toBeGreaterThanOrEqual(reference.growth.lower - slack);
          expect(Math.abs(norm(out.normal) - 1), pair.label).toBeLessThan(1e-14);
          if (out.growth.upper - out.growth.lower <= 1e-8 * out.growth.upper) narrow++;
          if (out.status === 'separated') expect(slabAlong(out.normal, pair), pair.label).toBeGreaterThan(0);
          if (out.status === 'colliding') expect(reference.status, pair.label).not.toBe('separated');
        }
        expect(count).toBeGreaterThan(250);
        expect(narrow).toBeGreaterThan((name in growthSolvers ? 0.99 : 0.95) * count);
      });
    },
  );
}

describe('internal expanding', () => {
  test('the witness point of a collision lies in both shapes', () => {
    const solver = new InternalExpanding();
    const directions = randomDirections(new Random(72), 40);
    let count = 0;
    for (const pair of randomPairs({ seed: 73, count: 500 })) {
      solver.solve(out, pair.a, pair.T_b_a, pair.b);
      if (out.status !== 'colliding' || !out.hasWitnesses || pair.a.innerRadius + pair.b.innerRadius < 1e-3) continue;
      count++;
      expect(excess(out.witnessA, pair.a, pair.T_b_a, directions), pair.label).toBeLessThan(1e-7 * pair.size);
      expect(excess(out.witnessB, pair.b, identity, directions), pair.label).toBeLessThan(1e-7 * pair.size);
    }
    expect(count).toBeGreaterThan(100);
  });

  test('decides nearly all pairs with an interior, and none without', () => {
    const solver = new InternalExpanding();
    let [count, decided] = [0, 0];
    for (const pair of randomPairs({ seed: 74, count: 500 })) {
      const verdict = solver.check(pair.a, pair.T_b_a, pair.b, 0, new PairCache());
      const isDecided = verdict === SEPARATED || verdict === COLLIDING;
      if (!(pair.a.innerRadius + pair.b.innerRadius > 0)) expect(isDecided, pair.label).toBe(false);
      else {
        count++;
        if (isDecided) decided++;
      }
    }
    expect(decided).toBeGreaterThan(0.97 * count);
  });

  test('never states an overlap as separated by the support plane of another pair', () => {
    const sphere = (innerRadius: number) =>
      createShape({
        type: 'support',
        innerRadius,
        support: (p: Float64Array, d: Float64Array) => p.set(d.map((x) => 0.5 * x)),
      } as ShapeSpec);
    const at = (x: number) => Float64Array.of(1, 0, 0, x, 0, 1, 0, 0, 0, 0, 1, 0);
    // Products of coordinates of the first simplex underflow: it has no facet that the ray leaves through.
    for (const radius of [1e-20, 1e-82, 1e-120]) {
      const solver = new InternalExpanding();
      for (const x of [-3, 3]) {
        expect(solver.check(sphere(0.5), at(x), sphere(0.5), 0, new PairCache())).toBe(SEPARATED);
        const verdict = solver.check(sphere(radius), at(-x / 30), sphere(radius), 0, new PairCache());
        expect(verdict, `${radius} ${x}`).not.toBe(SEPARATED);
      }
    }
  });
});

describe('the quadratic program over all vertices', () => {
  test('bounds the distance of polytopes to its gap, with witness points at that distance', () => {
    const random = new Random(75);
    const solver = new VertexQp();
    const gjk = new GjkDistance();
    let [count, narrow] = [0, 0];
    for (let i = 0; i < 1000; i++) {
      const spec = () => randomSpec(random, 1, polytopes);
      const pair = createPair(`pair ${i}`, spec(), spec(), randomTransform(random, 2));
      gjk.distance(reference, pair.a, pair.T_b_a, pair.b, Infinity, new PairCache());
      solver.distance(out, pair.a, pair.T_b_a, pair.b, Infinity);
      if (reference.status !== 'separated') {
        expect(out.status, pair.label).not.toBe('separated');
        continue;
      }
      count++;
      if (out.distance.upper - out.distance.lower <= 1e-8 * pair.size) narrow++;
      expect(out.status, pair.label).not.toBe('colliding');
      expect(out.distance.upper, pair.label).toBeGreaterThan(reference.distance.lower - 1e-12 * pair.size);
      expect(Math.abs(between(out.witnessA, out.witnessB) - out.distance.upper), pair.label).toBeLessThan(1e-12);
    }
    expect(count).toBeGreaterThan(300);
    expect(narrow).toBeGreaterThan(0.97 * count);
  });

  test('is undecided for curved cores', () => {
    const cone = createShape({ type: 'cone', radius: 1, length: 1 });
    new VertexQp().distance(out, cone, poseOf([9, 0, 0], [1, 0, 0, 0]), cone, Infinity);
    expect([out.status, out.distance.lower, out.distance.upper]).toEqual(['undecided', 0, Infinity]);
  });

  test('reports a collision of overlapping margins, and no distance of intersecting cores', () => {
    const sphere = createShape({ type: 'sphere', radius: 1 });
    new VertexQp().distance(out, sphere, poseOf([1.5, 0, 0], [1, 0, 0, 0]), sphere, Infinity);
    expect(out.status).toBe('colliding');
    expect(out.depth.lower).toBeCloseTo(0.5, 12);
    const box = createShape({ type: 'box', size: [1, 1, 1] });
    new VertexQp().distance(out, box, poseOf([0.5, 0.2, 0], [1, 0, 0, 0]), box, Infinity);
    expect(out.distance.upper).toBeLessThan(1e-6);
    expect(out.status).not.toBe('separated');
  });
});
