import { expect, test } from 'vitest';
import { JointChains } from '../../../../src/core/collision/bounds/jointChains.ts';
import { CollisionModel } from '../../../../src/core/collision/model/collisionModel.ts';
import { PosedParts } from '../../../../src/core/collision/model/posedParts.ts';
import { StraightMotion } from '../../../../src/core/collision/motions/motion.ts';
import { MotionProver } from '../../../../src/core/collision/motions/motionProver.ts';
import { proverDefaults } from '../../../../src/core/collision/proofs/proverOptions.ts';
import { SelfPairTables } from '../../../../src/core/collision/selfPairs/selfPairTables.ts';
import { CollisionManager } from '../../../../src/core/collision/states/collisionManager.ts';
import { RobotJointSpace } from '../../../../src/core/collision/validators/robotJointSpace.ts';
import { createRobotModel } from '../../../../src/core/kinematics/createRobotModel.ts';
import type { JointDescription, Pose, RobotModel } from '../../../../src/core/kinematics/robotModel.ts';
import { Random } from '../../../../src/core/math/random.ts';
import { Separation } from '../../../../src/core/narrowphase/solver.ts';
import type { ShapeSpec } from '../../../../src/core/shapes/shape.ts';
import { loadRobot, loadScene } from '../../../../src/host/node/files.ts';
import { createSceneRobot } from '../../../../src/tasks/sceneRobot.ts';
import { randomRobot, sceneOf } from '../../../helpers/robots.ts';

const ROBOTS = ['arm7', 'dual12', 'gantry4', 'scara4', 'srs7', 'ur3e', 'ur5e', 'ur10e', 'ur20'];
const FULL_TURN = 2 * Math.PI;

/** A robot alone, its self-collision pairs that have a table, and exact distances. */
function setUp(robot: RobotModel) {
  const model = new CollisionModel(robot, sceneOf([]));
  const manager = new CollisionManager(model);
  const tables = SelfPairTables.of(model);
  const space = new RobotJointSpace(robot);
  const separation = new Separation();
  const distance = (pair: number, q: Float64Array) => {
    manager.posed.pose(q);
    return manager.pairSeparation(separation, pair);
  };
  return { robot, model, tables, space, distance };
}

/** Counts of queries, and of those that a table decided. */
const counts = () => ({ apart: 0, decided: 0 });

/**
 * A state within limits; every third one with full turns added to the joints that turn, every third one at a vertex of
 * cells, where bounds are closest to the truth, and every third one near that, often in the same cell of the grid.
 */
function sampleState(q: Float64Array, { space, robot }: ReturnType<typeof setUp>, random: Random, i: number): void {
  if (i % 3 === 2) {
    for (let v = 0; v < q.length; v++) q[v] += 0.2 * (random.next() - 0.5);
    return;
  }
  space.sample(q, random);
  if (i % 3 === 1) {
    const width = FULL_TURN / 2 ** (3 + random.below(3));
    for (let v = 0; v < q.length; v++) q[v] = width * Math.round(q[v] / width) + (random.next() < 0.5 ? 1e-10 : -1e-10);
  }
  if (i % 3 !== 0) return;
  for (const [v, { type }] of robot.variables.entries())
    if (type !== 'prismatic') q[v] += FULL_TURN * (random.below(2001) - 1000);
}

function attackStates(given: ReturnType<typeof setUp>, random: Random, count: number) {
  const { model, tables, distance, robot } = given;
  const q = new Float64Array(robot.dof);
  const found = counts();
  for (let i = 0; i < count; i++) {
    sampleState(q, given, random, i);
    for (let pair = 0; pair < model.pairCount; pair++) {
      const exact = distance(pair, q);
      for (const factor of [1, 1.0001, 1.3])
        if (tables.separatesState(pair, q, Math.max(0, exact * factor)))
          expect.fail(`${robot.name} ${model.namesOf(pair)} at [${q.join()}]: ${exact} m, claimed ${factor} of it`);
      if (exact < 0.005) continue;
      found.apart++;
      if (tables.separatesState(pair, q, 0)) found.decided++;
    }
  }
  return found;
}

function attackLines(given: ReturnType<typeof setUp>, random: Random, count: number) {
  const { model, tables, distance, robot, space } = given;
  const line = { qFrom: new Float64Array(robot.dof), qTo: new Float64Array(robot.dof) };
  const q = new Float64Array(robot.dof);
  const found = counts();
  for (let i = 0; i < count; i++) {
    sampleState(line.qFrom, given, random, i);
    space.sample(q, random);
    const length = random.next() ** 2;
    for (let v = 0; v < q.length; v++) line.qTo[v] = line.qFrom[v] + (random.below(4) > 0 ? length : 0) * q[v];
    const [one, two] = [random.next(), random.next()];
    const [start, end] = i % 2 === 0 ? [0, 1] : [Math.min(one, two), Math.max(one, two)];
    for (let pair = 0; pair < model.pairCount; pair++) {
      let least = Number.POSITIVE_INFINITY;
      for (let k = 0; k <= 24; k++) {
        const t = start + (k / 24) * (end - start);
        for (let v = 0; v < q.length; v++) q[v] = line.qFrom[v] + t * (line.qTo[v] - line.qFrom[v]);
        least = Math.min(least, distance(pair, q));
      }
      if (tables.separatesLine(pair, line, start, end, Math.max(0, least)))
        expect.fail(
          `${robot.name} ${model.namesOf(pair)}: ${JSON.stringify([line, start, end])} comes within ${least}`,
        );
      if (least < 0.02) continue;
      found.apart++;
      if (tables.separatesLine(pair, line, start, end, 0)) found.decided++;
    }
  }
  return found;
}

