import { assert, describe, test } from 'vitest';
import { InputError } from '../../../src/errors.ts';
import { readTrajectory } from '../../../src/formats/trajectories/index.ts';

const read = (text: string) => readTrajectory(text, 'p.script', ['a', 'b']);
const movesOf = async (text: string) => (await read(text)).points.map(({ positions }) => positions);

async function refusal(text: string): Promise<string> {
  try {
    await read(text);
  } catch (error) {
    if (error instanceof InputError) return error.message;
    throw error;
  }
  return 'read';
}

describe('scripts are executed', () => {
  test.each([
    ['a function alone is the program', 'def f():\n  movej([0, 1])\nend\n', [[0, 1]]],
    ['a call at the end executes it once', 'def f():\n  movej([0, 1])\nend\nf()\n', [[0, 1]]],
    [
      'twice',
      'def f():\n  movej([0, 1])\nend\nf()\nf()\n',
      [
        [0, 1],
        [0, 1],
      ],
    ],
    [
      'call order',
      'def g():\n movej([2, 2])\nend\ndef f():\n movej([1, 1])\n g()\nend\nf()\n',
      [
        [1, 1],
        [2, 2],
      ],
    ],
    [
      'nested',
      'def f():\n def g(q, v=0.5):\n  movej(q, v=v)\n end\n g([1, 1])\n g(v=1, q=[0, 0])\nend\n',
      [
        [1, 1],
        [0, 0],
      ],
    ],
    [
      'returned lists',
      'def f():\n def h():\n  return [1.5, d2r(180)]\n end\n q = h()\n movej(q)\nend\n',
      [[1.5, Math.PI]],
    ],
    [
      'elements',
      'def f():\n q = [0.0, 1]\n i = 0\n while i < 2:\n  movej(q)\n  q[0] = q[0] + 0.5\n  i = i + 1\n end\nend\n',
      [
        [0, 1],
        [0.5, 1],
      ],
    ],
    [
      'lists of lists',
      'path = [[0, 1], [2, 3]]\ni = 0\nwhile i < length(path):\n  movej(path[i])\n  i = i + 1\nend\n',
      [
        [0, 1],
        [2, 3],
      ],
    ],
    ['globals', 'def f():\n  a = 0.5\n  def g():\n    a = 1.5\n  end\n  g()\n  movej([a, 0])\nend\n', [[1.5, 0]]],
    [
      'locals mask them',
      'def f():\n  a = 0.5\n  def g():\n    local a = 1.5\n  end\n  g()\n  movej([a, 0])\nend\n',
      [[0.5, 0]],
    ],
    [
      'return and halt',
      'def f():\n  def g():\n    movej([0, 0])\n    return\n    movej([1, 1])\n  end\n  g()\n  halt\n  movej([2, 2])\nend\n',
      [[0, 0]],
    ],
    [
      'labels, texts, continued lines',
      '$ 1 "movej([1, 1])"\ntextmsg("# movej([2, 2])") # movej([3, 3])\nmovej([0, \\\n 0])\nmovej([1,\n\n 1],\r\n r=0)\n',
      [
        [0, 0],
        [1, 1],
      ],
    ],
    [
      'outputs and tools',
      'set_tcp(p[0,0,0.1,0,0,0])\nset_payload(1.5, [0, 0, 0.05])\nmovej([0, 0])\nset_digital_out(1, True)\nstopj(2.0)\nsleep(1)\nmovej([1, 1])\n',
      [
        [0, 0],
        [1, 1],
      ],
    ],
    [
      'parameters of the name of a global',
      'a = [0.5, 0]\ndef g(a):\n  movej(a)\nend\ng(a)\ng([1, 1])\n',
      [
        [0.5, 0],
        [1, 1],
      ],
    ],
    [
      'a stream at rest, then a move',
      'servoj([0, 0])\nservoj([0.00002, 0])\nstopj(2)\nmovej([1, 1])\n',
      [
        [0, 0],
        [0.00002, 0],
        [1, 1],
      ],
    ],
  ])('%s', async (_, text, expected) => {
    assert.deepEqual(await movesOf(text), expected);
  });

  test('a long stream is read by executing each of its statements once', async () => {
    const stream = Array.from(
      { length: 50_000 },
      (_, i) => `  servoj([${i / 1e5}, 0.5], t=0.002, lookahead_time=0.1, gain=300)`,
    );
    const { points } = await read(['def f():', ...stream, 'end', ''].join('\n'));
    assert.equal(points.length, 50_000);
    assert.equal(points[49_999].time_from_start, 99.998);
  });
});

