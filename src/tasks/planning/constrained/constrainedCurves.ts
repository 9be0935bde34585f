import { StraightMotion } from '../../../core/collision/motions/motion.ts';
import type { ConstraintSet } from '../../../core/constraints/constraintSet.ts';
import { EdgeProof } from '../../../core/constraints/edgeProof.ts';
import type { Configuration } from '../../../core/math/configuration.ts';
import { shortestDifference } from '../../../core/planning/metric.ts';
import type { JointSpace } from '../../../core/planning/planner.ts';

/** Maximum number of straight edges of a curve, and of bisections. */
const MAX_EDGES = 64;
const MAX_DEPTH = 7;
/** Edges that are shorter are not bisected: rad (L2 over the joints). */
const MIN_LENGTH = 0.01;
/**
 * Maximum length of each half of a bisected edge, as a fraction of the edge: a longer half means that its middle was
 * projected onto another branch of the set.
 */
const MAX_SHARE = 0.75;
/**
 * Limit of intervals of the proof of one edge. An edge that needs more runs along the boundary of a constraint; it is
 * bisected instead.
 */
const MAX_INTERVALS = 300;
/** Intervals of this length are not bisected in approximate checks: L2 over the joints. */
const COARSE_STEP = 0.1;

/** Required validation of the edges of a curve: proved over their whole length, or at samples only. */
export type CurveCheck = 'proved' | 'sampled';

/**
 * Curves on the set that satisfies the path constraints, as straight edges in joint space: an edge that leaves the set
 * is bisected, and its middle is projected onto the set. The discrete geodesics of [Kingston19], with steps as long as
 * the constraints allow. The curve depends on the two ends alone, and is the same in both directions. One per thread.
 */
export class ConstrainedCurves {
  /** Ends of the edges of the last curve, from the first. */
  private readonly points: Configuration[];
  private readonly middles: Configuration[];
  private readonly motion: StraightMotion;
  private readonly qTo: Configuration;
  private readonly proof: EdgeProof;
  private readonly proved: ProvedEdges;
  private check: CurveCheck = 'proved';
  private most = MAX_EDGES;
  private count = 0;
  private isReversed = false;

  /** @param project moves a state onto the constraints; see `SpaceConstraints` */
  constructor(
    private readonly space: JointSpace,
    private readonly set: ConstraintSet,
    private readonly project: (q: Configuration) => boolean,
  ) {
    const { dof } = space;
    this.points = Array.from({ length: MAX_EDGES + 1 }, () => new Float64Array(dof));
    this.middles = Array.from({ length: MAX_DEPTH }, () => new Float64Array(dof));
    this.motion = new StraightMotion(dof);
    this.qTo = new Float64Array(dof);
    this.proof = new EdgeProof(set);
    this.proved = new ProvedEdges(dof);
  }

  /**
   * Computes the curve between two states that satisfy the constraints. Returns the number of its edges, whose ends
   * `point` returns until the next call; 0 if no curve with at most `most` edges is found.
   */
  trace(qFrom: Configuration, qTo: Configuration, check: CurveCheck, most = MAX_EDGES): number {
    this.isReversed = isAfter(qFrom, qTo);
    const [first, last] = this.isReversed ? [qTo, qFrom] : [qFrom, qTo];
    this.check = check;
    this.most = most;
    this.count = 0;
    this.points[0].set(first);
    return this.append(first, last, 0) ? this.count : 0;
  }

  /** Returns the end of edge i of the last curve; the first state for 0. */
  point(i: number): Configuration {
    return this.points[this.isReversed ? this.count - i : i];
  }

  /** Returns a copy of the states of a proved curve, its ends included; undefined if there is none. */
  curve(qFrom: Configuration, qTo: Configuration, most = MAX_EDGES): Configuration[] | undefined {
    const edges = this.trace(qFrom, qTo, 'proved', most);
    return edges > 0 ? Array.from({ length: edges + 1 }, (_, i) => this.point(i).slice()) : undefined;
  }

  private append(from: Configuration, to: Configuration, depth: number): boolean {
    const { space } = this;
    if (this.isEdgeValid(from, to)) {
      this.points[++this.count].set(to);
      return true;
    }
    const length = space.distance(from, to);
    if (depth >= MAX_DEPTH || this.count + 2 > this.most || length < MIN_LENGTH) return false;
    const middle = this.middles[depth];
    space.interpolate(middle, from, to, 0.5);
    if (!this.project(middle)) return false;
    if (Math.max(space.distance(from, middle), space.distance(middle, to)) > MAX_SHARE * length) return false;
    return this.append(from, middle, depth + 1) && this.append(middle, to, depth + 1);
  }

  private isEdgeValid(from: Configuration, to: Configuration): boolean {
    const { motion, set, space, proved } = this;
    if (proved.has(from, to)) return true;
    if (!set.isSatisfied(to)) return false;
    motion.qFrom = from;
    motion.qTo = this.unwrapped(from, to);
    if (this.check === 'sampled')
      return this.proof.holds(motion, MAX_INTERVALS, COARSE_STEP / space.distance(from, to));
    if (!this.proof.holds(motion, MAX_INTERVALS)) return false;
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
function isAfter(a: Configuration, b: Configuration): boolean {
  for (let i = 0; i < a.length; i++) if (a[i] !== b[i]) return a[i] > b[i];
  return false;
}
