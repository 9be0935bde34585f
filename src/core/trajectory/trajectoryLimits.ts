import { PI } from '../math/trigonometry.ts';
import { type Extreme, extremesOf, type JointExtremes, maxJerk, setPointRates } from './jointExtremes.ts';
import { fullTurns } from './leadIn/leadIn.ts';
import { isTimed, type JointUnit, type MotionLimits, type Trajectory, type TrajectoryPoint } from './trajectory.ts';
import { TrajectoryCurve } from './trajectoryCurve.ts';
import { type LeadInFault, leadInFaults, type VelocityJump, velocityJumps } from './velocityJumps.ts';

/** Absolute, rad or m: a position outside its limits by less than this is accepted as a rounding error. */
const POSITION_TOLERANCE = 1e-9;
/**
 * Relative: a rate may exceed its limit by this. Errors of motions written with twelve digits, or in whole nanoseconds,
 * are smaller.
 */
const RATE_TOLERANCE = 1e-6;

/** Kind of a limit of a joint. */
export type LimitKind = 'position' | 'velocity' | 'acceleration' | 'jerk';

/** The worst violation of a limit. */
export interface LimitFault {
  /** Kind of the limit. */
  readonly kind: LimitKind;
  /** Name of the joint. */
  readonly joint: string;
  /** Unit of its position; undefined if the limits do not state it. */
  readonly unit?: JointUnit;
  /** The value, signed; Infinity for the jerk of a jump in acceleration. */
  readonly value: number;
  /** The violated limit, with the sign of the value. */
  readonly limit: number;
  /** Time of the violation: seconds, or waypoints for a path. */
  readonly time: number;
}

/**
 * A point whose time is not greater than that of the previous point, or so little greater that the curve between them
 * has no finite rates, or a first point before 0, where no controller begins.
 */
export interface TimeFault {
  /** Kind of the fault. */
  readonly kind: 'time';
  /** Time of the point, seconds. */
  readonly value: number;
  /** Time of the previous point; 0 for the first. */
  readonly limit: number;
  /** Time of the point, seconds, like that of other faults. */
  readonly time: number;
}

/**
 * A fault of a motion other than a collision: a violated limit, a time that does not increase, a velocity jump, a jump
 * by full turns, or an acceleration at a first point after time 0 (`LeadInFault`), since the motion before that point
 * is unknown.
 */
export type MotionFault = LimitFault | TimeFault | VelocityJump | FullTurnFault | LeadInFault;

/** Violations of the limits of a motion, and the ratios to them. */
export interface MotionReport {
  /**
   * The worst violation for each joint and kind (and side, for positions), joints in order. If times do not increase,
   * only the first such fault is reported, and no limit is checked. Rates that a jump by full turns causes are not
   * listed beside it.
   */
  readonly faults: readonly MotionFault[];
  /**
   * Maximum of value ÷ limit over all joints and times; 0 if there is no limit, or for a path. Infinity for the
   * acceleration if a velocity jumps, and for the jerk if an acceleration jumps.
   */
  readonly ratios: { readonly velocity: number; readonly acceleration: number; readonly jerk: number };
}

/**
 * Returns all faults of a motion other than collisions; empty if there are none. `limits` in the order of the joints of
 * the motion.
 */
export function motionFaults(trajectory: Trajectory, limits: MotionLimits): readonly MotionFault[] {
  return examineMotion(trajectory, limits).faults;
}

/**
 * Checks a motion against its limits at every instant, from the exact extremes of each polynomial piece. Paths:
 * positions and jumps by full turns. Trajectories: also velocity, acceleration and finite jerk limits, jumps of the
 * velocity, and rest at both ends. For set points, acceleration and jerk are difference quotients, and jumps are
 * ignored.
 * @param known curve of the motion, if it was computed before
 */
