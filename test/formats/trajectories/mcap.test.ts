import { McapIndexedReader, TempBuffer } from '@mcap/core';
import { describe, expect, test } from 'vitest';
import * as z from 'zod';
import { forwardKinematics, RobotState } from '../../../src/core/kinematics/forwardKinematics.ts';
import { transformOfPose } from '../../../src/core/kinematics/pose.ts';
import { compose, create } from '../../../src/core/math/transform.ts';
import type { Trajectory } from '../../../src/core/trajectory/trajectory.ts';
import { TrajectoryCurve } from '../../../src/core/trajectory/trajectoryCurve.ts';
import { trajectoryHash } from '../../../src/core/trajectory/trajectoryHash.ts';
import { buildRobot, readUrdf } from '../../../src/formats/robots/urdf.ts';
import { urdfText } from '../../../src/formats/robots/urdfText.ts';
import { binaryFormats, readTrajectory } from '../../../src/formats/trajectories/index.ts';
import { builtInRobots, loadRobot, loadScene } from '../../../src/host/node/files.ts';
import { planMotion } from '../../../src/tasks/planning/planMotion.ts';
import { createSceneRobot } from '../../../src/tasks/sceneRobot.ts';

const { mcap } = binaryFormats;
const loaded = await loadScene(new URL('../../../scenes/shelf.yaml', import.meta.url).pathname);
const robot = createSceneRobot(loaded);
const { scene } = loaded;
const motion = planMotion(loaded, { seed: 1 }).trajectory!;
const bytes = await mcap.encode(motion, { robot, scene });

interface Said {
  readonly topic: string;
  readonly time: number;
  readonly schema: string;
  // biome-ignore lint/suspicious/noExplicitAny: messages of any type
  readonly message: any;
}

/** Returns all messages that the official reader finds in a file; it validates the checksums. */
async function recorded(file: Uint8Array): Promise<Said[]> {
  const reader = await McapIndexedReader.Initialize({ readable: new TempBuffer(file) });
  const said: Said[] = [];
  const utf8 = new TextDecoder();
  for await (const { channelId, logTime, data } of reader.readMessages({ validateCrcs: true })) {
    const { topic, schemaId, messageEncoding } = reader.channelsById.get(channelId)!;
    const schema = reader.schemasById.get(schemaId)!;
    expect([messageEncoding, schema.encoding]).toEqual(['json', 'jsonschema']);
    const time = Number(logTime) / 1e9;
    said.push({ topic, time, schema: utf8.decode(schema.data), message: JSON.parse(utf8.decode(data)) });
  }
  return said;
}

const said = await recorded(bytes);
const of = (topic: string) => said.filter((one) => one.topic === topic);
const curve = new TrajectoryCurve(motion);

