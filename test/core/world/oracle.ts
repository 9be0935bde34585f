import type { Pose, RobotDescription } from '../../../src/core/kinematics/robotModel.ts';
import type { ObstacleMotion, OtherRobot } from '../../../src/core/scene/movingScene.ts';
import type { Obstacle } from '../../../src/core/scene/scene.ts';
import type { Trajectory } from '../../../src/core/trajectory/trajectory.ts';

/**
 * Oracle for scenes with moving objects that shares no code with them: slerp by its textbook formula, Hermite cubics by
 * their basis functions, kinematics of an arm of spheres by rotation matrices, distances of spheres in closed form.
 */

type Vec = [number, number, number];
type Quat = readonly [number, number, number, number];

/** Joint axes (y is up to the shoulder) and lengths of the arm; a sphere of this radius at the end of each link. */
export const arm = {
  axes: ['z', 'y', 'y'] as const,
  lengths: [0.3, 0.4, 0.3],
  radius: 0.06,
};

/** The arm as a robot description. */
export function armDescription(name = 'arm'): RobotDescription {
  const unit = { x: [1, 0, 0], y: [0, 1, 0], z: [0, 0, 1] } as const;
  const none: Pose = { xyz: [0, 0, 0], quat_wxyz: [1, 0, 0, 0] };
  return {
    name,
    root: 'base',
    links: [
      { name: 'base', collisions: [] },
      ...arm.axes.map((_, i) => ({
        name: `link${i}`,
        collisions: [
          {
            shape: { type: 'sphere', radius: arm.radius },
            pose: { ...none, xyz: [arm.lengths[i], 0, 0] as const },
            triangles: 0,
            source: 0,
          },
        ],
      })),
    ],
    joints: arm.axes.map((axis, i) => ({
      name: `joint${i}`,
      type: 'revolute' as const,
      parent: i === 0 ? 'base' : `link${i - 1}`,
      child: `link${i}`,
      origin: i === 0 ? none : { ...none, xyz: [arm.lengths[i - 1], 0, 0] as const },
      axis: unit[axis],
      lower: -7,
      upper: 7,
      velocity: 100,
      acceleration: 1e4,
    })),
    allowed: [
      ['link0', 'link2', ''],
      ['link0', 'link1', ''],
    ],
    states: {},
    groups: {},
    warnings: [],
  };
}

/** Centres of the spheres of the arm, for a base pose with a rotation about z only. */
export function armSpheres(q: readonly number[], base: Vec = [0, 0, 0], yaw = 0): Vec[] {
  let R = [Math.cos(yaw), -Math.sin(yaw), 0, Math.sin(yaw), Math.cos(yaw), 0, 0, 0, 1];
  let p: Vec = base;
  return arm.axes.map((axis, i) => {
    const [c, s] = [Math.cos(q[i]), Math.sin(q[i])];
    const turn = axis === 'z' ? [c, -s, 0, s, c, 0, 0, 0, 1] : [c, 0, s, 0, 1, 0, -s, 0, c];
    R = Array.from({ length: 9 }, (_, k) => {
      const [row, column] = [Math.floor(k / 3), k % 3];
      return R[3 * row] * turn[column] + R[3 * row + 1] * turn[3 + column] + R[3 * row + 2] * turn[6 + column];
    });
    p = [p[0] + R[0] * arm.lengths[i], p[1] + R[3] * arm.lengths[i], p[2] + R[6] * arm.lengths[i]];
    return p;
  });
}

/** Positions of a trajectory of points with velocities at t, by Hermite's basis; at rest before and after. */
export function hermite({ points }: Trajectory, t: number): number[] {
  const times = points.map((point) => point.time_from_start!);
  if (t <= times[0]) return [...points[0].positions];
  if (t >= times[times.length - 1]) return [...points[points.length - 1].positions];
  const k = times.findIndex((time) => time > t) - 1;
  const T = times[k + 1] - times[k];
  const s = (t - times[k]) / T;
  const [a, b] = [points[k], points[k + 1]];
  return a.positions.map(
    (x, j) =>
      (1 + 2 * s) * (1 - s) ** 2 * x +
      s * (1 - s) ** 2 * T * a.velocities![j] +
      s * s * (3 - 2 * s) * b.positions[j] +
      s * s * (s - 1) * T * b.velocities![j],
  );
}

