import type { RobotDescription } from '../../../../src/core/kinematics/robotModel.ts';
import type { Random } from '../../../../src/core/math/random.ts';
import type { Trajectory } from '../../../../src/core/trajectory/trajectory.ts';
import { chained, linkPose, type OraclePose } from '../../constraints/constraintOracle.ts';

/** Motions and poses written again with `Math`: share no code with the project. */

/** A random motion of two segments through all kinds of interpolation; paths without times are straight lines. */
export function randomTrajectory(random: Random, jointNames: readonly string[]): Trajectory {
  const kind = random.below(4);
  const size = 10 ** random.between(-2, 0);
  const duration = 10 ** random.between(-0.7, 0.5);
  const middle = jointNames.map(() => random.between(-2, 2));
  const row = (scale: number) => jointNames.map(() => scale * random.between(-1, 1));
  const points = [0, 1, 2].map((i) => ({
    positions: middle.map((x) => x + size * random.between(-1, 1)),
    ...(kind > 0 && { time_from_start: i * duration * random.between(0.8, 1.2) }),
    ...(kind > 1 && { velocities: row(size / duration) }),
    ...(kind > 2 && { accelerations: row(size / duration / duration) }),
  }));
  return { jointNames, points };
}

/** Hermite basis: weights of position, velocity and acceleration at both ends, s from 0 to 1. */
function weights(s: number, degree: number): number[] {
  if (degree === 1) return [1 - s, 0, 0, s, 0, 0];
  if (degree === 3) return [(1 + 2 * s) * (1 - s) ** 2, s * (1 - s) ** 2, 0, s * s * (3 - 2 * s), -s * s * (1 - s), 0];
  const r = 1 - s;
  const [a, b, c] = [r ** 3 * (1 + 3 * s + 6 * s * s), r ** 3 * s * (1 + 3 * s), (r ** 3 * s * s) / 2];
  return [a, b, c, 1 - a, -(s ** 3) * r * (1 + 3 * r), (s ** 3 * r * r) / 2];
}

/** Returns the configuration at a time, seconds or waypoints. */
export function configurationAt({ points }: Trajectory, t: number): number[] {
  const times = points.map(({ time_from_start }, i) => time_from_start ?? i);
  const k = Math.min(points.length - 2, Math.max(0, times.filter((time) => time <= t).length - 1));
  const [from, to] = [points[k], points[k + 1]];
  const T = times[k + 1] - times[k];
  const degree = from.accelerations ? 5 : from.velocities ? 3 : 1;
  const w = weights((t - times[k]) / T, degree);
  return from.positions.map(
    (x, j) =>
      w[0] * x +
      w[3] * to.positions[j] +
      T * (w[1] * (from.velocities?.[j] ?? 0) + w[4] * (to.velocities?.[j] ?? 0)) +
      T * T * (w[2] * (from.accelerations?.[j] ?? 0) + w[5] * (to.accelerations?.[j] ?? 0)),
  );
}

/** Pose of a frame of a link at a time. */
export function poseAt(
  robot: RobotDescription,
  trajectory: Trajectory,
  link: string,
  frame: OraclePose,
  t: number,
): OraclePose {
  const q = configurationAt(trajectory, t);
  return chained(linkPose(robot, new Map(trajectory.jointNames.map((name, j) => [name, q[j]])), link), frame);
}

/** Returns the largest value of a function of time that is found: among samples, then about the best of them. */
export function largest(value: (t: number) => number, start: number, end: number, samples: number) {
  let [best, time] = [Number.NEGATIVE_INFINITY, start];
  const visit = (t: number) => {
    const found = value(t);
    if (found > best) [best, time] = [found, t];
  };
  for (let k = 0; k <= samples; k++) visit(start + ((end - start) * k) / samples);
  for (let step = (end - start) / samples; step > 1e-9 * (end - start); step /= 2) {
    visit(Math.min(end, time + step / 2));
    visit(Math.max(start, time - step / 2));
  }
  return { best, time };
}
