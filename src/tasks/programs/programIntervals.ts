import { type Motion, MotionInterval } from '../../collision/motion.ts';
import { MotionProver } from '../../collision/motionProver.ts';
import { proveUnlessInterrupted } from '../../collision/slicedProof.ts';
import type { Interrupt } from '../../math/interrupt.ts';
import type { TrajectoryCurve } from '../../trajectory/trajectoryCurve.ts';
import { type CheckResult, proofDefaults } from '../checking/checkTrajectory.ts';
import { curveMotions } from '../checking/curveMotions.ts';
import type { ProgramWorld } from './programWorld.ts';

/** Interval of time with one scene. */
export interface ProgramInterval {
  /** Start, seconds. */
  readonly from: number;
  /** End, seconds. */
  readonly to: number;
  /** The scene then. */
  readonly world: ProgramWorld;
}

/**
 * Proves each interval collision-free in its scene; returns the first pair in collision or unresolved, or where the
 * proof was interrupted. Empty if and only if every interval is proved.
 */
export function proveIntervals(
  curve: TrajectoryCurve,
  intervals: readonly ProgramInterval[],
  interrupt: Interrupt,
): Pick<CheckResult, 'collision' | 'unresolved' | 'interrupted'> {
  const motions = curveMotions(curve);
  const q = new Float64Array(curve.dof);
  for (const { from, to, world } of intervals) {
    if (interrupt()) return { interrupted: { time: from } };
    const { manager } = world;
    curve.position(q, from);
    const pair = manager.firstCollision(q);
    if (pair) return { collision: { pair, time: from } };
    if (!(to > from)) continue;
    const prover = new MotionProver(manager.posed, proofDefaults);
    for (const motion of clipped(motions, from, to)) {
      const verdict = proveUnlessInterrupted(prover, motion, interrupt);
      if (verdict === 'certified') continue;
      if (verdict === undefined) return { interrupted: { time: motion.start } };
      const contact = { pair: manager.model.namesOf(prover.pair), time: prover.time };
      return verdict === 'collision' ? { collision: contact } : { unresolved: contact };
    }
  }
  return {};
}

/** Returns the parts of motions within an interval of time. */
export function* clipped(motions: readonly Motion[], from: number, to: number): Generator<Motion> {
  for (const motion of motions) {
    const start = Math.max(from, motion.start);
    const end = Math.min(to, motion.end);
    if (!(end > start)) continue;
    yield start === motion.start && end === motion.end ? motion : new MotionInterval(motion, start, end);
  }
}

/** Returns the state at a time as a motion of no duration; within the curve, there is one. */
export function instant(motions: readonly Motion[], time: number): Motion[] {
  const motion = motions.find(({ end }) => time <= end) ?? motions[motions.length - 1];
  return [new MotionInterval(motion, time, time)];
}
