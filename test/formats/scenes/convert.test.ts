import { assert, describe, test } from 'vitest';
import type { Scene } from '../../../src/core/scene/scene.ts';
import { InputError } from '../../../src/errors.ts';
import { type ForeignScene, sceneText } from '../../../src/formats/scenes/moveit/foreignScene.ts';
import { readMoveitScene } from '../../../src/formats/scenes/moveit/moveitScene.ts';
import { readPlanningScene } from '../../../src/formats/scenes/moveit/planningScene.ts';
import { buildScene, readSceneFile } from '../../../src/formats/scenes/sceneFile.ts';

/** Reads the converted text with our own reader. */
async function reread(scene: ForeignScene, robot = 'ur5e'): Promise<Scene> {
  const { problems } = await readSceneFile(sceneText(scene, robot), 'converted.yaml');
  return buildScene(problems[0], {});
}

async function refusal(reading: Promise<unknown>): Promise<string> {
  const answer = await reading.catch((error: unknown) => error);
  assert.instanceOf(answer, InputError);
  return (answer as InputError).message;
}

const older = `kitchen
* crate
2
box
0.4 0.2 0.1
1 2 3
0 0 0 1
0 0 0 0
sphere
0.05
0 0 1
0 0 0 1
0 0 0 0
* ground
1
plane
0 0 2 1
0 0 0
0 0 0 1
0 0 0 0
.
`;
const half = Math.SQRT1_2;
const newer = `(noname)+
* can
1 0 0
0 0 ${half} ${half}
2
cylinder
0.03 0.14
0.5 0 0
0 0 0 1
0 0 0 0
mesh
4 4
0 0 0
1 0 0
0 1 0
0 0 1
0 2 1
0 1 3
0 3 2
1 2 3
0 0 0
0 0 0 1
0 0 0 0
1
tip
0 0 0
0 0 0 1
.
`;

describe('readMoveitScene', () => {
  test('reads the older form: shapes and their poses', async () => {
    const scene = await readMoveitScene(older, 'a.scene');
    const { name, obstacles } = await reread(scene);
    assert.equal(name, 'kitchen');
    assert.deepEqual(obstacles[0], {
      name: 'crate',
      parts: [{ shape: { type: 'box', size: [0.4, 0.2, 0.1] } }],
      pose: { xyz: [1, 2, 3], quat_wxyz: [1, 0, 0, 0] },
    });
    assert.deepInclude(obstacles[1], { name: 'crate-2', parts: [{ shape: { type: 'sphere', radius: 0.05 } }] });
    assert.deepEqual(obstacles[2].pose.xyz, [0, 0, -0.5]);
    assert.deepEqual(obstacles[2].parts, [{ shape: { type: 'halfspace', normal: [0, 0, 2] } }]);
    assert.deepEqual(scene.notes, ['planes become half-spaces, solid behind the plane']);
  });

  test('reads the newer form: the pose of an object carries its shapes; subframes are passed over', async () => {
    const scene = await readMoveitScene(newer, 'a.scene');
    const { obstacles } = await reread(scene);
    const [can, tetra] = obstacles;
    assert.deepEqual(can.parts, [{ shape: { type: 'cylinder', radius: 0.03, length: 0.14 } }]);
    for (const [k, x] of [1, 0.5, 0].entries()) assert.closeTo(can.pose.xyz[k], x, 1e-15);
    assert.closeTo(can.pose.quat_wxyz[0], half, 1e-15);
    assert.closeTo(can.pose.quat_wxyz[3], half, 1e-15);
    assert.lengthOf(tetra.parts[0].shape.points as unknown[], 4);
    assert.deepEqual(scene.notes, ['meshes become their convex hulls', 'subframes are left out']);
  });

  test('reads a scene without a name, whose first line is blank, and objects without shapes', async () => {
    const { name, obstacles } = await readMoveitScene(`${older.replace(/^.*/, '')}`, 'a.scene');
    assert.isUndefined(name);
    assert.equal(obstacles[0].name, 'crate');
    assert.deepEqual((await readMoveitScene('\n.\n', 'a.scene')).obstacles, []);
    assert.deepEqual((await readMoveitScene('\n* a\n0 0 1\n0 0 0 1\n0\n0\n.\n', 'a.scene')).obstacles, []);
  });

  test.each([
    ['', /^a\.scene:1: the file ends too early/],
    [older.slice(0, -3), /the file ends too early/],
    ['x\n* a\n1\nwedge\n1 2 3\n', /^a\.scene:4: a shape "wedge" is not supported/],
    ['x\n* a\n1\nbox\n1 2\n3 4 5\n', /^a\.scene:6: 5 numbers where 3 were expected/],
    ['x\n* a\n1\nbox\n1 -2 3\n', /^a\.scene:5: a length is -2/],
    ['x\n* a\n1\nmesh\n1e9 1\n', /a mesh of 1000000000 vertices/],
    ['x\n* a\n1\nsphere\n1\n0 0 0\n0 0 0 0\n', /a quaternion of length 0/],
    ['x\n* a\n1\nsphere\n1\n0 0 0\n0 0 0 2\n', /a.scene:7: a quaternion of length 2, must be 1/],
    ['x\na\n', /^a\.scene:2: "a", an object begins with \*/],
  ])('refuses %j', async (text, message) => {
    assert.match(await refusal(readMoveitScene(text, 'a.scene')), message);
  });
});