describe('a recording', () => {
  test('contains messages that are valid by their schemas, on four topics', () => {
    expect([...new Set(said.map(({ topic }) => topic))].sort()).toEqual([
      '/joint_states',
      '/robot_description',
      '/scene',
      '/tf',
    ]);
    const checks = new Map<string, z.ZodType>();
    for (const { schema, message } of said) {
      const check = checks.get(schema) ?? z.fromJSONSchema(JSON.parse(schema));
      checks.set(schema, check);
      expect(check.safeParse(message).error).toBeUndefined();
    }
    expect([...checks.keys()].map((schema) => JSON.parse(schema).title).sort()).toEqual([
      'foxglove.FrameTransforms',
      'foxglove.JointStates',
      'foxglove.SceneUpdate',
      'std_msgs/String',
    ]);
  });

  test('samples positions and velocities of the curve every 20 ms and at its end', () => {
    const states = of('/joint_states');
    expect(states.at(-1)!.time).toBeCloseTo(curve.end, 9);
    expect(states).toHaveLength(Math.ceil(curve.end / 0.02) + 1);
    const q = new Float64Array(6);
    const v = new Float64Array(6);
    for (const [k, { time, message }] of states.entries()) {
      if (k < states.length - 1) expect(time).toBeCloseTo(0.02 * k, 9);
      const exact = Math.min(0.02 * k, curve.end);
      curve.position(q, exact);
      curve.velocity(v, exact);
      expect(message.timestamp).toEqual({ sec: Math.floor(time + 1e-12), nsec: Math.round((time % 1) * 1e9) });
      expect(message.joints).toEqual(motion.jointNames.map((name, i) => ({ name, position: q[i], velocity: v[i] })));
    }
  });

  test('has frames whose composition gives the poses of forward kinematics', () => {
    const state = new RobotState(robot);
    const q = new Float64Array(6);
    const local = new Map<string, Float64Array>();
    for (const [k, { message }] of of('/tf').entries()) {
      for (const { parent_frame_id, child_frame_id, translation: t, rotation: r } of message.transforms) {
        const parent = robot.links.find(({ name }) => name === child_frame_id)!.parent;
        expect(parent_frame_id).toBe(parent < 0 ? 'world' : robot.links[parent].name);
        local.set(child_frame_id, transformOfPose({ xyz: [t.x, t.y, t.z], quat_wxyz: [r.w, r.x, r.y, r.z] }));
      }
      curve.position(q, Math.min(0.02 * k, curve.end));
      forwardKinematics(state, q);
      const world: Float64Array[] = [];
      for (const { name, index, parent } of robot.links) {
        const T = create();
        if (parent < 0) T.set(local.get(name)!);
        else compose(T, world[parent], local.get(name)!);
        world[index] = T;
        for (let i = 0; i < 12; i++) expect(T[i]).toBeCloseTo(state.T_world_link[index][i], 12);
      }
    }
  });

  test('contains every collision body once, in the frame that it is fixed to', () => {
    const [{ message, time }, ...more] = of('/scene');
    expect({ time, more }).toEqual({ time: 0, more: [] });
    const shown = message.entities.map(({ id, frame_id }: { id: string; frame_id: string }) => [id, frame_id]);
    expect(shown).toEqual([
      ...robot.links.filter(({ parts }) => parts.length > 0).map(({ name }) => [`link ${name}`, name]),
      ...scene.attached.map(({ name, link }) => [`carried ${name}`, link]),
      ...scene.obstacles.map(({ name }) => [`obstacle ${name}`, 'world']),
    ]);
    const forearm = message.entities.find(({ id }: { id: string }) => id === 'link forearm_link');
    const [{ points, indices }] = forearm.triangles;
    const { bounds } = robot.links.find(({ name }) => name === 'forearm_link')!.parts[0].shape;
    for (const [i, axis] of ['x', 'y', 'z'].entries()) {
      const values = points.map((point: Record<string, number>) => point[axis]);
      // Large hulls are triangulated from samples of their support function: inside the hull, accurate enough to
      // display.
      expect(Math.min(...values)).toBeGreaterThanOrEqual(bounds[i] - 1e-12);
      expect(Math.max(...values)).toBeLessThanOrEqual(bounds[i + 3] + 1e-12);
      expect(Math.max(...values) - Math.min(...values)).toBeGreaterThan(0.95 * (bounds[i + 3] - bounds[i]));
    }
    expect(indices.length % 3).toBe(0);
    expect(Math.max(...indices)).toBeLessThan(points.length);
  });

  test('preserves the motion exactly, with and without times', async () => {
    const read = await readTrajectory(bytes, 'motion.mcap');
    expect(trajectoryHash(read)).toBe(trajectoryHash(motion));
    expect(read).toEqual({ ...motion, interpolation: 'cubic', statedHash: trajectoryHash(motion) });
    const path: Trajectory = { ...motion, points: motion.points.map(({ positions }) => ({ positions })) };
    const again = await mcap.encode(path, { robot, scene });
    expect(trajectoryHash(await readTrajectory(again, 'stdin'))).toBe(trajectoryHash(path));
    const states = (await recorded(again)).filter(({ topic }) => topic === '/joint_states');
    expect(states.at(-1)!.time).toBe(path.points.length - 1);
    expect(Object.keys(states[0].message.joints[0])).toEqual(['name', 'position']);
  });

  test('preserves a motion of one point, and a path of one', async () => {
    for (const [point] of [motion.points, motion.points.map(({ positions }) => ({ positions }))]) {
      const still: Trajectory = { ...motion, points: [point] };
      const read = await readTrajectory(await mcap.encode(still, { robot, scene }), 'still.mcap');
      const interpolation = 'velocities' in point ? 'cubic' : 'linear';
      expect(read).toEqual({ ...still, interpolation, statedHash: trajectoryHash(still) });
    }
  });

  test('is byte-identical each time', async () => {
    expect(Buffer.compare(await mcap.encode(motion, { robot, scene }), bytes)).toBe(0);
  });
});

