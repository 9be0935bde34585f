import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { McapWriter, TempBuffer } from '@mcap/core';
import { describe, expect, test } from 'vitest';
import { createRobotModel } from '../../../src/core/kinematics/createRobotModel.ts';
import { Random } from '../../../src/core/math/random.ts';
import { InputError } from '../../../src/errors.ts';
import { buildRobot, readUrdf } from '../../../src/formats/robots/urdf.ts';
import { type GivenRobot, readTrajectory } from '../../../src/formats/trajectories/index.ts';
import { root } from '../../host/cli/run.ts';

/** As `ros2 topic echo --full-length` prints a DisplayTrajectory; made of the message that `recorded.json` contains. */
const text = readFileSync(join(root, 'test/fixtures/ros/displayTrajectory.yaml'), 'utf8');

const joint = (name: string, parent: string, child: string, type: string, more = '') =>
  `<joint name="${name}" type="${type}"><parent link="${parent}"/><child link="${child}"/><axis xyz="0 0 1"/>` +
  `<limit lower="-3" upper="3" velocity="1" effort="1"/>${more}</joint>`;
const urdf =
  '<robot name="arm"><link name="base"/><link name="a"/><link name="b"/><link name="c"/><link name="d"/><link name="e"/><link name="f"/>' +
  joint('shoulder_joint', 'base', 'a', 'revolute') +
  joint('wrist_joint', 'a', 'b', 'revolute') +
  joint('finger_joint', 'b', 'c', 'prismatic') +
  joint('other_finger_joint', 'b', 'd', 'prismatic', '<mimic joint="finger_joint"/>') +
  joint('follower_joint', 'b', 'e', 'revolute', '<mimic joint="wrist_joint" multiplier="-0.5" offset="0.1"/>') +
  joint('tool_joint', 'b', 'f', 'fixed') +
  '</robot>';
const description = await buildRobot(await readUrdf(urdf, 'arm.urdf'), new Map());
const FINGER = 0.0123456789012345;
const model = (joints: readonly string[], finger = FINGER) =>
  createRobotModel(description, { joints, fixed: joints.includes('finger_joint') ? {} : { finger_joint: finger } });
const arm = model(['shoulder_joint', 'wrist_joint']);

const read = (given: string, robot: GivenRobot = arm) => readTrajectory(given, 't.yaml', robot);

