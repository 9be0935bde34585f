import { createHash } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { elbowroom, posts, temporaryFolder } from '../../host/cli/run.ts';

/**
 * The arm of the fixtures turns by 0.1 rad beside a sphere; the direction across the arm separates it from the sphere.
 */
const jointNames = ['shoulder', 'elbow'];
const points = [{ positions: [-1, 0] }, { positions: [-0.9, 0] }];
const across = [0, 1, Math.sin(1), Math.cos(1), 0];
const certificate = {
  format: 'elbowroom-certificate/1',
  trajectory: createHash('sha256')
    .update(JSON.stringify([jointNames, points]))
    .digest('hex'),
  duration: 1,
  pairs: ['upper', 'fore'].map((a) => ({ a, partA: 0, b: 'ball', partB: 0, spans: [across] })),
};

function files(given: unknown): [string, string, string] {
  const folder = temporaryFolder();
  const [proof, path] = [join(folder, 'proof.json'), join(folder, 'path.json')];
  writeFileSync(proof, typeof given === 'string' ? given : JSON.stringify(given));
  writeFileSync(path, JSON.stringify({ format: 'elbowroom-trajectory/1', joint_names: jointNames, points }));
  return [proof, posts, path];
}

test('a valid proof: exit 0, and the result on stdout', async () => {
  const { code, stdout, stderr } = await elbowroom(['verify', ...files(certificate)]);
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  expect(JSON.parse(stdout)).toMatchObject({ proved: true, pairs: 2, spans: 2, problems: [] });
});

test('no valid proof: exit 1, a line on stderr for each reason', async () => {
  const [proof, ...others] = files({ ...certificate, pairs: certificate.pairs.slice(1) });
  const { code, stdout, stderr } = await elbowroom(['verify', proof, ...others]);
  expect({ code, stderr }).toEqual({
    code: 1,
    stderr: `${proof}: upper (part 0) and ball (part 0): the pair is missing\n`,
  });
  expect(JSON.parse(stdout)).toMatchObject({ proved: false, least_gap: null });
});

test('not a certificate: exit 2, the place on stderr and nothing on stdout', async () => {
  const [proof, ...others] = files({ ...certificate, duration: 'long' });
  const { code, stdout, stderr } = await elbowroom(['verify', proof, ...others]);
  expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
  expect(stderr).toBe(`elbowroom: error: ${proof}: duration: "long" is not a finite number\n`);
});
