import { assert, expect, test } from 'vitest';
import { loadProblemsIn } from '../../../src/host/node/scenes.ts';
import { drawPlan } from '../../../src/tasks/pictures/drawPlan.ts';
import { planScene } from '../../../src/tasks/planScene.ts';

const pictureOf = async (distances: readonly number[]) => {
  const points = distances.map((x) => ({ xyz: [x, -0.1, 0.3], rpy: [Math.PI, 0, 0] }));
  const scene = {
    format: 'elbowroom-scene/1',
    robot: 'ur5e',
    start: [0, -1.5, 1.6, -1.7, -1.57, 0],
    steps: [{ move: points[0] }, { path: { points, speed: '0.2 m/s' } }],
  };
  const [problem] = await loadProblemsIn(JSON.stringify(scene), 'test/tasks/pictures/path.json');
  const picture = await drawPlan(problem, planScene(problem));
  assert(picture);
  return [...picture.matchAll(/<path class="(reachable|slow|blocked)"/g)].map(([, status]) => status);
};

test('the drawing of a plan colours its tool path by speed, and that of a failure by what can be reached', async () => {
  const straight = Array.from({ length: 31 }, (_, k) => 0.45 + 5e-3 * k);
  expect(await pictureOf(straight)).toEqual(['slow', 'reachable', 'slow']);
  expect(await pictureOf([0.5, 0.6, 1.3, 0.6, 0.5])).toEqual(['reachable', 'blocked', 'reachable']);
});
