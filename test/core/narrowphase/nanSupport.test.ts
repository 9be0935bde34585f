import { expect, test } from 'vitest';
import { transformOfPose } from '../../../src/core/kinematics/pose.ts';
import { Random } from '../../../src/core/math/random.ts';
import {
  checkers,
  createDepthSolver,
  createDistanceSolver,
  growthSolvers,
} from '../../../src/core/narrowphase/index.ts';
import { PairCache, SEPARATED, Separation } from '../../../src/core/narrowphase/solver.ts';
import { createShape } from '../../../src/core/shapes/index.ts';
import type { ConvexShape } from '../../../src/core/shapes/shape.ts';
import type { SupportSpec } from '../../../src/core/shapes/supportShape.ts';
import { InputError } from '../../../src/errors.ts';
import { cases } from '../../cases.ts';
import { randomPose, randomShape } from '../../helpers/robots.ts';

/** What a faulty support function writes: NaN, an infinite coordinate, or no third coordinate. */
const faults = [
  (out: Float64Array) => out.fill(Number.NaN),
  (out: Float64Array) => out.fill(Number.POSITIVE_INFINITY, 1, 2),
  (out: Float64Array) => out.fill(Number.NaN, 2, 3),
];

/** The shape, with a support function that fails within a cone of directions once `isArmed`. */
function faultyShape(random: Random, shape: ConvexShape, state: { isArmed: boolean }): ConvexShape {
  const axis = [0, 1, 2].map(() => random.between(-1, 1));
  const cosine = random.between(-1, 0.9);
  const fault = faults[random.below(faults.length)];
  const length = Math.sqrt(axis.reduce((sum, x) => sum + x * x, 0));
  const support: SupportSpec['support'] = (out, d) => {
    shape.support(out, shape, d, 0);
    const along = d.reduce((sum, x, k) => sum + (x * axis[k]) / length, 0);
    if (state.isArmed && along > cosine) fault(out as Float64Array);
  };
  return createShape({ type: 'support', support } as SupportSpec);
}

test('a support function that writes no finite point is refused, and never separates a colliding pair', () => {
  const random = new Random(51);
  const seen = { refused: 0, separated: 0, other: 0 };
  const solvers = {
    ...Object.fromEntries(
      Object.entries(checkers).map(([name, { create }]) => {
        const checker = create();
        const cache = new PairCache();
        return [
          name,
          (a: ConvexShape, T: Float64Array, b: ConvexShape) => checker.check(a, T, b, 0, cache) === SEPARATED,
        ];
      }),
    ),
    ...Object.fromEntries(
      Object.entries(growthSolvers).map(([name, { create }]) => {
        const solver = create();
        return [
          `growth ${name}`,
          (a: ConvexShape, T: Float64Array, b: ConvexShape) => {
            const out = new Separation();
            solver.solve(out, a, T, b, new PairCache());
            return out.status === 'separated' || out.growth.lower > 1;
          },
        ];
      }),
    ),
    distance: (a: ConvexShape, T: Float64Array, b: ConvexShape) => {
      const out = new Separation();
      createDistanceSolver().distance(out, a, T, b, Number.POSITIVE_INFINITY, new PairCache());
      return out.status === 'separated' || out.distance.lower > 0;
    },
    depth: (a: ConvexShape, T: Float64Array, b: ConvexShape) => {
      const out = new Separation();
      createDepthSolver().depth(out, a, T, b);
      return out.status === 'separated' || !(out.depth.upper > 0);
    },
  };
  const truth = checkers.gjk.create();
  for (let k = 0; k < cases(1500); k++) {
    const state = { isArmed: false };
    const { margin: _, ...spec } = randomShape(random, 1);
    const exact = createShape(spec);
    if (exact.margin > 0) continue; // capsules and spheres: their support function is that of their core
    const faulty = faultyShape(random, exact, state);
    const other =
      random.below(5) === 0
        ? createShape({ type: 'halfspace', normal: [0, 0, 1] })
        : createShape(randomShape(random, 1));
    const T = transformOfPose(randomPose(random, 0.7));
    const swap = other.type !== 'halfspace' && random.below(2) === 0;
    const [a, b] = swap ? [other, faulty] : [faulty, other];
    const isSeparated = truth.check(swap ? other : exact, T, swap ? exact : other, 0, new PairCache()) === SEPARATED;
    state.isArmed = true;
    for (const [name, solve] of Object.entries(solvers)) {
      try {
        const found = solve(a, T, b);
        if (found) seen.separated++;
        else seen.other++;
        if (found && !isSeparated) expect.fail(`${name}, pair ${k}: separated`);
      } catch (error) {
        if (!(error instanceof InputError)) throw error;
        expect(error.message).toMatch(/^support along \[.*\] is \[.*(NaN|Infinity).*\]$/);
        seen.refused++;
      }
    }
  }
  for (const count of Object.values(seen)) expect(count).toBeGreaterThan(cases(500));
});
