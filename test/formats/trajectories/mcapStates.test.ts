import { McapWriter, TempBuffer } from '@mcap/core';
import { describe, expect, test } from 'vitest';
import { createRobotModel } from '../../../src/core/kinematics/createRobotModel.ts';
import { buildRobot, readUrdf } from '../../../src/formats/robots/urdf.ts';
import { type GivenRobot, readTrajectory } from '../../../src/formats/trajectories/index.ts';
import { statedWarnings } from '../../../src/tasks/checking/statedWarnings.ts';
import { limit } from '../robots/robotTexts.ts';

const joint = (name: string, child: string, type: string, more = '') =>
  `<joint name="${name}" type="${type}"><parent link="base"/><child link="${child}"/><axis xyz="0 0 1"/>${limit}${more}</joint>`;
const links = ['base', 'a', 'b', 'c', 'd'].map((name) => `<link name="${name}"/>`).join('');
const urdf = `<robot name="arm">${links}${joint('turn', 'a', 'revolute')}${joint('lift', 'b', 'prismatic')}${joint(
  'grip',
  'c',
  'prismatic',
)}${joint('follow', 'd', 'revolute', '<mimic joint="turn" multiplier="-2" offset="0.5"/>')}</robot>`;
const arm = createRobotModel(await buildRobot(await readUrdf(urdf, 'arm.urdf'), new Map()), {
  joints: ['turn', 'lift'],
  fixed: { grip: 0.02 },
});

const DEFINITION = `std_msgs/Header header
string[] name
float64[] position
float64[] velocity
float64[] effort
================================================================================
MSG: std_msgs/Header
builtin_interfaces/Time stamp
string frame_id
================================================================================
MSG: builtin_interfaces/Time
int32 sec
uint32 nanosec
`;

interface Said {
  readonly topic?: string;
  readonly stamp?: readonly [sec: number, nanosec: number];
  readonly log?: number;
  readonly joints: Readonly<Record<string, number>>;
}

/** Encodes a JointState in CDR by its field table. */
function cdr({ stamp: [sec, nanosec] = [0, 0], joints }: Said): Uint8Array {
  const bytes: number[] = [];
  const align = (size: number) => {
    while (bytes.length % size !== 0) bytes.push(0);
  };
  const u32 = (value: number) => {
    align(4);
    bytes.push(...new Uint8Array(Uint32Array.of(value).buffer));
  };
  const text = (value: string) => {
    u32(value.length + 1);
    bytes.push(...Buffer.from(value), 0);
  };
  const doubles = (values: readonly number[]) => {
    u32(values.length);
    if (values.length > 0) align(8);
    bytes.push(...new Uint8Array(Float64Array.from(values).buffer));
  };
  u32(sec);
  u32(nanosec);
  text('');
  u32(Object.keys(joints).length);
  for (const name of Object.keys(joints)) text(name);
  for (const values of [Object.values(joints), [], []]) doubles(values);
  return Uint8Array.of(0, 1, 0, 0, ...bytes);
}

const json = ({ stamp: [sec, nanosec] = [0, 0], joints }: Said): Uint8Array =>
  Buffer.from(
    JSON.stringify({
      header: { stamp: { sec, nanosec }, frame_id: '' },
      name: Object.keys(joints),
      position: Object.values(joints),
      velocity: [],
      effort: [],
    }),
  );

async function recording(messages: readonly Said[], isJson = false): Promise<Uint8Array> {
  const file = new TempBuffer();
  const writer = new McapWriter({ writable: file });
  await writer.start({ profile: 'ros2', library: 'other' });
  const [encoding, definition] = isJson ? ['jsonschema', '{}'] : ['ros2msg', DEFINITION];
  const name = 'sensor_msgs/msg/JointState';
  const schemaId = await writer.registerSchema({ name, encoding, data: Buffer.from(definition) });
  const channels = new Map<string, number>();
  for (const [sequence, said] of messages.entries()) {
    const { topic = '/joint_states', log = sequence } = said;
    const channel = { topic, messageEncoding: isJson ? 'json' : 'cdr', schemaId, metadata: new Map() };
    const channelId = channels.get(topic) ?? (await writer.registerChannel(channel));
    channels.set(topic, channelId);
    const logTime = BigInt(Math.round(log * 1e9));
    await writer.addMessage({ channelId, sequence, logTime, publishTime: logTime, data: (isJson ? json : cdr)(said) });
  }
  await writer.end();
  return file.get();
}

const at = (k: number, joints: Said['joints'], period = 10_000_000): Said => ({
  stamp: [1_700_000_000 + Math.floor((k * period) / 1e9), (k * period) % 1e9],
  joints,
});
const read = async (messages: readonly Said[], robot: GivenRobot = arm) =>
  readTrajectory(await recording(messages), 'r.mcap', robot);
const refusal = (messages: readonly Said[], robot?: GivenRobot) =>
  read(messages, robot).then(
    () => 'accepted',
    (error: Error) => error.message,
  );

