/** Colours of the palette; one more index marks pixels that do not change. */
const COLORS = 255;
const UNCHANGED = 255;
/** Bits of each channel by which colours are counted. */
const BITS = 6;

/** Red, green, blue, alpha of each pixel. */
export type Pixels = Uint8ClampedArray | Uint8Array;

const keyOf = (r: number, g: number, b: number) =>
  ((r >> (8 - BITS)) << (2 * BITS)) | ((g >> (8 - BITS)) << BITS) | (b >> (8 - BITS));

/** A set of colours that the median cut divides: the key of each colour, and how many pixels have it. */
interface ColorBox {
  readonly keys: number[];
  readonly count: number;
}

/** Chooses at most 255 colours for these frames by median cut; r, g, b of each. */
export function choosePalette(frames: readonly Pixels[]): Uint8Array {
  const counts = new Uint32Array(1 << (3 * BITS));
  for (const pixels of frames) {
    for (let i = 0; i < pixels.length; i += 4) counts[keyOf(pixels[i], pixels[i + 1], pixels[i + 2])]++;
  }
  const keys: number[] = [];
  for (let key = 0; key < counts.length; key++) if (counts[key] > 0) keys.push(key);
  let boxes: ColorBox[] = [boxOf(keys, counts)];
  while (boxes.length < COLORS) {
    const widest = boxes.filter((box) => box.keys.length > 1).sort((a, b) => weightOf(b) - weightOf(a))[0];
    if (!widest) break;
    boxes = [...boxes.filter((box) => box !== widest), ...cut(widest, counts)];
  }
  const palette = new Uint8Array(3 * 256);
  for (const [i, box] of boxes.entries()) {
    for (let channel = 0; channel < 3; channel++) {
      let sum = 0;
      for (const key of box.keys) sum += counts[key] * channelOf(key, channel);
      const top = (1 << BITS) - 1;
      palette[3 * i + channel] = Math.round((255 * sum) / (top * Math.max(1, box.count)));
    }
  }
  return palette;
}

const channelOf = (key: number, channel: number) => (key >> ((2 - channel) * BITS)) & ((1 << BITS) - 1);

const boxOf = (keys: number[], counts: Uint32Array): ColorBox => ({
  keys,
  count: keys.reduce((sum, key) => sum + counts[key], 0),
});

/** Returns the extent of a channel over the colours of a box. */
function extentOf(keys: readonly number[], channel: number): number {
  let [low, high] = [Number.POSITIVE_INFINITY, 0];
  for (const key of keys) {
    low = Math.min(low, channelOf(key, channel));
    high = Math.max(high, channelOf(key, channel));
  }
  return high - low;
}

/** Boxes with great extents are divided first, more so if they have many pixels. */
const weightOf = ({ keys, count }: ColorBox) =>
  Math.max(...[0, 1, 2].map((channel) => extentOf(keys, channel))) * Math.sqrt(Math.sqrt(count));

/** Divides a box at the median pixel along its longest side. */
function cut({ keys, count }: ColorBox, counts: Uint32Array): ColorBox[] {
  const extents = [0, 1, 2].map((channel) => extentOf(keys, channel));
  const channel = extents.indexOf(Math.max(...extents));
  const sorted = [...keys].sort((a, b) => channelOf(a, channel) - channelOf(b, channel));
  let sum = 0;
  let at = 0;
  while (at < sorted.length - 1 && (at === 0 || sum < count / 2)) sum += counts[sorted[at++]];
  return [boxOf(sorted.slice(0, at), counts), boxOf(sorted.slice(at), counts)];
}

/** Writes an animated GIF that repeats for ever: a palette for all frames, and of each frame what has changed. */
export class GifWriter {
  private readonly parts: Uint8Array[] = [];
  private readonly nearest = new Int16Array(1 << (3 * BITS)).fill(-1);
  private before: Uint8Array | undefined;

  constructor(
    private readonly width: number,
    private readonly height: number,
    private readonly palette: Uint8Array,
  ) {
    const screen = [...words(width), ...words(height), 0b1111_0111, 0, 0];
    const repeat = [0x21, 0xff, 11, ...ascii('NETSCAPE2.0'), 3, 1, 0, 0, 0];
    this.parts.push(Uint8Array.from([...ascii('GIF89a'), ...screen]), palette, Uint8Array.from(repeat));
  }

