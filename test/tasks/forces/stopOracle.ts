import type { CertificateStop } from '../../../src/core/certificate/certificate.ts';
import { createArmModel } from '../../../src/core/dynamics/arm/armModel.ts';
import { InverseDynamics } from '../../../src/core/dynamics/arm/inverseDynamics.ts';
import { forwardKinematics, RobotState } from '../../../src/core/kinematics/forwardKinematics.ts';
import type { RobotModel } from '../../../src/core/kinematics/robotModel.ts';
import type { Trajectory } from '../../../src/core/trajectory/trajectory.ts';
import { randomArm, uniform } from '../../core/dynamics/arm/randomArm.ts';
import { randomMotion, rates } from '../../core/dynamics/arm/randomMotion.ts';
import type { StopPart } from './stopAttack.ts';

/**
 * A random arm with limits that a random motion keeps by a margin, and the motion.
 * @param jerk limit of the jerk, in relation to the greatest jerk of the motion
 */
export function stoppable(
  seed: number,
  margin: number,
  jerk = Number.POSITIVE_INFINITY,
): { robot: RobotModel; motion: Trajectory; link: string } {
  const arm = randomArm(seed);
  const motion = randomMotion(arm, uniform(seed));
  const end = motion.points.at(-1)!.time_from_start!;
  const most = {
    v: new Array(arm.dof).fill(0.1),
    a: new Array(arm.dof).fill(0.1),
    torque: new Array(arm.dof).fill(1),
    jerk: new Array(arm.dof).fill(1),
  };
  const dynamics = new InverseDynamics(createArmModel(arm));
  const torques = new Float64Array(arm.dof);
  const raise = (row: number[], values: ArrayLike<number>) =>
    row.forEach((x, k) => {
      row[k] = Math.max(x, Math.abs(values[k]));
    });
  for (let i = 0; i <= 500; i++) {
    const { q, v, a } = rates(motion, (i / 500) * end, (i / 500) * end);
    raise(most.v, v);
    raise(most.jerk, jerksAt(motion, (i / 500) * end));
    raise(most.a, a);
    dynamics.torques(torques, q, v, a);
    raise(most.torque, torques);
    dynamics.torques(torques, q, new Float64Array(arm.dof), new Float64Array(arm.dof));
    raise(most.torque, torques);
  }
  const limitsOf = (one: RobotModel['variables'][number], k: number) => ({
    ...one.limits,
    velocity: margin * most.v[k],
    acceleration: margin * most.a[k],
    jerk: jerk * most.jerk[k],
  });
  const variables = arm.variables.map((one, k) => ({
    ...one,
    limits: limitsOf(one, k),
    effort: margin * most.torque[k],
  }));
  return { robot: { ...arm, variables } as RobotModel, motion, link: arm.links.at(-1)!.name };
}

/** Third derivatives by differences, on both sides of a time. */
export function jerksAt(motion: Trajectory, t: number): number[] {
  const end = motion.points.at(-1)!.time_from_start!;
  const rows = [t - 2e-6, t + 1e-6].map((from) => {
    const [a, b] = [from, from + 1e-6].map((time) => rates(motion, time, from + 5e-7).a);
    return a.map((value, k) => (from > 0 && from + 1e-6 < end ? Math.abs(b[k] - value) * 1e6 : 0));
  });
  return rows[0].map((value, k) => Math.max(value, rows[1][k]));
}

/** A sample of a stop: time of the motion, pace and its rate, and how long it counts. */
export interface StopSample {
  readonly t: number;
  readonly pace: number;
  readonly rate: number;
  readonly weight: number;
}

/**
 * Samples a stop of a certificate under limits of jerk, which it integrates: lists of samples in which the pace has one
 * third derivative. The last one, in which pace and rate fall to 0 together, is left out if the motion rests before.
 */
export function smoothSamples(stop: CertificateStop, motion: Trajectory): StopSample[][] {
  const knots = motion.points.map((point) => point.time_from_start!);
  let [t, pace, rate] = [stop[0][0], 1, 0];
  const add = (time: number, change: number) => {
    const count = 8;
    const at = (x: number) => ({
      t: t + pace * x + (rate * x * x) / 2 + (change * x ** 3) / 6,
      pace: pace + rate * x + (change * x * x) / 2,
      rate: rate + change * x,
      weight: time / (count + 1),
    });
    const list = Array.from({ length: count + 1 }, (_, i) => at((i / count) * time));
    ({ t, pace, rate } = list[count]);
    return list;
  };
  const lists = stop.slice(1).map(([time, change]) => add(time, change));
  const knot = knots.findIndex((time) => Math.abs(time - t) < 1e-7);
  const isRest = knot >= 0 && motion.points[knot].velocities!.every((v) => v === 0);
  return isRest ? lists : [...lists, add((-2 * pace) / rate, rate ** 2 / (2 * pace))];
}

/**
 * The shortest stop from an instant, by explicit steps with limits at samples: its duration, and the length of the path
 * of a link. With limits of torque, assumed limits of acceleration do not apply. @param dt seconds
 * @param part of the motion at whose end the robot rests; default: the motion
 */
export function sampledStop(
  robot: RobotModel,
  motion: Trajectory,
  link: string,
  from: number,
  torque: boolean,
  dt: number,
  part: Partial<StopPart> = {},
) {
  const { to: end = motion.points.at(-1)!.time_from_start!, loads, scaleAt = () => 1 } = part;
  const dynamics = new InverseDynamics(createArmModel(robot, loads && { loads }));
  const state = new RobotState(robot);
  const index = robot.links.findIndex(({ name }) => name === link);
  const place = (q: readonly number[]) => {
    forwardKinematics(state, Float64Array.from(q));
    return [3, 7, 11].map((o) => state.T_world_link[index][o]);
  };
  let [s, p, time, length] = [from, 1, 0, 0];
  let at = place(rates(motion, s, s).q);
  while (p > 0 && s < end - 1e-9) {
    const { q, v, a } = rates(motion, s, s);
    let u = -p / dt;
    const keep = (factor: number, rest: number, lower: number, upper: number) => {
      if (factor !== 0) u = Math.max(u, Math.min((lower - rest) / factor, (upper - rest) / factor));
    };
    const scale = scaleAt(s);
    for (const [k, { limits, accelerationAssumed }] of robot.variables.entries()) {
      if (torque && accelerationAssumed) continue;
      keep(v[k], a[k] * p * p, -scale * limits.acceleration, scale * limits.acceleration);
    }
    if (torque) {
      const [one, other] = [new Float64Array(q.length), new Float64Array(q.length)];
      const moving = v.map((x) => x * p);
      dynamics.torques(
        one,
        q,
        moving,
        a.map((x) => x * p * p),
      );
      dynamics.torques(
        other,
        q,
        moving,
        a.map((x, k) => x * p * p + v[k]),
      );
      for (const [k, { effort }] of robot.variables.entries()) keep(other[k] - one[k], one[k], -effort, effort);
    }
    const last = p;
    p = Math.max(0, p + Math.min(0, u) * dt);
    s += 0.5 * (p + last) * dt;
    time += dt;
    const next = place(rates(motion, Math.min(s, end), Math.min(s, end)).q);
    length += Math.hypot(...next.map((x, i) => x - at[i]));
    at = next;
  }
  return { time, length };
}
