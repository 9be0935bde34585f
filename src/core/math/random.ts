/**
 * Small fast counter generator sfc32 [sfc32]: 128 bits of state, integer operations only, so that every engine
 * generates the same numbers. The seed is expanded to the state by splitmix32.
 */
export class Random {
  private a: number;
  private b: number;
  private c: number;
  private counter = 1;

  /** @param seed integer of at most 53 bits; different values of `stream` give independent generators */
  constructor(seed: number, stream = 0) {
    const spread = splitmix32((seed ^ Math.imul(Math.floor(seed / 4294967296), 0x85ebca6b)) | 0);
    this.a = spread();
    this.b = spread() ^ Math.imul(stream, 0x9e3779b9);
    this.c = spread();
    for (let i = 0; i < 15; i++) this.uint32();
  }

  /** Returns a uniform integer in [0, 2³²). */
  uint32(): number {
    const sum = (((this.a + this.b) | 0) + this.counter) | 0;
    this.counter = (this.counter + 1) | 0;
    this.a = this.b ^ (this.b >>> 9);
    this.b = (this.c + (this.c << 3)) | 0;
    this.c = (((this.c << 21) | (this.c >>> 11)) + sum) | 0;
    return sum >>> 0;
  }

  /** Returns a uniform number in [0, 1) with 53 random bits. */
  next(): number {
    const high = this.uint32() >>> 5;
    const low = this.uint32() >>> 6;
    return (high * 67108864 + low) / 9007199254740992;
  }

  /** Writes `count` uniform numbers in [0, 1), the same as that many calls of `next` return. */
  fill(out: Float64Array, count: number): void {
    for (let i = 0; i < count; i++) out[i] = this.next();
  }

  /** Returns a uniform number in [lower, upper). */
  between(lower: number, upper: number): number {
    return lower + (upper - lower) * this.next();
  }

  /** Returns a uniform integer in [0, count). */
  below(count: number): number {
    return Math.floor(this.next() * count);
  }
}

function splitmix32(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x9e3779b9) | 0;
    let z = state ^ (state >>> 16);
    z = Math.imul(z, 0x21f0aaad);
    z ^= z >>> 15;
    z = Math.imul(z, 0x735a2d97);
    return z ^ (z >>> 15);
  };
}
