import type { Interrupt } from '../math/interrupt.ts';
import type { MotionLimits } from '../trajectory/trajectory.ts';
import type { FrameSpeed } from './frameSpeed.ts';
import type { LegProver } from './legProver.ts';
import type { PathTolerance } from './pathTolerance.ts';
import type { ToolTracker } from './toolTracker.ts';

/** Tools for legs of one robot and tool frame. */
export interface LegTools {
  readonly tracker: ToolTracker;
  readonly prover: LegProver;
  readonly speed: FrameSpeed;
  /** Ends paths and proofs, which then fail. */
  readonly interrupt?: Interrupt;
}

/** Requirements on the motion along a leg. */
export interface LegRules {
  /** Limits of the joints; infinite: none. */
  readonly limits: MotionLimits;
  readonly tolerance: PathTolerance;
  /** Limit of the speed of the origin of the tool frame, m/s; Infinity: none. */
  readonly tcpSpeed: number;
}
