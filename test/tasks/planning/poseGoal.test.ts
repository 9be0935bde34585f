import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { CollisionModel } from '../../../src/core/collision/model/collisionModel.ts';
import { CollisionManager } from '../../../src/core/collision/states/collisionManager.ts';
import { jointsOutOfLimits } from '../../../src/core/collision/validators/robotJointSpace.ts';
import { forwardKinematics, RobotState } from '../../../src/core/kinematics/forwardKinematics.ts';
import { poseError, transformOfPose } from '../../../src/core/kinematics/pose.ts';
import type { RobotModel } from '../../../src/core/kinematics/robotModel.ts';
import { IDENTITY_POSE, type Obstacle, type PoseGoal, type Scene } from '../../../src/core/scene/scene.ts';
import { loadScene } from '../../../src/host/node/files.ts';
import { planMotion } from '../../../src/tasks/planning/planMotion.ts';
import { resolveStartAndGoals } from '../../../src/tasks/planning/startAndGoals.ts';
import { createSceneRobot } from '../../../src/tasks/sceneRobot.ts';

const loaded = await loadScene(fileURLToPath(new URL('../../../scenes/grasp-by-pose.yaml', import.meta.url)));
const poses = loaded.scene.goals.map((goal) => (goal as { pose: PoseGoal }).pose);

function endsOf(scene: Scene) {
  const robot = createSceneRobot({ scene, robot: loaded.robot });
  const manager = new CollisionManager(new CollisionModel(robot, scene));
  return { robot, manager, ends: resolveStartAndGoals(robot, scene, manager) };
}

/** Is the link where a goal wants it, as nearly as it wants? */
function meets(robot: RobotModel, q: Float64Array, goal: PoseGoal): boolean {
  const state = new RobotState(robot);
  forwardKinematics(state, q);
  const error = new Float64Array(6);
  const T = state.T_world_link[robot.links.findIndex(({ name }) => name === goal.link)];
  poseError(error, T, transformOfPose(goal));
  const [position, angle] = [Math.hypot(...error.slice(0, 3)), Math.hypot(...error.slice(3))];
  return position <= goal.tolerance.position && angle <= (goal.tolerance.angle as number);
}

const ball = (xyz: readonly [number, number, number], radius: number): Obstacle => ({
  name: 'ball',
  parts: [{ shape: { type: 'sphere', radius } }],
  pose: { ...IDENTITY_POSE, xyz },
});

test('goals of a pose meet it within its tolerance, are free, within limits and the nearest to the start first', () => {
  const { robot, manager, ends } = endsOf(loaded.scene);
  if ('status' in ends) throw new Error(ends.reason);
  expect(ends.goals.length).toBeGreaterThan(8);
  const away = ends.goals.map((goal) => Math.hypot(...goal.map((value, i) => value - ends.start[i])));
  expect(away).toEqual([...away].sort((a, b) => a - b));
  for (const goal of ends.goals) {
    expect(poses.some((pose) => meets(robot, goal, pose))).toBe(true);
    expect(jointsOutOfLimits(robot, goal)).toEqual([]);
    expect(manager.isCollisionFree(goal)).toBe(true);
  }
  // Both ways round, and the same pose more than once, a full turn apart.
  for (const pose of poses) expect(ends.goals.some((goal) => meets(robot, goal, pose))).toBe(true);
  const turned = ends.goals.some((a) =>
    ends.goals.some((b) => a !== b && a.every((value, i) => Math.abs(Math.sin((value - b[i]) / 2)) < 1e-9)),
  );
  expect(turned).toBe(true);
});

