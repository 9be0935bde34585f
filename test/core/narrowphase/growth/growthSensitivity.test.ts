import { expect, test } from 'vitest';
import { Random } from '../../../../src/core/math/random.ts';
import { rotate, type Transform, transformPoint } from '../../../../src/core/math/transform.ts';
import { GrowthGradient } from '../../../../src/core/narrowphase/growth/gradientOfGrowth.ts';
import { GrowthDistance } from '../../../../src/core/narrowphase/growth/growthDistance.ts';
import { GrowthGradientSolver } from '../../../../src/core/narrowphase/growth/growthGradient.ts';
import { PairCache, Separation } from '../../../../src/core/narrowphase/solver.ts';
import { createShape } from '../../../../src/core/shapes/index.ts';
import type { ConvexShape } from '../../../../src/core/shapes/shape.ts';
import type { SupportSpec } from '../../../../src/core/shapes/supportShape.ts';
import { createPair, poseOf, randomPairs, randomSpec, randomTransform } from '../helpers.ts';
import { exactGrowth } from './exactGrowth.ts';

const solver = new GrowthGradientSolver();
const at = (x: number, y: number, z: number) => poseOf([x, y, z], [1, 0, 0, 0]);
const cube = createShape({ type: 'box', size: [1, 1, 1] });
const sphere = createShape({ type: 'sphere', radius: 0.5 });
const cone = createShape({ type: 'cone', radius: 0.5, length: 1 });
const cylinder = createShape({ type: 'cylinder', radius: 0.5, length: 1 });
const capsule = createShape({ type: 'capsule', radius: 0.5, length: 1 });
const frustum = createShape({ type: 'frustum', radiusBottom: 0.5, radiusTop: 0.2, length: 1 });
const roundBox = createShape({ type: 'box', size: [1, 0.6, 0.8], margin: 0.1 });
const floor = createShape({ type: 'halfspace', normal: [0, 0, 1] });
const octahedron = createShape({
  type: 'convex',
  points: [-1, 1].flatMap((s) => [
    [s, 0, 0],
    [0, s, 0],
    [0, 0, s],
  ]),
});
const ball = createShape({
  type: 'support',
  support: (out: Float64Array, d: Float64Array) => out.set(d.map((x) => 0.5 * x)),
} as SupportSpec);
const tipDown = (x: number, y: number, z: number) => poseOf([x, y, z], [0, 1, 0, 0]);

/** Pairs at kinks. */
const kinks: readonly [string, ConvexShape, Transform, ConvexShape][] = [
  ['parallel faces', cube, at(1.5, 0.1, 0.2), cube],
  ['equal faces', cube, at(0, 0, 1.5), cube],
  ['equal centres', cube, at(0, 0, 0), octahedron],
  ['parallel edges of a rotated cube', cube, poseOf([0.1, 3, 3], [0.6, 0.4, 0, 0]), cube],
  ['two vertices', cube, at(2, 2, 2), cube],
  ['two vertices of octahedra', octahedron, at(3, 0, 0), octahedron],
  ['parallel edges', cube, at(2, 2, 0.3), cube],
  ['a vertex in front of an edge', octahedron, poseOf([2, 2, 0], [0.9238795325112867, 0, 0, 0.3826834323650898]), cube],
  ['a cap on a face', cylinder, at(0.1, 0.1, 2), cube],
  ['two caps', cylinder, at(0.3, 0.1, 2), cylinder],
  ['a cylinder along a face', cylinder, poseOf([0.1, 0.05, 2], [1, 1, 0, 0]), cube],
  ['parallel cylinders', cylinder, at(3, 0.1, 0.2), cylinder],
  ['a capsule along an edge', capsule, at(2, 2, 0.1), cube],
  ['a rounded box on a box', roundBox, at(0.1, 0.2, 2), cube],
  ['a frustum on a cylinder', frustum, at(0.1, 0.2, 2), cylinder],
  ['a box on the floor', cube, at(0.1, 0.2, 2), floor],
  ['a cylinder on the floor', cylinder, at(0.1, 0.2, 2), floor],
  ['a centre on the floor', cube, poseOf([0.1, 0.2, 0], [1, 0.2, 0.1, 0]), floor],
  ['overlapping cubes', cube, at(0.5, 0.1, 0.2), cube],
];

