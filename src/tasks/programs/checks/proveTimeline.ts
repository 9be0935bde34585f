import { MotionProver } from '../../../core/collision/motions/motionProver.ts';
import type { Interrupt } from '../../../core/math/interrupt.ts';
import type { TrajectoryCurve } from '../../../core/trajectory/trajectoryCurve.ts';
import { type ProofStage, proveStages } from '../../checking/checkTrajectory.ts';
import { proofDefaults } from '../../checking/proofLimits.ts';
import { curveMotions, worldMotionsWithin } from '../../checking/worldMotions.ts';
import type { Timeline, WorldInterval } from '../../timeline.ts';

/** As `proveStages`, for a motion in the worlds of a timeline, moving obstacles and other robots included. */
export function proveTimeline(curve: TrajectoryCurve, timeline: Timeline, interrupt: Interrupt) {
  const own = curveMotions(curve);
  const q = new Float64Array(curve.dof);
  const stageOf = ({ from, to, world }: WorldInterval): ProofStage => {
    const { manager, tree } = world;
    curve.position(q, Math.min(curve.end, Math.max(curve.start, from))); // at rest before and after
    return {
      manager,
      motions: [...worldMotionsWithin(own, tree, from, to)],
      entry: world.stateAt(q, from),
      prover: to > from ? new MotionProver(manager.posed, proofDefaults) : undefined,
    };
  };
  return proveStages(
    timeline.map((interval) => () => stageOf(interval)),
    interrupt,
  );
}
