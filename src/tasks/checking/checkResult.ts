import { TWO_PI } from '../../core/math/trigonometry.ts';
import { fullTurns, START_TOLERANCE, type StartState } from '../../core/trajectory/leadIn/leadIn.ts';
import { isTimed, type JointUnit, type Trajectory } from '../../core/trajectory/trajectory.ts';
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

/** Returns the fault of a trajectory that begins elsewhere. */
export function startFault(
  { jointNames, points: [first] }: Trajectory,
  { q, isContinuous, turnable = isContinuous, units }: StartState,
): StartFault {
  const away = first.positions.map((value, j) => value - q[j]);
  const isTurned = away.every(
    (value, j) => Math.abs(value - (turnable[j] ? fullTurns(value) * TWO_PI : 0)) <= START_TOLERANCE,
  );
  const j = away.reduce((most, value, i) => (Math.abs(value) > Math.abs(away[most]) ? i : most), 0);
  const { positions, time_from_start: time = 0 } = first;
  const turns = isTurned ? { turns: fullTurns(away[j]) } : {};
  const unit = units && { unit: units[j] };
  return { kind: 'start', joint: jointNames[j], ...unit, value: positions[j], limit: q[j], ...turns, time };
}

/** Returns the result of a trajectory that begins elsewhere: it is not valid. */
export function withStartFault(result: CheckResult, trajectory: Trajectory, start: StartState): CheckResult {
  return { ...result, valid: false, faults: [startFault(trajectory, start), ...result.faults] };
}

/**
 * Returns the result of a motion with a lead-in as that of the trajectory: indices of points, and waypoints of a path,
 * are those of the trajectory, whose lead-in ends at the first one.
 * @param motion with the start as its first point
 * @param faultsOf computes the faults of a motion other than collisions
 */
export function withLeadInResult(
  result: CheckResult,
  motion: Trajectory,
  faultsOf: (motion: Trajectory) => Pick<MotionFaults, 'faults'>,
): CheckResult {
  const timed = isTimed(motion);
  const shift = timed ? 0 : -1;
  const end = timed ? motion.points[1].time_from_start! : 1;
  const { faults, collision, unresolved, interrupted } = result;
  const contact = contactUntil(end, result);
  const ownFaults = faultsOf({ ...motion, points: motion.points.slice(0, 2) }).faults;
  const isLeadInFault = (fault: CheckResult['faults'][number]) =>
    !(fault.kind === 'velocity-jump' && fault.place === 'end');
  const valid =
    contact === undefined &&
    !(interrupted && interrupted.time < end) &&
    !ownFaults.some(isLeadInFault) &&
    !faults.some(({ kind }) => kind === 'time');
  return {
    ...result,
    faults: faults.map((fault) => ({
      ...fault,
      time: fault.time + shift,
      ...('point' in fault && { point: fault.point - 1 }),
    })),
    leadIn: { valid, ...(contact && { pair: contact.pair, time: contact.time + shift }) },
    collision: collision && shiftedContact(collision, shift),
    unresolved: unresolved && { ...unresolved, time: unresolved.time + shift },
    interrupted: interrupted && { time: interrupted.time + shift },
  };
}

/**
 * Returns the result for the time before the first point of a program, in which the robot is to rest at the start.
 * @param isKept true if the first point is the start and the robot is at rest there
 */
export function restBefore(end: number, isKept: boolean, proof: Proof): LeadInResult {
  const contact = contactUntil(end, proof);
  const isProved = contact === undefined && !(proof.interrupted && proof.interrupted.time < end);
  return { valid: isKept && isProved, ...contact };
}

type Proof = Pick<CheckResult, 'collision' | 'unresolved' | 'interrupted'>;

/** Returns the pair that collides or is not proved until a time. */
function contactUntil(end: number, { collision, unresolved }: Proof): TimedPair | undefined {
  const open = collision ? { pair: collision.pair, time: collision.from } : unresolved;
  return open !== undefined && open.time <= end ? open : undefined;
}

const shiftedContact = (contact: ContactInterval, shift: number): ContactInterval => ({
  ...contact,
  from: contact.from + shift,
  until: contact.until + shift,
});
