import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { fixtures, temporaryFolder } from '../run.ts';
import { elbowroom } from '../runHere.ts';

const ailing = ['robot', join(fixtures, 'ailing.urdf'), '--srdf', join(fixtures, 'ailing.srdf')];

describe('robot', () => {
  test('its table lists how well the convex hulls fit the meshes, and what the SRDF defines', async () => {
    const { stdout, code } = await elbowroom(ailing);
    expect(code).toBe(0);
    // A square frame, 0.4 m outside and 0.3 m inside: its hull is 16/7 of it. 20 mm thick, so 1.8 l too much.
    expect(stdout).toMatch(/hoop +1 +32 +8 +3\.20 l +2\.29 +1\.80 l/);
    expect(stdout).toMatch(/sheet +1 +2 +4 +0\.00 l +open/);
    expect(stdout).toContain('  group arm          turn\n  end effector leaf  group arm, on ball\n');
    expect(stdout).toContain('  passive joints     free\n');
  });

  test('--json carries groups, states, end effectors and passive joints', async () => {
    const { groups, states, end_effectors, passive } = JSON.parse((await elbowroom([...ailing, '--json'])).stdout);
    expect({ groups, states, end_effectors, passive }).toEqual({
      groups: { arm: ['turn'] },
      states: ['far'],
      end_effectors: [{ name: 'leaf', group: 'arm', parent_link: 'ball', parent_group: null }],
      passive: ['free'],
    });
  });
});

test.each([
  [['--svg', 'x.svg', '--json'], '--svg and --json exclude each other', 'Give one of them.'],
  [['--doctor', '--make-srdf'], '--doctor and --make-srdf exclude each other', 'Give one of them.'],
  [['--make-srdf', '--json'], '--make-srdf and --json exclude each other', 'Give one of them.'],
  [['--doctor', '--view', '0,0'], '--view needs --svg', 'Give --svg FILE, too.'],
])('robot %j is refused: one of the two would be passed over', async (words, what, way) => {
  const { code, stdout, stderr } = await elbowroom(['robot', 'ur5e', ...words], { cwd: temporaryFolder() });
  expect({ code, stdout, stderr }).toEqual({
    code: 2,
    stdout: '',
    stderr: `elbowroom: error: ${what}\n  note: ${way}\n`,
  });
});

describe('robot --doctor', () => {
  test('finds each fault of a robot that has many, with its line and what to write', async () => {
    const { code, stdout, stderr } = await elbowroom([...ailing, '--doctor', '--json', '--samples', '500']);
    const unchecked = '4 pairs of links are not checked: Adjacent 3, Never 1\n';
    expect({ code, stderr }).toEqual({ code: 1, stderr: unchecked });
    const found = (JSON.parse(stdout) as { kind: string; place: string; what: string; remedy: string }[]).map(
      ({ kind, place, what, remedy }) => [kind, place.replace(/^.*[\\/]/, ''), what, remedy],
    );
    expect(found).toEqual([
      ['problem', 'ailing.urdf:19', expect.stringContaining('"stuck"'), expect.stringContaining('<limit')],
      [
        'problem',
        'ailing.urdf:6',
        'links "base" and "ball" collide in each of 500 random states: no state is valid',
        'in the SRDF: <disable_collisions link1="base" link2="ball" reason="Always"/>',
      ],
      ['problem', 'ailing.srdf:4', 'state "far" is out of the limits of turn', expect.any(String)],
      ['advice', 'ailing.urdf:13', expect.stringContaining('its axis is 2 long'), '<axis xyz="0 0 1"/>'],
      [
        'advice',
        'ailing.urdf:14',
        expect.stringContaining('no acceleration limit'),
        '<limit lower="-1" upper="1" velocity="2" effort="3" acceleration="… rad/s²"/>',
      ],
      ['advice', 'ailing.urdf:21', expect.stringContaining('no velocity limit'), expect.stringContaining('velocity')],
      ['advice', 'ailing.urdf:5', expect.stringContaining('2.29 times'), expect.stringContaining('decompose')],
      ['advice', 'ailing.urdf:7', expect.stringContaining('flat'), expect.any(String)],
      [
        'advice',
        'ailing.urdf:8',
        expect.stringContaining('not checked for collisions'),
        expect.stringContaining('<collision>'),
      ],
    ]);
  });

  test('a pair that is allowed as never colliding, but collides, is a problem', async () => {
    const folder = temporaryFolder();
    const srdf = join(folder, 'wrong.srdf');
    const wrong = readFileSync(join(fixtures, 'ailing.srdf'), 'utf8').replace(
      '"hoop" link2="sheet"',
      '"base" link2="ball"',
    );
    writeFileSync(srdf, wrong);
    const { stdout } = await elbowroom([...ailing.slice(0, 3), srdf, '--doctor', '--samples', '50']);
    expect(stdout).toContain(
      `problem: ${srdf}:9: links "base" and "ball" are allowed as never colliding, but collide in 50 of 50 random states`,
    );
  });

  test('a robot that is well: exit 0, one line', async () => {
    const answer = await elbowroom(['robot', 'ur5e', '--doctor', '--samples', '2000']);
    const stderr = '8 pairs of links are not checked: Adjacent 6, Never 2\n';
    expect(answer).toMatchObject({ code: 0, stdout: 'ur5e: no problem, no advice\n', stderr });
    const file = join(temporaryFolder(), 'findings.json');
    const written = await elbowroom(['robot', 'ur5e', '--doctor', '--samples', '2000', '--json', '-o', file]);
    expect(written).toMatchObject({ code: 0, stdout: '', stderr });
    expect(readFileSync(file, 'utf8')).toBe('[]\n');
  });

  test('swapped limits are refused with the line to write', async () => {
    const file = join(temporaryFolder(), 'swapped.urdf');
    const text = readFileSync(join(fixtures, 'ailing.urdf'), 'utf8').replace(
      'lower="-1" upper="1"',
      'lower="1" upper="-1"',
    );
    writeFileSync(file, text);
    expect(await elbowroom(['robot', file, '--doctor'])).toMatchObject({
      code: 2,
      stderr: `elbowroom: error: ${file}:14: joint "turn": the lower limit 1 is above the upper limit -1\n  note: If they are swapped, write lower="-1" upper="1". If they mean a joint without limit, as in files of Bullet: write type="continuous", and leave lower and upper out.\n`,
    });
  });
});

