import type { Configuration } from '../../../core/math/configuration.ts';
import type { JointSpace } from '../../../core/planning/planner.ts';
import { type EdgeCheck, isAfter, type StraightEdges } from './straightEdges.ts';

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
 * Curves on the set that satisfies the path constraints, as straight edges in joint space: an edge that leaves the set
 * is bisected, and its middle is projected onto the set. The discrete geodesics of [Kingston19], with steps as long as
 * the constraints allow. The curve depends on the two ends alone, and is the same in both directions. One per thread.
 */
export class ConstrainedCurves {
  /** Ends of the edges of the last curve, from the first. */
  private readonly points: Configuration[];
  private readonly middles: Configuration[];
  private check: EdgeCheck = 'proved';
  private most = MAX_EDGES;
  private count = 0;
  private isReversed = false;

  /** @param project moves a state onto the constraints; see `SpaceConstraints` */
  constructor(
    private readonly space: JointSpace,
    private readonly edges: StraightEdges,
    private readonly project: (q: Configuration) => boolean,
  ) {
    const { dof } = space;
    this.points = Array.from({ length: MAX_EDGES + 1 }, () => new Float64Array(dof));
    this.middles = Array.from({ length: MAX_DEPTH }, () => new Float64Array(dof));
  }

  /**
   * Computes the curve between two states that satisfy the constraints. Returns the number of its edges, whose ends
   * `point` returns until the next call; 0 if no curve with at most `most` edges is found.
   */
  trace(qFrom: Configuration, qTo: Configuration, check: EdgeCheck, most = MAX_EDGES): number {
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
    if (this.edges.satisfy(from, to, this.check)) {
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
}
