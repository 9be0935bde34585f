// A full turn of a continuous joint was "the same state" at the start of a scene, and `repair` removed it, although a
// follower with a fractional ratio was elsewhere.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../host/cli/run.ts';
import { elbowroom } from '../host/cli/runHere.ts';

const folder = temporaryFolder();
const write = (name: string, text: string) => {
  writeFileSync(join(folder, name), text);
  return join(folder, name);
};
const link = (name: string) => `<link name="${name}"><collision><origin xyz="0.2 0 0"/><geometry>
<box size="0.3 0.05 0.05"/></geometry></collision></link>`;
const joint = (name: string, parent: string, child: string, mimic = '') => `<joint name="${name}" type="continuous">
<parent link="${parent}"/><child link="${child}"/><origin xyz="0.5 0 0"/><axis xyz="0 0 1"/>${mimic}
<limit velocity="2" effort="9"/></joint>`;

test.each([
  [0.5, false],
  [-1.5, false],
  [2, true],
])('a full turn of a joint with a follower of ratio %d is the same state: %s', async (ratio, isSame) => {
  const follower = joint('k', 'a', 'b', `<mimic joint="j" multiplier="${ratio}"/>`);
  const [a, b] = ['a', 'b'].map(link);
  write('arm.urdf', `<robot name="arm"><link name="base"/>${a}${b}${joint('j', 'base', 'a')}${follower}</robot>`);
  const robot = '{urdf: arm.urdf, limits: {j: {acceleration: 9}}}';
  const scene = write('scene.yaml', `format: elbowroom-scene/1\nrobot: ${robot}\nstart: [0]\n`);
  for (const turns of [1, -2]) {
    const points = [0, 20].map((t) => ({
      time_from_start: t,
      positions: [2 * Math.PI * turns + t / 100],
      velocities: [0],
    }));
    const motion = write('motion.json', JSON.stringify({ joint_names: ['j'], points }));
    const { code, stderr } = await elbowroom(['check', scene, motion]);
    expect(code, stderr).toBe(1);
    expect(stderr).toContain('does not begin at the start of the scene');
    expect(stderr.includes('the same state'), stderr).toBe(isSame);
    const repaired = await elbowroom(['repair', scene, motion, '--limits-only', '-o', join(folder, 'repaired.json')]);
    expect(repaired.stderr.includes('full turns of j unwrapped'), repaired.stderr).toBe(isSame);
  }
});

test.each([
  [0.5, false],
  [2, true],
])('a jump of a full turn inside a motion, with a follower of ratio %d, is unwrapped: %s', async (ratio, isSame) => {
  const follower = joint('k', 'a', 'b', `<mimic joint="j" multiplier="${ratio}"/>`);
  const [a, b] = ['a', 'b'].map(link);
  write('arm.urdf', `<robot name="arm"><link name="base"/>${a}${b}${joint('j', 'base', 'a')}${follower}</robot>`);
  const scene = write(
    'scene.yaml',
    'format: elbowroom-scene/1\nrobot: {urdf: arm.urdf, limits: {j: {acceleration: 9}}}\nstart: [3]\n',
  );
  const points = [3, 3.1, 3.15 - 2 * Math.PI, 3.2 - 2 * Math.PI].map((q, i) => ({
    time_from_start: i,
    positions: [q],
    velocities: [0],
  }));
  const motion = write('motion.json', JSON.stringify({ joint_names: ['j'], points }));
  expect((await elbowroom(['check', scene, motion])).code).toBe(1);
  const repaired = join(folder, 'repaired.json');
  const { stderr } = await elbowroom(['repair', scene, motion, '--limits-only', '-o', repaired]);
  const { points: last } = JSON.parse(readFileSync(repaired, 'utf8'));
  const end = last.at(-1).positions[0];
  expect(end, stderr).toBeCloseTo(isSame ? 3.2 : 3.2 - 2 * Math.PI, 6);
  expect((await elbowroom(['check', scene, repaired])).code).toBe(0);
});
