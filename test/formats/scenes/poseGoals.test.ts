import { describe, expect, test } from 'vitest';
import { isWithinAxes } from '../../../src/core/kinematics/pose.ts';
import type { RobotDescription } from '../../../src/core/kinematics/robotModel.ts';
import { Random } from '../../../src/core/math/random.ts';
import { sceneText } from '../../../src/formats/scenes/moveit/foreignScene.ts';
import { innerAngle } from '../../../src/formats/scenes/moveit/goalConstraints.ts';
import { readPlanningScene } from '../../../src/formats/scenes/moveit/planningScene.ts';
import { buildScene, readSceneFile } from '../../../src/formats/scenes/sceneFile.ts';
import { loadRobot } from '../../../src/host/node/robots.ts';

const ur5e = await loadRobot('ur5e', { bodies: false });
const home = ur5e.joints.filter(({ type }) => type !== 'fixed').map(({ name }) => name);
const joint_state = { name: home, position: [0, -1.5, 1.5, -1.5, -1.5, 0] };
const upright = { x: 0, y: 1, z: 0, w: 0 };

const pose = (link_name: string, more: object = {}, orientation: object = {}) => ({
  position_constraints: [
    {
      header: { frame_id: 'base_link' },
      link_name,
      constraint_region: {
        primitives: [{ type: 2, dimensions: [0.002] }],
        primitive_poses: [{ position: { x: 0.4, y: 0.1, z: 0.3 }, orientation: { w: 1 } }],
      },
      weight: 1,
      ...more,
    },
  ],
  orientation_constraints: [
    {
      header: { frame_id: 'base_link' },
      link_name,
      orientation: upright,
      absolute_x_axis_tolerance: 0.01,
      absolute_y_axis_tolerance: 0.01,
      absolute_z_axis_tolerance: 0.01,
      weight: 1,
      ...orientation,
    },
  ],
});

async function converted(scene: object, request: object, robot: RobotDescription | undefined = ur5e) {
  const input = { robot, request: { text: JSON.stringify(request), file: 'r.json' } };
  const foreign = await readPlanningScene(JSON.stringify({ world: {}, ...scene }), 's.json', input);
  const { problems } = await readSceneFile(sceneText(foreign, 'ur5e'), 'converted.yaml');
  return { ...(await buildScene(problems[0], {})), notes: foreign.notes };
}
const state = { robot_state: { joint_state } };
const request = (...goal_constraints: object[]) => ({ group_name: 'manipulator', goal_constraints });

