import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { CollisionModel } from '../../../src/core/collision/model/collisionModel.ts';
import { CollisionManager } from '../../../src/core/collision/states/collisionManager.ts';
import { jointsOutOfLimits } from '../../../src/core/collision/validators/robotJointSpace.ts';
import { ConstraintSet } from '../../../src/core/constraints/constraintSet.ts';
import { forwardKinematics, RobotState } from '../../../src/core/kinematics/forwardKinematics.ts';
import { ELBOW, framePose, type ToolCenterPoint, tcpOf } from '../../../src/core/kinematics/toolCenterPoint.ts';
import { planners } from '../../../src/core/planning/index.ts';
import { isForceConstraint, type PathConstraint } from '../../../src/core/scene/constraints.ts';
import type { Trajectory } from '../../../src/core/trajectory/trajectory.ts';
import { loadScene } from '../../../src/host/node/files.ts';
import type { InvalidEndpoint } from '../../../src/tasks/planning/endpointDiagnosis.ts';
import { planMotion } from '../../../src/tasks/planning/planMotion.ts';
import { resolveStartAndGoals } from '../../../src/tasks/planning/startAndGoals.ts';
import { createSceneRobot } from '../../../src/tasks/sceneRobot.ts';
import { few } from '../../cases.ts';
import { chained, linkPose, type OraclePose, oracleExcess, poseOf } from '../../core/constraints/constraintOracle.ts';

const load = (name: string) => loadScene(fileURLToPath(new URL(`../../../scenes/${name}.yaml`, import.meta.url)));
const waiter = await load('waiter');
const camera = await load('camera-in-region');
const slow = await load('slow-zone');
const SAMPLES = 200;

/** Calls `visit` with the time and position at `SAMPLES` times of each Hermite cubic, or line of a path. */
function sample({ points }: Trajectory, visit: (q: number[], time: number, segment: number) => void): void {
  for (let k = 1; k < points.length; k++) {
    const [from, to] = [points[k - 1], points[k]];
    const isTimed = to.time_from_start !== undefined;
    const T = isTimed ? to.time_from_start - from.time_from_start! : 1;
    for (let i = 0; i <= SAMPLES; i++) {
      const s = i / SAMPLES;
      const q = Array.from(from.positions, (x0, j) => {
        const x1 = to.positions[j];
        if (!isTimed) return x0 + s * (x1 - x0);
        const [v0, v1] = [T * from.velocities![j], T * to.velocities![j]];
        return x0 + s * (v0 + s * (3 * (x1 - x0) - 2 * v0 - v1 + s * (2 * (x0 - x1) + v0 + v1)));
      });
      visit(q, s * T, k);
    }
  }
}

/** Pose of a frame; the elbow of a UR arm is the origin of its forearm. */
function poseAt({ robot }: typeof waiter, names: readonly string[], q: readonly number[], frame: ToolCenterPoint) {
  const link = frame.isElbow ? 'forearm_link' : frame.link!;
  return chained(linkPose(robot, new Map(names.map((name, j) => [name, q[j]])), link), poseOf(frame.pose));
}

/** Returns the largest excess of the constraints of a scene along a trajectory: radians, metres or m/s. */
function worst(problem: typeof waiter, trajectory: Trajectory): number {
  const { scene } = problem;
  const names = createSceneRobot(problem).variables.map(({ name }) => name);
  expect(trajectory.jointNames).toEqual(names);
  const framed = (given?: ToolCenterPoint) => given ?? scene.tcp!;
  let most = Number.NEGATIVE_INFINITY;
  for (const one of scene.constraints!) {
    let before: { p: OraclePose['p']; time: number; segment: number } | undefined;
    sample(trajectory, (q, time, segment) => {
      if (one.type === 'joint') {
        const value = q[names.indexOf(one.joint)];
        most = Math.max(most, one.range[0] - value, value - one.range[1]);
        return;
      }
      if (one.type === 'joint_speed' || isForceConstraint(one)) return;
      const pose = poseAt(problem, names, q, framed(one.frame));
      if (one.type !== 'speed') {
        most = Math.max(most, oracleExcess(one, pose));
        return;
      }
      if (before && before.segment === segment && time > before.time) {
        const distance = Math.hypot(...pose.p.map((x, i) => x - before!.p[i]));
        most = Math.max(most, distance / (time - before.time) - one.most * (1 + 1e-6));
      }
      before = { p: pose.p, time, segment };
    });
  }
  return most;
}