test('one-sided derivatives at kinks equal one-sided differences', () => {
  const random = new Random(91);
  const wrong: string[] = [];
  for (const [label, a, T_b_a, b] of kinks) {
    const { sensitivity, separation, gradient } = sensitivityOf(a, T_b_a, b);
    if (gradient.differentiable) wrong.push(`${label}: no kink`);
    for (let i = 0; i < 36; i++) {
      const motion = motionOf(random, i);
      const computed = sensitivity.derivative(motion.slice(0, 6), motion.slice(6));
      const [far, near] = [1e-6, 5e-7].map(
        (step) => (growthAt(a, T_b_a, b, motion, step) - separation.growth.lower) / step,
      );
      const expected = 2 * near - far; // the error of second order cancels
      if (!(Math.abs(computed! - expected) <= 1e-5)) wrong.push(`${label}, ${i}: ${computed}, expected ${expected}`);
    }
  }
  expect(wrong).toEqual([]);
});

test('derivatives of random polytopes equal differences of exact growth distances', () => {
  const random = new Random(92);
  const wrong: string[] = [];
  let [atKinks, smooth] = [0, 0];
  for (let i = 0; i < 100; i++) {
    // Every second pair on a lattice: faces, edges and vertices meet.
    const isLattice = i % 2 === 0;
    const half = () => (random.below(9) - 4) / 2;
    const T = isLattice ? poseOf([half(), half(), half()], [1, 0, 0, random.below(2)]) : randomTransform(random, 2);
    const spec = () => ({ ...randomSpec(random, 1, isLattice ? ['cube', 'lattice'] : ['box', 'hull']), margin: 0 });
    const { a, b, T_b_a } = createPair('', spec(), spec(), T);
    const exact = (step: number, motion: readonly number[]) => exactAt(a, T_b_a, b, motion, step);
    const { sensitivity, separation, gradient } = sensitivityOf(a, T_b_a, b);
    const motion = motionOf(random, 24);
    const now = separation.growth.lower;
    const [far, near] = [1e-6, 5e-7].map((step) => exact(step, motion));
    if (far === undefined || near === undefined || sensitivity === undefined) continue;
    const [first, second] = [(far - now) / 1e-6, (near - now) / 5e-7];
    const scale = Math.hypot(...gradient.a, ...gradient.b);
    if (!(Math.abs(first - second) <= 1e-4 * scale)) continue; // another kink is within the step
    const computed = sensitivity.derivative(motion.slice(0, 6), motion.slice(6));
    if (gradient.differentiable) smooth++;
    else atKinks++;
    if (!(Math.abs(computed! - (2 * second - first)) <= 1e-4 * scale))
      wrong.push(`pair ${i}: ${computed}, expected ${2 * second - first}`);
  }
  expect(wrong).toEqual([]);
  expect([atKinks > 15, smooth > 50]).toEqual([true, true]);
});

