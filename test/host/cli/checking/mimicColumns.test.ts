import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../run.ts';
import { elbowroom } from '../runHere.ts';

// A gripper on a lift, whose second finger follows the first: trajectories of ROS list both.
const folder = temporaryFolder();
const file = (name: string) => join(folder, name);
const sphere = (radius: number) => `<collision><geometry><sphere radius="${radius}"/></geometry></collision>`;
const joint = (name: string, type: string, [parent, child]: string[], axis: string, rest: string) =>
  `<joint name="${name}" type="${type}"><parent link="${parent}"/><child link="${child}"/><origin xyz="0.3 0 0"/>` +
  `<axis xyz="${axis}"/>${rest}</joint>`;
const limit = '<limit lower="-0.1" upper="0.5" velocity="1" effort="1"/>';
writeFileSync(
  file('gripper.urdf'),
  `<robot name="gripper"><link name="base">${sphere(0.05)}</link><link name="lift">${sphere(0.05)}</link>` +
    `<link name="left">${sphere(0.01)}</link><link name="right">${sphere(0.01)}</link>` +
    joint('lift', 'prismatic', ['base', 'lift'], '0 0 1', limit) +
    joint('left', 'prismatic', ['lift', 'left'], '0 1 0', limit) +
    joint('right', 'prismatic', ['lift', 'right'], '0 1 0', `${limit}<mimic joint="left" multiplier="-1"/>`) +
    '</robot>',
);
writeFileSync(
  file('one.yaml'),
  'format: elbowroom-scene/1\nrobot: gripper.urdf\nstart: [0, 0.02]\nallow: [[left, right]]\n',
);
writeFileSync(
  file('two.yaml'),
  'format: elbowroom-scene/1\nrobot: gripper.urdf\nstart: [0, 0.02]\nallow: [[left, right]]\nrobots: [{name: b, robot: gripper.urdf, pose: {xyz: [0, 2, 0]}}]\n',
);
const text = (times: readonly number[], factor = -1) =>
  JSON.stringify({
    joint_names: ['left', 'right', 'lift'],
    points: [
      [0.02, 0],
      [0.05, 0.1],
      [0.02, 0.2],
    ].map(([left, lift], i) => ({
      // biome-ignore format: one motion
      ...(times.length > 0 && { time_from_start: times[i] }),
      positions: [left, factor * left, lift],
      ...(times.length > 0 && { velocities: [0, 0, 0] }),
    })),
  });
writeFileSync(file('motion.json'), text([0, 2, 4]));
writeFileSync(file('path.json'), text([]));
writeFileSync(file('wrong.json'), text([0, 2, 4], 1));
mkdirSync(file('proofs'));

const run = async (...args: string[]) => {
  const { code, stdout, stderr } = await elbowroom(
    args.map((word) => (/\.(yaml|json)$/.test(word) ? file(word) : word)),
  );
  return { code, stdout, stderr, said: `${stdout}${stderr}` };
};

test('columns of joints that follow are accepted by every command that reads a trajectory', async () => {
  const checked = await run('check', 'one.yaml', 'motion.json', '--certificate', 'proofs/motion.json');
  expect(checked.code, checked.said).toBe(0);
  expect((await run('verify', 'proofs/motion.json', 'one.yaml', 'motion.json')).code).toBe(0);
  const again = await run('recertify', 'one.yaml', 'motion.json', '--certificates', file('proofs'));
  expect(JSON.parse(again.stdout)).toMatchObject({ status: 'proved', pairs: { renewed: 0 } });
  const timed = await run('time', 'one.yaml', 'path.json', '-o', 'timed.json');
  expect(timed.code, timed.said).toBe(0);
  expect(JSON.parse(readFileSync(file('timed.json'), 'utf8')).joint_names).toEqual(['lift', 'left']);
  const faster = await run('optimize', 'one.yaml', 'motion.json', '-o', 'faster.json', '--stats', '-');
  expect(faster.code, faster.said).toBe(0);
  const both = ['motion.json', 'motion.json'];
  const together = await run('coordinate', 'two.yaml', ...both, '-o', 'schedule.json', '--certificate', 'all.json');
  expect(together.code, together.said).toBe(0);
  const proof = await run('verify', 'all.json', 'two.yaml', 'schedule.json', ...both);
  expect(proof.code, proof.said).toBe(0);
});

test('columns that do not follow are refused with both values', async () => {
  for (const args of [
    ['check', 'one.yaml', 'wrong.json'],
    ['optimize', 'one.yaml', 'wrong.json'],
    ['recertify', 'one.yaml', 'wrong.json'],
    ['time', 'one.yaml', 'wrong.json', '--replace-times'],
    ['coordinate', 'two.yaml', 'motion.json', 'wrong.json'],
  ]) {
    const { code, stderr } = await run(...args);
    expect(code, args[0]).toBe(2);
    expect(stderr, args[0]).toContain('(right): 0.02, but it follows "left" (mimic) and has -0.02');
  }
});

test('results of repair, optimize and recertify state which pairs are not checked', async () => {
  const unchecked = { pairs: 4, reasons: { Adjacent: 3, allow: 1 } };
  for (const args of [
    ['repair', 'one.yaml', 'motion.json', '-o', 'repaired.json', '--stats', '-'],
    ['optimize', 'one.yaml', 'motion.json', '-o', 'faster.json', '--stats', '-'],
    ['recertify', 'one.yaml', 'motion.json'],
  ])
    expect(JSON.parse((await run(...args)).stdout).unchecked, args[0]).toEqual(unchecked);
});
