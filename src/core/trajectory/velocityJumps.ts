import { isGiven, type JointUnit, type MotionLimits, type SegmentKind, type Trajectory } from './trajectory.ts';

/** Relative to the limit: a smaller jump of a velocity or an acceleration is a rounding error. */
const JUMP_SLACK = 1e-6;
/**
 * Rates (rad/s, rad/s² or m/s, m/s²) to which rounding errors are relative at most, unless the motion is faster: limits
 * may be stated far above all motions.
 */
const MOST_VELOCITY = 10;
const MOST_ACCELERATION = 100;

/** Returns the largest difference of two velocities of a joint that counts as a rounding error. */
export const velocityTolerance = (limit: number, before: number, after: number): number =>
  JUMP_SLACK * scaleOf(limit, MOST_VELOCITY, before, after);

/** As `velocityTolerance`, of two accelerations. */
export const accelerationTolerance = (limit: number, before: number, after: number): number =>
  JUMP_SLACK * scaleOf(limit, MOST_ACCELERATION, before, after);

const scaleOf = (limit: number, most: number, before: number, after: number): number => {
  const greater = Math.max(Math.abs(before), Math.abs(after));
  return limit < Number.POSITIVE_INFINITY ? Math.min(limit, Math.max(most, greater)) : Math.max(1, greater);
};

/**
 * Jump of the velocity of a joint, which no finite acceleration can execute. Before the start and after the end the
 * robot is at rest.
 */
export interface VelocityJump {
  /** Kind of the fault. */
  readonly kind: 'velocity-jump';
  /** Name of the joint. */
  readonly joint: string;
  /** Unit of its position; undefined if the limits do not state it. */
  readonly unit?: JointUnit;
  /** Velocity before the jump, rad/s or m/s. */
  readonly before: number;
  /** Velocity after the jump. */
  readonly after: number;
  /** Seconds. */
  readonly time: number;
  /** Index of the point. */
  readonly point: number;
  /** Whether the jump is at the start, inside, or at the end of the motion. */
  readonly place: 'start' | 'inside' | 'end';
}

/**
 * Nonzero acceleration at a first point with time > 0. A controller that knows the acceleration of the robot moves from
 * rest to that point by a quintic, which leaves the position of the first point; other controllers stay there. The
 * executed motion is therefore unknown.
 */
export interface LeadInFault {
  /** Kind of the fault. */
  readonly kind: 'lead-in';
  /** Name of the joint. */
  readonly joint: string;
  /** Unit of its position; undefined if the limits do not state it. */
  readonly unit?: JointUnit;
  /** Acceleration at the first point, rad/s² or m/s². */
  readonly value: number;
  /** Time of the first point, seconds. */
  readonly time: number;
}

/**
 * Returns the velocity jumps of joint j of a trajectory: at the start, the largest one between two segments, and at the
 * end.
 * @param kinds interpolation of each segment
 */
export function velocityJumps(
  trajectory: Trajectory,
  j: number,
  limits: MotionLimits,
  kinds: readonly SegmentKind[],
): VelocityJump[] {
  const { jointNames, points } = trajectory;
  const last = points.length - 1;
  const slope = (k: number) =>
    (points[k + 1].positions[j] - points[k].positions[j]) /
    (points[k + 1].time_from_start! - points[k].time_from_start!);
  const single = trajectory.interpolation !== 'linear' && isGiven(points[0].velocities) ? points[0].velocities[j] : 0;
  const velocityBefore = (i: number) => {
    if (last === 0) return single;
    return kinds[i - 1] === 'linear' ? slope(i - 1) : points[i].velocities![j];
  };
  const velocityAfter = (i: number) => {
    if (last === 0) return single;
    return kinds[i] === 'linear' ? slope(i) : points[i].velocities![j];
  };
  const limit = limits.velocity[j];
  const jumps: VelocityJump[] = [];
  let worst: VelocityJump | undefined;
  const add = (before: number, after: number, point: number, place: VelocityJump['place']) => {
    if (Math.abs(after - before) <= velocityTolerance(limit, before, after)) return;
    const time = points[point].time_from_start!;
    const jump = { kind: 'velocity-jump', joint: jointNames[j], before, after, time, point, place } as const;
    if (place !== 'inside') jumps.push(jump);
    else if (!worst || Math.abs(after - before) > Math.abs(worst.after - worst.before)) worst = jump;
  };
  add(0, velocityAfter(0), 0, 'start');
  for (let i = 1; i < last; i++) {
    const isSmooth = kinds[i - 1] !== 'linear' && kinds[i] !== 'linear' && Number.isFinite(points[i].velocities![j]);
    if (!isSmooth) add(velocityBefore(i), velocityAfter(i), i, 'inside');
  }
  if (worst) jumps.push(worst);
  add(velocityBefore(last), 0, last, 'end');
  return jumps;
}

/** Returns the faults that `LeadInFault` describes. */
export function leadInFaults({ jointNames, points, interpolation }: Trajectory): LeadInFault[] {
  const { time_from_start: time, velocities, accelerations } = points[0];
  if (time === undefined || !(time > 0) || !isGiven(velocities) || !isGiven(accelerations)) return [];
  if (interpolation === 'linear' || interpolation === 'cubic') return [];
  return jointNames.flatMap((joint, j) =>
    accelerations[j] === 0 ? [] : [{ kind: 'lead-in', joint, value: accelerations[j], time }],
  );
}
