import { type Motion, MotionInterval } from '../../core/collision/motions/motion.ts';
import { MotionProver } from '../../core/collision/motions/motionProver.ts';
import { proveUnlessInterrupted } from '../../core/collision/motions/slicedProof.ts';
import type { Interrupt } from '../../core/math/interrupt.ts';
import type { TrajectoryCurve } from '../../core/trajectory/trajectoryCurve.ts';
import type { SceneWorld } from '../../core/world/sceneWorld.ts';
import type { CheckResult } from '../checking/checkResult.ts';
import { proofDefaults } from '../checking/checkTrajectory.ts';
import { type ContactStage, firstContact, followedContact } from '../checking/contactInterval.ts';
import { curveMotions } from '../checking/curveMotions.ts';
import { isAlone, type MovingParts, sourcePositions, worldMotionsWithin } from '../checking/worldMotions.ts';
import type { World } from '../world.ts';

/** Interval of time with one scene. */
export interface ProgramInterval {
  /** Start, seconds. */
  readonly from: number;
  /** End, seconds. */
  readonly to: number;
  /** The scene during the interval. */
  readonly world: World;
}

/**
 * Proves each interval collision-free in its scene, moving obstacles and other robots included; returns the first pair
 * in collision or unresolved, or the time at which the proof was interrupted. Empty if and only if every interval is
 * proved.
 */
export function proveIntervals(
  curve: TrajectoryCurve,
  intervals: readonly ProgramInterval[],
  interrupt: Interrupt,
): Pick<CheckResult, 'collision' | 'unresolved' | 'interrupted'> {
  const motions = curveMotions(curve);
  const stageOf = ({ from, to, world: { manager, tree } }: ProgramInterval): ContactStage => ({
    manager,
    motions: [...worldMotionsWithin(motions, tree, from, to)],
  });
  for (const [i, interval] of intervals.entries()) {
    const { from, to, world } = interval;
    if (interrupt()) return { interrupted: { time: from } };
    const { manager, tree } = world;
    const later = intervals.slice(i + 1).map((next) => () => stageOf(next));
    const pair = manager.firstCollision(stateAt(curve, tree, from));
    if (pair) return { collision: followedContact(pair, from, [stageOf(interval), ...later]) };
    if (!(to > from)) continue;
    const prover = new MotionProver(manager.posed, proofDefaults);
    const stage = stageOf(interval);
    for (const [k, motion] of stage.motions.entries()) {
      const verdict = proveUnlessInterrupted(prover, motion, interrupt);
      if (verdict === 'certified') continue;
      if (verdict === undefined) return { interrupted: { time: motion.start } };
      if (verdict === 'collision') return { collision: firstContact(prover, k, [stage, ...later], interrupt) };
      return { unresolved: { pair: manager.model.namesOf(prover.pair), time: prover.time } };
    }
  }
  return {};
}

/** Returns the joint values of a whole tree at a time; the planned robot rests before and after its curve. */
export function stateAt(curve: TrajectoryCurve, tree: SceneWorld, time: number): Float64Array {
  const q = new Float64Array(tree.robot.dof);
  curve.position(q, Math.min(curve.end, Math.max(curve.start, time)));
  sourcePositions(tree)(q, curve.dof, time);
  return q;
}

/**
 * Returns the time interval that the proof of a program covers: that of the curve if nothing else moves; otherwise from
 * time 0 until all is at rest.
 * @param tree of the scene before the first step
 */
export function provedInterval(curve: TrajectoryCurve, tree: MovingParts): { from: number; to: number } {
  if (isAlone(tree)) return { from: curve.start, to: curve.end };
  return { from: Math.min(0, curve.start), to: Math.max(curve.end, tree.end) };
}

/** Returns the state at a time, which lies within the motions, as one motion of no duration. */
export function instant(motions: readonly Motion[], time: number): Motion[] {
  const motion = motions.find(({ end }) => time <= end) ?? motions[motions.length - 1];
  return [new MotionInterval(motion, time, time)];
}
