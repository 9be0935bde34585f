import type { RobotModel } from '../../kinematics/robotModel.ts';
import { linkPoses } from '../linkPoses.ts';
import { type MotionPiece, RATE_ROUNDING } from '../motionPieces.ts';
import type { CertifiedBody } from './certifiedBodies.ts';
import type { Point, Rate, Series } from './series.ts';
import * as series from './series.ts';

/** Bounds of the torque of one planned joint over an interval. */
export interface TorqueRange {
  readonly lower: number;
  readonly upper: number;
}

/** Torque of a drive with its derivative in the middle, and bounds on it over an interval. */
interface DriveTorque extends TorqueRange, Rate {
  /** Greatest friction, and the least and greatest velocity. */
  readonly friction: number;
  readonly slowest: number;
  readonly fastest: number;
  readonly error: number;
}

/** Rounding error of a torque, relative to the sum of the lengths of its terms. */
const ROUNDING = 1e-12;
/** Sign of a velocity: known beyond this many rounding errors, of its own and of the derivatives that bound it. */
const UNSURE = 4;

/** Motion of a frame in world axes: angular velocity and acceleration, and the acceleration of its origin. */
interface FrameMotion {
  readonly omega: Series;
  readonly alpha: Series;
  readonly acceleration: Series;
  /** Axis of the joint above it, and the vector to its origin from that of the frame above it. */
  readonly axis: Series;
  readonly lever: Series;
}

/** Derivatives 0 to 4 of a planned joint: at the middle of an interval, and bounds over it. */
interface JointSeries {
  readonly at: readonly number[];
  readonly most: readonly number[];
  /** Rounding errors of orders 1 and 2. */
  readonly errors: readonly [number, number];
  /** True if it does not move at all on the piece. */
  readonly isResting: boolean;
}

/**
 * Bounds the torques of a robot over an interval of a motion by virtual work: the torque of a joint is the power of the
 * inertial forces of all bodies at unit speed of the joint. Written in world axes, without recursion of forces, and
 * independently of the prover of torques: both share no code.
 */
export function torqueRanges(
  robot: RobotModel,
  bodies: readonly CertifiedBody[],
  gravity: Point,
  piece: MotionPiece,
  from: number,
  to: number,
): TorqueRange[] {
  const middle = from + 0.5 * (to - from);
  const half = Math.max(middle - from, to - middle);
  return driveTorques(robot, bodies, gravity, jointsOf(piece, middle, half), half);
}

/** Returns the motions of all joints of a piece about a time. */
function jointsOf({ start, end, coefficients, rates }: MotionPiece, middle: number, half: number): JointSeries[] {
  return Array.from(rates, (_, j) => jointSeries({ start, end, coefficients, rates }, j, middle - start, half));
}

function driveTorques(
  robot: RobotModel,
  bodies: readonly CertifiedBody[],
  gravity: Point,
  joints: readonly JointSeries[],
  half: number,
): DriveTorque[] {
  const T = linkPoses(
    robot,
    Float64Array.from(joints, ({ at }) => at[0]),
  );
  const frames = frameMotions(robot, joints, T, gravity, half);
  const total = joints.map(() => ({ now: 0, slope: 0, most: [0, 0, 0] as Point }));
  for (const body of bodies) {
    const { force, moment, center } = inertialForce(body, frames[body.link], T[body.link]);
    let arm = center; // from the origin of the link to the center of mass
    for (let link = body.link; link > 0; link = robot.links[link].parent) {
      const { variable, multiplier, type } = robot.joints[robot.links[link].joint];
      const { axis, lever } = frames[link];
      const turns = type !== 'prismatic';
      const torque = turns ? series.sum(moment, series.cross(arm, force)) : force;
      arm = series.sum(arm, lever);
      if (variable < 0) continue;
      const work = series.dotOf(axis, torque);
      const sum = total[variable];
      sum.now += multiplier * work.now;
      sum.slope += multiplier * work.slope;
      sum.most = series.plus(sum.most, series.times(work.most, Math.abs(multiplier)));
    }
  }
  const rounding =
    ROUNDING * largestAngle(robot, joints) * total.reduce((most, { most: [size] }) => Math.max(most, size), 0);
  return total.map((sum, k) => withDrive(robot, k, sum, joints[k], half, rounding));
}

