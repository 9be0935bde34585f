import type { RobotModel } from '../../kinematics/robotModel.ts';
import { type MotionPiece, RATE_ROUNDING } from '../motionPieces.ts';
import type { CertifiedBody } from './certifiedBodies.ts';
import type { Point, Rate, Series } from './series.ts';
import * as series from './series.ts';

/** Rounding error of a torque, relative to the sum of the lengths of its terms. */
export const ROUNDING = 1e-12;

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
export interface JointSeries {
  readonly at: readonly number[];
  readonly most: readonly number[];
  /** Rounding errors of orders 1 and 2. */
  readonly errors: readonly [number, number];
  /** True if it does not move at all on the piece. */
  readonly isResting: boolean;
  /** Signs of the least and the greatest friction, next to a rest or in a stop; default: those of the velocity. */
  readonly signs?: readonly [number, number] | undefined;
}

/** Returns the motions of all joints of a piece about a time. */
export function jointsOf(piece: MotionPiece, middle: number, half: number): JointSeries[] {
  const { start, end, coefficients, rates, rests } = piece; // computed once
  return Array.from(rates, (_, j) =>
    jointSeries({ start, end, coefficients, rates, rests: rests ?? [] }, j, middle - start, half),
  );
}

/** Returns the largest value of a joint, at least 1: the rounding error of an angle is relative to it. */
export function largestAngle({ joints }: RobotModel, motions: readonly JointSeries[]): number {
  let angle = 1;
  for (const { variable, multiplier, offset } of joints)
    if (variable >= 0) angle = Math.max(angle, Math.abs(multiplier * motions[variable].at[0]) + Math.abs(offset));
  return angle;
}

/** Returns the force and the moment about the center of mass that a body's motion requires, gravity included. */
export function inertialForce({ mass, center: c, inertia: I }: CertifiedBody, frame: FrameMotion, T: Float64Array) {
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
export function frameMotions(
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

/** Returns a derivative of a joint as a rate; its rounding error is added to the bound on the second derivative. */
export function rateOf(joint: JointSeries | undefined, multiplier: number, order: 1 | 2, half: number): Rate {
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
  {
    coefficients,
    rates,
    start,
    end,
    rests,
  }: Required<Pick<MotionPiece, 'start' | 'end' | 'coefficients' | 'rates' | 'rests'>>,
  j: number,
  u: number,
  half: number,
): JointSeries {
  const c = coefficients.subarray(6 * j, 6 * j + 6);
  const T = end - start;
  const error = RATE_ROUNDING * rates[j];
  const errors: [number, number] = T > 0 ? [error, (2 * error) / T] : [0, 0];
  const isResting = c.subarray(1).every((x) => x === 0);
  const at = derivativesAt(c, u);
  const most = boundsOf(at, half);
  const series = { at, most, errors, isResting };
  const [first, last] = rests[j] ?? [0, 0];
  if (isResting || first + last === 0 || Math.abs(at[1]) > half * most[2] + UNSURE * error) return series;
  const signOver = (zeros: number, u0: number, u1: number) => {
    if (zeros === 0) return 0;
    const [middle, reach] = [0.5 * (u0 + u1), 0.5 * (u1 - u0)];
    const own = derivativesAt(c, middle);
    const [least, greatest] = derivativeRange(own, boundsOf(own, reach), reach, zeros + 1);
    const doubt = UNSURE * (zeros === 1 ? errors[1] : (2 * errors[1]) / T);
    return least > doubt ? 1 : greatest < -doubt ? -1 : 0;
  };
  // Beside an exact rest, the velocity has the sign of the first derivative that is not 0; before it, times (−1)ⁿ.
  const sign = signOver(first, 0, u + half) || (last === 1 ? -1 : 1) * signOver(last, u - half, T);
  return sign === 0 ? series : { ...series, signs: sign > 0 ? [0, 1] : [-1, 0] };
}

/** Returns the derivatives 0 to 5 of a polynomial. */
function derivativesAt(c: Float64Array, u: number): number[] {
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
  return at;
}

/** Returns bounds on all derivatives of a polynomial within `half` of the point where they are given. */
export const boundsOf = (at: readonly number[], half: number): number[] =>
  at.map((_, order) => {
    let [bound, power] = [0, 1];
    for (let n = order; n < at.length; n++) {
      bound += Math.abs(at[n]) * power;
      power *= half / (n - order + 1);
    }
    return bound;
  });

/**
 * Returns the least and greatest value of the derivative of order `last` over the interval, from those of the next
 * order: if the next derivative keeps its sign, the extremes are at the ends, else a first-order bound holds. If it
 * exceeds 0 on the other side by at most `slack`, the change that this allows is added.
 */
export function derivativeRange(
  at: readonly number[],
  most: readonly number[],
  half: number,
  last: number,
): [number, number] {
  const valueAt = (order: number, t: number) => {
    let [value, power] = [0, 1];
    for (let n = order; n < at.length; n++) {
      value += power * at[n];
      power *= t / (n - order + 1);
    }
    return value;
  };
  let [least, greatest] = [at[at.length - 1], at[at.length - 1]];
  for (let order = at.length - 2; order >= last; order--) {
    const slack = 1e-9 * most[order + 1];
    const ends = [valueAt(order, -half), valueAt(order, half)];
    const isMonotonic = least >= -slack || greatest <= slack;
    const change = 2 * half * slack;
    least = isMonotonic ? Math.min(...ends) - change : at[order] - half * most[order + 1];
    greatest = isMonotonic ? Math.max(...ends) + change : at[order] + half * most[order + 1];
  }
  return [least, greatest];
}

/** Sign of a velocity: known beyond this many rounding errors, of its own and of the derivatives that bound it. */
const UNSURE = 4;

/**
 * Returns the signs of the least and the greatest friction, which opposes the velocity: both are possible where that of
 * the velocity is not certain. Only a joint that does not move at all has none.
 */
export function frictionSigns(slowest: number, fastest: number, error: number, isResting: boolean): [number, number] {
  return isResting ? [0, 0] : [slowest > UNSURE * error ? 1 : -1, fastest < -UNSURE * error ? -1 : 1];
}
