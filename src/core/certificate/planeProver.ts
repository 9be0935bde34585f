import { UNIT_ROUNDOFF } from '../kinematics/poseRounding.ts';
import type { RobotModel } from '../kinematics/robotModel.ts';
import type { Vec3 } from '../math/vec3.ts';
import { type RequiredDistances, requiredDistance } from '../scene/clearances.ts';
import type { CertifiedPart } from './convexParts.ts';
import { LinkPoseCache } from './linkPoses.ts';
import { type MotionPiece, pieceAt, reachedPositions } from './motionPieces.ts';
import { PairPlane } from './pairPlane.ts';

/**
 * Maximum number of evaluations for one certificate, after which spans count as not proved: about a hundred times what
 * long plans need.
 */
export const MAX_EVALUATIONS = 5_000_000;

/**
 * Proves that fixed directions separate pairs of parts over time intervals of a motion: docs/proof.md, "What the
 * checker does". Call `setPair`, then `provesSpan` for its spans.
 */
export class PlaneProver extends PairPlane {
  /** Minimum gap proved so far, metres. */
  minGap = Number.POSITIVE_INFINITY;
  /** After a span that is not proved: a time at which the proof failed, and a lower bound (metres) on the gap there. */
  time = 0;
  gap = 0;
  /** Distance that the pair must be apart, metres. */
  padding = 0;
  private evaluations = 0;
  private readonly moments: LinkPoseCache;

  constructor(
    robot: RobotModel,
    readonly pieces: readonly MotionPiece[],
    private readonly scene: RequiredDistances,
  ) {
    super(robot, reachedPositions(pieces, robot.dof));
    this.moments = new LinkPoseCache(robot);
    for (const [k, { start, end }] of pieces.entries())
      if (!(start <= end && (k === 0 || start === pieces[k - 1].end)))
        throw new Error(`piece ${k} of the motion, ${start} to ${end}, does not begin where the one before ends`);
  }

  override setPair(a: CertifiedPart, b: CertifiedPart): void {
    super.setPair(a, b);
    this.padding = requiredDistance(this.scene, a.object, b.object);
  }

  /**
   * Returns true if n (unit up to rounding, in the frame of b) is proved to separate the pair by what is required at
   * every t in [t0, t1]. Nothing is proved of times outside of the motion.
   */
  provesSpan(t0: number, t1: number, n: Vec3): boolean {
    this.setDirection(n);
    const { start } = this.pieces[0];
    const { end } = this.pieces[this.pieces.length - 1];
    if (!(t0 >= start && t1 <= end)) {
      this.time = t0 < start ? t0 : t1;
      this.gap = 0;
      return false;
    }
    for (const { piece, from, to } of this.piecesWithin(t0, t1))
      if (!this.provesInterval(piece, from, to)) return false;
    return true;
  }

  /** Visits the parts of pieces within [t0, t1], which is within the motion. */
  *piecesWithin(t0: number, t1: number): Generator<{ piece: MotionPiece; from: number; to: number }> {
    for (let k = pieceAt(this.pieces, t0); k < this.pieces.length && this.pieces[k].start <= t1; k++) {
      const piece = this.pieces[k];
      const [from, to] = [Math.max(t0, piece.start), Math.min(t1, piece.end)];
      if (to > from || t1 === t0) yield { piece, from, to };
    }
  }

  /**
   * Bisects the interval until the bound holds on each part; returns false if the gap in the middle of one is too
   * small.
   */
  private provesInterval(piece: MotionPiece, from: number, to: number): boolean {
    const stack = [to, from];
    while (stack.length > 0) {
      const begin = stack.pop()!;
      const end = stack.pop()!;
      const middle = begin + 0.5 * (end - begin);
      const { throughout, now } = this.evaluateGap(piece, begin, middle, end);
      if (this.isEnough(throughout)) {
        this.minGap = Math.min(this.minGap, throughout);
        continue;
      }
      this.time = middle;
      this.gap = now;
      const canBeHalved = middle > begin && middle < end && ++this.evaluations < MAX_EVALUATIONS;
      if (!canBeHalved || !this.isEnough(now)) return false;
      stack.push(end, middle, middle, begin);
    }
    return true;
  }

  private isEnough(gap: number): boolean {
    return gap > 0 && gap >= this.padding;
  }

  /**
   * Computes lower bounds on the gap along the direction, over [begin, end] and in the middle, less rounding errors.
   * With τ = t − middle, |τ| <= h, the position of a point c + r of a relative to b is  x(t) = c + r + τ (V + Ω × r) +
   * R,  ‖R‖ <= A τ²/2, so that along n
   *   max n·x(t) <= n·c + τ n·V + s(n + τ n × Ω) + A h²/2,   s(d) = max d·r
   * which, except for the last term, is convex in τ and has its maximum at τ = h or −h.
   */
  evaluateGap(piece: MotionPiece, begin: number, middle: number, end: number): { throughout: number; now: number } {
    const { moments, size, relativeError } = this;
    const { rates, T_world_link } = moments.at(piece, begin, middle, end);
    const half = Math.max(middle - begin, end - middle) * (1 + 4 * UNIT_ROUNDOFF);
    const { n, c, beginOfB } = this.posed(T_world_link);
    const motion = this.relativeMotion(rates, T_world_link, c, half);
    const after = this.reachAfter(T_world_link, n, motion, half);
    const before = this.reachAfter(T_world_link, n, motion, -half);
    const { turning, speed, acceleration } = motion;
    const ofFirstOrder = relativeError * half * (size * turning + this.rounding.turned * speed);
    return {
      throughout: beginOfB - Math.max(after, before) - 0.5 * acceleration * half * half - ofFirstOrder,
      now: beginOfB - this.reach(T_world_link, n),
    };
  }
}
