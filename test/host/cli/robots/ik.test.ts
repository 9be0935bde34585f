import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { root, temporaryFolder } from '../run.ts';
import { elbowroom } from '../runHere.ts';

interface Line {
  readonly q: number[];
  readonly position_error: number;
  readonly angle_error: number;
}

const down = ['ik', 'ur5e', '--link', 'tool0', '--xyz', '0.4, 20 cm, 300 mm', '--rpy', '180 deg, 0, pi/6'];
const linesOf = (text: string): Line[] =>
  text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));

describe('ik', () => {
  test('eight joint solutions of a UR5e, which fk takes back to the pose', async () => {
    const { code, stdout, stderr } = await elbowroom(down);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    const lines = linesOf(stdout);
    expect(lines).toHaveLength(8);
    for (const { position_error, angle_error } of lines)
      expect(Math.max(position_error, angle_error)).toBeLessThan(1e-12);
    const fk = await elbowroom(['fk', 'ur5e'], { input: stdout });
    for (const { links } of fk.stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line))) {
      const { xyz, quat_wxyz } = links.tool0;
      for (const [i, x] of [0.4, 0.2, 0.3].entries()) expect(xyz[i]).toBeCloseTo(x, 12);
      // Rz(30°) Rx(180°)
      const [w, x, y, z] = quat_wxyz;
      expect(Math.abs(x * Math.cos(Math.PI / 12) + y * Math.sin(Math.PI / 12))).toBeCloseTo(1, 12);
      expect(Math.hypot(w, z)).toBeLessThan(1e-12);
    }
  });

  test('--quat is equivalent to --rpy, --near sorts the nearest first, --all adds full turns', async () => {
    const { stdout } = await elbowroom(down);
    const { rpy: _, ...quat } = {
      rpy: 0,
      args: [...down.slice(0, 6), '--quat', `0,${Math.cos(Math.PI / 12)},${Math.sin(Math.PI / 12)},0`],
    };
    const same = linesOf((await elbowroom(quat.args)).stdout);
    for (const [i, { q }] of linesOf(stdout).entries()) {
      for (const [j, value] of q.entries()) expect(same[i].q[j]).toBeCloseTo(value, 9);
    }
    const last = linesOf(stdout)[7].q;
    const near = linesOf((await elbowroom([...down, '--near', last.map((x) => x + 0.01).join(', ')])).stdout);
    for (const [j, value] of last.entries()) expect(near[0].q[j]).toBeCloseTo(value, 9);
    const all = linesOf((await elbowroom([...down, '--all'])).stdout);
    expect(all).toHaveLength(8 * 2 ** 5); // the elbow alone has less than a full turn to either side
    expect(new Set(all.map(({ q }) => q.map((x) => x.toFixed(6)).join())).size).toBe(all.length);
  });

  test('an arm without a closed form is searched; equal seeds give equal bytes', async () => {
    const args = ['ik', 'arm7', '--link', 'flange', '--xyz', '0.4,0.2,0.5', '--quat', '0,1,0,0', '--seed', '3'];
    const [one, two] = await Promise.all([elbowroom(args), elbowroom(args)]);
    expect(one.code).toBe(0);
    expect(one.stdout).toBe(two.stdout);
    expect(linesOf(one.stdout)).toHaveLength(16);
    const more = linesOf((await elbowroom([...args, '--solutions', '40'])).stdout);
    expect(more).toHaveLength(40);
    for (const { q } of linesOf(one.stdout)) expect(more.map((line) => line.q)).toContainEqual(q);
  });

  test.each([
    [
      ['--xyz', '2,0,0.1625'],
      /^tool0: out of reach by at least 1030 mm: tool0 gets at most 969 mm away from \[0, 0, 0\.1625\], not 2000 mm\n$/,
    ],
    [
      ['--xyz', '0,0,0.3'],
      /^tool0: no IK solution: from 200 start configurations, tool0 gets within \d+(\.\d+)? mm and \d+(\.\d+)? deg at best\n$/,
    ],
  ])('no solution is a result: %j, exit 1, no file', async (args, expected) => {
    const { code, stdout, stderr } = await elbowroom(['ik', 'ur5e', '--link', 'tool0', ...args]);
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toMatch(expected);
  });

  test('a tolerance lets an arm of four joints take a tilted pose as nearly as it can', async () => {
    const args = ['ik', 'scara4', '--link', 'tool', '--xyz', '0.4,0.2,0.1', '--rpy', '0, 2 deg, 0'];
    expect((await elbowroom(args)).code).toBe(1);
    const { code, stdout } = await elbowroom([...args, '--tolerance', '1 mm, 3 deg']);
    expect(code).toBe(0);
    for (const { angle_error } of linesOf(stdout)) expect(angle_error).toBeLessThan((3 * Math.PI) / 180);
  });

  test('--scene leaves out what collides there, begins near its start, and is what validate calls free', async () => {
    const pose = ['--link', 'tool0', '--xyz', '0.42,-0.38,0.45', '--rpy', 'pi,0,0'];
    const scene = 'scenes/grasp-by-pose.yaml';
    const { code, stdout, stderr } = await elbowroom(['ik', '--scene', scene, ...pose], { cwd: root });
    expect(code).toBe(0);
    const free = linesOf(stdout).map(({ q }) => q);
    const [, left] = /^tool0: IK solutions omitted because they collide: (\d+)\n$/.exec(stderr) ?? [];
    expect(free.length + Number(left)).toBe(8);
    const judged = await elbowroom(['validate', scene], {
      cwd: root,
      input: free.map((q) => JSON.stringify(q)).join('\n'),
    });
    expect(judged.code).toBe(0);
    const start = [35, -65, 105, -130, -90, 0].map((degrees) => (degrees * Math.PI) / 180);
    const away = free.map((q) => Math.hypot(...q.map((value, i) => value - start[i])));
    expect(away).toEqual([...away].sort((a, b) => a - b));

    const all = await elbowroom(['ik', '--scene', scene, ...pose.with(3, '0.42,-0.38,0.2')], { cwd: root });
    expect(all).toMatchObject({ code: 1, stdout: '' });
    expect(all.stderr).toMatch(
      /^tool0: all 8 IK solutions collide, the shallowest: gripper and carton overlap by [\d.]+ mm\n$/,
    );
  });

  test('-o writes the lines there, and nothing where there are none', async () => {
    const file = join(temporaryFolder(), 'solutions.jsonl');
    const { code, stdout } = await elbowroom([...down, '-o', file]);
    expect({ code, stdout }).toEqual({ code: 0, stdout: '' });
    expect(linesOf(readFileSync(file, 'utf8'))).toHaveLength(8);
  });

  test.each([
    [['ur5e', '--link', 'tol0', '--xyz', '1,2,3'], '"ur5e" has no link "tol0"', 'Did you mean "tool0"?'],
    [['ur5e', '--link', 'tool0'], 'ik: --xyz is missing', 'Write for example'],
    [['--link', 'tool0', '--xyz', '1,2,3'], 'ik: ROBOT is missing', 'a scene with --scene'],
    [['ur5e', '--scene', 'shelf', '--link', 'tool0', '--xyz', '1,2,3'], 'ROBOT and --scene are both given', 'omit'],
    [['--scene', 'shelf', '--srdf', 'a', '--link', 'tool0', '--xyz', '1,2,3'], '--srdf and --scene are both', 'omit'],
    [['ur5e', '--link', 'tool0', '--xyz', '1,2'], '--xyz is "1,2": 2 values', 'Give 3'],
    [['ur5e', '--link', 'tool0', '--xyz', '1,2,30 deg'], '--xyz: "30 deg" is an angle', 'Give a length'],
    [['ur5e', '--link', 'tool0', '--xyz', '1,2,x'], '--xyz: "x" is not a number', 'Give a length'],
    [
      ['ur5e', '--link', 'tool0', '--xyz', '1,2,3', '--rpy', '0,0,0', '--quat', '1,0,0,0'],
      '--rpy and --quat',
      'Give one',
    ],
    [['ur5e', '--link', 'tool0', '--xyz', '1,2,3', '--quat', '0,0,0,0'], 'of length 0, must be 1', '1, 0, 0, 0'],
    [['ur5e', '--link', 'tool0', '--xyz', '1,2,3', '--near', 'hom'], '"ur5e" has no state "hom"', 'home'],
    [['ur5e', '--link', 'tool0', '--xyz', '1,2,3', '--near', '1,2'], '--near is "1,2": 2 values', 'Give 6'],
    [['ur5e', '--link', 'tool0', '--xyz', '1,2,3', '--tolerance', '0,1'], '--tolerance is "0,1"', 'above 0'],
  ])('invalid input is reported in one line and a note: ik %j', async (args, what, note) => {
    const { code, stdout, stderr } = await elbowroom(['ik', ...args]);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toContain(what);
    expect(stderr).toContain(note);
    expect(stderr.trim().split('\n')).toHaveLength(2);
  });
});