/** Pose of a moving obstacle at t: slerp(p, q, s) = (sin((1 − s)Ω) p + sin(sΩ) q) / sin Ω. */
export function poseAt({ times, poses }: ObstacleMotion, t: number): { readonly xyz: Vec; readonly quat: Quat } {
  const unit = (q: Quat) => q.map((x) => x / Math.hypot(...q)) as unknown as Quat;
  const at = (i: number) => ({ xyz: [...poses[i].xyz] as Vec, quat: unit(poses[i].quat_wxyz) });
  if (t <= times[0]) return at(0);
  if (t >= times[times.length - 1]) return at(times.length - 1);
  const k = times.findIndex((time) => time > t) - 1;
  const s = (t - times[k]) / (times[k + 1] - times[k]);
  const [a, b] = [at(k), at(k + 1)];
  let dot = a.quat.reduce((sum, x, i) => sum + x * b.quat[i], 0);
  const sign = dot < 0 ? -1 : 1;
  dot *= sign;
  const omega = Math.acos(Math.min(1, dot));
  const [u, v] =
    omega < 1e-9 ? [1 - s, s] : [Math.sin((1 - s) * omega) / Math.sin(omega), Math.sin(s * omega) / Math.sin(omega)];
  const quat = unit(a.quat.map((x, i) => u * x + sign * v * b.quat[i]) as unknown as Quat);
  return { xyz: a.xyz.map((x, i) => (1 - s) * x + s * b.xyz[i]) as Vec, quat };
}

/** Coordinates of a world point in a frame. */
export function inFrame(p: Vec, { xyz, quat: [w, x, y, z] }: { readonly xyz: Vec; readonly quat: Quat }): Vec {
  const d = p.map((c, i) => c - xyz[i]);
  // rotation by the conjugate
  const columns = [
    [1 - 2 * (y * y + z * z), 2 * (x * y + w * z), 2 * (x * z - w * y)],
    [2 * (x * y - w * z), 1 - 2 * (x * x + z * z), 2 * (y * z + w * x)],
    [2 * (x * z + w * y), 2 * (y * z - w * x), 1 - 2 * (x * x + y * y)],
  ];
  return columns.map((column) => column[0] * d[0] + column[1] * d[1] + column[2] * d[2]) as Vec;
}

/** Signed distance of a point from a box of full edge lengths `size` about the origin; negative inside. */
export function boxDistance(p: Vec, size: readonly number[]): number {
  const over = p.map((c, i) => Math.abs(c) - size[i] / 2);
  const outside = Math.hypot(...over.map((d) => Math.max(0, d)));
  return outside > 0 ? outside : Math.max(...over);
}

/** A moving scene for the oracle: boxes that move, and other arms whose base stands at `base`, turned by `yaw`. */
export interface OracleScene {
  readonly boxes: readonly (Obstacle & { readonly motion: ObstacleMotion })[];
  readonly others: readonly (OtherRobot & { readonly base: Vec; readonly yaw: number })[];
}

/** Minimum distance at t between the arm and everything that moves; negative in collision. */
export function distanceAt(scene: OracleScene, q: readonly number[], t: number): number {
  const spheres = armSpheres(q);
  let least = Number.POSITIVE_INFINITY;
  for (const { motion, parts } of scene.boxes) {
    const pose = poseAt(motion, t);
    for (const p of spheres)
      least = Math.min(least, boxDistance(inFrame(p, pose), parts[0].shape.size as number[]) - arm.radius);
  }
  for (const { base, yaw, trajectory, startTime, q: still } of scene.others) {
    const other = armSpheres(still ?? hermite(trajectory!, t - startTime), base, yaw);
    for (const p of spheres)
      for (const o of other)
        least = Math.min(least, Math.hypot(p[0] - o[0], p[1] - o[1], p[2] - o[2]) - 2 * arm.radius);
  }
  return least;
}

/**
 * Minimum over time of the distance along a motion: each interval between two times of any motion is sampled, and
 * refined about its lowest sample. An upper bound on the true minimum.
 */
export function minimumOver(scene: OracleScene, trajectory: Trajectory, end: number, samples: number): number {
  const at = (t: number) => distanceAt(scene, hermite(trajectory, t), t);
  const times = [
    ...trajectory.points.map((point) => point.time_from_start!),
    ...scene.boxes.flatMap(({ motion }) => motion.times),
    ...scene.others.flatMap((one) => one.trajectory?.points.map((p) => p.time_from_start! + one.startTime) ?? []),
  ];
  const knots = [...new Set([0, ...times.filter((t) => t > 0 && t < end), end])].sort((a, b) => a - b);
  let least = at(0);
  for (let k = 1; k < knots.length; k++) {
    const place = (i: number) =>
      knots[k - 1] + (Math.min(samples, Math.max(0, i)) / samples) * (knots[k] - knots[k - 1]);
    let [best, lowest] = [Number.POSITIVE_INFINITY, 0];
    for (let i = 0; i <= samples; i++) {
      const value = at(place(i));
      if (value < best) [best, lowest] = [value, i];
    }
    let [low, high] = [place(lowest - 1), place(lowest + 1)];
    for (let i = 0; i < 40; i++) {
      const [a, b] = [low + (high - low) / 3, high - (high - low) / 3];
      if (at(a) < at(b)) high = b;
      else low = a;
    }
    least = Math.min(least, at(place(lowest)), at(low), at(high));
  }
  return least;
}