const orientation: PathConstraint = {
  type: 'orientation',
  quat_wxyz: [1, 0, 0, 0],
  within: [0.2, 0.2, Math.PI],
};
const thin = waiter.scene.constraints!.map((one) => (one.type === 'tilt' ? { ...one, within: 0.05 } : one));
const thinner = waiter.scene.constraints!.map((one) => (one.type === 'tilt' ? { ...one, within: Math.PI / 180 } : one));
/** Planes about the post of slow-zone; two are as far apart as stated, about the height of its start and goal. */
const between = (width: number): PathConstraint[] =>
  [1, -1].flatMap((side) => [
    plane([0, 0, side], [0, 0, HEIGHT + (side * width) / 2]),
    plane([0, side, 0], [0, 0.9 * side, 0]),
    { ...plane([0, 0, side], [0, 0, 0.6 + side * 0.4]), frame: ELBOW },
  ]);
const plane = (
  normal: readonly number[],
  xyz: readonly [number, number, number],
): PathConstraint & { type: 'region' } => ({
  type: 'region',
  shape: { type: 'halfspace', normal },
  pose: { xyz, quat_wxyz: [1, 0, 0, 0] },
});
/** Height of the TCP at the start and the goal of slow-zone, metres. */
const UR = createSceneRobot(slow).variables.map(({ name }) => name);
const HEIGHT = poseAt(slow, UR, slow.scene.start as number[], slow.scene.tcp!).p[2];
const planes = (width: number) => ({ ...slow, scene: { ...slow.scene, constraints: between(width) } });
const problems: readonly [string, typeof waiter, object][] = [
  ['waiter', waiter, {}],
  ['waiter without times', waiter, { timing: false }],
  ['waiter, orientation', { ...waiter, scene: { ...waiter.scene, constraints: [orientation] } }, {}],
  ['waiter, 0.05 rad', { ...waiter, scene: { ...waiter.scene, constraints: thin } }, {}],
  ['waiter, 1 deg', { ...waiter, scene: { ...waiter.scene, constraints: thinner } }, {}],
  ...Object.keys(planners).map(
    (planner) => [`waiter, ${planner}`, waiter, { planner, iterations: 1500 }] as [string, typeof waiter, object],
  ),
  ['camera-in-region', camera, {}],
  ['camera-in-region, prm', camera, { planner: 'prm' }],
  ['slow-zone', slow, {}],
  ['planes 0.5 m apart', planes(0.5), {}],
  ['planes 0.5 m apart, prm', planes(0.5), { planner: 'prm' }],
  ['planes 0.05 m apart', planes(0.05), {}],
];

test.each(problems)('%s: no sample of the plans violates a constraint', (_, problem, options) => {
  const seeds = 'planner' in options ? [1] : few([1, 2, 3], [1]);
  const plans = seeds.map((seed) => planMotion(problem, { seed, ...options }));
  for (const { trajectory } of plans) if (trajectory) expect(worst(problem, trajectory)).toBeLessThanOrEqual(2e-9);
  expect(plans.map(({ status }) => status)).toEqual(seeds.map(() => 'solved'));
});

test('planes that are not near each other are kept like obstacles: no state is projected', () => {
  const isRoomy = (constraints: readonly PathConstraint[]) =>
    new ConstraintSet(createSceneRobot(slow), constraints, slow.scene.tcp).isRoomy;
  expect(isRoomy(between(0.5))).toBe(true);
  expect(isRoomy(between(0.1))).toBe(false);
  expect(isRoomy(slow.scene.constraints!)).toBe(true);
  expect(isRoomy([...between(0.5), orientation])).toBe(false);
  expect(isRoomy(camera.scene.constraints!)).toBe(false);
  // Nearly opposite, and through one point: no room between them.
  expect(isRoomy([plane([0, 0, 2], [1, 0, 0.3]), plane([0, 0.1, -1], [1, 0, 0.3])])).toBe(false);
  expect(isRoomy([plane([0, 0, 2], [1, 0, 0.3]), plane([0, 1, -0.1], [1, 0, 0.3])])).toBe(true);
});