  /** Adds a frame that is shown for this time, hundredths of a second. */
  add(pixels: Pixels, delay: number): void {
    const indices = new Uint8Array(this.width * this.height);
    for (let i = 0; i < indices.length; i++) {
      indices[i] = this.indexOf(pixels[4 * i], pixels[4 * i + 1], pixels[4 * i + 2]);
    }
    const { before } = this;
    this.before = indices.slice();
    if (before) for (let i = 0; i < indices.length; i++) if (indices[i] === before[i]) indices[i] = UNCHANGED;
    const [top, bottom] = before ? this.changedRows(indices) : [0, this.height];
    const control = [0x21, 0xf9, 4, before ? 0b0000_0101 : 0b0000_0100, ...words(delay), UNCHANGED, 0];
    const place = [0x2c, ...words(0), ...words(top), ...words(this.width), ...words(bottom - top), 0];
    this.parts.push(Uint8Array.from([...control, ...place, 8]));
    this.parts.push(blocks(compress(indices.subarray(top * this.width, bottom * this.width))), Uint8Array.of(0));
  }

  /** Returns the whole file. */
  finish(): Uint8Array<ArrayBuffer> {
    this.parts.push(Uint8Array.of(0x3b));
    const size = this.parts.reduce((sum, part) => sum + part.length, 0);
    const file = new Uint8Array(size);
    let at = 0;
    for (const part of this.parts) {
      file.set(part, at);
      at += part.length;
    }
    return file;
  }

  /** Returns the range of rows that have changed; at least one row, as a frame must not be empty. */
  private changedRows(indices: Uint8Array): [number, number] {
    const { width, height } = this;
    const first = indices.findIndex((index) => index !== UNCHANGED);
    if (first < 0) return [0, 1];
    const last = indices.findLastIndex((index) => index !== UNCHANGED);
    return [Math.floor(first / width), Math.min(height, Math.floor(last / width) + 1)];
  }

  /** Returns the colour of the palette that is nearest to a colour. */
  private indexOf(r: number, g: number, b: number): number {
    const key = keyOf(r, g, b);
    if (this.nearest[key] >= 0) return this.nearest[key];
    let found = 0;
    let least = Number.POSITIVE_INFINITY;
    for (let i = 0; i < COLORS; i++) {
      const [dr, dg, db] = [this.palette[3 * i] - r, this.palette[3 * i + 1] - g, this.palette[3 * i + 2] - b];
      const distance = dr * dr + dg * dg + db * db;
      if (distance >= least) continue;
      least = distance;
      found = i;
    }
    this.nearest[key] = found;
    return found;
  }
}

/** Code size of the pixels, bits; the codes above them clear the table and end the data. */
const PIXEL_BITS = 8;
const CLEAR = 1 << PIXEL_BITS;
const END = CLEAR + 1;
const MOST_CODES = 4096;

/** Compresses indices by LZW with codes of variable length, as GIF has it. */
export function compress(indices: Uint8Array): Uint8Array {
  const out = new BitWriter();
  const codes = new Map<number, number>();
  let size = PIXEL_BITS + 1;
  let next = END + 1;
  out.write(CLEAR, size);
  let prefix = indices[0];
  for (let i = 1; i < indices.length; i++) {
    const key = (prefix << PIXEL_BITS) | indices[i];
    const known = codes.get(key);
    if (known !== undefined) {
      prefix = known;
      continue;
    }
    out.write(prefix, size);
    prefix = indices[i];
    if (next < MOST_CODES) {
      codes.set(key, next++);
      if (next - 1 === 1 << size) size++;
      continue;
    }
    out.write(CLEAR, size);
    codes.clear();
    size = PIXEL_BITS + 1;
    next = END + 1;
  }
  out.write(prefix, size);
  if (next === 1 << size && size < 12) size++; // the reader adds a code before it reads the next one
  out.write(END, size);
  return out.finish();
}

/** Writes codes of some bits, the lowest first. */
class BitWriter {
  private bytes = new Uint8Array(1024);
  private length = 0;
  private held = 0;
  private count = 0;

  write(code: number, bits: number): void {
    this.held |= code << this.count;
    this.count += bits;
    while (this.count >= 8) {
      this.push(this.held & 255);
      this.held >>>= 8;
      this.count -= 8;
    }
  }

  finish(): Uint8Array {
    if (this.count > 0) this.push(this.held & 255);
    return this.bytes.subarray(0, this.length);
  }

  private push(byte: number): void {
    if (this.length === this.bytes.length) {
      const grown = new Uint8Array(2 * this.length);
      grown.set(this.bytes);
      this.bytes = grown;
    }
    this.bytes[this.length++] = byte;
  }
}

/** Divides data into blocks of at most 255 bytes, each after its length. */
function blocks(data: Uint8Array): Uint8Array {
  const count = Math.ceil(data.length / 255);
  const out = new Uint8Array(data.length + count);
  for (let i = 0; i < count; i++) {
    const block = data.subarray(255 * i, 255 * (i + 1));
    out[256 * i] = block.length;
    out.set(block, 256 * i + 1);
  }
  return out;
}

const words = (value: number) => [value & 255, value >> 8];
const ascii = (text: string) => Array.from(text, (character) => character.charCodeAt(0));