const calls = [
  ...['movel(p[0,0,0,0,0,0])', 'movec(p[0,0,0,0,0,0],p[0,0,0,0,0,0])', 'movep(p[0,0,0,0,0,0])', 'speedj([0,0],1,1)'],
  ...[
    'speedl([0,0,0,0,0,0],1,1)',
    'servoc(p[0,0,0,0,0,0])',
    'optimovej([0,0])',
    'path_offset_enable()',
    'teach_mode()',
  ],
  ...['force_mode(p[0,0,0,0,0,0],[1],[0],2,[1])', 'track_conveyor_linear(p[0,0,0,0,0,0],100)', 'freedrive_mode()'],
  ...['position_deviation_warning(True)', 'socket_open("a",1)', 'Movej([0,0])', 'move_j([0,0])'],
];

describe('scripts that may move differently are rejected with their line', () => {
  test.each(calls)('%s', async (call) => {
    const name = /^\w+/.exec(call)![0];
    assert.equal(await refusal(`movej([0, 0])\n${call}\n`), `p.script:2: ${name} is not supported`);
    assert.equal(
      await refusal(`def f():\n  movej([0, 0])\n  if False:\n    ${call}\n  end\nend\n`),
      `p.script:4: ${name} is not supported`,
    );
  });

  test.each([
    ['def f():\n movej([0,0])\nend\ndef g():\n movej([1,1])\nend\n', 'p.script:4: f and g: which of them'],
    ['def f():\n movej([0,0])\nend\nmovej([1,1])\n', 'p.script:1: f is not called'],
    ['thread t():\n movej([0,0])\nend\n', 'p.script:2: the thread t does more than'],
    ['sec t():\n set_digital_out(1, True)\nend\n', 'p.script:1: sec is not supported'],
    ['movej(p[0,0,0,0,0,0])\n', 'p.script:1: movej to a pose'],
    ['movej(get_inverse_kin(p[0,0,0,0,0,0]))\n', 'p.script:1: get_inverse_kin is not supported'],
    ['q = get_actual_joint_positions()\nmovej(q)\n', 'p.script:1: get_actual_joint_positions is not supported'],
    ['movej([0,0], 1, 1, 0, 0, 7)\n', 'p.script:1: movej with 6 values'],
    ['movej([0,0], b=3)\n', 'p.script:1: movej has no parameter b'],
    ['movej([0,0], 1, a=2)\n', 'p.script:1: movej: a is given twice'],
    ['movej([0,0], a=1, 2)\n', 'p.script:1: movej: a value without name'],
    ['movej([0,0], a=-1)\n', 'p.script:1: movej with a=-1'],
    ['movej()\n', 'p.script:1: movej without q'],
    ['movej([0,0], r=0.5-0.4)\n', 'p.script:1: movej with r='],
    ['servoj([0,0], gain=1e9)\n', 'p.script:1: servoj with gain=1000000000'],
    ['servoj([0,0])\nservoj([0.5,0])\nmovej([1,1])\n', 'p.script:3: movej while the arm moves at 250 rad/s'],
    ['servoj([0,0])\nsleep(1)\nservoj([0,0])\n', 'p.script:2: sleep between two servoj'],
    ['servoj([0,0])\nsync()\nservoj([0,0])\n', 'p.script:2: sync between two servoj'],
    ['movej([0,0])\nservoj([1,1])\nservoj([1,1])\n', 'p.script:2: servoj to a point that requires 500 rad/s'],
    ['movej([0,0])\nservoj([0.001,0])\n', 'p.script:2: the end of the program while the arm moves'],
    ['movej([010,0])\n', 'p.script:1: 010 is not a decimal number'],
    ['movej([0x10,0])\n', 'p.script:1: 0x10 is not a decimal number'],
    ['movej([90deg,0])\n', 'p.script:1: 90deg is not a decimal number'],
    ['movej([1_0,0])\n', 'p.script:1: 1_0 is not a decimal number'],
    ['movej([1e999,0])\n', 'p.script:1: a number that is not finite'],
    ['movej([1/2,0])\n', 'p.script:1: the quotient of the integers 1 and 2'],
    ['movej([1.0/0,0])\n', 'p.script:1: a division by zero'],
    ['movej([-7 % 3,0])\n', 'p.script:1: % of other than positive integers'],
    ['x = 0\nx = 0.5\nmovej([x,0])\n', 'p.script:2: x is a integer and is assigned a float'],
    ['x = 0.0\nwhile x < 1.0:\n  movej([x,0])\n  x = x + 0.1\nend\n', 'p.script:2: 0.9999999999999999 < 1 depends on'],
    ['a = [0.5,0]\nb = a\nb[0] = 1.5\nmovej(a)\n', 'p.script:3: b is changed, and was assigned'],
    ['def f(q):\n  q[0] = 1.5\nend\na = [0.5,0]\nf(a)\nmovej(a)\n', 'p.script:2: q is changed, and was assigned'],
    [
      'def f():\n  a = 0.5\n  def g():\n    a = 1.5\n  end\n  g()\n  movej([a, 0])\nend\nf()\n',
      'p.script:4: a is also a variable of f',
    ],
    [
      'def f():\n  def g():\n    a = 1.5\n  end\n  g()\n  a = 0.5\n  movej([a, 0])\nend\n',
      'p.script:3: a before it is assigned',
    ],
    ['a = 0.5\ndef g():\n  movej([a,0])\n  local a = 1.5\nend\ng()\n', 'p.script:3: a before it is declared local'],
    [
      'a = 0.5\ndef g(a):\n  movej([a,0])\nend\ng(1)\nmovej([a,0])\n',
      'p.script:6: a is global, and a parameter of a function',
    ],
    [
      'a = 0.5\ndef g(a):\n  a = 1.5\n  movej([a,0])\nend\ng(a)\nmovej([a,0])\n',
      'p.script:7: a is global, and a parameter of a function',
    ],
    [
      'a = 0.5\ndef h():\n  global a = 1.5\nend\ndef g(a):\n  h()\n  movej([a,0])\nend\ng(a)\n',
      'p.script:3: a is global, and a parameter of a function',
    ],
    ['def movej(q):\n  servoj(q)\nend\nmovej([0,0])\n', 'p.script:1: movej is a function of the controller'],
    ['def f():\n  movej([0,0])\nend\ndef f():\n  movej([1,1])\nend\nf()\n', 'p.script:4: f is defined twice'],
    ['f()\ndef f():\n  movej([0,0])\nend\n', 'p.script:1: f is called before its definition'],
    ['def f():\n  movej([0,0])\n  f()\nend\nf()\n', 'p.script:3: f calls itself'],
    ['def f():\n  movej([0,0])\n  f()\nend\n', 'p.script:3: f is called before its definition'],
    ['def f():\n  def g():\n    movej([0,0])\n  end\nend\nf()\ng()\n', 'p.script:7: g is defined within f'],
    ['def f():\n  movej([0,0])\n  return 1\nend\nx = 1 + f()\n', 'p.script:5: f moves the arm or changes a global'],
    ['def f(x=y):\n  movej([x,0])\nend\ny = 1.5\nf()\n', 'p.script:1: y in the default'],
    ['def f():\nmovej([0,0])\nend\n', 'p.script:2: a line of a function in the first column'],
    ['movej([0,0]) movej([1,1])\n', 'p.script:1: movej where the line should end'],
    ['movej([0,0]); movej([1,1])\n', 'p.script:1: the character ; is not supported'],
    ['if 1:\n  movej([0,0])\nend\n', 'p.script:1: the condition is a number'],
    ['if True and False or True:\n  movej([0,0])\nend\n', 'p.script:1: and beside or'],
    ['if 1 < 2 < 3:\n  movej([0,0])\nend\n', 'p.script:1: < beside <'],
    ['for i in [0]:\n  movej([0,0])\nend\n', 'p.script:1: for is not supported'],
    ['movej([0,0])\nend\n', 'p.script:2: end without its beginning'],
    ["textmsg('a')\nmovej([0,0])\n", "p.script:1: the character ' is not supported"],
    ['textmsg("a\\")\nmovej([0,0])\n', 'p.script:1: a backslash before a quotation mark'],
    ['textmsg("a\nmovej([0,0])\n', 'p.script:1: a text without its closing quotation mark'],
    ['movej([0,0]) # a\\\nmovej([1,1])\n', 'p.script:1: a backslash at the end of a comment'],
    ['movej([0,0]) # a\rmovej([1,1])\n', 'p.script:1: the control character U+000D'],
    ['movej([0,0]) # a\u2028movej([1,1])\n', 'p.script:1: the control character U+2028'],
    ['movej([0,0]) # a\0\nmovej([1,1])\n', 'p.script:1: the control character U+0000'],
    ['# joints: a, b\n# joints: b, a\nmovej([0,1])\n', 'p.script: joints: two comments name different joints'],
  ])('%j', async (text, message) => {
    const [first] = (await refusal(text)).split('\n');
    assert.isTrue(first.startsWith(message), `${first}\nis not\n${message}`);
  });

  test.each([
    ['parentheses', `movej([${'('.repeat(60_000)}0, 0])\n`],
    ['brackets', `movej(${'['.repeat(60_000)}\n`],
    ['signs', `movej([${'-'.repeat(60_000)}1, 0])\n`],
    ['negations', `x = ${'not '.repeat(30_000)}True\nmovej([0, 0])\n`],
    ['blocks', `${'if True:\n'.repeat(20_000)}movej([0, 0])\n${'end\n'.repeat(20_000)}`],
    ['functions', `${'def f():\n '.repeat(20_000)}movej([0, 0])\n${' end\n'.repeat(20_000)}`],
    ['indices', `a = [1]\nmovej(a${'[0]'.repeat(20_000)})\n`],
    [
      'calls',
      `${Array.from({ length: 5000 }, (_, i) => `def f${i}():\n  f${i + 1}()\nend\n`)
        .reverse()
        .join('')}f0()\n`,
    ],
    [
      'blocks within calls',
      `${Array.from(
        { length: 49 },
        (_, i) => `def f${i}():\n${' while True:\n'.repeat(45)}  f${i + 1}()\n  return\n${' end\n'.repeat(45)}end\n`,
      )
        .reverse()
        .join('')}f0()\n`.replace('  f49()', '  movej([0, 0])'),
    ],
    ['an endless loop', 'while True:\nend\nmovej([0, 0])\n'],
    ['a loop of moves', 'i = 0\nwhile True:\n  if i >= 0:\n    movej([0, 0])\n  end\n  i = i + 1\nend\n'],
    ['a loop of lists', `while True:\n  x = [${'pi, '.repeat(20_000)}1]\nend\nmovej([0, 0])\n`],
    [
      'calls that double',
      `def f0():\n  movej([0, 0])\nend\n${Array.from({ length: 40 }, (_, i) => `def f${i + 1}():\n  f${i}()\n  f${i}()\nend\n`).join('')}f40()\n`,
    ],
  ])('%s without end are refused', async (_, text) => {
    assert.match(await refusal(text), /^p\.script/);
  });

  test('a sum of 30,000 numbers is read', async () => {
    assert.deepEqual(await movesOf(`movej([0${' + 1'.repeat(30_000)}, 0])\n`), [[30_000, 0]]);
  });
});

test('the note on a function of steps that a program calls and does not define says so', async () => {
  const error = await read('movej([0, 0])\non_step(0)\n').catch((one: InputError) => one);
  assert.instanceOf(error, InputError);
  assert.equal(error.message, 'p.script:2: on_step is not supported');
  assert.match((error as InputError).note, /^Define it in the program/);
});
