import { assert, test } from 'vitest';
import { attackPathProgram } from './pathProgramAttack.ts';

const FEW = { samples: 400, degrees: 6 };

// A step of continuation ended one rounding error before a mark of the path, and the next piece was so short that its
// duration was not a number: 3 of 68 random paths were refused.
test.for([
  ['scara4', 20037],
  ['ur5e', 20045],
  ['rail', 20063],
] as const)('%s follows the random path %i: no piece between knots is shorter than rounding', async ([robot, seed]) => {
  assert.deepEqual(await attackPathProgram(robot, seed, FEW), { outcome: 'followed', wrong: [] });
});

test('motions of random programs follow their paths among boxes, and brute force follows no path that is refused', async () => {
  for (const [robot, seed] of [
    ['arm7', 20001],
    ['positioner', 20014],
    ['ur5e', 20020],
  ] as const) {
    const { outcome, wrong, ladder } = await attackPathProgram(robot, seed, FEW);
    assert.deepEqual(wrong, [], `${robot} ${seed}`);
    assert.equal(ladder, robot === 'ur5e' ? false : undefined, `${robot} ${seed}`);
    assert.equal(outcome, robot === 'ur5e' ? 'refused' : 'followed', `${robot} ${seed}`);
  }
});
