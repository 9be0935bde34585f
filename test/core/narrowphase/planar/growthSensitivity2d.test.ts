import { expect, test } from 'vitest';
import {
  createPlanarTransform,
  type PlanarTransform,
  relativePlanar,
  rotatePlanar,
  transformPlanarPoint,
} from '../../../../src/core/math/planar.ts';
import { Random } from '../../../../src/core/math/random.ts';
import { GrowthGradient } from '../../../../src/core/narrowphase/growth/gradientOfGrowth.ts';
import { GrowthDistance2d } from '../../../../src/core/narrowphase/planar/growthDistance2d.ts';
import { GrowthGradient2d } from '../../../../src/core/narrowphase/planar/growthGradient2d.ts';
import { PlanarCache } from '../../../../src/core/narrowphase/planar/planarSolver.ts';
import { Separation } from '../../../../src/core/narrowphase/solver.ts';
import { createPlanarShape } from '../../../../src/core/shapes/planar/index.ts';
import type { PlanarShape } from '../../../../src/core/shapes/planar/planarShape.ts';
import { randomPair } from './pairs.ts';

const solver = new GrowthGradient2d();
const corners = [
  [-1, -1],
  [1, -1],
  [1, 1],
  [-1, 1],
];
const square = createPlanarShape({ type: 'polygon', points: corners });
const rounded = createPlanarShape({ type: 'polygon', points: corners, margin: 0.1 });
const triangle = createPlanarShape({
  type: 'polygon',
  points: [
    [-1, -0.5],
    [1, -0.5],
    [0, 1],
  ],
});
const disc = createPlanarShape({ type: 'disc', radius: 0.5 });
const at = (x: number, y: number, angle = 0) => createPlanarTransform(x, y, angle);

test('one-sided derivatives at kinks equal one-sided differences', () => {
  const random = new Random(96);
  const wrong: string[] = [];
  const kinks: readonly [string, PlanarShape, PlanarTransform, PlanarShape][] = [
    ['parallel edges', square, at(3, 0.2), square],
    ['equal edges', square, at(3, 0), square],
    ['parallel edges of rounded squares', rounded, at(3, 0.2), rounded],
    ['parallel edges of a square and a rounded square', square, at(0.5, 0.1), rounded],
    ['vertices in contact', square, at(3, 3), square],
    ['vertices of a square and a triangle', square, at(0, 3, Math.PI / 4), triangle],
    ['equal centres', square, at(0, 0), triangle],
    ['equal centres of a disc', square, at(0, 0), disc],
  ];
  for (const [label, a, T_b_a, b] of kinks) {
    const { sensitivity, separation, gradient } = sensitivityOf(a, T_b_a, b);
    if (gradient.differentiable) wrong.push(`${label}: no kink`);
    for (let i = 0; i < 24; i++) {
      const motion = motionOf(random, i);
      const computed = sensitivity.derivative(motion.slice(0, 3), motion.slice(3));
      const [far, near] = [1e-6, 5e-7].map((step) => {
        const { growth } = solutionAt(a, T_b_a, b, motion, step).out;
        return (growth.lower - separation.growth.lower) / step;
      });
      if (!(Math.abs(computed! - (2 * near - far)) <= 1e-5)) wrong.push(`${label}, ${i}: ${computed}, not ${near}`);
    }
  }
  expect(wrong).toEqual([]);
});

const names = ['normal', 'witnessA', 'witnessB'] as const;

