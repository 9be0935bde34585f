import { expect, test } from 'vitest';
import { parseSource } from '../../../src/formats/text/sourceText.ts';

test.each([
  ['start: &a [0, 1, *a]', 'f.yaml:1: start[2]: this alias refers to a value that contains it'],
  ['obstacles: &o\n  - *o', 'f.yaml:2: obstacles[0]: this alias refers to a value that contains it'],
  ['&root\na: 1\nb:\n  c: [*root]', 'f.yaml:4: b.c[0]: this alias refers to a value that contains it'],
  [
    'steps: &s\n  - {move: &m {xyz: [1, 2, *m]}}',
    'steps[0].move.xyz[2]: this alias refers to a value that contains it',
  ],
  ['a: &a {b: &b {c: *a, d: *b}}', 'a.b.c: this alias refers to a value that contains it'],
])('an alias within its own anchor is refused with its line: %s', async (text, message) => {
  await expect(parseSource(text, 'f.yaml')).rejects.toThrow(message);
});

test('anchors that are used outside their values are expanded, and a name may be defined again', async () => {
  const { data } = await parseSource('a: &s [1, 2]\nb: [*s, *s]\nc: &s {d: 3}\ne: *s\n', 'f.yaml');
  expect(data).toEqual({
    a: [1, 2],
    b: [
      [1, 2],
      [1, 2],
    ],
    c: { d: 3 },
    e: { d: 3 },
  });
});
