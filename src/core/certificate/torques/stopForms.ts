import type { CertificateStop } from '../certificate.ts';
import { type MotionPiece, pieceAt } from '../motionPieces.ts';
import { type BrakingPart, partAfter } from './brakingMotion.ts';

/** Seconds: a part that ends this near to the end of a piece of the motion ends there: rounding errors of its time. */
const NEAR = 1e-10;
/** Rounding error of a pace and its rate. */
const ROUNDING = 1e-9;
/** Number of bisections of a time. */
const BISECTIONS = 60;

/** A part of a stop within one piece of the motion. */
export interface StopPart {
  readonly piece: MotionPiece;
  readonly part: BrakingPart;
}

/** What a stop of a certificate states. */
export interface StatedStop {
  /** Times of the motion at which it begins, and at which the robot is at rest. */
  readonly begin: number;
  readonly end: number;
  /** Seconds. */
  readonly duration: number;
  readonly parts: readonly StopPart[];
  /** True if the pace is not 0 at its end: the motion must rest there itself. */
  readonly isOfMotion: boolean;
}

/** Returns the error in the form of a stop without limits of jerk for the instants from `covered` on, or the stop. */
export function evenStop(
  stop: CertificateStop,
  covered: number,
  pieces: readonly MotionPiece[],
): StatedStop | { readonly wrong: string } {
  if (!(stop[0][0] > covered && stop[0][1] === 1)) return { wrong: beginning(covered) };
  const wrong = stop.findIndex(([t, x], i) => {
    const isLast = i === stop.length - 1;
    return !(isLast ? x >= 0 : x > 0) || (i > 0 && !(t > stop[i - 1][0] && x <= stop[i - 1][1]));
  });
  if (wrong >= 0) return { wrong: `its times do not increase, or its pace increases, at t = ${stop[wrong][0]}` };
  const parts: StopPart[] = [];
  let duration = 0;
  for (let i = 1; i < stop.length; i++) {
    const [[t0, x0], [t1, x1]] = [stop[i - 1], stop[i]];
    duration += (2 * (t1 - t0)) / (Math.sqrt(x1) + Math.sqrt(x0));
    const squareAt = (t: number) => (t === t0 ? x0 : t === t1 ? x1 : x0 + ((t - t0) / (t1 - t0)) * (x1 - x0));
    for (let k = pieceAt(pieces, t0); k < pieces.length && pieces[k].start < t1; k++) {
      const [from, to] = [Math.max(t0, pieces[k].start), Math.min(t1, pieces[k].end)];
      if (!(to > from)) continue;
      const [first, last] = [Math.sqrt(squareAt(from)), Math.sqrt(squareAt(to))];
      const rate = (squareAt(to) - squareAt(from)) / (2 * (to - from));
      const part = { from, pace: first, rate, change: 0, duration: (2 * (to - from)) / (first + last) };
      parts.push({ piece: pieces[k], part });
    }
  }
  const [end, square] = stop[stop.length - 1];
  return { begin: stop[0][0], end, duration, parts, isOfMotion: square > 0 };
}

/**
 * Returns the error in the form of a stop under limits of jerk for the instants from `covered` on, or the stop: it
 * begins at [t, 1] with a constant pace; each further row [d, w] changes the rate of the pace by w per second for d
 * seconds. Then pace and rate fall to 0 together, unless the motion itself rests there.
 * @param restsAt returns the time near a given one at which the motion rests, undefined if it does not
 */
export function smoothStop(
  stop: CertificateStop,
  covered: number,
  pieces: readonly MotionPiece[],
  restsAt: (time: number) => number | undefined,
): StatedStop | { readonly wrong: string } {
  const [[begin, pace], ...rows] = stop;
  if (!(begin > covered && pace === 1)) return { wrong: beginning(covered) };
  const parts: StopPart[] = [];
  let state: State = { from: begin, pace: 1, rate: 0, k: pieceAt(pieces, begin + NEAR) };
  let duration = 0;
  const add = (time: number, change: number): string | undefined => {
    const end = partAfter({ ...state, change, duration: time }, time);
    const isSlowing = time > 0 && end.pace >= -ROUNDING && end.rate <= ROUNDING && end.from < Number.POSITIVE_INFINITY;
    if (!isSlowing) return `its duration or its pace is wrong at t = ${state.from}`;
    state = followed(parts, pieces, state, time, change);
    duration += time;
    return undefined;
  };
  for (const [time, change] of rows) {
    const wrong = add(time, change);
    if (wrong !== undefined) return { wrong };
  }
  const rest = restsAt(state.from);
  if (rest !== undefined) return { begin, end: rest, duration, parts, isOfMotion: true };
  const wrong = add((-2 * state.pace) / state.rate, (state.rate * state.rate) / (2 * state.pace));
  return wrong === undefined ? { begin, end: state.from, duration, parts, isOfMotion: false } : { wrong };
}

/** A state of a stop in piece k of the motion. */
interface State {
  readonly from: number;
  readonly pace: number;
  readonly rate: number;
  readonly k: number;
}

/** Adds the parts of a stop in each piece, from a state on, and returns the state after them. */
function followed(
  parts: StopPart[],
  pieces: readonly MotionPiece[],
  start: State,
  time: number,
  change: number,
): State {
  let { k } = start;
  let rest: BrakingPart = { ...start, change, duration: time };
  for (;;) {
    const piece = pieces[k];
    const end = partAfter(rest, rest.duration).from;
    const isLast = k >= pieces.length - 1 || end <= piece.end + NEAR;
    const duration = isLast ? rest.duration : timeTo(rest, piece.end);
    if (duration > 0) parts.push({ piece, part: { ...rest, duration } });
    rest = partAfter(rest, duration);
    if (k < pieces.length - 1 && end >= piece.end - NEAR) {
      rest = { ...rest, from: piece.end };
      k++;
    }
    if (isLast) return { from: rest.from, pace: Math.max(0, rest.pace), rate: Math.min(0, rest.rate), k };
  }
}

const beginning = (covered: number): string => `it does not begin after t = ${covered} with a pace of 1`;

/** Returns the time after which a part is at a time of the motion, which it passes. */
function timeTo(part: BrakingPart, end: number): number {
  let [low, high] = [0, part.duration];
  for (let i = 0; i < BISECTIONS; i++) {
    const middle = 0.5 * (low + high);
    if (partAfter(part, middle).from > end) high = middle;
    else low = middle;
  }
  return low;
}
