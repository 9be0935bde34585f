import { type Extreme, extremesOf, greatestJerk, type JointExtremes } from './jointExtremes.ts';
import { setPointRates } from './setPointRates.ts';
import { isTimed, type MotionLimits, type Trajectory } from './trajectory.ts';
import { TrajectoryCurve } from './trajectoryCurve.ts';
import { type LeadInFault, leadInFaults, type VelocityJump, velocityJumps } from './velocityJumps.ts';

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

/** A point whose time does not come after the one before; a first point before 0, where no controller begins. */
export interface TimeFault {
  readonly kind: 'time';
  readonly value: number;
  /** Time of the point before; 0 of the first. */
  readonly limit: number;
  readonly time: number;
}

export type MotionFault = LimitFault | TimeFault | VelocityJump | LeadInFault;

/** How near a motion comes to its limits. */
export interface MotionReport {
  /** The worst for each joint and kind (and side, of positions), joints in order. Or the first time that does not increase, alone. */
  readonly faults: readonly MotionFault[];
  /**
   * Greatest value ÷ limit over all joints and times; 0 if nothing is bounded, or the path has no time. Infinity: of the acceleration if a
   * velocity jumps, of the jerk if an acceleration does.
   */
  readonly ratios: { readonly velocity: number; readonly acceleration: number; readonly jerk: number };
}

/** Everything that is wrong with a motion but collisions; empty if nothing is. `limits` in the order of the motion's joints. */
export function motionFaults(trajectory: Trajectory, limits: MotionLimits): readonly MotionFault[] {
  return examineMotion(trajectory, limits).faults;
}

/**
 * Checks the curve over continuous time, from the exact extremes of each polynomial piece. A path: positions. A timed motion: velocities,
 * accelerations, finite jerk limits, jumps of the velocity, and rest at both ends besides; accelerations and jerks of set points are
 * their difference quotients, and their jumps do not count.
 */
export function examineMotion(trajectory: Trajectory, limits: MotionLimits): MotionReport {
  const backwards = firstTimeFault(trajectory);
  if (backwards) return { faults: [backwards], ratios: { velocity: 0, acceleration: 0, jerk: 0 } };

  const curve = new TrajectoryCurve(trajectory);
  const timed = isTimed(trajectory);
  const faults: MotionFault[] = timed ? leadInFaults(trajectory) : [];
  const ratios = { velocity: 0, acceleration: 0, jerk: 0 };
  for (const [j, joint] of trajectory.jointNames.entries()) {
    const extremes = extremesOf(curve, j);
    faults.push(...positionFaults(joint, extremes, limits.lower[j], limits.upper[j]));
    if (!timed) continue;
    const rates = ratesOf(trajectory, curve, j, extremes, limits);
    for (const kind of ['velocity', 'acceleration', 'jerk'] as const) {
      const limit = limits[kind][j];
      if (limit === Number.POSITIVE_INFINITY) continue;
      const { value, time } = rates[kind]();
      const ratio = value === 0 ? 0 : Math.abs(value) / limit;
      ratios[kind] = Math.max(ratios[kind], ratio);
      if (!(ratio <= 1 + RATE_SLACK)) faults.push({ kind, joint, value, limit: value < 0 ? -limit : limit, time });
    }
    const jumps = trajectory.setPoints ? [] : velocityJumps(trajectory, j, limits);
    if (jumps.length > 0) ratios.acceleration = Number.POSITIVE_INFINITY;
    faults.push(...jumps);
  }
  return { faults, ratios };
}

function ratesOf(
  trajectory: Trajectory,
  curve: TrajectoryCurve,
  j: number,
  { velocity, acceleration }: JointExtremes,
  limits: MotionLimits,
): Record<'velocity' | 'acceleration' | 'jerk', () => Extreme> {
  if (!trajectory.setPoints)
    return {
      velocity: () => velocity,
      acceleration: () => acceleration,
      jerk: () => greatestJerk(curve, j, limits.acceleration[j]),
    };
  const rates = setPointRates(trajectory, j);
  return { velocity: () => velocity, acceleration: () => rates.acceleration, jerk: () => rates.jerk };
}

function positionFaults(joint: string, { least, greatest }: JointExtremes, lower: number, upper: number): LimitFault[] {
  const faults: LimitFault[] = [];
  if (!(least.value >= lower - POSITION_SLACK)) faults.push({ kind: 'position', joint, ...least, limit: lower });
  if (!(greatest.value <= upper + POSITION_SLACK)) faults.push({ kind: 'position', joint, ...greatest, limit: upper });
  return faults;
}

function firstTimeFault(trajectory: Trajectory): TimeFault | undefined {
  if (!isTimed(trajectory)) return undefined;
  const start = trajectory.points[0].time_from_start!;
  if (!(start >= 0)) return { kind: 'time', value: start, limit: 0, time: start };
  for (let i = 1; i < trajectory.points.length; i++) {
    const value = trajectory.points[i].time_from_start!;
    const limit = trajectory.points[i - 1].time_from_start!;
    if (!(value > limit)) return { kind: 'time', value, limit, time: value };
  }
  return undefined;
}
