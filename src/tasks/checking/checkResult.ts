import type { JointUnit } from '../../core/trajectory/trajectory.ts';
import type { MotionFault, MotionReport } from '../../core/trajectory/trajectoryLimits.ts';
import type { TorqueFault } from '../forces/torqueCheck.ts';
import type { ConstraintFault } from './constraintFaults.ts';
import type { ContactInterval } from './contactInterval.ts';
import type { TcpSpeedFault } from './tcpSpeed.ts';

/** A pair that is not proved separated, and the time. */
export interface TimedPair {
  /** Names of the two links or objects. */
  readonly pair: readonly [string, string];
  /** Seconds; waypoints for a path. */
  readonly time: number;
}

/** The motion of the controller from the start of the scene to the first point of a trajectory. */
export interface LeadInResult {
  /** True if it keeps all limits and constraints and is proved collision-free. */
  readonly valid: boolean;
  /** The pair that is in collision, or not proved separated. */
  readonly pair?: TimedPair['pair'];
  /** Beginning of the contact: seconds; for a path, from −1 at the start to 0 at the first waypoint. */
  readonly time?: number;
}

/** Result of a trajectory check. */
export interface CheckResult {
  /** True if every limit is kept and every checked pair is proved separated at every instant. */
  readonly valid: boolean;
  /** Violated limits and constraints, times that do not increase, velocity jumps, and another start. */
  readonly faults: readonly (MotionFault | StartFault | TcpSpeedFault | ConstraintFault | TorqueFault)[];
  /** Present if the first point is later than time 0, or that of a path is not the start of the scene. */
  readonly leadIn?: LeadInResult | undefined;
  /**
   * Maximum of value ÷ limit of each kind over all joints and times; 0 if there is no limit, or if it does not apply to
   * the form of the motion. `torque` only if the scene limits torques.
   */
  readonly ratios: MotionReport['ratios'] & { readonly torque?: number };
  /** By limit, such as `torque:JOINT`: its least margin, in its own unit. */
  readonly margins?: Readonly<Record<string, number>> | undefined;
  /** The first contact found. */
  readonly collision?: ContactInterval | undefined;
  /** A pair neither proved separated nor found in collision. */
  readonly unresolved?: TimedPair | undefined;
  /** Present if a time limit ended the proof: `time` is the beginning of the first piece that is not proved. */
  readonly interrupted?: { readonly time: number } | undefined;
  /** Seconds, with the lead-in; undefined for a path. */
  readonly duration: number | undefined;
}

/** Faults of a motion other than collisions, and its ratios to the limits. */
export type MotionFaults = Pick<CheckResult, 'faults' | 'ratios' | 'margins'>;

/** A first point at time 0 that is not the start of the scene. */
export interface StartFault {
  /** Kind of the fault. */
  readonly kind: 'start';
  /** Name of the joint that is farthest from its start. */
  readonly joint: string;
  /** Unit of its position; undefined if the limits do not state it. */
  readonly unit?: JointUnit;
  /** Its position at the first point. */
  readonly value: number;
  /** Its position at the start of the scene. */
  readonly limit: number;
  /** Number of full turns, if the first point is the start plus full turns of continuous joints. */
  readonly turns?: number;
  /** Time of the first point, seconds. */
  readonly time: number;
}
