import { McapWriter, TempBuffer } from '@mcap/core';
import { shortName } from '../../src/formats/trajectories/rosDefinition.ts';
import { encodeCdr, type MotionMessage } from './cdrWriter.ts';
import { encode } from './encode.ts';
import { mutate } from './mutate.ts';

type Below = (below: number) => number;
type Fields = Record<string, unknown>;

/** Definitions of the messages with as many fields as the reader distinguishes. */
const parts: Readonly<Record<string, string>> = {
  'trajectory_msgs/JointTrajectory': 'std_msgs/Header header\nstring[] joint_names\nJointTrajectoryPoint[] points\n',
  'trajectory_msgs/JointTrajectoryPoint':
    'float64[] positions # rad\nfloat64[] velocities\nfloat64[] accelerations\nfloat64[] effort\n' +
    'builtin_interfaces/Duration time_from_start\n',
  'std_msgs/Header': 'builtin_interfaces/Time stamp\nstring frame_id\n',
  'builtin_interfaces/Time': 'int32 sec\nuint32 nanosec\n',
  'builtin_interfaces/Duration': 'int32 sec\nuint32 nanosec\n',
  'moveit_msgs/RobotTrajectory':
    'trajectory_msgs/JointTrajectory joint_trajectory\nMultiDOFJointTrajectory multi_dof_joint_trajectory\n',
  'moveit_msgs/MultiDOFJointTrajectory': 'std_msgs/Header header\nstring[] joint_names\nstring[] points\n',
  'moveit_msgs/DisplayTrajectory': 'string model_id\nRobotTrajectory[] trajectory\nRobotState trajectory_start\n',
  'moveit_msgs/RobotState':
    'int8 UNUSED=1\nsensor_msgs/JointState joint_state\nstring[] attached_collision_objects\nbool is_diff\n',
  'sensor_msgs/JointState':
    'std_msgs/Header header\nstring[<=9] name\nfloat64[<=9] position\nfloat64[] velocity\nfloat64[] effort\n',
};

/** Returns the schema of a message: its definition, and after it those of all others. */
function schemaOf(name: string): string {
  const others = Object.entries(parts).filter(([other]) => other !== name);
  return parts[name] + others.map(([other, text]) => `${'='.repeat(80)}\nMSG: ${other}\n${text}`).join('');
}

const header = { stamp: { sec: 3, nanosec: 5 }, frame_id: 'world' };
const points = [0, 1, 2].map((i) => ({
  positions: [0.25 * i, -0.5 + 0.125 * i],
  velocities: i === 2 ? [] : [0.5, 0.25],
  accelerations: [],
  effort: [],
  time_from_start: { sec: i, nanosec: 500_000_000 },
}));
const joint = { header, joint_names: ['shoulder', 'wrist'], points };
const multi = { header, joint_names: [], points: [] };
const start = {
  joint_state: { header, name: ['wrist', 'shoulder'], position: [-0.5, 0], velocity: [0.25, 0.5], effort: [] },
  attached_collision_objects: [],
  is_diff: true,
};

/** A message of each type that contains a motion; two with the start of a robot. */
export const motionMessages: readonly MotionMessage[] = (
  [
    ['trajectory_msgs/JointTrajectory', joint],
    ['moveit_msgs/RobotTrajectory', { joint_trajectory: joint, multi_dof_joint_trajectory: multi }],
    [
      'moveit_msgs/DisplayTrajectory',
      {
        model_id: 'r',
        trajectory: [{ joint_trajectory: joint, multi_dof_joint_trajectory: multi }],
        trajectory_start: start,
      },
    ],
    [
      'moveit_msgs/DisplayTrajectory',
      {
        model_id: '',
        trajectory: [
          {
            joint_trajectory: { ...joint, joint_names: ['wrist'], points: oneJoint() },
            multi_dof_joint_trajectory: multi,
          },
        ],
        trajectory_start: { ...start, joint_state: { ...start.joint_state, position: [0, 0.5], velocity: [] } },
      },
    ],
  ] as const
).map(([name, value]) => ({ name: name.replace('/', '/msg/'), schema: schemaOf(name), value }));

function oneJoint() {
  return points.map((point, i) => ({ ...point, positions: [0.25 * i], velocities: [] }));
}

/** Numbers at the limits of their types, and beyond. */
const floats = [0, -0, 1, 0.1, 1e-9, 5e-324, 1e6, 1e6 + 1, 1e18, 1.8e308, -1e308, Number.NaN, -Infinity, 2 ** 53 + 2];
const whole = [0, 1, -1, 2, 127, 255, 65536, 999_999_999, 1_000_000_000, 2 ** 31 - 1, -(2 ** 31), 2 ** 32 - 1];
const names = ['', 'shoulder', 'wrist', 'elbow', '__proto__', 'constructor', 'a\u0000b', 'ü', '...', 'x'.repeat(300)];
const counts = [0, 1, 2, 7, 255, 65536, 0x7fffffff, 0x80000000, 0xffffffff];
const types = [
  ...['bool', 'byte', 'char', 'int8', 'uint8', 'int16', 'uint16', 'int32', 'uint32', 'int64', 'uint64', 'float32'],
  ...['float64', 'string', 'wstring', 'string<=3', 'float64[]', 'float64[2]', 'float64[0]', 'float64[<=3]', 'Header'],
];

/** Returns the message with one to three values, lists or texts changed; its fields remain. */
export function mutatedMessage(random: Below): MotionMessage {
  const message = motionMessages[random(motionMessages.length)];
  const value = structuredClone(message.value);
  for (let n = 1 + random(3); n > 0; n--) changeValue(value, random);
  return { ...message, value };
}

