import { InputError, jsonText } from '../errors.ts';

type Json = Readonly<Record<string, unknown>>;

const MAGIC = 0x46546c67; // "glTF"
const JSON_CHUNK = 0x4e4f534a;
const BINARY_CHUNK = 0x004e4942;

/** Sizes, readers and largest values of the component types (glTF 2.0 §3.6.2.2). */
const components: Readonly<
  Record<number, { bytes: number; most: number; read: (view: DataView, at: number) => number }>
> = {
  5120: { bytes: 1, most: 127, read: (view, at) => view.getInt8(at) },
  5121: { bytes: 1, most: 255, read: (view, at) => view.getUint8(at) },
  5122: { bytes: 2, most: 32767, read: (view, at) => view.getInt16(at, true) },
  5123: { bytes: 2, most: 65535, read: (view, at) => view.getUint16(at, true) },
  5125: { bytes: 4, most: 4294967295, read: (view, at) => view.getUint32(at, true) },
  5126: { bytes: 4, most: 1, read: (view, at) => view.getFloat32(at, true) },
};

/** The JSON of a glTF or GLB and the numbers that it points at. Everything asked for is checked; nothing outside of the file is read. */
export class GltfBuffers {
  readonly json: Json;
  private readonly binary: Uint8Array | undefined;
  private readonly buffers = new Map<number, Uint8Array>();
  private readonly accessors = new Map<string, Float64Array>();

  constructor(
    bytes: Uint8Array,
    private readonly file: string,
  ) {
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    let text = bytes;
    if (bytes.length >= 20 && view.getUint32(0, true) === MAGIC) {
      if (view.getUint32(4, true) !== 2) throw this.wrong(`its version is ${view.getUint32(4, true)}, 2 is read`);
      const chunks = this.chunksOf(bytes, view);
      text = chunks.get(JSON_CHUNK) ?? new Uint8Array(0);
      this.binary = chunks.get(BINARY_CHUNK);
    }
    this.json = this.object(this.parse(text), 'the file');
  }

  wrong(what: string, note = ''): InputError {
    return new InputError(`${this.file}: ${what}`, note);
  }

  /** A list at the top; empty where there is none. */
  list(key: string): readonly unknown[] {
    return this.listOf(this.json[key], key);
  }

  listOf(value: unknown, place: string): readonly unknown[] {
    if (value === undefined) return [];
    if (!Array.isArray(value)) throw this.wrong(`${place} is not a list`);
    return value;
  }

  /** One of the objects of a list at the top. */
  item(key: string, index: unknown): Json {
    const list = this.list(key);
    if (!Number.isInteger(index) || (index as number) < 0 || (index as number) >= list.length) {
      throw this.wrong(`${key}[${jsonText(index)}] is asked for, there are ${list.length}, counted from 0`);
    }
    return this.object(list[index as number], `${key}[${index}]`);
  }

  object(value: unknown, place: string): Json {
    if (typeof value !== 'object' || value === null || Array.isArray(value))
      throw this.wrong(`${place} is not an object`);
    return value as Json;
  }

  numbers(value: unknown, count: number, place: string): number[] {
    const list = this.listOf(value, place);
    if (list.length === count && list.every((x) => typeof x === 'number' && Number.isFinite(x)))
      return list as number[];
    throw this.wrong(`${place} must be ${count} finite numbers`);
  }

