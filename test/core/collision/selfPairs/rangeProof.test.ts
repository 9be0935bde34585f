import { expect, test } from 'vitest';
import { CollisionModel } from '../../../../src/core/collision/model/collisionModel.ts';
import { RangeProof } from '../../../../src/core/collision/selfPairs/rangeProof.ts';
import { CollisionManager } from '../../../../src/core/collision/states/collisionManager.ts';
import { createRobotModel } from '../../../../src/core/kinematics/createRobotModel.ts';
import { cases } from '../../../cases.ts';
import { sceneOf } from '../../../helpers/robots.ts';
import { attackRange, twinOf } from './rangeAttack.ts';

test('no pair is proved separated if an independent search finds a contact within the limits', () => {
  let near = 0;
  for (let seed = 1; seed <= cases(15, 1 / 4); seed++) {
    const found = attackRange(seed, 150, 1);
    expect(found.trouble, `seed ${seed}`).toEqual([]);
    near += found.near;
  }
  expect(near).toBeGreaterThan(cases(5, 1 / 4) - 1);
});

/** Verdict for a ball on two joints of one axis, ± 0.4 rad each, 1 m away from it, and a wall that faces the axis. */
function verdictBehindWall(kept: number) {
  const still = { axis: [0, 0, 1], angle: 0, xyz: [0, 0, 0] } as const;
  const joint = { type: 'revolute', at: still, axis: [0, 0, 1], lower: -0.4, upper: 0.4 } as const;
  const wall = { at: { ...still, xyz: [Math.cos(0.8) - 0.1 - kept - 0.5, 0, 0] }, half: [0.5, 5, 5] } as const;
  const ball = { at: { ...still, xyz: [1, 0, 0] }, length: 0, radius: 0.1 } as const;
  const joints = [0, 1].map((parent) => ({ ...joint, parent }));
  const { robot } = twinOf(joints, [wall, undefined, ball], [[0, 2]]);
  const model = new CollisionModel(createRobotModel(robot), sceneOf([]));
  return new RangeProof(new CollisionManager(model)).prove(0, 2000).verdict;
}

test('the ball that two joints of one axis turn towards a wall meets it where both turns add up', () => {
  expect([-1e-3, -1e-6, 1e-3].map(verdictBehindWall)).toEqual(['undecided', 'undecided', 'separated']);
});
