import { InputError } from '../../errors.ts';
import { decodeNumbers, refuseUtf16 } from '../text/fileText.ts';
import { quote } from '../text/xmlDocument.ts';
import type { Mesh } from './mesh.ts';

interface Property {
  readonly name: string;
  readonly type: string;
  /** Type of the length, for lists. */
  readonly countType?: string;
}

interface Element {
  readonly name: string;
  readonly count: number;
  readonly properties: readonly Property[];
}

/** Bytes: a file without the end of a header within this length is not a PLY. */
const MAX_HEADER = 65536;

/**
 * Reads the faces of a PLY, ASCII or binary of either byte order; polygons become fans of triangles, other elements and
 * properties are skipped. Does not use three's loader, which rounds to single precision and accepts invalid indices.
 */
export function readPly(bytes: Uint8Array, file: string): Mesh {
  let vertices: Float64Array | undefined;
  const vertexIndices: number[] = [];
  for (const [element, next] of elementsOf(bytes, file)) {
    if (element.name === 'vertex') {
      if (vertices !== undefined) throw new InputError(`${file}: the header has two elements "vertex"`);
      vertices = readVertices(element, next, file);
    } else if (element.name === 'face') {
      readFaces(vertexIndices, element, next, (vertices ?? []).length / 3, file);
      if (vertexIndices.length === 0) throw new InputError(`${file}: the mesh is empty: there are no triangles in it`);
    } else if (element.name === 'tristrips' && element.count > 0)
      throw new InputError(`${file}: triangle strips are not supported`, 'Export triangles or polygons.');
    else skip(element, next);
  }
  if (vertices === undefined) throw new InputError(`${file}: there are no vertices in it`);
  refuseNotFinite(vertices, vertexIndices, file);
  const points = new Float64Array(3 * vertexIndices.length);
  for (const [i, vertexIndex] of vertexIndices.entries())
    points.set(vertices.subarray(3 * vertexIndex, 3 * vertexIndex + 3), 3 * i);
  return { points, triangles: vertexIndices.length / 3, warnings: [] };
}

/** Reads only the vertices of a PLY: three numbers per point, NaN for values that are not finite. */
export function readPlyPoints(bytes: Uint8Array, file: string, maxPoints: number): Float64Array {
  let points: Float64Array | undefined;
  for (const [element, next] of elementsOf(bytes, file)) {
    if (element.name !== 'vertex' || points !== undefined) {
      skip(element, next);
      continue;
    }
    if (element.count > maxPoints)
      throw new InputError(
        `${file}: it has ${element.count} points, the limit is ${maxPoints}`,
        'Downsample the cloud.',
      );
    points = readVertices(element, next, file);
  }
  if (points === undefined) throw new InputError(`${file}: there are no vertices in it`);
  return points;
}

/**
 * Yields each element of the file; its values must be read before the next element is requested. Throws after the last
 * one if the file has more values than the header states, since these would be ignored.
 */
function* elementsOf(bytes: Uint8Array, file: string): Generator<[Element, Next]> {
  refuseUtf16(bytes, file);
  const head = new TextDecoder('latin1').decode(bytes.subarray(0, MAX_HEADER));
  const [header] = /^ply\s[\s\S]*?\nend_header[ \t]*\r?\n/.exec(head) ?? [];
  if (header === undefined)
    throw new InputError(`${file}: this is not a PLY file: it has no header from "ply" to "end_header"`);
  const { format, elements } = readHeader(header, file);
  const body = bytes.subarray(header.length);
  const { next, isAtEnd } =
    format === 'ascii'
      ? textValues(body, file, header.split('\n').length)
      : binaryValues(body, format === 'binary_little_endian', file);
  for (const element of elements) {
    if (element.count > body.length) {
      throw new InputError(
        `${file}: the header states ${element.count} of "${element.name}", more than the file can hold`,
      );
    }
    yield [element, next];
  }
  if (!isAtEnd())
    throw new InputError(`${file}: it has more values than the header states`, 'Correct the counts in the header.');
}

function skip({ count, properties }: Element, next: Next): void {
  for (let i = 0; i < count; i++) for (const property of properties) values(property, next);
}

function readHeader(header: string, file: string): { format: string; elements: Element[] } {
  const elements: (Element & { properties: Property[] })[] = [];
  let format = '';
  for (const [i, line] of header.split(/\r?\n/).entries()) {
    const wrong = (what: string) => new InputError(`${file}:${i + 1}: ${what}`);
    const words = line.trim().split(/\s+/);
    const known = (type = '') => {
      if (!Object.hasOwn(types, type)) throw wrong(`${quote(type)} is not a PLY type`);
      return type;
    };
    if (words[0] === 'format') {
      format = words[1];
      if (!/^(ascii|binary_(little|big)_endian)$/.test(format)) throw wrong(`unknown format ${quote(format ?? '')}`);
      if (words[2] !== '1.0') throw wrong(`unknown version ${quote(words[2] ?? '')} of PLY, there is only 1.0`);
    } else if (words[0] === 'element') {
      const count = Number(words[2]);
      if (!Number.isSafeInteger(count) || count < 0)
        throw wrong(`${quote(words[2] ?? '')} is not a number of elements`);
      elements.push({ name: words[1], count, properties: [] });
    } else if (words[0] === 'property') {
      const properties = elements.at(-1)?.properties;
      if (properties === undefined) throw wrong('a property before any element');
      if (words[1] !== 'list') properties.push({ name: words[2], type: known(words[1]) });
      else properties.push({ name: words[4], type: known(words[3]), countType: known(words[2]) });
    }
  }
  if (format === '') throw new InputError(`${file}: the header names no format`);
  return { format, elements };
}

/** Returns the next value, of the given type. */
type Next = (type: string) => number;