  /** The numbers of an accessor with so many of them an element. */
  accessor(index: unknown, width: 1 | 3): Float64Array {
    const key = `${index} ${width}`;
    const known = this.accessors.get(key);
    if (known !== undefined) return known;
    const place = `accessors[${index}]`;
    const accessor = this.item('accessors', index);
    const kind = String(accessor.componentType);
    if (!Object.hasOwn(components, kind)) throw this.wrong(`${place}.componentType is ${kind}`);
    const component = components[Number(kind)];
    if (accessor.type !== (width === 1 ? 'SCALAR' : 'VEC3'))
      throw this.wrong(`${place}.type is ${jsonText(accessor.type)}`);
    if (accessor.sparse !== undefined) throw this.wrong(`${place} is sparse, which is not read`, 'Export it without.');
    const count = this.size(accessor.count, `${place}.count`);
    const view = this.item('bufferViews', accessor.bufferView);
    const stride = this.size(view.byteStride ?? width * component.bytes, `${place}: byteStride`);
    if (stride < width * component.bytes)
      throw this.wrong(`${place}: byteStride is ${stride}, less than an element takes`);
    const start = this.size(accessor.byteOffset ?? 0, `${place}.byteOffset`);
    const bytes = this.viewBytes(view, `bufferViews[${accessor.bufferView}]`);
    if (count > 0 && start + stride * (count - 1) + width * component.bytes > bytes.length) {
      throw this.wrong(
        `${place} needs more bytes than its bufferView has (${bytes.length})`,
        'The file is cut off, or broken.',
      );
    }
    const reader = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    const unit = accessor.normalized === true ? 1 / component.most : 1;
    const numbers = new Float64Array(width * count);
    for (let i = 0; i < numbers.length; i++) {
      numbers[i] =
        unit * component.read(reader, start + stride * Math.floor(i / width) + component.bytes * (i % width));
    }
    this.accessors.set(key, numbers);
    return numbers;
  }

  private viewBytes(view: Json, place: string): Uint8Array {
    const offset = this.size(view.byteOffset ?? 0, `${place}.byteOffset`);
    const length = this.size(view.byteLength, `${place}.byteLength`);
    const buffer = this.buffer(view.buffer);
    if (offset + length > buffer.length) {
      throw this.wrong(
        `${place} ends at byte ${offset + length} of ${buffer.length}`,
        'The file is cut off, or broken.',
      );
    }
    return buffer.subarray(offset, offset + length);
  }

  private buffer(index: unknown): Uint8Array {
    const { uri } = this.item('buffers', index);
    const known = this.buffers.get(index as number);
    if (known !== undefined) return known;
    const bytes = uri === undefined ? this.binary : this.dataOf(uri);
    if (bytes === undefined) throw this.wrong(`buffers[${index}] has no data`);
    this.buffers.set(index as number, bytes);
    return bytes;
  }

  private dataOf(uri: unknown): Uint8Array {
    const [, base64] = /^data:[^,]*;base64,(.*)$/s.exec(String(uri)) ?? [];
    if (base64 === undefined) {
      throw this.wrong(
        `its data lie in another file: ${JSON.stringify(String(uri).slice(0, 80))}`,
        'Export it as one file: .glb, or .gltf with embedded data.',
      );
    }
    try {
      return Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
    } catch {
      throw this.wrong('a buffer is no base64');
    }
  }

  private size(value: unknown, place: string): number {
    if (Number.isSafeInteger(value) && (value as number) >= 0) return value as number;
    throw this.wrong(`${place} is ${jsonText(value)}, it must be 0 or a whole number above`);
  }

  private chunksOf(bytes: Uint8Array, view: DataView): Map<number, Uint8Array> {
    const chunks = new Map<number, Uint8Array>();
    for (let at = 12; at + 8 <= bytes.length; ) {
      const length = view.getUint32(at, true);
      const kind = view.getUint32(at + 4, true);
      if (at + 8 + length > bytes.length) {
        throw this.wrong(
          `a chunk of ${length} bytes begins at byte ${at}, the file has ${bytes.length}`,
          'The file is cut off.',
        );
      }
      if (!chunks.has(kind)) chunks.set(kind, bytes.subarray(at + 8, at + 8 + length));
      at += 8 + length;
    }
    return chunks;
  }

  private parse(text: Uint8Array): unknown {
    try {
      return JSON.parse(new TextDecoder().decode(text));
    } catch {
      throw this.wrong('this is no glTF: not JSON');
    }
  }
}
