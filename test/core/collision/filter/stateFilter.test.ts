import { readFileSync } from 'node:fs';
import { afterEach, expect, test, vi } from 'vitest';
import { kernelModule } from '../../../../scripts/filter-kernel/kernelModule.ts';
import {
  IN_COLLISION,
  kernelBytes,
  OUT_OF_RANGE,
  StateFilter,
} from '../../../../src/core/collision/filter/stateFilter.ts';
import { CollisionModel } from '../../../../src/core/collision/model/collisionModel.ts';
import { CollisionManager } from '../../../../src/core/collision/states/collisionManager.ts';
import { RobotJointSpace } from '../../../../src/core/collision/validators/robotJointSpace.ts';
import { createRobotModel } from '../../../../src/core/kinematics/createRobotModel.ts';
import type { Pose, RobotModel } from '../../../../src/core/kinematics/robotModel.ts';
import type { Configuration } from '../../../../src/core/math/configuration.ts';
import { Random } from '../../../../src/core/math/random.ts';
import { Separation } from '../../../../src/core/narrowphase/solver.ts';
import type { CollisionObject } from '../../../../src/core/scene/scene.ts';
import { loadRobot, loadScene } from '../../../../src/host/node/files.ts';
import { planMotion } from '../../../../src/tasks/planning/planMotion.ts';
import { createSceneRobot } from '../../../../src/tasks/sceneRobot.ts';
import { randomWorld } from '../../../helpers/filterWorlds.ts';
import { randomPose, randomRobot, sceneOf } from '../../../helpers/robots.ts';

afterEach(() => vi.unstubAllGlobals());

const identity: Pose = { xyz: [0, 0, 0], quat_wxyz: [1, 0, 0, 0] };
const SCENES = [
  'arm7-alcove',
  'bin-picking',
  'cage',
  'dual-arm-shelf',
  'gantry-bins',
  'scara-trays',
  'shelf',
  'waiter',
];
const ROBOTS = ['arm7', 'dual12', 'gantry4', 'scara4', 'srs7', 'ur3e', 'ur5e', 'ur10e', 'ur20'];

const pairs = new Int32Array(4);
const verdicts = new Float64Array(4);

/** Compares the filtered results of four states with the exact check of each; returns the mask of the free ones. */
function compare(filtered: CollisionManager, exact: CollisionManager, states: readonly Configuration[], label: string) {
  let free = 0;
  filtered.batch.firstCollidingPairs(pairs, states, states.length);
  for (const [i, q] of states.entries()) {
    const expected = exact.firstCollision(q);
    const found = pairs[i] < 0 ? undefined : filtered.model.namesOf(pairs[i]);
    if (found?.join() !== expected?.join()) expect.fail(`${label}: [${q.join()}] ${found} instead of ${expected}`);
    if (exact.isCollisionFree(q) !== (expected === undefined)) expect.fail(`${label}: [${q.join()}]`);
    if (expected === undefined) free |= 1 << i;
  }
  const all = filtered.batch.areFree(states, states.length);
  if (all !== (free === 2 ** states.length - 1))
    expect.fail(`${label}: all of [${states.map((q) => q.join()).join(' | ')}]`);
  filtered.batch.writeFree(verdicts, states, states.length);
  for (const [i, q] of states.entries())
    if (verdicts[i] !== (free >> i) % 2) expect.fail(`${label}: [${q.join()}] alone is ${verdicts[i]}`);
  return free;
}