/** Returns the largest value of a joint, at least 1: the rounding error of an angle is relative to it. */
function largestAngle({ joints }: RobotModel, motions: readonly JointSeries[]): number {
  let angle = 1;
  for (const { variable, multiplier, offset } of joints)
    if (variable >= 0) angle = Math.max(angle, Math.abs(multiplier * motions[variable].at[0]) + Math.abs(offset));
  return angle;
}

/**
 * Bounds the power of the drives about a time: the sum of torque times velocity, products of Taylor series, and of
 * friction times the magnitude of the velocity.
 */
export function powerRange(
  robot: RobotModel,
  bodies: readonly CertifiedBody[],
  gravity: Point,
  piece: MotionPiece,
  middle: number,
  half: number,
): TorqueRange & { readonly now: number } {
  const joints = jointsOf(piece, middle, half);
  const drives = driveTorques(robot, bodies, gravity, joints, half);
  let [now, slope, away, least, most] = [0, 0, 0, 0, 0];
  for (const [k, torque] of drives.entries()) {
    const rate = rateOf(joints[k], 1, 1, half);
    const { now: value, slope: change, most: bounds } = series.productOf(torque, rate);
    now += value;
    slope += change;
    const doubt = torque.error * rate.most[0] + bounds[0] * ROUNDING + 2 * torque.most[0] * joints[k].errors[0];
    away += doubt + 0.5 * half * half * bounds[2];
    const { friction, slowest, fastest } = torque;
    least += friction * Math.max(0, slowest - joints[k].errors[0], -fastest - joints[k].errors[0]);
    most += friction * (Math.max(-slowest, fastest) + joints[k].errors[0]);
  }
  const reach = (1 + ROUNDING) * (away + half * Math.abs(slope));
  return { now: now + 0.5 * (least + most), lower: now + least - reach, upper: now + most + reach };
}

/**
 * Bounds the magnitude of the linear momentum about a time: that of p + F t, where F is the sum of the inertial forces,
 * plus what their derivatives allow.
 */
export function momentumBound(
  robot: RobotModel,
  bodies: readonly CertifiedBody[],
  piece: MotionPiece,
  middle: number,
  half: number,
): { readonly now: number; readonly upper: number } {
  const joints = jointsOf(piece, middle, half);
  const T = linkPoses(
    robot,
    Float64Array.from(joints, ({ at }) => at[0]),
  );
  const frames = frameMotions(robot, joints, T, [0, 0, 0], half);
  const velocities: Point[] = [[0, 0, 0]];
  let [rate, error, reach] = [0, 0, 0];
  for (const { parent, child, variable, multiplier, type } of robot.joints) {
    const { lever, axis } = frames[child];
    reach += lever.most[0];
    const carried = series.plus(velocities[parent], series.crossed(frames[parent].omega.now, lever.now));
    velocities[child] = carried;
    if (variable < 0) continue;
    rate += Math.abs(multiplier) * joints[variable].most[1];
    error += Math.abs(multiplier) * joints[variable].errors[0];
    if (type === 'prismatic')
      velocities[child] = series.plus(carried, series.times(axis.now, multiplier * joints[variable].at[1]));
  }
  let p: Point = [0, 0, 0];
  let total = series.ZERO;
  let weight = 0;
  for (const body of bodies) {
    const { force, center } = inertialForce(body, frames[body.link], T[body.link]);
    const velocity = series.plus(velocities[body.link], series.crossed(frames[body.link].omega.now, center.now));
    p = series.plus(p, series.times(velocity, body.mass));
    total = series.sum(total, force);
    weight += body.mass * (1 + reach + center.most[0]);
  }
  const along = (t: number) => series.length(series.plus(p, series.times(total.now, t)));
  const remainder = 0.5 * half * half * (series.length(total.slope) + half * total.most[2]);
  const rounding = weight * (error + ROUNDING * largestAngle(robot, joints) * rate);
  return { now: along(0), upper: (1 + ROUNDING) * (Math.max(along(half), along(-half)) + remainder) + rounding };
}

