import { laterPoints, type MotionLimits } from '../../core/trajectory/trajectory.ts';
import type { CheckResult } from '../checking/checkResult.ts';
import { brakingMotion } from '../watching/braking.ts';
import { CubicCurve, type Knot } from './cubicCurve.ts';
import { followed, maxDecrease, type Phase } from './pace.ts';

/** Factors of the decrease of the pace that are tried: the estimate ignores what the points of a ramp add. */
const EASED = [1, 0.85, 0.65];
/** Paces that are tried after the one that the limits suggest. */
const PACES = [1, 0.8, 0.6, 0.4, 0.25];
/** Seconds before a contact at which stops are tried; then shares of the time until the contact. */
const BEFORE = [2e-3, 0.02, 0.06, 0.15];
const SHARES = [1, 0.8, 0.6, 0.4, 0.2];
/** Seconds: of less a part of a proposal, nothing is kept. */
const LEAST_KEPT = 0.01;
/** Seconds of a path on which the greatest decrease of its pace is estimated for a stop. */
const NEAR = 0.3;

/** Part of a joined proposal. */
export interface Part {
  /** Points of the motion from the join on; a stop follows unless it ends at rest. */
  readonly body: readonly Knot[];
  /** The proposal is kept until then, seconds. */
  readonly keeps: number;
}

/** Returns true if accelerations must not jump, so that no ramp of the pace is possible. */
const hasJerk = ({ jerk }: MotionLimits): boolean => Array.prototype.some.call(jerk, Number.isFinite);

/** Returns a motion, with the stop along a straight line that begins at the last point. */
export function withStop(jointNames: readonly string[], knots: readonly Knot[], limits: MotionLimits): CubicCurve {
  const last = new CubicCurve(jointNames, knots.slice(-2));
  const { q, v, a } = last.at(last.end);
  const points = laterPoints(brakingMotion(q, v, limits, a).points.slice(1), last.end) as Knot[];
  return new CubicCurve(jointNames, [...knots, ...points]);
}

/** Returns motions that leave another one at t and stop: along a straight line, and along it. */
export function stopsFrom(motion: CubicCurve, t: number, limits: MotionLimits): CubicCurve[] {
  const { jointNames } = motion.trajectory;
  const before = motion.until(t);
  const straight = withStop(jointNames, before, limits);
  if (hasJerk(limits)) return [straight];
  const along = EASED.flatMap((factor) => {
    const to = t + 0.5 / (factor * maxDecrease(motion, t, Math.min(motion.end, t + NEAR), limits));
    return to < motion.end ? [followed(motion, [{ from: t, to, pace: [1, 0] }])] : [];
  });
  return [straight, ...along.map((knots) => new CubicCurve(jointNames, [...before, ...knots.slice(1)]))];
}

/**
 * Returns motions along the whole path at the given pace as long as possible, then at lower paces. They end at rest at
 * its end; if accelerations must not jump, they do not, and only a path that begins at rest is followed more slowly.
 * @param faults of the motion at the given pace
 */
export function* slowerPaces(
  path: CubicCurve,
  faults: CheckResult['faults'],
  limits: MotionLimits,
): Generator<readonly Knot[]> {
  const [from, to] = [path.curve.start, path.end];
  const suggested = suggestedPace(faults);
  const [isAtRest, endsAtRest] = [path.knots[0], path.knots[path.knots.length - 1]].map(({ velocities }) =>
    velocities.every((v) => v === 0),
  );
  if (hasJerk(limits)) {
    for (const factor of isAtRest ? PACES : []) {
      const pace = factor * suggested;
      if (pace < 1) yield followed(path, [{ from, to, pace: [pace, pace] }]);
    }
    return;
  }
  for (const factor of PACES)
    for (const eased of factor < 1 ? EASED.slice(1) : EASED) {
      const pace = factor * suggested;
      const entryRate = eased * maxDecrease(path, from, to, limits);
      const entry = isAtRest ? from : from + (0.5 * (1 - pace * pace)) / entryRate;
      const exitRate = eased * maxDecrease(path, from, to, limits, pace);
      const exit = endsAtRest ? to : to - (0.5 * pace * pace) / exitRate;
      if (!(entry <= exit)) continue;
      const phases: Phase[] = [
        { from, to: entry, pace: [1, pace] },
        { from: entry, to: exit, pace: [pace, pace] },
        { from: exit, to, pace: [pace, 0] },
      ];
      yield followed(path, phases);
    }
}

/** Returns the pace at which exceeded limits of speed and acceleration would be kept; 1 if none is exceeded. */
function suggestedPace(faults: CheckResult['faults']): number {
  return faults.reduce((least, fault) => {
    if (!('limit' in fault) || fault.kind === 'position') return least;
    const ratio = Math.abs(fault.value / fault.limit);
    const pace = 0.98 / (fault.kind === 'acceleration' ? Math.sqrt(ratio) : ratio);
    return Number.isFinite(pace) && pace > 0 ? Math.min(least, pace) : least;
  }, 1);
}

/**
 * Returns parts of a path that end before a time: with a stop along the path shortly before it, and then parts that a
 * straight stop follows.
 */
export function* stopsBefore(path: CubicCurve, contact: number, limits: MotionLimits): Generator<Part> {
  const start = path.curve.start;
  const partUntil = (exit: number, to: number): Part => ({
    body: followed(path, [
      { from: start, to: exit, pace: [1, 1] },
      { from: exit, to, pace: [1, 0] },
    ]),
    keeps: exit,
  });
  const ends = [
    ...BEFORE.map((time) => contact - time),
    ...SHARES.slice(1).map((share) => start + share * (contact - start)),
  ];
  if (!hasJerk(limits))
    for (const [i, to] of ends.entries())
      for (const factor of i === 0 ? EASED : EASED.slice(1)) {
        if (!(to > start)) continue;
        const near = maxDecrease(path, Math.max(start, to - NEAR), to, limits);
        const exit = to - 0.5 / (factor * near);
        if (exit > start + LEAST_KEPT) yield partUntil(exit, to);
      }
  for (const share of SHARES) {
    const exit = start + share * (contact - start) - BEFORE[0];
    if (exit > start + LEAST_KEPT)
      yield { body: followed(path, [{ from: start, to: exit, pace: [1, 1] }]), keeps: exit };
  }
}
