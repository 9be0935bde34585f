import { expect, test } from 'vitest';
import { Random } from '../../src/core/math/random.ts';
import { choosePalette, compress, GifWriter } from '../../viewer/src/recording/gif.ts';

/** Decodes LZW data of 8-bit indices, written from the specification of GIF89a, appendix F. */
function decode(data: Uint8Array): number[] {
  const out: number[] = [];
  let table: number[][] = [];
  let [size, held, count, at] = [9, 0, 0, 0];
  let before: number[] | undefined;
  for (;;) {
    while (count < size) {
      if (at >= data.length) throw new Error('the data end without the end code');
      held |= data[at++] << count;
      count += 8;
    }
    const code = held & ((1 << size) - 1);
    held >>>= size;
    count -= size;
    if (code === 257) return out;
    if (code === 256) {
      table = Array.from({ length: 258 }, (_, i) => [i]);
      size = 9;
      before = undefined;
      continue;
    }
    if (before === undefined) {
      before = table[code];
      out.push(...before);
      continue;
    }
    const entry: number[] = code < table.length ? table[code] : [...before, before[0]];
    out.push(...entry);
    if (table.length < 4096) table.push([...before, entry[0]]);
    if (table.length === 1 << size && size < 12) size++;
    before = entry;
  }
}

test('compressed indices are those that were given, over all code lengths and resets of the table', () => {
  const random = new Random(23);
  const kinds = [
    () => Math.floor(256 * random.next()),
    () => Math.floor(2 * random.next()),
    () => 7,
    (i: number) => (i >> 5) & 255,
  ];
  for (const kind of kinds) {
    for (const length of [1, 2, 3, 255, 256, 257, 511, 3839, 3840, 3841, 20_000]) {
      const indices = Uint8Array.from({ length }, (_, i) => kind(i));
      expect(decode(compress(indices))).toEqual([...indices]);
    }
  }
});

test('each length up to 1200 ends with a code that the reader expects', () => {
  for (let length = 1; length <= 1200; length += length < 600 ? 1 : 7) {
    const indices = Uint8Array.from({ length }, (_, i) => (i * 89) & 255);
    expect(decode(compress(indices))).toEqual([...indices]);
  }
});

test('a palette has the colours of the frames if they are few', () => {
  const colors = [
    [255, 0, 0],
    [0, 255, 0],
    [0, 0, 255],
    [255, 255, 255],
    [0, 0, 0],
  ];
  const pixels = Uint8Array.from(colors.flatMap((color) => [...color, 255]));
  const palette = choosePalette([pixels]);
  const chosen = Array.from({ length: 5 }, (_, i) => [...palette.subarray(3 * i, 3 * i + 3)].join());
  expect(chosen.sort()).toEqual(colors.map((color) => color.join()).sort());
});

test('a file begins and ends as GIF, with its size', () => {
  const pixels = new Uint8Array(4 * 12 * 5).fill(200);
  const writer = new GifWriter(12, 5, choosePalette([pixels]));
  writer.add(pixels, 8);
  writer.add(pixels, 8);
  const file = writer.finish();
  expect(new TextDecoder().decode(file.subarray(0, 6))).toBe('GIF89a');
  expect([file[6], file[8], file.at(-1)]).toEqual([12, 5, 0x3b]);
});
