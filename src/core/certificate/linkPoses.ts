import type { Joint, RobotModel } from '../kinematics/robotModel.ts';
import { compose, create, type Transform } from '../math/transform.ts';
import { cos, sin } from '../math/trigonometry.ts';
import { type JointRates, jointRates, type MotionPiece } from './motionPieces.ts';

/**
 * Computes forward kinematics: the pose of every link in the world for the values q of the planned joints. Plain,
 * without precomputation.
 * @param T_world_link receives the poses, one per link; default: new ones
 */
export function linkPoses(
  { joints, links, T_world_root }: RobotModel,
  q: Float64Array,
  T_world_link: Transform[] = links.map(() => create()),
): Transform[] {
  T_world_link[0] = T_world_root;
  for (const joint of joints) {
    const value = joint.offset + (joint.variable < 0 ? 0 : joint.multiplier * q[joint.variable]);
    const T_world_child = T_world_link[joint.child];
    compose(T_world_child, T_world_link[joint.parent], joint.T_parent_joint);
    compose(T_world_child, T_world_child, displacement(joint, value));
  }
  return T_world_link;
}

/**
 * Returns the translation along the axis a, or the rotation about it:  R = cos θ I + sin θ [a]× + (1 − cos θ) a aᵀ;
 * identity for fixed joints.
 */
function displacement({ type, axis: [x, y, z] }: Joint, value: number): Transform {
  const turns = type === 'revolute' || type === 'continuous';
  const slide = type === 'prismatic' ? value : 0;
  const s = turns ? sin(value) : 0;
  const c = turns ? cos(value) : 1;
  const k = 1 - c;
  // biome-ignore format: rows of a matrix
  return Float64Array.of(
    c + k * x * x, k * x * y - s * z, k * x * z + s * y, slide * x,
    k * x * y + s * z, c + k * y * y, k * y * z - s * x, slide * y,
    k * x * z - s * y, k * y * z + s * x, c + k * z * z, slide * z,
  );
}

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
