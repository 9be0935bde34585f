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

/** Maximum number of cached entries, some kilobytes each; then they are used again, for other intervals. */
const CACHE_LIMIT = 2048;

/** Cache of link poses and rate bounds: thousands of pairs have planes over the same time intervals. */
export class LinkPoseCache {
  /** By the start of the interval: the entry computed last, with those before it. */
  private readonly cache = new Map<number, Entry>();
  private readonly entries: Entry[] = [];
  private count = 0;

  constructor(private readonly robot: RobotModel) {}

  /** Returns the entry of [begin, end], from the cache or computed; it is valid until the next call. */
  at(piece: MotionPiece, begin: number, middle: number, end: number): IntervalPose {
    const latest = this.cache.get(begin);
    for (let entry = latest; entry !== undefined; entry = entry.before)
      if (entry.end === end && entry.piece === piece && entry.middle === middle) return entry;
    if (this.count >= CACHE_LIMIT) {
      this.cache.clear();
      this.count = 0;
      return this.at(piece, begin, middle, end);
    }
    this.entries[this.count] ??= new Entry(this.robot);
    const entry = this.entries[this.count++];
    entry.compute(this.robot, piece, begin, middle, end);
    entry.before = latest;
    this.cache.set(begin, entry);
    return entry;
  }
}

/** An entry, which keeps its memory: entries of long motions outlive many collections of garbage. */
class Entry implements IntervalPose {
  piece!: MotionPiece;
  middle = 0;
  end = 0;
  readonly rates: JointRates;
  readonly T_world_link: Transform[];
  before: Entry | undefined;

  constructor({ dof, links }: RobotModel) {
    const row = () => new Float64Array(dof);
    this.rates = { position: row(), velocity: row(), speed: row(), acceleration: row() };
    const all = new Float64Array(SIZE * links.length);
    this.T_world_link = links.map((_, i) => all.subarray(SIZE * i, SIZE * (i + 1)));
  }

  compute(robot: RobotModel, piece: MotionPiece, begin: number, middle: number, end: number): void {
    this.piece = piece;
    this.middle = middle;
    this.end = end;
    const rates = jointRates(piece, begin, middle, end);
    for (const key of ['position', 'velocity', 'speed', 'acceleration'] as const) this.rates[key].set(rates[key]);
    linkPoses(robot, rates.position, this.T_world_link);
  }
}

/** Entries of a transform. */
const SIZE = 12;
