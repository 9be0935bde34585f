import type { Configuration } from '../../math/configuration.ts';
import type { PosedParts } from '../model/posedParts.ts';

/** Maximum number of edges that are stored; then the oldest is dropped. About 1 MB for seven joints. */
const MOST_EDGES = 4096;

/**
 * Straight edges that one prover has certified, by their end states, bit for bit: a state that differs by one unit in
 * the last place, the reversed edge and a part of an edge are other edges. The proofs hold for the poses of the
 * obstacles, the collision pairs and the padding that the prover uses; `holdsFor` compares them with those of another
 * proof.
 */
export class EdgeProofs {
  private readonly edges = new Map<number, Float64Array>();
  private readonly generation: number;
  private readonly bits: Uint32Array;
  /** Both ends of the edge that is stored or searched for. */
  private readonly ends: Float64Array;

  /**
   * @param posed parts and obstacles of the prover
   * @param padding of the prover, metres
   */
  constructor(
    private readonly posed: PosedParts,
    private readonly padding: number,
  ) {
    this.generation = posed.generation;
    this.ends = new Float64Array(2 * posed.model.robot.dof);
    this.bits = new Uint32Array(this.ends.buffer);
  }

  /** Number of stored edges. */
  get size(): number {
    return this.edges.size;
  }

  /** Returns true if the stored proofs are proofs for these parts, with obstacles where they are now, and padding. */
  holdsFor(posed: PosedParts, padding: number): boolean {
    return posed === this.posed && posed.generation === this.generation && padding === this.padding;
  }

  /** Stores a certified edge; copies its ends. Ignored if an obstacle was moved since construction. */
  add(qFrom: Configuration, qTo: Configuration): void {
    const { edges, ends, posed } = this;
    if (posed.generation !== this.generation) return;
    const hash = this.hashOf(qFrom, qTo);
    edges.delete(hash); // the newer of two edges of one hash is kept, as the last one
    edges.set(hash, ends.slice());
    if (edges.size > MOST_EDGES) edges.delete(edges.keys().next().value!);
  }

  /** Returns true if the edge between exactly these states, in this direction, is stored. */
  has(qFrom: Configuration, qTo: Configuration): boolean {
    const { edges, ends, bits } = this;
    if (qFrom.length + qTo.length !== ends.length) return false;
    const stored = edges.get(this.hashOf(qFrom, qTo));
    if (stored === undefined) return false;
    const storedBits = new Uint32Array(stored.buffer);
    for (let i = 0; i < bits.length; i++) if (bits[i] !== storedBits[i]) return false;
    return true;
  }

  /** Returns a hash of the bits of both ends, and writes them to `ends`. */
  private hashOf(qFrom: Configuration, qTo: Configuration): number {
    const { ends, bits } = this;
    ends.set(qFrom);
    ends.set(qTo, qFrom.length);
    let hash = 0x811c9dc5;
    for (let i = 0; i < bits.length; i++) {
      hash = Math.imul(hash ^ bits[i], 0x01000193);
      hash ^= hash >>> 15;
    }
    return hash;
  }
}
