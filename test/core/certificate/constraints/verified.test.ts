import { describe, expect, test } from 'vitest';
import type { PathConstraint } from '../../../../src/core/scene/constraints.ts';
import { judge, path } from '../judge.ts';
import { at, certificateOf, motionOf, pair, slidingBox, type World } from '../worlds.ts';

// The slider moves along x from 0 to 1 m in 2 s, from rest to rest: at most 0.75 m/s, after 1 s. Its orientation is
// that of the world, and its certificate proves it free.

const verified = (constraints: readonly PathConstraint[], world: World = slidingBox()) =>
  judge({ ...world, scene: { ...world.scene, constraints } });
const identity = { xyz: [0, 0, 0], quat_wxyz: [1, 0, 0, 0] } as const;
const boxOf = (length: number) => ({ type: 'box', size: [length, 0.1, 0.1] });

const satisfied: Readonly<Record<string, PathConstraint>> = {
  'a tilt of 0, exactly': { type: 'tilt', axis: [0, 0, 2], towards: [0, 0, 5], within: 0 },
  'an orientation without tolerance, exactly': { type: 'orientation', quat_wxyz: [1, 0, 0, 0], within: [0, 0, 0] },
  'a region that ends where the motion ends': { type: 'region', shape: boxOf(2), pose: identity },
  'a region on whose side the motion stays': { type: 'region', shape: boxOf(3), pose: at(0, 0.05, 0) },
  'the highest speed': { type: 'speed', most: 0.75 },
  'the range of the joint': { type: 'joint', joint: 'to_slider', range: [0, 1] },
};

const violated: Readonly<Record<string, [PathConstraint, RegExp]>> = {
  'a tilt': [
    { type: 'tilt', name: 'upright', axis: [0, 0, 1], towards: [0, 1, 0], within: 1.57 },
    /^constraint "upright" is violated by 0.000796/,
  ],
  'an orientation': [
    { type: 'orientation', quat_wxyz: [Math.SQRT1_2, 0, 0, Math.SQRT1_2], within: [3, 3, 1.5] },
    /^constraint "orientation" is violated by 0.0707/,
  ],
  'a region that ends a micrometre before': [
    { type: 'region', shape: boxOf(2 - 2e-6), pose: identity },
    /^constraint "region" is violated by .*e-7 at t = 1.99/,
  ],
  'a speed': [{ type: 'speed', most: 0.7499 }, /^constraint "speed" is violated by .* at t = (0.9|1)/],
  'a joint range': [
    { type: 'joint', joint: 'to_slider', range: [1e-8, 2] },
    /^constraint "joint" is violated by .*e-9/,
  ],
};

describe('a certificate is accepted with', () => {
  test.each(Object.keys(satisfied))('%s', (name) => {
    expect(verified([satisfied[name]])).toMatchObject({ proved: true, problems: [] });
  });
});

describe('a certificate is refused with', () => {
  test.each(Object.keys(violated))('%s', (name) => {
    const [given, message] = violated[name];
    const { proved, problems } = verified([satisfied['the highest speed'], given]);
    expect(proved).toBe(false);
    expect(problems).toEqual([expect.stringMatching(message)]);
  });
});

test('a limit of speed does not concern a path without times, all others do', () => {
  const { robot, scene } = slidingBox();
  const trajectory = motionOf(robot, path([0], [1]));
  const certificate = certificateOf(trajectory, [pair('slider', 'wall', [[0, 1, 0, 1, 0]])]);
  const world = { robot, scene, trajectory, certificate };
  expect(verified([{ type: 'speed', most: 0 }], world)).toMatchObject({ proved: true });
  expect(verified([{ type: 'joint', joint: 'to_slider', range: [0, 0.5] }], world)).toMatchObject({ proved: false });
});

test('a motion of a single point and a motion that begins late are judged where they rest', () => {
  const { robot, scene } = slidingBox();
  for (const points of [path([1]), [{ time_from_start: 3, positions: [1] }]]) {
    const trajectory = motionOf(robot, points);
    const end = points[0].time_from_start ?? 0;
    const world = {
      robot,
      scene,
      trajectory,
      certificate: certificateOf(trajectory, [pair('slider', 'wall', [[0, end, 0, 1, 0]])]),
    };
    expect(verified([{ type: 'joint', joint: 'to_slider', range: [0, 0.5] }], world).problems).toEqual([
      `constraint "joint" is violated by 0.5 at t = ${end / 2}`,
    ]);
    expect(verified([{ type: 'joint', joint: 'to_slider', range: [1, 1] }], world).proved).toBe(true);
  }
});

test('what is unknown or invalid is refused, never ignored', () => {
  expect(() => verified([{ type: 'tilt', axis: [0, 0, 0], towards: [0, 0, 1], within: 1 }])).toThrow(/axis must be/);
  expect(() => verified([{ type: 'pressure' } as never])).toThrow(/"pressure" is unknown/);
  expect(() => verified([{ type: 'joint', joint: 'elbow', range: [0, 1] }])).toThrow(
    /no planned joint is called "elbow"/,
  );
  expect(() => verified([{ type: 'speed', most: 1, frame: { link: 'hand', pose: identity } }])).toThrow(
    /no link "hand"/,
  );
  const user = { type: 'support', support: () => {}, center: [0, 0, 0], innerRadius: 1, outerRadius: 1 };
  expect(() => verified([{ type: 'region', shape: user as never, pose: identity }])).toThrow();
});
