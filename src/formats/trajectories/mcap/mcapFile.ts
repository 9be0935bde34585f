import type { McapWriter } from '@mcap/core';
import { forwardKinematics, RobotState } from '../../../core/kinematics/forwardKinematics.ts';
import type { RobotModel } from '../../../core/kinematics/robotModel.ts';
import { linkNamed } from '../../../core/kinematics/toolCenterPoint.ts';
import { changedScene } from '../../../core/scene/changedScene.ts';
import type { EventStep } from '../../../core/scene/program.ts';
import type { Scene } from '../../../core/scene/scene.ts';
import { robotAt } from '../../../core/scene/steps/robotAt.ts';
import {
  inJointOrder,
  isStraight,
  type Trajectory,
  type TrajectoryEvent,
} from '../../../core/trajectory/trajectory.ts';
import { TrajectoryCurve } from '../../../core/trajectory/trajectoryCurve.ts';
import { InputError } from '../../../errors.ts';
import { urdfText } from '../../robots/urdfText.ts';
import { json } from '../json.ts';
import { type GivenRobot, type MotionSetting, requireSamples } from '../trajectoryFormat.ts';
import { readRecord, recordOf } from '../trajectoryRecord.ts';
import { jointStates, LinkFrames, sceneChange, sceneUpdate, stampOf } from './mcapMessages.ts';
import { mcapCore, mcapPackages } from './mcapPackages.ts';

/** Seconds between messages. A path, which has no times, takes one second per segment. */
const INTERVAL = 0.02;
/** Name of the attachment with the trajectory. */
const MOTION = 'trajectory.json';
/** Schema of std_msgs/String, the message in which Foxglove expects a URDF. */
const TEXT_SCHEMA = {
  title: 'std_msgs/String',
  type: 'object',
  properties: { data: { type: 'string' } },
  required: ['data'],
};

/** What a recording contains besides a motion. */
export interface Addition {
  /** Of all messages. */
  readonly schema: { readonly title: string };
  readonly messages: readonly { readonly topic: string; readonly time: number; readonly message: object }[];
  /** The scene from each time on, in the order of time. */
  readonly scenes: readonly { readonly time: number; readonly scene: Scene }[];
  readonly attachment: { readonly name: string; readonly text: string };
}

/** Encodes a motion: see `mcap`. */
export async function encode(
  trajectory: Trajectory,
  { robot, scene }: MotionSetting,
  added?: Addition,
): Promise<Uint8Array> {
  const { core, schemas } = await mcapPackages();
  const { JointStates, FrameTransforms, SceneUpdate } = schemas;
  const file = new core.TempBuffer();
  const writer = new core.McapWriter({ writable: file });
  await writer.start({ profile: '', library: 'elbowroom' });
  const writeRobot = await openTopic(writer, '/robot_description', TEXT_SCHEMA);
  const writeScene = await openTopic(writer, '/scene', SceneUpdate);
  const writeFrames = await openTopic(writer, '/tf', FrameTransforms);
  const writeJoints = await openTopic(writer, '/joint_states', JointStates);

  const names = robot.variables.map(({ name }) => name);
  const curve = new TrajectoryCurve(inJointOrder(trajectory, names));
  let frames = new LinkFrames(robot);
  const q = new Float64Array(curve.dof);
  const v = isStraight(trajectory) ? undefined : new Float64Array(curve.dof);
  await writeRobot(curve.start, { data: urdfText(robot.description) });
  await writeScene(curve.start, await sceneUpdate(robot, scene, curve.start));
  const topics = trajectory.segments && {
    segments: await openTopic(writer, '/segments', PROGRAM_SCHEMAS.segments),
    events: await openTopic(writer, '/events', PROGRAM_SCHEMAS.events),
    signals: await openTopic(writer, '/signals', PROGRAM_SCHEMAS.signals),
    scene: writeScene,
  };
  const messages = topics ? await programMessages(trajectory, curve, robot, scene) : [];
  for (const time of sampleTimes(curve)) {
    while (topics && messages.length > 0 && messages[0].time <= time) {
      const { topic, time: at, message } = messages.shift()!;
      await topics[topic](at, message);
    }
    curve.position(q, time);
    if (v) curve.velocity(v, time);
    await writeJoints(time, jointStates(names, time, q, v));
    const now = robotAt(robot, trajectory, time);
    const isOther = now !== frames.robot;
    if (isOther) frames = new LinkFrames(now);
    await writeFrames(time, frames.message(time, q, isOther || time === curve.start));
  }
  let before = scene;
  for (const { time, scene: after } of added?.scenes ?? []) {
    await writeScene(time, await sceneChange(before, after, time));
    before = after;
  }
  if (added) await writeAddition(writer, added);
  await attach(writer, MOTION, json.write(trajectory));
  await writer.end();
  return file.get();
}