export function examineMotion(trajectory: Trajectory, limits: MotionLimits, known?: TrajectoryCurve): MotionReport {
  const backwards = firstTimeFault(trajectory);
  if (backwards) return { faults: [backwards], ratios: { velocity: 0, acceleration: 0, jerk: 0 } };

  const curve = known ?? new TrajectoryCurve(trajectory);
  const close = firstCloseTimes(trajectory, curve);
  if (close) return { faults: [close], ratios: { velocity: 0, acceleration: 0, jerk: 0 } };
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
      const ratio = ratioOf(value, limit);
      ratios[kind] = Math.max(ratios[kind], ratio);
      if (!(ratio <= 1 + RATE_TOLERANCE)) faults.push({ kind, joint, value, limit: value < 0 ? -limit : limit, time });
    }
    const jumps = trajectory.setPoints ? [] : velocityJumps(trajectory, j, limits, curve.kinds);
    if (jumps.length > 0) ratios.acceleration = Number.POSITIVE_INFINITY;
    faults.push(...jumps);
  }
  return { faults: withUnits(withFullTurns(faults, trajectory, limits), trajectory, limits), ratios };
}

/** Adds the units of the joints, if the limits state them. */
function withUnits(faults: MotionFault[], { jointNames }: Trajectory, { units }: MotionLimits): MotionFault[] {
  if (units === undefined) return faults;
  return faults.map((fault) => ('joint' in fault ? { ...fault, unit: units[jointNames.indexOf(fault.joint)] } : fault));
}

/** Replaces the violations that jumps by full turns cause by these jumps. */
function withFullTurns(faults: readonly MotionFault[], trajectory: Trajectory, limits: MotionLimits): MotionFault[] {
  const { points } = trajectory;
  const jumps = fullTurnFaults(trajectory, limits);
  const isOfJump = (fault: MotionFault) =>
    (fault.kind === 'velocity' || fault.kind === 'acceleration' || fault.kind === 'jerk' || isInside(fault)) &&
    jumps.some(
      ({ joint, point, time }) =>
        joint === fault.joint && fault.time >= points[point - 1].time_from_start! && fault.time <= time,
    );
  return [...faults.filter((fault) => !isOfJump(fault)), ...jumps];
}

const isInside = (fault: MotionFault): fault is VelocityJump =>
  fault.kind === 'velocity-jump' && fault.place === 'inside';

/** Returns value ÷ limit; Infinity for limits that no motion keeps: 0, negative ones and NaN. */
function ratioOf(value: number, limit: number): number {
  if (value === 0) return 0;
  return limit > 0 ? Math.abs(value) / limit : Number.POSITIVE_INFINITY;
}

/** Returns functions that compute the extreme rates of joint j. */
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
      jerk: () => maxJerk(curve, j, limits.acceleration[j]),
    };
  const rates = setPointRates(trajectory, j);
  return { velocity: () => velocity, acceleration: () => rates.acceleration, jerk: () => rates.jerk };
}