describe('recorded joint states', () => {
  test.each([false, true])(
    'are a trajectory from the first stamp, in the order of the robot (JSON: %s)',
    async (isJson) => {
      const messages = [0, 1, 2].map((k) => at(k, { lift: 0.1 * k, turn: 0.2 }));
      const read = await readTrajectory(await recording(messages, isJson), 'r.mcap', arm);
      expect(read).toEqual({
        jointNames: ['turn', 'lift'],
        points: [
          { time_from_start: 0, positions: [0.2, 0] },
          { time_from_start: 0.01, positions: [0.2, 0.1] },
          { time_from_start: 0.02, positions: [0.2, 0.2] },
        ],
        setPoints: true,
        remarks: [
          '3 joint states, judged on straight lines between them; while the arm moves they are up to 10 ms apart',
        ],
      });
    },
  );

  test('more than 25 ms apart while the arm moves are straight lines with corners', async () => {
    const moving = await read([at(0, { turn: 0, lift: 0 }), at(1, { turn: 0.1, lift: 0 }, 26_000_000)]);
    expect(moving.setPoints).toBeUndefined();
    expect(moving.remarks![0]).toContain('up to 26 ms apart: more than 25 ms, so that corners are velocity jumps');
    expect(statedWarnings(moving, arm, 'r.mcap')[0]).toContain('r.mcap: 2 joint states, judged on straight lines');
    const resting = await read([at(0, { turn: 0, lift: 0 }), at(100, { turn: 0, lift: 0 })]);
    expect(resting.setPoints).toBe(true);
  });

  test('without stamps have the times of the recording', async () => {
    const { points, remarks } = await read([
      { log: 5, joints: { turn: 0, lift: 0 } },
      { log: 5.004, joints: { turn: 0.001, lift: 0 } },
    ]);
    expect(points.map(({ time_from_start }) => time_from_start)).toEqual([0, 0.004]);
    expect(remarks).toContain('the messages have no stamps: their times are those of the recording');
  });

  test('of joints that are not planned are left out if they have the value of the robot', async () => {
    const { remarks, points } = await read([
      at(0, { turn: 0.1, lift: 0, follow: 0.30005, grip: 0.02 }),
      at(1, { grip: 0.02001 }),
      at(2, { turn: 0.2, lift: 0, follow: 0.1 }),
    ]);
    expect(points).toHaveLength(2);
    expect(remarks!.at(-1)).toBe('joints that are not planned are left out: follow, grip');
  });

  test('that repeat the last message are dropped', async () => {
    const one = at(0, { turn: 0, lift: 0 });
    expect((await read([one, one, at(1, { turn: 0, lift: 0.1 })])).points).toHaveLength(2);
  });

  test.each<[string, readonly Said[], string]>([
    [
      'another value of a fixed joint',
      [at(0, { turn: 0, lift: 0, grip: 0.03 })],
      '"grip" is 0.03, but 0.02 in the scene',
    ],
    ['another value of a mimic joint', [at(0, { turn: 0, lift: 0, follow: 0 })], '"follow" is 0, but 0.5 by "turn"'],
    ['a mimic joint without its leader', [at(0, { turn: 0, lift: 0 }), at(1, { follow: 0.5 })], 'not known by "turn"'],
    ['an unknown joint', [at(0, { turn: 0, lift: 0, wheel: 0 })], '"arm" has no joint "wheel"'],
    ['a part of the planned joints', [at(0, { turn: 0 })], 'message 1: planned joints are missing: lift'],
    ['none of the planned joints', [at(0, { grip: 0.02 })], 'no message has the planned joints'],
    [
      'a time that does not come after the one before',
      [at(1, { turn: 0, lift: 0 }), at(0, { turn: 0.1, lift: 0 })],
      'message 2: its time -0.01 s does not come after 0 s of message 1',
    ],
    [
      'two positions at one time',
      [at(0, { turn: 0, lift: 0 }), at(0, { turn: 0.1, lift: 0 })],
      'message 2: its time 0 s does not come after 0 s',
    ],
    [
      'states of two topics',
      [at(0, { turn: 0, lift: 0 }), { ...at(1, { turn: 0, lift: 0 }), topic: '/other' }],
      'joint states of several topics: /joint_states, /other',
    ],
    ['a number that is none', [at(0, { turn: Number.NaN, lift: 0 })], 'position: '],
    ['a number beyond the bound', [at(0, { turn: 2e6, lift: 0 })], 'exceeds the bound'],
  ])('with %s are refused', async (_, messages, message) => {
    expect(await refusal(messages)).toContain(message);
    expect(await refusal(messages)).toContain('r.mcap: ');
  });

  test('of a robot of which only the names are known have planned joints alone', async () => {
    const names = ['turn', 'lift'];
    expect((await read([at(0, { turn: 0, lift: 0 })], names)).jointNames).toEqual(names);
    expect(await refusal([at(0, { turn: 0, lift: 0, grip: 0 })], names)).toContain('no planned joint "grip"');
  });
});
