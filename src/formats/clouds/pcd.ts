import { InputError } from '../../errors.ts';
import { decodeNumbers, linesOf, refuseUtf16 } from '../text/fileText.ts';
import { quote } from '../text/xmlDocument.ts';

/** Bytes. Limit of the length of a header. */
const MAX_HEADER_LENGTH = 65536;
/** Upper bound on the decompressed bytes per compressed byte. */
const MAX_EXPANSION = 264;

interface Header {
  readonly fields: readonly string[];
  readonly sizes: readonly number[];
  readonly types: readonly string[];
  readonly counts: readonly number[];
  readonly points: number;
  readonly data: string;
  /** Length of the header in bytes and in lines. */
  readonly length: number;
  readonly lines: number;
}

/** Layout of one coordinate: offset of the first point and stride to the next, in bytes. */
interface Column {
  readonly start: number;
  readonly stride: number;
  readonly read: (view: DataView, at: number) => number;
}

/**
 * Reads the coordinates of a PCD file (the format of PCL), ascii, binary or binary_compressed. Returns x, y, z of each
 * point as in the file, NaN for missing sensor returns. VIEWPOINT is not applied: see `viewpointOf`.
 */
export function readPcd(bytes: Uint8Array, file: string, mostPoints: number): Float64Array {
  const header = readHeader(bytes, file);
  if (header.points > mostPoints)
    throw new InputError(
      `${file}: it has ${header.points} points, the limit is ${mostPoints}`,
      'Downsample the cloud.',
    );
  const body = bytes.subarray(header.length);
  if (header.data === 'ascii') return readAscii(body, header, file);
  const columns = columnsOf(header, file, header.data === 'binary_compressed');
  const packed = header.data === 'binary_compressed';
  const content = packed ? decompressed(body, header, file) : body;
  const needed = header.points * bytesOf(header);
  if (content.length < needed) {
    const stated = `the header states ${header.points} points, which take ${needed} bytes`;
    const what = `${stated}, but ${content.length} are left`;
    throw new InputError(`${file}: ${what}`, 'The file is cut off.');
  }
  // Zero bytes are padding.
  if (content.length >= needed + bytesOf(header) && content.subarray(needed).some((byte) => byte !== 0))
    throw tooManyPoints(header.points, file);
  const view = new DataView(content.buffer, content.byteOffset, content.byteLength);
  const out = new Float64Array(3 * header.points);
  for (const [k, { start, stride, read }] of columns.entries())
    for (let i = 0; i < header.points; i++) out[3 * i + k] = read(view, start + stride * i);
  return out;
}

/** Returns the VIEWPOINT of a PCD file, the pose of its sensor, unless it is absent or the identity. */
export function viewpointOf(bytes: Uint8Array): string | undefined {
  const head = new TextDecoder('latin1').decode(bytes.subarray(0, MAX_HEADER_LENGTH));
  const [, text] = /^VIEWPOINT[ \t]+([^\r\n]*)$[\s\S]*?^DATA/m.exec(head) ?? [];
  const values = text?.trim().split(/\s+/).map(Number);
  const isIdentity = values?.length === 7 && values.every((value, i) => value === (i === 3 ? 1 : 0));
  return isIdentity ? undefined : text?.trim();
}

/** Returns the error of a file with points after those that its header states: they would be dropped. */
const tooManyPoints = (points: number, place: string) =>
  new InputError(`${place}: the header states ${points} points, but there are more`, 'Correct the header.');

function readHeader(bytes: Uint8Array, file: string): Header {
  refuseUtf16(bytes, file);
  const head = new TextDecoder('latin1').decode(bytes.subarray(0, MAX_HEADER_LENGTH));
  const [whole, data] = /^[\s\S]*?^DATA[ \t]+(\S+)[ \t]*(?:\r?\n|$)/m.exec(head) ?? [];
  if (whole === undefined || !/^FIELDS[ \t]/m.test(whole))
    throw new InputError(`${file}: this is not a PCD file: it has no header with FIELDS and DATA`);
  const words = (key: string) => new RegExp(`^${key}[ \\t]+(.*)$`, 'm').exec(whole)?.[1].trim().split(/\s+/);
  const numbers = (key: string, byDefault?: readonly number[]) => {
    const given = words(key)?.map(Number) ?? byDefault;
    if (given?.every((n) => Number.isSafeInteger(n) && n >= 0)) return given;
    throw new InputError(
      `${file}: the header's ${key} ${given === undefined ? 'is missing' : 'is not a list of counts'}`,
    );
  };
  const fields = words('FIELDS')!;
  const sizes = numbers('SIZE');
  const counts = numbers(
    'COUNT',
    fields.map(() => 1),
  );
  const types = words('TYPE') ?? [];
  if ([sizes, counts, types].some((list) => list.length !== fields.length))
    throw new InputError(`${file}: FIELDS, SIZE, TYPE and COUNT of the header differ in length`);
  const [width = 0] = numbers('WIDTH', [0]);
  const [height = 1] = numbers('HEIGHT', [1]);
  const [points = 0] = numbers('POINTS', [width * height]);
  if (words('WIDTH') !== undefined && points !== width * height)
    throw new InputError(
      `${file}: the header states ${points} POINTS, but WIDTH times HEIGHT is ${width * height}`,
      'Correct the header.',
    );
  if (!['ascii', 'binary', 'binary_compressed'].includes(data))
    throw new InputError(`${file}: DATA is ${quote(data)}`, 'Use one of: ascii, binary, binary_compressed.');
  return { fields, sizes, types, counts, points, data, length: whole.length, lines: whole.split('\n').length };
}

const bytesOf = ({ sizes, counts }: Header) => sizes.reduce((sum, size, i) => sum + size * counts[i], 0);

