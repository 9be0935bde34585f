import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { root, temporaryFolder } from '../run.ts';
import { elbowroom } from '../runHere.ts';

const scene = join(root, 'scenes/table-top.yaml');

test('an optimised motion passes check and verify, is faster, and is what plan --optimize writes', async () => {
  const folder = temporaryFolder();
  const [plain, faster, proof, planned] = ['a.json', 'b.json', 'c.json', 'd.json'].map((file) => join(folder, file));
  expect(await elbowroom(['plan', scene, '-o', plain])).toMatchObject({ code: 0 });
  const answer = await elbowroom(['optimize', scene, plain, '-o', faster, '--certificate', proof, '--stats', '-']);
  expect(answer.code).toBe(0);
  const { status, before, after } = JSON.parse(answer.stdout);
  expect(status).toBe('improved');
  expect(after.duration).toBeLessThan(0.95 * before.duration);
  expect(after.clearance).toBeGreaterThanOrEqual(before.clearance);
  expect(await elbowroom(['check', scene, faster])).toMatchObject({ code: 0, stderr: '' });
  expect(await elbowroom(['verify', proof, scene, faster])).toMatchObject({ code: 0 });
  expect(await elbowroom(['plan', scene, '--optimize', '-o', planned, '--time-limit', '100'])).toMatchObject({
    code: 0,
  });
  expect(readFileSync(planned, 'utf8')).toBe(readFileSync(faster, 'utf8'));
});

test('a motion that hits something is refused with exit code 1 and nothing on stdout', async () => {
  const folder = temporaryFolder();
  const plain = join(folder, 'a.json');
  await elbowroom(['plan', scene, '-o', plain]);
  const { code, stdout, stderr } = await elbowroom(['optimize', join(root, 'scenes/shelf.yaml'), plain]);
  expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
  expect(stderr).toContain('refused: the input motion is not valid');
});

test('the motion from the start of the scene to the first point is named as not proved', async () => {
  const folder = temporaryFolder();
  const [plain, elsewhere] = ['a.json', 'b.yaml'].map((file) => join(folder, file));
  await elbowroom(['plan', scene, '-o', plain]);
  const text = readFileSync(scene, 'utf8').replace(/^start: \[[^,]+/m, 'start: [0.2');
  writeFileSync(elsewhere, text);
  const warning = `${plain}: it does not begin at the start of the scene, and the motion to its first point is not proved`;
  expect((await elbowroom(['optimize', elsewhere, plain, '--steps', '1'])).stderr).toContain(warning);
  expect((await elbowroom(['optimize', scene, plain, '--steps', '1'])).stderr).not.toContain(warning);
});
