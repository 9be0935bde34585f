import { InputError } from '../../errors.ts';

/** Options of a `Gate`. */
export interface GateOptions {
  /** Seconds from a message until its motion begins, at least. */
  readonly lead: number;
  /** Pair checks, and halved intervals of rates and torques, of the proofs of a message, about; Infinity: unlimited. */
  readonly budget: number;
  /** True: a proposal that has to stop before a contact is continued by a planned detour to its end, if possible. */
  readonly repair: boolean;
  /** True: executed motions are kept for `executed`. */
  readonly keepsExecuted: boolean;
}

/** Default options of a `Gate`. */
export const gateDefaults: GateOptions = { lead: 0.02, budget: 1_000_000, repair: false, keepsExecuted: false };

/** Throws `InputError` for options that are not numbers, or out of range. */
export function requireGateOptions({ lead, budget }: GateOptions): void {
  if (!(lead >= 0 && lead < Number.POSITIVE_INFINITY && budget > 0))
    throw new InputError(`gate: lead is ${lead}, budget is ${budget}`, 'Both are numbers; lead at least 0.');
}
