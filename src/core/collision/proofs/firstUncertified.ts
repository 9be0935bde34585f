import type { Interrupt } from '../../math/interrupt.ts';
import { type Motion, MotionInterval } from '../motions/motion.ts';
import type { MotionProver, MotionVerdict } from '../motions/motionProver.ts';
import { proveUnlessInterrupted } from './proverPool.ts';

/** Seconds, or waypoints of a path: resolution of the time at which a motion first cannot be certified. */
export const CONTACT_WIDTH = 1e-6;

/** The first instant of a motion that cannot be certified, up to `CONTACT_WIDTH`. */
export interface Uncertified {
  /** The motion is certified from its start to this time. */
  readonly until: number;
  /** Time after `until` at which `pair` is in collision or unresolved. */
  readonly time: number;
  /** Index of the pair. */
  readonly pair: number;
  /** Verdict of the proof that found `pair` at `time`. */
  readonly verdict: MotionVerdict;
}

/**
 * Bisects for the first instant of a motion that cannot be certified.
 * @param prover which has just refused the motion with this verdict
 * @param pairs those that are checked; default: all
 * @param interrupt ends the bisection early, with a coarser result
 */
export function firstUncertified(
  prover: MotionProver,
  motion: Motion,
  verdict: MotionVerdict,
  interrupt: Interrupt,
  pairs?: readonly number[],
): Uncertified {
  let { pair, time } = prover;
  let until = motion.start;
  let last = verdict;
  while (time - until > CONTACT_WIDTH) {
    const middle = 0.5 * (until + time);
    if (!(middle > until && middle < time)) break;
    const part = new MotionInterval(motion, until, middle);
    const found = proveUnlessInterrupted(prover, part, interrupt, undefined, pairs);
    if (found === undefined) break;
    if (found === 'certified') until = middle;
    else {
      ({ pair, time } = prover);
      last = found;
    }
  }
  return { until, time, pair, verdict: last };
}
