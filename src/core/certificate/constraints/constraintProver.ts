import type { RobotModel } from '../../kinematics/robotModel.ts';
import { type Interrupt, never } from '../../math/interrupt.ts';
import { isRateConstraint, type PathConstraint } from '../../scene/constraints.ts';
import type { CheckedScene } from '../../scene/scene.ts';
import { LinkPoseCache } from '../linkPoses.ts';
import type { MotionPiece } from '../motionPieces.ts';
import { momentOf } from './fixedVector.ts';
import { provedConstraint } from './index.ts';
import type { ProvedConstraint } from './provedConstraint.ts';

/** A constraint that is violated, or not proved, in the middle of an interval of time. */
interface OpenConstraint {
  readonly time: number;
  /** In the unit of the limit; at most the tolerance if it is only not proved. */
  readonly excess: number;
  readonly isViolated: boolean;
}

/** Maximum number of intervals of one proof; then the constraint counts as not proved. */
const MAX_INTERVALS = 2_000_000;
/** Number of intervals between two calls of the interrupt. */
const QUERY_EVERY = 1000;

/**
 * Proves path constraints over the motion of the planned robot, with kinematics and bounds that share no code with the
 * planner and with `check`: each evaluates an excess in the middle of an interval and bounds it over the interval;
 * intervals that are not proved are bisected.
 */
export class ConstraintProver {
  private readonly moments: LinkPoseCache;

  /**
   * @param robot the planned robot
   * @param pieces its motion
   * @param isTimed false for paths: limits of speed do not concern them
   * @param interrupt ends the proofs; constraints that are not proved by then count as not proved
   */
  constructor(
    private readonly robot: RobotModel,
    private readonly pieces: readonly MotionPiece[],
    private readonly isTimed: boolean,
    /** With the tool, and what the robot carries. */
    private readonly scene: CheckedScene,
    private readonly interrupt: Interrupt = never,
  ) {
    this.moments = new LinkPoseCache(robot);
  }

  /**
   * Returns the problems of constraints in [from, to], which may be an instant; one line each, none if all are proved.
   * Throws `InputError` for unknown types, links and joints.
   * @param from with `to`: seconds, waypoints for a path; default: the whole motion
   */
  problems(
    constraints: readonly PathConstraint[],
    from = Number.NEGATIVE_INFINITY,
    to = Number.POSITIVE_INFINITY,
  ): string[] {
    return constraints.flatMap((given) => {
      const constraint = provedConstraint(given, this.robot, this.scene);
      if (isRateConstraint(given) && !this.isTimed) return [];
      const found = this.firstOpen(constraint, from, to);
      if (!found) return [];
      const verdict = found.isViolated ? `is violated by ${round(found.excess)}` : 'is not proved';
      return [`constraint "${constraint.label}" ${verdict} at t = ${round(found.time)}`];
    });
  }

  private firstOpen(constraint: ProvedConstraint, from: number, to: number): OpenConstraint | undefined {
    const { pieces } = this;
    const clamped = (time: number) => Math.min(pieces[pieces.length - 1].end, Math.max(pieces[0].start, time));
    const [first, last] = [clamped(from), clamped(to)];
    for (const piece of pieces) {
      const begin = Math.max(first, piece.start);
      const end = Math.min(last, piece.end);
      const isBeside = end < begin || (end === begin && last > first);
      const found = isBeside ? undefined : this.firstOpenIn(constraint, piece, begin, end);
      if (found) return found;
    }
    return undefined;
  }

  private firstOpenIn(constraint: ProvedConstraint, piece: MotionPiece, from: number, to: number) {
    const ends = [to]; // of the intervals to do, the next one last; each begins where the one before ends
    let begin = from;
    for (let count = 1; ends.length > 0; count++) {
      const end = ends[ends.length - 1];
      const middle = begin + 0.5 * (end - begin);
      const { now, upperBound } = constraint.excess(momentOf(this.moments.at(piece, begin, middle, end), begin, end));
      if (upperBound <= constraint.tolerance) {
        begin = ends.pop()!;
        continue;
      }
      const isViolated = !(now <= constraint.tolerance);
      const canBeHalved = middle > begin && middle < end && count < MAX_INTERVALS;
      const isInterrupted = count % QUERY_EVERY === 0 && this.interrupt();
      if (isViolated || !canBeHalved || isInterrupted) return { time: middle, excess: now, isViolated };
      ends.push(middle);
    }
    return undefined;
  }
}

const round = (value: number) => Number(value.toPrecision(6));