async function writeAddition(writer: McapWriter, { schema, messages, attachment }: Addition): Promise<void> {
  const topics = new Map<string, (time: number, message: object) => Promise<void>>();
  for (const { topic, time, message } of messages) {
    const write = topics.get(topic) ?? (await openTopic(writer, topic, schema));
    topics.set(topic, write);
    await write(time, message);
  }
  await attach(writer, attachment.name, attachment.text);
}

async function attach(writer: McapWriter, name: string, text: string): Promise<void> {
  const data = new TextEncoder().encode(text);
  await writer.addAttachment({ name, mediaType: 'application/json', logTime: 0n, createTime: 0n, data });
}

/** Registers a topic of JSON messages and returns a function that writes one message. */
async function openTopic(writer: McapWriter, topic: string, schema: { readonly title?: unknown }) {
  const utf8 = new TextEncoder();
  const description = { name: String(schema.title), encoding: 'jsonschema', data: utf8.encode(JSON.stringify(schema)) };
  const schemaId = await writer.registerSchema(description);
  const channelId = await writer.registerChannel({ topic, messageEncoding: 'json', schemaId, metadata: new Map() });
  let sequence = 0;
  return async (time: number, message: object) => {
    const { sec, nsec } = stampOf(time);
    const logTime = BigInt(sec) * 1_000_000_000n + BigInt(nsec);
    const data = utf8.encode(JSON.stringify(message));
    await writer.addMessage({ channelId, sequence: sequence++, logTime, publishTime: logTime, data });
  };
}

/**
 * Returns the sampling times in seconds: steps of `INTERVAL` from the start; the last step, to the end, may be shorter.
 */
function sampleTimes({ start, end }: TrajectoryCurve): number[] {
  const count = requireSamples(Math.max(1, Math.ceil((end - start) / INTERVAL - 1e-9)), INTERVAL);
  const inner = Array.from({ length: count }, (_, k) => start + k * INTERVAL);
  return end > start ? [...inner, end] : [start];
}

/** Decodes a motion: see `mcap`. */
export async function decode(bytes: Uint8Array, file: string, robot: GivenRobot): Promise<Trajectory> {
  const texts = await attachmentsOf(bytes, file, MOTION);
  const [text] = texts;
  if (texts.length > 1)
    throw new InputError(
      `${file}: ${texts.length} attachments ${MOTION}`,
      'A recording holds one motion: keep one of them.',
    );
  if (text !== undefined) return readRecord(text, file);
  const { recordedMotion } = await import('./mcapMotion.ts');
  const recorded = await recordedMotion(bytes, file);
  if (recorded !== undefined && 'message' in recorded) return recordOf(recorded.message, recorded.message.file, robot);
  if (recorded !== undefined) {
    const { recordedStates } = await import('./mcapStates.ts');
    return recordedStates(recorded.states, `${file}: ${recorded.topic}`, robot);
  }
  throw new InputError(
    `${file}: no attachment ${MOTION}, and no message with a motion: JointTrajectory, RobotTrajectory, ` +
      'DisplayTrajectory or JointState',
    'Give the motion in another format: json, csv, ros-yaml.',
  );
}

