import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createRobotModel } from '../../../../src/core/kinematics/createRobotModel.ts';
import { loadRobot } from '../../../../src/host/node/files.ts';
import { resolveSceneChecked } from '../../../../src/host/node/scenes/resolved/resolvedScene.ts';
import { calibrationText, UR5E_CALIBRATION } from '../../../robots/deviatingArm.ts';
import { cornersOf, poseOf, randomStates } from '../../../robots/loaded.ts';
import { temporaryFolder } from '../run.ts';
import { elbowroom } from '../runHere.ts';

const cwd = temporaryFolder();
const save = (name: string, data: unknown): string => {
  writeFileSync(join(cwd, name), typeof data === 'string' ? data : JSON.stringify(data));
  return name;
};
const run = (...args: string[]) => elbowroom(args, { cwd });
save('c.yaml', calibrationText(UR5E_CALIBRATION));
const calibrated = { name: 'ur5e', calibration: 'c.yaml' };
const rest = { format: 'elbowroom-scene/1', start: 'home', goal: [0.5, -1.4, 1.3, -1.5, -1.5, 0.2] };
const [scene, nominal] = [
  save('cell.json', { ...rest, robot: calibrated }),
  save('nominal.json', { ...rest, robot: 'ur5e' }),
];

type Matrix = number[][];
const times = (a: Matrix, b: Matrix): Matrix =>
  a.map((row) => b[0].map((_, j) => row.reduce((sum, value, k) => sum + value * b[k][j], 0)));
const turn = (axis: 0 | 1 | 2, angle: number): Matrix => {
  const [c, s] = [Math.cos(angle), Math.sin(angle)];
  const [j, k] = [(axis + 1) % 3, (axis + 2) % 3];
  return [0, 1, 2, 3].map((row) =>
    [0, 1, 2, 3].map((column) => {
      if (row === column) return row === j || row === k ? c : 1;
      return row === j && column === k ? -s : row === k && column === j ? s : 0;
    }),
  );
};
const shift = (xyz: number[]): Matrix =>
  [0, 1, 2, 3].map((i) => [0, 1, 2, 3].map((j) => (i === j ? 1 : j === 3 ? xyz[i] : 0)));

/** Position of the tool of the calibrated arm, from the file alone: half a turn, then the parts as in URDF. */
function toolOf(q: ArrayLike<number>): number[] {
  let T = turn(2, Math.PI);
  for (const [i, { x, y, z, roll, pitch, yaw }] of Object.values(UR5E_CALIBRATION).entries())
    for (const factor of [shift([x, y, z]), turn(2, yaw), turn(1, pitch), turn(0, roll), turn(2, q[i])])
      T = times(T, factor);
  return [0, 1, 2].map((i) => T[i][3]);
}

test('links of a calibrated arm are where the file puts them, and ik finds its states to 1e-9', async () => {
  const file = join(cwd, 'c.yaml');
  const robot = await loadRobot('ur5e', { calibration: file });
  expect(robot.calibration).toBe('calib_123');
  const model = createRobotModel(robot);
  const plain = createRobotModel(await loadRobot('ur5e'));
  let most = 0;
  for (const q of randomStates(model, 100, 3)) {
    const [expected, T, other] = [toolOf(q), poseOf(model, 'tool0', q), poseOf(plain, 'tool0', q)];
    for (const [i, value] of expected.entries()) expect(T[4 * i + 3]).toBeCloseTo(value, 12);
    most = Math.max(most, ...expected.map((value, i) => Math.abs(other[4 * i + 3] - value)));
  }
  expect(most).toBeGreaterThan(5e-4);
  const given = ['--link', 'tool0', '--xyz', '0.4, 20 cm, 300 mm', '--rpy', '180 deg, 0, pi/6'];
  const { stdout, code } = await run('ik', 'ur5e', '--calibration', 'c.yaml', ...given);
  expect(code).toBe(0);
  const solutions = stdout.trim().split('\n').map((line) => JSON.parse(line)); // biome-ignore format: one line
  expect(solutions).toHaveLength(8);
  for (const { q, angle_error } of solutions) {
    for (const [i, value] of [0.4, 0.2, 0.3].entries()) expect(Math.abs(toolOf(q)[i] - value)).toBeLessThan(1e-9);
    expect(angle_error).toBeLessThan(1e-9);
  }
});

test('pairs that the SRDF states never to collide are checked of a calibrated arm', async () => {
  const reasons = async (files = {}) => (await loadRobot('ur5e', files)).allowed.map(([, , reason]) => reason);
  expect(await reasons()).toContain('Never');
  expect(await reasons({ calibration: join(cwd, 'c.yaml') })).not.toContain('Never');
  const line = '<disable_collisions link1="forearm_link" link2="wrist_2_link" reason="Never "/>';
  const srdf = join(cwd, save('spaced.srdf', `<robot name="ur5e">${line}</robot>`));
  expect(await reasons({ srdf })).toContain('Never ');
  expect(await reasons({ srdf, calibration: join(cwd, 'c.yaml') })).toEqual([]);
});

