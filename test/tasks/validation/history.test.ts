import { expect, test } from 'vitest';
import { CollisionModel } from '../../../src/core/collision/model/collisionModel.ts';
import { CollisionManager } from '../../../src/core/collision/states/collisionManager.ts';
import { createRobotModel } from '../../../src/core/kinematics/createRobotModel.ts';
import type { RobotModel } from '../../../src/core/kinematics/robotModel.ts';
import type { Configuration } from '../../../src/core/math/configuration.ts';
import { Random } from '../../../src/core/math/random.ts';
import { type CheckerName, checkers } from '../../../src/core/narrowphase/index.ts';
import type { Scene } from '../../../src/core/scene/scene.ts';
import { loadScene } from '../../../src/host/node/files.ts';
import { createSceneRobot } from '../../../src/tasks/sceneRobot.ts';
import { clearanceGradient } from '../../../src/tasks/validation/clearanceGradient.ts';
import { nearestPair } from '../../../src/tasks/validation/nearestPair.ts';
import { StateValidityChecker } from '../../../src/tasks/validation/stateValidityChecker.ts';
import { cases } from '../../cases.ts';
import { keysOf } from '../../helpers/keysOf.ts';
import { randomObstacles, randomRobot, sceneOf } from '../../helpers/robots.ts';

type Bodies = Pick<Scene, 'obstacles' | 'attached' | 'allow' | 'padding'>;

/**
 * Half of the states are random, and each second one is followed to contact: as near as doubles come to it, from either
 * side.
 */
function statesOf(manager: CollisionManager, lower: Float64Array, upper: Float64Array, random: Random, count: number) {
  const states: Configuration[] = [];
  const draw = () => lower.map((low, i) => random.between(low, upper[i]));
  let [last, lastFree] = [draw(), false];
  while (states.length < count) {
    const q = draw();
    const free = manager.isCollisionFree(q);
    states.push(q);
    if (free !== lastFree) states.push(...boundaryBetween(manager, last, q, lastFree));
    [last, lastFree] = [q, free];
  }
  return states;
}

function boundaryBetween(manager: CollisionManager, from: Configuration, to: Configuration, free: boolean) {
  let [low, high] = [0, 1];
  const at = (t: number) => from.map((x, i) => x + t * (to[i] - x));
  for (let k = 0; k < 60; k++) {
    const middle = 0.5 * (low + high);
    if (manager.isCollisionFree(at(middle)) === free) low = middle;
    else high = middle;
  }
  return [at(low), at(high)];
}

/** All that is reported of a state, as text. */
function reportOf(checker: StateValidityChecker, q: Configuration): string {
  const { manager } = checker;
  const pairs = manager.collidingPairs(q);
  return JSON.stringify([
    checker.isValid(q),
    manager.firstCollision(q),
    pairs,
    pairs.slice(0, 1).map((pair) => manager.depth(q, pair)),
    checker.clearance(q),
    clearanceGradient(manager, q),
    nearestPair(manager, q),
  ]);
}

/** Each state with a checker of its own, and with one that was called for all of them in two other orders. */
function expectNoHistory(
  robot: RobotModel,
  scene: Bodies,
  count: number,
  random: Random,
  label: string,
  name?: CheckerName,
) {
  const options = name === undefined ? {} : { checker: name };
  const create = () => new StateValidityChecker(robot, scene, options);
  const checker = create();
  const states = statesOf(checker.manager, checker.lower, checker.upper, random, count);
  const cold = states.map((q) => reportOf(create(), q));
  for (const order of [random, random]) {
    const shuffled = shuffle(
      states.map((_, i) => i),
      order,
    );
    for (const i of shuffled)
      if (reportOf(checker, states[i]) !== cold[i])
        expect(`${label}: ${reportOf(checker, states[i])}`).toBe(`${label}: ${cold[i]}`);
  }
  return cold.filter((text) => text.startsWith('[true')).length / cold.length;
}

function shuffle<T>(items: T[], random: Random): T[] {
  for (let i = items.length - 1; i > 0; i--) {
    const k = random.below(i + 1);
    [items[i], items[k]] = [items[k], items[i]];
  }
  return items;
}

test.each(['shelf', 'pillars', 'gantry-bins', 'palletizing', 'dual-arm-shelf'])(
  'what is reported of states of %s depends on the state alone',
  async (name) => {
    const loaded = await loadScene(`scenes/${name}.yaml`);
    const free = expectNoHistory(createSceneRobot(loaded), loaded.scene, 60, new Random(5), name);
    expect(free).toBeGreaterThan(0.05);
    expect(free).toBeLessThan(0.95);
  },
);

test.each(keysOf(checkers))('what is reported with %s in random worlds depends on the state alone', (name) => {
  const random = new Random(6);
  for (let world = 0; world < 5; world++) {
    const robot = createRobotModel(randomRobot(random, 3 + random.below(5)));
    const scene = sceneOf(randomObstacles(random, 6, 1), { padding: random.below(2) * 0.01 });
    expectNoHistory(robot, scene, cases(40), random, `world ${world}`, name);
  }
});

test('boxes that touch by their faces have one verdict and one distance, whatever was checked before', async () => {
  const loaded = await loadScene('scenes/gantry-bins.yaml');
  const { robot: model, scene } = { robot: createSceneRobot(loaded), scene: loaded.scene };
  const manager = new CollisionManager(new CollisionModel(model, scene));
  const random = new Random(8);
  const q = new Float64Array(model.dof);
  for (let k = 0; k < cases(200); k++) {
    for (let i = 0; i < q.length; i++) {
      const { lower, upper } = model.variables[i].limits;
      q[i] = 0.05 * Math.round(20 * random.between(Math.max(lower, -4), Math.min(upper, 4)));
    }
    const cold = new CollisionManager(manager.model);
    expect(manager.firstCollision(q)).toEqual(cold.firstCollision(q));
    expect(manager.clearance(q)).toEqual(cold.clearance(q));
  }
});

test.each(['shelf', 'gantry-bins'])(
  'verdicts and contacts of motions of %s depend on the motion alone',
  async (name) => {
    const loaded = await loadScene(`scenes/${name}.yaml`);
    const robot = createSceneRobot(loaded);
    const create = () => new StateValidityChecker(robot, loaded.scene);
    const checker = create();
    const random = new Random(9);
    const draw = () => checker.lower.map((low, i) => random.between(low, checker.upper[i]));
    const motions = Array.from({ length: cases(60) }, () => {
      const from = draw();
      const to = draw();
      return [from, from.map((x, i) => x + 0.3 * (to[i] - x))] as const;
    });
    const report = (one: StateValidityChecker, [from, to]: (typeof motions)[number]) =>
      JSON.stringify([one.isValidMotion(from, to), one.judgeMotion(from, to)]);
    const cold = motions.map((motion) => report(create(), motion));
    for (let turn = 0; turn < 3; turn++)
      for (const i of shuffle(
        motions.map((_, k) => k),
        random,
      ))
        expect(report(checker, motions[i])).toBe(cold[i]);
    expect(new Set(cold.map((text) => text.slice(0, 5))).size).toBe(2);
  },
);
