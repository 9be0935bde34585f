// 16 MB of `<a/>` in a robot, a world or a mesh took 3 GB and more than a minute: no key reads these elements.
import { expect, test } from 'vitest';
import { parseXml } from '../../src/formats/text/xmlDocument.ts';

const refusal = async (content: string): Promise<string> => {
  const error: unknown = await parseXml(`<robot>${content}</robot>`, 'r.urdf', 'robot').catch(
    (reason: unknown) => reason,
  );
  return error instanceof Error ? error.message : '';
};

test.each([
  ['elements', '<a/>'.repeat(300_000)],
  ['comments', '<!---->'.repeat(300_000)],
  ['attributes', `<a ${'b="" '.repeat(300_000)}/>`],
  ['sections', '<![CDATA[]]>'.repeat(300_000)],
])('too many %s are refused before they are parsed', async (_, content) => {
  expect(await refusal(content)).toMatch(/r\.urdf: more than 200000 elements, comments and attributes/);
});

test('a few thousand elements are read', async () => {
  expect(await refusal('<a b="1"/>'.repeat(3000))).toBe('');
});
