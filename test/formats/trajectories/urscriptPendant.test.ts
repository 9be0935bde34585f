import { assert, describe, expect, test } from 'vitest';
import { InputError } from '../../../src/errors.ts';
import { readTrajectory } from '../../../src/formats/trajectories/index.ts';
import { loadRobot } from '../../../src/host/node/files.ts';
import { moveProgramOf } from '../../../src/tasks/checking/moves/readMoveProgram.ts';
import { createSceneRobot } from '../../../src/tasks/sceneRobot.ts';
import { cases } from '../../cases.ts';
import { generator } from '../../fuzz/mutate.ts';
import { START, sceneOf } from '../../tasks/checking/moves/movesAttack.ts';

const read = async (text: string) =>
  (await readTrajectory(text, 'p.script', ['a', 'b'])).points.map(({ positions }) => positions);

async function refusal(text: string): Promise<string> {
  try {
    await read(text);
  } catch (error) {
    if (error instanceof InputError) return error.message;
    throw error;
  }
  return 'read';
}

const program = (...lines: string[]) => `def p():\n${lines.map((line) => `  ${line}\n`).join('')}end\n`;
const counter = ['thread t():', '  while (True):', '    n = n + 1.0', '    sync()', '  end', 'end', 'run t()'];

describe('threads that only count', () => {
  test('are read, and what they count is not', async () => {
    assert.deepEqual(await read(program('n = 0.0', ...counter, 'movej([0, 1])')), [[0, 1]]);
    assert.deepEqual(await read(`n = 0\n${counter.join('\n')}\nmovej([0, 1])\n`), [[0, 1]]);
  });

  const refused = (...lines: string[]) => refusal(program('n = 0.0', ...lines));
  const thread = (...lines: string[]) => ['thread t():', ...lines, 'end', 'run t()'];
  test.each([
    ['a variable that a move reads', [...counter, 'movej([n, 1])'], /uses n, which is read elsewhere/],
    ['a variable that a condition reads', [...counter, 'if n > 5:', '  halt', 'end', 'movej([0, 1])'], /uses n/],
    ['the name of a parameter', [...counter, 'def f(n):', '  movej([0, 1])', 'end', 'f(1)'], /uses n/],
    ['a list of the program', ['q = [0, 1]', ...thread('q[0] = 1.5'), 'movej(q)'], /uses q/],
    ['a variable of another thread', [...counter, ...counter.map((line) => line.replace('t()', 'u()'))], /uses n/],
    ['a move', [...thread('movej([0, 1])')], /more than to count/],
    ['an output', [...thread('set_digital_out(1, True)')], /more than to count/],
    ['a popup', [...thread('popup("x")')], /more than to count/],
    ['a halt', [...thread('sleep(1)', 'halt')], /more than to count/],
    ['a condition', [...thread('if n > 3:', '  sync()', 'end')], /more than to count/],
    ['a call of a function', ['def f():', '  movej([0, 1])', 'end', ...thread('f()')], /more than to count/],
    ['a quotient, which may fail', [...thread('n = n / 0')], /more than to count/],
    ['an input', [...thread('n = get_standard_digital_in(1)')], /not supported|more than/],
    ['a text', ['m = "a"', ...thread('m = m + 1')], /reads m, which the program does not set to a number/],
    ['a variable without value', [...thread('m = m + 1')], /reads m, which the program does not set/],
    ['a parameter', ['thread t(x):', '  sync()', 'end'], /has parameters/],
    [
      'a second run of it',
      [counter.slice(0, -1).join('\n  '), 'while True:', '  run t()', 'end'],
      /run within a while/,
    ],
    ['a handle that stops it', [...counter.slice(0, -1), 'h = run t()', 'kill h'], /run where a value/],
    ['a run before it', ['run t()', ...counter], /run t without a thread/],
    ['the name of a function', ['def t():', '  movej([0, 1])', 'end', ...counter, 't()'], /has the name/],
  ])('with %s are refused', async (_, lines, message) => {
    assert.match(await refused(...lines, 'movej([0, 1])'), message);
  });

  test('a function beside a thread is no program that is known', async () => {
    assert.match(await refusal('thread t():\n sync()\nend\ndef f():\n movej([0, 1])\nend\n'), /f is not called/);
  });
});