/** Random states, and states around a contact between two of them, found by bisection. */
function attack(model: CollisionModel, random: Random, count: number, label: string): { free: number; hits: number } {
  const [filtered, exact] = [new CollisionManager(model), new CollisionManager(model)];
  const space = new RobotJointSpace(model.robot);
  const states = Array.from({ length: 4 }, () => new Float64Array(space.dof));
  const found = { free: 0, hits: 0 };
  const note = (mask: number) => {
    for (let i = 0; i < 4; i++) mask & (1 << i) ? found.free++ : found.hits++;
  };
  const [from, to, middle] = Array.from({ length: 3 }, () => new Float64Array(space.dof));
  for (let i = 0; i < count; i++) {
    for (const q of states) space.sample(q, random);
    note(compare(filtered, exact, states, label));
    space.sample(from, random);
    space.sample(to, random);
    let [free, hit] = [0, 1];
    if (exact.isCollisionFree(from) === exact.isCollisionFree(to)) continue;
    if (!exact.isCollisionFree(from)) [free, hit] = [1, 0];
    for (let step = 0; step < 24; step++) {
      const t = 0.5 * (free + hit);
      space.interpolate(middle, from, to, t);
      if (exact.isCollisionFree(middle)) free = t;
      else hit = t;
    }
    for (const scale of [1e-3, 1e-5, 1e-7]) {
      for (const q of states) space.interpolate(q, from, to, free + scale * (random.next() - 0.5));
      note(compare(filtered, exact, states, `${label}, at a contact`));
    }
  }
  return found;
}

test.each(SCENES)('verdicts in %s are the same with and without the filter', async (name) => {
  const loaded = await loadScene(`scenes/${name}.yaml`);
  const model = new CollisionModel(createSceneRobot(loaded), loaded.scene);
  const { free, hits } = attack(model, new Random(1), 250, name);
  expect(Math.min(free, hits)).toBeGreaterThan(50);
});

test.each(ROBOTS)('poses of %s err by less than the bound', async (name) => {
  const robot = createRobotModel(await loadRobot(name));
  expectBoundedPoses(robot, new Random(2), 300);
});

test('poses of random robots err by less than the bound, also for many turns', () => {
  const random = new Random(3);
  for (let i = 0; i < 40; i++) expectBoundedPoses(createRobotModel(randomRobot(random, 1 + (i % 12))), random, 40);
});

function expectBoundedPoses(robot: RobotModel, random: Random, count: number): void {
  const obstacle: CollisionObject = {
    name: 'box',
    parts: [{ shape: { type: 'box', size: [1, 1, 1] } }],
    pose: identity,
  };
  const manager = new CollisionManager(new CollisionModel(robot, sceneOf([obstacle])));
  const filter = StateFilter.create(manager.posed, 0)!;
  expect(filter).toBeDefined();
  const space = new RobotJointSpace(robot);
  const states = Array.from({ length: 4 }, () => new Float64Array(robot.dof));
  const { errors, maxValues } = filter.tables.robot;
  const { posed } = manager;
  let worst = 0;
  for (let i = 0; i < count; i++) {
    for (const q of states) {
      space.sample(q, random);
      if (i % 4 === 0) for (let v = 0; v < q.length; v++) q[v] = maxValues[v] * (2 * random.next() - 1);
    }
    expect(filter.check(states, 4, 'never')).toBeGreaterThanOrEqual(0);
    for (const [lane, q] of states.entries()) {
      posed.pose(q);
      const root = posed.state.T_world_link[0];
      for (const [j, link] of posed.state.links.entries()) {
        const T = posed.state.T_world_link[link];
        const single = filter.poseOf(j + 1, lane);
        let [rotation, position] = [0, 0];
        for (let k = 0; k < 12; k++) {
          const isPosition = k % 4 === 3;
          const error = single[k] - T[k] + (isPosition ? root[k] : 0);
          if (isPosition) position += error ** 2;
          else rotation += error ** 2;
        }
        const bound = errors[j + 1];
        worst = Math.max(worst, Math.sqrt(rotation) / bound.rotation, Math.sqrt(position) / (bound.position + 1e-12));
      }
    }
  }
  expect(worst).toBeLessThan(1);
  expect(worst).toBeGreaterThan(0.005); // the bound is not so wide that it could not be violated
}

test('verdicts in random worlds are the same with and without the filter', () => {
  const random = new Random(4);
  const total = { free: 0, hits: 0, filtered: 0 };
  for (let i = 0; i < 60; i++) {
    const model = randomWorld(random);
    if (StateFilter.create(new CollisionManager(model).posed, model.scene.padding)) total.filtered++;
    const { free, hits } = attack(model, random, 25, `world ${i}`);
    total.free += free;
    total.hits += hits;
  }
  expect(total.filtered).toBeGreaterThan(55);
  expect(Math.min(total.free, total.hits)).toBeGreaterThan(200);
});

