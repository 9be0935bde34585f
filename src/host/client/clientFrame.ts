/** The bytes 93 45 4C 42 (`ELB`), read as a little-endian integer. */
export const FRAME_MAGIC = 0x424c4593;
/** Version of the format. */
export const FRAME_VERSION = 1;
/** Length of the prefix of a frame, bytes. */
export const FRAME_PREFIX = 16;
/** Length of a float64, bytes: header and payload are multiples of it, so that arrays are aligned. */
export const FLOAT_BYTES = Float64Array.BYTES_PER_ELEMENT;

const IS_BIG_ENDIAN = new Uint8Array(Uint16Array.of(1).buffer)[0] === 0;

/** Response of the service as a binary frame. */
export interface ResponseFrame {
  /** Parsed JSON header. */
  readonly header: Readonly<Record<string, unknown>>;
  /** Arrays by name, in row-major order. */
  readonly arrays: Readonly<Record<string, { readonly shape: readonly number[]; readonly data: Float64Array }>>;
}

/** Returns the bytes of a binary frame: prefix, JSON header and float64 numbers (docs/serve.md, "Binary frames"). */
export function encodeFrame(header: object | string, ...arrays: readonly Float64Array[]): Uint8Array<ArrayBuffer> {
  const text = new TextEncoder().encode(typeof header === 'string' ? header : JSON.stringify(header));
  const length = Math.ceil(text.length / FLOAT_BYTES) * FLOAT_BYTES;
  const payload = arrays.reduce((sum, { byteLength }) => sum + byteLength, 0);
  const bytes = new Uint8Array(FRAME_PREFIX + length + payload);
  const view = new DataView(bytes.buffer);
  for (const [i, value] of [FRAME_MAGIC, FRAME_VERSION, length, payload].entries()) view.setUint32(4 * i, value, true);
  bytes.fill(0x20, FRAME_PREFIX, FRAME_PREFIX + length).set(text, FRAME_PREFIX);
  let at = FRAME_PREFIX + length;
  for (const { buffer, byteOffset, byteLength } of arrays) {
    bytes.set(new Uint8Array(buffer, byteOffset, byteLength), at);
    at += byteLength;
  }
  if (IS_BIG_ENDIAN) swap(bytes.subarray(FRAME_PREFIX + length));
  return bytes;
}

/** Reads a response of the service. Throws if it is no frame of this version. */
export function decodeFrame(bytes: Uint8Array): ResponseFrame {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  const at = (i: number) => view.getUint32(4 * i, true);
  if (bytes.length < FRAME_PREFIX || at(0) !== FRAME_MAGIC || at(1) !== FRAME_VERSION)
    throw new Error('the service sent a binary message that is no frame of version 1');
  const start = FRAME_PREFIX + at(2);
  if (start + at(3) !== bytes.length || at(2) % FLOAT_BYTES !== 0 || at(3) % FLOAT_BYTES !== 0)
    throw new Error('the service sent a frame of a wrong length');
  const header = JSON.parse(new TextDecoder().decode(bytes.subarray(FRAME_PREFIX, start)));
  const payload = numbersOf(bytes.subarray(start));
  const arrays: Record<string, { shape: readonly number[]; data: Float64Array }> = {};
  let from = 0;
  for (const [name, shape] of Object.entries((header.arrays ?? {}) as Record<string, readonly number[]>)) {
    const count = shape.reduce((product, size) => product * size, 1);
    arrays[name] = { shape, data: payload.subarray(from, from + count) };
    from += count;
  }
  if (from !== payload.length) throw new Error('the service sent a frame whose arrays do not fit its payload');
  return { header, arrays };
}

/** Copies little-endian numbers, which need not be aligned. */
function numbersOf(bytes: Uint8Array): Float64Array {
  const copy = new Uint8Array(bytes); // not `slice`, which shares the memory of a Buffer
  if (IS_BIG_ENDIAN) swap(copy);
  return new Float64Array(copy.buffer, 0, copy.length / FLOAT_BYTES);
}

function swap(bytes: Uint8Array): void {
  for (let at = 0; at < bytes.length; at += FLOAT_BYTES) bytes.subarray(at, at + FLOAT_BYTES).reverse();
}
