import { assert, describe, expect, test } from 'vitest';
import { create } from '../../../src/core/math/transform.ts';
import type { ProgramMove } from '../../../src/core/scene/moves/moveProgram.ts';
import { InputError } from '../../../src/errors.ts';
import type { ScriptRobot } from '../../../src/formats/trajectories/urscript/scriptArm.ts';
import { readMoveExecutions, readMoves } from '../../../src/formats/trajectories/urscriptReader.ts';
import { cases } from '../../cases.ts';
import { generator } from '../../fuzz/mutate.ts';
import { type Executed, executed, TooLong } from './urscriptMachine.ts';
import { type Below, createProgram, mutated } from './urscriptPrograms.ts';

const COUNT = Number(process.env.ELBOWROOM_SCRIPTS ?? cases(1500));

/** Two joints that follow movej. */
const robot = {
  model: { dof: 2, variables: [{ name: 'a' }, { name: 'b' }], links: [] },
  frame: { link: 0, T_link_frame: create() },
  start: Float64Array.of(3, 3),
  endOf: (_: unknown, { joints }: ProgramMove) => joints,
} as unknown as ScriptRobot;

/** Returns the motions from one stop to the next. */
function motionsOf(moves: readonly { readonly q: readonly number[]; readonly r: number }[]): string[] {
  const motions: string[] = [];
  let motion = 'start';
  for (const { q, r } of moves) {
    motion += ` to ${q}${r > 0 ? ` (${r})` : ''}`;
    if (r > 0) continue;
    motions.push(motion);
    motion = String(q);
  }
  return motions;
}

const executions = (text: string) => {
  const found = readMoveExecutions(text, 'p.script', robot);
  return found.map(({ program: { moves }, choices }) => ({
    positions: moves.map(({ joints }) => Array.from(joints!)),
    motions: motionsOf(moves.map(({ joints, radius }) => ({ q: Array.from(joints!), r: radius }))),
    choices: choices.map(({ line, text: what }) => `${line}: ${what}`),
  }));
};
const positions = (text: string) => executions(text).map((one) => one.positions);
const program = (...lines: string[]) => `def p():\n${lines.map((line) => `  ${line}\n`).join('')}end\n`;