test('Jacobians equal central differences of normal and witness points', () => {
  const random = new Random(95);
  const wrong: string[] = [];
  let compared = 0;
  const counts = { known: 0, kink: 0, singular: 0, 'boundary of a face': 0, 'unknown shape': 0 };
  for (const { label, a, b, T_b_a } of randomPairs({ seed: 94, count: 250 })) {
    const { sensitivity, separation, gradient } = sensitivityOf(a, T_b_a, b);
    if (sensitivity === undefined || !separation.hasWitnesses) continue;
    const jacobian = sensitivity.jacobian();
    if ((jacobian === 'kink') !== !gradient.differentiable) wrong.push(`${label}: ${String(jacobian)}`);
    const kind = typeof jacobian === 'string' ? jacobian : 'known';
    counts[kind]++;
    if (typeof jacobian === 'string') continue;
    const motion = motionOf(random, 24);
    const [far, near] = [1e-3, 5e-4].map((step) => differences(a, T_b_a, b, motion, step));
    for (const name of names) {
      const computed = [0, 1, 2].map((row) => motion.reduce((sum, x, k) => sum + jacobian[name][12 * row + k] * x, 0));
      const scale = Math.max(1, ...computed.map(Math.abs));
      // If the differences of two step sizes disagree, a kink is near or the curvature is too large: no reference.
      if (!(Math.max(...near[name].map((x, i) => Math.abs(x - far[name][i]))) <= 1e-4 * scale)) continue;
      compared++;
      const error = Math.max(...near[name].map((x, i) => Math.abs(x - computed[i])));
      if (!(error <= 1e-3 * scale)) wrong.push(`${label}, ${name}: off by ${error} of ${scale}`);
    }
  }
  expect(wrong).toEqual([]);
  expect(counts).toMatchObject({ 'boundary of a face': 0, 'unknown shape': 0 });
  expect([counts.known > 200, counts.singular < 5, compared > 500]).toEqual([true, true, true]);
});

test.each<[string, ConvexShape, Transform, ConvexShape]>([
  ['two tips', cone, tipDown(0, 0, 2), cone],
  ['the tip of a cone in front of a vertex', cone, poseOf([2, 2, 2], [0.4597, 0.628, -0.628, 0]), cube],
])('one-sided derivatives are unknown where the normals form a cone: %s', (_label, a, T_b_a, b) => {
  const { sensitivity, gradient } = sensitivityOf(a, T_b_a, b);
  expect(gradient.differentiable).toBe(false);
  expect(sensitivity.derivative([1, 0, 0, 0, 0, 0], [0, 0, 0, 0, 0, 0])).toBe(undefined);
  expect(sensitivity.jacobian()).toBe('kink');
});

test.each<[string, ConvexShape, Transform, ConvexShape, string]>([
  ['the end of a capsule above a face', capsule, poseOf([0.2, 0.1, 2], [1, 0.3, 0, 0]), cube, 'known'],
  ['a sphere above the edge of a face', sphere, at(0, 1.5, 3), cube, 'boundary of a face'],
  ['a support function', ball, at(2, 0.1, 0), cube, 'unknown shape'],
  ['a sphere above the floor', sphere, at(0.1, 0.2, 3), floor, 'known'],
])('Jacobian of %s', (_label, a, T_b_a, b, expected) => {
  const { sensitivity } = sensitivityOf(a, T_b_a, b);
  const jacobian = sensitivity.jacobian();
  expect(typeof jacobian === 'string' ? jacobian : 'known').toBe(expected);
});

const names = ['normal', 'witnessA', 'witnessB'] as const;

/** Returns central differences of normal and witness points; NaN where the status changes within the step. */
function differences(a: ConvexShape, T_b_a: Transform, b: ConvexShape, motion: readonly number[], step: number) {
  const [plus, minus] = [step, -step].map((by) => vectorsAt(a, T_b_a, b, motion, by));
  const isSame = plus.isSeparated === minus.isSeparated;
  const rateOf = (name: (typeof names)[number]) =>
    plus[name].map((x, k) => (isSame ? (x - minus[name][k]) / (2 * step) : Number.NaN));
  return { normal: rateOf('normal'), witnessA: rateOf('witnessA'), witnessB: rateOf('witnessB') };
}

/** Returns normal and witness points after a motion, in the frame in which B was. */
function vectorsAt(a: ConvexShape, T_b_a: Transform, b: ConvexShape, motion: readonly number[], step: number) {
  const { out, T_w_b } = solutionAt(a, T_b_a, b, motion, step);
  const [normal, witnessA, witnessB] = [new Float64Array(3), new Float64Array(3), new Float64Array(3)];
  rotate(normal, T_w_b, out.normal);
  transformPoint(witnessA, T_w_b, out.witnessA);
  transformPoint(witnessB, T_w_b, out.witnessB);
  return { normal: [...normal], witnessA: [...witnessA], witnessB: [...witnessB], isSeparated: out.growth.upper > 1 };
}

