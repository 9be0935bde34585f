import { durationOf, type Trajectory } from '../../core/trajectory/trajectory.ts';
import type { ContactInterval } from '../checking/contactInterval.ts';
import { describeFaults } from '../checking/describeFaults.ts';
import type { RecertifyResult } from '../checking/recertify.ts';

/** Result of `recertify` for one motion, as it is printed. */
export interface RecertifyReport extends Pick<RecertifyResult, 'status' | 'pairs' | 'unchecked'> {
  /** The first contact of the first pair in collision. */
  readonly collision?: ContactInterval;
  /** Pairs that are not proved separated any more. */
  readonly lost?: RecertifyResult['lost'];
  /** Violated limits and path constraints, one line each. */
  readonly faults?: readonly string[];
  /** Metres that each obstacle alone may move while the certificate holds. */
  readonly room?: NonNullable<RecertifyResult['room']>;
}

/** Returns the result for one motion as `recertify` prints it; empty fields are omitted. */
export function recertifyReport(
  { status, pairs, lost, collision, room, faults, unchecked }: RecertifyResult,
  trajectory: Trajectory,
): RecertifyReport {
  return {
    status,
    pairs,
    ...(collision && { collision }),
    ...(lost.length > 0 && { lost }),
    ...(faults.length > 0 && {
      faults: describeFaults({ faults, duration: durationOf(trajectory) }),
    }),
    ...(room && { room }),
    unchecked,
  };
}
