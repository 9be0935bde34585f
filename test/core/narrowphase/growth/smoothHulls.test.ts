import { expect, test } from 'vitest';
import { objectHulls, smoothHull } from '../../../../bench/narrowphase/bodies.ts';
import { Random } from '../../../../src/core/math/random.ts';
import { baselineGrowthSolvers } from '../../../../src/core/narrowphase/baselines.ts';
import { checkers, growthSolvers } from '../../../../src/core/narrowphase/index.ts';
import { COLLIDING, PairCache, SEPARATED, Separation } from '../../../../src/core/narrowphase/solver.ts';
import { createShape } from '../../../../src/core/shapes/index.ts';
import { cases } from '../../../cases.ts';
import { randomTransform } from '../helpers.ts';

/** Support value of a smooth hull from its definition: (Σ max(0, v·n)⁸)^(1/8). */
type Reach = (n: readonly number[]) => number;

const reachOf =
  (vertices: readonly number[][]): Reach =>
  (n) =>
    vertices.reduce((sum, v) => sum + Math.max(0, v[0] * n[0] + v[1] * n[1] + v[2] * n[2]) ** 8, 0) ** (1 / 8);

/** n·(cB − cA) / (hA(n) + hB(−n)): a lower bound of the growth distance, whatever n is. */
function growthAlong(reachA: Reach, T: Float64Array, reachB: Reach, n: readonly number[]): number {
  const local = [0, 1, 2].map((k) => T[k] * n[0] + T[4 + k] * n[1] + T[8 + k] * n[2]);
  return -(n[0] * T[3] + n[1] * T[7] + n[2] * T[11]) / (reachA(local) + reachB(n.map((x) => -x)));
}

/** Maximizes it by a random search of ever smaller steps: the growth distance to about 1e-9, from below. */
function largestGrowth(random: Random, along: (n: readonly number[]) => number): number {
  let best = [0, 0, 0];
  let value = Number.NEGATIVE_INFINITY;
  for (let step = 2; step > 1e-6; step *= 0.97) {
    for (let k = 0; k < 6; k++) {
      const moved = best.map((x) => x + step * random.between(-1, 1));
      const size = Math.hypot(...moved);
      if (!(size > 0)) continue;
      const n = moved.map((x) => x / size);
      const found = along(n);
      if (found > value) [value, best] = [found, n];
    }
  }
  return value;
}

/** Smooth hulls of 40 vertices on round, flat and long ellipsoids, of about 1 unit. */
async function smoothBodies(random: Random, unit: number) {
  const hulls = await objectHulls(random, 40, 6);
  return hulls.map(({ shape }) => {
    const vertices = shape.vertices.map((x) => unit * x);
    const points = Array.from({ length: vertices.length / 3 }, (_, i) =>
      Array.from(vertices.subarray(3 * i, 3 * i + 3)),
    );
    return { reach: reachOf(points), shape: createShape(smoothHull(vertices)) };
  });
}

for (const unit of [1e-3, 1, 1e3]) {
  test(`at scale ${unit}, growth distances of smooth hulls are the maximum over directions, and checks agree`, async () => {
    const random = new Random(91);
    const bodies = await smoothBodies(random, unit);
    const out = new Separation();
    let [separated, colliding] = [0, 0];
    for (let i = 0; i < cases(60); i++) {
      const [a, b] = [bodies[random.below(6)], bodies[random.below(6)]];
      const T = randomTransform(random, 0.8 * unit);
      const along = (n: readonly number[]) => growthAlong(a.reach, T, b.reach, n);
      const expected = largestGrowth(random, along);
      const isContact = Math.abs(expected - 1) < 1e-6;
      if (expected > 1) separated++;
      else colliding++;
      for (const [name, { create }] of Object.entries({ ...growthSolvers, ...baselineGrowthSolvers })) {
        const label = `pair ${i}, ${name}`;
        create().solve(out, a.shape, T, b.shape, new PairCache());
        expect(out.growth.upper, label).toBeGreaterThanOrEqual(expected * (1 - 1e-12));
        expect(out.growth.lower, label).toBeLessThanOrEqual(along(Array.from(out.normal)) * (1 + 1e-12));
        expect(out.growth.upper - expected, label).toBeLessThan(1e-6 * expected);
        if (!isContact) expect(out.status, label).toBe(expected > 1 ? 'separated' : 'colliding');
      }
      for (const [name, { create }] of Object.entries(checkers)) {
        const verdict = create().check(a.shape, T, b.shape, 0, new PairCache());
        if (!isContact) expect(verdict, `pair ${i}, ${name}`).toBe(expected > 1 ? SEPARATED : COLLIDING);
      }
    }
    expect(Math.min(separated, colliding)).toBeGreaterThan(cases(15) - 2);
  });
}