describe('endless loops', () => {
  test('are read until they repeat their moves; nothing follows', async () => {
    const loop = ['movej([0, 0])', 'while (True):', '  movej([1, 1])', '  sleep(1)', 'end', 'movej([9, 9])'];
    assert.deepEqual(await read(program(...loop)), [
      [0, 0],
      [1, 1],
      [1, 1],
    ]);
  });

  test('every transition of a random loop is read', async () => {
    let longest = 0;
    for (let seed = 0; seed < cases(200); seed++) {
      const below = generator(7, seed);
      const [size, step, first, skip] = [1 + below(6), 1 + below(5), below(3), below(4)];
      const text = program(
        `i = ${first}`,
        'while True:',
        `  if i != ${skip}:`,
        '    movej([i, 1])',
        '  end',
        `  i = (i + ${step}) % ${size}`,
        'end',
      );
      const executed: number[] = [];
      for (let i = first, round = 0; round < 100; i = (i + step) % size, round++) if (i !== skip) executed.push(i);
      const found = executed.length === 0 ? [] : (await read(text)).map(([i]) => i);
      const transitions = (values: readonly number[]) => new Set(values.map((value, k) => `${values[k - 1]} ${value}`));
      const missing = [...transitions(executed)].filter((one) => !transitions(found).has(one));
      assert.deepEqual(missing, [], `seed ${seed}:\n${text}`);
      longest = Math.max(longest, found.length);
    }
    assert.isAbove(longest, 5);
  });

  test('one that counts, and depends on its counter nowhere, is read', async () => {
    const lines = ['i = 0', 'while True:', '  movej([0, 1])', '  i = i + 1', '  textmsg("part", i)', 'end'];
    assert.deepEqual(await read(program(...lines)), [
      [0, 1],
      [0, 1],
    ]);
  });

  test.each([
    [
      'one that counts on',
      ['i = 0', 'while True:', '  if i >= 0:', '    movej([0, 1])', '  end', '  i = i + 1', 'end'],
    ],
    ['one that moves on', ['x = 0.0', 'while True:', '  movej([x, 1])', '  x = x + 0.5', 'end']],
    ['one that streams', ['while True:', '  servoj([0, 0])', '  servoj([0, 0])', 'end']],
  ])('%s is refused', async (_, lines) => {
    assert.match(await refusal(program(...lines)), /not at its end after|the rounding of the controller/);
  });
});

describe('statements of the teach pendant', () => {
  test('settings, functions within loops, and texts with values are read', async () => {
    const text = program(
      'set_gravity([0.0, 0.0, 9.82])',
      'set_standard_analog_input_domain(0, 1)',
      'set_input_actions_to_default()',
      'set_standard_digital_input_action(0, "default")',
      'set_tool_communication(False, 115200, 0, 1, 1.5, 3.5)',
      'set_target_payload(0.001, [0, 0, 0], [0, 0, 0, 0, 0, 0])',
      'rtde_set_watchdog("speed_slider_mask", 10.0, "ignore")',
      'i = 1',
      'while i < 3:',
      '  def q(x):',
      '    return [x, 1]',
      '  end',
      '  textmsg("move " + to_str(i) + str_cat(" to ", q(i)))',
      '  movej(q(i))',
      '  i = i + 1',
      'end',
    );
    assert.deepEqual(await read(text), [
      [1, 1],
      [2, 1],
    ]);
  });

  test.each([
    ['set_gravity([0, 0, 0])', 'set_gravity with no vector of gravity'],
    ['set_gravity([0, 0, 9820])', 'set_gravity with no vector of gravity'],
    ['set_gravity(9.82)', 'set_gravity with no vector of gravity'],
    ['set_standard_digital_input_action(0, "freedrive")', 'with another action than "default"'],
    ['set_tool_digital_input_action(0, to_str(1))', 'with another action than "default"'],
    ['rtde_set_watchdog("input_int_register_0", 10, "stop")', 'with another action than "ignore"'],
    ['rtde_set_watchdog("input_int_register_0", 10)', 'rtde_set_watchdog without action'],
    ['if to_str(1) == "1":\n  end', 'message == text is not supported'],
    ['x = "a" + 1', 'text + number is not supported'],
    ['x = to_str(1)\n  x = 1', 'x is a text and is assigned a integer'],
    [`x = "${'a'.repeat(600)}"\n  x = x + x`, 'a text of more than 1023 characters'],
    ['if False:\n    def f():\n    end\n  end\n  f()', 'f is called before its definition'],
  ])('%s is refused', async (statement, message) => {
    assert.include(await refusal(program(statement, 'movej([0, 1])')), message);
  });
});

