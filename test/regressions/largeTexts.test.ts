// Texts whose work or memory was not bounded: long strings of JSON overflowed the stack of a regular expression (exit
// code 70), keys, merges and escapes of YAML, blank lines of tables, references of XML and expressions took gigabytes.
import { expect, test } from 'vitest';
import { Random } from '../../src/core/math/random.ts';
import { type InputError, InputErrors } from '../../src/errors.ts';
import { readObj } from '../../src/formats/meshes/obj.ts';
import { linesOf } from '../../src/formats/text/fileText.ts';
import { parseSource } from '../../src/formats/text/sourceText.ts';
import { parseXml } from '../../src/formats/text/xmlDocument.ts';
import { isLargeYaml } from '../../src/formats/text/yamlLimits.ts';
import { head, read } from '../formats/scenes/sceneTexts.ts';

const problemsOf = async (reading: () => unknown): Promise<readonly string[]> => {
  try {
    await reading();
    return [];
  } catch (error) {
    return error instanceof InputErrors
      ? error.problems.map(({ message }) => message)
      : [(error as InputError).message];
  }
};

test.each([
  ['characters', 'x'.repeat(20_000_000)],
  ['escapes', '\\u0041'.repeat(5_000_000)],
  ['backslashes', '\\\\'.repeat(10_000_000)],
])('a string of JSON of many %s is read, and a comment beside it is named', async (_, text) => {
  const { data } = await parseSource(`{"a": "${text}", "b": 1}`, 'f.json');
  expect((data as { b: number }).b).toBe(1);
  const comment = await problemsOf(() => parseSource(`{"a": "${text}", // c\n "b": 1,}`, 'f.json'));
  expect(comment).toEqual(['f.json:1: a comment, which JSON does not have']);
});

test('keys, comments and commas are found outside of strings only', async () => {
  const read = async (text: string) => (await problemsOf(() => parseSource(text, 'f.json')))[0] ?? 'read';
  expect(await read('{"a\\\\": "\\\\", "b": "//", "c": ",]"}')).toBe('read');
  expect(await read('{"a": "\\\\", "\\u0061": 2}')).toMatch(/^f\.json:1: a: this key occurs twice/);
  expect(await read('{"a": "\\\\" /* } */, "b": ",}" , }')).toBe('f.json:1: a comment, which JSON does not have');
});

const repeated = (count: number, line: (i: number) => string) =>
  Array.from({ length: count }, (_, i) => line(i)).join('');
const merges = (count: number, keys: number) =>
  `a: &a {${repeated(keys, (i) => `k${i}: 1, `)}}\n${repeated(count, (i) => `m${i}: {<<: *a}\n`)}`;

test.each([
  ['keys', repeated(400_000, (i) => `k${i}: 1\n`)],
  ['anchors', repeated(220_000, (i) => `k${i}: &a${i} 1\n`)],
  ['nested items', '- - - - - - x\n'.repeat(80_000)],
  ['escapes', `a: "${'\\n'.repeat(1_000_001)}"`],
  ['merged keys', merges(90, 30_000)],
])('YAML of too many %s is not given to the library', (_, text) => {
  expect(isLargeYaml(text)).toBe(true);
});

test('YAML of as many values as files have is read', () => {
  expect(isLargeYaml(merges(90, 1000))).toBe(false);
  expect(isLargeYaml(repeated(15_000, () => `- positions: [${Array(6).fill('0.125').join(', ')}]\n  time: 1\n`))).toBe(
    false,
  );
});

test('references of XML are counted before they are parsed', async () => {
  const [message] = await problemsOf(() => parseXml(`<robot>${'&amp;'.repeat(300_000)}</robot>`, 'r.urdf', 'robot'));
  expect(message).toMatch(/^r\.urdf: more than 200000 elements/);
  expect(await problemsOf(() => parseXml(`<robot><!--${'x'.repeat(4_000_000)}--></robot>`, 'r.urdf', 'robot'))).toEqual(
    [],
  );
});

test('expressions of a scene are refused by their total length', async () => {
  const sphere = (i: number) => `{name: o${i}, type: sphere, radius: "sqrt(${'0 + '.repeat(40)}1)"}`;
  const scene = `${head}obstacles: [${Array.from({ length: 6500 }, (_, i) => sphere(i)).join(', ')}]`;
  expect(await problemsOf(() => read(scene))).toEqual(['more than 1000000 characters of expressions in a scene']);
});

test('unknown names of pairs are reported a hundred times at most', async () => {
  const scene = `${head}allow: [${Array.from({ length: 2000 }, (_, i) => `[tool, o${i}]`).join(', ')}]`;
  expect(await problemsOf(() => read(scene))).toHaveLength(100);
});

test('lines that are not blank have the numbers and texts that splitting yields', () => {
  const random = new Random(3);
  for (let k = 0; k < 2000; k++) {
    const text = Array.from(
      { length: random.below(12) },
      () => ['a', ' ', '\n', '\r', '\r\n', '\uFEFF'][random.below(6)],
    ).join('');
    const lines = text.split(/\r\n|\n|\r/).map((line, i) => [i + 1, line.trim()] as const);
    expect([...linesOf(text)], JSON.stringify(text)).toEqual(lines.filter(([, line]) => line !== ''));
  }
});

// The backslash of the last line of a file was a word of it.
test.each(['', '\n', '\n\n', '\n# c\n', ' # c\n'])(
  'a backslash that continues no line is no word of it (%j)',
  (end) => {
    const obj = `v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3 \\${end}`;
    expect(readObj(new TextEncoder().encode(obj), 'm.obj').triangles).toBe(1);
  },
);

test('lines of an OBJ continue on the next line, not after a blank one', async () => {
  const obj = (face: string) => readObj(new TextEncoder().encode(`v 0 0 0\nv 1 0 0\n\n# c\nv 0 1 0\n${face}`), 'm.obj');
  expect(obj('f 1 2 \\\n3 # c').triangles).toBe(1);
  const [message] = await problemsOf(() => obj('f 1 2 \\\n\n3\n'));
  expect(message).toMatch(/^m\.obj:6: a face of 2 vertices/);
  expect(await problemsOf(() => obj(`f ${'1 2 3 '.repeat(900_000)}`))).toEqual([
    'm.obj:6: a line of more than 5000000 characters',
  ]);
});
