import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { isLong } from '../../../cases.ts';
import { bin, posts, root, temporaryFolder } from '../run.ts';
import { elbowroom } from '../runHere.ts';

const page = readFileSync(join(root, 'docs/repair.md'), 'utf8');

/** Replaces numbers with decimals: durations vary with the version. */
const withoutNumbers = (text: string) => text.replace(/\d+\.\d+/g, '#').trim();

test.runIf(isLong)('docs/repair.md shows what its commands print', () => {
  const cwd = temporaryFolder();
  for (const [, name, text] of page.matchAll(/```(?:yaml|csv)\n# (\S+)\n([\s\S]*?)```/g))
    writeFileSync(join(cwd, name), text);
  const shell = `elbowroom() { ${JSON.stringify(process.execPath)} ${JSON.stringify(bin)} "$@"; }\n`;
  let commands = 0;
  for (const [, block] of page.matchAll(/```console\n([\s\S]*?)```/g)) {
    for (const [, command, shown] of block.matchAll(/^\$ (.*)\n((?:(?!\$ ).*\n)*)/gm)) {
      const { stdout } = spawnSync('sh', ['-c', `${shell}{ ${command}; } 2>&1`], { cwd, encoding: 'utf8' });
      const lines = stdout.split('\n').filter((line) => !line.startsWith('warning:'));
      expect(withoutNumbers(lines.join('\n')), command).toBe(withoutNumbers(shown));
      commands++;
    }
  }
  expect(commands).toBe(5);
});

const path = (...positions: number[][]) =>
  JSON.stringify({
    format: 'elbowroom-trajectory/1',
    joint_names: ['shoulder', 'elbow'],
    points: positions.map((one) => ({ positions: one })),
  });

test('a path is repaired as a path, and check accepts it', async () => {
  const cwd = temporaryFolder();
  writeFileSync(join(cwd, 'bad path.json'), path([-1, 0], [1, 0]));
  const refused = await elbowroom(['check', posts, 'bad path.json'], { cwd });
  expect(refused.code).toBe(1);
  expect(refused.stderr).toContain(`to repair it: elbowroom repair ${posts} 'bad path.json' -o repaired.json\n`);
  const args = ['repair', posts, 'bad path.json', '-o', 'good.json', '--stats', '-'];
  const { code, stdout, stderr } = await elbowroom(args, { cwd });
  expect({ code, stderr }).toMatchObject({ code: 0 });
  expect(stderr).toContain('changed at waypoints ');
  const { status, changed, before, after } = JSON.parse(stdout);
  expect({ status, before }).toEqual({ status: 'repaired', before: { points: 2, length: 2 } });
  expect(changed.flat().every((t: number) => t >= 0 && t <= 1)).toBe(true);
  expect(after.length).toBeGreaterThan(2);
  const written = JSON.parse(readFileSync(join(cwd, 'good.json'), 'utf8'));
  expect(written.points.every((point: object) => !('time_from_start' in point))).toBe(true);
  expect((await elbowroom(['check', posts, 'good.json'], { cwd })).code).toBe(0);
  const again = await elbowroom(args, { cwd });
  expect(again.stdout).toBe(stdout);
});

test('a valid input is copied byte for byte, or converted with --format', async () => {
  const cwd = temporaryFolder();
  const given = path([-1, 0], [-0.6, 0.5]).replace('{', '{ ');
  writeFileSync(join(cwd, 'good.json'), given);
  expect(await elbowroom(['repair', posts, 'good.json'], { cwd })).toMatchObject({ code: 0, stdout: given });
  const { code, stdout } = await elbowroom(['repair', posts, 'good.json', '--format', 'csv'], { cwd });
  expect(code).toBe(0);
  expect(stdout.split('\n')[0]).toBe('shoulder,elbow');
});