const loaded = await loadRobot('ur5e');
const robot = { ...loaded, links: loaded.links.map((link) => ({ ...link, collisions: [] })) };
const scene = sceneOf(robot, START, []);
const arm = createSceneRobot({ scene, robot });
const movesOf = (...lines: string[]) =>
  moveProgramOf(program(...lines), 'p.script', arm, scene)!.moves.map(({ line }) => line);

const movesAt = (...lines: string[]) =>
  moveProgramOf(program(...lines), 'p.script', arm, scene)!.moves.map(({ pose }) => Array.from(pose!));

describe('programs of moves', () => {
  test('pose_sub subtracts the positions of poses of one orientation', () => {
    const sum = 'pose_add(get_actual_tcp_pose(), pose_sub(p[0.1, 0, 0.2, 0, 3, 0], p[0.1, 0, 0.1, 0, 3, 0]))';
    expect(movesOf(`movel(${sum})`)).toEqual([2]);
    expect(() => movesOf('movel(pose_sub(get_actual_tcp_pose(), p[0, 0, 0, 0, 1, 0]))')).toThrow(/different orient/);
  });

  test('interpolate_pose goes straight, and turns about one axis', () => {
    const here = movesAt('movel(get_actual_tcp_pose())');
    const turned = (angle: number, x: number) =>
      `pose_trans(get_actual_tcp_pose(), p[${x}, 0, 0, 0, ${0.6 * angle}, ${-0.8 * angle}])`;
    for (const share of [0, 0.25, 0.5, 1]) {
      const [middle] = movesAt(`movel(interpolate_pose(get_actual_tcp_pose(), ${turned(0.4, 0.08)}, ${share}))`);
      const [stated] = movesAt(`movel(${turned(0.4 * share, 0.08 * share)})`);
      for (const [i, value] of stated.entries()) expect(Math.abs(value - middle[i])).toBeLessThan(1e-12);
      if (share > 0) expect(middle).not.toEqual(here[0]);
    }
    const opposite = 'interpolate_pose(p[0, 0, 0, 0, 0, 0], p[0, 0, 0, 3.1, 0, 0], 0.5)';
    expect(() => movesOf(`movel(${opposite})`)).toThrow(/opposite orientations/);
    expect(() => movesOf('movel(interpolate_pose(get_actual_tcp_pose(), get_actual_tcp_pose(), 1.5))')).toThrow(
      /share/,
    );
  });

  test('an endless loop that blends into its beginning is not known to repeat itself', () => {
    const [home, other] = [START, START.map((value) => value + 0.1)].map((q) => `[${Array.from(q).join(', ')}]`);
    const loop = (r: number) => ['while True:', `  movej(${other})`, `  movej(${home}, r=${r})`, 'end'];
    expect(movesOf(...loop(0))).toEqual([3, 4]);
    expect(() => movesOf(...loop(0.01))).toThrow(/not at its end/);
  });
});
