import { expect, test } from 'vitest';
import type { Scene } from '../../../src/core/scene/scene.ts';
import { sceneAfterFall } from '../../../src/tasks/pictures/settledPage.ts';
import { settleScene } from '../../../src/tasks/settling/settleScene.ts';

const upright = [1, 0, 0, 0] as const;
const free = { density: 700, friction: 0.5, restitution: 0.3 };
const scene: Scene = {
  name: 'blocks',
  robot: { packages: {}, args: {}, fixed: {}, limits: {}, empty: [] } as unknown as Scene['robot'],
  goals: [],
  equivalent: false,
  obstacles: [
    {
      name: 'ground',
      parts: [{ shape: { type: 'halfspace', normal: [0, 0, 1] } }],
      pose: { xyz: [0, 0, 0], quat_wxyz: upright },
    },
    ...[0, 1, 2].map((i) => ({
      name: `block-${i}`,
      parts: [{ shape: { type: 'box', size: [0.1, 0.08, 0.06] } }],
      pose: { xyz: [0.02 * i, 0, 0.2 + 0.1 * i] as const, quat_wxyz: [0.9, 0.3, 0.1, 0.3] as const },
      free,
    })),
  ],
  attached: [],
  allow: [],
  padding: 0,
  drop: {
    from: { shape: { type: 'box', size: [0.1, 0.1, 0.1] }, pose: { xyz: [0, 0, 0.8], quat_wxyz: upright } },
    count: 5,
    shapes: [{ parts: [{ shape: { type: 'sphere', radius: 0.03 } }], free }],
  },
};
const names = [...scene.obstacles.map(({ name }) => name), ...Array.from({ length: 5 }, (_, i) => `ball-${i}`)];

test('recording changes nothing of a simulation, and ends where the simulation ends', () => {
  const { fall, ...recorded } = settleScene(scene, { seed: 2, record: true });
  expect(recorded).toEqual(settleScene(scene, { seed: 2 }));
  expect(recorded.status).toBe('rest');
  expect(fall!.end).toBe(recorded.stats.steps * recorded.stats.time_step);
  const poses = [...recorded.moved.values(), ...recorded.dropped];
  expect(fall!.motions).toHaveLength(poses.length);
  for (const [i, { times, poses: frames }] of fall!.motions.entries()) {
    expect(frames).toHaveLength(times.length);
    for (let k = 1; k < times.length; k++) expect(times[k]).toBeGreaterThan(times[k - 1]);
    for (let k = 0; k < 3; k++) expect(Math.abs(frames.at(-1)!.xyz[k] - poses[i].xyz[k])).toBeLessThan(1e-6);
  }
});

test('an object that finds no room at first moves from the time at which it is added', () => {
  const from = { shape: { type: 'sphere', radius: 0.01 }, pose: scene.drop!.from.pose }; // room for one ball
  const few: Scene = { ...scene, obstacles: scene.obstacles.slice(0, 1), drop: { ...scene.drop!, from, count: 2 } };
  const [first, second] = settleScene(few, { record: true }).fall!.motions;
  expect(first.times[0]).toBe(0);
  expect(second.times[0]).toBeGreaterThan(0.05);
});

test('recorded energy ends as the statistics state, and falling converts it without loss before the first contact', () => {
  const { drop: _, ...alone } = scene;
  const { fall, stats } = settleScene({ ...alone, obstacles: alone.obstacles.slice(0, 2) }, { record: true });
  const { energy, overlap } = fall!;
  expect(energy[0][1]).toBeCloseTo(stats.energy[0], 4);
  expect(energy.at(-1)![1]).toBeCloseTo(stats.energy[1], 4);
  const before = energy.filter(([time]) => time < 0.1).map(([, value]) => value); // 0.2 m take 0.17 s or more
  expect(before.length).toBeGreaterThan(3);
  for (const value of before) expect(Math.abs(value - before[0])).toBeLessThan(0.01 * before[0]);
  expect(overlap[0][1]).toBe(0);
  expect(Math.max(...overlap.map(([, depth]) => depth))).toBeGreaterThan(0);
  expect(overlap.at(-1)![1]).toBeLessThan(1e-4);
});

test('the length of a recording is bounded, whatever the simulation takes', () => {
  const falling: Scene = {
    ...scene,
    obstacles: [
      scene.obstacles[0],
      {
        name: 'ball',
        parts: [{ shape: { type: 'sphere', radius: 0.01 } }],
        pose: { xyz: [0, 0, 1e5], quat_wxyz: upright },
        free,
      },
    ],
  };
  const { drop: _, ...alone } = falling;
  const { fall, status } = settleScene(alone, { record: true, steps: 9000 });
  expect(status).toBe('moving'); // it never arrives
  expect(fall!.energy.length).toBeLessThanOrEqual(1201);
  expect(fall!.energy.length).toBeGreaterThan(400);
  expect(fall!.motions[0].times.at(-1)).toBeCloseTo(fall!.end, 5);
  const last = fall!.motions[0].times.at(-1)! - fall!.motions[0].times.at(-2)!;
  expect(last).toBeLessThan(0.3);
});

test('the scene after a fall has the final poses, the dropped objects, and nothing to drop', () => {
  const result = settleScene(scene, { seed: 2, record: true });
  const after = sceneAfterFall(scene, result, names);
  expect(after.drop).toBeUndefined();
  expect(after.obstacles.map(({ name }) => name)).toEqual(names);
  expect(after.obstacles[0].motion).toBeUndefined();
  for (const [i, { motion, pose }] of after.obstacles.slice(1).entries()) {
    expect(motion).toBe(result.fall!.motions[i]);
    for (let k = 0; k < 3; k++) expect(Math.abs(motion!.poses.at(-1)!.xyz[k] - pose.xyz[k])).toBeLessThan(1e-6);
  }
});
