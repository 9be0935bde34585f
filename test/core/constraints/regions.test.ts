import { describe, expect, test } from 'vitest';
import { CubicMotion } from '../../../src/core/collision/motions/motion.ts';
import { ConstraintSet } from '../../../src/core/constraints/constraintSet.ts';
import { region } from '../../../src/core/constraints/region.ts';
import { createRobotModel } from '../../../src/core/kinematics/createRobotModel.ts';
import { Random } from '../../../src/core/math/random.ts';
import { create } from '../../../src/core/math/transform.ts';
import { createShape } from '../../../src/core/shapes/index.ts';
import type { ShapeSpec } from '../../../src/core/shapes/shape.ts';
import { cases } from '../../cases.ts';
import { randomPose, randomRobot } from '../../helpers/robots.ts';
import { chained, linkPose, poseOf } from './constraintOracle.ts';

// The oracle: support functions of the shapes. A support point p of the core in direction d, moved by s d, is exactly
// at the distance s from the core; means of support points are inside.

const frame = { link: 0, T_link_frame: create() };
const identity = { xyz: [0, 0, 0], quat_wxyz: [1, 0, 0, 0] } as const;

function randomPoints(random: Random): number[][] {
  return Array.from({ length: 4 + random.below(20) }, () => [0, 1, 2].map(() => random.between(-0.3, 0.3)));
}

/** Kinds of hulls without an inside: they always have a margin. */
const flatKinds: readonly string[] = ['plate', 'rod', 'point'];

/** Points in a plane, on a line or all equal; of coordinates that make them exactly so, some of them repeated. */
function flatHull(random: Random, count: number, dimension: number): object {
  const grid = () => random.below(65) / 128 - 0.25;
  const [origin, u, v] = [0, 1, 2].map(() => [grid(), grid(), grid()]);
  const points = Array.from({ length: count }, (_, i) => {
    const [s, t] = i === 0 ? [0, 0] : [random.below(9) - 4, random.below(9) - 4];
    return origin.map((x, k) => x + (dimension > 0 ? (s * u[k]) / 4 : 0) + (dimension > 1 ? (t * v[k]) / 4 : 0));
  });
  return { type: 'convex', points: [...points, points[random.below(count)]] };
}

const kinds: Readonly<Record<string, (random: Random) => object>> = {
  box: (random) => ({ size: [0, 1, 2].map(() => random.between(0.05, 0.6)) }),
  sphere: (random) => ({ radius: random.between(0.05, 0.4) }),
  capsule: (random) => ({ radius: random.between(0.05, 0.3), length: random.between(0.05, 0.5) }),
  cylinder: (random) => ({ radius: random.between(0.05, 0.4), length: random.between(0.02, 0.5) }),
  cone: (random) => ({ radius: random.between(0.05, 0.4), length: random.between(0.02, 0.5) }),
  frustum: (random) => ({
    radiusBottom: random.between(0, 0.4),
    radiusTop: random.between(0.01, 0.4),
    length: random.between(0.02, 0.5),
  }),
  ellipsoid: (random) => ({ radii: [0, 1, 2].map(() => random.between(0.02, 0.4)) }),
  convex: (random) => ({ points: randomPoints(random) }),
  plate: (random) => flatHull(random, 3 + random.below(12), 2),
  rod: (random) => flatHull(random, 2 + random.below(3), 1),
  point: (random) => flatHull(random, 1 + random.below(3), 0),
  halfspace: (random) => ({ normal: direction(random).map((x) => 3 * x) }),
};

const randomSpec = (random: Random, type: string, margin: number): ShapeSpec =>
  ({ type, ...kinds[type](random), ...(margin > 0 && { margin }) }) as unknown as ShapeSpec;

function direction(random: Random): number[] {
  for (;;) {
    const d = [0, 1, 2].map(() => random.between(-1, 1));
    const length = Math.hypot(...d);
    if (length > 0.1 && length < 1) return d.map((x) => x / length);
  }
}

/** Support point without rounding; capsules and spheres are rounded segments. */
function supportPoint(spec: ShapeSpec, d: readonly number[]): number[] {
  const shape = createShape(spec);
  const out = new Float64Array(3);
  shape.support(out, shape, Float64Array.from(d), -1);
  const rounding = shape.margin - (spec.margin ?? 0);
  return Array.from(out, (x, i) => x + rounding * d[i]);
}

/** A direction in which the shape has a support point: of a half-space, its normal. */
function supportedDirection(random: Random, spec: ShapeSpec): number[] {
  const { normal } = spec as { normal?: number[] };
  return normal === undefined ? direction(random) : normal.map((x) => x / Math.hypot(...normal));
}

const at = (x: readonly number[]) => Float64Array.of(1, 0, 0, x[0], 0, 1, 0, x[1], 0, 0, 1, x[2]);

