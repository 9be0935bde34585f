import { expect, test } from 'vitest';
import { Random } from '../../../src/core/math/random.ts';
import { DecimalReader } from '../../../src/formats/streams/decimalReader.ts';

const encoder = new TextEncoder();
const reader = new DecimalReader();
const value = new Float64Array(1);

/** The number at the start of a text, and the position after it; undefined if it is left to the caller. */
function readNumber(text: string): { value: number; end: number } | undefined {
  const end = reader.read(encoder.encode(`${text}\n`), 0, value, 0);
  return end < 0 ? undefined : { value: value[0], end };
}

/** Numbers of all lengths and magnitudes, and decimals next to the midpoint of two doubles. */
function randomTexts(seed: number, count: number): string[] {
  const source = new Random(seed);
  const random = () => source.next();
  const digits = (n: number) => Array.from({ length: n }, () => Math.floor(10 * random())).join('');
  return Array.from({ length: count }, (_, i) => {
    const x = (2 * random() - 1 + random() * 2 ** -32) * 10 ** Math.floor(12 * random() - 8);
    if (i % 4 === 0) return String(x);
    if (i % 4 === 1) return `-${Math.floor(1e6 * random())}.${digits(1 + Math.floor(14 * random()))}`;
    if (i % 4 === 2) return `${Math.floor(10 * random())}.${digits(12)}e${Math.floor(44 * random() - 22)}`;
    return nearMidpoint(Math.abs(x) + 1e-6, random);
  });
}

/** Decimal of 16 to 18 digits that is next to the midpoint of a double and its successor. */
function nearMidpoint(x: number, random: () => number): string {
  const bits = new BigUint64Array(Float64Array.of(x).buffer)[0];
  const exponent = Number(bits >> 52n) - 1076;
  const middle = 2n * ((bits & 0xfffffffffffffn) | 0x10000000000000n) + 1n; // x < middle · 2^exponent < next
  const all = (exponent < 0 ? middle * 5n ** BigInt(-exponent) : middle << BigInt(exponent)).toString();
  const point = all.length + Math.min(0, exponent);
  const kept = BigInt(all.slice(0, 16 + Math.floor(3 * random()))) + BigInt(Math.floor(3 * random()) - 1);
  const text = kept.toString().padEnd(Math.max(0, point), '0');
  return point > 0 ? `${text.slice(0, point)}.${text.slice(point)}0` : `0.${'0'.repeat(-point)}${text}`;
}

test('numbers are read to the double that Number returns', () => {
  let read = 0;
  const texts = randomTexts(7, 100_000);
  for (const text of texts) {
    const number = readNumber(text);
    if (number === undefined) continue;
    read++;
    if (!Object.is(number.value, Number(text)) || number.end !== text.length)
      expect(number, text).toEqual({ value: Number(text), end: text.length });
  }
  expect(read).toBeGreaterThan(0.75 * texts.length);
});

test('all numbers that JSON prints for joint values are read', () => {
  const source = new Random(3);
  const random = () => source.next();
  for (let i = 0; i < 20_000; i++) {
    const text = JSON.stringify((random() - 0.5) * 2 * Math.PI);
    expect(readNumber(text) ?? text).toEqual({ value: Number(text), end: text.length });
  }
});

test('what JSON does not read is left to the caller', () => {
  const texts = ['', '-', '+1', '.5', '1.', '00', '01', '-01', '1.e5', '1e', '1e+', 'e5', 'NaN', 'Infinity', '٣', ' 1'];
  for (const text of texts) expect(readNumber(text), text).toBe(undefined);
});

test('a number ends before the first character that does not belong to it', () => {
  for (const [text, end] of [
    ['1-2', 1],
    ['1.5.5', 3],
    ['2e3e4', 3],
    ['-0x10', 2],
    ['1_0', 1],
  ] as const)
    expect(readNumber(text), text).toMatchObject({ end });
});

test('ties between two doubles are rounded as by Number, or left to the caller', () => {
  for (const text of [
    '9007199254740993',
    '9007199254740993.0',
    '4503599627370496.5',
    '4503599627370497.5',
    '0.5',
    '1e22',
  ])
    expect(readNumber(text)?.value ?? Number(text), text).toBe(Number(text));
});

test('the sign of zero is kept', () => {
  for (const text of ['0', '-0', '-0.0', '0e5', '-0e-9']) expect(readNumber(text)?.value, text).toBe(Number(text));
});
