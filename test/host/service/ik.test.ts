import { describe, expect, test } from 'vitest';
import { createRobotModel } from '../../../src/core/kinematics/createRobotModel.ts';
import { forwardKinematics, RobotState } from '../../../src/core/kinematics/forwardKinematics.ts';
import { poseOfTransform } from '../../../src/core/kinematics/pose.ts';
import type { JointDescription } from '../../../src/core/kinematics/robotModel.ts';
import { tipLinks } from '../../../src/core/kinematics/toolCenterPoint.ts';
import { Random } from '../../../src/core/math/random.ts';
import { IDENTITY_POSE } from '../../../src/core/scene/scene.ts';
import { call, checker, drawn, model, open, scene, sessionsOf } from './shelf.ts';

/** The pose of the tool at q, as requests have it. */
function poseAt(q: readonly number[]) {
  const state = new RobotState(model);
  forwardKinematics(state, Float64Array.from(q));
  const { xyz, quat_wxyz } = poseOfTransform(state.T_world_link[tipLinks(model)[0]]);
  return { xyz: [...xyz], quat_wxyz: [...quat_wxyz] };
}

const distance = (a: readonly number[], b: readonly number[]) => Math.hypot(...a.map((x, i) => x - b[i]));
const solutionsOf = (answer: { result?: unknown }) => (answer.result as { solutions: number[][] }).solutions;

describe('ik', () => {
  test('the tip of the bundled robot is its tool', () => {
    expect(tipLinks(model).map((link) => model.links[link].name)).toEqual(['tool0']);
  });

  test('solutions reach the pose within 1e-6; the collision-free ones are those that validate accepts', async () => {
    const session = open();
    const random = new Random(5);
    let colliding = 0;
    for (let i = 0; i < 40; i++) {
      const pose = poseAt(drawn(random));
      const all = solutionsOf(await call(session, 'ik', { pose, link: 'tool0' }));
      expect(all.length).toBeGreaterThan(0);
      for (const q of all) {
        const reached = poseAt(q);
        expect(distance(reached.xyz, pose.xyz)).toBeLessThan(2e-6);
        const cosine = reached.quat_wxyz.reduce((sum, x, k) => sum + x * pose.quat_wxyz[k], 0);
        expect(2 * Math.acos(Math.min(1, Math.abs(cosine)))).toBeLessThan(2e-6);
      }
      const valid = all.filter((q) => checker.isValid(q));
      const answer = await call(session, 'ik', { pose, collision_free: true });
      expect(solutionsOf(answer)).toEqual(valid);
      if (valid.length === 0) expect(answer.result).toMatchObject({ reason: expect.stringContaining('collide') });
      colliding += all.length - valid.length;
      expect(solutionsOf(await call(session, 'ik', { pose, most: 2 }))).toEqual(all.slice(0, 2));
    }
    expect(colliding).toBeGreaterThan(20);
  });

  test('collisions are those of the scene of the session', async () => {
    const session = open();
    const pose = poseAt(checker.robot.variables.map((_, i) => [-0.558, -0.925, 1.257, -0.314, 1.012, 1.571][i]));
    const before = solutionsOf(await call(session, 'ik', { pose, collision_free: true }));
    expect(before.length).toBeGreaterThan(0);
    await call(session, 'scene.add', { body: { name: 'ball', type: 'sphere', radius: 0.2, pose: { xyz: pose.xyz } } });
    const answer = await call(session, 'ik', { pose, collision_free: true });
    expect(answer.result).toMatchObject({ solutions: [], reason: expect.stringMatching(/collide.*ball/) });
  });

  test('a pose that cannot be reached has a reason, and bad parameters an error', async () => {
    const session = open();
    const far = await call(session, 'ik', { pose: { xyz: [5, 0, 0] } });
    expect(far.result).toMatchObject({ solutions: [], reason: expect.stringContaining('out of reach by at least') });
    const bad = async (params: object) => (await call(session, 'ik', params)).error;
    expect(await bad({})).toMatchObject({ code: -32602, message: expect.stringContaining('params.pose') });
    const pose = { xyz: [0.4, 0.1, 0.4] };
    expect(await bad({ pose, link: 'tool9' })).toMatchObject({
      code: -32602,
      message: expect.stringContaining('tool9'),
    });
    expect(await bad({ pose, most: 0 })).toMatchObject({ code: -32602 });
    expect(await bad({ pose, most: 1e9 })).toMatchObject({ code: -32602 });
    expect(await bad({ pose, seed: 0.5 })).toMatchObject({ code: -32602 });
    expect(await bad({ pose, tolerance: { position: 0, angle: 1 } })).toMatchObject({ code: -32602 });
    expect(await bad({ pose: { quat_wxyz: [0, 0, 0, 0] } })).toMatchObject({ code: -32602 });
    expect(await bad({ pose: { rpy: [0, 0, 0], quat_wxyz: [1, 0, 0, 0] } })).toMatchObject({ code: -32602 });
    expect(await bad({ pose, near: [0] })).toMatchObject({ code: -32602 });
  });

  test('a chain of 1,000 joints is solved, and ends at the time limit', { timeout: 60_000 }, async () => {
    const robot = chain(1000);
    const emptyScene = { ...scene, start: undefined, goals: [], obstacles: [], attached: [], allow: [] };
    const { start: _, ...noStart } = emptyScene;
    const service = sessionsOf({ robot, scene: noStart, version: '0', limits: { time: 3 } });
    const session = service.open();
    const q = Float64Array.from(robot.variables, (_, i) => 0.002 * Math.sin(i));
    const state = new RobotState(robot);
    forwardKinematics(state, q);
    const { xyz, quat_wxyz } = poseOfTransform(state.T_world_link.at(-1)!);
    const pose = { xyz: [...xyz], quat_wxyz: [...quat_wxyz] };
    const began = performance.now();
    const [solved, reached] = await Promise.all([
      call(session, 'ik', { pose, most: 1 }),
      call(service.open(), 'ik', { pose: { xyz: [1e6, 0, 0] } }),
    ]);
    expect(solutionsOf(solved)).toHaveLength(1);
    expect(reached.result).toMatchObject({ solutions: [], reason: expect.stringContaining('out of reach') });
    const unsolvable = { xyz: [0, 0, 9.9999], rpy: [1.5, 0, 0] };
    const late = await call(session, 'ik', { pose: unsolvable, most: 1000 });
    if (late.error) expect(late.error).toMatchObject({ code: -32002 });
    expect(performance.now() - began).toBeLessThan(15_000);
  });
});

/** A chain of revolute joints about x and y in turn, 10 mm apart. */
function chain(count: number) {
  const sphere = { shape: { type: 'sphere', radius: 0.001 }, pose: IDENTITY_POSE, triangles: 0, source: 0 } as const;
  const links = Array.from({ length: count + 1 }, (_, i) => ({
    name: `link${i}`,
    collisions: i === count ? [sphere] : [],
  }));
  const joints = Array.from({ length: count }, (_, i): JointDescription => {
    const axis = i % 2 === 0 ? ([1, 0, 0] as const) : ([0, 1, 0] as const);
    const origin = { ...IDENTITY_POSE, xyz: [0, 0, 0.01] as const };
    const limits = { lower: -0.5, upper: 0.5, velocity: 1 };
    return { name: `j${i}`, type: 'revolute', parent: `link${i}`, child: `link${i + 1}`, origin, axis, ...limits };
  });
  const description = {
    name: 'chain',
    root: 'link0',
    links,
    joints,
    allowed: [],
    states: {},
    groups: {},
    warnings: [],
  };
  return createRobotModel(description);
}
