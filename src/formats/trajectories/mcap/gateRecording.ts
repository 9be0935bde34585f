import type { Trajectory } from '../../../core/trajectory/trajectory.ts';
import { InputError, parseJson } from '../../../errors.ts';
import type { MotionSetting } from '../trajectoryFormat.ts';
import { type Addition, attachmentsOf, encode } from './mcapFile.ts';

/** Name of the attachment with the messages of a gate. */
const GATE = 'gate.json';
const LINE_SCHEMA = { title: 'elbowroom/GateLine', type: 'object', properties: { text: { type: 'string' } } };

/** Messages to a gate, and the options that its answers depend on. */
export interface GateRecording {
  readonly lead: number;
  readonly budget: number;
  /** True: detours are planned; undefined: false. */
  readonly repair?: boolean;
  readonly lines: readonly GateLine[];
}

/** A line that a gate read. */
export interface GateLine {
  /** Time of the gate after it, seconds. */
  readonly time: number;
  readonly message: string;
  /** Undefined for a blank line. */
  readonly answer?: string | undefined;
}

/** Encodes what was executed and is committed, with all messages, answers and changes of the scene. */
export function encodeGate(
  recording: GateRecording,
  scenes: Addition['scenes'],
  trajectory: Trajectory,
  setting: MotionSetting,
) {
  const topic = (name: string, textOf: (line: GateLine) => string | undefined) =>
    recording.lines.flatMap((line) => {
      const text = textOf(line);
      return text === undefined ? [] : [{ topic: name, time: line.time, message: { text } }];
    });
  const messages = [
    ...topic('/gate/messages', ({ message }) => message),
    ...topic('/gate/answers', ({ answer }) => answer),
  ];
  const text = JSON.stringify({ format: 'elbowroom-gate/1', ...recording });
  return encode(trajectory, setting, { schema: LINE_SCHEMA, messages, scenes, attachment: { name: GATE, text } });
}

/** Decodes the messages of a recording. Throws `InputError` if it has none. */
export async function decodeGate(bytes: Uint8Array, file: string): Promise<GateRecording> {
  const [text] = await attachmentsOf(bytes, file, GATE);
  if (text === undefined)
    throw new InputError(`${file}: no attachment ${GATE}`, 'Recordings of gates are written by gate --record.');
  const {
    format,
    lead,
    budget,
    repair = false,
    lines,
  } = (parseJson(text, file) ?? {}) as Partial<GateRecording> & {
    format?: unknown;
  };
  const isLine = (line: unknown) => typeof (line as GateLine | null)?.message === 'string';
  const isOptions = typeof lead === 'number' && typeof budget === 'number' && typeof repair === 'boolean';
  const isWhole = isOptions && Array.isArray(lines) && lines.every(isLine);
  if (format === 'elbowroom-gate/1' && isWhole) return { lead, budget, repair, lines };
  throw new InputError(`${file}: ${GATE} is not of the format elbowroom-gate/1`, 'Write it again by gate --record.');
}
