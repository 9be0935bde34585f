import { expect, test } from 'vitest';
import { evidenceSheet } from '../../src/tasks/reports/evidenceSheet.ts';
import { verifyReport } from '../../src/tasks/reports/verifyReport.ts';
import { slidingBox } from '../core/certificate/worlds.ts';

const world = slidingBox();
const scene = {
  name: '<b>cell</b>',
  robot: { packages: {}, fixed: {}, limits: {}, pose: { xyz: [0, 0, 0], quat_wxyz: [1, 0, 0, 0] }, parts: 'hull' },
  goals: [],
  equivalent: false,
  ...world.scene,
} as const;

const sheetOf = (allow: readonly (readonly [string, string])[], certificate = world.certificate) => {
  const given = { ...scene, allow };
  const { robot, trajectory } = world;
  return evidenceSheet({
    certificate,
    robot,
    scene: given,
    report: verifyReport(certificate, robot, given, trajectory),
    hashes: { scene_hash: 'abc' },
    files: { 'cell.yaml': 'def' },
    commands: ['elbowroom verify proof.json cell.yaml motion.json'],
    versions: { elbowroom: '1.2.3' },
  });
};

test('a sheet states verdict, figures, joints, objects, hashes, commands and what is not proved', () => {
  const sheet = sheetOf([]);
  for (const text of ['proved collision-free', 'slider', 'prismatic', 'wall', 'abc', 'def', 'motion.json', '1.2.3'])
    expect(sheet).toContain(text);
  expect(sheet).toContain('elbowroom is not a safety function');
  expect(sheet).toContain('&lt;b&gt;cell&lt;/b&gt;');
  expect(sheet).not.toMatch(/<b>cell|<script|https?:/);
});

test('a sheet names each pair that is not checked, with the line that allows it', () => {
  expect(sheetOf([['wall', 'slider']])).toMatch(/wall – slider<\/td><td>allow\[0\] of the scene/);
});

test('a sheet of a certificate that is no proof says so, and why', () => {
  const sheet = sheetOf([], { ...world.certificate, pairs: [] });
  expect(sheet).toContain('NOT PROVED');
  expect(sheet).toContain('the pair is missing');
  expect(sheet).not.toContain('>proved collision-free');
});
