import { expect, test } from 'vitest';
import { balancedWeights } from '../../../src/core/collision/validators/robotJointSpace.ts';
import { createRobotModel } from '../../../src/core/kinematics/createRobotModel.ts';
import type { JointDescription, RobotDescription } from '../../../src/core/kinematics/robotModel.ts';
import { Random } from '../../../src/core/math/random.ts';
import { IDENTITY_POSE, type Scene } from '../../../src/core/scene/scene.ts';
import { planMotion } from '../../../src/tasks/planning/planMotion.ts';
import { planningSpace } from '../../../src/tasks/planning/planningSpace.ts';

const turn = 2 * Math.PI;
type GivenJoint = Partial<JointDescription> & Pick<JointDescription, 'type'>;

/** Bars of 0.5 m along x, each at the end of the one before. */
function barsOf(joints: readonly GivenJoint[]): RobotDescription {
  const bar = { shape: { type: 'box', size: [0.46, 0.04, 0.04] } as const, triangles: 0, source: 0 };
  const pose = { ...IDENTITY_POSE, xyz: [0.25, 0, 0] as const };
  return {
    name: 'bars',
    root: 'link0',
    links: Array.from({ length: joints.length + 1 }, (_, i) => ({
      name: `link${i}`,
      collisions: i === 0 ? [] : [{ ...bar, pose }],
    })),
    joints: joints.map((more, i) => ({
      name: `joint${i + 1}`,
      parent: `link${i}`,
      child: `link${i + 1}`,
      origin: { ...IDENTITY_POSE, xyz: [i === 0 ? 0 : 0.5, 0, 0] },
      axis: [0, 0, 1],
      velocity: 1,
      acceleration: 4,
      ...more,
    })),
    allowed: [],
    states: {},
    groups: {},
    warnings: [],
  };
}

const sceneWith = (more: Partial<Scene>): Scene => ({
  name: 'test',
  robot: { packages: {}, fixed: {}, limits: {}, pose: IDENTITY_POSE, parts: 'hull' },
  goals: [],
  equivalent: false,
  obstacles: [],
  attached: [],
  allow: [],
  padding: 0,
  ...more,
});

const goalAt = (joints: number[]) => [{ kind: 'joints', joints }] as const;
const pillar = (x: number, y: number) => ({
  name: `pillar ${x} ${y}`,
  parts: [{ shape: { type: 'sphere', radius: 0.08 } as const }],
  pose: { ...IDENTITY_POSE, xyz: [x, y, 0] as const },
});

/** A shoulder and an elbow that turn without end; the bars cannot hit each other. */
const endless = barsOf([{ type: 'continuous' }, { type: 'continuous' }]);

test('joints without end take the short way round, and the motion carries on over the turn without a jump', () => {
  const random = new Random(3);
  for (let round = 0; round < 60; round++) {
    const start = [random.between(-9, 9), random.between(-9, 9)];
    const goal = [random.between(-9, 9), random.between(-9, 9)];
    const problem = { scene: sceneWith({ start, goals: goalAt(goal) }), robot: endless };
    const { status, trajectory, stats } = planMotion(problem, { seed: round });
    expect(status).toBe('solved');
    const points = trajectory!.points.map(({ positions }) => positions);
    expect(points[0]).toEqual(start);
    // The straight motion is collision-free, so the path is the one to the nearest equivalent value of the goal.
    const nearest = goal.map((value, i) =>
      [-4, -3, -2, -1, 0, 1, 2, 3, 4]
        .map((k) => value + turn * k)
        .reduce((best, one) => (Math.abs(one - start[i]) < Math.abs(best - start[i]) ? one : best)),
    );
    for (const i of [0, 1]) expect(points[points.length - 1][i]).toBeCloseTo(nearest[i], 9);
    expect(stats.path_length).toBeCloseTo(
      Math.sqrt(nearest.reduce((sum, one, i) => sum + (one - start[i]) ** 2, 0)),
      9,
    );
  }
});

test('where the short way is barred, the way over the back is found, for equivalent goals too, and keeps within limits', () => {
  const bar = { start: [-0.6, 0.2], goals: goalAt([0.6, -0.2]), obstacles: [pillar(0.3, 0)] };
  for (const seed of [1, 2, 3, 4, 5]) {
    const { trajectory } = planMotion({ scene: sceneWith(bar), robot: endless }, { seed });
    const ends = trajectory!.points.map(({ positions }) => positions[0]);
    expect(ends[ends.length - 1]).toBeCloseTo(0.6 - turn, 9);

    // The same arm with limits of a turn and a half: only where the scene says so may it end a turn away.
    const limited = barsOf([{ type: 'revolute', lower: -1.5 * turn, upper: 1.5 * turn }, { type: 'continuous' }]);
    const other = planMotion({ scene: sceneWith({ ...bar, equivalent: true }), robot: limited }, { seed });
    const last = other.trajectory!.points[other.trajectory!.points.length - 1].positions;
    expect(last[0]).toBeCloseTo(0.6 - turn, 9);
    const stuck = planMotion({ scene: sceneWith(bar), robot: limited }, { seed, iterations: 300 });
    expect(stuck.status).toBe('no-path');
  }
});

