import { type BlendedPath, peakSpeed } from './blendedPath.ts';
import type { TrajectoryPoint } from './trajectory.ts';

/** Knots stand on whole nanoseconds, as message formats count them: what a blend is off by is a share of its time, which may be short. */
const TICKS_PER_SECOND = 1e9;
/** Seconds. No phase of a straight way is shorter. */
const SHORTEST_PHASE = 1e-3;
/** Seconds: a ramp as short as this is rounding. */
const NO_PHASE = 1e-9;

/** A stretch of constant acceleration along one segment. */
interface Phase {
  readonly duration: number;
  /** Rates of the share of the segment. */
  readonly first: number;
  readonly last: number;
}

export interface BlendedKnots {
  readonly points: TrajectoryPoint[];
  /** The knot at which each corner begins: of a blend where it leaves the straight way, of a stop the corner itself. */
  readonly cornerAt: number[];
}

/**
 * The motion along the blended path at its rates as knots of cubics, each of which has constant acceleration. It rests at both ends and at
 * corners without blend.
 */
export function blendedKnots(path: BlendedPath, pace: number): BlendedKnots {
  const { segments, entry, exit, rate, corners, ways } = path;
  const points: TrajectoryPoint[] = [];
  const cornerAt: number[] = [];
  let ticks = 0;
  path.setRates(pace);
  for (let i = 0; i < rate.length; i++) if (rate[i] > 0) rate[i] = 1 / roundedUp(1 / rate[i]);
  for (let i = 0; i < segments; i++) {
    let share = i > 0 ? exit[i - 1] : 0;
    const add = (at: number, velocity: number) =>
      points.push({
        time_from_start: ticks / TICKS_PER_SECOND,
        positions: Array.from(corners[i], (x, j) => (at === 1 ? corners[i + 1][j] : x + at * ways[i][j]) + 0),
        velocities: Array.from(ways[i], (way) => velocity * way + 0),
      });
    for (const { duration, first, last } of straightPhases(path, i, pace)) {
      add(share, first);
      share += (duration * (first + last)) / 2;
      ticks += ticksOf(duration);
    }
    cornerAt.push(points.length);
    if (i === segments - 1) add(1, 0);
    else if (rate[i] > 0) {
      add(1 - entry[i], path.speedBefore(i));
      ticks += ticksOf(1 / rate[i]);
    }
  }
  return { points, cornerAt: cornerAt.slice(0, -1) };
}

/** Speeding up, cruise and slowing down on the straight part of a segment, none of them too short. */
function straightPhases(path: BlendedPath, i: number, pace: number): Phase[] {
  const way = path.straightShare(i);
  const [first, last] = [path.speedAfter(i - 1), path.speedBefore(i)];
  const a = pace * pace * path.acceleration[i];
  const peak = peakSpeed(way, first, last, a, pace * path.speed[i]);
  const [up, down] = [(peak - first) / a, (peak - last) / a];
  const cruiseBetween = (early: number, late: number) =>
    (way - (early * (first + peak) + late * (peak + last)) / 2) / peak;
  const longEnough = (ramp: number) => (ramp < NO_PHASE ? 0 : roundedUp(Math.max(ramp, SHORTEST_PHASE)));
  const cruise = cruiseBetween(longEnough(up), longEnough(down));
  const ramps = Math.max(up, down) >= NO_PHASE;
  if (ramps && cruise >= SHORTEST_PHASE)
    return phasesOf(way, first, last, longEnough(up), roundedUp(cruise), longEnough(down));
  if (up >= SHORTEST_PHASE && down >= SHORTEST_PHASE) {
    // Both ramps take longer, for the way of the cruise.
    const longer = (Math.max(0, cruiseBetween(up, down)) * peak) / (peak + (first + last) / 2);
    return phasesOf(way, first, last, roundedUp(up + longer), 0, roundedUp(down + longer));
  }
  // One change of speed at most, and hardly a cruise: constant acceleration does it. Two phases, for their time is rounded.
  const half = first + last > 0 ? rounded(way / (first + last)) : SHORTEST_PHASE;
  return phasesOf(way, first, last, half, 0, half);
}

/**
 * Two or three phases of whole ticks; what makes them cover the way is the speed v between them:
 * way = (first + v)/2·up + v·cruise + (v + last)/2·down, and likewise where the cruise takes the place of a phase left out.
 */
function phasesOf(way: number, first: number, last: number, up: number, cruise: number, down: number): Phase[] {
  const early = up > 0 ? up : cruise;
  const late = down > 0 ? down : cruise;
  const between = up > 0 && down > 0 ? cruise : 0;
  const v = (way - (first * early + last * late) / 2) / ((early + late) / 2 + between);
  const phases = [{ duration: early, first, last: v }];
  if (between > 0) phases.push({ duration: between, first: v, last: v });
  phases.push({ duration: late, first: v, last });
  return phases;
}

const ticksOf = (seconds: number) => Math.round(seconds * TICKS_PER_SECOND);
const rounded = (seconds: number) => Math.max(1, ticksOf(seconds)) / TICKS_PER_SECOND;
const roundedUp = (seconds: number) => Math.ceil(seconds * TICKS_PER_SECOND - 1e-6) / TICKS_PER_SECOND;
