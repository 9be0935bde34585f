import { InputError, jsonText, parseJson } from '../../errors.ts';
import { decodeText } from '../text/fileText.ts';

/** An object of the JSON. */
export type Json = Readonly<Record<string, unknown>>;

const MAGIC = 0x46546c67; // "glTF"
const JSON_CHUNK = 0x4e4f534a;
const BINARY_CHUNK = 0x004e4942;

/** Contents of the other files that a mesh file names, by the address that it states. */
export type MeshCompanions = ReadonlyMap<string, Uint8Array>;

/**
 * Returns the addresses of the files beside a glTF that hold the data of its buffers, as they are stated. Only
 * relative paths into its folder, or folders of it, are returned; others are refused when the buffer is read.
 */
export function companionAddresses(bytes: Uint8Array, file: string): string[] {
  const data = new GltfBuffers(bytes, file);
  const addresses = data.list('buffers').flatMap((_, i) => {
    const { uri } = data.item('buffers', i);
    return typeof uri === 'string' && companionPath(uri) !== undefined ? [uri] : [];
  });
  return [...new Set(addresses)];
}

/** Returns the path of a companion relative to the folder of its glTF; undefined for any other address. */
export function companionPath(address: string): string | undefined {
  try {
    const path = decodeURIComponent(address);
    const isInside = path !== '' && !path.includes('\0') && !/^\/|^[a-z][a-z0-9+.-]*:|[\\?#]/i.test(path);
    return isInside && !path.split('/').includes('..') ? path : undefined;
  } catch {
    return undefined; // a broken escape sequence
  }
}

/**
 * The JSON of a glTF or GLB and the numbers that it refers to. Every value is checked when it is read; no other file is
 * opened.
 */
export class GltfBuffers {
  readonly json: Json;
  private readonly binary: Uint8Array | undefined;
  private readonly buffers = new Map<number, Uint8Array>();

  constructor(
    bytes: Uint8Array,
    readonly file: string,
    private readonly companions: MeshCompanions = new Map(),
  ) {
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    let text = bytes;
    if (bytes.length >= 20 && view.getUint32(0, true) === MAGIC) {
      if (view.getUint32(4, true) !== 2)
        throw this.wrong(`its version is ${view.getUint32(4, true)}, only 2 is supported`);
      const length = view.getUint32(8, true);
      if (length > bytes.length)
        throw this.wrong(`its header states ${length} bytes, the file has ${bytes.length}`, 'The file is cut off.');
      const chunks = this.chunksOf(bytes, view);
      text = chunks.get(JSON_CHUNK) ?? new Uint8Array(0);
      this.binary = chunks.get(BINARY_CHUNK);
    }
    this.json = this.object(this.parse(text), 'the file');
  }

  wrong(what: string, note = ''): InputError {
    return new InputError(`${this.file}: ${what}`, note);
  }

  /** Returns a top-level list; empty if it is absent. */
  list(key: string): readonly unknown[] {
    return this.listOf(this.json[key], key);
  }

  listOf(value: unknown, place: string): readonly unknown[] {
    if (value === undefined) return [];
    if (!Array.isArray(value)) throw this.wrong(`${place} is ${shown(value)}, it must be a list`);
    return value;
  }

  /** Reads a list of indices; empty if it is absent. */
  wholes(value: unknown, place: string): readonly number[] {
    return this.listOf(value, place).map((index, i) => this.whole(index, `${place}[${i}]`));
  }

  text(value: unknown, place: string): string {
    if (typeof value === 'string') return value;
    throw this.wrong(`${place} is ${shown(value)}, it must be a text`);
  }

  /** Returns an object of a top-level list. */
  item(key: string, index: number): Json {
    const list = this.list(key);
    if (index >= list.length)
      throw this.wrong(`${key}[${index}] is out of range, there are ${list.length}`, 'Indices are counted from 0.');
    return this.object(list[index], `${key}[${index}]`);
  }

  object(value: unknown, place: string): Json {
    if (typeof value !== 'object' || value === null || Array.isArray(value))
      throw this.wrong(`${place} is ${shown(value)}, it must be an object`);
    return value as Json;
  }

  numbers(value: unknown, count: number, place: string): number[] {
    const list = this.listOf(value, place);
    const bad = list.findIndex((x) => typeof x !== 'number' || !Number.isFinite(x));
    if (bad >= 0) throw this.wrong(`${place}[${bad}] is ${shown(list[bad])}, it must be a finite number`);
    if (list.length === count) return list as number[];
    throw this.wrong(`${place} has ${list.length} numbers, it must have ${count}`);
  }

  /** Throws if an object needs an extension that decompresses its data. */
  refuseCompression(value: Json, place: string): void {
    const extensions = this.object(given(value.extensions, {}), `${place}.extensions`);
    const name = Object.keys(extensions).find((extension) => /compression/i.test(extension));
    if (name === undefined) return;
    throw this.wrong(`${place}.extensions.${name} is not supported`, 'Export it without compression.');
  }

  /** Returns the bytes of a buffer view. */
  viewBytes(view: Json, place: string): Uint8Array {
    this.refuseCompression(view, place);
    const offset = this.whole(given(view.byteOffset, 0), `${place}.byteOffset`);
    const length = this.whole(view.byteLength, `${place}.byteLength`);
    const buffer = this.buffer(this.whole(view.buffer, `${place}.buffer`));
    if (offset + length > buffer.length)
      throw this.wrong(`${place} ends at byte ${offset + length} of ${buffer.length}`, CUT_OFF);
    return buffer.subarray(offset, offset + length);
  }

  private buffer(index: number): Uint8Array {
    const { uri, byteLength } = this.item('buffers', index);
    const known = this.buffers.get(index);
    if (known !== undefined) return known;
    const place = `buffers[${index}]`;
    const embedded = index === 0 ? this.binary : undefined;
    const bytes = uri === undefined ? embedded : this.dataOf(this.text(uri, `${place}.uri`), `${place}.uri`);
    if (bytes === undefined) throw this.wrong(`${place} has no data`);
    const length = this.whole(given(byteLength, bytes.length), `${place}.byteLength`);
    if (length > bytes.length)
      throw this.wrong(`${place}.byteLength is ${length}, there are ${bytes.length} bytes`, CUT_OFF);
    this.buffers.set(index, bytes);
    return bytes;
  }

  private dataOf(uri: string, place: string): Uint8Array {
    const [, base64] = /^data:[^,]*;base64,(.*)$/s.exec(uri) ?? [];
    if (base64 === undefined) {
      const companion = this.companions.get(uri);
      if (companion !== undefined) return companion;
      const isBeside = companionPath(uri) !== undefined;
      throw this.wrong(
        `${place}: its data are in another file: ${JSON.stringify(uri.slice(0, 80))}`,
        isBeside ? 'This file is missing.' : 'It must be a file in the folder of the glTF, or the data itself.',
      );
    }
    try {
      return Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
    } catch {
      throw this.wrong(`${place} is not base64`);
    }
  }

  /** Reads a whole number, at least 0. */
  whole(value: unknown, place: string): number {
    if (typeof value === 'number' && Number.isSafeInteger(value) && value >= 0) return value;
    throw this.wrong(`${place} is ${shown(value)}, it must be a whole number, 0 or greater`);
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
    const json = decodeText(text, this.file).replace(/^\uFEFF/, '');
    return parseJson(json, this.file, 'this is not glTF: it is not JSON');
  }
}

/** Returns `absent` for a field that is missing; `null` is not missing. */
export function given(value: unknown, absent: unknown): unknown {
  return value === undefined ? absent : value;
}

/** Note of errors about missing bytes. */
export const CUT_OFF = 'The file is cut off, or broken.';

/** Formats a value of the JSON for messages, shortened to at most 60 characters. */
export function shown(value: unknown): string {
  if (value === undefined) return 'missing';
  const text = typeof value === 'number' ? String(value) : jsonText(value);
  return text.length > 60 ? `${text.slice(0, 57)}…` : text;
}
