import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../host/cli/run.ts';
import { elbowroom } from '../host/cli/runHere.ts';

// Scripts read the JSON and not stderr: warnings that are not in both are lost. A missing visual mesh was on stderr
// alone, and the lines of --stats had no warnings.

const cwd = temporaryFolder();
const shape = '<geometry><box size="0.1 0.1 0.1"/></geometry>';
writeFileSync(
  join(cwd, 'arm.urdf'),
  `<robot name="arm"><link name="base"/><link name="top"><visual><geometry><mesh filename="gone.stl"/></geometry></visual>
<collision>${shape}</collision></link><joint name="j" type="revolute"><parent link="base"/><child link="top"/>
<axis xyz="0 0 1"/><limit lower="-1" upper="1" velocity="1" effort="1"/></joint></robot>`,
);
writeFileSync(
  join(cwd, 'arm.yaml'),
  'format: elbowroom-scene/1\nrobot: arm.urdf\nstart: [0]\ngoal: [1]\nobstacles:\n' +
    '  - {type: box, size: [1, 1, 1], pose: {xyz: [9, 0, 0], rpy: [180, 0, 0]}}\n',
);
const warningsOf = (stderr: string) =>
  [...stderr.matchAll(/^(?:elbowroom: )?warning: (.*)$/gm)].map((match) => match[1]);

test('the warnings of robot --json are those of stderr, missing visual meshes included', async () => {
  const { stdout, stderr } = await elbowroom(['robot', join(cwd, 'arm.urdf'), '--json']);
  const { warnings } = JSON.parse(stdout);
  expect(warnings).toEqual(warningsOf(stderr));
  expect(warnings.join('\n')).toMatch(/gone\.stl.*visual geometry: not needed/);
});

test('the warnings of plan are in the line of --stats', async () => {
  const stats = join(cwd, 'stats.json');
  const { stderr, code } = await elbowroom([
    'plan',
    join(cwd, 'arm.yaml'),
    '-o',
    join(cwd, 'm.json'),
    '--stats',
    stats,
  ]);
  expect(code).toBe(0);
  const { warnings } = JSON.parse(readFileSync(stats, 'utf8'));
  expect(warnings).toEqual(warningsOf(stderr));
  expect(warnings.join('\n')).toMatch(/180 deg/);
});
