import { assert, test } from 'vitest';
import { parseSource } from '../../src/formats/text/sourceText.ts';

// YAML reads the comments of JSON as parts of keys, so that a scene with one was `not a scene` on line 1.

test.each([
  ['{\n  // name\n  "a": 1\n}', 2],
  ['// header\n{"a": "http://b", "c": [1, 2,],}', 1],
  ['{"a": 1,\n "b": /* two\n lines */ 2}', 2],
  ['/* a */ [1, 2] // b', 1],
  ['{"a": "/* no // comment */"} // one\n', 1],
])('a comment in JSON is refused at its line: %j', async (text, line) => {
  const error = await parseSource(text, 's.json').catch((reason: Error) => reason);
  assert.strictEqual((error as Error).message, `s.json:${line}: a comment, which JSON does not have`);
});

test.each(['{a: http://b, c: [/*d]}', '{"a": "//", "b": "/* */"}', '# yaml\n{"a": 1}', '{"a": 1} # yaml', 'a: //b'])(
  'YAML without comments of JSON is read: %j',
  async (text) => {
    assert.isDefined((await parseSource(text, 's.yaml')).data);
  },
);

test('a long text of begun comments is read or refused in linear time', async () => {
  await parseSource(`{"a": 1,${'/*'.repeat(200_000)}`, 's.json').catch(() => {});
  await parseSource(`{"a": 1,${'"/*'.repeat(200_000)}`, 's.json').catch(() => {});
});
