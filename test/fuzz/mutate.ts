import { blockAt, tokenAt } from './blocks.ts';
import type { Samples } from './encode.ts';

/** Whole numbers from 0 to below `below`; the same for the same seed and case. Quality is no matter here. */
export function generator(seed: number, round: number): (below: number) => number {
  let state = (Math.imul(seed + 1, 0x9e3779b1) ^ Math.imul(round + 1, 0x85ebca6b)) >>> 0;
  return (below) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    const mixed = Math.imul(state ^ (state >>> 15), 0x2c1b3c6d) >>> 0;
    return Math.floor((mixed / 4294967296) * below);
  };
}

type Below = ReturnType<typeof generator>;
type Bytes = Uint8Array;

const encode = (text: string) => new TextEncoder().encode(text);
const nothing = new Uint8Array(0);

/** What readers stumble over, as text. */
const pieces = [
  ...'"<>/&,-{}[]:\n #%*.;\'',
  ...['0', '9', '-1', '1e999', '1e-999', 'NaN', 'inf', 'null', 'true', '[]', '{}', '""', '__proto__', '\u0000', 'ü'],
  ...['*a', '&a', '!!js', '<<: *a', '99999999999999999999', '4294967295', '0x7fffffff', '<!ENTITY a "b">', '&a;'],
  ...['../../../../etc/passwd', '$(arg x)', 'package://', 'sqrt(', 'pi^pi^pi', '1/0', '°', 'mm', 'solid', '\r'],
  ...[
    'constructor',
    'toString',
    '\uFEFF',
    '\u2028',
    '- ',
    '? ',
    '|\n',
    '>\n',
    '---\n',
    '%YAML 9\n',
    '<![CDATA[',
    '<!--',
  ],
].map(encode);

const numbers = [
  ...['0', '-0', '1', '2', '-7', '0.1', '3.', '255', '65536', '1000000', '-2147483649', '2147483648', '4294967296'],
  ...['9007199254740993', '999999999999999999999', '1e9', '1e18', '1e300', '1e308', '-1e308', '1.8e308', '-1e999'],
  ...['1e-320', '5e-324', '1e-17', 'nan', 'NaN', 'inf', '-Infinity', '0x10', '1_000', '1,5', '٣'],
].map(encode);
/** Files beyond this are not made a hundred times as large: bytes. */
const LARGE = 20_000;
/** What readers stumble over, as bytes. */
const words = [0, 1, 0x7f, 0x80, 0xff];

const brackets = ['[ ]', '{ }', '( )', '<a> </a>', '{a: }', '[{x: }]', '"', '\n  - \n'].map((pair) => {
  const [open, close] = pair.split(' ');
  return { open: encode(open), close: encode(close ?? '') };
});

/**
 * A sample, or two of them joined, with a few pieces changed. Half of the files keep their bytes whole and change by
 * words, numbers and blocks, so that what lies behind the parser is reached; in the other half anything may happen to
 * any byte.
 */
export function mutate(samples: Samples, random: Below): Bytes {
  let bytes = random(16) === 0 ? joined(samples, random) : samples[random(samples.length)];
  const isTidy = random(2) === 0;
  for (let n = 1 + random(4); n > 0; n--) {
    bytes = isTidy || random(3) === 0 ? changeWords(bytes, samples, random) : changeBytes(bytes, samples, random);
  }
  return bytes;
}

/** The beginning of one sample and the end of another. */
function joined(samples: Samples, random: Below): Bytes {
  const [first, second] = [samples[random(samples.length)], samples[random(samples.length)]];
  const [to, from] = [random(first.length + 1), random(second.length + 1)];
  return spliced(first, to, first.length - to, second.subarray(from));
}