/**
 * A recording of ROS 2 with one message, whose values, schema, lengths of texts and lists, bytes, encoding or name are
 * changed; the file around it is whole. In a third of the recordings only values change.
 */
export async function mutatedRecording(random: Below): Promise<Uint8Array> {
  let message = mutatedMessage(random);
  if (random(3) === 0) return recordingOf(message, encodeCdr(message).bytes);
  const original = message;
  if (random(3) === 0) message = { ...message, schema: changedSchema(message.schema, random) };
  if (random(20) === 0) return recordingOf(message, encode(JSON.stringify(message.value)), 'json');
  // The message is written as its schema says, changed or not.
  const { bytes, lengths } = encodeCdr(random(2) === 0 ? message : original, random(4) !== 0);
  const changed = random(2) === 0 ? changedBytes(bytes, lengths, random) : bytes;
  const name = random(12) === 0 ? motionMessages[random(motionMessages.length)].name : message.name;
  return recordingOf({ ...message, name: random(12) === 0 ? shortName(name) : name }, changed);
}

function changeValue(root: Fields, random: Below): void {
  // Walks down at random: a value close to the root, or deep in the message.
  let node: Fields = root;
  for (;;) {
    const keys = Object.keys(node);
    if (keys.length === 0) return;
    const key = keys[random(keys.length)];
    const value = node[key];
    if (Array.isArray(value) && (value.length === 0 || random(4) === 0)) {
      changeList(value, random);
      return;
    }
    if (typeof value === 'object' && value !== null) {
      node = value as Fields;
      continue;
    }
    if (typeof value === 'string') node[key] = names[random(names.length)];
    else if (typeof value === 'boolean') node[key] = !value;
    else node[key] = (key === 'sec' || key === 'nanosec' ? whole : floats)[random(key === 'sec' ? 12 : 11)];
    return;
  }
}

function changeList(list: unknown[], random: Below): void {
  const at = random(list.length + 1);
  switch (random(6)) {
    case 0:
      list.splice(at, 1);
      break;
    case 1:
      list.splice(at, 0, ...structuredClone(list.slice(at, at + 1 + random(3))));
      break;
    case 2:
      list.reverse();
      break;
    case 3:
      list.length = 0;
      break;
    case 4:
      if (list.length > 0)
        list.push(typeof list[0] === 'string' ? names[random(names.length)] : structuredClone(list[0]));
      break;
    default:
      if (at < list.length) [list[0], list[at]] = [list[at], list[0]];
  }
}

/** Returns the schema with lines removed, doubled, swapped, of another type or another name; or changed anywhere. */
function changedSchema(schema: string, random: Below): string {
  if (random(4) === 0) return new TextDecoder().decode(mutate([encode(schema)], random));
  const lines = schema.split('\n');
  const [one, other] = [random(lines.length), random(lines.length)];
  const [, name = 'x'] = lines[one].split(' ');
  switch (random(6)) {
    case 0:
      lines.splice(one, 1);
      break;
    case 1:
      lines.splice(other, 0, lines[one]);
      break;
    case 2:
      [lines[one], lines[other]] = [lines[other], lines[one]];
      break;
    case 3:
      lines[one] = `${types[random(types.length)]} ${name}`;
      break;
    case 4:
      lines[one] = lines[one].replace(/\[.*?\]| /, ['[] ', '[3] ', '[<=2] ', '[99999999] ', ' '][random(5)]);
      break;
    default:
      lines.splice(one, 0, `${types[random(types.length)]} ${['x', name, '__proto__', 'X=1', 'x 5'][random(5)]}`);
  }
  return lines.join('\n');
}

/** Returns the bytes with other lengths of texts and lists, another representation, cut off, longer, or one changed. */
function changedBytes(given: Uint8Array, lengths: readonly number[], random: Below): Uint8Array {
  let bytes = given.slice();
  for (let n = 1 + random(2); n > 0 && bytes.length > 4; n--) {
    const at = 4 + random(bytes.length - 4);
    switch (random(7)) {
      case 0:
        bytes[random(2)] = [0, 1, 2, 6, 7, 255][random(6)];
        break;
      case 1:
        bytes = bytes.slice(0, at);
        break;
      case 2:
        bytes = Uint8Array.from([...bytes.subarray(0, at), ...bytes.subarray(at - random(4), at + random(9))]);
        break;
      case 3:
        bytes[at] ^= 1 << random(8);
        break;
      default: {
        const field = 4 + lengths[random(lengths.length)];
        if (lengths.length === 0 || field + 4 > bytes.length) break;
        const view = new DataView(bytes.buffer);
        const near = view.getUint32(field, true) + random(5) - 2;
        view.setUint32(field, random(2) === 0 ? near : counts[random(counts.length)], true);
      }
    }
  }
  return bytes;
}

/** Returns a recording with one message. */
export async function recordingOf(message: MotionMessage, data: Uint8Array, encoding = 'cdr'): Promise<Uint8Array> {
  const file = new TempBuffer();
  const writer = new McapWriter({ writable: file, useChunks: false });
  await writer.start({ profile: 'ros2', library: '' });
  const schema = { name: message.name, encoding: 'ros2msg', data: encode(message.schema) };
  const schemaId = await writer.registerSchema(schema);
  const channel = { topic: '/plan', messageEncoding: encoding, schemaId, metadata: new Map() };
  const channelId = await writer.registerChannel(channel);
  await writer.addMessage({ channelId, sequence: 0, logTime: 0n, publishTime: 0n, data });
  await writer.end();
  return file.get().slice();
}
