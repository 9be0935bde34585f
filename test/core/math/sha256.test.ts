import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { sha256, sha256OfTexts } from '../../../src/core/math/sha256.ts';

// The examples published with FIPS 180, one, two and many blocks long.
const vectors: [string, string][] = [
  ['', 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855'],
  ['abc', 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad'],
  [
    'abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq',
    '248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1',
  ],
  [
    'abcdefghbcdefghicdefghijdefghijkefghijklfghijklmghijklmnhijklmnoijklmnopjklmnopqklmnopqrlmnopqrsmnopqrstnopqrstu',
    'cf5b16a778af8380036ce59e7b0492370b249b11e8f07a51afac45037afee9d1',
  ],
  ['a'.repeat(1_000_000), 'cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0'],
];

test.each(vectors)('the SHA-256 of the published example %# is the published one', (text, hash) => {
  expect(sha256(text)).toBe(hash);
});

test('every length around the ends of a block is padded as the standard requires', () => {
  for (let length = 0; length <= 200; length++) {
    const text = 'x'.repeat(length);
    expect(sha256(text), `${length} bytes`).toBe(createHash('sha256').update(text).digest('hex'));
  }
});

test('any text hashes as its UTF-8 bytes do, lone surrogates included', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 300 }), (text) => {
      expect(sha256(text)).toBe(createHash('sha256').update(text, 'utf8').digest('hex'));
    }),
  );
  expect(sha256('\ud800a')).toBe(createHash('sha256').update('\ud800a', 'utf8').digest('hex'));
});

test('texts hash as their concatenation does, wherever blocks end', () => {
  for (let length = 0; length <= 130; length++) {
    const texts = ['y'.repeat(length), '', 'é'.repeat(70), 'z'.repeat(130 - length)];
    expect(sha256OfTexts(texts)).toBe(createHash('sha256').update(texts.join('')).digest('hex'));
  }
  expect(sha256OfTexts([])).toBe(sha256(''));
});
