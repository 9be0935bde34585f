import { type BlendedPath, peakSpeed } from './blendedPath.ts';
import type { TrajectoryPoint } from './trajectory.ts';

/**
 * Knot times are whole nanoseconds, the resolution of message formats. The relative error of a blend is that of its
 * duration, which may be short.
 */
const TICKS_PER_SECOND = 1e9;
/** Minimum duration of a phase on a straight segment, seconds. */
const MIN_PHASE = 1e-3;
/** Seconds: a shorter ramp is a rounding error and is omitted. */
const NEGLIGIBLE_PHASE = 1e-9;

/** Interval of constant acceleration along one segment. */
interface Phase {
  readonly duration: number;
  /** Speeds at its start and end, as fractions of the segment per second. */
  readonly first: number;
  readonly last: number;
}

/** Knots of a motion along a blended path. */
export interface BlendedKnots {
  readonly points: TrajectoryPoint[];
  /**
   * Index of the knot at which each corner begins: the start of its blend, or the corner itself if the motion stops
   * there.
   */
  readonly cornerKnots: number[];
}

/**
 * Computes the motion along the blended path as knots of cubics with constant acceleration. The motion is at rest at
 * both ends and at corners without a blend.
 * @param pace fraction of the velocity limits that is used; see `BlendedPath.setRates`
 */
export function blendedKnots(path: BlendedPath, pace: number): BlendedKnots {
  const { segments, entry, exit, rate, corners, displacements } = path;
  const points: TrajectoryPoint[] = [];
  const cornerKnots: number[] = [];
  let ticks = 0;
  path.setRates(pace);
  for (let i = 0; i < rate.length; i++) if (rate[i] > 0) rate[i] = 1 / roundedUp(1 / rate[i]);
  for (let i = 0; i < segments; i++) {
    let fraction = i > 0 ? exit[i - 1] : 0;
    const add = (at: number, velocity: number) =>
      points.push({
        time_from_start: ticks / TICKS_PER_SECOND,
        positions: Array.from(corners[i], (x, j) => (at === 1 ? corners[i + 1][j] : x + at * displacements[i][j]) + 0),
        velocities: Array.from(displacements[i], (displacement) => velocity * displacement + 0),
      });
    for (const { duration, first, last } of straightPhases(path, i, pace)) {
      add(fraction, first);
      fraction += (duration * (first + last)) / 2;
      ticks += ticksOf(duration);
    }
    cornerKnots.push(points.length);
    if (i === segments - 1) add(1, 0);
    else if (rate[i] > 0) {
      add(1 - entry[i], path.speedBefore(i));
      ticks += ticksOf(1 / rate[i]);
    }
  }
  return { points, cornerKnots: cornerKnots.slice(0, -1) };
}

/**
 * Returns the phases (accelerate, cruise, decelerate) on the straight part of a segment, none of them shorter than
 * MIN_PHASE.
 */
function straightPhases(path: BlendedPath, i: number, pace: number): Phase[] {
  const length = path.straightFraction(i);
  const [first, last] = [path.speedAfter(i - 1), path.speedBefore(i)];
  const a = pace * pace * path.acceleration[i];
  const peak = peakSpeed(length, first, last, a, pace * path.speed[i]);
  const [up, down] = [(peak - first) / a, (peak - last) / a];
  const cruiseBetween = (early: number, late: number) =>
    (length - (early * (first + peak) + late * (peak + last)) / 2) / peak;
  const longEnough = (ramp: number) => (ramp < NEGLIGIBLE_PHASE ? 0 : roundedUp(Math.max(ramp, MIN_PHASE)));
  const cruise = cruiseBetween(longEnough(up), longEnough(down));
  const hasRamps = Math.max(up, down) >= NEGLIGIBLE_PHASE;
  if (hasRamps && cruise >= MIN_PHASE)
    return phasesOf(length, first, last, longEnough(up), roundedUp(cruise), longEnough(down));
  if (up >= MIN_PHASE && down >= MIN_PHASE) {
    // No cruise: both ramps are extended to cover its length.
    const longer = (Math.max(0, cruiseBetween(up, down)) * peak) / (peak + (first + last) / 2);
    return phasesOf(length, first, last, roundedUp(up + longer), 0, roundedUp(down + longer));
  }
  // At most one change of speed and a negligible cruise: constant acceleration. Two phases, because their durations are
  // rounded.
  const half = first + last > 0 ? rounded(length / (first + last)) : MIN_PHASE;
  return phasesOf(length, first, last, half, 0, half);
}

/**
 * Returns two or three phases of whole ticks. The speed v between them is chosen so that they cover the length:
 * length = (first + v)/2·up + v·cruise + (v + last)/2·down; likewise if the cruise replaces an omitted ramp.
 */
function phasesOf(length: number, first: number, last: number, up: number, cruise: number, down: number): Phase[] {
  const early = up > 0 ? up : cruise;
  const late = down > 0 ? down : cruise;
  const between = up > 0 && down > 0 ? cruise : 0;
  const v = (length - (first * early + last * late) / 2) / ((early + late) / 2 + between);
  const phases = [{ duration: early, first, last: v }];
  if (between > 0) phases.push({ duration: between, first: v, last: v });
  phases.push({ duration: late, first: v, last });
  return phases;
}

const ticksOf = (seconds: number) => Math.round(seconds * TICKS_PER_SECOND);
const rounded = (seconds: number) => Math.max(1, ticksOf(seconds)) / TICKS_PER_SECOND;
const roundedUp = (seconds: number) => Math.ceil(seconds * TICKS_PER_SECOND - 1e-6) / TICKS_PER_SECOND;
