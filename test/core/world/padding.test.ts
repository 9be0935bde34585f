import { assert, test } from 'vitest';
import { verifyCertificate } from '../../../src/core/certificate/verify.ts';
import { CollisionModel } from '../../../src/core/collision/model/collisionModel.ts';
import { CollisionManager } from '../../../src/core/collision/states/collisionManager.ts';
import { never } from '../../../src/core/math/interrupt.ts';
import { Random } from '../../../src/core/math/random.ts';
import type { Scene } from '../../../src/core/scene/scene.ts';
import type { Trajectory } from '../../../src/core/trajectory/trajectory.ts';
import { createSceneWorld } from '../../../src/core/world/sceneWorld.ts';
import { certifyTrajectory } from '../../../src/tasks/checking/certifyTrajectory.ts';
import { createTrajectoryChecker } from '../../../src/tasks/checking/checkTrajectory.ts';
import { planAmongMoving } from '../../../src/tasks/spaceTime/planAmongMoving.ts';
import { createStateValidator } from '../../../src/tasks/validation/validateStates.ts';
import { cases } from '../../cases.ts';
import { arm, distanceAt, minimumOver } from './oracle.ts';
import { box, description, jointNames, randomScene, randomTrajectory, robot, sceneOf } from './randomScenes.ts';

/** Metres: the distance of link1 from link2, the only pair of the arm with itself, is larger. */
const MOST = 0.15;
/** Metres: how far the padding differs from the distance. */
const STEP = 1e-5;

function judge(scene: Scene, trajectory: Trajectory) {
  const world = createSceneWorld(robot, scene);
  const manager = new CollisionManager(new CollisionModel(world.robot, world.scene));
  const result = createTrajectoryChecker(robot, manager, never, world)(trajectory);
  return {
    isFree: !result.collision && !result.unresolved,
    certificate: certifyTrajectory(manager.posed, trajectory, undefined, never, world),
  };
}

test('a motion among moving objects is proved if and only if it keeps the padding at all times', () => {
  const wrong: string[] = [];
  let compared = 0;
  for (let seed = 1; seed <= cases(60); seed++) {
    const random = new Random(seed);
    const given = randomScene(random);
    const trajectory = randomTrajectory(random, 2);
    const end = Math.max(createSceneWorld(robot, sceneOf(given)).end, trajectory.points.at(-1)!.time_from_start!);
    const least = minimumOver(given, trajectory, end, 200);
    if (!(least > 2 * STEP && least < MOST)) continue;
    compared++;
    const [scene, tighter] = [-STEP, STEP].map((by) => ({ ...sceneOf(given), padding: least + by }));
    const [kept, broken] = [judge(scene, trajectory), judge(tighter, trajectory)];
    if (!kept.isFree) wrong.push(`seed ${seed}: not proved with ${STEP} m to spare`);
    if (broken.isFree || broken.certificate) wrong.push(`seed ${seed}: proved although ${STEP} m are missing`);
    const { certificate } = kept;
    if (!certificate) continue;
    if (!verifyCertificate(certificate, robot, scene, trajectory).proved) wrong.push(`seed ${seed}: not verified`);
    if (verifyCertificate(certificate, robot, tighter, trajectory).proved)
      wrong.push(`seed ${seed}: verified although ${STEP} m are missing`);
  }
  assert.deepEqual(wrong, []);
  assert.isAbove(compared, cases(5) - 1);
});

test('a state at a time is valid if and only if it keeps the padding then', () => {
  const wrong: string[] = [];
  let compared = 0;
  for (let seed = 1; seed <= cases(60); seed++) {
    const random = new Random(seed);
    const given = randomScene(random);
    for (let k = 0; k < 10; k++) {
      const q = Float64Array.from(jointNames, () => random.between(-2, 2));
      const t = random.between(-2, 5);
      const distance = distanceAt(given, [...q], t);
      if (!(distance > 1e-3 && distance < MOST)) continue;
      compared++;
      for (const by of [-1e-8, 1e-8]) {
        const { valid } = createStateValidator(robot, { ...sceneOf(given), padding: distance + by })(q, t);
        if (valid !== by < 0) wrong.push(`seed ${seed}, state ${k}: ${valid} with ${-by} m to spare`);
      }
    }
  }
  assert.deepEqual(wrong, []);
  assert.isAbove(compared, cases(30));
});

test('a goal that something passes within the padding is reached after that, and one where it stays is refused', () => {
  const tip = arm.lengths.reduce((sum, length) => sum + length, 0);
  const passing = (from: number, to: number) =>
    box('truck', [0.1, 0.1, 0.1], {
      times: [1, 3],
      poses: [from, to].map((y) => ({ xyz: [tip + 0.15, y, 0] as const, quat_wxyz: [1, 0, 0, 0] as const })),
    });
  const planWith = (truck: ReturnType<typeof passing>, padding: number) => {
    const given = { boxes: [truck], others: [] };
    const scene: Scene = {
      ...sceneOf(given),
      padding,
      start: [0, -0.8, 0],
      goals: [{ kind: 'joints', joints: [0, 0, 0] }],
    };
    const result = planAmongMoving({ scene, robot: description }, { seed: 1 });
    if (!result.trajectory) return result;
    const end = Math.max(3, result.trajectory.points.at(-1)!.time_from_start!);
    assert.isAbove(minimumOver(given, result.trajectory, end, 300), padding - 1e-9);
    return result;
  };
  // At the goal, the truck passes at 4 cm: 0.15 − 0.05 − the radius of the tip.
  assert.isBelow(planWith(passing(-1, 1), 0.03).stats.duration!, 1);
  assert.isAbove(planWith(passing(-1, 1), 0.05).stats.duration!, 2);
  assert.equal(planWith(passing(-1, 0), 0.03).status, 'solved');
  const { status, reason } = planWith(passing(-1, 0), 0.05);
  assert.equal(status, 'goal-in-collision');
  assert.match(reason, /"?truck"?/);
});
