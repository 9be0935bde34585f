import type { JointDescription, RobotDescription } from '../../../src/core/kinematics/robotModel.ts';
import type { Trajectory } from '../../../src/core/trajectory/trajectory.ts';
import { chained, linkPose, type OraclePose, poseOf, turned } from '../../core/constraints/constraintOracle.ts';

/** Distance of two robots at two times, in plain code that shares nothing with the project's. */
export type Triple = readonly [number, number, number];

export interface OracleRobot {
  readonly description: RobotDescription;
  readonly pose: { readonly xyz: Triple; readonly quat_wxyz: readonly [number, number, number, number] };
  readonly trajectory: Trajectory;
}

export interface Body {
  readonly link: string;
  /** Index of the part within its link. */
  readonly part: number;
  /** Pose of the link in the world. */
  readonly frame: OraclePose;
  readonly pose: OraclePose;
  readonly shape: OracleShape;
}

/** Shapes of the random robots. */
type OracleShape = { readonly margin?: number } & (
  | { readonly type: 'box'; readonly size: Triple }
  | { readonly type: 'sphere'; readonly radius: number }
  | { readonly type: 'capsule' | 'cylinder'; readonly radius: number; readonly length: number }
  | { readonly type: 'convex'; readonly points: readonly Triple[] }
);

export const dot = (a: Triple, b: Triple) => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
const sub = (a: Triple, b: Triple): Triple => [a[0] - b[0], a[1] - b[1], a[2] - b[2]];
const along = (a: Triple, b: Triple, t: number): Triple => [a[0] + t * b[0], a[1] + t * b[1], a[2] + t * b[2]];

/** Joint values at a time: Hermite cubics in their basis functions; at rest outside the points. */
function valuesAt({ jointNames, points }: Trajectory, time: number): Map<string, number> {
  const last = points.length - 1;
  const t = Math.min(Math.max(time, points[0].time_from_start!), points[last].time_from_start!);
  const k = Math.max(
    0,
    Math.min(
      last - 1,
      points.findLastIndex((point) => point.time_from_start! <= t),
    ),
  );
  const [p, q] = [points[k], points[Math.min(last, k + 1)]];
  const T = q.time_from_start! - p.time_from_start!;
  const u = T > 0 ? (t - p.time_from_start!) / T : 0;
  const value = (j: number) =>
    p.velocities === undefined
      ? (1 - u) * p.positions[j] + u * q.positions[j]
      : (1 + 2 * u) * (1 - u) ** 2 * p.positions[j] +
        u * (1 - u) ** 2 * T * p.velocities[j] +
        u * u * (3 - 2 * u) * q.positions[j] +
        u * u * (u - 1) * T * q.velocities![j];
  return new Map(jointNames.map((name, j) => [name, value(j)]));
}

/** Mimic joints follow joints that are independent; joints that no trajectory names stay at the value nearest to 0. */
function complete(joints: readonly JointDescription[], values: Map<string, number>): Map<string, number> {
  for (const { name, mimic } of joints) if (!mimic && !values.has(name)) values.set(name, 0);
  return values;
}

export function bodiesAt({ description, pose, trajectory }: OracleRobot, time: number): Body[] {
  const values = complete(description.joints, valuesAt(trajectory, time));
  return description.links.flatMap(({ name, collisions }) => {
    const T = chained(poseOf(pose), linkPose(description, values, name));
    return collisions.map((part, index) => ({
      link: name,
      part: index,
      frame: T,
      pose: chained(T, poseOf(part.pose)),
      shape: part.shape as unknown as OracleShape,
    }));
  });
}

