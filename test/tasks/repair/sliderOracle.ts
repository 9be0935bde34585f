// An oracle for a sphere that slides in a square between spheres, written without the code that it judges: curves are
// evaluated by Hermite bases, and collisions are distances of points.
import type { Trajectory, TrajectoryPoint } from '../../../src/core/trajectory/trajectory.ts';

export interface Post {
  readonly x: number;
  readonly y: number;
  readonly radius: number;
}

export interface SliderWorld {
  readonly posts: readonly Post[];
  /** Radius of the sliding sphere. */
  readonly radius: number;
  readonly padding: number;
  readonly position: number;
  readonly velocity: number;
  readonly acceleration: number;
}

/** Position, velocity and acceleration of one joint. */
type JointState = readonly [number, number, number];

export const isTimed = ({ points }: Trajectory) => points[0].time_from_start !== undefined;

/** The state of joint j at share s of the segment between two points: line, cubic or quintic. */
function stateBetween(from: TrajectoryPoint, to: TrajectoryPoint, j: number, s: number, linear: boolean): JointState {
  const T = from.time_from_start === undefined ? 1 : to.time_from_start! - from.time_from_start;
  const [x, y] = [from.positions[j], to.positions[j]];
  if (linear || !from.velocities || !to.velocities) return [x + s * (y - x), (y - x) / T, 0];
  const [v, w] = [from.velocities[j] * T, to.velocities[j] * T];
  if (!from.accelerations || !to.accelerations) {
    const position =
      (2 * s ** 3 - 3 * s ** 2 + 1) * x +
      (s ** 3 - 2 * s ** 2 + s) * v +
      (3 * s ** 2 - 2 * s ** 3) * y +
      (s ** 3 - s ** 2) * w;
    const rate = 6 * (s * s - s) * (x - y) + (3 * s * s - 4 * s + 1) * v + (3 * s * s - 2 * s) * w;
    const second = (12 * s - 6) * (x - y) + (6 * s - 4) * v + (6 * s - 2) * w;
    return [position, rate / T, second / T / T];
  }
  const [a, b] = [from.accelerations[j] * T * T, to.accelerations[j] * T * T];
  // Coefficients by solving the three equations at s = 1.
  const [p, q, r] = [y - x - v - a / 2, w - v - a, b - a];
  const c = [x, v, a / 2, 10 * p - 4 * q + r / 2, -15 * p + 7 * q - r, 6 * p - 3 * q + r / 2];
  const value = (order: number) =>
    c.reduce((sum, k, n) => {
      let factor = k;
      for (let i = 0; i < order; i++) factor *= n - i;
      return n < order ? sum : sum + factor * s ** (n - order);
    }, 0);
  return [value(0), value(1) / T, value(2) / T / T];
}

/** The position at share s of segment k. */
export function positionAt({ points, interpolation }: Trajectory, k: number, s: number): number[] {
  const linear = interpolation === 'linear';
  return points[k].positions.map((_, j) => stateBetween(points[k], points[k + 1], j, s, linear)[0]);
}

/** The distance of the sphere to the nearest post, minus the padding. */
const roomAt = ({ posts, radius, padding }: SliderWorld, [x, y]: readonly number[]) =>
  Math.min(...posts.map((post) => Math.hypot(x - post.x, y - post.y) - post.radius - radius - padding));

/** The least room on a segment, over so many samples and around the least of them. */
export function leastRoom(world: SliderWorld, trajectory: Trajectory, k: number, samples = 200): number {
  let [least, at] = [Number.POSITIVE_INFINITY, 0];
  const visit = (s: number) => {
    const room = roomAt(world, positionAt(trajectory, k, Math.min(1, Math.max(0, s))));
    if (room < least) [least, at] = [room, s];
  };
  for (let i = 0; i <= samples; i++) visit(i / samples);
  for (let step = 0.5 / samples; step > 1e-9; step /= 2) for (const s of [at - step, at + step]) visit(s);
  return least;
}

/** True if a segment collides, or leaves the square. */
export function isSegmentBad(world: SliderWorld, trajectory: Trajectory, k: number): boolean {
  if (leastRoom(world, trajectory, k) < 0) return true;
  for (let i = 0; i <= 200; i++)
    if (positionAt(trajectory, k, i / 200).some((x) => Math.abs(x) > world.position + 1e-9)) return true;
  return false;
}

/** Everything that is wrong with a trajectory. */
export function faultsOf(world: SliderWorld, trajectory: Trajectory): string[] {
  const { points, interpolation } = trajectory;
  const faults: string[] = [];
  const linear = interpolation === 'linear';
  let before: readonly number[] = [0, 0];
  for (let k = 0; k + 1 < points.length; k++) {
    if (isSegmentBad(world, trajectory, k)) faults.push(`segment ${k} collides or leaves the square`);
    if (!isTimed(trajectory)) continue;
    if (!(points[k + 1].time_from_start! > points[k].time_from_start!)) faults.push(`time ${k + 1} does not increase`);
    for (let i = 0; i <= 100; i++) {
      const states = [0, 1].map((j) => stateBetween(points[k], points[k + 1], j, i / 100, linear));
      const slack = 1 + 2e-6;
      if (states.some(([, v]) => Math.abs(v) > world.velocity * slack)) faults.push(`segment ${k}: velocity`);
      if (states.some(([, , a]) => Math.abs(a) > world.acceleration * slack)) faults.push(`segment ${k}: acceleration`);
      const velocities = states.map(([, v]) => v);
      if (i === 0 && velocities.some((v, j) => Math.abs(v - before[j]) > 2e-6)) faults.push(`velocity jump at ${k}`);
      before = velocities;
    }
  }
  if (isTimed(trajectory) && before.some((v) => Math.abs(v) > 2e-6)) faults.push('not at rest at the end');
  return [...new Set(faults)];
}

/**
 * The greatest distance, in one joint, from states of segments that are not next to a bad one to the curve of the
 * result, passed in order.
 */
export function lostCurve(world: SliderWorld, given: Trajectory, result: Trajectory): number {
  const count = given.points.length - 1;
  const bad = Array.from({ length: count }, (_, k) => isSegmentBad(world, given, k));
  const away = (q: readonly number[], k: number, s: number) =>
    Math.max(...positionAt(result, k, s).map((x, j) => Math.abs(x - q[j])));
  let worst = 0;
  for (let k = 0; k < count; k++) {
    if (bad[k - 1] || bad[k] || bad[k + 1]) continue;
    for (let i = 0; i <= 8; i++) {
      const q = positionAt(given, k, i / 8);
      let least = Number.POSITIVE_INFINITY;
      for (let n = 0; n + 1 < result.points.length; n++) {
        let [at, nearest] = [0, Number.POSITIVE_INFINITY];
        const visit = (s: number) => {
          const distance = away(q, n, Math.min(1, Math.max(0, s)));
          if (distance < nearest) [at, nearest] = [s, distance];
        };
        for (let m = 0; m <= 40; m++) visit(m / 40);
        if (nearest < 0.2)
          for (let step = 0.0125; step > 1e-10; step /= 2) for (const s of [at - step, at + step]) visit(s);
        least = Math.min(least, nearest);
      }
      worst = Math.max(worst, least);
    }
  }
  return worst;
}