describe('a position and an orientation constraint', () => {
  test('become the pose of their link', async () => {
    const { goals, tcp, start, notes } = await converted(state, request(pose('tool0')));
    expect(goals).toEqual([
      {
        kind: 'pose',
        pose: {
          link: 'tool0',
          xyz: [0.4, 0.1, 0.3],
          quat_wxyz: [0, 0, 1, 0],
          tolerance: { position: 0.002, angle: 0.01 },
        },
      },
    ]);
    expect(tcp).toBeUndefined();
    expect(start).toEqual(Object.fromEntries(home.map((name, i) => [name, joint_state.position[i]])));
    expect(notes).toEqual([]);
  });

  test('with an offset become the pose of a tool center point', async () => {
    const { goals, tcp } = await converted(
      state,
      request(pose('tool0', { target_point_offset: { x: 0, y: 0, z: 0.1 } })),
    );
    expect(tcp).toEqual({ link: 'tool0', pose: { xyz: [0, 0, 0.1], quat_wxyz: [1, 0, 0, 0] } });
    expect(goals[0]).toMatchObject({ kind: 'pose', pose: { xyz: [0.4, 0.1, 0.3] } });
    expect((goals[0] as { pose: object }).pose).not.toHaveProperty('link');
  });

  test('of a subframe of an attached object become the pose of this frame', async () => {
    const half = Math.SQRT1_2;
    const cup = {
      link_name: 'tool0',
      touch_links: ['wrist_3_link'],
      object: {
        id: 'cup',
        pose: { position: [0, 0, 0.05] },
        primitives: [{ type: 3, dimensions: [0.1, 0.03] }],
        subframe_names: ['rim'],
        subframe_poses: [{ position: [0, 0, 0.05], orientation: [half, 0, 0, half] }],
      },
    };
    const scene = { robot_state: { joint_state, attached_collision_objects: [cup] } };
    const { goals, tcp, attached, notes } = await converted(scene, request(pose('cup/rim')));
    expect(tcp).toMatchObject({ link: 'tool0', pose: { xyz: [0, 0, 0.1] } });
    expect(tcp!.pose.quat_wxyz[1]).toBeCloseTo(half, 15);
    expect(goals[0]).toMatchObject({ pose: { quat_wxyz: [0, 0, 1, 0], tolerance: { angle: 0.01 } } });
    expect(attached[0]).toMatchObject({ name: 'cup', link: 'tool0', touches: ['wrist_3_link'] });
    expect(notes).toEqual([]);
    await expect(converted(scene, request(pose('cup/base')))).rejects.toThrow('"cup" has the subframes: rim');
    const wide = { absolute_z_axis_tolerance: 3.2 };
    const narrowed = await converted(scene, request(pose('cup/rim', {}, wide)));
    expect(narrowed.goals[0]).toMatchObject({ pose: { tolerance: { angle: 0.01 } } });
    expect(narrowed.notes.join()).toContain('narrowed');
  });

  test('in the frame of an object, of a subframe, of a link and of a fixed transform are poses in the world', async () => {
    const box = {
      id: 'box',
      pose: { position: [1, 0, 0], orientation: [0, 0, 1, 0] },
      primitives: [{ type: 1, dimensions: [0.1, 0.1, 0.1] }],
      subframe_names: ['top'],
      subframe_poses: [{ position: [0, 0, 0.5] }],
    };
    const scene = {
      ...state,
      world: { collision_objects: [box] },
      fixed_frame_transforms: [
        { header: { frame_id: 'world' }, child_frame_id: 'world', transform: {} },
        { header: { frame_id: 'camera' }, child_frame_id: 'world', transform: { translation: { x: 0, y: 2, z: 0 } } },
      ],
    };
    const at = async (frame_id: string) => {
      const header = { header: { frame_id } };
      const { goals } = await converted(scene, request(pose('tool0', header)));
      return (goals[0] as unknown as { pose: { xyz: number[] } }).pose.xyz.map((x) => Math.round(x * 1e9) / 1e9);
    };
    expect(await at('box')).toEqual([0.6, -0.1, 0.3]);
    expect(await at('box/top')).toEqual([0.6, -0.1, 0.8]);
    expect(await at('camera')).toEqual([0.4, 2.1, 0.3]);
    expect(await at('base')).toEqual([-0.4, -0.1, 0.3]);
    await expect(at('lidar')).rejects.toThrow('"lidar", a frame whose pose is unknown');
  });

  test('in the frame of an object without a pose are relative to its only shape, as in MoveIt', async () => {
    const can = {
      id: 'can',
      primitives: [{ type: 3, dimensions: [0.2, 0.03] }],
      primitive_poses: [{ position: [0, 2, 1], orientation: [0, 0, 1, 0] }],
      subframe_names: ['rim'],
      subframe_poses: [{ position: [0, 0, 0.1] }],
    };
    const at = async (frame_id: string, object: object) => {
      const scene = { ...state, world: { collision_objects: [object] } };
      const { goals } = await converted(scene, request(pose('tool0', { header: { frame_id } })));
      return (goals[0] as unknown as { pose: { xyz: number[] } }).pose.xyz.map((x) => Math.round(x * 1e9) / 1e9);
    };
    const zero = { position: { x: 0, y: 0, z: 0 }, orientation: { x: 0, y: 0, z: 0, w: 0 } };
    for (const object of [can, { ...can, pose: zero }, { ...can, pose: {} }]) {
      expect(await at('can', object)).toEqual([-0.4, 1.9, 1.3]);
      expect(await at('can/rim', object)).toEqual([-0.4, 1.9, 1.4]);
    }
    // Stated as the identity, MoveIt 2 (ROS 2) takes it as no pose, MoveIt 1 as a pose.
    const identity = { ...zero, orientation: { x: 0, y: 0, z: 0, w: 1 } };
    for (const frame of ['can', 'can/rim'])
      await expect(at(frame, { ...can, pose: identity })).rejects.toThrow(
        /frame_id: a frame of the object "can", whose pose is the identity/,
      );
    await expect(at('can', { ...can, pose: { rotation: [0, 0, 0, 1] } })).rejects.toThrow(/whose pose is the identity/);
    for (const w of [-1, 1.0005, 0.9999999])
      for (const orientation of [{ ...identity.orientation, w }, [0, 0, 0, w]])
        expect(await at('can', { ...can, pose: { orientation } })).toEqual([0.4, 0.1, 0.3]);
    expect(await at('can', { ...can, pose: identity, primitive_poses: [] })).toEqual([0.4, 0.1, 0.3]);
    const two = { ...can, primitives: [...can.primitives, ...can.primitives], pose: identity };
    expect(await at('can', two)).toEqual([0.4, 0.1, 0.3]);
  });

  test('without orientation leave it free; a region of several shapes is several goals', async () => {
    const region = {
      primitives: [
        { type: 1, dimensions: [0.1, 0.2, 0.04] },
        { type: 'cylinder', dimensions: [0.1, 0.03] },
      ],
      primitive_poses: [{ position: [1, 0, 0] }, { position: [0, 1, 0] }],
    };
    const { position_constraints } = pose('tool0', { constraint_region: region });
    const { goals, notes } = await converted(state, request({ position_constraints }));
    expect(goals).toMatchObject([
      { pose: { xyz: [1, 0, 0], tolerance: { position: 0.02, angle: [Math.PI, Math.PI, Math.PI] } } },
      { pose: { xyz: [0, 1, 0], tolerance: { position: 0.03 } } },
    ]);
    expect(notes).toEqual(['the region of a goal is narrowed to the largest sphere at its center']);
  });

  test.each([
    [
      { joint_constraints: [{ joint_name: 'a', position: 0 }], ...pose('tool0') },
      'joint values and the pose of a link',
    ],
    [{ orientation_constraints: pose('tool0').orientation_constraints }, 'with 0 position and 1 orientation'],
    [{ ...pose('tool0'), visibility_constraints: [{}] }, 'visibility constraints'],
    [{}, 'with 0 position and 0 orientation'],
    [pose('hand'), '"hand", which is no link of the robot'],
    [
      { ...pose('tool0'), orientation_constraints: pose('flange').orientation_constraints },
      'the position constraint is',
    ],
    [pose('tool0', {}, { absolute_x_axis_tolerance: 0 }), 'absolute_x_axis_tolerance'],
    [pose('tool0', {}, { parameterization: 2 }), 'parameterization'],
    [pose('tool0', {}, { tolerance: 2 }), 'unknown key'],
    [pose('tool0', { constraint_region: { meshes: [{}] } }), 'a region of meshes'],
    [pose('tool0', { constraint_region: {} }), 'without a shape'],
  ])('are refused in another form: %j', async (goal, message) => {
    await expect(converted(state, request(goal))).rejects.toThrow(message);
  });

  test('of two frames of the robot are refused, of two links are not', async () => {
    const offset = pose('tool0', { target_point_offset: { x: 0.1 } });
    await expect(converted(state, request(pose('tool0'), offset))).rejects.toThrow('poses of 2 frames');
    const { goals } = await converted(state, request(pose('tool0'), pose('flange')));
    expect(goals).toMatchObject([{ pose: { link: 'tool0' } }, { pose: { link: 'flange' } }]);
  });
});

