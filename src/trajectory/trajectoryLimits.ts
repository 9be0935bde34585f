import { accelerationAt, inflection, positionAt, turningPoints, velocityAt } from './cubic.ts';
import { isTimed, type MotionLimits, type Trajectory } from './trajectory.ts';
import { TrajectoryCurve } from './trajectoryCurve.ts';

/** rad or m: what a position may be outside its limits and count as rounding. */
const POSITION_SLACK = 1e-9;
/** Relative: what a rate may exceed its limit by. Motions written with a dozen digits, or in whole nanoseconds, are off by less. */
const RATE_SLACK = 1e-6;

export type LimitKind = 'position' | 'velocity' | 'acceleration' | 'jerk';

/** Where a motion breaks a limit worst. */
export interface LimitFault {
  readonly kind: LimitKind;
  readonly joint: string;
  /** Signed; Infinity for the jerk of a jump in acceleration. */
  readonly value: number;
  /** The bound that is broken, with the sign of the side on which it is. */
  readonly limit: number;
  /** Seconds, or waypoints for a path. */
  readonly time: number;
}

/** A point whose time does not come after the one before. */
export interface TimeFault {
  readonly kind: 'time';
  readonly value: number;
  /** Time of the point before. */
  readonly limit: number;
  readonly time: number;
}

export type MotionFault = LimitFault | TimeFault;

/** How near a motion comes to its limits. */
export interface MotionReport {
  /** The worst for each joint and kind (and side, of positions), joints in order. Or the first time that does not increase, alone. */
  readonly faults: readonly MotionFault[];
  /** Greatest value ÷ limit over all joints and times; 0 where nothing is bounded, or the path has no time. */
  readonly ratios: { readonly velocity: number; readonly acceleration: number; readonly jerk: number };
}

/** Everything that is wrong with a motion but collisions; empty if nothing is. `limits` in the order of the motion's joints. */
export function motionFaults(trajectory: Trajectory, limits: MotionLimits): readonly MotionFault[] {
  return examineMotion(trajectory, limits).faults;
}

/**
 * Judges the curve over continuous time, from the exact extremes of each cubic piece: positions for a path; velocities besides for straight
 * lines with times, whose speed jumps from one to the next; accelerations and finite jerk limits besides for curves.
 */
export function examineMotion(trajectory: Trajectory, limits: MotionLimits): MotionReport {
  const backwards = firstTimeFault(trajectory);
  if (backwards) return { faults: [backwards], ratios: { velocity: 0, acceleration: 0, jerk: 0 } };

  const curve = new TrajectoryCurve(trajectory);
  const timed = isTimed(trajectory);
  const curved = timed && !curve.straight;
  const faults: MotionFault[] = [];
  const ratios = { velocity: 0, acceleration: 0, jerk: 0 };
  for (const [j, joint] of trajectory.jointNames.entries()) {
    const extremes = extremesOf(curve, j);
    faults.push(...positionFaults(joint, extremes, limits.lower[j], limits.upper[j]));
    for (const kind of ['velocity', 'acceleration', 'jerk'] as const) {
      const limit = limits[kind][j];
      if (!(kind === 'velocity' ? timed : curved) || limit === Number.POSITIVE_INFINITY) continue;
      const { value, time } = kind === 'jerk' ? greatestJerk(curve, j, limits.acceleration[j]) : extremes[kind];
      const ratio = value === 0 ? 0 : Math.abs(value) / limit;
      ratios[kind] = Math.max(ratios[kind], ratio);
      if (!(ratio <= 1 + RATE_SLACK)) faults.push({ kind, joint, value, limit: value < 0 ? -limit : limit, time });
    }
  }
  return { faults, ratios };
}

interface Extreme {
  value: number;
  time: number;
}

/** Least and greatest position, and the velocity and acceleration of greatest magnitude, of one joint. */
function extremesOf(curve: TrajectoryCurve, j: number) {
  const start = { value: curve.cubics[curve.place(0, j)], time: curve.start };
  const least: Extreme = { ...start };
  const greatest: Extreme = { ...start };
  const velocity: Extreme = { value: 0, time: curve.start };
  const acceleration: Extreme = { value: 0, time: curve.start };
  const turns = new Float64Array(2);
  const c = curve.cubics;
  for (let k = 0; k < curve.pieces; k++) {
    const at = curve.place(k, j);
    const T = curve.times[k + 1] - curve.times[k];
    turningPoints(turns, c, at);
    for (const u of [0, T, turns[0], turns[1]]) {
      if (!(u >= 0 && u <= T)) continue;
      const x = { value: positionAt(c, at, u), time: curve.times[k] + u };
      if (x.value < least.value) Object.assign(least, x);
      if (x.value > greatest.value) Object.assign(greatest, x);
    }
    for (const u of [0, T, inflection(c, at)]) {
      if (!(u >= 0 && u <= T)) continue;
      keepGreater(velocity, velocityAt(c, at, u), curve.times[k] + u);
      keepGreater(acceleration, accelerationAt(c, at, u), curve.times[k] + u);
    }
  }
  return { least, greatest, velocity, acceleration };
}

/** The third derivative is constant in each piece; where the acceleration jumps between two, it is without bound. */
function greatestJerk(curve: TrajectoryCurve, j: number, accelerationLimit: number): Extreme {
  const jerk: Extreme = { value: 0, time: curve.start };
  const c = curve.cubics;
  for (let k = 0; k < curve.pieces; k++) {
    keepGreater(jerk, 6 * c[curve.place(k, j) + 3], curve.times[k]);
    if (k === 0) continue;
    const before = accelerationAt(c, curve.place(k - 1, j), curve.times[k] - curve.times[k - 1]);
    const after = accelerationAt(c, curve.place(k, j), 0);
    const bounded = accelerationLimit < Number.POSITIVE_INFINITY;
    const scale = bounded ? accelerationLimit : Math.max(1, Math.abs(before), Math.abs(after));
    if (Math.abs(after - before) > RATE_SLACK * scale) {
      keepGreater(jerk, after < before ? Number.NEGATIVE_INFINITY : Number.POSITIVE_INFINITY, curve.times[k]);
    }
  }
  return jerk;
}

function keepGreater(extreme: Extreme, value: number, time: number): void {
  if (Math.abs(value) <= Math.abs(extreme.value)) return;
  extreme.value = value;
  extreme.time = time;
}

function positionFaults(
  joint: string,
  { least, greatest }: { least: Extreme; greatest: Extreme },
  lower: number,
  upper: number,
): LimitFault[] {
  const faults: LimitFault[] = [];
  if (!(least.value >= lower - POSITION_SLACK)) faults.push({ kind: 'position', joint, ...least, limit: lower });
  if (!(greatest.value <= upper + POSITION_SLACK)) faults.push({ kind: 'position', joint, ...greatest, limit: upper });
  return faults;
}

function firstTimeFault(trajectory: Trajectory): TimeFault | undefined {
  if (!isTimed(trajectory)) return undefined;
  for (let i = 1; i < trajectory.points.length; i++) {
    const value = trajectory.points[i].time_from_start!;
    const limit = trajectory.points[i - 1].time_from_start!;
    if (!(value > limit)) return { kind: 'time', value, limit, time: value };
  }
  return undefined;
}
