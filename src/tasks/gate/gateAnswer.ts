import type { CheckResult } from '../checking/checkResult.ts';
import { describeFaults } from '../checking/describeFaults.ts';
import type { Knot } from './cubicCurve.ts';
import type { GateContact } from './gateWorld.ts';

/** Verdict on a message, see docs/gate.md. */
export type GateVerdict = 'accepted' | 'slowed' | 'trimmed' | 'refused' | 'held' | 'stopping' | 'unavoidable';

/** Answer to a message. */
export interface GateAnswer {
  /** What became of the message. */
  readonly verdict: GateVerdict;
  /** Time at which the committed motion ends, at rest. */
  readonly until: number;
  /** Time of the last instant of the proposal that is kept. */
  readonly movesUntil?: number;
  /** The pair that is in collision, or not proved separated, on what was proposed. */
  readonly pair?: readonly [string, string];
  /** Why the motion is not committed as proposed. */
  readonly reason?: string;
  /** First contact of a motion that cannot be stopped before it. */
  readonly contact?: GateContact;
  /** The committed motion from the first instant on that differs from the one before; undefined: it is the same. */
  readonly committed?: { readonly from: number; readonly points: readonly Knot[] };
}

/** Why a motion cannot be committed: the first reasons found. */
export interface Refusal {
  readonly faults: CheckResult['faults'];
  readonly contact?: GateContact;
  /** True if the budget ended the proof. */
  readonly isOver?: boolean;
}

/** Returns the first reason why a motion cannot be committed. */
export function reasonOf({ faults, contact, isOver }: Refusal): string {
  if (contact) return contactText(contact);
  if (isOver) return OVER;
  const first = faults.slice(0, 1);
  return describeFaults({ faults: first, collision: undefined, unresolved: undefined, duration: 0 })[0];
}

/** Reason of motions whose proof needs more work than is allowed. */
export const OVER = 'the budget of the proof is used up';

/** Returns the answer to a proposal whose end is reached by a detour. */
export const detoured = (answer: GateAnswer): GateAnswer => ({
  ...answer,
  reason: `${answer.reason}; a detour leads to its end`,
});

/** Describes a contact in one line. */
export const contactText = ({ pair, time }: GateContact): string =>
  `${pair.join(' and ')}: contact at ${seconds(time)} s`;

/** Rounds a time for messages. */
export const seconds = (time: number): number => Number(time.toPrecision(6));

/** Points as they are written. */
export const writtenPoints = (points: readonly (Partial<Knot> & Pick<Knot, 'positions'>)[]) =>
  points.map(({ time_from_start, positions, velocities }) => ({ time: time_from_start, positions, velocities }));

/** Returns the fields of an answer as they are written. */
export function answerFields({ verdict, until, movesUntil, pair, reason, contact, committed }: GateAnswer) {
  return {
    verdict,
    until,
    moves_until: movesUntil,
    pair,
    reason,
    contact,
    ...(committed && { committed: { from: committed.from, points: writtenPoints(committed.points) } }),
  };
}
