import { assert, describe, test } from 'vitest';
import { InputError } from '../../../src/errors.ts';
import { readTrajectory } from '../../../src/formats/trajectories/index.ts';
import { cases } from '../../cases.ts';
import { generator } from '../../fuzz/mutate.ts';
import { executed, isExecutedAs } from './urscriptMachine.ts';
import { createProgram, mutated } from './urscriptPrograms.ts';

/** Number of programs per test; ELBOWROOM_SCRIPTS increases it. */
const COUNT = Number(process.env.ELBOWROOM_SCRIPTS ?? cases(1500));

const read = async (text: string) => {
  try {
    return (await readTrajectory(text, 'p.script', ['a', 'b'])).points;
  } catch (error) {
    assert.instanceOf(error, InputError, text);
    assert.match((error as InputError).message, /^p\.script/);
    return undefined;
  }
};

describe('a script is read as it is executed', () => {
  test('random programs yield the moves that they were generated from', async () => {
    let compared = 0;
    for (let seed = 0; seed < COUNT; seed++) {
      const { text, expected } = createProgram(generator(1, seed));
      assert.deepEqual(
        executed(text).map(({ positions }) => positions),
        expected,
        `seed ${seed}:\n${text}`,
      );
      const points = await read(text);
      if (expected.length === 0) {
        assert.isUndefined(points);
        continue;
      }
      assert.deepEqual(
        points?.map(({ positions }) => positions),
        expected,
        `seed ${seed}:\n${text}`,
      );
      compared++;
    }
    assert.isAbove(compared, COUNT / 2);
  }, 600_000);

  test('mutated programs are rejected, or yield the moves of the second interpreter', async () => {
    let accepted = 0;
    for (let seed = 0; seed < COUNT; seed++) {
      const below = generator(2, seed);
      const text = mutated(createProgram(below).text, below);
      const points = await read(text);
      if (points === undefined) continue;
      accepted++;
      assert.isTrue(
        isExecutedAs(
          text,
          points.map(({ positions }) => positions),
        ),
        `seed ${seed}:\n${text}`,
      );
    }
    assert.isAbove(accepted, COUNT / 20);
  }, 600_000);
});
