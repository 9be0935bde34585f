// biome-ignore-all lint/suspicious/noTemplateCurlyInString: expressions of xacro have the same syntax
import { assert, test } from 'vitest';
import { InputError } from '../../src/errors.ts';
import { expandXacro } from '../../src/formats/robots/xacro/xacro.ts';
import { memoryFiles } from '../formats/robots/memoryFiles.ts';

async function refusal(body: string, files: Readonly<Record<string, string>> = {}): Promise<string> {
  const text = `<robot name="r" xmlns:xacro="x">\n${body}\n</robot>`;
  const error = await expandXacro(text, '/r.xacro', { args: {}, files: memoryFiles(files) }).catch(
    (cause: unknown) => cause,
  );
  assert.instanceOf(error, InputError);
  return (error as InputError).message;
}

const TOO_LARGE = /^\/r\.xacro:\d+: .*too large: it needs more than 5,000,000 steps/;

/** Bodies of a few hundred bytes that took minutes or gigabytes while an operation counted as one step. */
const costly: readonly (readonly [string, string])[] = [
  [
    'methods of a large text',
    '<xacro:property name="s" value="${\'a\' * 8000000}"/><x v="${len([s.upper() for i in range(1000)])}"/>',
  ],
  [
    'comparisons of large texts',
    '<xacro:property name="s" value="${\'a\' * 8000000}"/><xacro:property name="t" value="${\'a\' * 7999999 + \'b\'}"/><x v="${[s == t for i in range(100000)]}"/>',
  ],
  [
    'searches in large texts',
    '<xacro:property name="s" value="${\'a\' * 8000000}"/><x v="${[\'b\' in s for i in range(100000)]}"/>',
  ],
  [
    'keys of a large dictionary',
    '<xacro:property name="d" value="${dict(python.zip(range(100000), range(100000)))}"/><x v="${len([d.keys() for i in range(100000)])}"/>',
  ],
  [
    'large texts in many attributes',
    '<xacro:property name="s" value="${\'a\' * 1000000}"/>'.concat('<x v="${s}"/>'.repeat(100)),
  ],
  [
    'large texts in many parameters',
    '<xacro:property name="s" value="${\'a\' * 1000000}"/><xacro:macro name="m" params="a"/>'.concat(
      '<xacro:m a="${s}"/>'.repeat(200),
    ),
  ],
  ['warnings', '<x v="${len([xacro.warning(i) for i in range(300000)])}"/>'],
  ['text that would not fit into a string', '<x v="${\'%s\' * 300000000 % 1}"/>'],
  ['more elements than can be read', '<a/>'.repeat(260_000)],
];

test.each(costly)('%s are refused by their size', async (_, body) => {
  assert.match(await refusal(body), TOO_LARGE);
});

test('YAML is counted before it is parsed, and merged keys are counted', async () => {
  const use = '<x v="${xacro.load_yaml(\'d.yaml\')}"/>';
  assert.match(await refusal(use, { '/d.yaml': `[${'1, '.repeat(300_000)}1]` }), TOO_LARGE);
  const keys = Array.from({ length: 2000 }, (_, i) => `k${i}: 1`).join(', ');
  const merges = Array.from({ length: 600 }, (_, i) => `m${i}: {<<: *a}`).join('\n');
  assert.match(await refusal(use, { '/d.yaml': `a: &a {${keys}}\n${merges}` }), TOO_LARGE);
  assert.match(await refusal(use, { '/d.yaml': ' '.repeat(4_000_001) }), /more than 4,000,000 characters/);
});

test('blanks of a file that is included again and again are counted', async () => {
  const files = { '/i.xacro': `<robot>${' '.repeat(1_000_000)}</robot>` };
  assert.match(await refusal('<xacro:include filename="i.xacro"/>'.repeat(200), files), /too large/);
});

test('a message quotes at most 2,000 characters, and long names are not compared', async () => {
  const fatal = await refusal('<x v="${xacro.fatal(\'a\' * 10000000)}"/>');
  assert.isBelow(fatal.length, 2500);
  const name = 'a'.repeat(4000);
  const others = Array.from({ length: 50 }, (_, i) => `<xacro:property name="${name}${i}" value="1"/>`).join('');
  assert.match(await refusal(`${others}<x v="\${${name}b}"/>`), /is not defined|…/);
});
