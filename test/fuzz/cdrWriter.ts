import type { RosDefinitions, RosField } from '../../src/formats/trajectories/rosDefinition.ts';
import { parseRosDefinitions, shortName } from '../../src/formats/trajectories/rosDefinition.ts';
import { encode } from './encode.ts';

type Fields = Readonly<Record<string, unknown>>;

/** A message of ROS 2 to be recorded. */
export interface MotionMessage {
  /** Name of its schema: PACKAGE/msg/NAME. */
  readonly name: string;
  readonly schema: string;
  readonly value: Fields;
}

/** Serializes a message as its schema says, and returns the offsets of all lengths; fields without a value are zero. */
export function encodeCdr({ name, schema, value }: MotionMessage, isLittle = true) {
  const definitions = parseRosDefinitions(schema, name);
  const writer = new CdrWriter(isLittle);
  if (typeof definitions !== 'string') writer.message(definitions, shortName(name), value, 0);
  return { bytes: Uint8Array.from([0, isLittle ? 1 : 0, 0, 0, ...writer.bytes]), lengths: writer.lengths };
}

/** Bytes at which a message ends, whatever its schema says: changed schemas can state arrays of arrays. */
const LONGEST = 20_000;
/** Bytes of numbers; other types take one. */
const sizes: Readonly<Record<string, number>> = {
  int16: 2,
  uint16: 2,
  int32: 4,
  uint32: 4,
  float32: 4,
  int64: 8,
  uint64: 8,
  float64: 8,
};

class CdrWriter {
  readonly bytes: number[] = [];
  readonly lengths: number[] = [];
  private readonly isLittle: boolean;

  constructor(isLittle: boolean) {
    this.isLittle = isLittle;
  }

  message(definitions: RosDefinitions, name: string, value: unknown, depth: number): void {
    const fields = definitions.get(name) ?? [];
    if (fields.length === 0 || depth > 8) this.bytes.push(0);
    else for (const field of fields) this.field(definitions, field, (value as Fields | undefined)?.[field.name], depth);
  }

  private field(definitions: RosDefinitions, { type, length }: RosField, value: unknown, depth: number): void {
    const list = length === undefined ? [value] : Array.isArray(value) ? value : [];
    if (length === 'sequence') this.length(list.length);
    const count = typeof length === 'number' ? Math.min(length, 50) : list.length;
    for (let i = 0; i < count && this.bytes.length < LONGEST; i++) {
      if (definitions.has(type)) this.message(definitions, type, list[i], depth + 1);
      else if (type === 'string') this.text(String(list[i] ?? ''));
      else this.number(type, Number(list[i] ?? 0) || (Number.isNaN(list[i]) ? Number.NaN : 0));
    }
  }

  private length(value: number): void {
    this.align(4);
    this.lengths.push(this.bytes.length);
    this.number('uint32', value);
  }

  private text(value: string): void {
    const bytes = encode(value);
    this.length(bytes.length + 1);
    this.bytes.push(...bytes, 0);
  }

  private number(type: string, value: number): void {
    const size = sizes[type] ?? 1;
    this.align(size);
    const view = new DataView(new ArrayBuffer(8));
    if (type === 'float64') view.setFloat64(0, value, this.isLittle);
    else if (type === 'float32') view.setFloat32(0, value, this.isLittle);
    else if (size === 8)
      view.setBigInt64(0, BigInt(Math.max(-1e18, Math.min(1e18, Math.trunc(value) || 0))), this.isLittle);
    else if (size === 4) view.setUint32(0, value, this.isLittle);
    else if (size === 2) view.setUint16(0, value, this.isLittle);
    else view.setUint8(0, type === 'bool' ? Number(value !== 0) : value);
    this.bytes.push(...new Uint8Array(view.buffer, 0, size));
  }

  private align(size: number): void {
    while (this.bytes.length % size !== 0) this.bytes.push(0);
  }
}