test.each(ROBOTS)('no table of %s claims more than the exact distance of a pair', async (name) => {
  const given = setUp(createRobotModel(await loadRobot(name)));
  const states = attackStates(given, new Random(1), 150);
  attackLines(given, new Random(2), 20);
  if (given.model.pairCount > 0) expect(states.apart).toBeGreaterThan(100);
});

test('tables of random robots claim no more than the exact distance, and decide most pairs that two joints move', () => {
  const random = new Random(3);
  const all = counts();
  for (let i = 0; i < 60; i++) {
    const given = setUp(createRobotModel(randomRobot(random, 1 + (i % 4))));
    for (const { apart, decided } of [attackStates(given, random, 80), attackLines(given, random, 10)]) {
      all.apart += apart;
      all.decided += decided;
    }
  }
  expect(all.decided).toBeGreaterThan(1000);
});

test('tables of the UR5e decide most states of the pairs that two joints move', async () => {
  const { model, tables, space, distance } = setUp(createRobotModel(await loadRobot('ur5e')));
  const { lengthOfPair } = JointChains.of(model);
  const random = new Random(4);
  const q = new Float64Array(6);
  const found = counts();
  for (let i = 0; i < 300; i++) {
    space.sample(q, random);
    for (let pair = 0; pair < model.pairCount; pair++) {
      if (lengthOfPair[pair] > 2 || distance(pair, q) < 0.002) continue;
      found.apart++;
      if (tables.separatesState(pair, q, 0)) found.decided++;
    }
  }
  expect(found.apart).toBeGreaterThan(300);
  expect(found.decided / found.apart).toBeGreaterThan(0.95);
});

/** An arm of two parallel joints, 1 m apart, with a ball 1 m beyond the second one, past a plate at the base. */
function armPastPlate(): RobotModel {
  const at = (x: number, y = 0): Pose => ({ xyz: [x, y, 0], quat_wxyz: [1, 0, 0, 0] });
  const solid = (shape: ShapeSpec, x: number) => [{ shape, pose: at(x), triangles: 0, source: 0 }];
  const joint = (name: string, parent: string, child: string, x: number): JointDescription => {
    return { name, type: 'continuous', parent, child, origin: at(x), axis: [0, 0, 1], velocity: 1 };
  };
  return createRobotModel({
    name: 'past-plate',
    root: 'base',
    links: [
      { name: 'base', collisions: solid({ type: 'box', size: [0.02, 4, 0.1] }, 1.8) },
      { name: 'upper', collisions: solid({ type: 'sphere', radius: 0.01 }, 0.5) },
      { name: 'fore', collisions: solid({ type: 'sphere', radius: 0.05 }, 1) },
    ],
    joints: [joint('one', 'base', 'upper', 0), joint('two', 'upper', 'fore', 1)],
    ...{ allowed: [], states: {}, groups: {}, warnings: [] },
  });
}

test('the bound holds at the vertices of cells where both joints bring the parts nearer by their curvature', () => {
  const { tables, distance, model } = setUp(armPastPlate());
  expect(model.pairCount).toBe(1);
  let decided = 0;
  for (let depth = 3; depth <= 9; depth++) {
    const width = FULL_TURN / 2 ** depth;
    for (const [x, y] of [
      [1, 1],
      [-1, -1],
      [1, -1],
      [0, 1],
      [1, 0],
    ]) {
      const q = Float64Array.of(x * (width - 1e-10), y * (width - 1e-10));
      const exact = distance(0, q);
      expect(tables.separatesState(0, q, Math.max(0, exact)), `${q.join()}`).toBe(false);
      if (tables.separatesState(0, q, 0)) decided++;
    }
  }
  expect(decided).toBeGreaterThan(15);
});

test('states that are not finite, far out of range or beyond the travel are decided by no table', async () => {
  for (const name of ['gantry4', 'ur5e', 'scara4']) {
    const { model, tables, robot } = setUp(createRobotModel(await loadRobot(name)));
    for (const value of [Number.NaN, Number.POSITIVE_INFINITY, -1e9]) {
      const q = new Float64Array(robot.dof).fill(value);
      for (let pair = 0; pair < model.pairCount; pair++) expect(tables.separatesState(pair, q, 0)).toBe(false);
    }
  }
});

test.each(['shelf', 'cage', 'dual-arm-shelf', 'gantry-bins', 'scara-trays', 'arm7-alcove'])(
  'edges in %s get the same verdict, pair and time with and without tables',
  async (name) => {
    const loaded = await loadScene(`scenes/${name}.yaml`);
    const model = new CollisionModel(createSceneRobot(loaded), loaded.scene);
    const space = new RobotJointSpace(model.robot);
    const posed = new PosedParts(model);
    const [fast, plain] = [true, false].map((usesTables) => new MotionProver(posed, { ...proverDefaults, usesTables }));
    const motion = new StraightMotion(model.robot.dof);
    const random = new Random(5);
    const found = new Set<string>();
    for (let i = 0; i < 120; i++) {
      space.sample(motion.qFrom, random);
      space.sample(motion.qTo, random);
      const { qFrom, qTo } = motion;
      for (let v = 0; v < qTo.length; v++) qTo[v] = qFrom[v] + 0.3 * random.next() * (qTo[v] - qFrom[v]);
      const verdict = fast.prove(motion);
      expect(verdict, qFrom.join()).toBe(plain.prove(motion));
      if (verdict !== 'certified') expect([fast.pair, fast.time]).toEqual([plain.pair, plain.time]);
      found.add(verdict);
    }
    expect(found.has('certified') && found.has('collision')).toBe(true);
  },
);