test('distances and motions of joints without end are the least over all turns, those of others and of followed ones plain', () => {
  const robot = createRobotModel(
    barsOf([
      { type: 'continuous' },
      { type: 'revolute', lower: -4, upper: 4 },
      { type: 'continuous' },
      { type: 'continuous', mimic: { joint: 'joint3', multiplier: 0.5, offset: 0 } },
    ]),
  );
  const space = planningSpace(robot, { joint1: 2 });
  expect([...space.halfTurns!]).toEqual([Math.PI, Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY]);
  const random = new Random(6);
  const [a, b, q] = [new Float64Array(3), new Float64Array(3), new Float64Array(3)];
  for (let i = 0; i < 500; i++) {
    space.sample(a, random);
    space.sample(b, random);
    const first = Math.min(...[-1, 0, 1].map((k) => Math.abs(b[0] - a[0] + turn * k)));
    const expected = Math.sqrt((2 * first) ** 2 + (b[1] - a[1]) ** 2 + (b[2] - a[2]) ** 2);
    expect(space.distance(a, b)).toBeCloseTo(expected, 12);
    const t = random.next();
    space.interpolate(q, a, b, t);
    expect(Math.abs(q[0])).toBeLessThanOrEqual(Math.PI);
    expect(space.distance(a, q)).toBeCloseTo(t * expected, 10);
    expect(space.distance(q, b)).toBeCloseTo((1 - t) * expected, 10);
  }
});

test('slides count as the angle that moves the farthest point as far, a whole slide as a full turn at most', () => {
  const slide = (travel: number) => ({ type: 'prismatic', lower: 0, upper: travel }) as const;
  const angle = { type: 'revolute', lower: -3, upper: 3 } as const;
  const weightsOf = (...joints: GivenJoint[]) => balancedWeights(createRobotModel(barsOf(joints)));
  expect(weightsOf(angle, angle)).toEqual({});
  expect(weightsOf(slide(1), slide(2))).toEqual({});
  // One bar: its corner is 0.25 m + half the diagonal of the box from the axis, at most.
  const reach = 0.25 + Math.sqrt(0.23 ** 2 + 2 * 0.02 ** 2);
  expect(weightsOf(slide(1), angle)['joint1']).toBeCloseTo(1 / reach, 9);
  expect(weightsOf(slide(10), angle)['joint1']).toBeCloseTo(turn / 10, 12);
  expect(weightsOf({ type: 'prismatic', lower: -Infinity, upper: Infinity }, angle)['joint1']).toBeGreaterThan(0.1);
  expect(weightsOf(angle, slide(0.3))['joint2']).toBeCloseTo(1 / (0.5 + 0.3 + reach), 9);
});

test('a gantry with a turning head is planned for around a pillar, whatever its slides count', () => {
  const gantry = barsOf([
    { type: 'prismatic', lower: -3, upper: 3, axis: [1, 0, 0] },
    { type: 'prismatic', lower: -2, upper: 2, axis: [0, 1, 0], origin: IDENTITY_POSE },
    { type: 'continuous', origin: IDENTITY_POSE },
  ]);
  const links = gantry.links.map((link, i) => (i < 3 ? { ...link, collisions: [] } : link));
  const scene = sceneWith({ start: [-2, 0, 0], goals: goalAt([2, 0, 6]), obstacles: [pillar(0, 0), pillar(0, 0.6)] });
  for (const weights of [{}, { joint1: 0.2, joint2: 0.2 }, { joint1: 5, joint3: 0.1 }])
    for (const planner of ['rrt-connect', 'bit-star', 'lazy-prm'] as const) {
      const answer = planMotion({ scene, robot: { ...gantry, links } }, { planner, weights, iterations: 2000 });
      expect(answer.status).toBe('solved');
      const last = answer.trajectory!.points[answer.trajectory!.points.length - 1].positions;
      expect(last.slice(0, 2)).toEqual([2, 0]);
      expect(Math.cos(last[2])).toBeCloseTo(Math.cos(6), 9);
      expect(Math.sin(last[2])).toBeCloseTo(Math.sin(6), 9);
    }
});

test('weights of a scene count as those of the options do, which stand over them joint by joint', () => {
  const limits = { lower: -3, upper: 3 };
  const robot = barsOf([
    { type: 'revolute', ...limits },
    { type: 'revolute', ...limits },
  ]);
  const ends = { start: [-1, 0], goals: goalAt([1, 0.5]) };
  const lengthWith = (ofScene: Scene['weights'], ofOptions = {}) => {
    const scene = sceneWith({ ...ends, ...(ofScene && { weights: ofScene }) });
    return planMotion({ scene, robot }, { weights: ofOptions }).stats.path_length;
  };
  // The straight motion is collision-free, so the path length is its length.
  const length = (first: number, second: number) => Math.sqrt((2 * first) ** 2 + (0.5 * second) ** 2);
  expect(lengthWith(undefined)).toBeCloseTo(length(1, 1), 12);
  expect(lengthWith({ joint1: 3 })).toBeCloseTo(length(3, 1), 12);
  expect(lengthWith({ joint1: 3, joint2: 2 }, { joint2: 5 })).toBeCloseTo(length(3, 5), 12);
  expect(lengthWith({}, { joint1: 0.5 })).toBeCloseTo(length(0.5, 1), 12);
});

test('a weight of no joint, or of nothing, is refused', () => {
  const robot = createRobotModel(endless);
  expect(() => planningSpace(robot, { joint3: 1 })).toThrow(
    'a weight is given for "joint3", which is not a planned joint',
  );
  expect(() => planningSpace(robot, { joint1: 0 })).toThrow('the weight of joint1 is 0');
});