function changeWords(bytes: Bytes, samples: Samples, random: Below): Bytes {
  const at = random(bytes.length + 1);
  switch (random(12)) {
    case 0:
    case 1:
    case 2:
      return withNumber(bytes, at, random);
    case 3:
      return withWords(bytes, tokenAt(bytes, at), tokenAt(bytes, random(bytes.length + 1)));
    case 4:
    case 5: {
      const other = samples[random(samples.length)];
      const [from, to] = tokenAt(other, random(other.length + 1));
      const [start, end] = tokenAt(bytes, at);
      return spliced(bytes, start, end - start, other.subarray(from, to));
    }
    case 6: {
      const [start, end] = tokenAt(bytes, at);
      return spliced(bytes, start, end - start, pieces[random(pieces.length)]);
    }
    case 7: {
      const [start, end] = blockAt(bytes, at);
      return spliced(bytes, start, end - start, nothing);
    }
    case 8:
    case 9: {
      const [start, end] = blockAt(bytes, at);
      const times = random(400) === 0 && bytes.length < LARGE ? 100 : 1 + random(2);
      return spliced(bytes, end, 0, repeated(doubled(bytes.subarray(start, end)), times));
    }
    case 10: {
      const other = random(2) === 0 ? bytes : samples[random(samples.length)];
      const [from, to] = blockAt(other, random(other.length + 1));
      const [start, end] = blockAt(bytes, at);
      return spliced(bytes, start, random(2) * (end - start), other.subarray(from, to));
    }
    default:
      return nested(bytes, blockAt(bytes, at), random);
  }
}

function changeBytes(bytes: Bytes, samples: Samples, random: Below): Bytes {
  const at = random(bytes.length + 1);
  const length = random(4) === 0 ? random(60) : random(4);
  switch (random(10)) {
    case 0:
      return bytes.slice(0, at);
    case 1:
    case 2:
      return spliced(bytes, at, length, nothing);
    case 3:
      return spliced(bytes, at, 0, bytes.subarray(at, at + random(200)));
    case 4: {
      const other = samples[random(samples.length)];
      const from = random(other.length);
      return spliced(bytes, at, length, other.subarray(from, from + random(80)));
    }
    case 5:
    case 6: {
      const out = bytes.slice();
      if (out.length > 0) out[at % out.length] ^= 1 << random(8);
      return out;
    }
    case 7: {
      const four = Uint8Array.from({ length: 4 }, () => words[random(words.length)]);
      return spliced(bytes, at, 4, four);
    }
    default:
      return spliced(bytes, at, length, pieces[random(pieces.length)]);
  }
}

/** Puts another number where the next one stands. */
function withNumber(bytes: Bytes, at: number, random: Below): Bytes {
  const isDigit = (byte: number) => (byte >= 48 && byte <= 57) || byte === 46;
  let from = at;
  while (from < bytes.length && !isDigit(bytes[from])) from++;
  let to = from;
  while (to < bytes.length && isDigit(bytes[to])) to++;
  return spliced(bytes, from, to - from, numbers[random(numbers.length)]);
}

/** Two words change places. */
function withWords(bytes: Bytes, one: readonly [number, number], two: readonly [number, number]): Bytes {
  const [[a, b], [c, d]] = one[0] < two[0] ? [one, two] : [two, one];
  if (b > c) return bytes;
  const swapped = [bytes.subarray(c, d), bytes.subarray(b, c), bytes.subarray(a, b)];
  return spliced(bytes, a, d - a, Uint8Array.from(swapped.flatMap((part) => [...part])));
}

/** A block within brackets, a few or ten thousand deep; seldom closed again as often. */
function nested(bytes: Bytes, [start, end]: readonly [number, number], random: Below): Bytes {
  const { open, close } = brackets[random(brackets.length)];
  const depth = 10 ** (random(100) === 0 ? 1 + random(4) : 0);
  const isClosed = random(4) !== 0;
  const inside = spliced(bytes, end, 0, repeated(close, isClosed ? depth : random(3)));
  return spliced(inside, start, 0, repeated(open, depth));
}

/** What follows a block of a list in brackets: itself behind a comma. */
function doubled(block: Bytes): Bytes {
  const isInBrackets = block[0] === 0x5b || block[0] === 0x7b;
  return isInBrackets ? spliced(block, 0, 0, encode(', ')) : block;
}

function repeated(piece: Bytes, times: number): Bytes {
  const out = new Uint8Array(piece.length * times);
  for (let i = 0; i < times; i++) out.set(piece, i * piece.length);
  return out;
}

function spliced(bytes: Bytes, at: number, cut: number, piece: Bytes): Bytes {
  const end = Math.min(bytes.length, at + cut);
  const out = new Uint8Array(at + piece.length + bytes.length - end);
  out.set(bytes.subarray(0, at));
  out.set(piece, at);
  out.set(bytes.subarray(end), at + piece.length);
  return out;
}