test('an arm with joints to spare is offered many postures for one pose, none of them twice', async () => {
  const alcove = await loadScene(fileURLToPath(new URL('../../../scenes/arm7-alcove.yaml', import.meta.url)));
  const pose = { link: 'flange', xyz: [0.6, 0.1, 0.3], quat_wxyz: [Math.SQRT1_2, 0, Math.SQRT1_2, 0] } as const;
  const goal: PoseGoal = { ...pose, tolerance: { position: 1e-4, angle: 1e-3 } };
  const scene = { ...alcove.scene, goals: [{ kind: 'pose', pose: goal } as const] };
  const robot = createSceneRobot({ scene, robot: alcove.robot });
  const manager = new CollisionManager(new CollisionModel(robot, scene));
  const ends = resolveStartAndGoals(robot, scene, manager);
  if ('status' in ends) throw new Error(ends.reason);
  expect(ends.goals.length).toBeGreaterThan(16);
  for (const [i, q] of ends.goals.entries()) {
    expect(meets(robot, q, goal) && manager.isCollisionFree(q)).toBe(true);
    for (const other of ends.goals.slice(0, i)) {
      expect(Math.max(...q.map((value, k) => Math.abs(value - other[k])))).toBeGreaterThan(1e-3);
    }
  }
  const away = ends.goals.map((q) => Math.hypot(...q.map((value, i) => value - ends.start[i])));
  expect(away).toEqual([...away].sort((a, b) => a - b));
});

test('twenty seeds each end in one of the poses, and half of them within a fifth of the shortest way', () => {
  const { robot } = endsOf(loaded.scene);
  const lengths: number[] = [];
  for (let seed = 1; seed <= 20; seed++) {
    const { status, trajectory, stats } = planMotion(loaded, { seed });
    expect(status).toBe('solved');
    const end = Float64Array.from(trajectory!.points.at(-1)!.positions);
    expect(poses.some((pose) => meets(robot, end, pose))).toBe(true);
    lengths.push(stats.path_length!);
  }
  lengths.sort((a, b) => a - b);
  expect(lengths[10]).toBeLessThan(1.2 * lengths[0]);
});

test('one reachable and free goal among several is enough', () => {
  const far: PoseGoal = { ...poses[0], xyz: [3, 0, 0] };
  const goals = [far, poses[1]].map((pose) => ({ kind: 'pose', pose }) as const);
  const { ends } = endsOf({ ...loaded.scene, goals });
  expect(ends).not.toHaveProperty('status');
});

test.each([
  [
    'out of reach',
    { xyz: [2, 0, 0.1625] },
    /^the goal cannot be reached: out of reach by at least 1030 mm: tool0 gets at most 969 mm away/,
  ],
  [
    'out of reach of the wrist',
    { xyz: [0, 0, 1.1], quat_wxyz: [0, 1, 0, 0] },
    /out of reach by at least 111 mm in this orientation: the wrist/,
  ],
  [
    'inside the column',
    { xyz: [0, 0, 0.3] },
    /^the goal cannot be reached: no IK solution: from 200 start configurations, tool0 gets within/,
  ],
] as const)('a pose %s says so, and by how much', (_, change, expected) => {
  const goal = { kind: 'pose', pose: { ...poses[0], ...change } } as const;
  const { status, reason, trajectory } = planMotion({ ...loaded, scene: { ...loaded.scene, goals: [goal] } });
  expect(status).toBe('goal-unreachable');
  expect(reason).toMatch(expected);
  expect(reason).not.toContain('\n');
  expect(trajectory).toBeUndefined();
});

test('a pose whose solutions all collide names what with, and how deep', () => {
  const [x, y, z] = poses[0].xyz;
  const obstacles = [...loaded.scene.obstacles, ball([x, y, z], 0.1)];
  const { status, reason } = planMotion({ ...loaded, scene: { ...loaded.scene, obstacles } });
  expect(status).toBe('goal-in-collision');
  expect(reason).toMatch(
    /^goals\[0\]: all \d+ IK solutions of the goal collide, the shallowest: (gripper|wrist_\d_link) and ball overlap by [\d.]+ mm; /,
  );
});

test('a link that moves nothing cannot be brought anywhere', () => {
  const goal = { kind: 'pose', pose: { ...poses[0], link: 'base_link' } } as const;
  const { status } = planMotion({ ...loaded, scene: { ...loaded.scene, goals: [goal] } });
  expect(status).toBe('goal-unreachable');
});
