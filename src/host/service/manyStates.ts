import { BATCH } from '../../core/collision/states/stateBatch.ts';
import type { StateValidityChecker } from '../../tasks/validation/stateValidityChecker.ts';
import { ValidityBatch } from '../../tasks/validation/validityBatch.ts';
import type { Turn } from './turns.ts';

/**
 * Writes 1 into `valid` for each valid state, otherwise 0.
 * @param rowOf returns the numbers that contain state i, and its values begin at `i * stride`
 */
export async function validateStates(
  checker: StateValidityChecker,
  valid: Float64Array,
  rowOf: (i: number) => ArrayLike<number>,
  stride: number,
  turn: Turn,
): Promise<void> {
  const batch = new ValidityBatch(checker, valid);
  for (let i = 0; i < valid.length; i++) {
    batch.add(rowOf(i), i * stride, i);
    if ((i + 1) % BATCH === 0 && turn.isOver) await turn.next();
  }
  batch.finish();
}
