import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { root, temporaryFolder } from '../run.ts';
import { elbowroom } from '../runHere.ts';

const cwd = temporaryFolder();
const run = (...args: string[]) => elbowroom(args, { cwd });
const scene = join(root, 'examples/concepts/two-joints.yaml');

test('a sheet states the commands that verify the motion again: the second checker reads JSON alone', async () => {
  await run('plan', scene, '--seed', '1', '-o', 'motion.json');
  await run('plan', scene, '--seed', '1', '-o', 'motion.script');
  await run('scene', scene, '--resolved', '-o', 'cell.json');
  for (const [cell, motion, commands] of [
    [scene, 'motion.json', [`elbowroom scene ${scene} --resolved -o scene.json`, 'scene.json motion.json']],
    ['cell.json', 'motion.json', ['cell.json motion.json']],
    ['cell.json', 'motion.script', []],
  ] as const) {
    await run('check', cell, motion, '--certificate', 'cert.json');
    const { code, stdout } = await run('verify', 'cert.json', cell, motion, '--evidence', 'sheet.html');
    expect([code, JSON.parse(stdout).proved]).toEqual([0, true]);
    const [, text] = /<pre>([\s\S]*?)<\/pre>/.exec(readFileSync(join(cwd, 'sheet.html'), 'utf8'))!;
    const expected = commands.map((one) =>
      one.startsWith('elbowroom') ? one : `python3 -m elbowroom_verify cert.json ${one}`,
    );
    expect(text.split('\n')).toEqual([`elbowroom verify cert.json ${cell} ${motion}`, ...expected]);
  }
  await run('verify', 'cert.json', 'cell.json', 'motion.script', '--any-start', '--evidence', 'sheet.html');
  expect(readFileSync(join(cwd, 'sheet.html'), 'utf8')).toContain('cell.json motion.script --any-start</pre>');
});

test('the sheet of a program of moves states that all of its motions are proved, instead of a duration', async () => {
  await run('plan', 'table-top', '--format', 'urscript', '--moves', '-o', 'moves.script');
  await run('check', 'table-top', 'moves.script', '--certificate', 'moves.json');
  const { code } = await run('verify', 'moves.json', 'table-top', 'moves.script', '--evidence', 'moves.html');
  const sheet = readFileSync(join(cwd, 'moves.html'), 'utf8');
  expect([code, sheet]).toEqual([
    0,
    expect.stringContaining('all that docs/urscript.md states for the moves of the program'),
  ]);
  expect(sheet).toContain('>proved collision-free');
  expect(sheet).toContain('<pre>elbowroom verify moves.json table-top moves.script</pre>');
  expect(sheet).not.toMatch(/Duration|follow the trajectory/);
});