test('pairs that are not left open are separated by more than the padding, and sure collisions are collisions', () => {
  const random = new Random(5);
  const total = { separated: 0, collided: 0 };
  const wrong: string[] = [];
  for (let i = 0; i < 30; i++) {
    const model = randomWorld(random);
    const manager = new CollisionManager(model);
    const filter = StateFilter.create(manager.posed, manager.padding);
    if (!filter) continue;
    const space = new RobotJointSpace(model.robot);
    const states = Array.from({ length: 4 }, () => new Float64Array(space.dof));
    const out = new Separation();
    const pairs = new Int32Array(model.pairCount);
    for (let round = 0; round < 6; round++) {
      for (const q of states) space.sample(q, random);
      const entries = filter.check(states, 4, 'never');
      const open = states.map(
        (_, s) => new Set(pairs.slice(0, filter.writePairsOf(pairs, entries, s, model.pairCount))),
      );
      const surely = states.map((_, s) => filter.lowestCollision(entries, s, model.pairCount));
      const hit = filter.check(states, 4, 'any') === IN_COLLISION;
      if (hit && states.every((q) => manager.isCollisionFree(q))) wrong.push(`world ${i}: no state collides`);
      for (const [s, q] of states.entries()) {
        manager.posed.pose(q);
        for (let pair = 0; pair < model.pairCount; pair++) {
          if (open[s].has(pair)) continue;
          total.separated++;
          if (!(manager.pairSeparation(out, pair) > model.scene.padding)) wrong.push(`world ${i}: pair ${pair}`);
        }
        if (surely[s] >= model.pairCount) continue;
        total.collided++;
        if (!open[s].has(surely[s])) wrong.push(`world ${i}: ${surely[s]} is not open`);
        if (!(manager.pairSeparation(out, surely[s]) <= 0)) wrong.push(`world ${i}: ${surely[s]} does not collide`);
      }
    }
  }
  expect(wrong).toEqual([]);
  expect(total.separated).toBeGreaterThan(2000);
  expect(total.collided).toBeGreaterThan(50);
});

test('sure collisions with cylinders are collisions, at any pose and with a margin', () => {
  const random = new Random(8);
  const found = { hits: 0, near: 0 };
  const wrong: string[] = [];
  const out = new Separation();
  for (let i = 0; i < 60; i++) {
    const [radius, length, margin] = [0.05 + 0.5 * random.next(), 0.02 + 2 * random.next(), 0.05 * random.below(2)];
    const pillar: CollisionObject = {
      name: 'pillar',
      parts: [{ shape: { type: 'cylinder', radius, length, margin } }],
      pose: randomPose(random, 0.7),
    };
    const model = new CollisionModel(createRobotModel(randomRobot(random, 3)), sceneOf([pillar]));
    const manager = new CollisionManager(model);
    const filter = StateFilter.create(manager.posed, manager.padding);
    if (!filter) continue;
    const space = new RobotJointSpace(model.robot);
    const states = Array.from({ length: 4 }, () => new Float64Array(space.dof));
    for (let round = 0; round < 80; round++) {
      for (const q of states) space.sample(q, random);
      const entries = filter.check(states, 4, 'never');
      for (const [s, q] of states.entries()) {
        const pair = filter.lowestCollision(entries, s, model.pairCount);
        if (pair === model.pairCount) continue;
        manager.posed.pose(q);
        const distance = manager.pairSeparation(out, pair);
        found.hits++;
        if (distance > -0.02) found.near++;
        if (!(distance <= 0)) wrong.push(`world ${i}: pair ${pair} at [${q.join()}] is ${distance} m apart`);
      }
    }
  }
  expect(wrong).toEqual([]);
  expect(found.hits).toBeGreaterThan(500);
  expect(found.near).toBeGreaterThan(3);
});

