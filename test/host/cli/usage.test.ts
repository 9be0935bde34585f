import { spawnSync } from 'node:child_process';
import { cpSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { commands } from '../../../src/host/cli/commands/index.ts';
import { flagName } from '../../../src/host/cli/parse.ts';
import { posts, root, temporaryFolder } from './run.ts';
import { elbowroom } from './runHere.ts';

describe('help', () => {
  test('the overview names every command, on stdout', async () => {
    const { code, stdout, stderr } = await elbowroom(['--help']);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    const words = stdout.replace(/\s+/g, ' '); // help wraps its lines
    for (const [name, { summary }] of Object.entries(commands)) expect(words).toContain(` ${name} ${summary}`);
  });

  test('no command is a usage error: the overview on stderr, exit code 2', async () => {
    const asked = await elbowroom(['--help']);
    expect(await elbowroom([])).toEqual({ code: 2, signal: null, stdout: '', stderr: asked.stdout });
  });

  test('--version is that of package.json', async () => {
    const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
    expect(await elbowroom(['--version'])).toEqual({ code: 0, signal: null, stdout: `${version}\n`, stderr: '' });
  });

  test.each(Object.entries(commands))(
    '%s --help names operands, options, choices and defaults, on stdout',
    async (name, { load }) => {
      const { code, stdout, stderr } = await elbowroom([name, '--help']);
      expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
      const words = stdout.replace(/\s+/g, ' '); // help wraps its lines
      const { operands, options } = await load();
      for (const operand of operands) expect(words).toContain(`${operand.name} ${operand.meaning}`);
      for (const [key, { alias, meaning, choices = [], shown }] of Object.entries(options)) {
        expect(words).toContain(alias ? `-${alias}, ${flagName(key)}` : flagName(key));
        expect(words).toContain(meaning);
        if (choices.length > 0) expect(words).toContain(`one of: ${choices.join(', ')}`);
        if (shown !== '') expect(words).toContain(`default: ${shown}`);
      }
      expect(Math.max(...stdout.split('\n').map((line) => line.length))).toBeLessThanOrEqual(120);
    },
  );

  test('the help of fk matches its reviewed snapshot', async () => {
    expect((await elbowroom(['fk', '--help'])).stdout).toMatchSnapshot();
  });

  test.each(Object.entries(commands))(
    'the overview says of %s what the command itself says',
    async (_, { summary, load }) => {
      expect(summary).toBe((await load()).summary);
    },
  );
});

test('a copy that was not built prints how to build it', () => {
  const folder = temporaryFolder();
  cpSync(join(root, 'bin'), join(folder, 'bin'), { recursive: true });
  cpSync(join(root, 'package.json'), join(folder, 'package.json'));
  const { status, stdout, stderr } = spawnSync(process.execPath, [join(folder, 'bin/elbowroom.js')], {
    encoding: 'utf8',
  });
  expect({ status, stdout }).toEqual({ status: 2, stdout: '' });
  expect(stderr).toBe(
    'elbowroom: error: dist/ is missing: this copy has not been built\n' +
      '  note: Run `npm ci` in its folder, or `npm run build` where that has been done.\n',
  );
});

describe('mistakes are reported in one line and a note with a fix, exit code 2, nothing on stdout', () => {
  const cases: [string, string[], string][] = [
    ['a command', ['plna', posts], 'elbowroom: error: unknown command "plna"\n  note: Did you mean "plan"? Commands: '],
    [
      'an option',
      ['plan', posts, '--sed', '1'],
      'elbowroom: error: plan: unknown option --sed\n  note: Did you mean --seed?\n',
    ],
    [
      'a choice',
      ['plan', posts, '--planner', 'rrt-conect'],
      'elbowroom: error: unknown --planner "rrt-conect"\n  note: Did you mean "rrt-connect"?',
    ],
    [
      'a format',
      ['plan', posts, '--format', 'jsn'],
      'elbowroom: error: unknown --format "jsn"\n  note: Did you mean "json"?',
    ],
    ['a missing operand', ['plan'], 'elbowroom: error: plan: SCENE is missing (suite or scene file'],
    [
      'an operand too many',
      ['check', posts, 'b', 'c'],
      'elbowroom: error: check: unexpected "c"\n  note: Usage: elbowroom check SCENE TRAJECTORY\n',
    ],
    [
      'a seed that is none',
      ['plan', posts, '--seed', 'abc'],
      'elbowroom: error: --seed is "abc"\n  note: Give a whole number, 0 or more.\n',
    ],
    [
      'a negative time',
      ['plan', posts, '--time-limit', '-1'],
      'elbowroom: error: --time-limit is "-1"\n  note: Give a number in s above 0.\n',
    ],
    [
      'two outputs of one name',
      ['plan', posts, '-o', 'm.json', '--certificate', './m.json'],
      'elbowroom: error: ./m.json: two outputs have this name, so that one would replace the other\n',
    ],
    [
      'an unknown planner option',
      ['plan', posts, '--planner-option', 'stepsize=1'],
      'elbowroom: error: planner "rrt-connect" has no option "stepsize"\n  note: Did you mean "stepSize"?',
    ],
    [
      'a file that is not there',
      ['plan', 'no-such-scene.yaml'],
      'elbowroom: error: no-such-scene.yaml: there is no such file\n',
    ],
    [
      'a file called nearly the same',
      ['plan', `${root}/scenes/shelv.yaml`],
      `elbowroom: error: ${root}/scenes/shelv.yaml: there is no such file\n  note: Did you mean "shelf.yaml"?`,
    ],
    [
      'a scene of the package, nearly',
      ['view', 'shef'],
      'elbowroom: error: unknown scene "shef"\n  note: Did you mean "shelf"? Use one of: arm7-alcove, ',
    ],
    [
      'a robot of the package, nearly, where a scene may be given too',
      ['view', 'ur5ee'],
      'elbowroom: error: unknown robot "ur5ee"\n  note: Did you mean "ur5e"? Use one of: ',
    ],
    [
      'a scene of the package where it is not',
      ['plan', 'no-such/shelf.yaml'],
      'elbowroom: error: no-such/shelf.yaml: there is no such file\n  note: A scene of the package is named without path: shelf.\n',
    ],
    [
      'a robot that is not there',
      ['fk', 'ur5ee', '-'],
      'elbowroom: error: unknown robot "ur5ee"\n  note: Did you mean "ur5e"?',
    ],
    [
      'states that are not there',
      ['validate', posts, 'no-such.jsonl'],
      'elbowroom: error: no-such.jsonl: there is no such file\n',
    ],
    ['a folder to write to', ['plan', posts, '-o', root], `elbowroom: error: ${root}: this is a folder`],
    ['a folder to read', ['validate', posts, root], `elbowroom: error: ${root}: this is a folder\n`],
    [
      'a robot below a file',
      ['robot', `${posts}/arm.urdf`],
      `elbowroom: error: ${posts}/arm.urdf: there is no such file\n`,
    ],
    ['an option before the command', ['--sed'], 'elbowroom: error: unknown option --sed before a command\n'],
  ];
  test.each(cases)('%s', async (_, args, expected) => {
    const { code, stdout, stderr } = await elbowroom(args);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr.slice(0, expected.length)).toBe(expected);
    expect(stderr.split('\n').length).toBeLessThanOrEqual(3);
  });
});