test('the goal of MoveGroup is read as its request, unless it changes the scene', async () => {
  const options = { plan_only: false, planning_scene_diff: { is_diff: true, world: { collision_objects: [] } } };
  const wrapped = { request: request(pose('tool0')), planning_options: options };
  const { goals } = await converted(state, wrapped);
  expect(goals).toEqual((await converted(state, request(pose('tool0')))).goals);
  const world = { collision_objects: [{ id: 'a' }] };
  const changed = { ...wrapped, planning_options: { planning_scene_diff: { world } } };
  await expect(converted(state, changed)).rejects.toThrow('changes of the scene in a request');
});

test('a PoseStamped is a goal pose of the tool center point', async () => {
  const stamped = { header: { frame_id: 'base_link' }, pose: { position: { x: 1 }, orientation: { w: 1 } } };
  const { goals } = await converted(state, stamped);
  expect(goals).toMatchObject([{ kind: 'pose', pose: { xyz: [1, 0, 0], quat_wxyz: [1, 0, 0, 0] } }]);
  await expect(converted(state, { ...stamped, link: 'tool0' })).rejects.toThrow('unknown key');
});

/** Intrinsic angles about x, y, z of the rotation of a vector, from its matrix by Rodrigues' formula. */
function eulerAngles([x, y, z]: readonly number[]): number[] {
  const angle = Math.hypot(x, y, z);
  const [s, c] = [Math.sin(angle) / angle, (1 - Math.cos(angle)) / angle ** 2];
  const cos = Math.cos(angle);
  const R = [
    [cos + c * x * x, c * x * y - s * z, c * x * z + s * y],
    [c * y * x + s * z, cos + c * y * y, c * y * z - s * x],
    [c * z * x - s * y, c * z * y + s * x, cos + c * z * z],
  ];
  return [Math.atan2(-R[1][2], R[2][2]), Math.asin(Math.min(1, Math.max(-1, R[0][2]))), Math.atan2(-R[0][1], R[0][0])];
}