test('an obstacle that moves is checked where it is', async () => {
  const loaded = await loadScene('scenes/shelf.yaml');
  const model = new CollisionModel(createSceneRobot(loaded), loaded.scene);
  const [filtered, exact] = [new CollisionManager(model), new CollisionManager(model)];
  const space = new RobotJointSpace(model.robot);
  const random = new Random(6);
  const states = Array.from({ length: 4 }, () => new Float64Array(space.dof));
  for (let i = 0; i < 40; i++) {
    const pose = randomPose(random, i % 10 === 9 ? 1e6 : 0.8);
    for (const manager of [filtered, exact]) manager.moveObstacle(loaded.scene.obstacles[0].name, pose);
    for (let k = 0; k < 10; k++) {
      for (const q of states) space.sample(q, random);
      compare(filtered, exact, states, `move ${i}`);
    }
  }
});

test('values that are not finite or out of range are left to the exact check', async () => {
  const loaded = await loadScene('scenes/gantry-bins.yaml');
  const model = new CollisionModel(createSceneRobot(loaded), loaded.scene);
  const [filtered, exact] = [new CollisionManager(model), new CollisionManager(model)];
  const filter = StateFilter.create(filtered.posed, 0)!;
  for (const value of [Number.NaN, Number.POSITIVE_INFINITY, 2e6, 50]) {
    const q = new Float64Array(model.robot.dof).fill(value);
    expect(filter.check([q], 1, 'any')).toBe(OUT_OF_RANGE);
    expect(filtered.batch.areFree([q], 1)).toBe(exact.isCollisionFree(q));
  }
});

test('two filters take turns in one memory', async () => {
  const random = new Random(7);
  const worlds = await Promise.all(
    ['shelf', 'dual-arm-shelf'].map(async (name) => {
      const loaded = await loadScene(`scenes/${name}.yaml`);
      const model = new CollisionModel(createSceneRobot(loaded), loaded.scene);
      const space = new RobotJointSpace(model.robot);
      const states = Array.from({ length: 4 }, () => new Float64Array(space.dof));
      return { name, space, states, filtered: new CollisionManager(model), exact: new CollisionManager(model) };
    }),
  );
  for (let i = 0; i < 100; i++) {
    const { name, space, states, filtered, exact } = worlds[i % 2];
    for (const q of states) space.sample(q, random);
    compare(filtered, exact, states, name);
  }
});

test('plans are byte-identical with and without WebAssembly', async () => {
  for (const name of ['shelf', 'cage', 'arm7-alcove', 'gantry-bins', 'dual-arm-shelf']) {
    const loaded = await loadScene(`scenes/${name}.yaml`);
    for (const edges of ['certified', 'sampled'] as const) {
      vi.unstubAllGlobals();
      const filtered = planMotion(loaded, { seed: 1, edges, timeLimit: Number.POSITIVE_INFINITY });
      vi.stubGlobal('WebAssembly', undefined);
      // another list of obstacles, so that no filter is kept
      const again = { ...loaded, scene: { ...loaded.scene, obstacles: [...loaded.scene.obstacles] } };
      const exact = planMotion(again, { seed: 1, edges, timeLimit: Number.POSITIVE_INFINITY });
      expect(filtered.status).toBe('solved');
      expect(JSON.stringify(filtered.trajectory)).toBe(JSON.stringify(exact.trajectory));
      expect(filtered.stats.states_checked).toBe(exact.stats.states_checked);
      expect(filtered.stats.pair_checks).toBeLessThan(exact.stats.pair_checks);
    }
  }
});

test('the module in the package is the one that its source emits, without relaxed instructions', () => {
  expect(kernelModule()).toEqual(kernelBytes()); // if not: node scripts/filter-kernel.mjs
  const source = readFileSync('scripts/filter-kernel/assembler.ts', 'utf8');
  const opcodes = [...source.matchAll(/(?:vector[12]|simd)\((0x[0-9a-f]+)\)/g)].map(([, code]) => Number(code));
  expect(opcodes.length).toBeGreaterThan(30);
  expect(Math.max(...opcodes)).toBeLessThan(0x100); // relaxed SIMD begins there
});
