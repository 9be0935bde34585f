import { MIN_PAIRS_TO_SLICE } from '../../core/collision/states/slicedChecks.ts';
import { BATCH } from '../../core/collision/states/stateBatch.ts';
import type { StateValidityChecker } from '../../tasks/validation/stateValidityChecker.ts';
import { ValidityBatch } from '../../tasks/validation/validityBatch.ts';
import type { Work } from './scheduler.ts';

/** States checked between two pauses: about 200 µs in a scene of a hundred pairs. */
export const STATES_PER_PAUSE = 128;
/** Scenes with more collision pairs pause after a few states, those with many within states. */
export const FEW_PAIRS = 300;

/**
 * Writes 1 into `valid` for each valid state, otherwise 0.
 * @param rowOf returns the numbers that contain state i, and its values begin at `i * stride`
 */
export function* validatingStates(
  checker: StateValidityChecker,
  valid: Float64Array,
  rowOf: (i: number) => ArrayLike<number>,
  stride: number,
): Work<void> {
  const { pairCount } = checker.manager.model;
  if (pairCount >= MIN_PAIRS_TO_SLICE) {
    const row = new Float64Array(checker.dof);
    for (let i = 0; i < valid.length; i++) {
      const values = rowOf(i);
      for (let k = 0; k < row.length; k++) row[k] = values[i * stride + k];
      valid[i] = (yield* checker.validating(row)) ? 1 : 0;
      yield;
    }
    return;
  }
  const batch = new ValidityBatch(checker, valid);
  const pause = pairCount <= FEW_PAIRS ? STATES_PER_PAUSE : BATCH;
  for (let i = 0; i < valid.length; i++) {
    batch.add(rowOf(i), i * stride, i);
    if ((i + 1) % pause === 0) yield;
  }
  batch.finish();
}
