import { BATCH } from '../../core/collision/states/stateBatch.ts';
import type { RobotModel } from '../../core/kinematics/robotModel.ts';
import { jointValueProblem } from '../../core/math/magnitudes.ts';
import type { Scene } from '../../core/scene/scene.ts';
import { InputError } from '../../errors.ts';
import { withWiderLimits } from '../planning/startTolerance.ts';
import type { LineCounts } from './lineResults.ts';
import { createStateValidator, type StateValidator, type ValidationOptions } from './validateStates.ts';

const FLOAT_BYTES = Float64Array.BYTES_PER_ELEMENT;
/** Byte of a row that is no state: an incomplete one, or one with a value that no joint has. */
const UNREADABLE = 2;

/** Checks states that are rows of little-endian doubles. The validity of a state is that of `createStateValidator`. */
export class StateRows implements LineCounts {
  read = 0;
  unreadable = 0;
  /** Number of invalid states. */
  invalid = 0;
  /** Length of a row, bytes. */
  readonly width: number;
  private readonly check: StateValidator;
  private readonly rows: Float64Array[];

  /** Throws `InputError` for scenes that move: rows have no times. */
  constructor(
    stated: RobotModel,
    scene: Scene,
    { startTolerance = 0, ...options }: ValidationOptions & { readonly startTolerance?: number },
  ) {
    const robot = withWiderLimits(stated, startTolerance);
    this.width = FLOAT_BYTES * robot.dof;
    this.check = createStateValidator(robot, scene, options);
    if (!this.check.isStill)
      throw new InputError('--format f64 has no times, which this scene needs', 'Write the states as JSON lines.');
    this.rows = Array.from({ length: BATCH }, () => new Float64Array(robot.dof));
  }

  /** Returns one byte for each row: 1 valid, 0 not, 2 unreadable. The last row may be incomplete. */
  process(bytes: Uint8Array): Uint8Array {
    const { width, rows, check } = this;
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
    const results = new Uint8Array(Math.ceil(bytes.length / width));
    for (let first = 0; first < results.length; first += BATCH) {
      const count = Math.min(BATCH, results.length - first);
      for (let i = 0; i < count; i++) {
        const from = (first + i) * width;
        results[first + i] = readRow(rows[i], view, from) ? 1 : UNREADABLE;
      }
      const states = rows.filter((_, i) => i < count && results[first + i] === 1);
      check.prepare(states);
      for (let i = 0; i < count; i++) {
        if (results[first + i] === 1 && !check(rows[i]).valid) results[first + i] = 0;
        this.tally(results[first + i]);
      }
    }
    return results;
  }

  private tally(result: number): void {
    if (result === UNREADABLE) this.unreadable++;
    else this.read++;
    if (result === 0) this.invalid++;
  }
}

/** Reads a row; returns false if it is incomplete or no state. */
function readRow(row: Float64Array, view: DataView, from: number): boolean {
  if (from + FLOAT_BYTES * row.length > view.byteLength) return false;
  for (let k = 0; k < row.length; k++) row[k] = view.getFloat64(from + FLOAT_BYTES * k, true);
  return row.every((value) => jointValueProblem(value) === undefined);
}
