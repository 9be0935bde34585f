import type { Configuration } from '../../../core/math/configuration.ts';

/** Number of edges that are kept; a power of two. */
const SIZE = 256;

/**
 * The last straight edges that were proved to satisfy the path constraints: shortcuts prove an edge, then its
 * collisions are checked as part of a curve. Edges are compared by all values of both ends, in either direction.
 */
export class ProvedEdges {
  private readonly ends: Float64Array;
  private readonly bits = new Float64Array(1);
  private readonly words = new Int32Array(this.bits.buffer);

  constructor(private readonly dof: number) {
    this.ends = new Float64Array(2 * dof * SIZE).fill(Number.NaN);
  }

  /** Returns true if this edge was added and is still kept. */
  has(a: Configuration, b: Configuration): boolean {
    const [first, last] = isAfter(a, b) ? [b, a] : [a, b];
    const { ends, dof } = this;
    const o = this.placeOf(first, last);
    for (let j = 0; j < dof; j++) if (ends[o + j] !== first[j] || ends[o + dof + j] !== last[j]) return false;
    return true;
  }

  /** Keeps an edge in place of another one. */
  add(a: Configuration, b: Configuration): void {
    const [first, last] = isAfter(a, b) ? [b, a] : [a, b];
    const o = this.placeOf(first, last);
    this.ends.set(first, o);
    this.ends.set(last, o + this.dof);
  }

  private placeOf(first: Configuration, last: Configuration): number {
    const { bits, words } = this;
    let hash = 0;
    for (let j = 0; j < this.dof; j++) {
      bits[0] = first[j] - 3 * last[j];
      hash = (Math.imul(hash, 31) + words[0] + words[1]) | 0;
    }
    return 2 * this.dof * ((hash ^ (hash >>> 8) ^ (hash >>> 16)) & (SIZE - 1));
  }
}

/** Orders states by their first value that differs. */
export function isAfter(a: Configuration, b: Configuration): boolean {
  for (let i = 0; i < a.length; i++) if (a[i] !== b[i]) return a[i] > b[i];
  return false;
}
