import { assert, test } from 'vitest';
import { few } from '../../cases.ts';
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

// A free tilt moved the instants at which the tool passes its way points, and collisions were sampled at knots only.
// A found joint path that collides between the states that were checked ended the search.
test.for([
  ['ur5e', 20200],
  ['ur5e', 20265],
  ['positioner', 30194],
] as const)('%s follows the random path %i, which brute force follows', async ([robot, seed]) => {
  assert.deepEqual(await attackPathProgram(robot, seed, FEW), { outcome: 'followed', wrong: [] });
});

test('motions of random programs follow their paths among boxes, and brute force follows no path that is refused', async () => {
  const followed = ['positioner', 20014] as const;
  const refused = ['scara4', 20032] as const;
  for (const [robot, seed] of few(
    [followed, refused, ['arm7', 20001] as const, ['ur5e', 20020] as const],
    [followed, refused],
  )) {
    const { outcome, wrong, ladder } = await attackPathProgram(robot, seed, FEW);
    assert.deepEqual(wrong, [], `${robot} ${seed}`);
    const isRefused = robot === 'ur5e' || robot === 'scara4';
    assert.equal(outcome, isRefused ? 'refused' : 'followed', `${robot} ${seed}`);
    assert.equal(ladder, isRefused ? false : undefined, `${robot} ${seed}`);
  }
});