test('tolerances that are written imply those of Euler angles (100,000 random rotations)', () => {
  const random = new Random(7);
  let inside = 0;
  for (let k = 0; k < 100_000; k++) {
    const free = Math.floor(random.next() * 4);
    const tolerances = [0, 1, 2].map((i) => (i === free ? 3.2 : 0.01 + 2.5 * random.next() ** 2));
    const angle = innerAngle(tolerances, false, false);
    const most = (i: number) => Math.min(Math.PI, typeof angle === 'number' ? angle : angle[i]);
    const vector = [0, 1, 2].map((i) => (2 * random.next() - 1) * most(i));
    const length = Math.hypot(...vector);
    if (length > Math.PI) continue; // not the vector of the shortest rotation
    if (typeof angle === 'number' ? length > angle : !isWithinAxes(vector, angle)) continue;
    inside++;
    const euler = eulerAngles(vector);
    // beyond π an angle is free; the second is at most π/2 by definition
    for (const [i, t] of tolerances.entries()) expect(Math.abs(euler[i])).toBeLessThanOrEqual(t + 1e-12);
  }
  expect(inside).toBeGreaterThan(30_000);
});

describe('other parts of a planning scene', () => {
  const read = (scene: object, robot?: RobotDescription) =>
    readPlanningScene(JSON.stringify({ world: {}, ...scene }), 's.json', { robot });
  const ball = { id: 'ball', primitives: [{ type: 2, dimensions: [0.1] }] };

  test('an object in the frame of a link stands where the link is at the start', async () => {
    const scene = { ...state, world: { collision_objects: [{ ...ball, header: { frame_id: 'base' } }] } };
    const moved = { ...ball, pose: { position: [1, 0, 0] } };
    expect((await read(scene, ur5e)).obstacles[0].pose.xyz).toEqual([0, 0, 0]);
    const turned = { ...state, world: { collision_objects: [{ ...moved, header: { frame_id: '/base' } }] } };
    expect((await read(turned, ur5e)).obstacles[0].pose.xyz[0]).toBeCloseTo(-1, 15);
  });

  test.each<[object, string]>([
    [{ world: { collision_objects: [{ ...ball, operation: 1 }] } }, 'operation: it is 1, only 0 (ADD) is supported'],
    [{ world: { collision_objects: [{ ...ball, operation: '\u0001' }] } }, 'only 0 (ADD) is supported'],
    [{ world: { collision_objects: [{ ...ball, header: { frame_id: 'shelf' } }] } }, 'a frame whose pose is unknown'],
    [{ world: { collision_objects: [{ ...ball, mass: 1 }] } }, 'mass: unknown key'],
    [
      { fixed_frame_transforms: ['world', 'camera'].map((child_frame_id) => ({ child_frame_id, transform: {} })) },
      '"camera", must be the planning frame: "world"',
    ],
    [{ goal_constraint: [] }, 'goal_constraint: unknown key'],
    [
      {
        world: {
          collision_objects: ['world', 'odom'].map((frame_id) => ({ ...ball, id: frame_id, header: { frame_id } })),
        },
      },
      '"odom", a frame whose pose is unknown',
    ],
    [
      { robot_state: { multi_dof_joint_state: { joint_names: ['w'], transforms: [{ translation: { x: 1 } }] } } },
      'the root of the robot is moved',
    ],
    [
      {
        robot_state: {
          attached_collision_objects: [{ link_name: 'tool0', object: { ...ball, header: { frame_id: 'base' } } }],
        },
      },
      'must be the link that it is attached to',
    ],
    [{ robot_state: { attached_collision_objects: [{ link_name: 'hand', object: ball }] } }, 'has no such link'],
    [{ robot_state: { joint_state: { name: ['finger'], position: [0] } } }, 'has no such joint'],
    [{ link_padding: [{ link_name: 'a', padding: -1 }] }, 'must not be negative'],
    [{ max_velocity_scaling_factor: 2 }, 'must be from 0 to 1'],
    [{ link_padding: [{ link_name: 'a', paddings: 0.1 }] }, 'paddings: unknown key'],
    [{ link_scale: [{ link_name: 'a', scales: 2 }] }, 'scales: unknown key'],
    [{ robot_state: { joint_state: { name: [home[0]], position: [0, 1] } } }, 'must be 1 finite numbers'],
    [{ robot_state: { joint_state: { name: [home[0]], position: ['1'] } } }, 'must be 1 finite numbers'],
    [{ robot_state: { joint_state: { name: [home[0]], position: [true] } } }, 'must be 1 finite numbers'],
    [{ robot_state: { joint_state: { name: [home[0]], position: [null] } } }, 'must be 1 finite numbers'],
    [{ ...state, start_state: { joint_state } }, 'robot_state is there, too'],
    [
      { robot_state: { multi_dof_joint_state: { joint_names: ['w'], transforms: [{ translations: { x: 1 } }] } } },
      'translations: unknown key',
    ],
    [{ robot_state: { attached_collision_objects: [{ link_name: 'tool0', object: { id: 'a' } }] } }, 'has no shapes'],
    ...(
      [
        [{ id: 'empty' }, 'has no shapes'],
        [{ ...ball, primitive_poses: [{}, {}] }, '2 poses of 1 shapes'],
        [{ ...ball, pose: { positon: [1, 0, 0] } }, 'positon: unknown key'],
        [{ ...ball, pose: { position: { x: 1, Y: 2 } } }, 'Y: unknown key'],
        [{ ...ball, pose: { position: [1, 2, 3, 4] } }, 'must be 3 finite numbers'],
        [{ ...ball, pose: { position: ['1', 2, 3] } }, 'must be 3 finite numbers'],
        [{ ...ball, pose: { orientation: { x: 1 } } }, 'orientation.w: it is missing'],
        [{ ...ball, primitives: [{ type: 2, dimensions: ['0.1'] }] }, 'must be 1 finite numbers'],
      ] as const
    ).map(([object, message]) => [{ world: { collision_objects: [object] } }, message] as [object, string]),
    ...(
      [
        [pose('tool0', {}, { orientation: { w: 2 } }), 'a quaternion of length 2, must be 1'],
        [pose('tool0', {}, { orientation: { z: 1 } }), 'orientation.w: it is missing'],
        [pose('tool0', {}, { absolute_x_axis_tolerance: -1 }), 'must be greater than 0'],
        [pose('tool0', {}, { absolute_x_axis_tolerance: '1' }), 'must be 1 finite numbers'],
        [pose('tool0', { header: { frame_id: 'tool0' } }), '"tool0", a link that the planned joints move'],
        [pose('tool0', {}, { header: { frame_id: '/wrist_1_link' } }), 'a link that the planned joints move'],
        [pose('tool0', { constraint_region: { primitives: [{ type: 2, dimensions: [1] }] } }), '0 poses of 1 shapes'],
      ] as const
    ).map(([goal, message]) => [{ ...state, goal_constraints: [goal] }, message] as [object, string]),
  ])('%j is refused', async (scene, message) => {
    await expect(read(scene, ur5e)).rejects.toThrow(message);
  });

  test('further dimensions of a primitive are skipped, and an absent orientation is the identity', async () => {
    const given = { ...ball, primitives: [{ type: 2, dimensions: [0.1, 0] }], primitive_poses: [{ orientation: {} }] };
    const { obstacles } = await read({ world: { collision_objects: [given] } });
    expect(obstacles[0]).toMatchObject({ shape: { radius: 0.1 }, pose: { quat_wxyz: [1, 0, 0, 0] } });
  });

  test('a goal pose (PoseStamped) needs an orientation of length 1 and a frame at rest', async () => {
    const goal = (frame_id: string, w: number) => ({
      request: { text: JSON.stringify({ header: { frame_id }, pose: { orientation: { w } } }), file: 'p.json' },
      robot: ur5e,
    });
    const text = JSON.stringify({ world: {}, ...state });
    expect((await readPlanningScene(text, 's.json', goal('base_link', 1))).goals).toHaveLength(1);
    await expect(readPlanningScene(text, 's.json', goal('base_link', 0.5))).rejects.toThrow('must be 1');
    await expect(readPlanningScene(text, 's.json', goal('forearm_link', 1))).rejects.toThrow('planned joints move');
  });

  test('joints that are not planned keep their positions; goals of some joints are completed', async () => {
    const goal_constraints = [{ joint_constraints: [{ joint_name: home[1], position: -1 }] }];
    const { joints, fixed, start, goals } = await read({ ...state, goal_constraints }, ur5e);
    expect(joints).toEqual([home[1]]);
    expect(start).toEqual({ [home[1]]: -1.5 });
    expect(fixed).toEqual(
      Object.fromEntries(home.map((name, i) => [name, joint_state.position[i]]).filter((_, i) => i !== 1)),
    );
    expect(goals).toEqual([{ joints: { [home[1]]: -1 } }]);
    const grouped = await read({ ...state, group_name: 'manipulator', goal_constraints }, ur5e);
    expect(grouped.fixed).toBeUndefined();
    expect(grouped.goals).toEqual([{ joints: { ...start, ...grouped.start, [home[1]]: -1 } }]);
    expect(grouped.notes.join()).toContain('keep their position');
  });
});

test('a note names the pairs of links that the matrix has checked and the SRDF allows', async () => {
  const matrix = (checked: boolean) => ({
    entry_names: ['forearm_link', 'wrist_1_link', 'box'],
    entry_values: [
      [true, !checked, false],
      [!checked, true, false],
      [false, false, true],
    ].map((enabled) => ({ enabled })),
  });
  const scene = (checked: boolean) => ({ ...state, allowed_collision_matrix: matrix(checked) });
  expect((await converted(scene(false), request(pose('tool0')))).notes).toEqual([]);
  expect((await converted(scene(true), request(pose('tool0')))).notes).toEqual([
    'pairs of links that the allowed collision matrix has checked are allowed by the SRDF of the robot: ' +
      'forearm_link and wrist_1_link',
  ]);
});
