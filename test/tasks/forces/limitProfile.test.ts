import { assert, expect, test } from 'vitest';
import type { Scene } from '../../../src/core/scene/scene.ts';
import { loadScene } from '../../../src/host/node/files.ts';
import { activeLimits, limitProfile } from '../../../src/tasks/forces/limitProfile.ts';
import { planScene } from '../../../src/tasks/planScene.ts';
import { createSceneRobot } from '../../../src/tasks/sceneRobot.ts';

test('a motion is at its acceleration limit, at that of torque with weak drives, and at that of momentum if that is low', async () => {
  const { scene, robot } = await loadScene('scenes/table-top.yaml');
  const efforts = { shoulder_pan_joint: 5, shoulder_lift_joint: 45, elbow_joint: 20 };
  const limited: Scene = { ...scene, torque: { scale: 1 }, robot: { ...scene.robot, efforts } };
  const slow: Scene = { ...scene, constraints: [{ type: 'momentum', most: 2 } as const] };
  const used = [scene, limited, slow].map((one) => {
    const { trajectory } = planScene({ scene: one, robot });
    assert(trajectory);
    const model = createSceneRobot({ scene: one, robot });
    const end = trajectory.points.at(-1)!.time_from_start!;
    const times = activeLimits({ scene: one, model }, trajectory).active_limits!;
    const { active, torques, power } = limitProfile(model, one, trajectory, [{ from: 0, to: end, scene: one }]);
    for (const [i, { from, to }] of active.entries()) expect(from >= (active[i - 1]?.to ?? 0) && to <= end).toBe(true);
    expect(Object.values(times).reduce((sum, time) => sum + time, 0)).toBeLessThanOrEqual(end + 1e-6);
    for (const { points } of torques) for (const [, ratio] of points) expect(Math.abs(ratio)).toBeLessThanOrEqual(1);
    return { times, end, torques: torques.length, power: power.length };
  });
  expect(used[0].times.acceleration).toBeGreaterThan(0.8 * used[0].end);
  expect(used[0].torques).toBe(0);
  expect(used[1].times.torque).toBeGreaterThan(0.3 * used[1].end);
  expect(used[1].torques).toBe(6);
  expect(used[2].times.momentum).toBeGreaterThan(0.5 * used[2].end);
  expect(used[2].power).toBeGreaterThanOrEqual(1000);
});