test('Jacobians and derivatives equal differences at random poses', () => {
  const random = new Random(97);
  const wrong: string[] = [];
  let [known, compared] = [0, 0];
  for (let i = 0; i < 450; i++) {
    const { label, a, b, T_b_a } = randomPair(random, 1, `pair ${i}`, i >= 300);
    const { sensitivity, separation, gradient } = sensitivityOf(a, T_b_a, b);
    if (sensitivity === undefined) continue;
    const jacobian = sensitivity.jacobian();
    if ((jacobian === 'kink') !== !gradient.differentiable) wrong.push(`${label}: ${String(jacobian)}`);
    if (typeof jacobian === 'string') continue;
    known++;
    const motion = motionOf(random, 12);
    const differences = [1e-3, 5e-4].map((step) => {
      const [plus, minus] = [step, -step].map((by) => solutionAt(a, T_b_a, b, motion, by));
      return { plus, minus, step };
    });
    const isCrossed = differences.some(({ plus, minus }) =>
      [plus, minus].some(({ out }) => out.growth.upper > 1 !== separation.growth.upper > 1),
    );
    if (isCrossed) continue; // the witness points have a kink there
    for (const name of names) {
      const computed = [0, 1].map((row) => motion.reduce((sum, x, k) => sum + jacobian[name][6 * row + k] * x, 0));
      const [far, near] = differences.map(({ plus, minus, step }) =>
        [0, 1].map((k) => (plus[name][k] - minus[name][k]) / (2 * step)),
      );
      const scale = Math.max(1, ...computed.map(Math.abs));
      if (!(Math.max(...near.map((x, k) => Math.abs(x - far[k]))) <= 1e-4 * scale)) continue;
      compared++;
      const error = Math.max(...near.map((x, k) => Math.abs(x - computed[k])));
      if (!(error <= 1e-3 * scale)) wrong.push(`${label}, ${name}: off by ${error} of ${scale}`);
    }
  }
  expect(wrong).toEqual([]);
  expect([known > 380, compared > 900]).toEqual([true, true]);
});

function sensitivityOf(a: PlanarShape, T_b_a: PlanarTransform, b: PlanarShape) {
  const [gradient, separation] = [new GrowthGradient(), new Separation()];
  const sensitivity = solver.sensitivity(gradient, separation, a, T_b_a, b)!;
  return { gradient, separation, sensitivity };
}

/** Returns velocities of A and of B; the first twelve are unit vectors. */
function motionOf(random: Random, i: number): number[] {
  if (i >= 12) return Array.from({ length: 6 }, () => random.between(-1, 1));
  return Array.from({ length: 6 }, (_, k) => (k === i >> 1 ? 1 - 2 * (i % 2) : 0));
}

/** Returns the pose of a shape in the frame in which B was, after a motion of its centre and about it. */
function moved(T: PlanarTransform, center: Float64Array, [vx, vy, turn]: readonly number[], step: number) {
  const out = createPlanarTransform(0, 0, Math.atan2(T[1], T[0]) + step * turn);
  const [old, next] = [new Float64Array(2), new Float64Array(2)];
  transformPlanarPoint(old, T, center);
  transformPlanarPoint(next, out, center);
  out[2] = old[0] + step * vx - next[0];
  out[3] = old[1] + step * vy - next[1];
  return out;
}

/** Returns the solution after a motion for `step` seconds, and its vectors in the frame in which B was. */
function solutionAt(a: PlanarShape, T_b_a: PlanarTransform, b: PlanarShape, motion: readonly number[], step: number) {
  const T_w_a = moved(T_b_a, a.center, motion.slice(0, 3), step);
  const T_w_b = moved(createPlanarTransform(), b.center, motion.slice(3), step);
  const T = createPlanarTransform();
  relativePlanar(T, T_w_b, T_w_a);
  const out = new Separation();
  new GrowthDistance2d({ relativeGap: 1e-14 }).growth(out, a, T, b, new PlanarCache());
  const [normal, witnessA, witnessB] = [new Float64Array(2), new Float64Array(2), new Float64Array(2)];
  rotatePlanar(normal, T_w_b, out.normal);
  transformPlanarPoint(witnessA, T_w_b, out.witnessA);
  transformPlanarPoint(witnessB, T_w_b, out.witnessB);
  return { out, normal, witnessA, witnessB };
}
