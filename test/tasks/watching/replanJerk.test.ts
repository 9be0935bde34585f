import { expect, test } from 'vitest';
import type { Trajectory } from '../../../src/core/trajectory/trajectory.ts';
import { motionFaults } from '../../../src/core/trajectory/trajectoryLimits.ts';
import { loadScene } from '../../../src/host/node/files.ts';
import { planMotion } from '../../../src/tasks/planning/planMotion.ts';
import { createSceneRobot, motionLimitsOf } from '../../../src/tasks/sceneRobot.ts';
import { replanMotion } from '../../../src/tasks/watching/replanMotion.ts';

const loaded = await loadScene('scenes/two-ur5e-bins-left.yaml');
const names = loaded.robot.joints.filter(({ type }) => type !== 'fixed').map(({ name }) => name);
const limits = Object.fromEntries(names.map((name) => [name, { velocity: 2, acceleration: 4, jerk: 20 }]));
const { obstacles: _, steps: __, ...rest } = loaded.scene;
const scene = {
  ...rest,
  robot: { ...loaded.scene.robot, limits },
  obstacles: [],
  attached: [],
  allow: [],
  start: [-1, -1.4, 1.6, -1.8, -1.57, 0],
  goals: [{ kind: 'joints' as const, joints: [1, -1.2, 1.4, -1.8, -1.57, 0.5] }],
};
const problem = { scene, robot: loaded.robot, model: createSceneRobot({ scene, robot: loaded.robot }) };

/** Value of derivative `order` of joint j on a cubic Hermite piece, by its own formula. */
function onPiece({ points }: Trajectory, k: number, j: number, u: number, order: 0 | 1 | 2): number {
  const [from, to] = [points[k], points[k + 1]];
  const T = to.time_from_start! - from.time_from_start!;
  const [x, y, v, w] = [from.positions[j], to.positions[j], from.velocities![j], to.velocities![j]];
  const c2 = (3 * (y - x)) / T / T - (2 * v + w) / T;
  const c3 = (2 * (x - y)) / T / T / T + (v + w) / T / T;
  return [x + u * (v + u * (c2 + u * c3)), v + u * (2 * c2 + u * 3 * c3), 2 * c2 + 6 * c3 * u][order];
}

test('a new motion joins the old one without a jump of the acceleration of joints with jerk limits', () => {
  const old = planMotion(problem).trajectory!;
  const end = old.points.at(-1)!.time_from_start!;
  const bad: unknown[] = [];
  let moving = 0;
  for (let i = 0; i < 10; i++) {
    const now = (end * (i + 0.3)) / 10;
    const found = replanMotion(problem, old, { now, until: now + 1e-6 });
    if (!found.trajectory) {
      bad.push([i, found.reason]);
      continue;
    }
    const { trajectory, from } = found;
    expect(
      motionFaults(trajectory, motionLimitsOf(problem.model, scene)).filter((f) => f.kind !== 'velocity-jump'),
    ).toEqual([]);
    const k = old.points.findLastIndex(({ time_from_start }) => time_from_start! <= from);
    for (const j of names.keys())
      for (const order of [0, 1, 2] as const) {
        const before = onPiece(old, k, j, from - old.points[k].time_from_start!, order);
        const after = onPiece(trajectory, 0, j, 0, order);
        if (order === 2 && Math.abs(before) > 0.5) moving++;
        if (!(Math.abs(after - before) <= 1e-5)) bad.push([i, j, order, before, after]);
      }
  }
  expect(bad).toEqual([]);
  expect(moving).toBeGreaterThan(4);
});
