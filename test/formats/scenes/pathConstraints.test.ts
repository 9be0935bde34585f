import { assert, expect, test } from 'vitest';
import { Random } from '../../../src/core/math/random.ts';
import { sceneText } from '../../../src/formats/scenes/moveit/foreignScene.ts';
import { innerBox } from '../../../src/formats/scenes/moveit/pathConstraints.ts';
import { readPlanningScene } from '../../../src/formats/scenes/moveit/planningScene.ts';
import { loadRobot } from '../../../src/host/node/files.ts';

const robot = await loadRobot('ur5e', {});
const names = [
  'shoulder_pan_joint',
  'shoulder_lift_joint',
  'elbow_joint',
  'wrist_1_joint',
  'wrist_2_joint',
  'wrist_3_joint',
];
const state = { joint_state: { name: names, position: [0.2, -1.4, 1.6, -1.8, -1.57, 0] } };
const header = { frame_id: 'base_link' };
const converted = (path_constraints: object) =>
  readPlanningScene(JSON.stringify({ robot_state: state, world: {}, path_constraints }), 's.json', { robot });
const refusal = async (path_constraints: object) => {
  const answer = await converted(path_constraints).catch((error: Error) => error);
  assert.instanceOf(answer, Error);
  return (answer as Error).message;
};
const orientation = { header, link_name: 'tool0', orientation: { x: 1, y: 0, z: 0, w: 0 }, weight: 1 };
const tolerances = (x: number, y: number, z: number) => ({
  absolute_x_axis_tolerance: x,
  absolute_y_axis_tolerance: y,
  absolute_z_axis_tolerance: z,
});

test('tolerances of a rotation vector become an orientation constraint of the link as they are', async () => {
  const given = { ...orientation, ...tolerances(0.1, 0.2, 3.2), parameterization: 1 };
  const { constraints, notes } = await converted({ orientation_constraints: [given] });
  const frame = { link: 'tool0', pose: { xyz: [0, 0, 0], quat_wxyz: [1, 0, 0, 0] } };
  expect(constraints).toEqual([{ type: 'orientation', frame, quat_wxyz: [0, 1, 0, 0], within: [0.1, 0.2, 3.2] }]);
  expect(notes).toEqual([]);
  const text = sceneText(await converted({ orientation_constraints: [given] }), 'ur5e');
  expect(text).toContain(
    '  - {type: "orientation", frame: {link: "tool0"}, quat_wxyz: [0, 1, 0, 0], within: [0.1, 0.2, 3.2]}',
  );
});

test('the origin of a point of a link stays in the region of a position constraint', async () => {
  const region = (type: number | string, dimensions: number[], count = 1) => ({
    primitives: Array.from({ length: count }, () => ({ type, dimensions })),
    primitive_poses: Array.from({ length: count }, () => ({
      position: { x: 0.4, y: 0, z: 0.3 },
      orientation: { w: 1 },
    })),
  });
  const position = { header, link_name: 'tool0', target_point_offset: { x: 0, y: 0, z: 0.1 } };
  const read = async (constraint_region: object) =>
    (await converted({ position_constraints: [{ ...position, constraint_region }] })).constraints![0];
  const frame = { link: 'tool0', pose: { xyz: [0, 0, 0.1], quat_wxyz: [1, 0, 0, 0] } };
  const pose = { xyz: [0.4, 0, 0.3], quat_wxyz: [1, 0, 0, 0] };
  expect(await read(region(1, [1, 2, 3]))).toEqual({
    type: 'region',
    frame,
    shape: { type: 'box', size: [1, 2, 3] },
    pose,
  });
  expect(await read(region('sphere', [0.5]))).toMatchObject({ shape: { type: 'sphere', radius: 0.5 } });
  expect(await read(region(3, [2, 0.5]))).toMatchObject({ shape: { type: 'cylinder', radius: 0.5, length: 2 } });
  const refused = (given: object) => refusal({ position_constraints: [{ ...position, constraint_region: given }] });
  expect(await refused(region(1, [1, 2, 3], 2))).toMatch(/a region of 2 shapes is not supported for paths/);
  expect(await refused(region(4, [1, 2]))).toMatch(/type: it is 4, must be one of: sphere, box, cylinder/);
  expect(await refused({ meshes: [{}] })).toMatch(/a region of meshes/);
});