/** Adds motor inertia and friction of a planned joint and of those that follow it, and encloses the sum. */
function withDrive(
  robot: RobotModel,
  k: number,
  { now, slope, most }: Rate,
  { at, most: rates, errors, isResting }: JointSeries,
  half: number,
  rounding: number,
): DriveTorque {
  let [armature, damping, friction] = [0, 0, 0];
  for (const { variable, multiplier, drive } of robot.joints) {
    if (variable !== k || drive === undefined) continue;
    armature += multiplier * multiplier * (drive.armature ?? 0);
    damping += multiplier * multiplier * (drive.damping ?? 0);
    friction += Math.abs(multiplier) * (drive.friction ?? 0);
  }
  const value = now + armature * at[2] + damping * at[1];
  const steep = slope + armature * at[3] + damping * at[2];
  const second = most[2] + armature * rates[4] + damping * rates[3];
  const error = rounding + armature * (errors[1] + ROUNDING * rates[2]) + damping * (errors[0] + ROUNDING * rates[1]);
  const away = error + (1 + ROUNDING) * half * (Math.abs(steep) + 0.5 * half * second);
  // Friction opposes the velocity: both signs are possible where that of the velocity is not certain, next to a rest
  // too. Only a joint that does not move at all has none.
  const [slowest, fastest] = velocityRange(at, rates, half);
  const doubt = UNSURE * errors[0];
  const [least, greatest] = isResting ? [0, 0] : [slowest > doubt ? 1 : -1, fastest < -doubt ? -1 : 1];
  return {
    now: value,
    slope: steep,
    most: [Math.abs(value) + away, Math.abs(steep) + half * second, second],
    lower: value - away + friction * least,
    upper: value + away + friction * greatest,
    friction,
    slowest,
    fastest,
    error,
  };
}

/**
 * Returns the least and greatest velocity: at an end of the interval if the acceleration keeps its sign, which holds if
 * it does at both ends and is monotonic between them, by the sign of the third derivative and so on. A derivative with
 * values up to `slack` of the other sign adds what they change over the interval.
 */
function velocityRange(at: readonly number[], most: readonly number[], half: number): [number, number] {
  const valueAt = (order: number, t: number) => {
    let [value, power] = [0, 1];
    for (let n = order; n < at.length; n++) {
      value += power * at[n];
      power *= t / (n - order + 1);
    }
    return value;
  };
  let [least, greatest] = [at[5], at[5]];
  for (let order = 4; order > 0; order--) {
    const slack = 1e-9 * most[order + 1];
    const ends = [valueAt(order, -half), valueAt(order, half)];
    const isMonotonic = least >= -slack || greatest <= slack;
    const change = 2 * half * slack;
    least = isMonotonic ? Math.min(...ends) - change : at[order] - half * most[order + 1];
    greatest = isMonotonic ? Math.max(...ends) + change : at[order] + half * most[order + 1];
  }
  return [least, greatest];
}

/** Returns force and moment about the center of mass that a body's motion takes, gravity included. */
function inertialForce({ mass, center: c, inertia: I }: CertifiedBody, frame: FrameMotion, T: Float64Array) {
  const { omega, alpha, acceleration } = frame;
  const turned = (v: ArrayLike<number>): Point => [
    T[0] * v[0] + T[1] * v[1] + T[2] * v[2],
    T[4] * v[0] + T[5] * v[1] + T[6] * v[2],
    T[8] * v[0] + T[9] * v[1] + T[10] * v[2],
  ];
  const center = series.fixedIn(turned(c), omega, alpha);
  const swing = series.sum(series.cross(alpha, center), series.cross(omega, series.cross(omega, center)));
  const force = series.scaled(series.sum(acceleration, swing), mass);
  const rows = [0, 3, 6].map((row) => turned([I[row], I[row + 1], I[row + 2]])); // I Rᵀ, since I is symmetric
  const columns = [0, 1, 2].map((k): Point => turned([rows[0][k], rows[1][k], rows[2][k]]));
  let norm = 0;
  for (const x of I) norm += x * x;
  const size = (1 + ROUNDING) * Math.sqrt(norm);
  const spin = series.inertiaTimes(columns, size, omega, omega, alpha);
  const moment = series.sum(series.inertiaTimes(columns, size, alpha, omega, alpha), series.cross(omega, spin));
  return { force, moment, center };
}