function positionFaults(joint: string, { min, max }: JointExtremes, lower: number, upper: number): LimitFault[] {
  const faults: LimitFault[] = [];
  if (!(min.value >= lower - POSITION_TOLERANCE)) faults.push({ kind: 'position', joint, ...min, limit: lower });
  if (!(max.value <= upper + POSITION_TOLERANCE)) faults.push({ kind: 'position', joint, ...max, limit: upper });
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

function areFinite(values: ArrayLike<number> = []): boolean {
  for (let i = 0; i < values.length; i++) if (!Number.isFinite(values[i])) return false;
  return true;
}

/** Returns the fault of the first two points whose times are so close that the curve between them is not finite. */
function firstCloseTimes({ points }: Trajectory, curve: TrajectoryCurve): TimeFault | undefined {
  const { times, polynomials, pieces } = curve;
  if (areFinite(polynomials)) return undefined;
  for (let k = 0; k < pieces; k++) {
    if (areFinite(polynomials.subarray(curve.polynomialIndex(k, 0), curve.polynomialIndex(k + 1, 0)))) continue;
    const ends = [points[k], points[k + 1]];
    if (
      !ends.every((end) => end && areFinite(end.positions) && areFinite(end.velocities) && areFinite(end.accelerations))
    )
      continue;
    return { kind: 'time', value: times[k + 1], limit: times[k], time: times[k + 1] };
  }
  return undefined;
}

/**
 * A jump of a continuous joint by full turns from one point to the next: both angles are nearly the same state, but the
 * joint would turn all the way. Programs that normalize angles write such jumps.
 */
export interface FullTurnFault {
  /** Kind of the fault. */
  readonly kind: 'full-turn';
  /** Name of the joint. */
  readonly joint: string;
  /** Unit of its position; undefined if the limits do not state it. */
  readonly unit?: JointUnit;
  /** Number of full turns, signed. */
  readonly turns: number;
  /** Index of the point after the jump: the first one of this joint. */
  readonly point: number;
  /** Time of that point: seconds, or waypoints for a path. */
  readonly time: number;
  /** Number of such jumps of the joint. */
  readonly count: number;
}

/** A jump from the point before `point`. */
interface Jump {
  readonly point: number;
  readonly turns: number;
}

/**
 * Returns the jumps of joint j by full turns. On a trajectory, the joint would have to exceed its velocity limit, and
 * without the turns it would not, or would move at most a quarter turn. On a path, it moves at most a quarter turn
 * without them.
 */
function jumpsOf({ points, ...rest }: Trajectory, j: number, { velocity }: MotionLimits): Jump[] {
  const timed = isTimed({ points, ...rest });
  const jumps: Jump[] = [];
  for (let point = 1; point < points.length; point++) {
    const [from, to] = [points[point - 1], points[point]];
    const distance = to.positions[j] - from.positions[j];
    const turns = fullTurns(distance);
    if (turns === 0 || !Number.isFinite(turns)) continue;
    const left = Math.abs(distance - turns * 2 * PI);
    const most = timed ? velocity[j] * (1 + RATE_TOLERANCE) * (to.time_from_start! - from.time_from_start!) : 0;
    if (timed && !(Math.abs(distance) > most)) continue;
    if (left <= PI / 2 || (timed && left <= most)) jumps.push({ point, turns });
  }
  return jumps;
}

/** Returns the first jump by full turns of each continuous joint. */
export function fullTurnFaults(trajectory: Trajectory, limits: MotionLimits): FullTurnFault[] {
  return trajectory.jointNames.flatMap((joint, j) => {
    if (!limits.isContinuous?.[j]) return [];
    const [first, ...others] = jumpsOf(trajectory, j, limits);
    if (first === undefined) return [];
    const time = trajectory.points[first.point].time_from_start ?? first.point;
    return [{ kind: 'full-turn', joint, ...first, time, count: others.length + 1 }];
  });
}

/**
 * Returns a trajectory without the jumps of its continuous joints by full turns: the angles after a jump are those of
 * the same states without the turns. The same object if there are none, or if the angles would leave their limits.
 */
export function unwrapped(trajectory: Trajectory, limits: MotionLimits): Trajectory {
  let { points } = trajectory;
  for (const j of trajectory.jointNames.keys()) {
    if (!limits.isContinuous?.[j]) continue;
    const jumps = jumpsOf(trajectory, j, limits);
    if (jumps.length === 0) continue;
    const turned = withoutJumps(points, j, jumps);
    const isWithin = ({ positions: { [j]: value } }: TrajectoryPoint) =>
      value >= limits.lower[j] && value <= limits.upper[j];
    if (turned.every(isWithin)) points = turned;
  }
  return points === trajectory.points ? trajectory : { ...trajectory, points };
}

function withoutJumps(points: Trajectory['points'], j: number, jumps: readonly Jump[]): TrajectoryPoint[] {
  let turns = 0;
  let next = 0;
  return points.map((point, k) => {
    if (jumps[next]?.point === k) turns += jumps[next++].turns;
    return turns === 0 ? point : turnedPoint(point, j, -turns);
  });
}

/** Returns a point with joint j turned by full turns. */
export const turnedPoint = (point: TrajectoryPoint, j: number, turns: number): TrajectoryPoint => ({
  ...point,
  positions: point.positions.map((value, i) => (i === j ? value + turns * 2 * PI : value)),
});