test('joint constraints become ranges; those of other joints must hold', async () => {
  const joint = { joint_name: 'elbow_joint', position: 1.6, tolerance_above: 0.5, tolerance_below: 0.25, weight: 1 };
  expect((await converted({ joint_constraints: [joint] })).constraints).toEqual([
    { type: 'joint', joint: 'elbow_joint', range: [1.35, 2.1] },
  ]);
  expect(await refusal({ joint_constraints: [{ ...joint, joint_name: 'elbow' }] })).toMatch(/no such joint/);
  expect(await refusal({ joint_constraints: [{ ...joint, tolerance_above: -1 }] })).toMatch(/must not be negative/);
  const goal = { joint_constraints: [{ joint_name: 'wrist_3_joint', position: 0.1 }] };
  const partly = (position: number) =>
    readPlanningScene(
      JSON.stringify({
        robot_state: state,
        goal_constraints: [goal],
        path_constraints: { joint_constraints: [{ ...joint, position }] },
      }),
      's.json',
      { robot },
    );
  const { constraints, notes } = await partly(1.6);
  expect(constraints).toBeUndefined();
  expect(notes).toContain('the path constraint of "elbow_joint" is left out: the joint is not planned');
  await expect(partly(0)).rejects.toThrow(/"elbow_joint", which is not planned, and whose position 1\.6 violates it/);
});

test.each([
  [{ visibility_constraints: [{}] }, /visibility_constraints\[0\]: visibility constraints are not supported/],
  [
    { orientation_constraints: [{ ...orientation, ...tolerances(0.1, 0.1, 0) }] },
    /absolute_z_axis_tolerance: it is 0, must be greater than 0/,
  ],
  [
    { orientation_constraints: [{ ...orientation, ...tolerances(1, 1, 1), orientation: { w: 2 } }] },
    /a quaternion of length 2/,
  ],
  [
    { orientation_constraints: [{ ...orientation, ...tolerances(1, 1, 1), header: { frame_id: 'tool0' } }] },
    /a link that the planned joints move/,
  ],
  [{ orientation_constraints: [{ ...orientation, ...tolerances(1, 1, 1), parameterization: 2 }] }, /parameterization/],
  [{ orientation_constraint: [] }, /unknown key/],
])('refuses %j', async (given, expected) => {
  expect(await refusal(given)).toMatch(expected);
});

test('rotation vectors in the box have the Euler angles that MoveIt measures within their tolerances', () => {
  const random = new Random(5);
  for (let n = 0; n < 300; n++) {
    const limits = [0, 1, 2].map(() => (random.next() < 0.2 ? 4 : random.between(0.001, 1.9)));
    const box = innerBox(limits, false, false);
    for (let k = 0; k < 200; k++) {
      // corners of the box, where the bounds are nearly attained, and its inside
      const v = box.map(
        (side) => Math.min(side, Math.PI) * (k % 2 ? Math.sign(random.between(-1, 1)) : random.between(-1, 1)),
      );
      const angle = Math.hypot(...v);
      if (angle > Math.PI) continue;
      const [x, y, z] = v.map((part) => (angle === 0 ? 0 : part / angle));
      const [s, c] = [Math.sin(angle), Math.cos(angle)];
      const R = [
        [c + x * x * (1 - c), x * y * (1 - c) - z * s, x * z * (1 - c) + y * s],
        [y * x * (1 - c) + z * s, c + y * y * (1 - c), y * z * (1 - c) - x * s],
        [z * x * (1 - c) - y * s, z * y * (1 - c) + x * s, c + z * z * (1 - c)],
      ];
      // R = Rx(a) Ry(b) Rz(c)
      const euler = [
        Math.atan2(-R[1][2], R[2][2]),
        Math.asin(Math.min(1, Math.max(-1, R[0][2]))),
        Math.atan2(-R[0][1], R[0][0]),
      ];
      for (const [i, value] of euler.entries())
        assert.isTrue(limits[i] >= Math.PI || Math.abs(value) <= limits[i] + 1e-12, `${limits} ${v} ${euler}`);
    }
  }
  for (const t of [0.01, 0.1, 0.5, 1]) assert.isTrue(innerBox([t, t, t], false, false).every((side) => side > 0.6 * t));
});