describe('a DisplayTrajectory', () => {
  test('has the values of its trajectory if its start is the state of the robot', async () => {
    const { jointNames, points } = await read(text);
    expect(jointNames).toEqual(['wrist_joint', 'shoulder_joint']);
    expect(points).toHaveLength(5);
    expect(points[0]).toEqual({
      time_from_start: 0,
      positions: [-1.9993706177917172, 0.1984090480014724],
      velocities: [0, 0],
      accelerations: [2.0946823722192473e-18, -0.24127893952712368],
    });
    expect(points[4].time_from_start).toBe(4.493827156);
  });

  test('contains the planned joints that only its start has, at rest', async () => {
    const robot = model(['finger_joint', 'wrist_joint', 'shoulder_joint']);
    const { jointNames, points } = await read(text, robot);
    expect(jointNames).toEqual(['wrist_joint', 'shoulder_joint', 'finger_joint']);
    expect(new Set(points.map(({ positions }) => positions[2]))).toEqual(new Set([FINGER]));
    expect(new Set(points.map(({ velocities }) => velocities![2]))).toEqual(new Set([0]));
    expect(new Set(points.map(({ accelerations }) => accelerations![2]))).toEqual(new Set([0]));
  });

  test('of planned joints alone needs no model of the robot', async () => {
    const start = /^trajectory_start:[\s\S]*/m;
    const own = 'trajectory_start:\n  joint_state: {name: [finger_joint], position: [0.5]}\n  is_diff: true\n';
    const names = ['shoulder_joint', 'wrist_joint', 'finger_joint'];
    expect((await read(text.replace(start, own), names)).points[3].positions[2]).toBe(0.5);
    await expect(read(text, names)).rejects.toThrow('"other_finger_joint" is neither a joint of the trajectory nor');
    expect((await read(text.replace(start, ''), names.slice(0, 2))).points).toHaveLength(5);
    expect((await read(text.replace(start, 'trajectory_start: {}\n'), names.slice(0, 2))).points).toHaveLength(5);
  });

  const edited = (from: string | RegExp, to: string) => {
    const changed = text.replace(from, to);
    expect(changed).not.toBe(text);
    return changed;
  };
  const second = /^- joint_trajectory:[\s\S]*?(?=^trajectory_start)/m.exec(text)![0];
  test.each<[string, string, GivenRobot, string]>([
    ['two trajectories', edited(second, second + second), arm, 't.yaml:2: trajectory: 2 trajectories'],
    [
      'no trajectory',
      edited(/^trajectory:[\s\S]*?(?=^trajectory_start)/m, 'trajectory: []\n'),
      arm,
      't.yaml:2: trajectory: 0 trajectories',
    ],
    [
      'points of several degrees of freedom',
      edited(/( {6}frame_id: ''\n {4}joint_names: \[\]\n {4}points: )\[\]/, '$1\n    - transforms: []'),
      arm,
      'multi_dof_joint_trajectory: is not supported',
    ],
    [
      'another start than its first point',
      edited('0.1984090480014724\n    -', '0.1984190480014724\n    -'),
      arm,
      'the position of "shoulder_joint" is 0.1984190480014724 at the start, and 0.1984090480014724 at the first point',
    ],
    [
      'a joint that the scene has elsewhere',
      text,
      model(['shoulder_joint', 'wrist_joint'], 0.012),
      `trajectory_start.joint_state.name[2]: the position of "finger_joint" is ${FINGER} at the start, and 0.012 in the scene`,
    ],
    [
      'a mimic joint elsewhere',
      edited('1.0996853088958587', '1.1996853088958586'),
      arm,
      'the position of "follower_joint" is 1.1996853088958586 at the start, and 1.09968530889585',
    ],
    [
      'a joint that the robot does not have',
      edited('- follower_joint', '- folower_joint'),
      arm,
      '"arm" has no joint "folower_joint"',
    ],
    ['a fixed joint', edited('- follower_joint', '- tool_joint'), arm, '"tool_joint" is fixed'],
    [
      'a joint that moves',
      edited(/velocity: \[\]/, 'velocity: [0, 0, 0.1, 0.1, 0]'),
      arm,
      'the velocity of "finger_joint" is 0.1 at the start, and 0 in the scene',
    ],
    [
      'a planned joint that moves alone',
      edited(/velocity: \[\]/, 'velocity: [0, 0, 0.1, 0.1, 0]'),
      model(['finger_joint', 'wrist_joint', 'shoulder_joint']),
      '"finger_joint" moves at the start',
    ],
    [
      'another velocity than its first point',
      edited(/velocity: \[\]/, 'velocity: [0.5, 0, 0, 0, 0]'),
      arm,
      'the velocity of "shoulder_joint" is 0.5 at the start, and 0 at the first point',
    ],
    ['a joint twice', edited('- follower_joint', '- finger_joint'), arm, '"finger_joint" is listed twice'],
    ['too few positions', edited('    - 1.0996853088958587\n', ''), arm, 'must be 5 finite numbers'],
    [
      'attached objects',
      edited('attached_collision_objects: []', 'attached_collision_objects: [{link_name: c}]'),
      arm,
      'attached objects of a trajectory are not supported',
    ],
    [
      'a moved root',
      edited(
        /( {2}multi_dof_joint_state:[\s\S]*? {4}transforms: )\[\]/,
        '$1[{translation: {x: 0.1, y: 0, z: 0}, rotation: {x: 0, y: 0, z: 0, w: 1}}]',
      ),
      arm,
      'the root of the robot is moved',
    ],
    ['an unknown key', edited('is_diff: false', 'is_dif: false'), arm, 'trajectory_start.is_dif: unknown key'],
    [
      'no mapping as start',
      edited(/^trajectory_start:[\s\S]*/m, 'trajectory_start: [1]\n'),
      arm,
      'trajectory_start: it is [1], must be a mapping',
    ],
    ['not a number', edited('1.0996853088958587', '.nan'), arm, 'must be 5 finite numbers'],
    ['a value beyond the bound', edited(`    - ${FINGER}\n`, '    - 2e6\n'), arm, 'exceeds the bound of 1e6'],
    [
      'a list that was shortened',
      edited(/\n {2}multi_dof_joint_traj/, "\n    - '...'\n  multi_dof_joint_traj"),
      arm,
      '"..." is not a point',
    ],
  ])('with %s is refused', async (_, changed, robot, message) => {
    await expect(read(changed, robot)).rejects.toThrow(message);
    await expect(read(changed, robot)).rejects.toThrow(InputError);
  });
});

