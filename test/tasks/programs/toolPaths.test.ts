import { assert, expect, test } from 'vitest';
import { IDENTITY_POSE } from '../../../src/core/scene/scene.ts';
import { loadProblemsIn } from '../../../src/host/node/scenes.ts';
import { planScene } from '../../../src/tasks/planScene.ts';
import { pathFrame } from '../../../src/tasks/programs/toolPaths.ts';

const planned = async (scene: object) => {
  const text = JSON.stringify({ format: 'elbowroom-scene/1', ...scene });
  const [problem] = await loadProblemsIn(text, 'test/tasks/programs/path.json');
  return planScene(problem);
};

test('a robot with seven joints and limits of jerk follows a tool path at no more than its speed', async () => {
  const points = Array.from({ length: 8 }, (_, k) => ({
    xyz: [0.45 + 0.004 * k, 0.002 * Math.sin(k), 0.4],
    rpy: [Math.PI, 0, 0],
  }));
  const step = { path: { points, speed: '50 mm/s', tolerance: { position: '0.2 mm' } } };
  const { trajectory, reason } = await planned({
    robot: 'arm7',
    start: [0, -0.6, 0, -2.2, 0, 1.7, 0.8],
    steps: [{ move: points[0] }, step],
  });
  assert(trajectory, reason);
  assert.equal(trajectory.segments![1].kind, 'path');
});

test('a tool path out of reach and back is divided into reachable and blocked spans', async () => {
  const points = [0.5, 0.6, 0.9, 1.3, 0.9, 0.6, 0.5].map((x) => ({ xyz: [x, -0.1, 0.3], rpy: [Math.PI, 0, 0] }));
  const { stats } = await planned({
    robot: 'ur5e',
    start: [0, -1.5, 1.6, -1.7, -1.57, 0],
    steps: [{ move: points[0] }, { path: { points } }],
  });
  assert.equal(stats.status, 'step-failed');
  const spans = stats.spans!;
  assert.deepEqual(
    spans.map(({ status }) => status),
    ['reachable', 'blocked', 'reachable'],
  );
  assert.equal(spans[0].from, 0);
  assert.equal(spans.at(-1)!.to, 6);
  for (const [k, { from }] of spans.entries()) if (k > 0) assert.equal(from, spans[k - 1].to + 1);
  expect(spans[0].reason).toContain('singularity or the end of its reach');
  expect(spans[1].reason).toMatch(/^the goal cannot be reached: out of reach by at least/);
  expect(spans.map(({ start }) => start?.length)).toEqual([6, undefined, 6]);
});

test('the spans of a planned tool path state where it is slower than its speed, and which limit slows it down', async () => {
  const points = Array.from({ length: 101 }, (_, k) => ({ xyz: [0.3 + 3e-3 * k, -0.2, 0.3], rpy: [Math.PI, 0, 0] }));
  const { stats, reason, trajectory } = await planned({
    robot: 'ur5e',
    start: [0, -1.5, 1.6, -1.7, -1.57, 0],
    steps: [{ move: points[0] }, { path: { points, speed: '0.5 m/s' } }],
  });
  assert(trajectory, reason);
  const spans = stats.spans!;
  assert.deepEqual(
    spans.map(({ step, status }) => [step, status]),
    [
      [1, 'slow'],
      [1, 'reachable'],
      [1, 'slow'],
    ],
  );
  expect(spans[0].reason).toMatch(/^[\d.]+ of 500 mm\/s: the acceleration of shoulder_lift_joint is at its limit$/);
  assert.deepEqual(
    [spans[0].from, spans[1].from, spans[2].from, spans[2].to],
    [0, spans[0].to + 1, spans[1].to + 1, 100],
  );
  // with 0.5 m/s and some 2 m/s², the speed is reached after a tenth of a second or more
  expect(spans[0].to).toBeGreaterThan(5);
  expect(spans[0].to).toBeLessThan(40);
});

test('a frame that moves is refused, from the library as well', () => {
  const motion = { times: [0, 1], poses: [IDENTITY_POSE, IDENTITY_POSE] };
  const scene = { obstacles: [{ name: 'belt', parts: [], pose: IDENTITY_POSE, motion }] };
  expect(() => pathFrame({ links: [] } as never, scene, { frame: 'belt' } as never)).toThrow('the frame "belt"');
});

test('a tool path with a free axis past an obstacle, which continuation meets from each start, is searched as a whole', async () => {
  const points = Array.from({ length: 30 }, (_, k) => ({
    xyz: [0.45 + 0.1 * Math.cos(0.2 * k), 0.1 * Math.sin(0.2 * k), 0.25],
    rpy: [Math.PI, 0, 0],
  }));
  const { trajectory, reason } = await planned({
    robot: 'ur5e',
    tcp: { link: 'tool0', xyz: [0.08, 0, 0.1], rpy: [0, 0.6, 0] },
    start: [0, -1.5, 1.6, -1.7, -1.57, 0],
    obstacles: [{ name: 'ball', type: 'sphere', radius: 0.063, pose: { xyz: [0.518, -0.143, 0.526] } }],
    steps: [{ move: points[0] }, { path: { points, free: ['z'], tolerance: { position: '0.2 mm' } } }],
  });
  assert(trajectory, reason);
});
