/**
 * The ROS joint trajectory controller, written again after its documentation and behavior (ros2_controllers, `spline`
 * interpolation); no line is shared with the curves of the project. Curves are sums of Hermite's basis functions in s =
 * (t − t₀)/T, not polynomials in powers of t.
 */
export interface MessagePoint {
  readonly positions: readonly number[];
  readonly velocities?: readonly number[] | undefined;
  readonly accelerations?: readonly number[] | undefined;
  /** Seconds from the start. */
  readonly time: number;
}

export interface Message {
  readonly joints: readonly string[];
  readonly points: readonly MessagePoint[];
}

const has = (values: readonly number[] | undefined): values is readonly number[] =>
  values !== undefined && values.length > 0;

/** Positions of all joints at a time. Before the first point and after the last the robot stands there. */
export function playJointTrajectory({ points }: Message, t: number): number[] {
  const next = points.findIndex((point) => t < point.time);
  if (next === 0) return [...points[0].positions];
  if (next < 0) return [...points[points.length - 1].positions];
  const [from, to] = [points[next - 1], points[next]];
  const T = to.time - from.time;
  const s = (t - from.time) / T;
  return from.positions.map((x, j) => {
    const y = to.positions[j];
    if (!has(from.velocities) || !has(to.velocities)) return (1 - s) * x + s * y;
    const [v, w] = [T * from.velocities[j], T * to.velocities[j]];
    if (!has(from.accelerations) || !has(to.accelerations)) return cubic(s, x, y, v, w);
    return quintic(s, x, y, v, w, T * T * from.accelerations[j], T * T * to.accelerations[j]);
  });
}

function cubic(s: number, x: number, y: number, v: number, w: number): number {
  const r = 1 - s;
  return r * r * (1 + 2 * s) * x + s * s * (3 - 2 * s) * y + r * r * s * v - s * s * r * w;
}

/**
 * Each end's values times a power of the distance to the other end: (1 − s)³ (x (1 + 3s + 6s²) + v s (1 + 3s) + a
 * s²/2), and mirrored.
 */
function quintic(s: number, x: number, y: number, v: number, w: number, a: number, b: number): number {
  const half = (near: number, q: number, rate: number, change: number) => {
    const far = 1 - near;
    return (
      far * far * far * (q * (1 + near * (3 + 6 * near)) + rate * near * (1 + 3 * near) + (change * near * near) / 2)
    );
  };
  return half(s, x, v, a) + half(1 - s, y, -w, b);
}
