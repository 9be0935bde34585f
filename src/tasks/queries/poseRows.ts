import { lengthProblem } from '../../core/math/magnitudes.ts';
import { lengthIfNotUnit, setRotationFromQuaternion } from '../../core/math/quaternion.ts';
import type { Transform } from '../../core/math/transform.ts';
import type { SeparationStatus } from '../../core/narrowphase/solver.ts';
import { InputError } from '../../errors.ts';
import type { ShapePair, SpatialPair } from '../../formats/streams/shapePair.ts';
import type { LineCounts } from '../validation/lineResults.ts';
import type { StoppingGaps } from './queryOptions.ts';
import type { PairResult } from './queryPairs.ts';

const BYTES = Float64Array.BYTES_PER_ELEMENT;
/** Numbers of a row: the poses of A and of B, x, y, z, w, x, y, z each. */
const POSES = 14;
/** Numbers of a result: status, lower and upper bound, normal, witness points of A and B, iterations. */
const RESULT = 13;

/** Statuses by the number that a row states; 4: the row could not be read. */
const statuses: readonly SeparationStatus[] = ['separated', 'touching', 'colliding', 'undecided'];
const UNREADABLE = statuses.length;

/** Queries one pair of shapes at many poses: rows of little-endian doubles in and out. */
export class PoseRows implements LineCounts {
  read = 0;
  unreadable = 0;
  /** Length of a row of poses, bytes. */
  readonly width = BYTES * POSES;
  private readonly pair: SpatialPair;

  /**
   * The poses of `pair` itself are not used. Throws `InputError` for planar shapes, or a pair with velocities.
   * @param gaps at which the solver may stop: lower bounds of depths follow from them; default: these are 0
   */
  constructor(
    pair: ShapePair,
    private readonly queryPair: (pair: ShapePair) => PairResult,
    private readonly gaps: StoppingGaps = { relative: 1, absolute: 0 },
  ) {
    if (pair.dimension !== 3) throw new InputError('--poses with planar shapes', 'Write planar pairs as JSON lines.');
    if (pair.velocities) throw new InputError('--poses with "velocity"', 'Write pairs with velocities as JSON lines.');
    this.pair = { ...pair, T_world_a: new Float64Array(12), T_world_b: new Float64Array(12), track: '1' };
  }

  /** Returns the results of rows, of which the last may be incomplete. Numbers that were not computed are NaN. */
  process(bytes: Uint8Array): Uint8Array {
    const { width, pair } = this;
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
    const count = Math.ceil(bytes.length / width);
    const out = new DataView(new ArrayBuffer(BYTES * RESULT * count));
    for (let i = 0; i < count; i++) {
      const isReadable =
        width * (i + 1) <= bytes.length &&
        readPose(pair.T_world_a, view, width * i) &&
        readPose(pair.T_world_b, view, width * i + width / 2);
      if (isReadable) this.read++;
      else this.unreadable++;
      const row = isReadable ? resultRow(this.queryPair(pair), this.gaps) : [UNREADABLE];
      for (let k = 0; k < RESULT; k++) out.setFloat64(BYTES * (RESULT * i + k), row[k] ?? Number.NaN, true);
    }
    return new Uint8Array(out.buffer);
  }
}

/** Reads a pose; returns false if it is invalid. */
function readPose(T: Transform, view: DataView, from: number): boolean {
  const [x, y, z, ...quaternion] = Array.from({ length: 7 }, (_, k) => view.getFloat64(from + BYTES * k, true));
  if (lengthIfNotUnit(quaternion) !== undefined) return false;
  for (const value of [x, y, z]) if (!Number.isFinite(value) || lengthProblem(value) !== undefined) return false;
  setRotationFromQuaternion(T, quaternion as [number, number, number, number]);
  T[3] = x;
  T[7] = y;
  T[11] = z;
  return true;
}

const NONE = [Number.NaN, Number.NaN, Number.NaN];

function resultRow(result: PairResult, gaps: StoppingGaps): number[] {
  const { status, distance, growth, depth, normal = NONE, witnessA = NONE, witnessB = NONE, iterations } = result;
  const { lower = Number.NaN, upper = Number.POSITIVE_INFINITY } = distance ?? growth ?? {};
  const bounds = depth === undefined ? [lower, upper] : [leastDepth(result, depth, gaps), depth];
  return [statuses.indexOf(status), ...bounds, ...normal, ...witnessA, ...witnessB, iterations];
}

/** Returns a lower bound on a depth, of which results state the upper one; 0 if its bounds may not have met. */
function leastDepth({ status, warnings }: PairResult, depth: number, { relative, absolute }: StoppingGaps): number {
  if (warnings !== undefined || status === 'touching') return 0;
  return Math.max(0, depth - Math.max(relative * depth, absolute));
}
