import { lengthProblem } from '../../core/math/magnitudes.ts';
import { lengthIfNotUnit, setRotationFromQuaternion } from '../../core/math/quaternion.ts';
import { rotate, type Transform, transformPoint } from '../../core/math/transform.ts';
import { create, type Vec3 } from '../../core/math/vec3.ts';
import type { SeparationStatus } from '../../core/narrowphase/solver.ts';
import { InputError } from '../../errors.ts';
import type { ShapePair, SpatialPair } from '../../formats/streams/shapePair.ts';
import type { LineCounts } from '../validation/lineResults.ts';
import type { StoppingGaps } from './queryOptions.ts';
import { isKnown, isOpen, type Solved } from './queryPairs.ts';

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
  private readonly quaternion: [number, number, number, number] = [1, 0, 0, 0];
  private readonly vector: Vec3 = create();

  /**
   * The poses of `pair` itself are not used. Throws `InputError` for planar shapes, or a pair with velocities.
   * @param gaps at which the solver may stop: lower bounds of depths follow from them; default: these are 0
   */
  constructor(
    pair: ShapePair,
    private readonly solve: (pair: ShapePair) => Solved,
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
        this.readPose(pair.T_world_a, view, width * i) &&
        this.readPose(pair.T_world_b, view, width * i + width / 2);
      if (isReadable) this.read++;
      else this.unreadable++;
      for (let k = 0; k < RESULT; k++) out.setFloat64(BYTES * (RESULT * i + k), Number.NaN, true);
      if (isReadable) this.writeResult(out, BYTES * RESULT * i, this.solve(pair));
      else out.setFloat64(BYTES * RESULT * i, UNREADABLE, true);
    }
    return new Uint8Array(out.buffer);
  }

  /** Reads a pose; returns false if it is invalid. */
  private readPose(T: Transform, view: DataView, from: number): boolean {
    const { quaternion } = this;
    for (let k = 0; k < 4; k++) quaternion[k] = view.getFloat64(from + BYTES * (3 + k), true);
    if (lengthIfNotUnit(quaternion) !== undefined) return false;
    setRotationFromQuaternion(T, quaternion);
    for (let k = 0; k < 3; k++) {
      T[4 * k + 3] = view.getFloat64(from + BYTES * k, true);
      if (lengthProblem(T[4 * k + 3]) !== undefined) return false;
    }
    return true;
  }

  /** Writes a result at `at`, which is filled with NaN, without objects: they took most of the time. */
  private writeResult(row: DataView, at: number, solved: Solved): void {
    const { out } = solved;
    const { T_world_b } = this.pair;
    const { vector } = this;
    row.setFloat64(at, statuses.indexOf(out.status), true);
    this.writeBounds(row, at + BYTES, solved);
    if (out.hasNormal) {
      rotate(vector, T_world_b, out.normal);
      writeVector(row, at + 3 * BYTES, vector);
    }
    if (out.hasWitnesses) {
      transformPoint(vector, T_world_b, out.witnessA);
      writeVector(row, at + 6 * BYTES, vector);
      transformPoint(vector, T_world_b, out.witnessB);
      writeVector(row, at + 9 * BYTES, vector);
    }
    row.setFloat64(at + 12 * BYTES, out.iterations, true);
  }

  /** Writes the bounds of the depth, or else of the distance or growth distance. */
  private writeBounds(row: DataView, at: number, solved: Solved): void {
    const { out, engine } = solved;
    const { wanted } = engine;
    row.setFloat64(at + BYTES, Number.POSITIVE_INFINITY, true);
    if (wanted.includes('depth') && out.depth.upper < Number.POSITIVE_INFINITY) {
      row.setFloat64(at, this.leastDepth(solved), true);
      row.setFloat64(at + BYTES, out.depth.upper, true);
      return;
    }
    for (const quantity of ['distance', 'growth'] as const) {
      if (!wanted.includes(quantity) || !isKnown(out[quantity])) continue;
      row.setFloat64(at, out[quantity].lower, true);
      row.setFloat64(at + BYTES, out[quantity].upper, true);
      return;
    }
  }

  /** Returns a lower bound on a depth, of which results state the upper one; 0 if its bounds may not have met. */
  private leastDepth({ out, engine }: Solved): number {
    const { relative, absolute } = this.gaps;
    if (out.status === 'touching' || isOpen('depth', out, engine)) return 0;
    return Math.max(0, out.depth.upper - Math.max(relative * out.depth.upper, absolute));
  }
}

function writeVector(row: DataView, at: number, v: Vec3): void {
  for (let k = 0; k < 3; k++) row.setFloat64(at + k * BYTES, v[k], true);
}