describe.each(Object.keys(kinds))('a region of type %s', (type) => {
  test.each(flatKinds.includes(type) ? [0.05, 1e-4] : [0, 0.05])('has the border of its shape, margin %d', (margin) => {
    const random = new Random(31);
    for (let k = 0; k < cases(20); k++) {
      const spec = randomSpec(random, type, margin);
      const { excess } = region({ type: 'region', shape: spec, pose: identity }, frame);
      for (let i = 0; i < 20; i++) {
        const d = supportedDirection(random, spec);
        const p = supportPoint(spec, d);
        const beyond = 10 ** random.between(-8, -1);
        const outside = excess(at(p.map((x, j) => x + (margin + beyond) * d[j])));
        expect(outside, `${JSON.stringify(spec)} ${d}`).toBeGreaterThan(0);
        expect(outside).toBeLessThanOrEqual(beyond + 1e-9);
        if (margin > 0) expect(outside).toBeGreaterThan(beyond - 1e-9);
        if (margin > beyond) {
          const inside = excess(at(p.map((x, j) => x + (margin - beyond) * d[j])));
          expect(inside).toBeLessThan(0);
        }
        const other = supportPoint(spec, supportedDirection(random, spec));
        const mean = p.map((x, j) => (x + other[j]) / 2);
        expect(excess(at(mean))).toBeLessThanOrEqual(1e-12);
      }
    }
  });

  test('changes at most as fast as the position', () => {
    const random = new Random(32);
    for (let k = 0; k < cases(120); k++) {
      const spec = randomSpec(random, type, (flatKinds.includes(type) ? 1 : random.below(2)) * 0.03);
      const { excess } = region({ type: 'region', shape: spec, pose: identity }, frame);
      const x = [0, 1, 2].map(() => random.between(-0.5, 0.5));
      const d = direction(random);
      const h = 10 ** random.between(-4, -0.5);
      const change = Math.abs(excess(at(x.map((value, i) => value + h * d[i]))) - excess(at(x)));
      expect(change).toBeLessThanOrEqual(h + 1e-12);
    }
  });

  test('is proved for no motion that leaves it, and for nearly all others', () => {
    const random = new Random(33);
    const count = { left: 0, kept: 0, undecided: 0 };
    const worlds = Array.from({ length: 12 }, (_, i) => {
      const description = randomRobot(random, 2 + (i % 5));
      return { description, model: createRobotModel(description) };
    }).filter(({ model }) => model.dof > 0);
    for (let k = 0; k < cases(150); k++) {
      const { description, model } = worlds[random.below(worlds.length)];
      const link = model.links[model.links.length - 1].name;
      const tool = randomPose(random, 0.2);
      const coefficients = Float64Array.from({ length: 4 * model.dof }, (_, i) =>
        i % 4 === 0 ? random.between(-2, 2) : 0.7 * random.between(-1, 1),
      );
      const motion = new CubicMotion(0, 1, coefficients);
      const q = new Float64Array(model.dof);
      const positions = Array.from({ length: 201 }, (_, i) => {
        motion.positionAt(q, i / 200);
        const values = new Map(model.variables.map(({ name }, j) => [name, q[j]]));
        return chained(linkPose(description, values, link), poseOf(tool)).p;
      });
      // A region about the middle of the motion, rounded such that the motion nearly leaves it, or leaves it.
      const shape = randomSpec(random, type, 0.001);
      const pose = { xyz: positions[100], quat_wxyz: randomPose(random, 1).quat_wxyz };
      const border = region({ type: 'region', shape, pose }, frame);
      const reached = Math.max(...positions.map((p) => border.excess(at(p))));
      const slack = (random.below(2) === 0 ? 1 : -1) * 10 ** random.between(-6, -2);
      if (!(reached + slack > 1e-6)) continue;
      const given = {
        type: 'region',
        shape: { ...shape, margin: 0.001 + reached + slack } as ShapeSpec,
        pose,
        frame: { link, pose: tool },
      } as const;
      const found = new ConstraintSet(model, [given]).violation(motion);
      if (slack < 0) {
        count.left++;
        expect(found, `case ${k}`).toBeDefined();
      } else if (slack > 1e-4) {
        count.kept++;
        if (found && found.excess <= 1e-9) count.undecided++;
      }
    }
    expect(count.left).toBeGreaterThan(cases(2) - 1);
    expect(count.kept).toBeGreaterThan(cases(5) - 1);
    expect(count.undecided).toBeLessThanOrEqual(0.02 * count.kept);
  });
});

test('points that do not close a polytope, and too many, are refused', () => {
  const of = (points: readonly (readonly number[])[]) => () =>
    region({ type: 'region', shape: { type: 'convex', points } as never, pose: identity }, frame);
  const square = [
    [0, 0, 0],
    [1, 0, 0],
    [0, 1, 0],
    [1, 1, 0],
  ];
  expect(of(square)).toThrow(/the region is flat: it has no inside/);
  expect(of([...square, [0.5, 0.5, 1e-10]])).toThrow(/nearly in a plane/);
  expect(of(square.slice(0, 2))).toThrow(/the region is flat: it has no inside/);
  expect(of([])).toThrow();
  expect(of(Array.from({ length: 61 }, (_, i) => [i, i * i, i ** 3]))).toThrow(/61 points/);
  const cube = [-1, 1].flatMap((x) => [-1, 1].flatMap((y) => [-1, 1].map((z) => [x, y, z])));
  expect(of([...cube, [0, 0, 0], [1, 0, 0]])).not.toThrow();
});
