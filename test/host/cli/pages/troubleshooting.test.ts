import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { root, temporaryFolder } from '../run.ts';
import { elbowroom } from '../runHere.ts';

/** A scene that is right; each mistake replaces the line that begins as it does. */
const scene = [
  'format: elbowroom-scene/1',
  'robot: ur5e',
  'start: [0, -90 deg, 90 deg, -90 deg, -pi/2, 0]',
  'goal: [30 deg, -60 deg, 90 deg, -120 deg, -pi/2, 0]',
  'obstacles:',
  '  - {name: table, type: box, size: [1.2, 0.8, 0.05], pose: {xyz: [0.4, 0, -0.03]}}',
];
const key = (line: string) => line.trim().replace('strat', 'start').slice(0, 3);

const page = readFileSync(join(root, 'docs/troubleshooting.md'), 'utf8');
const [, block] = /## A scene is refused\n[\s\S]*?```text\n([\s\S]*?)```/.exec(page)!;
const entries = block
  .trim()
  .split('\n\n')
  .map((entry) => entry.split('\n'))
  .map(([wrong, said, note]): [string, string, string] => [
    wrong.replace(/ {2,}#.*$/, ''),
    said.replace('→ ', ''),
    note,
  ]);

test('docs/troubleshooting.md shows ten mistakes', () => {
  expect(entries).toHaveLength(10);
});

test('the scene without a mistake is planned', async () => {
  const folder = temporaryFolder();
  writeFileSync(join(folder, 'scene.yaml'), scene.join('\n'));
  expect(await elbowroom(['plan', 'scene.yaml', '-o', 'plan.json'], { cwd: folder })).toMatchObject({ code: 0 });
});

test.each(entries)('%s', async (wrong, said, note) => {
  const folder = temporaryFolder();
  writeFileSync(join(folder, 'table.stl'), '');
  const text = scene.map((line) => (key(line) === key(wrong) ? line.replace(/\S.*$/, wrong) : line));
  expect(text).not.toEqual(scene);
  writeFileSync(join(folder, 'scene.yaml'), text.join('\n'));
  const { code, stdout, stderr } = await elbowroom(['plan', 'scene.yaml'], { cwd: folder });
  const isBadInput = said.startsWith('scene.yaml:');
  expect({ code, stdout }).toEqual({ code: isBadInput ? 2 : 1, stdout: '' });
  expect(stderr).toContain(isBadInput ? `elbowroom: error: ${said}\n` : `${said}`);
  if (note !== undefined) expect(stderr).toContain(`\n  note: ${note.trim()}`);
});
