import { expect, test } from 'vitest';
import { CollisionModel } from '../../../../src/core/collision/model/collisionModel.ts';
import { CellProver } from '../../../../src/core/collision/motions/stateCellProver.ts';
import { CollisionManager } from '../../../../src/core/collision/states/collisionManager.ts';
import { RobotJointSpace } from '../../../../src/core/collision/validators/robotJointSpace.ts';
import { createRobotModel } from '../../../../src/core/kinematics/createRobotModel.ts';
import { Random } from '../../../../src/core/math/random.ts';
import { clearSeparation } from '../../../../src/core/narrowphase/outcome.ts';
import { randomObstacles, randomRobot, sceneOf } from '../../../helpers/robots.ts';

/** Random robots in random scenes with a padding, and cells of up to four generators about random states. */
function* cells(seed: number, count: number) {
  const random = new Random(seed);
  for (let n = 0; n < count; n++) {
    const robot = createRobotModel(randomRobot(random, 2 + random.below(4)));
    if (robot.dof === 0) continue;
    const model = new CollisionModel(robot, sceneOf(randomObstacles(random, 6, 1), { padding: 0.05 }));
    const q = new Float64Array(robot.dof);
    new RobotJointSpace(robot).sample(q, random);
    const size = 10 ** random.between(-5, -1);
    const vector = () => q.map(() => size * random.between(-1, 1));
    const generators = Array.from({ length: 1 + random.below(4) }, vector);
    yield { random, model, cell: { q, generators, error: vector().map(Math.abs) } };
  }
}

const allPairs = ({ pairCount }: CollisionModel) => Array.from({ length: pairCount }, (_, pair) => pair);

test('every state of a cell that is proved to collide throughout is in collision', () => {
  let proved = 0;
  for (const { random, model, cell } of cells(5, 400)) {
    const manager = new CollisionManager(model);
    if (!new CellProver(manager).collidesThroughout(cell, allPairs(model))) continue;
    proved++;
    const { q, generators, error } = cell;
    for (let k = 0; k < 20; k++) {
      const shares = generators.map(() => (k < 10 ? 2 * random.below(2) - 1 : random.between(-1, 1)));
      const at = q.map((x, j) => generators.reduce((sum, one, i) => sum + shares[i] * one[j], x));
      const state = at.map((x, j) => x + random.between(-1, 1) * error[j]);
      expect(manager.isCollisionFree(state), `${state}`).toBe(false);
    }
  }
  expect(proved).toBeGreaterThan(100);
});

test('a pair whose separation is undecided is not proved to collide', () => {
  for (const { model, cell } of cells(6, 50)) {
    const manager = new CollisionManager(model);
    manager.pairSeparation = (out) => {
      clearSeparation(out);
      return 0;
    };
    expect(new CellProver(manager).collidesThroughout(cell, allPairs(model))).toBe(false);
  }
});
