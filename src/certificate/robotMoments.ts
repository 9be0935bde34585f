import type { RobotModel } from '../kinematics/robotModel.ts';
import type { Transform } from '../math/transform.ts';
import { linkPoses } from './linkPoses.ts';
import { type JointRates, jointRates, type MotionPiece } from './motionPieces.ts';

/** The robot in the middle of a stretch of its motion, and what bounds its joints' rates all through it. */
export interface RobotMoment {
  readonly piece: MotionPiece;
  readonly middle: number;
  readonly rates: JointRates;
  readonly T_world_link: readonly Transform[];
}

/** Moments kept, some kilobytes each; beyond that all are forgotten. */
const MOST_KEPT = 4096;

/** The moments of a motion. Thousands of pairs have planes over the same stretches, so each moment is computed once and kept. */
export class RobotMoments {
  /** By the begin of the stretch, then by its end. */
  private readonly known = new Map<number, Map<number, RobotMoment>>();
  private kept = 0;

  constructor(private readonly robot: RobotModel) {}

  at(piece: MotionPiece, begin: number, middle: number, end: number): RobotMoment {
    const found = this.known.get(begin)?.get(end);
    if (found?.piece === piece && found.middle === middle) return found;
    const rates = jointRates(piece, begin, middle, end);
    const moment = { piece, middle, rates, T_world_link: linkPoses(this.robot, rates.position) };
    this.keep(moment, begin, end);
    return moment;
  }

  private keep(moment: RobotMoment, begin: number, end: number): void {
    if (this.kept >= MOST_KEPT) {
      this.known.clear();
      this.kept = 0;
    }
    const byEnd = this.known.get(begin) ?? new Map<number, RobotMoment>();
    this.known.set(begin, byEnd.set(end, moment));
    this.kept++;
  }
}