/** Values of a file in order; `isAtEnd` checks whether only blanks and zero bytes follow. */
interface Values {
  readonly next: Next;
  readonly isAtEnd: () => boolean;
}

/**
 * Reads the vertices. Coordinates that are not finite become NaN: point clouds skip such points, meshes are rejected.
 */
function readVertices({ count, properties }: Element, next: Next, file: string): Float64Array<ArrayBuffer> {
  const places = properties.map(({ name }) => ['x', 'y', 'z'].indexOf(name));
  const vertices = new Float64Array(3 * count);
  if (![0, 1, 2].every((k) => places.includes(k))) throw new InputError(`${file}: the vertices have no x, y and z`);
  for (let i = 0; i < count; i++) {
    for (const [p, property] of properties.entries()) {
      const [value] = values(property, next);
      if (places[p] < 0) continue;
      vertices[3 * i + places[p]] = value;
    }
  }
  return vertices;
}

/** Throws if a coordinate is not finite; the message names the first triangle that uses it. */
function refuseNotFinite(vertices: Float64Array, vertexIndices: readonly number[], file: string): void {
  const bad = vertices.findIndex((value) => !Number.isFinite(value));
  if (bad < 0) return;
  const isBad = (vertex: number) => vertices.subarray(3 * vertex, 3 * vertex + 3).some((x) => !Number.isFinite(x));
  const vertexIndex = vertexIndices.findIndex(isBad);
  const vertex = vertexIndex < 0 ? Math.floor(bad / 3) : vertexIndices[vertexIndex];
  const value = vertices.subarray(3 * vertex, 3 * vertex + 3).find((x) => !Number.isFinite(x));
  const used = vertexIndex < 0 ? '' : `triangle ${Math.floor(vertexIndex / 3)}: `;
  throw new InputError(`${file}: ${used}a coordinate of vertex ${vertex} is ${value} (counted from 0)`);
}

function readFaces(
  vertexIndices: number[],
  { count, properties }: Element,
  next: Next,
  vertices: number,
  file: string,
): void {
  for (let i = 0; i < count; i++) {
    for (const property of properties) {
      const face = values(property, next);
      if (!/^vertex_(indices|index)$/.test(property.name)) continue;
      if (face.length < 3) throw new InputError(`${file}: face ${i}: ${face.length} vertices, at least 3 are required`);
      const wrong = face.find((index) => !(index >= 0 && index < vertices && Number.isInteger(index)));
      if (wrong !== undefined) {
        throw new InputError(`${file}: face ${i} names vertex ${wrong}, there are ${vertices}, counted from 0`);
      }
      for (let c = 2; c < face.length; c++) vertexIndices.push(face[0], face[c - 1], face[c]);
    }
  }
}

function values({ type, countType }: Property, next: Next): number[] {
  if (countType === undefined) return [next(type)];
  const list: number[] = [];
  // A length that is too large ends with an error at the end of the file.
  for (let left = next(countType); left > 0; left--) list.push(next(type));
  return list;
}

/** @param firstLine number of the first line of the body */
function textValues(body: Uint8Array, file: string, firstLine: number): Values {
  const text = decodeNumbers(body, file);
  const word = /\S+/g;
  const next = () => {
    const [found] = word.exec(text) ?? [];
    if (found === undefined)
      throw new InputError(`${file}: the file ends before its last element`, 'The file is cut off.');
    const value = Number(found);
    if (/^[-+]?(nan|inf(inity)?)$/i.test(found)) return Number.NaN;
    if (/^[-+.\d]/.test(found) && !Number.isNaN(value)) return value;
    const line = firstLine + text.slice(0, word.lastIndex).split('\n').length - 1;
    const note = /^[-+]?\d+,\d+$/.test(found) ? `Use a decimal point: ${found.replace(',', '.')}.` : '';
    throw new InputError(`${file}:${line}: ${quote(found)} is not a number`, note);
  };
  return { next, isAtEnd: () => /^[\s\0]*$/.test(text.slice(word.lastIndex)) };
}

function binaryValues(body: Uint8Array, little: boolean, file: string): Values {
  const view = new DataView(body.buffer, body.byteOffset, body.byteLength);
  let at = 0;
  const next = (type: string) => {
    const { bytes, read } = types[type];
    if (at + bytes > view.byteLength) {
      throw new InputError(`${file}: the file ends before its last element`, 'The file is cut off.');
    }
    at += bytes;
    return read(view, at - bytes, little);
  };
  return { next, isAtEnd: () => body.subarray(at).every((byte) => /[\s\0]/.test(String.fromCharCode(byte))) };
}

interface Type {
  readonly bytes: number;
  readonly read: (view: DataView, at: number, little: boolean) => number;
}

const types: Readonly<Record<string, Type>> = (() => {
  const int8: Type = { bytes: 1, read: (view, at) => view.getInt8(at) };
  const uint8: Type = { bytes: 1, read: (view, at) => view.getUint8(at) };
  const int16: Type = { bytes: 2, read: (view, at, little) => view.getInt16(at, little) };
  const uint16: Type = { bytes: 2, read: (view, at, little) => view.getUint16(at, little) };
  const int32: Type = { bytes: 4, read: (view, at, little) => view.getInt32(at, little) };
  const uint32: Type = { bytes: 4, read: (view, at, little) => view.getUint32(at, little) };
  const float32: Type = { bytes: 4, read: (view, at, little) => view.getFloat32(at, little) };
  const float64: Type = { bytes: 8, read: (view, at, little) => view.getFloat64(at, little) };
  const old = { char: int8, uchar: uint8, short: int16, ushort: uint16, int: int32, uint: uint32 };
  return { ...old, float: float32, double: float64, int8, uint8, int16, uint16, int32, uint32, float32, float64 };
})();
