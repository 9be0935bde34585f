import type { MotionLimits } from '../trajectory/trajectory.ts';
import type { CartesianLeg } from './cartesianLeg.ts';
import { insertedKnot } from './followLeg.ts';
import type { LegKnot } from './legKnot.ts';
import type { LegTools } from './legTools.ts';
import { type TimedKnot, timeLeg } from './timeLeg.ts';

/** Relative: knots are changed again while the duration decreases by more than this. */
const GAIN = 0.01;
const MAX_ROUNDS = 5;
/** Relative change of the joint rates over a piece beyond which it is divided. */
const BEND = 0.1;
/** Seconds: shorter pieces are not divided; if the average piece is shorter, the leg has too many knots. */
const SHORT_PIECE = 4e-3;
/** A leg with too many knots keeps every fourth one. */
const THINNING = 4;
/** Limit of the knots of a leg. */
const MAX_KNOTS = 400;

/** Knots with the points of the fastest motion along them. */
export interface TimedKnots {
  readonly knots: readonly LegKnot[];
  readonly points: readonly TimedKnot['point'][];
}

/**
 * Chooses the knots of a leg such that the motion along them is fast: fewer on a short leg, since each piece has a
 * minimum duration, and more where the joint rates change much between knots, since the cubics between them have higher
 * accelerations than the path requires. A heuristic: the result is no optimum.
 * @param pathSpeed upper bound of ds/dt, 1/s
 */
export function bestKnots(
  tools: LegTools,
  leg: CartesianLeg,
  path: readonly LegKnot[],
  limits: MotionLimits,
  pathSpeed: number,
): TimedKnots {
  const timed = (knots: readonly LegKnot[]) => ({
    knots,
    points: timeLeg(knots, limits, pathSpeed).map(({ point }) => point),
  });
  let best = timed(path);
  if (durationOf(best) < SHORT_PIECE * path.length) {
    const thin = timed(thinned(path));
    if (durationOf(thin) < durationOf(best)) best = thin;
  }
  for (let round = 0; round < MAX_ROUNDS; round++) {
    const knots = divided(tools, leg, best);
    if (!knots) break;
    const finer = timed(knots);
    const isBetter = durationOf(finer) < (1 - GAIN) * durationOf(best);
    if (durationOf(finer) < durationOf(best)) best = finer;
    if (!isBetter) break;
  }
  return best;
}

const durationOf = ({ points }: TimedKnots) => points[points.length - 1].time_from_start;

const thinned = (path: readonly LegKnot[]) => path.filter((_, k) => k % THINNING === 0 || k === path.length - 1);

/** Divides the pieces on which the joint rates change much; undefined if there are none, or too many. */
function divided({ tracker }: LegTools, leg: CartesianLeg, { knots, points }: TimedKnots): LegKnot[] | undefined {
  const out: LegKnot[] = [knots[0]];
  for (let k = 0; k + 1 < knots.length; k++) {
    const [from, to] = [knots[k], knots[k + 1]];
    const isLong = points[k + 1].time_from_start - points[k].time_from_start > SHORT_PIECE;
    if (isLong && isBent(from, to)) {
      const middle = insertedKnot(tracker, leg, from, to, 0.5 * (from.s + to.s));
      if (!middle) return undefined;
      out.push(middle);
    }
    out.push(to);
  }
  return out.length > knots.length && out.length <= MAX_KNOTS ? out : undefined;
}

function isBent(from: LegKnot, to: LegKnot): boolean {
  let [change, size] = [0, 0];
  for (let j = 0; j < from.dq.length; j++) {
    change = Math.max(change, Math.abs(to.dq[j] - from.dq[j]));
    size = Math.max(size, Math.abs(from.dq[j]), Math.abs(to.dq[j]));
  }
  return change > BEND * size;
}
