import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { posts, root, temporaryFolder } from '../run.ts';
import { elbowroom } from '../runHere.ts';

const readJson = (file: string) => JSON.parse(readFileSync(file, 'utf8'));
const restsOf = (motion: { points: { velocities: number[] }[] }) =>
  motion.points.filter((point) => point.velocities.every((v) => v === 0)).length;

/** Plans, checks and verifies in three processes; the motion and the line of statistics. */
async function planned(scene: string, ...more: string[]) {
  const folder = temporaryFolder();
  const [motion, proof, stats] = ['motion.json', 'proof.json', 'stats.json'].map((file) => join(folder, file));
  const places = ['-o', motion, '--certificate', proof, '--stats', stats];
  expect(await elbowroom(['plan', scene, ...places, ...more])).toMatchObject({ code: 0 });
  expect(await elbowroom(['check', scene, motion])).toMatchObject({ code: 0, stderr: '' });
  expect(await elbowroom(['verify', proof, scene, motion])).toMatchObject({ code: 0 });
  return { motion: readJson(motion), stats: readJson(stats) };
}

describe.each([posts, join(root, 'scenes/table-top.yaml')])('%s', (scene) => {
  test('corners are blended by default; check and verify accept both trajectories, and the blended one is faster', async () => {
    const [blended, stopping] = await Promise.all([planned(scene), planned(scene, '--corners', 'stop')]);
    expect(blended.stats.blends).toBeGreaterThan(0);
    expect(restsOf(blended.motion)).toBe(2);
    expect(stopping.stats.blends).toBe(0);
    expect(restsOf(stopping.motion)).toBe(2 + blended.stats.blends);
    expect(blended.stats.duration).toBeLessThan(0.95 * stopping.stats.duration);
    expect(blended.stats.least_duration).toBeLessThanOrEqual(blended.stats.duration);
    expect(stopping.stats.least_duration).toBe(blended.stats.least_duration);
  });
});

test('a rule that does not exist is refused by name', async () => {
  const { code, stdout, stderr } = await elbowroom(['plan', posts, '--corners', 'blnd']);
  expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
  expect(stderr).toContain('Did you mean "blend"?');
});
