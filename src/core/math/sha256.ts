/**
 * SHA-256 of a text [FIPS180-4 §6.2], synchronous and without platform APIs: trajectory hashes are also computed in
 * browsers and workers, where the platform's digest is asynchronous or missing.
 */

/** Size of a message block in bytes, and the offset of the message length in the last block. */
const BLOCK = 64;
const LENGTH_AT = 56;

/** Fractional parts of the cube roots of the first 64 primes. */
// biome-ignore format: a table
const K = Int32Array.of(
  0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
  0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
  0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
  0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
  0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
  0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
  0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
  0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2,
);

/** Fractional parts of the square roots of the first 8 primes. */
// biome-ignore format: a table
const H0 = [0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19];

/**
 * Lower-case hexadecimal SHA-256 of the UTF-8 bytes of a text; lone surrogates count as U+FFFD, as every encoder writes
 * them.
 */
export const sha256 = (text: string): string => sha256OfTexts([text]);

/** As `sha256`, of the concatenation of texts: one block is kept at a time. No surrogate pair may be split. */
export function sha256OfTexts(texts: Iterable<string>): string {
  const encoder = new TextEncoder();
  const hash = Int32Array.from(H0);
  const schedule = new Int32Array(BLOCK);
  const block = new DataView(new ArrayBuffer(BLOCK));
  let length = 0;
  const append = (byte: number) => {
    block.setUint8(length++ % BLOCK, byte);
    if (length % BLOCK !== 0) return;
    expand(schedule, block);
    compress(hash, schedule);
  };
  for (const text of texts) for (const byte of encoder.encode(text)) append(byte);
  // The message, a one bit, zeros, and its length in bits, in whole blocks [FIPS180-4 §5.1.1].
  const bytes = length;
  append(0x80);
  while (length % BLOCK !== LENGTH_AT) append(0);
  const words = [Math.floor(bytes / 2 ** 29), (bytes << 3) >>> 0];
  for (const word of words) for (const shift of [24, 16, 8, 0]) append((word >>> shift) & 0xff);
  return Array.from(hash, (word) => (word >>> 0).toString(16).padStart(8, '0')).join('');
}

/** W of one block: its 16 words, and 48 mixed from them. */
function expand(W: Int32Array, block: DataView): void {
  for (let t = 0; t < 16; t++) W[t] = block.getInt32(4 * t);
  for (let t = 16; t < 64; t++) {
    const x = W[t - 15];
    const y = W[t - 2];
    const s0 = rotate(x, 7) ^ rotate(x, 18) ^ (x >>> 3);
    const s1 = rotate(y, 17) ^ rotate(y, 19) ^ (y >>> 10);
    W[t] = (((W[t - 16] + s0) | 0) + ((W[t - 7] + s1) | 0)) | 0; // sums stay integers of 32 bits, which is faster
  }
}

/** 64 rounds; the letters are those of the standard. */
function compress(hash: Int32Array, W: Int32Array): void {
  let a = hash[0];
  let b = hash[1];
  let c = hash[2];
  let d = hash[3];
  let e = hash[4];
  let f = hash[5];
  let g = hash[6];
  let h = hash[7];
  for (let t = 0; t < 64; t++) {
    const choice = (e & f) ^ (~e & g);
    const majority = (a & b) ^ (a & c) ^ (b & c);
    const mixed = (h + (rotate(e, 6) ^ rotate(e, 11) ^ rotate(e, 25))) | 0;
    const t1 = (((mixed + choice) | 0) + ((K[t] + W[t]) | 0)) | 0;
    const t2 = ((rotate(a, 2) ^ rotate(a, 13) ^ rotate(a, 22)) + majority) | 0;
    h = g;
    g = f;
    f = e;
    e = (d + t1) | 0;
    d = c;
    c = b;
    b = a;
    a = (t1 + t2) | 0;
  }
  hash[0] += a;
  hash[1] += b;
  hash[2] += c;
  hash[3] += d;
  hash[4] += e;
  hash[5] += f;
  hash[6] += g;
  hash[7] += h;
}

const rotate = (x: number, bits: number) => (x >>> bits) | (x << (32 - bits));
