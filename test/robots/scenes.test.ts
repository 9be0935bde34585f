import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { verifyCertificate } from '../../src/core/certificate/verify.ts';
import { verifyProgram } from '../../src/core/certificate/verifyProgram.ts';
import { CollisionModel } from '../../src/core/collision/model/collisionModel.ts';
import { CollisionManager } from '../../src/core/collision/states/collisionManager.ts';
import { jointsOutOfLimits, RobotJointSpace } from '../../src/core/collision/validators/robotJointSpace.ts';
import { SampledMotionValidator } from '../../src/core/collision/validators/sampledMotionValidator.ts';
import { type LoadedScene, loadScene as readScene } from '../../src/host/node/files.ts';
import { planMotion } from '../../src/tasks/planning/planMotion.ts';
import { resolveStartAndGoals } from '../../src/tasks/planning/startAndGoals.ts';
import { planScene } from '../../src/tasks/planScene.ts';
import { checkProgram } from '../../src/tasks/programs/checks/checkProgram.ts';
import { planProgram } from '../../src/tasks/programs/planProgram.ts';
import { createSceneRobot } from '../../src/tasks/sceneRobot.ts';
import { few } from '../cases.ts';

const FOLDER = fileURLToPath(new URL('../../scenes/', import.meta.url));
/** Scenes are data that nothing changes: each file is read once. */
const read = new Map<string, Promise<LoadedScene>>();
function loadScene(path: string): Promise<LoadedScene> {
  const loaded = read.get(path) ?? readScene(path);
  read.set(path, loaded);
  return loaded;
}

const files = readdirSync(FOLDER).filter((file) => file.endsWith('.yaml'));

test('there are eight scenes of the UR5e and one for other robots, each with its line in the README', async () => {
  const scenes = await Promise.all(files.map((file) => loadScene(FOLDER + file)));
  const count = (name: string) => scenes.filter(({ robot }) => robot.name === name).length;
  expect(count('ur5e')).toBeGreaterThanOrEqual(8);
  for (const other of ['ur10e', 'arm7', 'scara4', 'gantry4', 'dual12']) expect(count(other)).toBeGreaterThanOrEqual(1);
  const readme = readFileSync(`${FOLDER}README.md`, 'utf8');
  for (const file of files) expect(readme).toContain(`\`${file}\``);
});

/** Returns true if a scene has one of some keys. */
const hasKey = (file: string, keys: string) => new RegExp(`^(${keys}):|\\b(motion):`, 'm').test(textOf(file));
const textOf = (file: string) => readFileSync(FOLDER + file, 'utf8');
const programs = files.filter((file) => /^steps:/m.test(textOf(file)));
/** One motion among obstacles at rest; the others are programs, or for `coordinate` or `settle`, or something moves. */
const singleMotions = files.filter((file) => /^goals?:/m.test(textOf(file)) && !hasKey(file, 'robots'));
const moving = files.filter((file) => /^goals?:/m.test(textOf(file)) && hasKey(file, 'robots'));

test('eleven scenes are programs, in two something else moves, and most are single motions', () => {
  expect(programs).toHaveLength(11);
  expect(moving).toHaveLength(2);
  expect(singleMotions.length).toBeGreaterThan(15);
});

describe.each(moving)('%s', (file) => {
  test.each(few([1, 2], [1]))('is planned with seed %i, and its certificate proves it', async (seed) => {
    const loaded = await loadScene(FOLDER + file);
    const { trajectory, certificate, reason } = planScene(loaded, { seed, certificate: true });
    expect(reason).toBe('solved');
    const robot = createSceneRobot(loaded);
    expect(verifyCertificate(certificate!, robot, loaded.scene, trajectory!).problems).toEqual([]);
  });
});

/** The planning of one of them takes as long as that of all others. */
const plannedPrograms = few(
  programs,
  programs.filter((file) => file !== 'bin-to-bin.yaml'),
);
describe.each(plannedPrograms)('%s', (file) => {
  test.each(file === 'bin-to-bin.yaml' ? [1] : few([1, 2], [1]))(
    'is planned with seed %i, and its certificate proves it',
    async (seed) => {
      const loaded = await loadScene(FOLDER + file);
      const { trajectory, certificate, reason } = planProgram(loaded, { seed, certificate: true });
      expect(reason).toBe('solved');
      const robot = createSceneRobot(loaded);
      const { valid } = checkProgram(robot, loaded.scene, trajectory!, { checker: 'gjk' });
      expect(valid).toBe(true);
      expect(verifyProgram(certificate!, robot, loaded.scene, trajectory!).problems).toEqual([]);
    },
  );
});

test.each(files)('%s loads without a warning under its own name, and has a description', async (file) => {
  const { scene, warnings } = await loadScene(FOLDER + file);
  expect(warnings).toEqual([]);
  expect(`${scene.name}.yaml`).toBe(file);
  expect(scene.description).toMatch(/\.$/);
});

describe.each(singleMotions)('%s', (file) => {
  test('start and goal are within limits and clear by more than 3 mm, and the straight way between them is blocked', async () => {
    const loaded = await loadScene(FOLDER + file);
    const { robot, manager, start, goal } = endsOf(loaded);
    for (const q of [start, goal]) {
      expect(jointsOutOfLimits(robot, q)).toEqual([]);
      expect(manager.clearance(q).distance).toBeGreaterThan(0.003 + loaded.scene.padding);
    }
    if (loaded.scene.torque) return; // what blocks its straight way is the load: heavyPart.test.ts
    const motions = new SampledMotionValidator(manager, new RobotJointSpace(robot), 0.01);
    expect(motions.isMotionValid(start, goal)).toBe(false);
  });

  test('RRT-Connect solves it for each seed', async () => {
    const loaded = await loadScene(FOLDER + file);
    const seeds = few([1, 2, 3, 4, 5, 6, 7, 8], [1]);
    const solved = seeds.filter((seed) => planMotion(loaded, { seed }).status === 'solved');
    expect(solved).toEqual(seeds);
  });
});

function endsOf(loaded: LoadedScene) {
  const robot = createSceneRobot(loaded);
  const manager = new CollisionManager(new CollisionModel(robot, loaded.scene));
  const ends = resolveStartAndGoals(robot, loaded.scene, manager);
  if ('status' in ends) throw new Error(ends.reason);
  return { robot, manager, start: ends.start, goal: ends.goals[0] };
}