describe('a program whose conditions are not known before', () => {
  test('is read for both values of an input', () => {
    const text = program('movej([0, 1])', 'if get_digital_in(3):', '  movej([1, 1])', 'end', 'movej([0, 2])');
    expect(executions(text).map(({ motions: _, ...one }) => one)).toEqual([
      {
        positions: [
          [0, 1],
          [1, 1],
          [0, 2],
        ],
        choices: ['3: get_digital_in(3) is True'],
      },
      {
        positions: [
          [0, 1],
          [0, 2],
        ],
        choices: ['3: get_digital_in(3) is False'],
      },
    ]);
  });

  test('with inputs in a loop has each of its moves, from each state that leads to it', () => {
    const cell = [
      'while (True):',
      '  movej([0, 0])',
      '  if (get_standard_digital_in(1)):',
      '    movej([1, 0])',
      '  end',
      'end',
    ];
    const found = new Set(executions(program(...cell)).flatMap((one) => one.motions));
    expect(found).toEqual(new Set(['start to 0,0', '0,0 to 1,0', '1,0 to 0,0', '0,0 to 0,0']));
  });

  test('repeats itself whatever it counts and shows, unless a move or a condition depends on it', () => {
    const cell = (used: string) =>
      executions(
        program(
          'n = 0',
          'm = 0.0',
          'while True:',
          '  n = n + 1',
          '  m = m + n * 2',
          '  textmsg("part " + to_str(n), m)',
          '  if get_digital_in(0):',
          '    movej([1, 0])',
          '  end',
          `  ${used}`,
          'end',
        ),
      ).length;
    expect(cell('movej([0, 0])')).toBeLessThan(6);
    for (const used of ['movej([m * 0.001, 0])', 'if n > 5:\n    movej([2, 2])\n  end', 'q = [m, 0]\n  movej(q)'])
      expect(() => cell(used), used).toThrow(/more than 512 ways|not at its end|rounding/);
  });

  test('waits for an input at rest', () => {
    const waiting = ['while (not get_digital_in(0)):', '  sync()', 'end'];
    const [first, ...others] = positions(program('movej([0, 1])', ...waiting, 'movej([1, 1])'));
    expect(first.flat()).toEqual([0, 1, 1, 1]);
    for (const other of others) expect(other).toEqual([[0, 1]]);
  });

  test('executions that rest in the same state continue as one', () => {
    const asks = Array.from({ length: 40 }, (_, i) => [`if get_digital_in(${i}):`, '  textmsg("on")', 'end']).flat();
    expect(executions(program('movej([0, 1])', ...asks, 'movej([1, 1])')).length).toBe(41);
    const differ = asks.map((line) => line.replace('textmsg("on")', 'n = n + 1'));
    expect(
      executions(program('n = 0', 'movej([0, 1])', ...differ.slice(0, 12), 'movej([n, 1])')).length,
    ).toBeGreaterThan(4);
  });

  test('lists that are nested deep are no states that repeat', () => {
    const deep = ['L = [0]', 'i = 0', 'while i < 20000:', '  L = [L, 1]', '  i = i + 1', 'end'];
    const text = program(...deep, 'movej([0, 1])', 'if get_digital_in(0):', '  movej([L[1], 0])', 'end');
    expect(positions(text)).toHaveLength(2);
  });

  test('compares numbers that are measured, and does not compute with them', () => {
    expect(
      positions(program('x = get_analog_in(0)', 'if x > 0.5:', '  movej([0, 1])', 'else:', '  movej([1, 0])', 'end')),
    ).toEqual([[[0, 1]], [[1, 0]]]);
    expect(() => positions(program('movej([get_analog_in(0), 1])'))).toThrow(/a joint position is a measured/);
    expect(() => positions(program('movej([get_analog_in(0) * 2, 1])'))).toThrow(/measured \* number is not supported/);
  });

  test('is refused with too many executions, and where one of them is wanted', () => {
    const asks = Array.from({ length: 10 }, (_, i) => [
      `if get_digital_in(${i}):`,
      `  n = n + ${2 ** i}`,
      'end',
    ]).flat();
    expect(() => positions(program('n = 0', ...asks, 'movej([n, 1])'))).toThrow(/more than 512 ways/);
    const text = program('if get_digital_in(0):', '  movej([0, 1])', 'end');
    expect(() => readMoves(text, 'p.script', robot)).toThrow(/p\.script:2: the value of get_digital_in is not known/);
  });
});

