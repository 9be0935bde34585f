import { assert, expect, test } from 'vitest';
import { loadScene } from '../../../src/host/node/files.ts';
import { createTorqueCheck } from '../../../src/tasks/forces/torqueCheck.ts';
import { planScene } from '../../../src/tasks/planScene.ts';
import { createSceneRobot } from '../../../src/tasks/sceneRobot.ts';

test('the plan of heavy-part takes a longer path, since its shoulder does not hold the part on the shortest one', async () => {
  const { scene, robot } = await loadScene('scenes/heavy-part.yaml');
  const { torque: _, ...unlimited } = scene;
  const [free, held] = [unlimited, scene].map((one) => planScene({ scene: one, robot }));
  assert(free.trajectory && held.trajectory);
  expect(held.stats.path_length!).toBeGreaterThan(1.02 * free.stats.path_length!);
  const check = createTorqueCheck(createSceneRobot({ scene, robot }), scene)!;
  expect(check(held.trajectory).faults).toEqual([]);
  const untimed = { ...free.trajectory, points: free.trajectory.points.map(({ positions }) => ({ positions })) };
  const atRest = check(untimed).faults; // however slowly it moves
  expect(atRest.map(({ joint, isFound }) => [joint, isFound])).toEqual([['shoulder_lift_joint', true]]);
});
