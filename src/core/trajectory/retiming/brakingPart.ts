/** A part of a stop q(s(t)) along a piece of a curve q; the pace s' never increases. */
export interface BrakingPart {
  /** Start, in the time of the piece. */
  readonly from: number;
  /** s' at its start, at most 1, and s'' and s''' there; s''' is constant. */
  readonly pace: number;
  readonly rate: number;
  readonly change: number;
  /** Seconds. */
  readonly duration: number;
}

/** A part of a stop, and the piece of the curve that it is along. */
export interface StopPiece {
  readonly piece: number;
  readonly part: BrakingPart;
}

/** Squares of the pace up to this are rest. */
export const REST = 1e-12;

/**
 * Returns a part whose pace changes at a constant rate.
 * @param length in the time of the curve; less if the motion is at rest before
 * @param x squared pace at its start; at its end it is x + 2 u · length
 */
export function evenPart(from: number, length: number, x: number, u: number): BrakingPart {
  const step = u < 0 ? Math.min(length, x / (-2 * u)) : length;
  const pace = Math.sqrt(x);
  const next = x + 2 * u * length;
  const last = u === 0 ? pace : next <= REST ? 0 : Math.sqrt(next);
  const rate = u < 0 ? (last * last - x) / (2 * step) : 0;
  return { from, pace, rate, change: 0, duration: (2 * step) / (pace + last) };
}

/** Returns the rest of a part after a time. */
export function partAfter({ from, pace, rate, change, duration }: BrakingPart, time: number): BrakingPart {
  return {
    from: from + time * (pace + time * (rate / 2 + (time * change) / 6)),
    pace: pace + time * (rate + (time * change) / 2),
    rate: rate + time * change,
    change,
    duration: duration - time,
  };
}