/** Returns the exact growth distance after a motion, as a double. */
function exactAt(a: ConvexShape, T_b_a: Transform, b: ConvexShape, motion: readonly number[], step: number) {
  const { T } = solutionAt(a, T_b_a, b, motion, step);
  const exact = exactGrowth(a, T, b);
  return exact && Number((exact.numerator * 10n ** 20n) / exact.denominator) / 1e20;
}

function sensitivityOf(a: ConvexShape, T_b_a: Transform, b: ConvexShape) {
  const [gradient, separation] = [new GrowthGradient(), new Separation()];
  const sensitivity = solver.sensitivity(gradient, separation, a, T_b_a, b)!;
  return { gradient, separation, sensitivity };
}

/** Returns velocities of A and of B; the first 24 are unit vectors. */
function motionOf(random: Random, i: number): number[] {
  if (i >= 24) return Array.from({ length: 12 }, () => random.between(-1, 1));
  return Array.from({ length: 12 }, (_, k) => (k === i >> 1 ? 1 - 2 * (i % 2) : 0));
}

/** Returns the rotation about an axis, by Rodrigues' formula: rows of a matrix. */
function rotationOf([x, y, z]: readonly number[]): number[][] {
  const angle = Math.hypot(x, y, z);
  const [s, c] = angle === 0 ? [1, 0.5] : [Math.sin(angle) / angle, (1 - Math.cos(angle)) / (angle * angle)];
  const K = [
    [0, -z, y],
    [z, 0, -x],
    [-y, x, 0],
  ];
  return K.map((row, i) =>
    row.map((k, j) => (i === j ? 1 : 0) + s * k + c * [0, 1, 2].reduce((sum, m) => sum + K[i][m] * K[m][j], 0)),
  );
}

/** Returns the pose of a shape in the frame in which B was, after a motion of its centre and about it. */
function moved(T: Transform, center: ArrayLike<number>, six: readonly number[], step: number): Transform {
  const R = rotationOf(six.slice(3).map((x) => step * x));
  const out = T.slice();
  const old = new Float64Array(3);
  transformPoint(old, T, Float64Array.from(center));
  for (let i = 0; i < 3; i++)
    for (let j = 0; j < 3; j++) out[4 * i + j] = [0, 1, 2].reduce((sum, m) => sum + R[i][m] * T[4 * m + j], 0);
  const next = new Float64Array(3);
  transformPoint(next, out, Float64Array.from(center));
  for (let i = 0; i < 3; i++) out[4 * i + 3] += old[i] + step * six[i] - next[i];
  return out;
}

const identity = () => poseOf([0, 0, 0], [1, 0, 0, 0]);

/** Returns the solution after a motion for `step` seconds, in the frame in which B was. */
function solutionAt(a: ConvexShape, T_b_a: Transform, b: ConvexShape, motion: readonly number[], step: number) {
  const T_w_a = moved(T_b_a, a.center, motion.slice(0, 6), step);
  const T_w_b = moved(identity(), b.center, motion.slice(6), step);
  const T = T_w_a.slice();
  for (let i = 0; i < 3; i++) {
    for (let j = 0; j < 4; j++)
      T[4 * i + j] = [0, 1, 2].reduce(
        (sum, m) => sum + T_w_b[4 * m + i] * (T_w_a[4 * m + j] - (j === 3 ? T_w_b[4 * m + 3] : 0)),
        0,
      );
  }
  const out = new Separation();
  new GrowthDistance({ relativeGap: 1e-13 }).solve(out, a, T, b, new PairCache());
  return { out, T_w_b, T };
}

function growthAt(a: ConvexShape, T_b_a: Transform, b: ConvexShape, motion: readonly number[], step: number): number {
  const { out } = solutionAt(a, T_b_a, b, motion, step);
  return (out.growth.lower + out.growth.upper) / 2;
}