describe('robot --make-srdf', () => {
  test('writes an SRDF that loads, keeps groups and states, and the same bytes each time', async () => {
    const file = join(temporaryFolder(), 'made.srdf');
    const make = [...ailing, '--make-srdf', '--samples', '300'];
    expect(await elbowroom([...make, '-o', file])).toMatchObject({ code: 0, stdout: '', stderr: '' });
    const { stdout } = await elbowroom(make);
    expect(readFileSync(file, 'utf8')).toBe(stdout);
    const { allowed, groups, states, passive, warnings } = JSON.parse(
      (await elbowroom([...ailing.slice(0, 3), file, '--json'])).stdout,
    );
    expect({ groups, states, passive }).toEqual({
      groups: { arm: ['turn'] },
      states: ['far'],
      passive: ['free'],
    });
    expect(warnings).toHaveLength(2); // hose, and the range of stuck
    expect(allowed).toEqual([
      ['base', 'hoop', 'Adjacent'],
      ['hoop', 'ball', 'Adjacent'],
      ['ball', 'sheet', 'Adjacent'],
      ['base', 'ball', 'Always'],
      ['base', 'sheet', 'Never'],
      ['hoop', 'sheet', 'Never'],
    ]);
  });

  test('without an SRDF it begins with a group of all joints and a state of rest', async () => {
    const file = join(temporaryFolder(), 'made.srdf');
    await elbowroom([...ailing.slice(0, 2), '--make-srdf', '--samples', '100', '-o', file]);
    const { groups, states } = JSON.parse((await elbowroom([...ailing.slice(0, 3), file, '--json'])).stdout);
    expect(groups).toEqual({ all: ['turn', 'stuck', 'free'] });
    expect(states).toEqual(['home']);
    expect(readFileSync(file, 'utf8')).toContain('<joint name="stuck" value="0.5"/>');
  });
});

test.each([
  ['robot', 'there is no such folder', '/nope'],
  ['fk', 'this is not a folder', join(fixtures, 'arm.urdf')],
])('%s refuses a --package whose folder does not exist', async (command, what, folder) => {
  const { code, stdout, stderr } = await elbowroom([command, 'ur5e', '--package', `arm=${folder}`]);
  expect(stderr).toContain(
    `package "arm": ${folder}: ${what}\n  note: Give the folder of package://arm/: --package arm=DIR`,
  );
  expect([code, stdout]).toEqual([2, '']);
});
