import { isPrimitive, type RosDefinitions, type RosField } from './rosDefinition.ts';

/** Limit of nested messages: a definition that contains itself has no end. */
const MAX_DEPTH = 30;

/** An error in a serialized message. */
export class CdrError extends Error {}

/**
 * Decodes a message in the Common Data Representation that ROS 2 records (XCDR version 1, plain)
 * [DDSXTypes §7.4.1]. Throws `CdrError` if the bytes are not such a message, or if bytes are left.
 */
export function decodeCdr(bytes: Uint8Array, definitions: RosDefinitions, name: string): unknown {
  const reader = new CdrReader(bytes);
  const message = readMessage(reader, definitions, name, 0);
  // Writers may pad the message to a multiple of 4 bytes.
  if (reader.left >= 4) throw new CdrError(`${reader.left} bytes follow the message`);
  return message;
}

function readMessage(reader: CdrReader, definitions: RosDefinitions, name: string, depth: number): unknown {
  const fields = definitions.get(name);
  if (fields === undefined) throw new CdrError(`${name} is not defined`);
  if (depth > MAX_DEPTH) throw new CdrError(`messages are nested more than ${MAX_DEPTH} deep`);
  if (fields.length === 0) reader.number('uint8'); // a message without fields has one byte
  return Object.fromEntries(fields.map((field) => [field.name, readField(reader, definitions, field, depth)]));
}

function readField(reader: CdrReader, definitions: RosDefinitions, { type, length }: RosField, depth: number): unknown {
  const readOne = () => {
    if (type === 'string') return reader.string();
    return isPrimitive(type) ? reader.number(type) : readMessage(reader, definitions, type, depth + 1);
  };
  if (length === undefined) return readOne();
  const count = length === 'sequence' ? Number(reader.number('uint32')) : length;
  // Each element has one byte at least: a damaged count is found before memory is allocated for it.
  if (count > reader.left) throw new CdrError(`${count} elements are stated, ${reader.left} bytes are left`);
  const list: unknown[] = [];
  for (let i = 0; i < count; i++) list.push(readOne());
  return list;
}

/** Reads values at the alignment that their sizes require. */
class CdrReader {
  private readonly view: DataView;
  private readonly isLittle: boolean;
  /** Offset after the header of four bytes: alignment is counted from there. */
  private at = 0;

  constructor(bytes: Uint8Array) {
    if (bytes.length < 4) throw new CdrError('the message has no header');
    const kind = 256 * bytes[0] + bytes[1];
    if (kind > 1) throw new CdrError(`its representation 0x${kind.toString(16).padStart(4, '0')} is not plain CDR`);
    this.isLittle = kind === 1;
    this.view = new DataView(bytes.buffer, bytes.byteOffset + 4, bytes.byteLength - 4);
  }

  /** Number of bytes that are left. */
  get left(): number {
    return this.view.byteLength - this.at;
  }

  /** Reads a number, or a truth value of type bool. */
  number(type: string): number | boolean {
    const [size, read] = NUMBERS[type] ?? [0];
    const at = this.take(size, size, type);
    const value = read!(this.view, at, this.isLittle);
    if (type !== 'bool') return typeof value === 'bigint' ? exact(value) : value;
    if (value > 1) throw new CdrError(`a bool is ${value}`);
    return value === 1;
  }

  /** Reads a text in UTF-8, which ends in NUL. */
  string(): string {
    const length = this.number('uint32') as number;
    if (length === 0) return ''; // some writers omit the NUL of an empty text
    const at = this.take(length, 1, 'string');
    const bytes = new Uint8Array(this.view.buffer, this.view.byteOffset + at, length);
    if (bytes[length - 1] !== 0) throw new CdrError('a text does not end in NUL');
    try {
      return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes.subarray(0, length - 1));
    } catch {
      throw new CdrError('a text is not UTF-8');
    }
  }

  /** Returns the offset of the next value, and goes behind it. */
  private take(size: number, alignment: number, type: string): number {
    if (size === 0) throw new CdrError(`${type} is not supported`);
    const at = Math.ceil(this.at / alignment) * alignment;
    if (at + size > this.view.byteLength) throw new CdrError('the message is cut off');
    this.at = at + size;
    return at;
  }
}

type ReadNumber = (view: DataView, at: number, isLittle: boolean) => number | bigint;
const byte: ReadNumber = (view, at) => view.getUint8(at);

/** Bytes and reader of each type. Texts of two bytes per character are not read. */
const NUMBERS: Readonly<Record<string, readonly [number, ReadNumber] | undefined>> = {
  bool: [1, byte],
  byte: [1, byte],
  char: [1, byte],
  uint8: [1, byte],
  int8: [1, (view, at) => view.getInt8(at)],
  int16: [2, (view, at, isLittle) => view.getInt16(at, isLittle)],
  uint16: [2, (view, at, isLittle) => view.getUint16(at, isLittle)],
  int32: [4, (view, at, isLittle) => view.getInt32(at, isLittle)],
  uint32: [4, (view, at, isLittle) => view.getUint32(at, isLittle)],
  int64: [8, (view, at, isLittle) => view.getBigInt64(at, isLittle)],
  uint64: [8, (view, at, isLittle) => view.getBigUint64(at, isLittle)],
  float32: [4, (view, at, isLittle) => view.getFloat32(at, isLittle)],
  float64: [8, (view, at, isLittle) => view.getFloat64(at, isLittle)],
};

function exact(value: bigint): number {
  if (BigInt(Number(value)) === value) return Number(value);
  throw new CdrError(`${value} has more than 53 bits`);
}
