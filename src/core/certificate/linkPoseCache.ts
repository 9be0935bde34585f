import type { RobotModel } from '../kinematics/robotModel.ts';
import type { Transform } from '../math/transform.ts';
import { linkPoses } from './linkPoses.ts';
import { type JointRates, jointRates, type MotionPiece } from './motionPieces.ts';

/** Link poses in the middle of a time interval, and bounds on joint rates over the interval. */
export interface IntervalPose {
  readonly piece: MotionPiece;
  readonly middle: number;
  readonly rates: JointRates;
  readonly T_world_link: readonly Transform[];
}

/** Maximum number of cached entries, some kilobytes each; then the cache is cleared. */
const CACHE_LIMIT = 4096;

/** Cache of link poses and rate bounds: thousands of pairs have planes over the same time intervals. */
export class LinkPoseCache {
  /** By the start of the interval, then by its end. */
  private readonly cache = new Map<number, Map<number, IntervalPose>>();
  private count = 0;

  constructor(private readonly robot: RobotModel) {}

  /** Returns the entry of [begin, end], from the cache or computed. */
  at(piece: MotionPiece, begin: number, middle: number, end: number): IntervalPose {
    const found = this.cache.get(begin)?.get(end);
    if (found?.piece === piece && found.middle === middle) return found;
    const rates = jointRates(piece, begin, middle, end);
    const moment = { piece, middle, rates, T_world_link: linkPoses(this.robot, rates.position) };
    this.store(moment, begin, end);
    return moment;
  }

  private store(moment: IntervalPose, begin: number, end: number): void {
    if (this.count >= CACHE_LIMIT) {
      this.cache.clear();
      this.count = 0;
    }
    const byEnd = this.cache.get(begin) ?? new Map<number, IntervalPose>();
    this.cache.set(begin, byEnd.set(end, moment));
    this.count++;
  }
}
