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

const encode = (text: string) => new TextEncoder().encode(text);

/** What readers stumble over, as text. */
const pieces = [
  ...'"<>/&,-{}[]:\n #%*.;\'',
  ...['0', '9', '-1', '1e999', '1e-999', 'NaN', 'inf', 'null', 'true', '[]', '{}', '""', '__proto__', '\u0000', 'ü'],
  ...['*a', '&a', '!!js', '<<: *a', '99999999999999999999', '4294967295', '0x7fffffff', '<!ENTITY a "b">', '&a;'],
  ...['../../../../etc/passwd', '$(arg x)', 'package://', 'sqrt(', 'pi^pi^pi', '1/0', '°', 'mm', 'solid', '\r'],
].map(encode);
/** And as bytes. */
const words = [0, 1, 0x7f, 0x80, 0xff];

/** The file with a few pieces cut out, doubled, replaced or turned over; now and then only its beginning, or nests of brackets. */
export function mutate(samples: readonly Uint8Array[], random: Below): Uint8Array {
  let bytes = samples[random(samples.length)];
  for (let n = 1 + random(4); n > 0; n--) bytes = mutateOnce(bytes, samples, random);
  return bytes;
}

function mutateOnce(bytes: Uint8Array, samples: readonly Uint8Array[], random: Below): Uint8Array {
  const at = random(bytes.length + 1);
  const length = random(4) === 0 ? random(60) : random(4);
  switch (random(12)) {
    case 0:
      return bytes.slice(0, at);
    case 1:
    case 2:
      return spliced(bytes, at, length, new Uint8Array(0));
    case 3:
      return spliced(bytes, at, 0, bytes.subarray(at, at + random(200)));
    case 4: {
      const other = samples[random(samples.length)];
      const from = random(other.length);
      return spliced(bytes, at, length, other.subarray(from, from + random(80)));
    }
    case 5: {
      const out = bytes.slice();
      if (out.length > 0) out[at % out.length] ^= 1 << random(8);
      return out;
    }
    case 6:
      return spliced(
        bytes,
        at,
        4,
        Uint8Array.from({ length: 4 }, () => words[random(words.length)]),
      );
    case 7:
      return random(20) === 0 ? spliced(bytes, at, 0, nest(random)) : withNumber(bytes, at, random);
    case 8:
    case 9:
      return withNumber(bytes, at, random);
    default:
      return spliced(bytes, at, length, pieces[random(pieces.length)]);
  }
}

/** Puts another number where the next one stands. */
function withNumber(bytes: Uint8Array, at: number, random: Below): Uint8Array {
  const isDigit = (byte: number) => (byte >= 48 && byte <= 57) || byte === 46;
  let from = at;
  while (from < bytes.length && !isDigit(bytes[from])) from++;
  let to = from;
  while (to < bytes.length && isDigit(bytes[to])) to++;
  const numbers = [
    '0',
    '-0',
    '1',
    '2',
    '-7',
    '255',
    '65536',
    '2147483648',
    '1e9',
    '1e300',
    '1e-320',
    '0.1',
    'nan',
    '3.',
  ];
  return spliced(bytes, from, to - from, encode(numbers[random(numbers.length)]));
}

function nest(random: Below): Uint8Array {
  const open = ['[', '{', '(', '<a>', '{a: ', '- ', '-(', '!!map {'][random(8)];
  return encode(open.repeat(10 ** random(5)));
}

function spliced(bytes: Uint8Array, at: number, cut: number, piece: Uint8Array): Uint8Array {
  const end = Math.min(bytes.length, at + cut);
  const out = new Uint8Array(at + piece.length + bytes.length - end);
  out.set(bytes.subarray(0, at));
  out.set(piece, at);
  out.set(bytes.subarray(end), at + piece.length);
  return out;
}