/** Point of a body farthest along a direction in the world. */
export function support({ pose, shape }: Body, d: Triple): Triple {
  const { r, p } = pose;
  const own = turned([r[0], -r[1], -r[2], -r[3]], d);
  const length = Math.hypot(...own);
  const ball = (radius: number): Triple => [
    (radius * own[0]) / length,
    (radius * own[1]) / length,
    (radius * own[2]) / length,
  ];
  const at = ((): Triple => {
    switch (shape.type) {
      case 'box':
        return [0, 1, 2].map((i) => (Math.sign(own[i]) * shape.size[i]) / 2) as unknown as Triple;
      case 'sphere':
        return ball(shape.radius);
      case 'capsule': {
        const [x, y, z] = ball(shape.radius);
        return [x, y, z + (Math.sign(own[2]) * shape.length) / 2];
      }
      case 'cylinder': {
        const flat = Math.hypot(own[0], own[1]) || 1;
        return [(shape.radius * own[0]) / flat, (shape.radius * own[1]) / flat, (Math.sign(own[2]) * shape.length) / 2];
      }
      case 'convex':
        return shape.points.reduce((best, one) => (dot(one, own) > dot(best, own) ? one : best));
    }
  })();
  const margin = shape.margin ?? 0;
  const [x, y, z] = margin > 0 ? along(at, ball(margin), 1) : at;
  return along(p, turned(r, [x, y, z]), 1);
}

/** Point of least norm of the affine hull of some points, if it lies within their simplex. */
function leastOf(points: readonly Triple[]): Triple | undefined {
  const [base, ...rest] = points;
  const edges = rest.map((one) => sub(one, base));
  const n = edges.length;
  const rows = edges.map((one) => [...edges.map((other) => dot(one, other)), -dot(one, base)]);
  for (let k = 0; k < n; k++) {
    const pivot = rows
      .slice(k)
      .reduce((best, row, i) => (Math.abs(row[k]) > Math.abs(rows[best][k]) ? k + i : best), k);
    [rows[k], rows[pivot]] = [rows[pivot], rows[k]];
    if (Math.abs(rows[k][k]) < 1e-18) return undefined;
    for (let i = 0; i < n; i++) {
      if (i === k) continue;
      const factor = rows[i][k] / rows[k][k];
      for (let j = k; j <= n; j++) rows[i][j] -= factor * rows[k][j];
    }
  }
  const weights = rows.map((row, k) => row[n] / row[k]);
  if (weights.some((w) => w < -1e-12) || weights.reduce((sum, w) => sum + w, 0) > 1 + 1e-12) return undefined;
  return edges.reduce((sum, edge, i) => along(sum, edge, weights[i]), base);
}

/** Bounds on the distance of two bodies: the simplex with the least point among all subsets of four points. */
function distance(a: Body, b: Body): [lower: number, upper: number] {
  let v = sub(support(a, [1, 0, 0]), support(b, [-1, 0, 0]));
  let simplex: Triple[] = [v];
  let lower = 0;
  for (let iteration = 0; iteration < 300; iteration++) {
    const norm = Math.hypot(...v);
    if (norm < 1e-9) return [0, 0];
    const w = sub(support(a, [-v[0], -v[1], -v[2]]), support(b, v));
    lower = Math.max(lower, dot(v, w) / norm);
    if (norm - lower < 1e-9 + 1e-6 * norm) break;
    const all = [...simplex, w];
    let best = norm;
    for (let mask = 1; mask < 1 << all.length; mask++) {
      const subset = all.filter((_, i) => mask & (1 << i));
      if (subset.length > 4) continue;
      const point = leastOf(subset);
      if (point === undefined || !(Math.hypot(...point) < best)) continue;
      best = Math.hypot(...point);
      v = point;
      simplex = subset;
    }
    if (!(best < norm)) break;
    if (simplex.length === 4) return [0, 0]; // the origin is inside
  }
  return [lower, Math.hypot(...v)];
}

/** Bounds on the distance of two robots while each is at a time of its own trajectory. */
export function meetingDistance(a: OracleRobot, b: OracleRobot, s: number, t: number): [lower: number, upper: number] {
  const others = bodiesAt(b, t);
  let least: [number, number] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY];
  for (const one of bodiesAt(a, s)) {
    for (const other of others) {
      const [lower, upper] = distance(one, other);
      least = [Math.min(least[0], lower), Math.min(least[1], upper)];
    }
  }
  return least;
}