describe('what the manual leaves open is read in all ways, each in a whole execution', () => {
  test('quotients of integers', () => {
    expect(positions(program('n = 7', 'movej([n / 4, 5 / 3])'))).toEqual([[[1.75, 5 / 3]], [[1, 1]], [[2, 2]]]);
    expect(() => positions(program('movej([-7 / 4, 0])'))).toThrow(/the quotient of the integers -7 and 4/);
  });

  test('integer variables that are assigned fractions', () => {
    expect(positions(program('n = 0', 'n = 1.75', 'n = n + 0.25', 'movej([n, 0])'))).toEqual([
      [[2, 0]],
      [[1, 0]],
      [[2, 0]],
    ]);
    expect(positions(program('q = [0, 0]', 'q = [1.75, -0.25]', 'movej(q)'))).toEqual([
      [[1.75, -0.25]],
      [[1, 0]],
      [[1, -1]],
      [[2, 0]],
    ]);
    expect(positions(program('n = 0', 'n = -1.5', 'movej([n, 0])')).flat()).toEqual([
      [-1.5, 0],
      [-1, 0],
      [-2, 0],
      [-2, 0],
      [-1, 0],
    ]);
  });

  // Each condition holds for some controller, if of the two values one is an integer there and the other is not, or if
  // halves are rounded up by one rule and not by the other.
  test.each([
    ['P = p[1, 0, 0, 0, 0, 0]', 'P[0]/2 > 0.3 and 1/2 < 0.3'],
    ['x = 0.0; x = 3', 'x/4 > 0.5 and 3/4 < 0.5'],
    ['L = [1, 0.5]', 'L[0]/2 > 0.3 and 1/2 < 0.3'],
    ['n = 0; n = 1.75; n = 3', 'n/4 > 0.5 and 3/4 < 0.5'],
    ['n = 4/2; n = 1.75; m = 0; m = 1.75', 'n > 1.5 and m < 1.5'],
    ['n = 0; n = 1.75; q = [0, 0]; q = [0.75, 1]', 'n < 1.5 and q[0] > 0.5 and q[0] < 0.9'],
    ['n = 0; n = -1.5', 'n < -1.7'],
    ['n = 0; n = -1.25', 'n < -1.7'],
    ['n = 0', '5/2 < 2.2 and 7/4 > 1.8'],
    ['def f(x): ; return x; end; a = f(1)', 'a/2 > 0.3 and 1/2 < 0.3'],
    ['def f(x=0.5): ; return x/2 > 0.3 and 1/2 < 0.3; end; a = 0', 'f(1)'],
    ['P = p[1, 0, 0, 0, 0, 0]; n = P[0]; n = 3', 'n/4 > 0.5 and 3/4 < 0.5'],
    ['def f(x=0.5): ; x = 3; return x/4 > 0.5 and 3/4 < 0.5; end; a = 0', 'f(1)'],
    ['def f(x=0): ; return x < 0.5; end; a = 0', 'f(0.75)'],
    ['L = [0.5, 1]; L[0] = 2; q = L; q = [1.75, 2]; r = [0, 0]; r = [1.75, 0]', 'q[0] > 1.5 and r[0] < 1.5'],
    ['q = []; q = [1.75, 2]; r = [0, 0]; r = [1.75, 0]', 'q[0] > 1.5 and r[0] < 1.5'],
    ['L = [1, 0.5]; if get_digital_in(0): ; n = 0; else: ; n = L[0]; end; n = L[0]; n = 1.5; m = 0; m = 1.5', 'n > m'],
  ])('%s: %s may hold', (set, condition) => {
    const text = program('movej([0, 0])', ...set.split('; '), `if ${condition}:`, '  movej([1, 1])', 'end');
    const ends = new Set(positions(text).map((moves) => String(moves.at(-1))));
    expect(ends).toEqual(new Set(['0,0', '1,1']));
  });
});

describe('elements of a rotation vector that the controller computes', () => {
  const turned = 'P = pose_trans(p[0.3, 0, 0.5, 0, 3.14159265, 0], p[0, 0, 0.1, 0, 0, 0])';
  const read = (...lines: string[]) => positions(program('movej([0, 0])', turned, ...lines, 'movej([1, 1])'));

  test.each([
    ['if P[4] < 0: ; movej([2, 2]); end', /number of a computed rotation vector < number is not supported/],
    ['a = P[4] + 1', /number of a computed rotation vector \+ number is not supported/],
    ['movej([P[4], 0])', /a joint position is a number of a computed rotation vector/],
    ['Q = p[0, 0, 0, P[4], P[3], P[5]]', /single numbers of a computed rotation vector/],
    ['Q = p[0, 0, 0, P[3], P[4], 0]', /single numbers of a computed rotation vector/],
    ['Q = p[0, 0, 0, 0, P[4], P[5]]', /single numbers of a computed rotation vector/],
    ['Q = p[P[3], 0, 0, 0, 0, 0]', /single numbers of a computed rotation vector/],
    [`R = P; ${turned}; Q = p[0, 0, 0, P[3], R[4], P[5]]`, /single numbers of a computed rotation vector/],
    ['Q = p[0, 0, 0, P[3], P[4], P[5]]; a = Q[3] + 1', /number of a computed rotation vector \+ number/],
    [
      'P = interpolate_pose(p[0, 0, 0, 0, 4.0, 0], p[0, 0, 0, 0, 4.0, 0], 0.5); a = P[4] * 2',
      /rotation vector \* number/,
    ],
    ['P = pose_inv(P); a = -P[4]', /- of a number of a computed rotation vector/],
    ['def f(x=0): ; a = x; end; f(P[3])', /x is a integer and is assigned a number of a computed rotation vector/],
    ['M = [[0, 0], [0, 0]]; M = [[1.75, 0], [0, 0]]', /a list of integers is assigned a list with a list/],
    ['K = [0, 0, 0]; K = [P[3], P[4], P[5]]', /a list of integers is assigned a list with a number of a computed/],
  ])('%s is refused', (lines, message) => {
    expect(() => read(...lines.split('; '))).toThrow(message);
  });

  test('are copied to another pose, all three; those of a written pose are numbers', () => {
    expect(read('Q = p[P[0], P[1], P[2] + 0.1, P[3], P[4], P[5]]', 'r = Q[3]').length).toBe(1);
    expect(read('P = p[0, 0, 0, 0, 4.0, 0]', 'if P[4] < 0:', '  movej([2, 2])', 'end').flat()).toEqual([
      [0, 0],
      [1, 1],
    ]);
  });
});

