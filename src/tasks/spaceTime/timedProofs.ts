import type { PosedParts } from '../../core/collision/model/posedParts.ts';
import { CubicMotion, type Motion } from '../../core/collision/motions/motion.ts';
import { MotionProver } from '../../core/collision/motions/motionProver.ts';
import { proveUnlessInterrupted } from '../../core/collision/proofs/proverPool.ts';
import type { Configuration } from '../../core/math/configuration.ts';
import type { Interrupt } from '../../core/math/interrupt.ts';
import type { Trajectory } from '../../core/trajectory/trajectory.ts';
import { TrajectoryCurve } from '../../core/trajectory/trajectoryCurve.ts';
import { curveMotions } from '../checking/curveMotions.ts';
import { type MovingParts, WorldTimeline } from '../checking/worldMotions.ts';

/** Limits of the proof of one motion; the final proof is finer. */
const PROOF = { resolution: 1e-4, intervals: 20_000 };

/**
 * Proofs of motions and waits of the planned robot among everything else that moves. Counts how often each obstacle
 * blocked one, and until when.
 */
export class TimedProofs {
  /** Number of motions and waits checked. */
  checked = 0;
  /** By name of what blocked: how often, and the latest time, seconds. */
  readonly blocked = new Map<string, { count: number; until: number }>();
  private readonly prover: MotionProver;
  private readonly timeline: WorldTimeline;

  /** @param posed of the tree of the scene */
  constructor(
    private readonly posed: PosedParts,
    private readonly moving: MovingParts,
    private readonly interrupt: Interrupt,
  ) {
    this.prover = new MotionProver(posed, PROOF);
    this.timeline = new WorldTimeline(moving);
  }

  /** Returns true if waiting at q is proved valid; from the end of all other motion on, any wait is one instant. */
  isHoldValid(q: Configuration, from: number, to: number): boolean {
    const coefficients = new Float64Array(4 * q.length);
    for (let j = 0; j < q.length; j++) coefficients[4 * j] = q[j];
    const end = Math.max(from, Math.min(to, this.moving.end));
    return this.isProved([new CubicMotion(from, end, coefficients)], from, end);
  }

  /** Returns true if a trajectory is proved collision-free over its own time. */
  isTrajectoryFree(trajectory: Trajectory): boolean {
    const curve = new TrajectoryCurve(trajectory);
    return this.isProved(curveMotions(curve), curve.start, curve.end);
  }

  private isProved(own: readonly Motion[], from: number, to: number): boolean {
    const { prover, posed, interrupt } = this;
    this.checked++;
    for (const motion of this.timeline.motions(own, from, to)) {
      const verdict = proveUnlessInterrupted(prover, motion, interrupt);
      if (verdict === 'certified') continue;
      if (verdict !== undefined) this.count(posed.model.namesOf(prover.pair), prover.time);
      return false;
    }
    return true;
  }

  private count(pair: readonly [string, string], time: number): void {
    const others = this.posed.model.robot.others;
    const name = pair.find((one) => others?.has(one));
    if (name === undefined) return;
    const { count, until } = this.blocked.get(name) ?? { count: 0, until: 0 };
    this.blocked.set(name, { count: count + 1, until: Math.max(until, time) });
  }
}
