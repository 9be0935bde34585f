import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../run.ts';
import { elbowroom } from '../runHere.ts';

test('stops of moves, whose times depend on the controller, are refused', async () => {
  const cwd = temporaryFolder();
  const [scene, script] = ['scene.yaml', 'moves.script'].map((name) => join(cwd, name));
  writeFileSync(scene, 'format: elbowroom-scene/1\nrobot: ur5e\nstart: [0, -1.4, 1.7, -1.8, -1.5, 0]\n');
  const move = (pan: number, radius: string) => `  movej([${pan}, -1.4, 1.7, -1.8, -1.5, 0], a=1.4, v=1.05${radius})\n`;
  writeFileSync(script, `def job():\n${move(0, '')}${move(1, ', r=0.05')}${move(1.2, '')}end\n`);
  expect((await elbowroom(['check', scene, script])).code).toBe(0);
  const { code, stderr } = await elbowroom(['check', scene, script, '--stopping']);
  expect(code).toBe(2);
  expect(stderr).toMatch(/times of a program of moves are not known/);
});
