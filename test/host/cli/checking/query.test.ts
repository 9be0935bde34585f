import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../run.ts';
import { elbowroom } from '../runHere.ts';

const disc = (x: number) => `{"shape":{"type":"disc","radius":1},"pose":{"xy":[${x},0]}}`;
const box = (x: number) => `{"shape":{"type":"box","size":[1,1,1]},"pose":{"xyz":[${x},0,0]}}`;

test('query prints the result of each pair with its id, in order, to the character; errors in their place', async () => {
  const input = [
    `{"id":"apart","a":${disc(0)},"b":${disc(3)}}`,
    `{"a":${disc(0)},"b":${box(3)}}`,
    'x',
    `{"id":[1],"a":${disc(0)},"b":${disc(1)},"note":"ignored"}`,
  ];
  expect(await elbowroom(['query', '--what', 'distance'], { input: `${input.join('\n')}\n` })).toEqual({
    code: 2,
    signal: null,
    stderr: 'elbowroom: error: stdin: 2 of 4 pairs could not be read\n  note: Their results give line and reason.\n',
    stdout: [
      '{"id":"apart","status":"separated","distance":{"lower":1,"upper":1},"normal":[1,0],"witnessA":[1,0],"witnessB":[2,0],"iterations":1}\n',
      '{"id":2,"line":2,"error":"a disc is a 2D shape, a box a 3D shape. Give two 2D shapes or two 3D shapes."}\n',
      '{"id":null,"line":3,"error":"not JSON"}\n',
      '{"id":[1],"status":"colliding","distance":{"lower":0,"upper":0},"normal":[1,0],"witnessA":[0.5,0],"witnessB":[0.5,0],"iterations":1}\n',
    ].join(''),
  });
});

test('query reads a file, and exits with 0 whatever the pairs do', async () => {
  const file = join(temporaryFolder(), 'pairs.jsonl');
  writeFileSync(file, `{"a":${box(0)},"b":${box(0.5)}}\r\n\r\n{"a":${box(0)},"b":${box(2)}}`);
  const { code, stdout } = await elbowroom(['query', file, '--what', 'collide']);
  const answers = stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  expect(code).toBe(0);
  expect(answers.map(({ id, status }) => [id, status])).toEqual([
    [1, 'colliding'],
    [3, 'separated'],
  ]);
});

test('query writes the result of a pair before it receives the next pair', async () => {
  let answered = 0;
  const { code } = await elbowroom(['query'], {
    input: (child) => child.stdin?.write(`{"a":${disc(0)},"b":${disc(3)}}\n`),
    onStdout: (_text, child) => {
      answered++;
      if (answered === 1) child.stdin?.write(`{"a":${box(0)},"b":${box(3)}}\n`);
      else child.stdin?.end();
    },
  });
  expect([code, answered]).toEqual([0, 2]);
});

test.each([
  [['--solver', 'gjk2d'], 'unknown --solver "gjk2d"'],
  [['--solver', 'gjk-2d', '--what', 'growth'], 'gjk-2d does not compute growth'],
  [['--what', 'volume'], 'unknown --what "volume"'],
  [['--gap', '-1'], '--gap is "-1"'],
  [['no/such/file.jsonl'], 'no/such/file.jsonl: there is no such file'],
])('query %j is refused in plain words', async (args, words) => {
  const { code, stdout, stderr } = await elbowroom(['query', ...args]);
  expect(code).toBe(2);
  expect(stdout).toBe('');
  expect(stderr).toContain(words);
  expect(stderr).not.toContain('    at ');
});

test('rows of poses are refused for quantities of which a row has no place', async () => {
  const found = await elbowroom(['query', 'pair.jsonl', '--poses', '-', '--what', 'proximity']);
  expect([found.code, found.stderr]).toEqual([2, expect.stringContaining('rows have no place for it')]);
});