/**
 * Schema and messages that the writer of Foxglove (rosmsg2-serialization 3.1) made: the message that the text contains,
 * the same with an attached object, its RobotTrajectory and its JointTrajectory.
 */
const { schema, ...messages } = JSON.parse(
  readFileSync(join(root, 'test/fixtures/ros/recorded.json'), 'utf8'),
) as Record<'schema' | 'display' | 'carrying' | 'robot' | 'joint', string>;
const bytesOf = (message: string) => Uint8Array.from(Buffer.from(message, 'base64'));

/** Returns the schema of a message in it, followed by all others. */
function schemaOf(type: string): string {
  const parts = schema.split(/^=+\n/m);
  const own = parts.findIndex((part) => part.startsWith(`MSG: ${type}\n`));
  return [parts[own].slice(parts[own].indexOf('\n') + 1), ...parts.slice(1).filter((_, i) => i + 1 !== own)].join(
    '===\n',
  );
}

interface Recorded {
  readonly name?: string;
  readonly definition?: string;
  readonly encoding?: string;
  readonly schemaEncoding?: string;
  readonly data: Uint8Array;
}
const display: Recorded = { data: bytesOf(messages.display) };

async function recording(recorded: readonly Recorded[], options: Record<string, unknown> = {}): Promise<Uint8Array> {
  const file = new TempBuffer();
  const writer = new McapWriter({ writable: file, ...options });
  await writer.start({ profile: 'ros2', library: 'other' });
  const other = { name: 'std_msgs/msg/String', encoding: 'ros2msg', data: Buffer.from('string data') };
  const all = [
    { name: other.name, definition: 'string data', data: Uint8Array.of(0, 1, 0, 0, 0, 0, 0, 0) },
    ...recorded,
  ];
  for (const [i, one] of all.entries()) {
    const { name = 'moveit_msgs/msg/DisplayTrajectory', definition = schema, encoding = 'cdr', data } = one as Recorded;
    const { schemaEncoding = 'ros2msg' } = one as Recorded;
    const schemaId = await writer.registerSchema({ name, encoding: schemaEncoding, data: Buffer.from(definition) });
    const channel = { topic: `/topic${i}`, messageEncoding: encoding, schemaId, metadata: new Map() };
    const channelId = await writer.registerChannel(channel);
    await writer.addMessage({ channelId, sequence: 0, logTime: 1n, publishTime: 1n, data });
  }
  await writer.end();
  return file.get();
}

const readBytes = (bytes: Uint8Array, robot: GivenRobot = arm) => readTrajectory(bytes, 'm.mcap', robot);

