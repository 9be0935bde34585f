import { expect, test, vi } from 'vitest';
import { parseSource } from '../../../src/formats/text/sourceText.ts';

const parses = vi.hoisted(() => ({ count: 0 }));
vi.mock('../../../src/formats/text/yamlParser.ts', async (importOriginal) => {
  const library = await importOriginal<typeof import('../../../src/formats/text/yamlParser.ts')>();
  const parseDocument = (...given: Parameters<typeof library.parseDocument>) => {
    parses.count++;
    return library.parseDocument(...given);
  };
  return { ...library, parseDocument };
});

test('JSON is parsed as YAML once, for the first diagnostic that needs a line', async () => {
  const source = await parseSource('{"a": 1,\n "b": [\n2]}', 'f.json');
  expect((await source.errors([])).problems).toEqual([]);
  expect(parses.count).toBe(0);
  for (const [path, line] of [
    [['b'], 2],
    [['b', 0], 3],
  ] as const)
    expect((await source.errors([{ path, what: 'wrong' }])).problems[0].message).toContain(`f.json:${line}: `);
  expect(parses.count).toBe(1);
});
