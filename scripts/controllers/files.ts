import { McapIndexedReader, TempBuffer } from '@mcap/core';
import type { Message, MessagePoint } from './jointTrajectoryController.ts';

/**
 * What a file makes its controller do: a message for the joint trajectory controller, or set points that a UR robot
 * follows one by one.
 */
export interface Program {
  readonly controller: 'jtc' | 'servoj';
  readonly message: Message;
}

/** Reads what elbowroom wrote, by plain text searches: nothing of the project's readers is used. */
export async function programOf(
  format: string,
  content: string | Uint8Array,
  joints: readonly string[],
): Promise<Program> {
  if (format === 'mcap') return { controller: 'jtc', message: jsonMessage(await attachment(content as Uint8Array)) };
  const text = content as string;
  if (format === 'json') return { controller: 'jtc', message: jsonMessage(text) };
  if (format === 'ros-yaml') return { controller: 'jtc', message: yamlMessage(text) };
  if (format === 'csv') return { controller: 'jtc', message: csvMessage(text, joints.length) };
  if (format === 'klampt') return { controller: 'jtc', message: klamptMessage(text, joints) };
  if (format === 'urscript') return { controller: 'servoj', message: servojMessage(text, joints) };
  throw new Error(`no player for ${format}`);
}

/** The points go into the message as they are: a controller does not know the word `interpolation`. */
function jsonMessage(text: string): Message {
  const { joint_names: joints, points } = JSON.parse(text);
  return {
    joints,
    points: points.map(
      (point: Record<string, unknown>) => ({ ...point, time: point.time_from_start }) as unknown as MessagePoint,
    ),
  };
}

async function attachment(bytes: Uint8Array): Promise<string> {
  const reader = await McapIndexedReader.Initialize({ readable: new TempBuffer(bytes) });
  for await (const { data } of reader.readAttachments({ name: 'trajectory.json' }))
    return new TextDecoder().decode(data);
  throw new Error('no trajectory in the recording');
}

function yamlMessage(text: string): Message {
  const list = (line: string | undefined) => line?.split(',').filter((item) => item.trim() !== '');
  const field = (block: string, name: string) =>
    list(new RegExp(`${name}: \\[([^\\]]*)\\]`).exec(block)?.[1])?.map(Number);
  const joints = list(/joint_names: \[([^\]]*)\]/.exec(text)?.[1])!.map((name) => name.trim());
  const blocks = text.split(/\n {2}- /).slice(1);
  const points = blocks.map((block) => {
    const [, sec, nanosec] = /sec: (\d+), nanosec: (\d+)/.exec(block)!;
    return {
      time: Number(sec) + Number(nanosec) / 1e9,
      positions: field(block, 'positions')!,
      velocities: field(block, 'velocities'),
      accelerations: field(block, 'accelerations'),
    };
  });
  return { joints, points };
}

function csvMessage(text: string, dof: number): Message {
  const [header, ...rows] = text.trim().split('\n');
  const points = rows.map((row) => {
    const [time, ...values] = row.split(',').map(Number);
    const part = (k: number) => (values.length >= (k + 1) * dof ? values.slice(k * dof, (k + 1) * dof) : undefined);
    return { time, positions: part(0)!, velocities: part(1), accelerations: part(2) };
  });
  return { joints: header.split(',').slice(1, 1 + dof), points };
}

function klamptMessage(text: string, joints: readonly string[]): Message {
  const points = text
    .trim()
    .split('\n')
    .map((line) => {
      const [time, , ...values] = line.split(/\s+/).map(Number);
      const velocities = values.length > joints.length ? values.slice(joints.length) : undefined;
      return { time, positions: values.slice(0, joints.length), velocities };
    });
  return { joints, points };
}

/** Each servoj is reached when its time is over; the robot stands at the first one when the program begins. */
function servojMessage(text: string, joints: readonly string[]): Message {
  let time = 0;
  const points = [...text.matchAll(/^\s*servoj\(\[([^\]]*)\], t=([\d.]+)/gm)].map(([, values, t], i) => {
    if (i > 0) time += Number(t);
    return { time, positions: values.split(',').map(Number) };
  });
  return { joints, points };
}