describe('a recording of ROS 2', () => {
  test.each<[string, Recorded]>([
    ['DisplayTrajectory', display],
    [
      'RobotTrajectory',
      {
        name: 'moveit_msgs/msg/RobotTrajectory',
        definition: schemaOf('moveit_msgs/RobotTrajectory'),
        data: bytesOf(messages.robot),
      },
    ],
    [
      'JointTrajectory',
      {
        name: 'trajectory_msgs/msg/JointTrajectory',
        definition: schemaOf('trajectory_msgs/JointTrajectory'),
        data: bytesOf(messages.joint),
      },
    ],
    [
      'RobotTrajectory in JSON',
      {
        name: 'moveit_msgs/RobotTrajectory',
        encoding: 'json',
        schemaEncoding: 'jsonschema',
        definition: '{}',
        data: Buffer.from(
          JSON.stringify({ joint_trajectory: { joint_names: ['wrist_joint', 'shoulder_joint'], points: [] } }),
        ),
      },
    ],
  ])('with one %s has the trajectory that the same message has as text', async (type, recorded) => {
    const expected = await read(text);
    if (type.endsWith('JSON'))
      return expect(readBytes(await recording([recorded]))).rejects.toThrow(
        '/topic1: joint_trajectory.points: [] is not a list of points',
      );
    for (const options of [{}, { useChunks: false }, { useMessageIndex: false }])
      expect(await readBytes(await recording([recorded], options))).toEqual(expected);
  });

  test('with the start in another state is refused with its topic', async () => {
    await expect(readBytes(await recording([display]), model(['shoulder_joint', 'wrist_joint'], 0.5))).rejects.toThrow(
      `m.mcap: /topic1: trajectory_start.joint_state.name[2]: the position of "finger_joint" is ${FINGER} at the start`,
    );
    await expect(readBytes(await recording([{ data: bytesOf(messages.carrying) }]))).rejects.toThrow(
      'attached objects',
    );
  });

  const robotMessage = bytesOf(messages.robot);
  test.each<[string, readonly Recorded[], string]>([
    ['no motion', [], 'no message with a motion'],
    ['two motions', [display, display], '2 messages with a motion, of /topic1, /topic2'],
    [
      'a message of ROS 1',
      [{ ...display, encoding: 'ros1', schemaEncoding: 'ros1msg' }],
      'encoded as "ros1" with a schema as "ros1msg"',
    ],
    ['a schema in IDL', [{ ...display, schemaEncoding: 'ros2idl' }], 'encoded as "cdr" with a schema as "ros2idl"'],
    ['broken JSON', [{ ...display, encoding: 'json', data: Buffer.from('{') }], '/topic1: the message is not JSON'],
    [
      'a key twice in JSON',
      [{ ...display, encoding: 'json', data: Buffer.from('{"points": [], "points": []}') }],
      'this key occurs twice',
    ],
    [
      'a schema that lacks a message',
      [{ ...display, definition: schema.slice(0, schema.indexOf('====')) }],
      'moveit_msgs/DisplayTrajectory.trajectory: moveit_msgs/RobotTrajectory has no definition',
    ],
    ['a schema that is no schema', [{ ...display, definition: '{"a": 1}' }], 'its schema is not understood'],
    ['an array of length 0', [{ ...display, definition: 'float64[0] x' }], 'is not understood: float64[0] x'],
    ['a field twice', [{ ...display, definition: 'int8 x\nfloat64 x' }], 'DisplayTrajectory has two fields x'],
    ['a schema without end', [{ ...display, definition: 'DisplayTrajectory x' }], 'nested more than 30 deep'],
    ['a message of another type', [{ ...display, data: robotMessage }], '/topic1: '],
    [
      'a message with more bytes',
      [{ ...display, data: Buffer.concat([display.data, new Uint8Array(8)]) }],
      'bytes follow the message',
    ],
    ['a message that is cut off', [{ ...display, data: display.data.subarray(0, 300) }], 'this message is broken'],
    [
      'a message of another representation',
      [{ ...display, data: Uint8Array.from([0, 7, ...display.data.subarray(2)]) }],
      'its representation 0x0007 is not plain CDR',
    ],
    ['a message without bytes', [{ ...display, data: new Uint8Array(0) }], 'the message has no header'],
  ])('with %s is refused', async (_, recorded, message) => {
    await expect(readBytes(await recording(recorded))).rejects.toThrow(message);
  });

  test('that is compressed or cut off is refused', async () => {
    const compressChunk = (data: Uint8Array) => ({ compression: 'zstd', compressedData: data.slice() });
    await expect(readBytes(await recording([display], { compressChunk }))).rejects.toThrow(
      'Unsupported compression zstd',
    );
    await expect(readBytes((await recording([display])).slice(0, -20))).rejects.toThrow(InputError);
  });

  test('with a damaged message ends in a trajectory or in bad input', async () => {
    const random = new Random(11);
    const outcomes = { read: 0, refused: 0, other: 0 };
    for (let k = 0; k < 400; k++) {
      const data = display.data.slice();
      if (random.next() < 0.5) data[random.below(data.length)] ^= 1 << random.below(8);
      else
        new DataView(data.buffer).setUint32(
          random.below(data.length - 3),
          [0xffffffff, 0x7fffffff, 0, 65536][k % 4],
          true,
        );
      const answer = await readBytes(await recording([{ data }])).catch((error: unknown) => error);
      if (!(answer instanceof Error)) outcomes.read++;
      else if (answer instanceof InputError) outcomes.refused++;
      else outcomes.other++;
    }
    expect(outcomes.other).toBe(0);
    expect(outcomes.refused).toBeGreaterThan(150);
    expect(outcomes.read).toBeGreaterThan(20);
  });
});
