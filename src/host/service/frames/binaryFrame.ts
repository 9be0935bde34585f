import { endianness } from 'node:os';
import {
  encodeFrame,
  FLOAT_BYTES as FLOAT,
  FRAME_MAGIC as MAGIC,
  FRAME_PREFIX as PREFIX,
  FRAME_VERSION as VERSION,
} from '../../client/clientFrame.ts';
import { RpcError } from '../jsonRpc.ts';
import { parseMessage } from '../messageText.ts';

/** First byte of a frame. No JSON text begins with it: it is not even valid UTF-8. */
export const FIRST_BYTE = 0x93;
const MAGIC_BYTES = Buffer.of(FIRST_BYTE, 0x45, 0x4c, 0x42);
/** Limit of the header, bytes. */
const MAX_HEADER = 65_536;
const IS_BIG_ENDIAN = endianness() === 'BE';

/** Array of a frame. */
export interface FrameArray {
  readonly name: string;
  readonly shape: readonly number[];
  /** Items in row-major order. */
  readonly data: Float64Array;
}

/** Result of a method as a frame. */
export interface FrameResult {
  /** JSON text. */
  readonly result: string;
  readonly arrays: readonly FrameArray[];
}

/** A frame without its arrays. */
export interface RawFrame {
  /** Parsed JSON header. */
  readonly header: unknown;
  /** All numbers of the payload; may share memory with the frame. */
  readonly payload: Float64Array;
}

/**
 * Returns the total length of a frame, bytes, from its prefix; undefined if the prefix is not one. A frame:
 *
 *     byte 0    93 45 4C 42           magic
 *          4    uint32 = 1            version
 *          8    uint32 H              length of the header, a multiple of 8, at most 65,536
 *         12    uint32 P              length of the payload, a multiple of 8
 *         16    H bytes               JSON in UTF-8, padded with spaces
 *     16 + H    P bytes               float64 numbers: the arrays one after the other
 *
 * All integers and numbers are little-endian.
 */
export function frameLength(prefix: Buffer): number | undefined {
  if (prefix.length < PREFIX || prefix.readUInt32LE(0) !== MAGIC) return undefined;
  return PREFIX + prefix.readUInt32LE(8) + prefix.readUInt32LE(12);
}

/**
 * Returns the total length of the frame that begins with the bytes of `first` and then `second`; Infinity if the prefix
 * is incomplete; undefined if they do not begin a frame.
 */
export function lengthOfBeginning(first: Buffer, second: Buffer): number | undefined {
  const known = Math.min(PREFIX, first.length + second.length);
  const prefix = Buffer.concat([first.subarray(0, PREFIX), second.subarray(0, PREFIX)], known);
  if (known === PREFIX) return frameLength(prefix);
  return MAGIC_BYTES.subarray(0, Math.min(known, 4)).equals(prefix.subarray(0, 4))
    ? Number.POSITIVE_INFINITY
    : undefined;
}

/** Reads a frame. Throws `RpcError` that names the fault if it is malformed. */
export function readFrame(bytes: Buffer): RawFrame {
  const length = frameLength(bytes);
  if (length === undefined)
    throw malformed(
      bytes.length < PREFIX
        ? `it has ${bytes.length} bytes, a prefix has ${PREFIX}`
        : 'it does not begin with 93454c42',
    );
  const [version, header, payload] = [4, 8, 12].map((at) => bytes.readUInt32LE(at));
  if (version !== VERSION) throw malformed(`version ${version}; this service reads version ${VERSION}`);
  if (header > MAX_HEADER) throw malformed(`a header of ${header} bytes; the limit is ${MAX_HEADER}`);
  for (const [what, count] of [
    ['header', header],
    ['payload', payload],
  ] as const)
    if (count % FLOAT !== 0) throw malformed(`the length of the ${what}, ${count}, is not a multiple of ${FLOAT}`);
  if (length !== bytes.length)
    throw malformed(`it has ${bytes.length} bytes, but its prefix states ${PREFIX} + ${header} + ${payload}`);
  const text = bytes.toString('utf8', PREFIX, PREFIX + header);
  return { header: parseMessage(text), payload: numbersOf(bytes.subarray(PREFIX + header)) };
}

/** Returns a frame. @param header JSON text */
export function frameOf(header: string, arrays: readonly FrameArray[] = []): Buffer {
  return Buffer.from(encodeFrame(header, ...arrays.map(({ data }) => data)).buffer);
}

/** Returns the frame of a response. @param id JSON text  @param result JSON text */
export function resultFrame(id: string, result: string, arrays: readonly FrameArray[]): Buffer {
  const shapes = JSON.stringify(Object.fromEntries(arrays.map(({ name, shape }) => [name, shape])));
  return frameOf(`{"jsonrpc":"2.0","id":${id},"result":${result},"arrays":${shapes}}`, arrays);
}

/** Returns the error about a malformed frame. */
export function malformed(what: string): RpcError {
  return new RpcError('invalidFrame', `frame: ${what}`, 'docs/serve.md describes the format of binary frames.');
}

/** Views bytes as numbers; copies them if they are not aligned. */
function numbersOf(bytes: Buffer): Float64Array {
  const isAligned = bytes.byteOffset % FLOAT === 0 && !IS_BIG_ENDIAN;
  if (isAligned) return new Float64Array(bytes.buffer, bytes.byteOffset, bytes.length / FLOAT);
  const copy = new Uint8Array(bytes); // a copy with a buffer of its own
  if (IS_BIG_ENDIAN) Buffer.from(copy.buffer).swap64();
  return new Float64Array(copy.buffer);
}
