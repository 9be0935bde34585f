import type { RobotModel } from '../../kinematics/robotModel.ts';
import { linkPoses } from '../linkPoses.ts';
import type { MotionPiece } from '../motionPieces.ts';
import {
  derivativeRange,
  frameMotions,
  frictionSigns,
  inertialForce,
  type JointSeries,
  jointsOf,
  largestAngle,
  ROUNDING,
  rateOf,
} from './bodyMotion.ts';
import type { CertifiedBody } from './certifiedBodies.ts';
import type { Point, Rate } from './series.ts';
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

/** Bounds the torques over an interval of a motion of the joints about its middle. */
export function driveTorques(
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
  { at, most: rates, errors, isResting, signs }: JointSeries,
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
  const [slowest, fastest] = derivativeRange(at, rates, half, 1);
  const [least, greatest] = signs ?? frictionSigns(slowest, fastest, errors[0], isResting);
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