test('a trajectory states the calibration, and check warns of another one', async () => {
  const planned = await run('plan', scene, '-o', 'motion.json', '--certificate', 'proof.json');
  expect(planned.code, planned.stderr).toBe(0);
  expect(JSON.parse(readFileSync(join(cwd, 'motion.json'), 'utf8')).calibration).toBe('calib_123');
  expect((await run('check', scene, 'motion.json')).stderr).not.toContain('calibration');
  expect((await run('verify', 'proof.json', scene, 'motion.json')).code).toBe(0);
  const resolved = await run('scene', scene, '--resolved', '-o', 'resolved.json');
  expect(resolved.code, resolved.stderr).toBe(0);
  const checked = await run('check', 'resolved.json', 'motion.json');
  expect({ code: checked.code, stderr: checked.stderr }).toMatchObject({ code: 0 });
  expect(checked.stderr).not.toContain('calibration');
  expect((await run('verify', 'proof.json', 'resolved.json', 'motion.json')).code).toBe(0);
  expect((await run('check', nominal, 'motion.json')).stderr).toContain(
    'it states the calibration calib_123, the robot of the scene has none',
  );
  expect((await run('verify', 'proof.json', nominal, 'motion.json')).code).not.toBe(0);
});

test('the hash of the robot in certificates depends on the calibration', async () => {
  const hashOf = async (path: string) => (await resolveSceneChecked(join(cwd, path))).identity.robot_hash;
  save('d.yaml', calibrationText({ ...UR5E_CALIBRATION, shoulder: { ...UR5E_CALIBRATION.shoulder, z: 0.16271 } }));
  const other = save('other.json', { ...rest, robot: { ...calibrated, calibration: 'd.yaml' } });
  const hashes = await Promise.all([scene, nominal, other].map(hashOf));
  expect(new Set(hashes).size).toBe(3);
});

test('a motion that is free for the nominal arm and collides with the calibrated one is refused', async () => {
  const q = Float64Array.from(rest.goal);
  const [arm, plain] = [await loadRobot('ur5e', { calibration: join(cwd, 'c.yaml') }), await loadRobot('ur5e')];
  const cornersAt = (robot: typeof arm) => {
    const T = poseOf(createRobotModel(robot), 'wrist_3_link', q);
    return cornersOf(robot, 'wrist_3_link').map((p) =>
      [0, 1, 2].map((i) => T[4 * i] * p[0] + T[4 * i + 1] * p[1] + T[4 * i + 2] * p[2] + T[4 * i + 3]),
    );
  };
  const [moved, own] = [cornersAt(arm), cornersAt(plain)];
  // Along the axis in which the calibration moves the link farthest, and in its direction.
  const [axis, sign, reach, edge] = [0, 1, 2]
    .flatMap((i) =>
      [1, -1].map((s) => [i, s, Math.max(...moved.map((p) => s * p[i])), Math.max(...own.map((p) => s * p[i]))]),
    )
    .sort((a, b) => b[2] - b[3] - (a[2] - a[3]))[0];
  expect(reach - edge).toBeGreaterThan(2e-4);
  const xyz = [0, 1, 2].map((i) => (own[0][i] + own[1][i]) / 2);
  xyz[axis] = sign * ((reach + edge) / 2 + 0.01);
  const obstacles = [
    { name: 'plate', type: 'box', size: [0, 1, 2].map((i) => (i === axis ? 0.02 : 0.2)), pose: { xyz } },
  ];
  const path = save('path.json', {
    joint_names: createRobotModel(arm).variables.map(({ name }) => name),
    points: [{ positions: rest.goal }],
  });
  const codes = [];
  for (const robot of ['ur5e', calibrated])
    codes.push((await run('check', save('plate.json', { ...rest, start: rest.goal, robot, obstacles }), path)).code);
  expect(codes).toEqual([0, 1]);
});

test('what needs an exact closed form, or cannot keep the hash, is refused', async () => {
  save('pose.script', 'def move():\n  movej(p[0.4, 0.2, 0.3, 3.1, 0, 0])\nend\n');
  const { code, stderr } = await run('check', scene, 'pose.script');
  expect(code).toBe(2);
  expect(stderr).toContain('the arm has no closed form of inverse kinematics');
  expect((await run('robot', 'ur5e', '--calibration', 'c.yaml', '--import', 'new')).stderr).toContain(
    'exclude each other',
  );
  const wrong = save('wrong.json', { ...rest, robot: { name: 'ur5e', calibration: 'none.yaml' } });
  expect((await run('plan', wrong)).stderr).toContain('robot.calibration: ');
  const ofOther = save('ur3.json', { ...rest, robot: { name: 'ur3e', calibration: 'c.yaml' } });
  const refused = await run('plan', ofOther);
  expect(refused.code).toBe(2);
  expect(refused.stderr).toMatch(/c\.yaml:4: kinematics\.forearm: x, y, z are .* mm from/);
});
