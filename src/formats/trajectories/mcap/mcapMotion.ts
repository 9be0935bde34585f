import { InputError, InputErrors, parseJson } from '../../../errors.ts';
import { type Diagnostic, parseSource, placeOf, type SourceText } from '../../text/sourceText.ts';
import { CdrError, decodeCdr } from '../cdr.ts';
import { parseRosDefinitions, shortName } from '../rosDefinition.ts';
import { mcapCore } from './mcapPackages.ts';

/** Messages that contain a motion. */
const MOTIONS = ['trajectory_msgs/JointTrajectory', 'moveit_msgs/RobotTrajectory', 'moveit_msgs/DisplayTrajectory'];

/** Measured or commanded positions of joints at one instant. */
const STATES = 'sensor_msgs/JointState';

/** A message as it is recorded. */
export interface RecordedMessage {
  readonly topic: string;
  readonly encoding: string;
  /** Nanoseconds: when it was recorded. */
  readonly logTime: bigint;
  readonly data: Uint8Array;
  readonly schema: { readonly name: string; readonly encoding: string; readonly data: Uint8Array };
}

/** The motion in a recording: a message that contains one, or the joint states of one topic. */
export type RecordedMotion =
  | { readonly message: SourceText }
  | { readonly states: readonly RecordedMessage[]; readonly topic: string };

/**
 * Decodes the only message with a motion in a recording of ROS 2, or else finds its joint states; undefined if it has
 * neither. All records are read: an index might omit messages. Throws `InputError` if there are several such messages,
 * or joint states of several topics, or if the message cannot be decoded.
 */
export async function recordedMotion(bytes: Uint8Array, file: string): Promise<RecordedMotion | undefined> {
  const all = await recordedMessages(bytes, file);
  const found = all.filter(({ schema }) => shortName(schema.name) !== STATES);
  const topicsOf = (messages: readonly RecordedMessage[]) => [...new Set(messages.map(({ topic }) => topic))];
  if (found.length === 0) {
    const topics = topicsOf(all);
    if (topics.length > 1)
      throw new InputError(
        `${file}: joint states of several topics: ${topics.slice(0, 5).join(', ')}`,
        'Record one of them: ros2 bag record -s mcap TOPIC.',
      );
    return topics.length === 0 ? undefined : { states: all, topic: topics[0] };
  }
  if (found.length > 1) {
    const topics = topicsOf(found).slice(0, 5).join(', ');
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
  return { message: { file: place, data: await dataOf(message, place), errors } };
}

/** Returns the messages with a motion or joint states, in the order of the file. */
async function recordedMessages(bytes: Uint8Array, file: string): Promise<RecordedMessage[]> {
  const core = await mcapCore();
  const reader = new core.McapStreamReader();
  const schemas = new Map<number, RecordedMessage['schema']>();
  const channels = new Map<number, Omit<RecordedMessage, 'data' | 'logTime'>>();
  const found: RecordedMessage[] = [];
  try {
    reader.append(bytes);
    for (let record = reader.nextRecord(); record !== undefined; record = reader.nextRecord()) {
      if (record.type === 'Schema') schemas.set(record.id, record);
      if (record.type === 'Channel') {
        const schema = schemas.get(record.schemaId);
        if (schema !== undefined && [...MOTIONS, STATES].includes(shortName(schema.name)))
          channels.set(record.id, { topic: record.topic, encoding: record.messageEncoding, schema });
      }
      const channel = record.type === 'Message' ? channels.get(record.channelId) : undefined;
      if (channel !== undefined && record.type === 'Message')
        found.push({ ...channel, logTime: record.logTime, data: record.data });
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

/** Decodes a message. Throws `InputError` if that is impossible. @param place prefix of the error */
export async function dataOf({ schema, encoding, data }: RecordedMessage, place: string): Promise<unknown> {
  if (encoding === 'json') {
    let text: string;
    try {
      text = new TextDecoder('utf-8', { fatal: true }).decode(data);
    } catch {
      throw new InputError(`${place}: the message is not JSON`);
    }
    parseJson(text, place, 'the message is not JSON');
    return (await parseSource(text, place)).data; // refuses keys that occur twice
  }
  if (encoding !== 'cdr' || schema.encoding !== 'ros2msg')
    throw new InputError(
      `${place}: messages encoded as ${JSON.stringify(encoding)} with a schema as ${JSON.stringify(schema.encoding)} ` +
        'are not supported',
      'Those of ROS 2 are: cdr with ros2msg, or json.',
    );
  const text = new TextDecoder().decode(schema.data);
  if (text.trim() === '')
    throw new InputError(
      `${place}: its schema ${schema.name} has no definition`,
      'Record it with ros2 bag record -s mcap, which stores the definitions of messages.',
    );
  const definitions = parseRosDefinitions(text, schema.name);
  if (typeof definitions === 'string') throw new InputError(`${place}: its schema is not understood: ${definitions}`);
  try {
    return decodeCdr(data, definitions, shortName(schema.name));
  } catch (error) {
    if (!(error instanceof CdrError)) throw error;
    throw new InputError(`${place}: this message is broken: ${error.message}`, 'Record it again.');
  }
}
