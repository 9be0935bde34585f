import { expect, test } from 'vitest';
import { InputError } from '../../../src/errors.ts';
import { defineCommand } from '../../../src/host/cli/command.ts';
import { choice, flag, integer, optionalInteger, pairs, quantity, text } from '../../../src/host/cli/options.ts';
import { parseArguments } from '../../../src/host/cli/parse.ts';

const command = defineCommand({
  summary: 'a command with one option of each kind',
  operands: [
    { name: 'SCENE', meaning: 'what to read' },
    { name: 'STATES', meaning: 'more to read', optional: true },
  ],
  options: {
    seed: integer(1, 'a seed', { min: 0 }),
    iterations: optionalInteger('as many as it takes', 'how often', { min: 1 }),
    timeLimit: quantity(10, 's', 'how long', { min: 0, exclusive: true }),
    planner: choice({ 'rrt-connect': 1, prm: 2 }, 'rrt-connect', 'which'),
    package: pairs('NAME=DIR', 'where'),
    start: text('Q', 'where from'),
    output: text('FILE', 'where to', 'o'),
    noShortcut: flag('as it was found'),
  },
  run: async () => 0,
});

const parse = (line: string) => parseArguments('try', command, line === '' ? [] : line.split(' '));
const failure = (line: string): InputError => {
  try {
    parse(line);
  } catch (error) {
    if (error instanceof InputError) return error;
    throw error;
  }
  throw new Error(`"${line}" was accepted`);
};

test('what is not given has its default', () => {
  expect(parse('scene.yaml')).toEqual({
    operands: ['scene.yaml', undefined],
    options: {
      seed: 1,
      iterations: undefined,
      timeLimit: 10,
      planner: 'rrt-connect',
      package: {},
      start: undefined,
      output: undefined,
      noShortcut: false,
    },
  });
});

test('values are read by their kind, wherever they stand', () => {
  const { operands, options } = parse(
    '--seed 7 a.yaml --time-limit=2.5 - --package a=b --package c=d=e -o out.json --no-shortcut',
  );
  expect(operands).toEqual(['a.yaml', '-']);
  expect(options).toMatchObject({
    seed: 7,
    timeLimit: 2.5,
    package: { a: 'b', c: 'd=e' },
    output: 'out.json',
    noShortcut: true,
  });
});

test('a value may begin with a dash', () => {
  expect(parse('a --start -1.2,0.3').options['start']).toBe('-1.2,0.3');
  expect(parse('a --start -pi/2,0').options['start']).toBe('-pi/2,0');
  expect(parse('a -o -').options['output']).toBe('-');
});

test('what stands after -- is an operand', () => {
  expect(parse('-- --seed').operands).toEqual(['--seed', undefined]);
});

test.each(['abc', '1.5', '-', '1e400', '0x10', '-1', '9007199254740993', ''])(
  '--seed %s is refused, and the option is named',
  (given) => {
    expect(failure(`a --seed=${given}`).message).toContain('--seed');
  },
);

test.each(['abc', '-1', '0', 'Infinity', '1e999', 'NaN'])(
  '--time-limit %s is refused, and the option is named',
  (given) => {
    const { message, note } = failure(`a --time-limit ${given}`);
    expect(message).toBe(`--time-limit is "${given}"`);
    expect(note).toBe('Give a number in s above 0.');
  },
);

test('an option given twice is refused unless it may be repeated', () => {
  expect(failure('a --package x=1 --package y=2 --package x=3').message).toBe('--package x is given 2 times: 1, 3');
  expect(failure('a --seed 1 --seed 2').message).toBe('--seed is given 2 times: 1, 2');
});

test('a missing value is a usage error', () => {
  expect(failure('a --seed').message).toBe('--seed needs a value');
  expect(failure('a --start --seed 3').message).toBe('--start needs a value');
  expect(failure('a --seed -o x').message).toBe('--seed needs a value');
});

test('a flag takes no value', () => {
  expect(failure('a --no-shortcut=maybe').message).toContain('--no-shortcut');
});

test('typos of options and of choices get the nearest name', () => {
  expect(failure('a --sed 1')).toMatchObject({ message: 'try: unknown option --sed', note: 'Did you mean --seed?' });
  expect(failure('a --hlep').note).toBe('Did you mean --help?');
  expect(failure('a --planner rrt-conect').note).toContain('Did you mean "rrt-connect"?');
  expect(failure('a --xyzzyx 1').note).toContain('Use one of: --seed');
});

test('names of the parser itself are no options', () => {
  for (const name of ['help2', 'constructor', '__proto__', 'toString'])
    expect(failure(`a --${name}`).message).toContain('unknown option');
});

test('operands that are missing or too many are named', () => {
  expect(failure('').message).toBe('try: SCENE is missing (what to read)');
  expect(failure('a b c')).toMatchObject({
    message: 'try: unexpected "c"',
    note: 'Usage: elbowroom try SCENE [STATES]',
  });
});
