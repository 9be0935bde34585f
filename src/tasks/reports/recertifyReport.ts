import { durationOf, type Trajectory } from '../../trajectory/trajectory.ts';
import { describeFaults, type TimedContact } from '../checking/checkTrajectory.ts';
import type { RecertifyResult } from '../checking/recertify.ts';

/** Result of `recertify` for one motion, as it is printed. */
export interface RecertifyReport extends Pick<RecertifyResult, 'status' | 'pairs'> {
  /** The first pair found in collision. */
  readonly collision?: TimedContact;
  /** Pairs that are not proved separated any more. */
  readonly lost?: RecertifyResult['lost'];
  /** Violated limits and path constraints, one line each. */
  readonly faults?: readonly string[];
  /** Metres that each obstacle alone may move while the certificate holds. */
  readonly room?: NonNullable<RecertifyResult['room']>;
}

/** Returns the result for one motion as `recertify` prints it; empty fields are omitted. */
export function recertifyReport(
  { status, pairs, lost, room, faults }: RecertifyResult,
  trajectory: Trajectory,
): RecertifyReport {
  const collision = lost.find((one) => one.status === 'collision');
  return {
    status,
    pairs,
    ...(collision && { collision: { pair: collision.pair, time: collision.time } }),
    ...(lost.length > 0 && { lost }),
    ...(faults.length > 0 && {
      faults: describeFaults({ faults, duration: durationOf(trajectory) }),
    }),
    ...(room && { room }),
  };
}
