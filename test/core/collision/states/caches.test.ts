import { expect, test } from 'vitest';
import { CollisionModel } from '../../../../src/core/collision/model/collisionModel.ts';
import { CollisionManager } from '../../../../src/core/collision/states/collisionManager.ts';
import { RobotJointSpace } from '../../../../src/core/collision/validators/robotJointSpace.ts';
import { createRobotModel } from '../../../../src/core/kinematics/createRobotModel.ts';
import { Random } from '../../../../src/core/math/random.ts';
import { loadScene } from '../../../../src/host/node/files.ts';
import { createSceneRobot } from '../../../../src/tasks/sceneRobot.ts';
import { cases } from '../../../cases.ts';
import { randomObstacles, randomRobot, sceneOf } from '../../../helpers/robots.ts';

/** Step of the walk from state to state (L2), and after how many it begins anew somewhere else. */
const STEP = 0.05;
const WALK = 50;

/** Checks each state without caches, with caches from the previous state, and with caches from an unrelated state. */
function expectSameVerdicts(model: CollisionModel, states: number, random: Random, label: string): number {
  const space = new RobotJointSpace(model.robot);
  const warm = new CollisionManager(model);
  const misled = new CollisionManager(model);
  const [q, elsewhere, target] = [1, 2, 3].map(() => new Float64Array(space.dof));
  let free = 0;
  for (let k = 0; k < states; k++) {
    if (k % WALK === 0) {
      space.sample(q, random);
      space.sample(target, random);
    }
    space.interpolate(q, q, target, STEP / Math.max(STEP, space.distance(q, target)));
    space.sample(elsewhere, random);
    misled.isCollisionFree(elsewhere);
    const cold = new CollisionManager(model).isCollisionFree(q);
    if (cold) free++;
    if (warm.isCollisionFree(q) !== cold || misled.isCollisionFree(q) !== cold)
      expect.fail(`${label}, state ${k}: caches change the verdict from ${cold} at [${q}]`);
  }
  return free;
}

test.each(['shelf', 'bin-picking', 'arm7-alcove', 'scara-trays', 'palletizing'])(
  'cold caches, warm caches and those of another state: the same verdicts on 2,000 states of %s',
  async (name) => {
    const loaded = await loadScene(`scenes/${name}.yaml`);
    const model = new CollisionModel(createSceneRobot(loaded), loaded.scene);
    const free = expectSameVerdicts(model, 2000, new Random(31), name);
    expect(free).toBeGreaterThan(100);
    expect(free).toBeLessThan(1900);
  },
);

test('cold caches, warm caches and those of another state: the same verdicts on many states of random robots', () => {
  const random = new Random(32);
  let free = 0;
  for (let world = 0; world < cases(50); world++) {
    const robot = createRobotModel(randomRobot(random, 3 + random.below(7)));
    const model = new CollisionModel(
      robot,
      sceneOf(randomObstacles(random, 6, 1.2), { padding: random.below(2) * 0.01 }),
    );
    free += expectSameVerdicts(model, 200, random, `world ${world}`);
  }
  expect(free).toBeGreaterThan(cases(1000));
  expect(free).toBeLessThan(cases(9000));
});
