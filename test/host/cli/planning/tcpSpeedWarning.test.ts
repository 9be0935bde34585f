import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { fixtures, posts, temporaryFolder } from '../run.ts';
import { elbowroom } from '../runHere.ts';

const text = readFileSync(posts, 'utf8').replace('arm.urdf', join(fixtures, 'arm.urdf'));
const steps = 'steps:\n  - {move: [-0.9, 0]}\n  - {move: [-0.8, 0]}\n';

test.each([
  ['of the scene', `${text}tcp_speed: 250\n`, 1, 'tcp_speed: it is 250: 250 m/s'],
  ['of the scene, as a text', `${text}tcp_speed: 21 m/s\n`, 1, '21 m/s, faster than any arm'],
  [
    'of the defaults of two steps, once',
    `${text.replace(/^goal.*$/m, 'defaults: {tcp_speed: 250}')}${steps}`,
    1,
    'defaults.tcp_speed',
  ],
  ['of 20 m/s', `${text}tcp_speed: 20\n`, 0, ''],
  ['in mm/s', `${text}tcp_speed: 250 mm/s\n`, 0, ''],
])('a tcp_speed %s has its warnings', async (_, scene, count, message) => {
  const file = join(temporaryFolder(), 'scene.yaml');
  writeFileSync(file, scene);
  const { code, stderr } = await elbowroom(['plan', file]);
  expect(code, stderr).toBe(0);
  expect(stderr.split('faster than any arm')).toHaveLength(count + 1);
  expect(stderr).toContain(message);
});
