import { describe, expect, test } from 'vitest';
import { Random } from '../../../../src/core/math/random.ts';
import { relative, rotate, type Transform, transformPoint } from '../../../../src/core/math/transform.ts';
import { GrowthGradient } from '../../../../src/core/narrowphase/growth/gradientOfGrowth.ts';
import { GrowthGradientSolver } from '../../../../src/core/narrowphase/growth/growthGradient.ts';
import { Separation } from '../../../../src/core/narrowphase/solver.ts';
import { createShape } from '../../../../src/core/shapes/index.ts';
import { poseOf, randomTransform } from '../helpers.ts';

const solver = new GrowthGradientSolver();
const gradient = new GrowthGradient();
const out = new Separation();

interface Body {
  /** Vertices in the frame of the body, rounded by `radius`. */
  readonly points: number[][];
  readonly radius: number;
  readonly center: number[];
}
interface Plane {
  readonly normal: number[];
  readonly margin: number;
  readonly center: number[];
}

const vector = (random: Random, size: number) => [0, 1, 2].map(() => random.between(-size, size));
const height = (normal: number[], p: ArrayLike<number>) => normal.reduce((sum, x, k) => sum + x * p[k], 0);

/** Returns the smallest factor at which body and half-space, scaled about their centres, meet: by bisection. */
function growthOf(body: Body, T_world_body: Transform, plane: Plane, T_world_plane: Transform): number {
  const T = new Float64Array(12);
  relative(T, T_world_plane, T_world_body); // the body in the frame of the plane
  const center = new Float64Array(3);
  transformPoint(center, T, body.center as unknown as Float64Array);
  const points = body.points.map((p) => {
    const moved = new Float64Array(3);
    transformPoint(moved, T, p as unknown as Float64Array);
    return moved;
  });
  const length = Math.hypot(...plane.normal);
  const normal = plane.normal.map((x) => x / length);
  const surface = (s: number) => height(normal, plane.center) * (1 - s) + s * plane.margin;
  const lowest = (s: number) =>
    Math.min(...points.map((p) => height(normal, center) + s * (height(normal, p) - height(normal, center)))) -
    s * body.radius;
  let [low, high] = [0, 1];
  while (lowest(high) > surface(high)) high *= 2;
  for (let i = 0; i < 80 && low < high; i++) {
    const middle = (low + high) / 2;
    if (lowest(middle) > surface(middle)) low = middle;
    else high = middle;
  }
  return high;
}

/** Moves a pose: a velocity of the centre along axis k, or a rotation about axis k − 3 through the centre. */
function moved(T: Transform, center: number[], k: number, step: number): Transform {
  const result = T.slice();
  if (k < 3) {
    result[4 * k + 3] += step;
    return result;
  }
  const axis = [0, 0, 0];
  axis[k - 3] = Math.sin(step / 2);
  const turn = poseOf([0, 0, 0], [Math.cos(step / 2), ...axis]);
  const [before, after] = [new Float64Array(3), new Float64Array(3)];
  transformPoint(before, T, center as unknown as Float64Array);
  const column = new Float64Array(3);
  for (let c = 0; c < 3; c++) {
    rotate(column, turn, Float64Array.of(T[c], T[4 + c], T[8 + c]));
    for (let row = 0; row < 3; row++) result[4 * row + c] = column[row];
  }
  transformPoint(after, result, center as unknown as Float64Array);
  for (let row = 0; row < 3; row++) result[4 * row + 3] += before[row] - after[row];
  return result;
}

