import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { CollisionModel } from '../../../src/core/collision/model/collisionModel.ts';
import { CollisionManager } from '../../../src/core/collision/states/collisionManager.ts';
import { forwardKinematics, RobotState } from '../../../src/core/kinematics/forwardKinematics.ts';
import type { ToolCenterPoint } from '../../../src/core/kinematics/toolCenterPoint.ts';
import type { PoseGoal, Scene } from '../../../src/core/scene/scene.ts';
import { loadScene } from '../../../src/host/node/files.ts';
import { explainFailure } from '../../../src/tasks/planning/explanation/explainFailure.ts';
import { planMotion } from '../../../src/tasks/planning/planMotion.ts';
import { resolveStartAndGoals } from '../../../src/tasks/planning/startAndGoals.ts';
import { createSceneRobot } from '../../../src/tasks/sceneRobot.ts';

const loaded = await loadScene(fileURLToPath(new URL('../../../scenes/grasp-by-pose.yaml', import.meta.url)));
const [first] = loaded.scene.goals.map((goal) => (goal as { pose: PoseGoal }).pose);
const robot = createSceneRobot(loaded);

const tcp: ToolCenterPoint = { link: 'tool0', pose: { xyz: [0, 0.03, 0.1], quat_wxyz: [1, 0, 0, 0] } };
const down = [0, 1, 0, 0] as const; // z down, x forward, y to the right

function goalsOf(scene: Scene) {
  const ends = resolveStartAndGoals(robot, scene, new CollisionManager(new CollisionModel(robot, scene)));
  if ('status' in ends) throw new Error(ends.reason);
  return ends.goals;
}

/** Position of the TCP and its axes at q, computed from the pose of tool0. */
function toolAt(q: Float64Array) {
  const state = new RobotState(robot);
  forwardKinematics(state, q);
  const T = state.T_world_link[robot.links.findIndex(({ name }) => name === 'tool0')];
  const [x, y, z] = tcp.pose.xyz;
  const point = [0, 1, 2].map((i) => T[4 * i] * x + T[4 * i + 1] * y + T[4 * i + 2] * z + T[4 * i + 3]);
  return { point, zAxis: [T[2], T[6], T[10]], xAxis: [T[0], T[4], T[8]] };
}

test('a pose goal without link is one of the TCP, with any yaw if its z axis is free', () => {
  const tolerance = { position: 1e-4, angle: [1e-3, 1e-3, Math.PI] as const };
  const pose: PoseGoal = { xyz: [0.42, -0.38, 0.25], quat_wxyz: down, tolerance };
  const goals = goalsOf({ ...loaded.scene, tcp, goals: [{ kind: 'pose', pose }] });
  const yaws = new Set<number>();
  for (const q of goals) {
    const { point, zAxis, xAxis } = toolAt(q);
    expect(Math.hypot(...point.map((c, i) => c - pose.xyz[i]))).toBeLessThan(1e-4 + 1e-9);
    expect(zAxis[2]).toBeLessThan(-Math.cos(4e-3));
    yaws.add(Math.round(10 * Math.atan2(xAxis[1], xAxis[0])));
  }
  expect(yaws.size).toBeGreaterThan(5);
});

test('a pose relative to an obstacle moves and turns with it', () => {
  const half = Math.SQRT1_2;
  const basket = {
    name: 'basket',
    parts: [{ shape: { type: 'box', size: [0.05, 0.05, 0.05] } as never }],
    pose: { xyz: [0.4, -0.35, 0.05], quat_wxyz: [half, 0, 0, half] } as const,
  };
  const pose: PoseGoal = {
    xyz: [0.02, 0, 0.2],
    quat_wxyz: down,
    relativeTo: 'basket',
    tolerance: { position: 1e-4, angle: 1e-3 },
  };
  const { obstacles } = loaded.scene;
  const scene: Scene = { ...loaded.scene, tcp, obstacles: [...obstacles, basket], goals: [{ kind: 'pose', pose }] };
  const goals = goalsOf(scene);
  expect(goals.length).toBeGreaterThan(0);
  for (const q of goals) {
    const { point, xAxis } = toolAt(q);
    expect(Math.hypot(point[0] - 0.4, point[1] + 0.33, point[2] - 0.25)).toBeLessThan(1e-4 + 1e-9);
    expect(xAxis[1]).toBeGreaterThan(0.999);
  }
  const away = { ...scene, obstacles };
  expect(() => goalsOf(away)).toThrow('relative_to: it is "basket", there is no such obstacle');
});

test('an explanation without the obstacle keeps the goal that is relative to it', () => {
  const blocked: Scene = {
    ...loaded.scene,
    goals: [{ kind: 'pose', pose: { ...first, link: 'tool0', xyz: [0, 0, 0.02], relativeTo: 'table' } }],
  };
  const problem = { ...loaded, scene: blocked };
  const answer = planMotion(problem);
  expect(answer.status).toBe('goal-in-collision');
  expect(explainFailure(problem, answer).without.map(({ names }) => names)).toContainEqual(['table']);
});

test('a robot with two end effectors refuses a pose without link, and the note states how to define a TCP', async () => {
  const dual = await loadScene(fileURLToPath(new URL('../../../scenes/dual-arm-shelf.yaml', import.meta.url)));
  const { link: _, ...pose } = first;
  const scene: Scene = { ...dual.scene, goals: [{ kind: 'pose', pose }] };
  expect(() => planMotion({ ...dual, scene })).toThrow(/ambiguous.*left_tool0, right_tool0/);
});