test('the recording of a small motion is identical to the reference', async () => {
  const posts = await loadScene(new URL('../../host/cli/fixtures/posts.yaml', import.meta.url).pathname);
  const short: Trajectory = {
    jointNames: ['shoulder', 'elbow'],
    points: [
      { time_from_start: 0, positions: [-1, 0.5], velocities: [0, 0] },
      { time_from_start: 0.03, positions: [-0.99, 0.5], velocities: [0.25, 0] },
    ],
  };
  const file = await mcap.encode(short, { robot: createSceneRobot(posts), scene: posts.scene });
  const lines = (await recorded(file)).map(({ topic, time, message }) => JSON.stringify({ topic, time, message }));
  await expect(`${lines.join('\n')}\n`).toMatchFileSnapshot('../../fixtures/trajectories/motion-mcap.jsonl');
});

test('bytes of text formats are read as text', async () => {
  const text = 'time,a,vel_a\n0,0,0\n1,1,0\n';
  const read = await readTrajectory(new TextEncoder().encode(`\uFEFF${text}`), 'm.csv');
  expect(read).toEqual(await readTrajectory(text, 'm.csv'));
});

test('recordings that are truncated, changed, or of other programs are rejected in one line', async () => {
  const cuts = [8, 9, 100, bytes.length >> 1, bytes.length - 9, bytes.length - 1];
  for (const end of cuts) {
    const refused = {
      name: 'InputError',
      message: expect.stringMatching(/^m\.mcap: this MCAP file is broken: [^\n]+$/),
    };
    await expect(readTrajectory(bytes.subarray(0, end), 'm.mcap'), `${end}`).rejects.toMatchObject(refused);
  }
  const changed = bytes.slice();
  const at = Buffer.from(bytes).indexOf('"positions"');
  changed[at + 1] ^= 1;
  await expect(readTrajectory(changed, 'm.mcap')).rejects.toMatchObject({ name: 'InputError' });

  const { McapWriter } = await import('@mcap/core');
  const file = new TempBuffer();
  const writer = new McapWriter({ writable: file });
  await writer.start({ profile: '', library: 'another' });
  await writer.end();
  await expect(readTrajectory(file.get(), 'm.mcap')).rejects.toThrow(
    'm.mcap: no attachment trajectory.json, and no message with a motion',
  );
});

describe('the robot as URDF', () => {
  test.each(builtInRobots())('%s is read back with the same tree, limits and frames', async (name) => {
    const description = await loadRobot(name);
    const text = urdfText(description);
    const read = await buildRobot(await readUrdf(text, 'robot.urdf'), new Map());
    expect(read.links.map((link) => link.name)).toEqual(description.links.map((link) => link.name));
    expect(read.joints).toHaveLength(description.joints.length);
    for (const [i, { origin, axis, ...joint }] of read.joints.entries()) {
      const { origin: ownOrigin, axis: ownAxis, ...own } = description.joints[i];
      expect(joint).toEqual(
        expect.objectContaining({ name: own.name, type: own.type, parent: own.parent, child: own.child }),
      );
      expect([joint.lower, joint.upper, joint.velocity, joint.mimic]).toEqual([
        own.lower,
        own.upper,
        own.velocity,
        own.mimic,
      ]);
      const [T, ownT] = [transformOfPose(origin), transformOfPose(ownOrigin)];
      for (let k = 0; k < 12; k++) expect(T[k]).toBeCloseTo(ownT[k], 12);
      if (joint.type !== 'fixed') for (let k = 0; k < 3; k++) expect(axis[k]).toBeCloseTo(ownAxis[k], 12);
    }
  });

  test('rotations in gimbal lock, and names with XML special characters, survive a round trip', async () => {
    const half = Math.SQRT1_2;
    const description = await loadRobot('ur5e');
    const [first, ...rest] = description.joints;
    for (const quat_wxyz of [
      [half, 0, half, 0],
      [half, 0, -half, 0],
      [0.5, 0.5, 0.5, 0.5],
      [0.5, -0.5, -0.5, 0.5],
      [0, 1, 0, 0],
    ] as const) {
      const origin = { xyz: [0.1, -2e-7, 3], quat_wxyz } as const;
      const joints = [{ ...first, name: 'a<"&>b', origin }, ...rest];
      const read = await buildRobot(await readUrdf(urdfText({ ...description, joints }), 'robot.urdf'), new Map());
      expect(read.joints[0].name).toBe('a<"&>b');
      const [T, own] = [transformOfPose(read.joints[0].origin), transformOfPose(origin)];
      for (let k = 0; k < 12; k++) expect(T[k]).toBeCloseTo(own[k], 12);
    }
  });
});