describe('plan to a pose', () => {
  const scene = readFileSync(join(root, 'scenes/grasp-by-pose.yaml'), 'utf8');
  const variant = (change: (text: string) => string): string => {
    const file = join(mkdtempSync(`${temporaryFolder()}/`), 'grasp.yaml');
    writeFileSync(file, change(scene));
    return file;
  };

  test('the motion ends where the scene wants the gripper, and check agrees with it', async () => {
    const file = join(temporaryFolder(), 'motion.json');
    const { code, stderr } = await elbowroom(['plan', 'scenes/grasp-by-pose.yaml', '-o', file], { cwd: root });
    expect(code).toBe(0);
    expect(stderr).toMatch(/^grasp-by-pose: solved in /);
    const end = JSON.parse(readFileSync(file, 'utf8')).points.at(-1).positions;
    const fk = await elbowroom(['fk', 'ur5e'], { input: JSON.stringify(end) });
    const { xyz } = JSON.parse(fk.stdout).links.tool0;
    expect(Math.hypot(xyz[0] - 0.42, xyz[1] + 0.38, xyz[2] - 0.31)).toBeLessThan(5e-4);
    expect(await elbowroom(['check', 'scenes/grasp-by-pose.yaml', file], { cwd: root })).toMatchObject({ code: 0 });
  });

  test('unreachable goals and goals in collision are distinguished in a one-line message', async () => {
    const far = variant((text) => text.replaceAll('xyz: [0.42, -0.38, 0.31]', 'xyz: [1.42, -0.38, 0.31]'));
    const deep = variant((text) => text.replaceAll('xyz: [0.42, -0.38, 0.31]', 'xyz: [0.42, -0.38, 0.2]'));
    const stats = join(temporaryFolder(), 'stats.jsonl');
    const unreachable = await elbowroom(['plan', far, '--stats', stats]);
    expect(unreachable).toMatchObject({ code: 1, stdout: '' });
    expect(unreachable.stderr).toMatch(
      /^grasp-by-pose: goals\[0\]: the goal cannot be reached: out of reach by at least \d+ mm: .*\n$/,
    );
    expect(JSON.parse(readFileSync(stats, 'utf8'))).toMatchObject({ status: 'goal-unreachable', waypoints: null });
    const colliding = await elbowroom(['plan', deep]);
    expect(colliding).toMatchObject({ code: 1, stdout: '' });
    expect(colliding.stderr).toMatch(
      /^grasp-by-pose: goals\[0\]: all 8 IK solutions of the goal collide, the shallowest: gripper and carton overlap by [\d.]+ mm; goals\[1\]: all 8 .*\n$/,
    );
  });

  test('for a start in collision the nearest free state found is reported, and it is valid', async () => {
    const file = variant((text) =>
      text.replace('start: [35 deg, -65 deg, 105 deg,', 'start: [35 deg, -50 deg, 105 deg,'),
    );
    const { code, stderr } = await elbowroom(['plan', file]);
    expect(code).toBe(1);
    const [, distance, free] = /the nearest valid state found is ([\d.]+) rad away: (.*)\n$/.exec(stderr) ?? [];
    expect(Number(distance)).toBeGreaterThan(0);
    expect(Number(distance)).toBeLessThan(0.5);
    expect(await elbowroom(['validate', file], { input: `[${free}]` })).toMatchObject({ code: 0 });
  });
});