const message = `name: "box"
robot_model_name: panda
fixed_frame_transforms: []
robot_state:
  joint_state:
    name: [turn, lift, finger]
    position: [0.5, -1, 0.04]
  attached_collision_objects:
    - link_name: hand
      touch_links: [finger_left]
      object: {id: cup, primitives: [{type: 2, dimensions: [0.05]}], primitive_poses: [{position: {x: 0, y: 0, z: 0.1}, orientation: {w: 1}}]}
allowed_collision_matrix:
  entry_names: [base, Can1, hand]
  entry_values: [[false, true, true], [true, false, false], [true, false, false]]
world:
  collision_objects:
    - header: {frame_id: world}
      id: Can1
      primitives:
        - {type: cylinder, dimensions: [0.14, 0.03]}
        - {type: box, dimensions: [1, 2, 3]}
      primitive_poses:
        - {position: [0.5, 0, 1], orientation: [0, 0, 1, 0]}
        - {position: [0, 0, 0], orientation: [0, 0, 0, 1]}
`;
const request = `start_state: {joint_state: {name: [turn, lift], position: [1, 2]}}
goal_constraints:
  - joint_constraints:
      - {joint_name: lift, position: 0.25, weight: 1}
      - {joint_name: turn, position: -0.25, weight: 1}
`;

describe('readPlanningScene', () => {
  test('reads bodies, the state, what is carried, and pairs that may touch', async () => {
    const scene = await readPlanningScene(message, 'm.yaml');
    assert.equal(scene.robot, 'panda');
    const { name, start, obstacles, attached, allow } = await reread(scene, '../panda.urdf');
    assert.equal(name, 'box');
    assert.deepEqual(start, { turn: 0.5, lift: -1, finger: 0.04 });
    assert.deepEqual(obstacles, [
      {
        name: 'Can1',
        parts: [{ shape: { type: 'cylinder', radius: 0.03, length: 0.14 } }],
        pose: { xyz: [0.5, 0, 1], quat_wxyz: [0, 0, 0, 1] },
      },
      {
        name: 'Can1-2',
        parts: [{ shape: { type: 'box', size: [1, 2, 3] } }],
        pose: { xyz: [0, 0, 0], quat_wxyz: [1, 0, 0, 0] },
      },
    ]);
    assert.deepEqual(attached, [
      {
        name: 'cup',
        parts: [{ shape: { type: 'sphere', radius: 0.05 } }],
        pose: { xyz: [0, 0, 0.1], quat_wxyz: [1, 0, 0, 0] },
        link: 'hand',
        touches: ['finger_left'],
      },
    ]);
    assert.deepEqual(allow, [
      ['base', 'Can1'],
      ['base', 'Can1-2'],
    ]);
  });

  test('gives the shapes of an object names that no other has, and lets them touch what it may touch, and each other', async () => {
    const box = 'primitives: [{type: 1, dimensions: [1, 1, 1]}, {type: 2, dimensions: [1]}]';
    const text = `robot_state: {attached_collision_objects: [{link_name: hand, object: {id: a-2, ${box}}}]}
allowed_collision_matrix: {entry_names: [a, hand, a-2], entry_values: [[true, true, true], [true, true, true], [true, true, true]]}
world: {collision_objects: [{id: a, ${box}}]}
---
`;
    const { obstacles, attached, allow, notes } = await readPlanningScene(text, 'm.yaml');
    const named = [...obstacles, ...attached].map(({ name }) => name);
    assert.deepEqual(named, ['a', 'a-3', 'a-2', 'a-2-2']);
    assert.deepEqual(
      attached.map(({ touches }) => touches),
      [[], ['a-2']],
    );
    const wanted = ['a hand', 'a-3 hand', 'a a-2', 'a a-2-2', 'a-3 a-2', 'a-3 a-2-2', 'hand a-2', 'hand a-2-2'];
    assert.sameMembers(
      allow.map((pair) => pair.join(' ')),
      wanted,
    );
    assert.deepEqual(notes, []);
  });

  test('refuses constraints of single points of a trajectory', async () => {
    const empty = 'path_constraints: {name: "", joint_constraints: [], orientation_constraints: []}';
    const none = await readPlanningScene(`world: {}\n${empty}\ntrajectory_constraints: {constraints: []}\n`, 'm.yaml');
    assert.deepEqual(none.notes, []);
    const upright = 'orientation_constraints: [{link_name: tool0, weight: 1.0}]';
    const text = `trajectory_constraints: {constraints: [{${upright}}]}`;
    assert.match(
      await refusal(readPlanningScene(`world: {}\n${text}\n`, 'm.yaml')),
      /^m\.yaml:2: trajectory_constraints: .*constraints of single points .* not converted/,
    );
  });

  test('reads an orientation of zeros as the identity, with a note', async () => {
    const { obstacles, notes } = await readPlanningScene(message.replace('[0, 0, 1, 0]', '[0, 0, 0, 0]'), 'm.yaml');
    assert.deepEqual(obstacles[0].pose, { xyz: [0.5, 0, 1], quat_wxyz: [1, 0, 0, 0] });
    assert.deepEqual(notes, ['quaternions of length 0 are read as the identity, as in MoveIt']);
  });

  test('takes start and goal from a request, planned joints only', async () => {
    const scene = await readPlanningScene(message, 'm.yaml', { request: { text: request, file: 'r.yaml' } });
    const { start, goals } = await reread(scene);
    assert.deepEqual(start, { turn: 1, lift: 2 });
    assert.deepEqual(goals, [{ kind: 'joints', joints: { lift: 0.25, turn: -0.25 } }]);
  });

  test.each([
    ['robot: x\n', /^m\.yaml:1: this is not a planning scene/],
    ['world: {collision_objects: [{primitives: []}]}', /^m\.yaml:1: world\.collision_objects\[0\]\.id: it is missing/],
    [message.replace('type: cylinder', 'type: wedge'), /^m\.yaml:20: .*primitives\[0\]\.type: it is "wedge"/],
    [message.replace('[1, 2, 3]', '[1, 2]'), /^m\.yaml:21: .*dimensions: it is \[1,2\], must be 3 finite numbers/],
    [message.replace('[1, 2, 3]', '[1, 0, 3]'), /dimensions\[1\]: it is 0, must be greater than 0/],
    [message.replace('id: cup', 'id: Can1'), /object\.id: it is "Can1", which another object has already/],
    [`${message}---\n${message}`, /^m\.yaml:25: a second document begins here \(---\)$/],
    [message.replace('[0.5, -1, 0.04]', '[0.5]'), /joint_state\.position: it is \[0\.5\], must be 3/],
    ['world: [', /^m\.yaml:1: the file ends too early/],
  ])('refuses %j', async (text, expected) => {
    assert.match(await refusal(readPlanningScene(text, 'm.yaml')), expected);
  });
});

