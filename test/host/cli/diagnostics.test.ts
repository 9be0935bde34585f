import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { commands } from '../../../src/host/cli/commands/index.ts';
import { splitPlace } from '../../../src/host/cli/diagnostics.ts';
import { elbowroom, fixtures, posts, temporaryFolder } from './run.ts';

const folder = temporaryFolder();
const armFile = join(fixtures, 'arm.urdf');
const written = (name: string, content: string) => {
  writeFileSync(join(folder, name), content);
  return join(folder, name);
};
const objects = (stderr: string) =>
  stderr
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));

describe('the parts of a message', () => {
  test.each([
    ['scene.yaml:2: robot: unknown robot "ur5ee"', 'scene.yaml', 2, 'robot', 'unknown robot "ur5ee"'],
    ['a b.yaml:6: obstacles[0].size: it has 2', 'a b.yaml', 6, 'obstacles[0].size', 'it has 2'],
    ['arm.urdf:9:4: joint "a": the axis is 0', 'arm.urdf', 9, 'joint "a"', 'the axis is 0'],
    ['t.csv:3: 12: 30', 't.csv', 3, undefined, '12: 30'],
    ['redis://host:6379: no answer', undefined, undefined, undefined, 'redis://host:6379: no answer'],
    ['--seed is "x"', undefined, undefined, '--seed', 'is "x"'],
    ['unknown command "plna"', undefined, undefined, undefined, 'unknown command "plna"'],
    ['the start: at 12:30: noon', undefined, undefined, undefined, 'the start: at 12:30: noon'],
  ])('%s', (text, file, line, place, message) => {
    expect(splitPlace(text)).toEqual(
      Object.fromEntries(Object.entries({ file, line, place, message }).filter(([, value]) => value !== undefined)),
    );
  });
});

describe('--errors json', () => {
  test('each mistake of a scene is one object with file, line, place, message and hint', async () => {
    const scene = written('scene.yaml', 'format: elbowroom-scene/1\nrobot: ur5ee\nstrat: [0]\n');
    const { code, stdout, stderr } = await elbowroom(['plan', scene, '--errors', 'json']);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(objects(stderr)).toContainEqual({
      severity: 'error',
      file: scene,
      line: 3,
      place: 'strat',
      message: 'unknown key',
      hint: expect.stringContaining('Did you mean "start"?'),
    });
  });

  test.each([
    ['an unknown command', ['plna', '--errors=json'], 'unknown command "plna"'],
    ['an unknown option', ['plan', posts, '--sed', '1', '--errors', 'json'], 'plan: unknown option --sed'],
    ['a missing operand', ['plan', '--errors', 'json'], 'plan: SCENE is missing'],
  ])('%s', async (_, args, message) => {
    const { code, stderr } = await elbowroom(args);
    expect(code).toBe(2);
    expect(objects(stderr)).toEqual([
      { severity: 'error', message: expect.stringContaining(message), hint: expect.any(String) },
    ]);
  });

  test('control characters of a file cannot leave the line', async () => {
    const scene = written('odd.yaml', 'format: elbowroom-scene/1\n"\\u2028\\u001b[2J\\u202e": 1\nrobot: ur5e\n');
    const { stderr } = await elbowroom(['plan', scene, '--errors', 'json']);
    for (const character of ['\u001b', '\u2028', '\u202e']) expect(stderr).not.toContain(character);
    expect(objects(stderr)[0].message + objects(stderr)[0].place).toContain('\u2028\u001b[2J\u202e');
  });

  test('an unknown format is refused', async () => {
    const { code, stderr } = await elbowroom(['plan', posts, '--errors', 'jsno']);
    expect(code).toBe(2);
    expect(stderr).toContain('elbowroom: error: unknown --errors "jsno"\n  note: Did you mean "json"?');
  });

  test('words after -- are operands', async () => {
    const { stderr } = await elbowroom(['plan', '--', '--errors=json']);
    expect(stderr).toMatch(/^elbowroom: error: unknown scene "--errors=json"/);
  });
});

test('--quiet leaves warnings and errors, and the same result', async () => {
  const [loud, quiet] = await Promise.all([elbowroom(['plan', posts]), elbowroom(['plan', posts, '--quiet'])]);
  expect(loud.stderr).toContain('posts');
  expect(quiet).toEqual({ ...loud, stderr: '' });
  const failed = await elbowroom(['plan', join(folder, 'none.yaml'), '--quiet']);
  expect(failed.stderr).toContain('elbowroom: error: ');
});

test('--verbose adds files and phases, and the result is the same', async () => {
  const scene = written('fast.yaml', `${readFileSync(posts, 'utf8').replace('arm.urdf', armFile)}tcp_speed: 250\n`);
  const verbose = await elbowroom(['plan', scene, '--verbose']);
  const asJson = await elbowroom(['plan', scene, '--errors', 'json', '--quiet']);
  expect(verbose.stdout).toBe(asJson.stdout);
  expect(verbose.stderr).toMatch(/^read .*arm\.urdf: \d+ bytes$/m);
  expect(verbose.stderr).toMatch(/^posts: planning: \d+ ms$/m);
  expect(verbose.stderr).toMatch(/^plan: exit code 0, \d+ ms of CPU, at most \d+ MiB$/m);
  expect(objects(asJson.stderr)).toEqual([expect.objectContaining({ severity: 'warning' })]);
  const both = await elbowroom(['plan', posts, '--verbose', '--quiet']);
  expect(both).toMatchObject({ code: 2, stderr: expect.stringContaining('--quiet and --verbose are both given') });
});

test('no command has an option of its own with the name of a global one', async () => {
  for (const { load } of Object.values(commands)) {
    const { options } = await load();
    for (const name of ['errors', 'quiet', 'verbose']) expect(Object.keys(options)).not.toContain(name);
  }
});
