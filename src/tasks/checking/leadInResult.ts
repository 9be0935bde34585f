import { TWO_PI } from '../../core/math/trigonometry.ts';
import { fullTurns, START_TOLERANCE, type StartState } from '../../core/trajectory/leadIn/leadIn.ts';
import { isTimed, type Trajectory } from '../../core/trajectory/trajectory.ts';
import type { CheckResult, LeadInResult, MotionFaults, StartFault, TimedPair } from './checkResult.ts';
import type { ContactInterval } from './contactInterval.ts';

/** Returns the fault of a trajectory that begins elsewhere. */
export function startFault(
  { jointNames, points: [first] }: Trajectory,
  { q, isContinuous, units }: StartState,
): StartFault {
  const away = first.positions.map((value, j) => value - q[j]);
  const isTurned = away.every(
    (value, j) => Math.abs(value - (isContinuous[j] ? fullTurns(value) * TWO_PI : 0)) <= START_TOLERANCE,
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
