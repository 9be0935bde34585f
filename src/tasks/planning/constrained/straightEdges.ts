import { StraightMotion } from '../../../core/collision/motions/motion.ts';
import type { ConstraintSet } from '../../../core/constraints/constraintSet.ts';
import { EdgeProof } from '../../../core/constraints/edgeProof.ts';
import type { Configuration } from '../../../core/math/configuration.ts';
import { shortestDifference } from '../../../core/planning/metric.ts';
import type { JointSpace } from '../../../core/planning/planner.ts';

/**
 * Limit of intervals of the proof of one edge. An edge that needs more runs along the boundary of a constraint.
 */
const MAX_INTERVALS = 300;
/** Intervals of this length are not bisected in approximate checks: L2 over the joints. */
const COARSE_STEP = 0.1;

/** Required validation of edges: proved over their whole length, or at samples only. */
export type EdgeCheck = 'proved' | 'sampled';

/** Straight edges of a space that satisfy the path constraints. One per thread. */
export class StraightEdges {
  private readonly motion: StraightMotion;
  private readonly qTo: Configuration;
  private readonly proof: EdgeProof;
  private readonly proved: ProvedEdges;

  constructor(
    private readonly space: JointSpace,
    private readonly set: ConstraintSet,
  ) {
    this.motion = new StraightMotion(space.dof);
    this.qTo = new Float64Array(space.dof);
    this.proof = new EdgeProof(set);
    this.proved = new ProvedEdges(space.dof);
  }

  /** Returns true if an edge satisfies the constraints; its first state is known to. */
  satisfy(from: Configuration, to: Configuration, check: EdgeCheck): boolean {
    const { motion, set, space, proved, proof } = this;
    if (proved.has(from, to)) return true;
    if (!set.isSatisfied(to)) return false;
    motion.qFrom = from;
    motion.qTo = this.unwrapped(from, to);
    if (check === 'sampled') return proof.holds(motion, MAX_INTERVALS, COARSE_STEP / space.distance(from, to));
    if (!proof.holds(motion, MAX_INTERVALS)) return false;
    proved.add(from, to);
    return true;
  }

  /** Returns `to` plus full turns so that the straight line from `from` to it is the shortest path. */
  private unwrapped(from: Configuration, to: Configuration): Configuration {
    const { space, qTo: out } = this;
    if (!space.halfTurns) return to;
    for (let i = 0; i < space.dof; i++) out[i] = from[i] + shortestDifference(from[i], to[i], space.halfTurns[i]);
    return out;
  }
}

/** Number of edges that are kept; a power of two. */
const SIZE = 256;

/**
 * The last straight edges that were proved to satisfy the path constraints: shortcuts prove an edge, then its
 * collisions are checked as part of a curve. Edges are compared by all values of both ends, in either direction.
 */
class ProvedEdges {
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