/**
 * Returns the layout of x, y and z. In compressed files each field is stored separately, contiguous for all points
 * (structure of arrays).
 */
function columnsOf(header: Header, file: string, separate: boolean): Column[] {
  const { fields, sizes, types, counts, points } = header;
  return ['x', 'y', 'z'].map((name) => {
    const field = placeOf(header, name, file);
    const read = readers[`${types[field]}${sizes[field]}`];
    if (read === undefined)
      throw new InputError(
        `${file}: ${name} is of type ${quote(`${types[field]} ${sizes[field]}`)}, which is not supported`,
      );
    const before = fields.slice(0, field).reduce((sum, _, i) => sum + sizes[i] * counts[i], 0);
    return separate
      ? { start: before * points, stride: sizes[field] * counts[field], read }
      : { start: before, stride: bytesOf(header), read };
  });
}

function placeOf({ fields }: Header, name: string, file: string): number {
  const place = fields.indexOf(name);
  if (place < 0) throw new InputError(`${file}: the points have no ${name}`, `Their fields are: ${fields.join(', ')}.`);
  return place;
}

const readers: Readonly<Record<string, Column['read']>> = {
  F4: (view, at) => view.getFloat32(at, true),
  F8: (view, at) => view.getFloat64(at, true),
  I1: (view, at) => view.getInt8(at),
  I2: (view, at) => view.getInt16(at, true),
  I4: (view, at) => view.getInt32(at, true),
  U1: (view, at) => view.getUint8(at),
  U2: (view, at) => view.getUint16(at, true),
  U4: (view, at) => view.getUint32(at, true),
};

/** Decompresses the data: two sizes, then LZF. The sizes are checked for consistency before memory is allocated. */
function decompressed(body: Uint8Array, header: Header, file: string): Uint8Array {
  const wrong = (what: string) => new InputError(`${file}: ${what}`, 'The file is cut off or damaged.');
  if (body.length < 8) throw wrong('the sizes of the compressed data are missing');
  const view = new DataView(body.buffer, body.byteOffset, body.byteLength);
  const packed = view.getUint32(0, true);
  const size = view.getUint32(4, true);
  const needed = header.points * bytesOf(header);
  if (packed > body.length - 8) throw wrong(`it states ${packed} compressed bytes, but ${body.length - 8} are left`);
  if (size !== needed) throw wrong(`it states ${size} decompressed bytes, its points take ${needed}`);
  if (size > packed * MAX_EXPANSION) throw wrong(`${packed} compressed bytes cannot expand to ${size}`);
  const content = decompressLzf(body.subarray(8, 8 + packed), size);
  if (content === undefined) throw wrong('the compressed data cannot be decompressed');
  return content;
}

function readAscii(body: Uint8Array, header: Header, file: string): Float64Array {
  const { points, counts, lines } = header;
  const places = ['x', 'y', 'z'].map((name) =>
    counts.slice(0, placeOf(header, name, file)).reduce((sum, count) => sum + count, 0),
  );
  if (points > body.length)
    throw new InputError(`${file}: the header states ${points} points, more than the file can hold`);
  const out = new Float64Array(3 * points);
  let done = 0;
  for (const [number, line] of linesOf(decodeNumbers(body, file))) {
    if (line.startsWith('#')) continue;
    const at = `${file}:${lines + number - 1}`;
    if (done === points) throw tooManyPoints(points, at);
    const words = line.split(/\s+/);
    for (const [k, place] of places.entries()) out[3 * done + k] = coordinate(words[place], at);
    for (const word of words) coordinate(word, at);
    done++;
  }
  if (done === points) return out;
  throw new InputError(`${file}: the header states ${points} points, but there are ${done}`, 'The file is cut off.');
}

/**
 * Parses a coordinate. Returns NaN for NaN and infinities, which mark missing sensor returns; throws `InputError` if
 * the text is no number.
 */
export function coordinate(word: string | undefined, place: string): number {
  if (word !== undefined && /^[-+]?(nan|inf(inity)?)$/i.test(word)) return Number.NaN;
  const value = word === undefined || !/^[-+.\d]/.test(word) ? Number.NaN : Number(word);
  if (!Number.isNaN(value)) return value;
  throw new InputError(
    `${place}: ${word === undefined ? 'a coordinate is missing' : `${quote(word)} is not a number`}`,
    /^[-+]?\d+,\d+$/.test(word ?? '') ? `Use a decimal point: ${word!.replace(',', '.')}.` : '',
  );
}

/**
 * Decompresses LZF, the compression of `binary_compressed` PCD files. The data consists of literal runs (one byte n <
 * 32, then n + 1 bytes) and back references to the output (length in the upper three bits, distance in the other
 * thirteen). Returns undefined if the data is invalid or does not decompress to exactly `size` bytes.
 */
export function decompressLzf(packed: Uint8Array, size: number): Uint8Array | undefined {
  const out = new Uint8Array(size);
  let from = 0;
  let to = 0;
  while (from < packed.length) {
    const control = packed[from++];
    if (control < 32) {
      const length = control + 1;
      if (from + length > packed.length || to + length > size) return undefined;
      out.set(packed.subarray(from, from + length), to);
      from += length;
      to += length;
      continue;
    }
    let length = (control >> 5) + 2;
    if (length === 9) length += packed[from++];
    const source = to - ((control & 31) << 8) - packed[from++] - 1;
    if (from > packed.length || source < 0 || to + length > size) return undefined;
    // byte by byte, because source and target may overlap
    for (let i = 0; i < length; i++) out[to + i] = out[source + i];
    to += length;
  }
  return to === size ? out : undefined;
}
