import { assert, describe, test } from 'vitest';
import { nearestName } from '../../../src/errors.ts';
import { readTrajectory } from '../../../src/formats/trajectories/index.ts';
import { builtins } from '../../../src/formats/trajectories/urscript/builtins.ts';

const outcome = (text: string): Promise<string> =>
  readTrajectory(text, 'p.script', ['a', 'b']).then(
    ({ points }) => `${points.length} points`,
    (error: Error) => error.message,
  );

/** Statements that assign to v a list which is written out with 2 ** levels numbers. */
const shared = (levels: number) =>
  `${Array.from({ length: levels }, (_, i) => ` v${i + 1} = [v${i}, v${i}]\n`).join('')} v = v${levels}\n`;

const events =
  ' def on_step(i):\n  c = 0\n end\n def on_set_x(x):\n  c = 0\n end\n def on_attach(x, y):\n  c = 0\n end\n';
const functions = ' def f(x):\n  local y = x\n  return y\n end\n';

/** A program that executes the statement many times with a value v. */
const loop = (value: string, statement: string, head = '', rounds = 200_000) =>
  `def p():\n${head}${functions}${value} i = 0\n while i < ${rounds}:\n  ${statement}\n  i = i + 1\n end\n movej([0, 1])\nend\n`;

const endless = /not at its end after 1000000 steps$/;

describe('the work of a script is bounded by the sizes of its values', () => {
  test('a shared list of 2^40 numbers that no call writes out is passed at the cost of a reference', async () => {
    assert.equal(
      await outcome(`def p():\n${functions} v0 = [0, 1]\n${shared(40)} f(v)\n movej([0, 1])\nend\n`),
      '1 points',
    );
  });

  test.each(['on_set_x(v)', 'on_attach(v, v)', 'on_step(v)', 'set_digital_out(v, v)'])(
    'a shared list of 2^40 numbers that %s writes out ends the execution',
    async (statement) => {
      assert.match(await outcome(loop(` v0 = [0, 1]\n${shared(40)}`, statement, events)), endless);
    },
  );

  test('lists nested too deep to be written out are refused', async () => {
    const deep = ' v = [[0]]\n k = 0\n while k < 10000:\n  v = [v]\n  k = k + 1\n end\n';
    const text = await outcome(loop(deep, 'on_set_x(v)', events));
    assert.match(text, /on_set_x: lists nested deeper than 50$/);
  });

  const long = 'x'.repeat(200_000);
  test.each(['b = v == w', 'if v != w:\n c = 1\n end', 'f(v)', 'on_set_x(v)'])(
    'texts of 200,000 characters are counted in %s',
    async (statement) => {
      const values = ` v = "${long}"\n w = "${long}"\n`;
      assert.match(await outcome(loop(values, statement, events, 1000)), endless);
      assert.notMatch(await outcome(loop(values.replaceAll(long, 'x'), statement, events, 1000)), endless);
    },
  );

  test.each([...builtins.keys()])('%s refuses or accepts lists and texts of any size', async (name) => {
    for (const value of [` v0 = [0, 1]\n${shared(40)}`, ` v = "${long}"\n`])
      for (const given of ['v', '0, v'])
        assert.match(
          await outcome(loop(value, `${name}(${given})`, '', 500)),
          /^1 points$|^p\.script:\d+: .{1,400}$/,
          `${name}(${given})`,
        );
  });
});

describe('the size of a script is bounded', () => {
  test('a script of many statements outside of functions is read', async () => {
    assert.equal(await outcome(`${'sync()\n'.repeat(150_000)}movej([0, 1])\n`), '1 points');
  });

  test('statements beyond the limit end the parsing, with one message', async () => {
    assert.match(
      await outcome('$\n'.repeat(1_000_001)),
      /^p\.script:1000001: more than 5000000 statements and expressions$/,
    );
  });

  test('a script with an error in every line ends at the twentieth', async () => {
    const lines = (await outcome(')\n'.repeat(1000))).split('\n');
    assert.equal(lines.length, 20);
    assert.match(lines[19], /^p\.script:20: /);
  });

  test('a long name is shortened in the message', async () => {
    assert.isBelow((await outcome(`${'a'.repeat(100_000)}()\n`)).length, 400);
  });

  test('names of a million characters are not compared', () => {
    const name = 'a'.repeat(1_000_000);
    assert.isTrue(nearestName(`${name}b`, [`${name}c`]) === undefined);
    assert.equal(nearestName('shel', ['shelf']), 'shelf');
  });
});
