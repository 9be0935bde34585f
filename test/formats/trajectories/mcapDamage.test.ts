import { McapWriter, TempBuffer } from '@mcap/core';
import { expect, test } from 'vitest';
import { Random } from '../../../src/core/math/random.ts';
import { InputError } from '../../../src/errors.ts';
import { readTrajectory } from '../../../src/formats/trajectories/index.ts';

const utf8 = (text: string) => new TextEncoder().encode(text);
const motion = JSON.stringify({
  format: 'elbowroom-trajectory/1',
  joint_names: ['a'],
  points: [{ positions: [0] }, { positions: [0.1] }],
});

/** A recording with a CDR channel, a channel without a schema, and attachments named like the motion. */
async function recording(...attachments: Uint8Array[]): Promise<Uint8Array> {
  const file = new TempBuffer();
  const writer = new McapWriter({ writable: file });
  await writer.start({ profile: 'ros2', library: 'other' });
  const definition = { name: 'trajectory_msgs/msg/JointTrajectory', encoding: 'ros2msg', data: utf8('float64 x') };
  const schemaId = await writer.registerSchema(definition);
  const messages: [number, string, Uint8Array][] = [
    [schemaId, 'cdr', Uint8Array.of(0, 1, 0, 0, 255, 255, 255, 255)],
    [0, 'json', utf8('{}')],
  ];
  for (const [id, messageEncoding, data] of messages) {
    const topic = `/${messageEncoding}`;
    const channelId = await writer.registerChannel({ topic, messageEncoding, schemaId: id, metadata: new Map() });
    await writer.addMessage({ channelId, sequence: 0, logTime: 0n, publishTime: 0n, data });
  }
  for (const data of attachments)
    await writer.addAttachment({ name: 'trajectory.json', mediaType: '', logTime: 0n, createTime: 0n, data });
  await writer.end();
  return file.get();
}

const read = (bytes: Uint8Array) => readTrajectory(bytes, 'motion.mcap', ['a']);

test('the attachment is read whatever the channels contain', async () => {
  expect((await read(await recording(utf8(motion)))).points).toHaveLength(2);
});

test.each([
  ['no attachment', []],
  ['two attachments', [motion, motion]],
  ['no text', ['']],
  ['another type', ['7']],
  ['points of another type', [motion.replace('[{"positions"', '{"0":{"positions"').replace('}]}', '}}}')]],
  ['names of another type', [motion.replace('["a"]', '{"0":"a"}')]],
  ['positions of another type', [motion.replace('[0.1]', '"0.1"')]],
])('%s: bad input', async (_, texts) => {
  await expect(read(await recording(...texts.map(utf8)))).rejects.toThrow(InputError);
});

test('damaged bytes and impossible lengths are bad input', async () => {
  const whole = await recording(utf8(motion));
  const random = new Random(3);
  const lengths = [2n ** 64n - 1n, 2n ** 63n - 1n, 2n ** 32n, 2n ** 31n, 0n];
  for (let k = 0; k < 1500; k++) {
    const bytes = whole.slice(0, random.next() < 0.1 ? random.below(whole.length) : whole.length);
    if (bytes.length < 8) continue;
    const at = random.below(bytes.length - 7);
    if (random.next() < 0.5) bytes[at] ^= 1 << random.below(8);
    else new DataView(bytes.buffer).setBigUint64(at, lengths[random.below(lengths.length)], true);
    const result = await read(bytes).catch((error: unknown) => error);
    if (result instanceof Error) expect(result, `mutation ${k}`).toBeInstanceOf(InputError);
    else expect((result as { points: unknown[] }).points).toHaveLength(2);
  }
});