test('the byte ADD is read as ROS 2 prints it and as its messages in YAML write it', async () => {
  const scene = (operation: string) =>
    `world: {collision_objects: [{id: ball, primitives: [{type: 2, dimensions: [0.1]}], operation: ${operation}}]}\n`;
  const results = ['"\\0"', '!!binary AA==', '0'].map((operation) => readPlanningScene(scene(operation), 's.yaml'));
  for (const { obstacles } of await Promise.all(results)) assert.equal(obstacles[0].name, 'ball');
  for (const operation of ['"\\x01"', '!!binary AQ==', '!!binary AAA=', '""', '"0"'])
    assert.match(await refusal(readPlanningScene(scene(operation), 's.yaml')), /operation: it is .*only 0 \(ADD\)/);
});

test('numbers with leading zeros are refused: PyYAML, with which ROS reads messages, takes 010 for 8', async () => {
  const scene = 'world: {collision_objects: [{id: ball, primitives: [{type: 2, dimensions: [010]}]}]}\n';
  assert.match(await refusal(readPlanningScene(scene, 's.yaml')), /^s\.yaml:1: "?010"? begins with 0/);
  const dated = scene.replace('[010]', '[0.10]').replace('ball', '"can 007"');
  assert.equal((await readPlanningScene(dated, 's.yaml')).obstacles[0].name, 'can 007');
});

test('objects of one name become one object of all shapes, at the last pose of its frame, with a note', async () => {
  const object = (pose: string, x: number) => `* a\n${pose}1\nsphere\n0.1\n${x} 0 0\n0 0 0 1\n0 0 0 0\n`;
  const placed = async (text: string) => {
    const { obstacles, notes } = await readMoveitScene(`x\n${text}.\n`, 'a.scene');
    assert.deepEqual(notes, ['"a" occurs several times: its shapes become one object at its last pose, as in MoveIt']);
    return obstacles.map(({ name, pose }) => [name, pose.xyz[0]]);
  };
  const at = (x: number) => `${x} 0 0\n0 0 0 1\n`;
  const ends = '0\n'; // number of subframes
  assert.deepEqual(await placed(object('', 1) + object('', 2)), [
    ['a', 1],
    ['a-2', 2],
  ]);
  assert.deepEqual(await placed(object(at(10), 1) + ends + object(at(20), 2) + ends), [
    ['a', 21],
    ['a-2', 22],
  ]);
});
