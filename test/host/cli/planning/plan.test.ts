import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { bin, fixtures, posts, temporaryFolder } from '../run.ts';
import { elbowroom } from '../runHere.ts';

const readJson = (file: string) => JSON.parse(readFileSync(file, 'utf8'));

/** posts.yaml with other keys laid over, as a file of its own. */
function variant(changes: object): string {
  const scene = {
    format: 'elbowroom-scene/1',
    name: 'posts',
    robot: { urdf: join(fixtures, 'arm.urdf'), limits: { shoulder: { acceleration: 4 }, elbow: { acceleration: 8 } } },
    start: [-1, 0],
    goal: [1, 0],
    obstacles: [{ name: 'ball', type: 'sphere', radius: 0.1, pose: { xyz: [0.8, 0, 0.1] } }],
    ...changes,
  };
  const file = join(temporaryFolder(), 'scene.json');
  writeFileSync(file, JSON.stringify(scene));
  return file;
}

describe('plan', () => {
  test('writes a timed trajectory from start to goal that check accepts, with its hash', async () => {
    const file = join(temporaryFolder(), 'motion.json');
    const { code, stdout, stderr } = await elbowroom(['plan', posts, '-o', file]);
    expect({ code, stdout }).toEqual({ code: 0, stdout: '' });
    expect(stderr).toMatch(
      /^posts: solved in \d+ ms \(planning \d+, shortcut \d+, timing \d+, proof \d+\): \d+ points, [\d.]+ rad, [\d.]+ s of motion \([\d.]+ x the lower bound\)\n$/,
    );
    const motion = readJson(file);
    expect(motion).toMatchObject({
      format: 'elbowroom-trajectory/1',
      robot: 'arm',
      scene: 'posts',
      planner: 'rrt-connect',
      seed: 1,
    });
    expect(motion.joint_names).toEqual(['shoulder', 'elbow']);
    expect(motion.points[0]).toMatchObject({ time_from_start: 0, positions: [-1, 0], velocities: [0, 0] });
    expect(motion.points.at(-1)).toMatchObject({ positions: [1, 0], velocities: [0, 0] });
    const text = JSON.stringify([motion.joint_names, motion.points]);
    expect(motion.hash).toBe(createHash('sha256').update(text).digest('hex'));

    const checked = await elbowroom(['check', posts, file]);
    expect({ code: checked.code, stderr: checked.stderr }).toEqual({ code: 0, stderr: '' });
    const { limit_ratios: ratios, ...verdict } = JSON.parse(checked.stdout);
    expect(verdict).toMatchObject({ valid: true, points: motion.points.length, faults: [] });
    // The fastest motion uses its limits up, and keeps them; jerk is not bounded here.
    expect(ratios).toEqual({ velocity: expect.closeTo(1, 3), acceleration: expect.closeTo(1, 3), jerk: 0 });
    expect(Math.max(...(Object.values(ratios) as number[]))).toBeLessThanOrEqual(1);
    const { limit_ratios } = JSON.parse((await elbowroom(['plan', posts, '--stats', '-'])).stdout);
    expect(limit_ratios).toEqual(ratios);
  });

  test('the same seed gives the same bytes in two processes at once, another seed others', async () => {
    const [one, two, other] = await Promise.all(
      ['7', '7', '8'].map((seed) => elbowroom(['plan', posts, '--seed', seed, '--time-limit', '100'])),
    );
    expect(one.code).toBe(0);
    expect(two.stdout).toBe(one.stdout);
    expect(JSON.parse(other.stdout).hash).not.toBe(JSON.parse(one.stdout).hash);
  });

  test.each(['json', 'csv', 'ros-yaml'])('--format %s is read back by check', async (format) => {
    const file = join(temporaryFolder(), 'motion');
    expect(await elbowroom(['plan', posts, '--format', format, '-o', file])).toMatchObject({ code: 0 });
    expect(await elbowroom(['check', posts, file])).toMatchObject({ code: 0 });
  });

  test('--no-timing writes positions alone, and edges of either kind solve it', async () => {
    for (const edges of ['sampled', 'certified']) {
      const { code, stdout } = await elbowroom(['plan', posts, '--no-timing', '--edges', edges]);
      expect(code).toBe(0);
      const { points, edges: told } = JSON.parse(stdout);
      expect(told).toBe(edges);
      for (const point of points) expect(Object.keys(point)).toEqual(['positions']);
    }
  });

  test('samples too sparse to detect the ball yield no path through it: the final check refutes the path, and the search is repeated with a smaller step', async () => {
    const file = join(temporaryFolder(), 'motion.json');
    const { code } = await elbowroom([
      'plan',
      posts,
      '--step',
      '3',
      '--no-shortcut',
      '--planner-option',
      'stepSize=3',
      '-o',
      file,
    ]);
    expect(code).toBe(0);
    expect(readJson(file).points.length).toBeGreaterThan(2);
    expect(await elbowroom(['check', posts, file])).toMatchObject({ code: 0 });
  });

  test('--start and --goal replace those of the scene, with units', async () => {
    const { code, stdout } = await elbowroom(['plan', posts, '--start', '-60 deg, -0.1', '--goal', '-pi/2,0']);
    expect(code).toBe(0);
    const { points } = JSON.parse(stdout);
    expect(points[0].positions[0]).toBeCloseTo(-Math.PI / 3, 12);
    expect(points[0].positions[1]).toBe(-0.1);
    expect(points.at(-1).positions[0]).toBeCloseTo(-Math.PI / 2, 12);
  });

  test.each([
    ['start', 'start-in-collision', [0, 0.1], 'posts: the start is in collision: fore and ball overlap by '],
    ['goal', 'goal-in-collision', [0, 0.1], 'posts: the goal is in collision: fore and ball overlap by '],
    [
      'start',
      'start-out-of-limits',
      [3.1, 0],
      'posts: the start is out of limits: shoulder is 3.1 rad, its limits are -3 to 3 rad\n',
    ],
    [
      'goal',
      'goal-out-of-limits',
      [0.5, -2.9],
      'posts: the goal is out of limits: elbow is -2.9 rad, its limits are -2.8 to 2.8 rad\n',
    ],
    [
      'start',
      'start-out-of-limits',
      [-90, 0],
      'posts: the start is out of limits: shoulder is -90 rad, its limits are -3 to 3 rad (numbers are radians: write "-90 deg" for degrees)\n',
    ],
  ])('an invalid %s is a result: %s, exit 1, no file', async (end, status, q, expected) => {
    const folder = temporaryFolder();
    const [file, stats] = [join(folder, 'motion.json'), join(folder, 'stats.jsonl')];
    const { code, stdout, stderr } = await elbowroom(['plan', variant({ [end]: q }), '-o', file, '--stats', stats]);
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr.replace(/^warning: .*\n/gm, '').slice(0, expected.length)).toBe(expected);
    expect(existsSync(file)).toBe(false);
    expect(readJson(stats)).toMatchObject({ scene: 'posts', problem: null, status, waypoints: null });
  });

  test('no path within the iterations is a result: exit 1', async () => {
    const ball = { name: 'ball', type: 'sphere', radius: 0.1, pose: { xyz: [0.4, 0, 0.1] } }; // the upper arm cannot pass it
    const { code, stdout, stderr } = await elbowroom(['plan', variant({ obstacles: [ball] }), '--iterations', '200']);
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toBe('posts: no path found in 200 iterations; try another --seed or more --iterations\n');
  });

  test('with `equivalent: true`, a goal that differs by a full turn counts as reached', async () => {
    const file = variant({ start: [0.5, 0.3], goal: [0.8 + 2 * Math.PI, 0], equivalent: true });
    const { code, stdout } = await elbowroom(['plan', file]);
    expect(code).toBe(0);
    expect(JSON.parse(stdout).points.at(-1).positions[0]).toBeCloseTo(0.8, 9);
  });

  test('accelerations that nobody states are warned of', async () => {
    const { code, stderr } = await elbowroom(['plan', variant({ robot: join(fixtures, 'arm.urdf') })]);
    expect(code).toBe(0);
    expect(stderr).toContain(
      'warning: robot "arm": no acceleration limit is stated for shoulder, elbow; four times the velocity limit per second is assumed\n',
    );
  });

  test('a suite gives a file and a line each, in order; exit 1 if one was not solved', async () => {
    const { format: _, ...scene } = readJson(variant({}));
    const folder = temporaryFolder();
    const suite = join(folder, 'suite.json');
    const problems = [{ name: 'easy/first', goal: [-0.5, 0] }, { name: '../blocked', goal: [0, 0] }, { name: 'third' }];
    writeFileSync(suite, JSON.stringify({ format: 'elbowroom-suite/1', ...scene, name: 'three', problems }));
    const out = join(folder, 'out');
    const { code, stdout } = await elbowroom(['plan', suite, '-o', out, '--stats', '-', '--format', 'csv']);
    expect(code).toBe(1);
    const lines = stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(lines.map(({ scene, problem, status }) => [scene, problem, status])).toEqual([
      ['three', 'easy/first', 'solved'],
      ['three', '../blocked', 'goal-in-collision'],
      ['three', 'third', 'solved'],
    ]);
    expect(readdirSync(out).sort()).toEqual(['easy', 'third.csv']);
    expect(readdirSync(join(out, 'easy'))).toEqual(['first.csv']);

    const one = await elbowroom(['plan', `${suite}#third`, '--stats', '-']);
    expect(one.code).toBe(0);
    expect(JSON.parse(one.stdout)).toMatchObject({ scene: 'three', problem: 'third', status: 'solved' });
    const nowhere = await elbowroom(['plan', suite]);
    expect(nowhere).toMatchObject({ code: 2, stdout: '' });

    const jobs = await elbowroom(['plan', suite, '-o', `${out}2`, '--stats', '-', '--format', 'csv', '--jobs', '2']);
    expect(jobs.code).toBe(1);
    const withoutTimes = (text: string) => text.replace(/"[a-z]+_ms":[\d.]+/g, '');
    expect(withoutTimes(jobs.stdout)).toBe(withoutTimes(stdout));
    for (const file of ['third.csv', 'easy/first.csv'])
      expect(readFileSync(join(`${out}2`, file), 'utf8')).toBe(readFileSync(join(out, file), 'utf8'));
  });

  test('each better path of a planner that improves is a line on stderr, and listed in the statistics', async () => {
    const file = join(temporaryFolder(), 'motion.json');
    for (const jobs of ['1', '2']) {
      const given = ['plan', posts, '--planner', 'bit-star', '--iterations', '2000', '--time-limit', '100'];
      const { code, stdout, stderr } = await elbowroom([...given, '--jobs', jobs, '--stats', '-', '-o', file]);
      expect(code).toBe(0);
      const { improvements } = JSON.parse(stdout);
      expect(improvements.length).toBeGreaterThan(1);
      const lines = improvements.map(
        ({ length, iterations }: { length: number; iterations: number }) =>
          `posts: a path of ${length.toFixed(4)} rad after ${iterations} iterations`,
      );
      expect(stderr.split('\n').slice(0, -2)).toEqual(lines);
    }
  });

  test('--certificate writes a proof that verify accepts for this motion and for no other', async () => {
    const folder = temporaryFolder();
    const [motion, proof, other] = ['motion.json', 'proof.json', 'other.json'].map((file) => join(folder, file));
    const planned = await elbowroom(['plan', posts, '-o', motion, '--certificate', proof]);
    expect({ code: planned.code, stdout: planned.stdout }).toEqual({ code: 0, stdout: '' });
    const verified = await elbowroom(['verify', proof, posts, motion]);
    expect({ code: verified.code, stderr: verified.stderr }).toEqual({ code: 0, stderr: '' });
    expect(JSON.parse(verified.stdout)).toMatchObject({ proved: true, pairs: 2, problems: [] });
    await elbowroom(['plan', posts, '--seed', '2', '-o', other]);
    expect(await elbowroom(['verify', proof, posts, other])).toMatchObject({ code: 1 });
    expect(await elbowroom(['verify', motion, posts, motion])).toMatchObject({ code: 2, stdout: '' });
  });

  test.skipIf(!existsSync('/dev/full'))('a stdout that cannot be written is reported in one line', () => {
    const script = `"${process.execPath}" "${bin}" plan "${posts}" > /dev/full`;
    const { status, stderr } = spawnSync('sh', ['-c', script], { encoding: 'utf8' });
    expect(status).toBe(2);
    expect(stderr.split('\n')[1]).toBe('elbowroom: error: stdout cannot be written (ENOSPC)');
  });

  test('an interrupt while planning ends it at once and leaves no file', async () => {
    const folder = join(temporaryFolder(), 'out');
    mkdirSync(folder);
    const caged = variant({
      obstacles: [{ name: 'wall', type: 'box', size: [3, 0.02, 1], pose: { xyz: [0, 0, 0.1] } }],
      allow: [['wall', 'upper']],
      start: [-1, 0],
    });
    const args = [
      'plan',
      caged,
      '--time-limit',
      '60',
      '--iterations',
      '1000000000',
      '-o',
      join(folder, 'motion.json'),
      '--stats',
      join(folder, 'stats'),
    ];
    const { code, signal } = await elbowroom(args, { input: (child) => setTimeout(() => child.kill('SIGINT'), 2500) });
    expect(code ?? signal).toBeOneOf([130, 'SIGINT']); // a shell shows 130 for both
    expect(readdirSync(folder)).toEqual([]);
  });
});