/** Returns the motions of all link frames. */
function frameMotions(
  robot: RobotModel,
  joints: readonly JointSeries[],
  T: readonly Float64Array[],
  gravity: Point,
  half: number,
): FrameMotion[] {
  const originOf = (link: number): Point => [T[link][3], T[link][7], T[link][11]];
  const { ZERO } = series;
  const acceleration = series.constant(series.times(gravity, -1));
  const frames: FrameMotion[] = [{ omega: ZERO, alpha: ZERO, acceleration, axis: ZERO, lever: ZERO }];
  for (const { parent, child, variable, multiplier, type, axis: e } of robot.joints) {
    const above = frames[parent];
    const R = T[child];
    const direction: Point = [
      R[0] * e[0] + R[1] * e[1] + R[2] * e[2],
      R[4] * e[0] + R[5] * e[1] + R[6] * e[2],
      R[8] * e[0] + R[9] * e[1] + R[10] * e[2],
    ];
    const axis = series.fixedIn(direction, above.omega, above.alpha);
    const rate = rateOf(joints[variable], multiplier, 1, half);
    const push = rateOf(joints[variable], multiplier, 2, half);
    const fixed = series.fixedIn(
      series.plus(originOf(child), series.times(originOf(parent), -1)),
      above.omega,
      above.alpha,
    );
    const slides = variable >= 0 && type === 'prismatic';
    const lever = slides ? sliding(fixed, axis, rate, half, above) : fixed;
    const swing = series.cross(above.omega, series.cross(above.omega, lever));
    const moved = series.sum(above.acceleration, series.cross(above.alpha, lever), swing);
    if (variable < 0) frames[child] = { ...above, acceleration: moved, axis, lever };
    else if (!slides) frames[child] = { ...turn(above, axis, rate, push), acceleration: moved, axis, lever };
    else {
      const coriolis = series.scaled(series.cross(above.omega, series.scaledBy(axis, rate)), 2);
      const own = series.sum(moved, series.scaledBy(axis, push), coriolis);
      frames[child] = { ...above, acceleration: own, axis, lever };
    }
  }
  return frames;
}

/** ω = ω₀ + z θ', α = α₀ + z θ'' + (ω₀ × z) θ' */
function turn(above: { omega: Series; alpha: Series }, axis: Series, rate: Rate, push: Rate) {
  const omega = series.sum(above.omega, series.scaledBy(axis, rate));
  const alpha = series.sum(
    above.alpha,
    series.scaledBy(axis, push),
    series.scaledBy(series.cross(above.omega, axis), rate),
  );
  return { omega, alpha };
}

/** Returns the lever of a sliding joint: one that turns with the parent, and grows along the axis. */
function sliding(
  fixed: Series,
  axis: Series,
  rate: Rate,
  half: number,
  { omega, alpha }: { omega: Series; alpha: Series },
): Series {
  const [speed, change] = [rate.most[0], rate.most[1]];
  const size = fixed.most[0] + half * speed;
  const [w] = omega.most;
  return {
    now: fixed.now,
    slope: series.plus(fixed.slope, series.times(axis.now, rate.now)),
    most: [size, w * size + speed, (alpha.most[0] + w * w) * size + 2 * w * speed + change],
  };
}

/** Returns a derivative of a joint as a rate; rounding errors count as a part of what second derivatives allow. */
function rateOf(joint: JointSeries | undefined, multiplier: number, order: 1 | 2, half: number): Rate {
  if (joint === undefined) return { now: 0, slope: 0, most: [0, 0, 0] };
  const { at, most, errors } = joint;
  const factor = Math.abs(multiplier);
  const error = errors[order - 1];
  const second = most[order + 2] + (half > 0 ? (2 * error) / half / half : 0);
  return {
    now: multiplier * at[order],
    slope: multiplier * at[order + 1],
    most: [factor * (most[order] + error), factor * most[order + 1], factor * second],
  };
}

/** Returns the derivatives of joint j at time u of a piece, and their bounds within `half` of it. */
function jointSeries(
  { coefficients, rates, start, end }: Pick<MotionPiece, 'start' | 'end' | 'coefficients' | 'rates'>,
  j: number,
  u: number,
  half: number,
): JointSeries {
  const c = coefficients.subarray(6 * j, 6 * j + 6);
  const at: number[] = [];
  for (let order = 0; order < 6; order++) {
    let [value, power] = [0, 1];
    for (let n = order; n < 6; n++) {
      let factor = 1;
      for (let i = 0; i < order; i++) factor *= n - i;
      value += factor * c[n] * power;
      power *= u;
    }
    at.push(value);
  }
  const most = at.map((_, order) => {
    let [bound, power] = [0, 1];
    for (let n = order; n < 6; n++) {
      bound += Math.abs(at[n]) * power;
      power *= half / (n - order + 1);
    }
    return bound;
  });
  const T = end - start;
  const error = RATE_ROUNDING * rates[j];
  const isResting = c.subarray(1).every((x) => x === 0);
  return { at, most, errors: T > 0 ? [error, (2 * error) / T] : [0, 0], isResting };
}
