import { readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { statedWarnings } from '../../../../src/tasks/checking/statedWarnings.ts';
import { posts, temporaryFolder } from '../run.ts';
import { elbowroom } from '../runHere.ts';

const HINT = 'to repair it: ';
/** Two joints; `posts` has a ball in front of the arm. */
const joints = ['shoulder', 'elbow'];
const record = (positions: number[][], more: object = {}) =>
  JSON.stringify({
    format: 'elbowroom-trajectory/1',
    joint_names: joints,
    points: positions.map((one) => ({ positions: one })),
    ...more,
  });

/** A path through the ball in each text format that states paths. */
const formats: Readonly<Record<string, string>> = {
  'bad.json': record([
    [-1, 0],
    [1, 0],
  ]),
  'bad.csv': 'shoulder,elbow\n-1,0\n1,0\n',
  'bad.yaml': 'joint_names: [shoulder, elbow]\npoints:\n  - positions: [-1.0, 0.0]\n  - positions: [1.0, 0.0]\n',
};

describe('the command that repairs a trajectory', () => {
  test.each(Object.entries(formats))('is printed for %s, and carried out it succeeds', async (name, text) => {
    const cwd = temporaryFolder();
    writeFileSync(join(cwd, name), text);
    const { code, stderr } = await elbowroom(['check', posts, name], { cwd });
    expect(code).toBe(1);
    const line = stderr.split('\n').find((one) => one.startsWith(HINT))!;
    const words = line.slice(HINT.length).split(' ').slice(1);
    expect((await elbowroom(words, { cwd })).code).toBe(0);
    expect((await elbowroom(['check', posts, 'repaired.json'], { cwd })).code).toBe(0);
  });

  test.each([
    [
      'the start is in collision',
      record([
        [0, 0],
        [1, 0],
      ]),
    ],
    [
      'the end is out of the joint limits',
      record([
        [1, 0],
        [9, 0],
      ]),
    ],
    ['there is a single state', record([[0, 0]])],
    [
      'it is the motion of a program',
      JSON.stringify({
        format: 'elbowroom-trajectory/1',
        joint_names: joints,
        points: [
          { time_from_start: 0, positions: [-1, 0], velocities: [0, 0] },
          { time_from_start: 9, positions: [1, 0], velocities: [0, 0] },
        ],
        segments: [{ step: 0, kind: 'move', from: 0, to: 9 }],
        events: [],
      }),
    ],
  ])('is not printed if %s, and repair fails', async (_, text) => {
    const cwd = temporaryFolder();
    writeFileSync(join(cwd, 'bad.json'), text);
    const { code, stderr } = await elbowroom(['check', posts, 'bad.json', '--any-start'], { cwd });
    expect(code).toBe(1);
    expect(stderr).not.toContain(HINT);
    expect((await elbowroom(['repair', posts, 'bad.json', '--any-start'], { cwd })).code).toBe(1);
  });

  test('is printed where an obstacle moves, and its result passes check', async () => {
    const cwd = temporaryFolder();
    const robot = join(dirname(posts), 'arm.urdf');
    const still = readFileSync(posts, 'utf8')
      .replace('arm.urdf', robot)
      .replace('arm.srdf', robot.replace('urdf', 'srdf'));
    const scene = still.replace(
      'obstacles:',
      'obstacles:\n  - {name: door, type: box, size: [0.1, 0.1, 0.1], motion: {times: [0, 1], poses: [{xyz: [9, 9, 9]}, {xyz: [9, 9, 8]}]}}',
    );
    expect(scene).toContain('name: door');
    writeFileSync(join(cwd, 'scene.yaml'), scene);
    writeFileSync(join(cwd, 'bad.csv'), 'time,shoulder,elbow\n0,-1,0\n20,1,0\n');
    const { code, stderr } = await elbowroom(['check', 'scene.yaml', 'bad.csv'], { cwd });
    expect({ code, stderr }).toMatchObject({ code: 1, stderr: expect.stringContaining('collide') });
    expect(stderr).toContain(HINT);
    expect((await elbowroom(['repair', 'scene.yaml', 'bad.csv', '-o', 'repaired.json'], { cwd })).code).toBe(0);
    expect((await elbowroom(['check', 'scene.yaml', 'repaired.json'], { cwd })).code).toBe(0);
  });
});

test('check and repair warn alike of a changed trajectory and of another robot', async () => {
  const cwd = temporaryFolder();
  writeFileSync(
    join(cwd, 'path.json'),
    record(
      [
        [-1, 0],
        [-0.9, 0],
      ],
      { robot: 'ur10e', hash: '00', scene: 'other' },
    ),
  );
  const warnings = (text: string) => text.split('\n').filter((line) => line.includes('path.json:'));
  const checked = warnings((await elbowroom(['check', posts, 'path.json'], { cwd })).stderr);
  expect(checked).toHaveLength(2);
  expect(checked.join('\n')).toMatch(/the hash .* does not match[\s\S]*the robot "ur10e", that of the scene is "/);
  expect(warnings((await elbowroom(['repair', posts, 'path.json'], { cwd })).stderr)).toEqual(checked);
});

test('a trajectory that states its own robot and hash, or neither, has no warnings', () => {
  const points = [{ positions: [0, 0] }];
  const robot = { name: 'arm', description: {}, variables: [] as unknown } as Parameters<typeof statedWarnings>[1];
  expect(statedWarnings({ jointNames: joints, points }, robot, 'x')).toEqual([]);
  expect(statedWarnings({ jointNames: joints, points, robot: 'arm', scene: 's' }, robot, 'x')).toEqual([]);
});
