import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { CollisionModel } from '../../src/core/collision/model/collisionModel.ts';
import { CollisionManager } from '../../src/core/collision/states/collisionManager.ts';
import { jointsOutOfLimits } from '../../src/core/collision/validators/robotJointSpace.ts';
import { createRobotModel } from '../../src/core/kinematics/createRobotModel.ts';
import type { RobotDescription, RobotModel } from '../../src/core/kinematics/robotModel.ts';
import { configurationOf } from '../../src/core/scene/configurationOf.ts';
import type { Scene } from '../../src/core/scene/scene.ts';
import { RobotCheck } from '../../src/formats/scenes/robots/robotCheck.ts';
import { builtInRobots, loadRobot } from '../../src/host/node/files.ts';
import { fileOf, NAMES, randomStates } from './loaded.ts';

const alone = { obstacles: [], attached: [], allow: [], padding: 0 };

const managerOf = (model: RobotModel): CollisionManager => new CollisionManager(new CollisionModel(model, alone));

test('the robots that come with the package are these', () => {
  expect(builtInRobots()).toEqual([...NAMES].sort());
});

test('the distance at which a controller stops is that of the arms it was stated of', async () => {
  const accepted = [];
  for (const name of NAMES) {
    const robot = await loadRobot(name, { bodies: false });
    const check = new RobotCheck(robot, {
      robot: { joints: robot.joints.map((joint) => joint.name) },
    } as unknown as Scene);
    check.clamping();
    if (check.diagnostics.length === 0) accepted.push(name);
  }
  expect(accepted).toEqual(['ur3e', 'ur5e', 'ur10e', 'ur16e']);
});

describe.each(NAMES)('%s', (name) => {
  test('loads without a warning, and has every limit', async () => {
    const robot = await loadRobot(name);
    expect(robot.warnings).toEqual([]);
    for (const { limits, accelerationAssumed } of createRobotModel(robot).variables) {
      expect(accelerationAssumed).toBe(false);
      for (const limit of [limits.lower, limits.upper, limits.velocity, limits.acceleration]) {
        expect(Number.isFinite(limit)).toBe(true);
      }
    }
  });

  test('its named states lie within the limits and free of collision', async () => {
    const robot = await loadRobot(name);
    const model = createRobotModel(robot);
    const manager = managerOf(model);
    expect(Object.keys(robot.states)).toContain('home');
    expect(Object.keys(robot.states).length).toBeGreaterThanOrEqual(2);
    for (const state of Object.keys(robot.states)) {
      const q = configurationOf(model, state, state);
      expect(jointsOutOfLimits(model, q), state).toEqual([]);
      expect(manager.collidingPairs(q), state).toEqual([]);
    }
  });

  test('pairs with the reason Adjacent share a joint, and pairs with the reason Never do not collide in 3000 random states', async () => {
    const robot = await loadRobot(name);
    const joined = new Set(robot.joints.map(({ parent, child }) => `${parent} ${child}`));
    const manager = managerOf(createRobotModel({ ...robot, allowed: [] }));
    const met = new Set<string>();
    for (const q of randomStates(createRobotModel(robot), 3000, 4)) {
      for (const pair of manager.collidingPairs(q)) met.add(pair.join(' '));
    }
    expect(robot.allowed.length).toBeGreaterThan(0);
    for (const [a, b, reason] of robot.allowed) {
      if (reason === 'Adjacent') expect(isJoined(robot, joined, a, b), `${a} ${b}`).toBe(true);
      else expect(met.has(`${a} ${b}`), `${a} ${b}`).toBe(reason === 'Default');
    }
  });

  test('its README states the sources of the numbers', () => {
    const text = readFileSync(fileOf(name, 'md'), 'utf8');
    for (const word of [name, 'limits', 'bodies', 'acceleration']) expect(text.toLowerCase()).toContain(word);
  });
});

/** Joined directly, or through a link without shapes. */
function isJoined(robot: RobotDescription, joined: ReadonlySet<string>, a: string, b: string): boolean {
  const empty = robot.links.filter((link) => link.collisions.length === 0).map((link) => link.name);
  return joined.has(`${a} ${b}`) || empty.some((link) => joined.has(`${a} ${link}`) && joined.has(`${link} ${b}`));
}