/** Returns the texts of the attachments of a name. Throws `InputError` if the file is broken. */
export async function attachmentsOf(bytes: Uint8Array, file: string, name: string): Promise<string[]> {
  const core = await mcapCore();
  const texts: string[] = [];
  try {
    const reader = await core.McapIndexedReader.Initialize({ readable: new core.TempBuffer(bytes) });
    for await (const { data } of reader.readAttachments({ name })) texts.push(new TextDecoder().decode(data));
  } catch (error) {
    const [reason] = String(error instanceof Error ? error.message : error).split('\n');
    throw new InputError(`${file}: this MCAP file is broken: ${reason}`, 'Write it again.');
  }
  return texts;
}

/** A message about the segments, events and signals of a program. */
interface ProgramMessage {
  /** Name of its topic, without the slash. */
  readonly topic: 'segments' | 'events' | 'signals' | 'scene';
  /** Seconds. */
  readonly time: number;
  readonly message: object;
}

const STAMP = { type: 'object', properties: { sec: { type: 'integer' }, nsec: { type: 'integer' } } };

/** JSON Schemas of the messages: segments, events and signals as in trajectory files, with a time stamp. */
const PROGRAM_SCHEMAS = {
  segments: {
    title: 'elbowroom.ProgramSegment',
    type: 'object',
    properties: {
      timestamp: STAMP,
      step: { type: 'integer' },
      name: { type: 'string' },
      kind: { type: 'string' },
      from: { type: 'number' },
      to: { type: 'number' },
    },
    required: ['timestamp', 'step', 'kind', 'from', 'to'],
  },
  events: {
    title: 'elbowroom.ProgramEvent',
    type: 'object',
    properties: {
      timestamp: STAMP,
      step: { type: 'integer' },
      time: { type: 'number' },
      attach: { type: 'string' },
      link: { type: 'string' },
      detach: { type: 'string' },
      set: {},
      allow: { type: 'array' },
      forbid: { type: 'array' },
    },
    required: ['timestamp', 'step', 'time'],
  },
  signals: {
    title: 'elbowroom.ProgramSignal',
    type: 'object',
    properties: { timestamp: STAMP, step: { type: 'integer' }, time: { type: 'number' }, on: { type: 'boolean' } },
    required: ['timestamp', 'step', 'time', 'on'],
  },
} as const;

/**
 * Returns the messages of a program in the order of time: one for each segment at its start, one for each event and
 * signal, and one that moves an object between world and link where it is attached or detached.
 */
async function programMessages(
  trajectory: Trajectory,
  curve: TrajectoryCurve,
  robot: RobotModel,
  initial: Scene,
): Promise<ProgramMessage[]> {
  const { segments = [], events = [], signals = [] } = trajectory;
  const messages: ProgramMessage[] = segments.map((segment) => ({
    topic: 'segments',
    time: segment.from,
    message: { timestamp: stampOf(segment.from), ...segment },
  }));
  for (const { time, ...signal } of signals)
    messages.push({ topic: 'signals', time, message: { timestamp: stampOf(time), ...signal, time } });
  const q = new Float64Array(curve.dof);
  let scene = initial;
  for (const event of events) {
    const { time } = event;
    messages.push({ topic: 'events', time, message: { timestamp: stampOf(time), ...event } });
    const step = sceneStep(event);
    if (step === undefined) continue;
    curve.position(q, time);
    const state = new RobotState(robotAt(robot, trajectory, time));
    forwardKinematics(state, q);
    const linkPose = (link: string) => state.T_world_link[linkNamed(robot, link)].slice();
    const after = changedScene(scene, step, event.link ?? '', linkPose);
    messages.push({ topic: 'scene', time, message: await sceneChange(scene, after, time) });
    scene = after;
  }
  return messages.sort((one, other) => one.time - other.time);
}

/** Returns the step of an event that moves an object between world and link; undefined for the others. */
function sceneStep({ step: index, attach, link, detach }: TrajectoryEvent): EventStep | undefined {
  if (attach !== undefined && link !== undefined) return { kind: 'attach', index, object: attach, link, touches: [] };
  return detach === undefined ? undefined : { kind: 'detach', index, object: detach };
}
