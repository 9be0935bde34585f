import type { Configuration } from '../math/configuration.ts';
import type { CartesianLeg } from './cartesianLeg.ts';
import { isCubicOnLeg, jointBeyondLimits, knotBetween, searchedKnot } from './followLeg.ts';
import type { LegKnot } from './legKnot.ts';
import type { PathTolerance } from './pathTolerance.ts';
import type { ToolTracker } from './toolTracker.ts';

/** Pieces in s that are shorter are not divided. */
const MIN_PIECE = 1e-4;
/** Maximum length of a piece in s: collisions are checked at knots. */
const MAX_PIECE = 1 / 40;
/** Rounds in which the configurations are moved towards the middle of their neighbours. */
const SMOOTHING_ROUNDS = 10;

/**
 * Returns the joint path through configurations of a redundant arm at equal fractions of a leg: knots between which the
 * cubics are within the tolerance in their middles. Undefined if that, or a joint limit, is not kept.
 */
export function legThrough(
  tracker: ToolTracker,
  leg: CartesianLeg,
  configurations: readonly Configuration[],
  tolerance: PathTolerance,
): LegKnot[] | undefined {
  const knots = guidesOf(tracker, leg, configurations);
  if (!knots) return undefined;
  const out = [knots[0]];
  for (let k = 0; k + 1 < knots.length; k++)
    if (!divide(tracker, leg, knots[k], knots[k + 1], tolerance, out)) return undefined;
  return out;
}

/** Returns the knots at configurations at equal fractions of a leg; undefined if one cannot follow the leg. */
export function guidesOf(
  tracker: ToolTracker,
  leg: CartesianLeg,
  configurations: readonly Configuration[],
): LegKnot[] | undefined {
  const last = configurations.length - 1;
  const knots: LegKnot[] = [];
  for (const [k, q] of configurations.entries()) {
    const [a, b] = [Math.max(0, k - 1), Math.min(last, k + 1)];
    const dq = q.map((_, j) => ((configurations[b][j] - configurations[a][j]) * last) / (b - a));
    const knot = searchedKnot(tracker, leg, k / last, q, dq);
    if (!knot) return undefined;
    knots.push(knot);
  }
  return knots;
}

/** Appends the knots after `from` up to `to`; returns false if the leg cannot be followed. */
function divide(
  tracker: ToolTracker,
  leg: CartesianLeg,
  from: LegKnot,
  to: LegKnot,
  tolerance: PathTolerance,
  out: LegKnot[],
): boolean {
  const h = to.s - from.s;
  if (h <= MAX_PIECE && isCubicOnLeg(tracker, leg, from, to, tolerance)) {
    out.push(to);
    return jointBeyondLimits(tracker, to.q) === undefined;
  }
  if (h < MIN_PIECE) return false;
  const middle = knotBetween(tracker, leg, from, to, from.s + 0.5 * h);
  if (!middle) return false;
  return divide(tracker, leg, from, middle, tolerance, out) && divide(tracker, leg, middle, to, tolerance, out);
}

/** Returns the configurations with shorter changes between them, as far as the states stay valid. The ends are kept. */
export function smoothed(
  tracker: ToolTracker,
  leg: CartesianLeg,
  configurations: readonly Configuration[],
  isValid: (q: Configuration) => boolean,
): Configuration[] {
  const out = [...configurations];
  const last = out.length - 1;
  const T = new Float64Array(12);
  for (let round = 0; round < SMOOTHING_ROUNDS; round++)
    for (let k = 1; k < last; k++) {
      const q = out[k].map((value, j) => 0.5 * value + 0.25 * (out[k - 1][j] + out[k + 1][j]));
      leg.poseAt(T, k / last);
      if (tracker.correct(q, T) && jointBeyondLimits(tracker, q) === undefined && isValid(q)) out[k] = q;
    }
  return out;
}
