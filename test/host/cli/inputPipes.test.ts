import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { scratchFolder } from '../node/scratch.ts';

const bin = join(import.meta.dirname, '../../../bin/elbowroom.js');
const shelf = readFileSync(join(import.meta.dirname, '../../../scenes/shelf.yaml'), 'utf8');
const { root, put } = scratchFolder();
put('shelf.yaml', shelf);
const pipe = join(root, 'pipe');
spawnSync('mkfifo', [pipe]);

const bash = (command: string, input = '') =>
  spawnSync('bash', ['-c', command.replaceAll('elbowroom', `"${process.execPath}" "${bin}"`)], {
    cwd: root,
    input,
    encoding: 'utf8',
    timeout: 30_000,
  });

/** The pipe in every key that names a file, each other device in one of them. */
const DEVICES = [pipe, '/dev/zero', '/dev/stdin', '/proc/self/environ', '/proc/kmsg', '/dev/tty'];

describe.runIf(existsSync('/proc/self/fd'))('pipes', () => {
  test.each([
    ['the output of a command', 'elbowroom validate <(cat shelf.yaml) <(echo "[0,-1.2,1.2,-1,-1.5,0]")', ''],
    ['standard input by its path', 'cat shelf.yaml | elbowroom plan /dev/stdin -o /dev/null', ''],
    ['standard input that is a socket', 'elbowroom plan /dev/stdin -o /dev/null', shelf],
    ['standard input that is a file', 'elbowroom plan /dev/stdin -o /dev/null < shelf.yaml', ''],
    [
      'a named pipe whose writer comes late and pauses',
      '(sleep 0.4; head -4 shelf.yaml; sleep 0.4; tail -n +5 shelf.yaml) > pipe & elbowroom plan pipe -o /dev/null',
      '',
    ],
  ])('are read to the end: %s', (_name, command, input) => {
    const { status, stderr } = bash(command, input);
    expect(status, stderr).toBeLessThanOrEqual(1);
  });

  test('as output they are written if the shell made them, and /dev/stdout is standard output', () => {
    const state = '[0,0,0,0,0,0]\n';
    const { stdout } = bash('elbowroom fk ur5e', state);
    expect(bash('elbowroom fk ur5e -o /dev/stdout', state).stdout).toBe(stdout);
    expect(bash('elbowroom fk ur5e -o /dev/stdout > to.txt; cat to.txt', state).stdout).toBe(stdout);
    expect(bash('elbowroom fk ur5e -o >(cat > sub.txt); sleep 0.3; cat sub.txt', state).stdout).toBe(stdout);
  });

  test.each(DEVICES)('and devices are refused where a file names them: %s', (path) => {
    const head = 'format: elbowroom-scene/1\n';
    const scenes = [
      `robot: {urdf: ${path}}\n`,
      `robot: {urdf: ${join(root, 'robot.urdf')}, srdf: ${path}}\n`,
      `robot: ur5e\nobstacles: [{name: m, type: mesh, file: ${path}}]\n`,
      `robot: ur5e\nobstacles: [{name: m, type: cloud, file: ${path}, resolution: 0.1}]\n`,
      `robot: ur5e\ninclude: [{file: ${path}}]\n`,
    ];
    put('robot.urdf', '<robot name="r"><link name="l"/></robot>');
    const one = DEVICES.indexOf(path) - 1;
    for (const scene of path === pipe ? scenes : [scenes[one]]) {
      put('scene.yaml', head + scene);
      const { status, stderr } = bash('elbowroom validate scene.yaml /dev/null');
      expect(status, scene + stderr).toBe(2);
      expect(stderr, scene).toMatch(/scene\.yaml:\d+: |outside/);
    }
  });

  test.each([
    ['/dev/zero', ['plan FILE', 'validate FILE', 'validate shelf FILE', 'fk FILE', 'check shelf FILE', 'convert FILE']],
    ['/proc/self/environ', ['validate shelf FILE', 'plan FILE']],
    ['/proc/kmsg', ['check shelf FILE', 'fk FILE']],
    ['/dev/full', ['convert FILE', 'validate FILE']],
  ])('%s is no input', (path, commands) => {
    for (const command of commands) expect(bash(`elbowroom ${command.replace('FILE', path)}`).status, command).toBe(2);
  });
});