test('repair and time write ROS goals, which check reads, and never among those of another motion', async () => {
  const cwd = temporaryFolder();
  writeFileSync(join(cwd, 'bad.json'), path([-1, 0], [1, 0]));
  await elbowroom(['repair', posts, 'bad.json', '-o', 'good.json'], { cwd });
  const timed = await elbowroom(['time', posts, 'good.json', '--format', 'ros-goal', '-o', 'goals'], { cwd });
  expect({ code: timed.code, files: readdirSync(join(cwd, 'goals')).sort() }).toMatchObject({
    code: 0,
    files: ['goal-0.yaml', 'goals.json'],
  });
  expect((await elbowroom(['check', posts, 'goals'], { cwd })).code).toBe(0);
  const again = ['repair', posts, 'goals', '--format', 'ros-goal'];
  expect((await elbowroom([...again, '-o', 'copy'], { cwd })).code).toBe(0);
  expect((await elbowroom(['check', posts, 'copy'], { cwd })).code).toBe(0);
  expect((await elbowroom(again, { cwd })).stderr).toContain('no output is given');
  writeFileSync(join(cwd, 'copy', 'goal-7.yaml'), '');
  const refused = await elbowroom([...again, '-o', 'copy'], { cwd });
  expect([refused.code, refused.stderr]).toEqual([2, expect.stringContaining('a goal of another motion')]);
  const untimed = await elbowroom(['repair', posts, 'good.json', '--format', 'ros-goal', '-o', 'path'], { cwd });
  expect([untimed.code, untimed.stderr]).toEqual([2, expect.stringContaining('a path without times is no goal')]);
});

test('nothing is written for what cannot be repaired, and bad usage is exit code 2', async () => {
  const cwd = temporaryFolder();
  writeFileSync(join(cwd, 'end.json'), path([-1, 0], [0, 0]));
  const { code, stdout, stderr } = await elbowroom(['repair', posts, 'end.json', '-o', 'out.json'], { cwd });
  expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
  expect(stderr).toMatch(/failed: the end of a motion is kept, and it is not valid: \w+ and \w+ overlap by [\d.]+ mm/);
  expect(existsSync(join(cwd, 'out.json'))).toBe(false);
  for (const [args, what] of [
    [['--keep-times', '--limits-only'], 'leave nothing that may change'],
    [['--stats', '-'], '--stats - needs -o'],
    [['--seed', 'abc'], '--seed is "abc"'],
    [['--keep-time'], 'Did you mean'],
  ] as const) {
    const wrong = await elbowroom(['repair', posts, 'end.json', ...args], { cwd });
    expect({ code: wrong.code, stdout: wrong.stdout }, what).toEqual({ code: 2, stdout: '' });
    expect(wrong.stderr).toContain(what);
  }
});

test('the service repairs as the command does, and refuses parameters that contradict each other', async () => {
  const cwd = temporaryFolder();
  const requests = [
    { trajectory: JSON.parse(path([-1, 0], [1, 0])), seed: 2 },
    { trajectory: JSON.parse(path([-1, 0], [-0.6, 0.5])) },
    { trajectory: JSON.parse(path([-1, 0], [0, 0])) },
    { trajectory: JSON.parse(path([-1, 0], [1, 0])), keep_times: true, limits_only: true },
  ];
  const input = requests
    .map((params, id) => `${JSON.stringify({ jsonrpc: '2.0', id, method: 'repair', params })}\n`)
    .join('');
  const { stdout } = await elbowroom(['serve', posts, '--stdio'], { input, cwd });
  const answers = stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
    .filter(({ id }) => id !== undefined);
  expect(answers.map(({ result, error }) => result?.status ?? error.code)).toEqual([
    'repaired',
    'good',
    'failed',
    -32602,
  ]);
  writeFileSync(join(cwd, 'given.json'), path([-1, 0], [1, 0]));
  const written = await elbowroom(['repair', posts, 'given.json', '--seed', '2'], { cwd });
  expect(answers[0].result.trajectory).toEqual(JSON.parse(written.stdout));
  expect(answers[2].result).not.toHaveProperty('trajectory');
});
