import type { MotionPiece } from '../motionPieces.ts';
import { boundsOf, derivativeRange, frictionSigns, type JointSeries, jointsOf, ROUNDING } from './bodyMotion.ts';

/** A part of a stop along a motion, whose pace is quadratic in the time and never increases. */
export interface BrakingPart {
  /** Time of the motion where it begins. */
  readonly from: number;
  /** Pace there, its rate, and the constant change of that. */
  readonly pace: number;
  readonly rate: number;
  readonly change: number;
  /** Seconds. */
  readonly duration: number;
}

/** Returns the rest of a part after a time. */
export function partAfter({ from, pace, rate, change, duration }: BrakingPart, time: number): BrakingPart {
  const next = rate + change * time;
  const mean = pace + 0.5 * rate * time + (change * time * time) / 6;
  return {
    from: from + mean * time,
    pace: pace + 0.5 * (rate + next) * time,
    rate: next,
    change,
    duration: duration - time,
  };
}

/**
 * Returns the joints of a part of a stop about the middle of its time, and half of its duration. The position is a
 * polynomial of degree 15 in the time: that of the piece, of a position along it that is cubic in the time.
 */
export function brakingJoints(piece: MotionPiece, part: BrakingPart) {
  const half = 0.5 * part.duration;
  const [{ from: middle, pace, rate }, { from: to, pace: last, rate: end }] = [half, part.duration].map((time) =>
    partAfter(part, time),
  );
  const steepest = Math.max(Math.abs(part.rate), Math.abs(end));
  const reach = Math.max(middle - part.from, to - middle);
  const joints = jointsOf(piece, middle, reach).map((joint): JointSeries => {
    const { at, errors, isResting } = joint;
    // Friction has the sign of the velocity along the path, or is 0 where the stop ends.
    const range = derivativeRange(at, joint.most, reach, 1);
    const [least, greatest] = joint.signs ?? frictionSigns(...range, errors[0], isResting);
    const isEnd = last <= STILL;
    const signs = isEnd ? ([Math.min(0, least), Math.max(0, greatest)] as const) : ([least, greatest] as const);
    let terms = [at[5] / FACTORIALS[5]];
    for (let n = 4; n >= 0; n--) {
      const product = new Array<number>(terms.length + 3).fill(0);
      product[0] = at[n] / FACTORIALS[n];
      for (const [i, term] of terms.entries()) {
        product[i + 1] += pace * term;
        product[i + 2] += 0.5 * rate * term;
        product[i + 3] += (part.change * term) / 6;
      }
      terms = product;
    }
    const own = terms.map((term, n) => term * FACTORIALS[n]);
    const most = boundsOf(own, half);
    const square = part.pace * part.pace;
    const sum = Math.abs(at[2]) * square + Math.abs(at[1]) * steepest;
    const error = errors[1] * square + errors[0] * steepest + ROUNDING * sum;
    return { ...joint, at: own, most, errors: [errors[0] * part.pace + ROUNDING * most[1], error], signs };
  });
  return { joints, half };
}

/** A pace up to this counts as rest: friction may be 0. */
const STILL = 1e-9;
const FACTORIALS = [1, 1, 2, 6, 24, 120, 720, 5040, 40_320, 362_880, 3_628_800].concat([
  39_916_800, 479_001_600, 6_227_020_800, 87_178_291_200, 1_307_674_368_000,
]);
