import { expect, test } from 'vitest';
import { Random } from '../../../src/core/math/random.ts';
import { loadScene } from '../../../src/host/node/files.ts';
import { createSceneRobot } from '../../../src/tasks/sceneRobot.ts';
import { ValidationLines, type ValidationLinesOptions } from '../../../src/tasks/validation/validationLines.ts';

const { scene, robot: description } = await loadScene('scenes/shelf.yaml');
const robot = createSceneRobot({ scene, robot: description });
const NAMES = robot.variables.map(({ name }) => name);

/** Compares the results of bytes with those of text, which is read by JSON.parse, in chunks of some lines. */
function expectSame(lines: readonly string[], perChunk: number, options: ValidationLinesOptions = {}): void {
  const [fast, slow] = [0, 1].map(() => new ValidationLines(robot, scene, options, 'list'));
  for (let i = 0; i < lines.length; i += perChunk) {
    const some = lines.slice(i, i + perChunk);
    const bytes = Buffer.from(fast.toBytes(Buffer.from(`${some.join('\n')}\n`))).toString();
    const text = some.map((line) => slow.to([line])).join('');
    if (bytes !== text) expect(bytes.split('\n')).toEqual(text.split('\n'));
  }
  for (const count of ['read', 'unreadable', 'invalid'] as const) expect(fast[count]).toBe(slow[count]);
}

/** States, some of them out of limits. */
function randomStates(count: number, seed: number): number[][] {
  const random = new Random(seed);
  return Array.from({ length: count }, () => NAMES.map(() => (random.next() - 0.5) * (random.next() < 0.05 ? 20 : 6)));
}

const odd = [
  ...['', '#', '  # [0,0,0,0,0,0]', '{}', '[]', '[0,0,0,0,0,0', '[0,0,0,0,0,0]]', '[0,0,0,0,0,0] x', '[0,0,0,0,0,0],'],
  ...['[0,0,0,0,0,0,0]', '[0,0,0,0,0]', '[,0,0,0,0,0]', '[0 0,0,0,0,0]', '[0,0,0,0,0,1e7]', '[1e999,0,0,0,0,0]'],
  ...['{"q":[0,0,0,0,0,0],"q":[1,0,0,0,0,0]}', '{"id":1,"q":[0,0,0,0,0,0],"id":2}', '{"q":[0,0,0,0,0,0],}'],
  ...['{"q":[0,0,0,0,0,0],"id":-0}', '{"q":[0,0,0,0,0,0],"id":007}', '{"q":[0,0,0,0,0,0],"id":1.50}'],
  ...['{"q":[0,0,0,0,0,0],"id":12345678901234567890}', '{"q":[0,0,0,0,0,0],"id":"a\\u0041\\n"}', '{"id":null,"q":[0]}'],
  ...['{"q":[0,0,0,0,0,0],"t":1}', '{"q":[0,0,0,0,0,0],"id":"\t"}', '{"q":[0,0,0,0,0,0],"id":[1]}', '{"id":"x"}'],
  ...[
    '{"q":[0,0,0,0,0,0]"id":1}',
    '{"q":[0,0,0,0,0,0]};',
    '{"Q":[0,0,0,0,0,0]}',
    '{"i":1,"q":[0,0,0,0,0,0]}',
    '7',
    '"x"',
  ],
  ...[
    '{"q":{"a":1}}',
    '{"q" : [ 0 , 0 , 0 ,0,0, 0 ] , "id" : "é" }',
    '[0,0,0,0,0,-]',
    '[0,0,0,0,0,0]\r',
    '\t[0,0,0,0,0,0] \r',
  ],
  ...[
    '0,0,0,0,0,0',
    '[00,0,0,0,0,0]',
    '[0,0,0,0,0,+1]',
    '[-0,0,0,0,0,-0.0]',
    '{"q":[0,0,0,0,0,0],"id":""}',
    '[0.,0,0,0,0,0]',
  ],
].filter((line) => !line.includes('é'));

test('lines of all forms have the results that JSON.parse leads to', () => {
  const lines = randomStates(600, 1).map((q, i) => {
    const id = [i, `"s ${i}"`, '-17', '"{}[],:"', '0'][i % 5];
    if (i % 3 === 0) return JSON.stringify(q);
    if (i % 3 === 1) return `{"id":${id},"q":${JSON.stringify(q)}}`;
    return ` { "q" : [ ${q.join(' , ')} ] , "id" : ${id} } `;
  });
  const withOdd = lines.flatMap((line, i) => (i % 5 === 4 ? [line, odd[((i - 4) / 5) % odd.length]] : [line]));
  for (const perChunk of [1, 3, 64, withOdd.length]) expectSame(withOdd, perChunk);
});

test('lines with bytes that were changed, removed or doubled have the results of their text', () => {
  const random = new Random(5);
  const alphabet = ' \t\r[]{}",:.-+eE0123456789qidt#\\\'x';
  const below = (n: number) => Math.floor(n * random.next());
  const lines = randomStates(4000, 2).map((q, i) => {
    let line =
      i % 2 ? JSON.stringify(q.map((x) => +x.toFixed(3))) : JSON.stringify({ q: q.map((x) => +x.toFixed(3)), id: i });
    for (let n = below(3); n >= 0; n--) {
      const [at, removed] = [below(line.length), below(3)];
      line = line.slice(0, at) + (below(3) ? alphabet[below(alphabet.length)] : '') + line.slice(at + removed);
    }
    return line;
  });
  expectSame(['[0,0,0,0,0,0]', ...lines], 500);
});

test('CSV with and without a header, with columns in another order, is read as text is', () => {
  const states = randomStates(400, 3);
  const others = [
    '1,2',
    '#,0,0,0,0,0',
    '',
    ' 1 ,2,3,\t4,5,6 ',
    '1.,2,3,4,5,6',
    '+1,2,3,4,5,6',
    'x,2,3,4,5,6',
    '"1",2,3,4,5,6',
    '1,2,3,4,5,6,',
  ];
  const plain = states.flatMap((q, i) => (i % 40 ? [q.join(',')] : [q.join(', '), others[(i / 40) % others.length]]));
  expectSame(plain, 50);
  const reversed = states.map((q, i) => [`a ${i} `, ...q.toReversed(), i % 7 ? 1 : 'note'].join(','));
  const odd = [
    ',1,2,3,4,5,6,7',
    '#1,1,2,3,4,5,6,7',
    '"a,b",1,2,3,4,5,6,7',
    'a"b,1,2,3,4,5,6,7',
    'a\tb,1,2,3,4,5,6,7',
    'a,1,2,3,4,5,6',
  ];
  expectSame(['id', ...NAMES.toReversed(), 'note'].join(',').split('\n').concat(reversed, odd, reversed), 33);
});

test('options that need more than the first collision have the same results in bytes', () => {
  const lines = randomStates(40, 4).map((q) => JSON.stringify(q));
  for (const options of [{ all: true }, { clearance: true }, { gradient: true }])
    expectSame([...lines, ...odd], 7, options);
});
