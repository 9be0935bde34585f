import { assert, describe, test } from 'vitest';
import { InputError } from '../../../src/errors.ts';
import { readTrajectory } from '../../../src/formats/trajectories/index.ts';
import { cases } from '../../cases.ts';
import { generator } from '../../fuzz/mutate.ts';
import { executed, TooLong } from './urscriptMachine.ts';
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

/** Returns the moves of the second interpreter; of an endless program, those until its limit. */
function expectedOf(text: string): { positions: (readonly number[])[]; isEndless: boolean } {
  try {
    return { positions: executed(text).map(({ positions }) => positions), isEndless: false };
  } catch (error) {
    if (!(error instanceof TooLong)) throw error;
    return { positions: error.moves.map(({ positions }) => positions), isEndless: true };
  }
}

/** Returns the moves, from one position to the next. */
const transitions = (positions: readonly (readonly number[])[]) =>
  new Set(positions.map((to, i) => `${positions[i - 1]} to ${to}`));

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
      const { positions, isEndless } = expectedOf(text);
      const found = points.map((point) => point.positions);
      const known = transitions(found);
      assert.deepEqual(isEndless ? found.slice(0, positions.length) : found, positions.slice(0, found.length));
      assert.deepEqual(isEndless ? [] : positions.slice(found.length), [], `seed ${seed}:\n${text}`);
      for (const one of transitions(positions)) assert.isTrue(known.has(one), `seed ${seed}: ${one}\n${text}`);
    }
    assert.isAbove(accepted, COUNT / 20);
  }, 600_000);
});
