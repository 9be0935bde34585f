import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { fixtures, temporaryFolder } from '../run.ts';
import { elbowroom } from '../runHere.ts';

const text = '(noname)+\n* ball\n1\nsphere\n0.3\n0 1 0\n0 0 0 1\n0 0 0 0\n.\n';

test('a .scene becomes a scene that validate reads', async () => {
  const folder = temporaryFolder();
  const [from, to] = [join(folder, 'a.scene'), join(folder, 'a.yaml')];
  writeFileSync(from, text);
  const robot = join(fixtures, 'arm.urdf');
  expect(await elbowroom(['convert', from, '--robot', robot, '-o', to])).toMatchObject({
    code: 0,
    stdout: '',
    stderr: '',
  });
  expect(readFileSync(to, 'utf8')).toContain('{name: "ball", type: "sphere", radius: 0.3, pose: {xyz: [0, 1, 0]}}');
  const { code, stdout } = await elbowroom(['validate', to], { input: '[0, 0]\n' });
  expect({ code, valid: JSON.parse(stdout).valid }).toEqual({ code: 0, valid: true });
});

test('an invalid scene is an input error, reported in one line', async () => {
  const folder = temporaryFolder();
  const file = join(folder, 'a.scene');
  writeFileSync(file, text.slice(0, -2));
  expect(await elbowroom(['convert', file])).toMatchObject({
    code: 2,
    stdout: '',
    stderr: `elbowroom: error: ${file}:9: the file ends too early\n  note: The list of objects ends with a line that holds a single dot.\n`,
  });
  expect(await elbowroom(['convert', join(folder, 'a.txt')])).toMatchObject({ code: 2 });
});

test('a goal pose of MoveIt is planned to, in the frame and within the tolerances of its constraints', async () => {
  const folder = temporaryFolder();
  const [scene, request, to] = ['scene.yaml', 'request.json', 'problem.yaml'].map((name) => join(folder, name));
  const names = ['shoulder_pan', 'shoulder_lift', 'elbow', 'wrist_1', 'wrist_2', 'wrist_3'].map((n) => `${n}_joint`);
  const joint_state = { name: names, position: [0, -1.5, 1.5, -1.5, -1.5, 0] };
  const box = {
    id: 'box',
    pose: { position: [0.4, 0.2, 0.1] },
    primitives: [{ type: 1, dimensions: [0.1, 0.1, 0.1] }],
  };
  writeFileSync(scene, JSON.stringify({ robot_state: { joint_state }, world: { collision_objects: [box] } }));
  const at = { header: { frame_id: 'box' }, link_name: 'tool0', weight: 1 };
  const region = { primitives: [{ type: 2, dimensions: [0.001] }], primitive_poses: [{ position: [0, 0, 0.2] }] };
  const tolerances = { absolute_x_axis_tolerance: 0.01, absolute_y_axis_tolerance: 0.01, absolute_z_axis_tolerance: 4 };
  const goal = {
    position_constraints: [{ ...at, constraint_region: region }],
    orientation_constraints: [{ ...at, orientation: [1, 0, 0, 0], ...tolerances }],
  };
  writeFileSync(request, JSON.stringify({ group_name: 'manipulator', goal_constraints: [goal] }));
  expect(await elbowroom(['convert', scene, request, '--robot', 'ur5e', '-o', to])).toMatchObject({
    code: 0,
    stdout: '',
    stderr: '',
  });
  const { code, stdout } = await elbowroom(['plan', to, '--format', 'json']);
  expect(code).toBe(0);
  const { points } = JSON.parse(stdout);
  const end = await elbowroom(['fk', 'ur5e'], { input: `${JSON.stringify(points.at(-1).positions)}\n` });
  const { xyz, quat_wxyz } = JSON.parse(end.stdout).links.tool0;
  expect(Math.hypot(xyz[0] - 0.4, xyz[1] - 0.2, xyz[2] - 0.3)).toBeLessThanOrEqual(0.001);
  const down = 2 * (quat_wxyz[1] ** 2 + quat_wxyz[2] ** 2) - 1; // cosine of the angle of z to -z of the world
  expect(Math.acos(Math.min(1, down))).toBeLessThanOrEqual(0.015);
});
