import { assert, expect, test } from 'vitest';
import { parseDocument } from 'yaml';
import { regularYaml } from '../../../src/formats/text/regularYaml.ts';
import { cases } from '../../cases.ts';
import { generator } from '../../fuzz/mutate.ts';

type Below = (below: number) => number;

const WORDS = ['a', 'b1', 'sec', 'nanosec', 'shoulder_pan_joint', 'world/base', 'x', 'positions', 'yes', 'null', 'NaN'];
const NUMBERS = [
  '0',
  '-0',
  '1',
  '-12',
  '1.5',
  '-0.0',
  '1.5e-7',
  '2.0E+10',
  '1e5',
  '007',
  '1.',
  '.5',
  '+1',
  '0x1F',
  '1_0',
];

/** Returns a text of blocks of the forms that ROS tools print, and of some that they do not. */
function randomText(below: Below): string {
  const one = <T>(list: readonly T[]) => list[below(list.length)];
  const scalar = () => one([one(NUMBERS.slice(0, 8)), one(NUMBERS), one(WORDS.slice(0, 8)), one(WORDS), "''"]);
  const inline = () => {
    const items = Array.from({ length: below(4) }, scalar);
    if (below(3) === 0) return `[${items.join(', ')}]`;
    if (below(4) === 0) return `{${items.map((item, i) => `k${below(8) === 0 ? 0 : i}: ${item}`).join(', ')}}`;
    return scalar();
  };
  const block = (indent: number, depth: number): string => {
    const pad = ' '.repeat(indent);
    if (below(3) > 0 || depth === 0)
      return Array.from({ length: 1 + below(3) }, (_, i) => {
        const key = below(6) === 0 ? one(WORDS) : `k${i}`;
        if (depth > 2 || below(2) === 0) return `${pad}${key}: ${inline()}\n`;
        return `${pad}${key}:\n${block(indent + below(3), depth + 1)}`;
      }).join('');
    return Array.from({ length: 1 + below(3) }, () =>
      below(2) === 0 ? `${pad}- ${inline()}\n` : `${pad}- ${block(indent + 2, depth + 1).slice(indent + 2)}`,
    ).join('');
  };
  return block(0, 0);
}

/** A message as `ros2 topic echo` prints it, and in lines as `plan` writes it. */
const ECHO = `header:
  stamp:
    sec: 0
    nanosec: 12
  frame_id: ''
joint_names:
- a
- b
points:
- positions:
  - 0.0
  - -1.5
  velocities: []
  time_from_start:
    sec: 0
    nanosec: 0
- positions: [1.0, 2.0e-05]
  time_from_start: {sec: 1, nanosec: 5}
`;

const MARKS = [
  '\n',
  ' ',
  '  ',
  '- ',
  ':',
  ': ',
  '#',
  '[',
  ']',
  '{',
  '}',
  ',',
  "'",
  '"',
  '\t',
  '\r',
  '0',
  'e',
  '.',
  '&a ',
  '*a',
  '|',
];

function mutated(text: string, below: Below): string {
  const at = below(text.length + 1);
  return `${text.slice(0, at)}${MARKS[below(MARKS.length)]}${text.slice(at + below(3))}`;
}

test('what it reads, the YAML library reads alike, without errors', () => {
  let [read, changed] = [0, 0];
  for (let seed = 0; seed < cases(40_000); seed++) {
    const below = generator(5, seed);
    const own = below(3) === 0 ? ECHO : randomText(below);
    const text = below(2) === 0 ? own : mutated(own, below);
    const regular = regularYaml(text);
    if (regular === undefined) continue;
    read++;
    changed += Number(text !== own);
    const document = parseDocument(text, { logLevel: 'error' });
    assert.deepEqual([...document.errors, ...document.warnings], [], text);
    assert.isTrue(isSame(document.toJS(), regular.data), text);
  }
  assert.isAbove(read, cases(40_000) / 10);
  assert.isAbove(changed, cases(40_000) / 100);
});

/** Deep equality in which 0 and -0 differ. */
function isSame(one: unknown, other: unknown): boolean {
  if (typeof one !== 'object' || typeof other !== 'object' || one === null || other === null)
    return Object.is(one, other);
  const [keys, others] = [Object.keys(one), Object.keys(other)];
  return (
    Array.isArray(one) === Array.isArray(other) &&
    keys.join() === others.join() &&
    keys.every((key) => isSame(one[key as never], other[key as never]))
  );
}

test('messages as ROS tools print them are read', () => {
  expect(regularYaml(ECHO)?.data).toEqual({
    header: { stamp: { sec: 0, nanosec: 12 }, frame_id: '' },
    joint_names: ['a', 'b'],
    points: [
      { positions: [0, -1.5], velocities: [], time_from_start: { sec: 0, nanosec: 0 } },
      { positions: [1, 2e-5], time_from_start: { sec: 1, nanosec: 5 } },
    ],
  });
});

test.each([
  ['a duplicate key', 'a: 1\na: 2\n'],
  ['a key without a value', 'a:\nb: 1\n'],
  ['a name over two lines', 'a: b\n  c\n'],
  ['a comment', 'a: 1 # one\n'],
  ['leading zeros', 'a: 010\n'],
  ['a truth value', 'a: [true, Yes]\n'],
  ['an item beside keys', 'a: 1\n- 2\n'],
  ['deep blocks', `${Array.from({ length: 300 }, (_, i) => `${' '.repeat(i)}a:\n`).join('')}${' '.repeat(300)}a: 1\n`],
  ['an empty text', ''],
])('%s is left to the library', (_, text) => {
  assert.isUndefined(regularYaml(text));
});