/** Conditions of inputs, of which some do not depend on them. */
const CONDITIONS = [
  'get_digital_in(0)',
  'not get_digital_in(1)',
  'get_digital_in(0) and get_digital_in(1)',
  'get_analog_in(0) > 0.4',
  'get_digital_in(2) or 1 < 2',
];

/** Replaces conditions of a program by those of inputs, and adds loops that wait, move, and have no end. */
function withInputs(text: string, below: Below): string {
  const condition = () => CONDITIONS[below(CONDITIONS.length)];
  const lines = text.split('\n').map((line) => {
    const [, head] = /^( *(?:el)?if )(?!k\d)/.exec(line) ?? [];
    if (below(4) === 0) return line.replace(/, r=0\)$/, ', r=0.05)');
    return head !== undefined && below(2) === 0 ? `${head}${condition()}:` : line;
  });
  const at = below(lines.length);
  const [indent] = /^ */.exec(lines[at])!;
  const waits = [`while ${condition()}:`, below(2) === 0 ? '  sync()' : '  movej([0.5, 0.25])', 'end'];
  if (below(2) === 0) lines.splice(at, 0, ...waits.map((line) => indent + line));
  if (/^def program/m.test(text) || below(2) === 0) return lines.join('\n');
  const cell = [
    'count = 0',
    'while True:',
    '  count = count + 1',
    `  textmsg("part ", ${below(4) === 0 ? 'g' : 'count'})`,
    `  if ${below(6) === 0 ? 'count > 2' : condition()}:`,
    '    g = 0.5',
    '  end',
    '  movej([g, 1])',
    '  movej([1, g])',
    'end',
  ];
  return `${lines.join('\n')}${cell.join('\n')}\n`;
}

/** Moves of one execution by the second interpreter; of an endless one, up to its limit. */
function movesOf(text: string, input: () => number) {
  const shown = (moves: readonly Executed[]) => moves.map(({ positions: q, r }) => ({ q, r }));
  try {
    return shown(executed(text, input, 4000));
  } catch (error) {
    if (error instanceof TooLong) return shown(error.moves);
    throw error;
  }
}

test('each motion of a random program under random inputs is one of its executions', () => {
  let [compared, several, changed] = [0, 0, 0];
  for (let seed = 0; seed < COUNT; seed++) {
    const below = generator(7, seed);
    const own = withInputs(createProgram(below).text, below);
    const text = below(3) === 0 ? mutated(own, below) : own;
    let found: ReturnType<typeof executions>;
    try {
      found = executions(text);
    } catch (error) {
      assert.instanceOf(error, InputError, text);
      continue;
    }
    compared++;
    several += Number(found.length > 1);
    changed += Number(text !== own);
    const known = new Set(found.flatMap((one) => one.motions));
    for (let n = 0; n < 12; n++)
      for (const move of motionsOf(movesOf(text, () => below(1000) / 1000)))
        assert.isTrue(known.has(move), `seed ${seed}: ${move}\n${text}`);
  }
  assert.isAbove(compared, COUNT / 4);
  assert.isAbove(several, COUNT / 10);
  assert.isAbove(changed, COUNT / 100);
}, 600_000);
