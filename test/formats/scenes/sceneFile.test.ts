import { assert, describe, test } from 'vitest';
import type { Scene } from '../../../src/core/scene/scene.ts';
import { shapes } from '../../../src/core/shapes/index.ts';
import { full, head, read } from './sceneTexts.ts';

describe('readSceneFile', () => {
  test('reads all keys of a scene, in SI units', async () => {
    const [{ goals, robot: reference, obstacles, attached, ...rest }] = await read(full);
    assert.deepEqual(rest, {
      name: 'everything',
      description: 'all that a scene can say',
      start: [-Math.PI / 2],
      equivalent: true,
      allow: [
        ['table', 'base'],
        ['cup', 'table'],
      ],
      padding: 0.005,
      weights: { turn: 1.5 },
    });
    assert.deepEqual(goals, [
      { kind: 'joints', joints: { turn: Math.PI / 2 } },
      { kind: 'joints', joints: 'home' },
      {
        kind: 'pose',
        pose: {
          link: 'tool',
          xyz: [0.4, 0.3, 0.2],
          quat_wxyz: [1, 0, 0, 0],
          tolerance: { position: 0.001, angle: 1e-3 },
        },
      },
    ]);
    const { pose, ...named } = reference;
    assert.deepEqual(named, {
      urdf: '../two/two.urdf',
      srdf: 'two.srdf',
      packages: { two: '../two' },
      joints: ['turn'],
      fixed: { slide: 0.02 },
      limits: { turn: { velocity: Math.PI, acceleration: 10, jerk: 60 } },
      parts: 'hull',
    });
    assert.closeTo(pose.quat_wxyz[3], 1, 1e-15);
    const none = { xyz: [0, 0, 0], quat_wxyz: [1, 0, 0, 0] };
    assert.deepEqual(obstacles, [
      {
        name: 'table',
        pose: { ...none, xyz: [0.4, 0, -0.03] },
        parts: [{ shape: { type: 'box', size: [1.2, 0.8, 0.05] } }],
      },
      { name: 'halfspace-2', pose: none, parts: [{ shape: { type: 'halfspace', normal: [0, 0, 2], margin: 0.001 } }] },
    ] as unknown as Scene['obstacles']);
    assert.deepEqual(attached, [
      {
        name: 'cup',
        pose: none,
        parts: [{ shape: { type: 'cylinder', radius: 0.03, length: 0.1 } }],
        link: 'tool',
        touches: ['arm'],
      },
    ] as unknown as Scene['attached']);
  });

  test('reads JSON as it reads YAML, whatever the line ends and byte order mark', async () => {
    const text = JSON.stringify({ format: 'elbowroom-scene/1', robot: 'two', start: ['90 deg', '1 cm'] }, null, 2);
    const scenes = await read(text);
    assert.deepEqual(scenes, await read(`${head}start: [90 deg, 1 cm]`));
    assert.deepEqual(scenes, await read(`\uFEFF${text.replaceAll('\n', '\r\n')}`));
    assert.equal(scenes[0].name, 's');
    assert.equal(scenes[0].robot.name, 'two');
  });

  test('reads every sample of every shape', async () => {
    for (const [type, { samples }] of Object.entries(shapes)) {
      for (const [i, sample] of samples.entries()) {
        const { edges: _, ...spec } = sample as typeof sample & { edges?: unknown };
        const [{ obstacles }] = await read(
          JSON.stringify({ format: 'elbowroom-scene/1', robot: 'two', obstacles: [spec] }),
        );
        const plain = JSON.parse(JSON.stringify(spec));
        if (plain.margin === 0) delete plain.margin;
        assert.deepEqual(obstacles[0].parts[0].shape, plain, `${type} ${i}`);
      }
    }
  });

  test('lays the keys of each problem of a suite over the suite, and adds obstacles', async () => {
    const suite = `format: elbowroom-suite/1
robot: two
start: [0, 0]
goal: [1, 1]
padding: 1
obstacles: [{name: floor, type: halfspace, normal: [0, 0, 1]}]
problems:
  - {name: one, goals: [[2, 0.5], home], obstacles: [{name: ball, type: sphere, radius: 1}]}
  - {start: [0.5, 0.5], padding: 0}
`;
    const [one, two] = await read(suite);
    assert.equal(one.name, 'one');
    assert.deepEqual(one.start, [0, 0]);
    assert.equal(one.goals.length, 2);
    assert.deepEqual(
      one.obstacles.map(({ name }) => name),
      ['floor', 'ball'],
    );
    assert.equal(one.padding, 1);
    assert.equal(two.name, 'problem-2');
    assert.deepEqual(two.start, [0.5, 0.5]);
    assert.deepEqual(two.goals, [{ kind: 'joints', joints: [1, 1] }]);
    assert.deepEqual(
      two.obstacles.map(({ name }) => name),
      ['floor'],
    );
    assert.equal(two.padding, 0);
  });

  test('replaces start and goal of the file by those of the command line', async () => {
    const [scene] = await read(`${head}start: [0, 0]\ngoals: [home, [0, 0]]\n`, { start: '-1.2, 5 mm', goal: 'home' });
    assert.deepEqual(scene.start, [-1.2, 0.005]);
    assert.deepEqual(scene.goals, [{ kind: 'joints', joints: 'home' }]);
  });
});