const tilt = (within: number, towards: readonly [number, number, number]): PathConstraint => ({
  type: 'tilt',
  axis: [0, 0, 1],
  towards,
  within,
});
const withConstraints = (constraints: PathConstraint[]) => ({ ...waiter, scene: { ...waiter.scene, constraints } });

test('a start or goal that violates a constraint is named', () => {
  const start = planMotion(withConstraints([{ name: 'low', ...tilt(0.2, [0, 0, -1]) }]));
  expect(start).toMatchObject({ status: 'start-breaks-constraint', trajectory: undefined });
  expect(start.reason).toContain('"low"');
  const goal = planMotion(withConstraints([{ type: 'joint', joint: 'shoulder_pan_joint', range: [-2, -1] }]));
  expect(goal).toMatchObject({ status: 'goal-breaks-constraint', trajectory: undefined });
  expect(goal.reason).toContain('"joint"');
});

test('the nearest state named for an invalid start or goal is valid: within limits and constraints, collision-free', () => {
  const { scene } = waiter;
  const model = createSceneRobot(waiter);
  const given = scene.constraints!;
  const manager = new CollisionManager(new CollisionModel(model, scene));
  const set = new ConstraintSet(model, given, scene.tcp);
  const tilted = [...(scene.start as readonly number[])];
  tilted[3] += 0.5;
  const colliding = [...tilted];
  colliding[1] += 1.2;
  for (const [start, status] of [
    [tilted, 'start-breaks-constraint'],
    [colliding, 'start-in-collision'],
  ] as const) {
    const result = resolveStartAndGoals(model, { ...scene, start }, manager) as InvalidEndpoint;
    expect(result.status).toBe(status);
    const nearest = result.details[0].nearest_free!;
    expect(result.reason).toContain('the nearest valid state found is');
    const q = Float64Array.from(nearest.q);
    expect(set.violated(q)).toEqual([]);
    expect(manager.isCollisionFree(q)).toBe(true);
    expect(jointsOutOfLimits(model, q)).toEqual([]);
    expect(nearest.distance).toBeGreaterThan(0);
  }
  // The tilt is 0.5 rad and may be 10 deg: the nearest state turns all three joints of the plane by equal angles.
  const { details } = resolveStartAndGoals(model, { ...scene, start: tilted }, manager) as InvalidEndpoint;
  expect(details[0].nearest_free!.distance).toBeLessThan(1.2 * ((0.5 - Math.PI / 18) / Math.sqrt(3)));
});

test('IK solutions of a pose goal are searched, and projected, until they satisfy the constraints', async () => {
  const arm7 = await load('arm7-alcove');
  const robot = createSceneRobot(arm7);
  const start = [0.3, 0.6, -0.4, -1.5, 0.2, 1.8, 0.1];
  const state = new RobotState(robot);
  forwardKinematics(state, Float64Array.from([1, 0.5, -0.4, -1.4, 0.3, 1.7, 0]));
  const pose = { ...framePose(state, tcpOf(robot)), tolerance: { position: 1e-4, angle: 1e-3 } };
  const scene = { ...arm7.scene, obstacles: [], allow: [], start, goals: [{ kind: 'pose' as const, pose }] };
  // One posture of a redundant arm in a range of 1e-4 rad: random IK solutions are never within it.
  const range = [-0.40005, -0.39995] as const;
  const constraints = [{ type: 'joint' as const, joint: robot.variables[2].name, range }];
  const { status, reason, trajectory } = planMotion({ ...arm7, scene: { ...scene, constraints } });
  expect(status, reason).toBe('solved');
  const last = trajectory!.points.at(-1)!.positions;
  expect(Math.abs(last[2] + 0.4)).toBeLessThanOrEqual(5.1e-5);
});
