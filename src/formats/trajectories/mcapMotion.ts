import { InputError, InputErrors } from '../../errors.ts';
import { type Diagnostic, parseSource, placeOf, type SourceText } from '../text/sourceText.ts';
import { CdrError, decodeCdr } from './cdr.ts';
import { mcapCore } from './mcapPackages.ts';
import { parseRosDefinitions, shortName } from './rosDefinition.ts';

/** Messages that contain a motion. */
const MOTIONS = ['trajectory_msgs/JointTrajectory', 'moveit_msgs/RobotTrajectory', 'moveit_msgs/DisplayTrajectory'];

/** A message as it is recorded. */
interface RecordedMessage {
  readonly topic: string;
  readonly encoding: string;
  readonly data: Uint8Array;
  readonly schema: { readonly name: string; readonly encoding: string; readonly data: Uint8Array };
}

/**
 * Decodes the only message with a motion in a recording of ROS 2; undefined if it has none. All records are read: an
 * index might omit messages. Throws `InputError` if there are several, or if the message cannot be decoded.
 */
export async function recordedMotion(bytes: Uint8Array, file: string): Promise<SourceText | undefined> {
  const found = await recordedMotions(bytes, file);
  if (found.length === 0) return undefined;
  if (found.length > 1) {
    const topics = [...new Set(found.map(({ topic }) => topic))].slice(0, 5).join(', ');
    throw new InputError(
      `${file}: ${found.length} messages with a motion, of ${topics}`,
      'Record one message, or write one to a file: ros2 topic echo --once --full-length.',
    );
  }
  const [message] = found;
  const place = `${file}: ${message.topic}`;
  const errors = async (diagnostics: readonly Diagnostic[]) =>
    new InputErrors(
      diagnostics.map(({ path, what, note }) => new InputError(`${place}: ${placeOf(path)}${what}`, note)),
    );
  return { file: place, data: await dataOf(message, place), errors };
}

async function recordedMotions(bytes: Uint8Array, file: string): Promise<RecordedMessage[]> {
  const core = await mcapCore();
  const reader = new core.McapStreamReader();
  const schemas = new Map<number, RecordedMessage['schema']>();
  const channels = new Map<number, Omit<RecordedMessage, 'data'>>();
  const found: RecordedMessage[] = [];
  try {
    reader.append(bytes);
    for (let record = reader.nextRecord(); record !== undefined; record = reader.nextRecord()) {
      if (record.type === 'Schema') schemas.set(record.id, record);
      if (record.type === 'Channel') {
        const schema = schemas.get(record.schemaId);
        if (schema !== undefined && MOTIONS.includes(shortName(schema.name)))
          channels.set(record.id, { topic: record.topic, encoding: record.messageEncoding, schema });
      }
      const channel = record.type === 'Message' ? channels.get(record.channelId) : undefined;
      if (channel !== undefined && record.type === 'Message') found.push({ ...channel, data: record.data });
    }
  } catch (error) {
    const [reason] = String(error instanceof Error ? error.message : error).split('\n');
    const isPacked = /compression/.test(reason);
    throw new InputError(
      `${file}: ${isPacked ? 'this recording' : 'this MCAP file'} cannot be read: ${reason}`,
      isPacked ? 'Store it without compression (ros2 bag convert).' : 'Record it again.',
    );
  }
  if (!reader.done()) throw new InputError(`${file}: this MCAP file is cut off`, 'Record it again.');
  return found;
}

async function dataOf({ schema, encoding, data }: RecordedMessage, place: string): Promise<unknown> {
  if (encoding === 'json') {
    try {
      const text = new TextDecoder('utf-8', { fatal: true }).decode(data);
      JSON.parse(text);
      return (await parseSource(text, place)).data; // refuses keys that occur twice
    } catch (error) {
      if (error instanceof InputError) throw error;
      throw new InputError(`${place}: the message is not JSON`);
    }
  }
  if (encoding !== 'cdr' || schema.encoding !== 'ros2msg')
    throw new InputError(
      `${place}: messages encoded as ${JSON.stringify(encoding)} with a schema as ${JSON.stringify(schema.encoding)} ` +
        'are not supported',
      'Those of ROS 2 are: cdr with ros2msg, or json.',
    );
  const definitions = parseRosDefinitions(new TextDecoder().decode(schema.data), schema.name);
  if (typeof definitions === 'string') throw new InputError(`${place}: its schema is not understood: ${definitions}`);
  try {
    return decodeCdr(data, definitions, shortName(schema.name));
  } catch (error) {
    if (!(error instanceof CdrError)) throw error;
    throw new InputError(`${place}: this message is broken: ${error.message}`, 'Record it again.');
  }
}
