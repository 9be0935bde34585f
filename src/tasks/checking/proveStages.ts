import type { Motion } from '../../core/collision/motions/motion.ts';
import type { MotionProver } from '../../core/collision/motions/motionProver.ts';
import { proveUnlessInterrupted } from '../../core/collision/proofs/proverPool.ts';
import type { Interrupt } from '../../core/math/interrupt.ts';
import type { CheckResult } from './checkResult.ts';
import { type ContactStage, firstContact, followedContact } from './contactInterval.ts';

/** Intervals of the proofs of the motions in one world at most, and those that are added for each of its motions. */
const MAX_INTERVALS = { all: 4_000_000, each: 64 };

/** Returns a function that returns true once the prover has used up the intervals of that many motions. */
export function intervalLimit(prover: MotionProver, motions: number): () => boolean {
  const last = prover.intervals + MAX_INTERVALS.all + MAX_INTERVALS.each * motions;
  return () => prover.intervals > last;
}

/** Motions in one world, and their prover. */
export interface ProofStage extends ContactStage {
  /** Undefined: only the state at the beginning is checked. */
  readonly prover: MotionProver | undefined;
  /** Joint values at the beginning, if an event there may have put them in collision. */
  readonly entry?: Float64Array;
}

/**
 * Proves motions collision-free over continuous time, stage by stage; returns the first pair in collision or
 * unresolved, or where the proof was interrupted. Empty if and only if every stage is proved, here or before.
 * @param stages create the stages in the order of time; a stage that was created for a contact is created again
 * @param isProved returns true for a motion that is proved already
 */
export function proveStages(
  stages: readonly (() => ProofStage)[],
  interrupt: Interrupt,
  isProved?: (motion: Motion) => boolean,
): Pick<CheckResult, 'collision' | 'unresolved' | 'interrupted'> {
  for (const [i, create] of stages.entries()) {
    const stage = create();
    const { manager, motions, prover, entry } = stage;
    const later = stages.slice(i + 1);
    if (entry !== undefined) {
      const { start } = motions[0];
      if (interrupt()) return { interrupted: { time: start } };
      const pair = manager.firstCollision(entry);
      if (pair) return { collision: followedContact(pair, start, [stage, ...later]) };
    }
    if (prover === undefined) continue;
    const isExhausted = intervalLimit(prover, motions.length);
    for (const [k, motion] of motions.entries()) {
      if (isProved?.(motion)) continue;
      if (isExhausted())
        return { unresolved: { pair: manager.model.namesOf(manager.model.pairCount - 1), time: motion.start } };
      const verdict = proveUnlessInterrupted(prover, motion, interrupt);
      if (verdict === 'certified') continue;
      if (verdict === undefined) return { interrupted: { time: motion.start } };
      if (verdict === 'collision') return { collision: firstContact(prover, k, [stage, ...later], interrupt) };
      return { unresolved: { pair: manager.model.namesOf(prover.pair), time: prover.time } };
    }
  }
  return {};
}
