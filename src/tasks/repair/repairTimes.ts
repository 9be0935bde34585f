import { never } from '../../core/math/interrupt.ts';
import { cubeRoot } from '../../core/trajectory/restToRest.ts';
import { type Arc, totalDuration } from '../../core/trajectory/retiming/arc.ts';
import { retime, slowedDown } from '../../core/trajectory/retiming/retime.ts';
import { smoothCorners } from '../../core/trajectory/retiming/smoothCorners.ts';
import { laterPoints, type MotionLimits, type TrajectoryPoint } from '../../core/trajectory/trajectory.ts';
import { examineMotion } from '../../core/trajectory/trajectoryLimits.ts';
import { blendRules, timedBy } from '../timing/blendRules.ts';
import { timingContext } from '../timing/timedMotion.ts';
import type { RepairWorld } from './repairWorld.ts';
import { createSpeedExcess } from './speedExcess.ts';

/** Distance (rad, m, in each joint) between resampled segments and the given curve. */
const RESAMPLING = 2e-7;
/** Factor by which a motion is slowed down beyond the measured excess. */
const OVERSHOOT = 1 + 1e-6;
const MAX_ROUNDS = 20;
/** Rad or m, in each joint: distance of blends from the corners of a given curve, and of one with replaced parts. */
const CORNER_TOLERANCE = 5e-5;
const CURVE_TOLERANCE = 5e-7;
/** Seconds: rounding errors of durations, as in the check of programs. */
const TIME_TOLERANCE = 1e-9;

/** Options of `repairTimes`. */
export interface TimesOptions {
  /** Time of the first point, seconds. */
  readonly start: number;
  /** True if all times are to remain. */
  readonly keepTimes: boolean;
  /** True if the curve is the given one: corners may then be blended farther away from it. */
  readonly isCurveKept: boolean;
}

/** The timed motion: points, and the curve with true for each arc that keeps its times and its polynomial. */
export interface TimesRepair {
  readonly points: readonly TrajectoryPoint[];
  readonly arcs: readonly Arc[];
  readonly kept: readonly boolean[];
}

/**
 * Computes times of a curve within all limits, as near as possible to its own: corners are smoothed, and the motion is
 * slowed down where it is too fast. Undefined if that fails. The result is not proved.
 */
export function repairTimes(world: RepairWorld, given: readonly Arc[], options: TimesOptions): TimesRepair | undefined {
  const { limits, jointNames } = world;
  const { start, keepTimes, isCurveKept } = options;
  const arcs = smoothCorners(given, {
    velocityLimits: limits.velocity,
    tolerance: isCurveKept ? CORNER_TOLERANCE : CURVE_TOLERANCE,
    isValid: (arc) => world.isValid(arc),
  });
  if (keepTimes) return { arcs, points: atGivenTimes(arcs, start), kept: arcs.map(() => true) };
  if (hasJerkLimit(arcs, limits)) return withJerkLimits(world, given, arcs, start);
  const { robot, scene, interrupt } = world;
  const speeds = createSpeedExcess(robot, scene, interrupt);
  const retimed = retime(arcs, { limits, jointNames, start, tolerance: RESAMPLING, interrupt, speeds });
  return retimed && { arcs, ...retimed };
}

/** Returns true if two curves have the same duration. */
export const areEquallyLong = (a: readonly Arc[], b: readonly Arc[]): boolean =>
  Math.abs(totalDuration(a) - totalDuration(b)) <= TIME_TOLERANCE;

/** Returns the points of arcs at their given times, which sums of durations would round. */
function atGivenTimes(arcs: readonly Arc[], start: number): TrajectoryPoint[] {
  return slowedDown(arcs, 1, start).map((point, k) => ({
    ...point,
    time_from_start: arcs[k]?.given?.from ?? arcs[k - 1]?.given?.to ?? point.time_from_start!,
  }));
}

/** Returns true if a joint that moves has a jerk limit. */
function hasJerkLimit(arcs: readonly Arc[], { jerk }: MotionLimits): boolean {
  return arcs.some(({ polynomials }) =>
    polynomials.some((c, i) => i % SIZE !== 0 && c !== 0 && jerk[Math.floor(i / SIZE)] < Number.POSITIVE_INFINITY),
  );
}
const SIZE = 6;

/**
 * Computes the times of a motion with jerk limits: those given; the whole motion slowed down; or, along straight lines,
 * with a stop at each corner.
 */
function withJerkLimits(
  world: RepairWorld,
  given: readonly Arc[],
  arcs: readonly Arc[],
  start: number,
): TimesRepair | undefined {
  const { jointNames, limits, robot, manager, interrupt, scene } = world;
  const frames = createSpeedExcess(robot, scene, interrupt);
  let factor = 1;
  for (let round = 0; round < MAX_ROUNDS; round++) {
    const points = slowedDown(arcs, factor, start);
    const { faults, ratios } = examineMotion({ jointNames, points }, limits);
    const speeds = frames?.excess({ jointNames, points }).map(({ ratio }) => ratio) ?? [];
    const most = Math.max(ratios.velocity, Math.sqrt(ratios.acceleration), cubeRoot(ratios.jerk), ...speeds);
    if (faults.length === 0 && speeds.length === 0) return { arcs, points, kept: arcs.map(() => factor === 1) };
    if (!(most > 1 && most < Number.POSITIVE_INFINITY)) break;
    factor *= most * OVERSHOOT;
  }
  if (!given.every(({ kind }) => kind === 'linear')) return undefined;
  const path = [given[0].from, ...given.map(({ to }) => to)].map(({ positions }) => positions);
  const timed = timedBy(blendRules.stop, path, timingContext(robot, manager.posed, never, interrupt));
  const points = timed && laterPoints(timed.trajectory.points, start);
  return points && { arcs: given, points, kept: given.map(() => false) };
}