test('the gradient with a half-space equals central differences of a bisection', () => {
  const random = new Random(61);
  let smooth = 0;
  for (let i = 0; i < 300; i++) {
    const body: Body = {
      points: Array.from({ length: 4 + random.below(6) }, () => vector(random, 1)),
      radius: random.below(2) * random.between(0, 0.3),
      center: vector(random, 0.1),
    };
    const plane: Plane = { normal: vector(random, 1), margin: random.below(2) * 0.2, center: vector(random, 0.5) };
    if (height(plane.normal, plane.center) > 0) for (let k = 0; k < 3; k++) plane.center[k] *= -1;
    const shape = createShape({ type: 'convex', points: body.points, margin: body.radius }, body.center);
    const halfspace = createShape({ type: 'halfspace', normal: plane.normal, margin: plane.margin }, plane.center);
    if (shape.innerRadius < 0) continue;
    const [T_body, T_plane] = [randomTransform(random, 3), randomTransform(random, 3)];
    const isFirst = random.below(2) === 0; // the half-space is A or B
    const T_b_a = new Float64Array(12);
    if (isFirst) relative(T_b_a, T_body, T_plane);
    else relative(T_b_a, T_plane, T_body);
    const T_world_b = isFirst ? T_body : T_plane;
    const isDefined = isFirst
      ? solver.solve(gradient, out, halfspace, T_b_a, shape)
      : solver.solve(gradient, out, shape, T_b_a, halfspace);
    expect(isDefined, `pair ${i}`).toBe(true);
    if (out.growth.upper < 1e-3) continue;
    expect(out.growth.upper / growthOf(body, T_body, plane, T_plane), `pair ${i}`).toBeCloseTo(1, 10);
    if (!gradient.differentiable) continue;
    smooth++;
    const differences = [0, 1].map((side) =>
      [0, 1, 2, 3, 4, 5].map((k) => {
        const [plus, minus] = [1e-6, -1e-6].map((step) =>
          growthOf(
            body,
            side === 0 ? moved(T_body, body.center, k, step) : T_body,
            plane,
            side === 1 ? moved(T_plane, plane.center, k, step) : T_plane,
          ),
        );
        return (plus - minus) / 2e-6;
      }),
    );
    const scale = Math.hypot(...differences.flat());
    const found = [isFirst ? gradient.b : gradient.a, isFirst ? gradient.a : gradient.b];
    for (const side of [0, 1]) {
      for (const from of [0, 3]) {
        const inWorld = new Float64Array(3);
        rotate(inWorld, T_world_b, found[side].subarray(from, from + 3));
        inWorld.forEach((x, k) => {
          expect(Math.abs(x - differences[side][from + k]), `pair ${i}, ${side}, ${from + k}`).toBeLessThan(
            1e-6 * scale,
          );
        });
      }
    }
  }
  expect(smooth).toBeGreaterThan(70);
});

describe('with a half-space', () => {
  const cube = createShape({ type: 'box', size: [1, 1, 1] });
  const ground = createShape({ type: 'halfspace', normal: [0, 0, 1] });
  const at = (z: number, w: number, x: number) => poseOf([0, 0, z], [w, x, 0, 0]);

  test.each([
    ['a face parallel to the plane is a kink', at(2, 1, 0), false],
    ['an edge parallel to the plane is a kink', at(2, 1, 0.2), false],
    ['a vertex towards the plane is none', poseOf([0, 0, 2], [1, 0.3, 0.2, 0]), true],
    ['a centre in the half-space has growth distance 0, and gradient 0', at(-0.1, 1, 0), true],
    ['a centre on the plane is a kink', at(0, 1, 0.2), false],
  ])('%s', (_, T_b_a, isSmooth) => {
    expect(solver.solve(gradient, out, cube, T_b_a, ground)).toBe(true);
    expect(gradient.differentiable).toBe(isSmooth);
    if (out.growth.upper === 0) expect([...gradient.a, ...gradient.b]).toEqual(new Array(12).fill(0));
  });

  test.each([
    ['a face that is small beside the length of a rod is a kink', { type: 'box', size: [0.005, 0.005, 2] }, false],
    ['a flat ellipsoid on its flat side has none', { type: 'ellipsoid', radii: [1, 1, 0.01] }, true],
    ['a flat ellipsoid on its rim has none', { type: 'ellipsoid', radii: [0.01, 1, 1] }, true],
  ])('%s', (_, spec, isSmooth) => {
    expect(solver.solve(gradient, out, createShape(spec), at(2, 1, 0), ground)).toBe(true);
    expect(gradient.differentiable).toBe(isSmooth);
  });

  test('two half-spaces have none', () => {
    expect(solver.solve(gradient, out, ground, at(1, 0, 1), ground)).toBe(false);
  });
});
