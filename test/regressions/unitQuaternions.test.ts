import { assert, test } from 'vitest';
import { requireValidConstraint } from '../../src/core/scene/constraints.ts';
import { readPlanningScene } from '../../src/formats/scenes/moveit/planningScene.ts';
import { PairReader } from '../../src/formats/streams/pairs.ts';
import { poseOf } from '../../src/host/service/session/messagePose.ts';
import { head, read, refusal } from '../formats/scenes/sceneTexts.ts';

// Every nonzero quaternion was normalized, so that a misplaced or scaled one was planned with. Rotations have
// length 1 within 1e-3, the rounding of three decimal places, at each place where a quaternion is read.

const PLACES: readonly [place: string, text: (quaternion: string) => string][] = [
  ['obstacles[0].pose', (q) => `obstacles: [{type: sphere, radius: 0.1, pose: {quat_wxyz: ${q}}}]`],
  ['attached[0].pose', (q) => `attached: [{type: sphere, radius: 0.1, link: tool, pose: {quat_wxyz: ${q}}}]`],
  ['goal', (q) => `goal: {link: tool, xyz: [0, 0, 0], quat_wxyz: ${q}}`],
  ['tcp', (q) => `tcp: {link: tool, quat_wxyz: ${q}}`],
  ['constraints[0]', (q) => `constraints: [{type: orientation, quat_wxyz: ${q}, within: [1, 1, 1]}]`],
  [
    'constraints[0].frame',
    (q) =>
      `constraints: [{type: tilt, axis: [0, 0, 1], towards: [0, 0, 1], within: 1, frame: {link: tool, quat_wxyz: ${q}}}]`,
  ],
  [
    'obstacles[0].motion.poses[1]',
    (q) => `obstacles: [{type: sphere, radius: 0.1, motion: {times: [0, 1], poses: [{}, {quat_wxyz: ${q}}]}}]`,
  ],
  ['steps[0].move', (q) => `start: home\nsteps: [{move: {xyz: [0, 0, 0], quat_wxyz: ${q}}}]`],
  ['steps[0].line.to', (q) => `start: home\nsteps: [{line: {to: {xyz: [0, 0, 0], quat_wxyz: ${q}}}}]`],
];

test.each(PLACES)('a quaternion of length 2 at %s is refused, and one that is rounded is not', async (place, text) => {
  const refused = await refusal(head + text('[2, 0, 0, 0]'));
  assert.include(refused, `${place}.quat_wxyz: it is [2,0,0,0], of length 2, must be 1`);
  await read(head + text('[0.707, 0.707, 0, 0]'));
  await read(head + text('[cos(45 deg), 0, sin(45 deg), 0]'));
  assert.include(await refusal(head + text('[0.7, 0.7, 0, 0]')), 'of length 0.989949, must be 1');
});

test('messages of the service and pairs of shapes have unit quaternions', () => {
  assert.throws(() => poseOf({ quat_wxyz: [0, 0, 0, 2] }), 'pose.quat_wxyz is [0, 0, 0, 2], of length 2, must be 1');
  assert.doesNotThrow(() => poseOf({ quat_wxyz: [0, 0, 0, -1.0009] }));
  const side = { shape: { type: 'sphere', radius: 1 } };
  const a = { ...side, pose: { quat_wxyz: [0, 2, 0, 0] } };
  const { pair } = new PairReader().read(JSON.stringify({ a, b: side }))!;
  assert.include((pair as Error).message, 'a.pose: quat_wxyz is [0,2,0,0], of length 2, must be 1');
});

test('poses of planning scenes have unit quaternions; all zero is the identity, as in MoveIt, with a note', async () => {
  const sphere = (w: number) =>
    `world: {collision_objects: [{id: a, primitives: [{type: 2, dimensions: [1]}], primitive_poses: [{orientation: {x: 0, y: 0, z: 0, w: ${w}}}]}]}`;
  const refused = await readPlanningScene(sphere(2), 'm.yaml').catch((error: Error) => error.message);
  assert.include(refused, 'primitive_poses[0].orientation: a quaternion of length 2, must be 1');
  const { notes } = await readPlanningScene(sphere(0), 'm.yaml');
  assert.deepEqual(notes, ['quaternions of length 0 are read as the identity, as in MoveIt']);
});

test('constraints of programs have unit quaternions', () => {
  const given = { type: 'orientation', quat_wxyz: [2, 0, 0, 0], within: [1, 1, 1] } as const;
  assert.throws(() => requireValidConstraint(given), 'quat_wxyz must be four numbers of length 1');
});
