/** Rigid motions by plain code, as an oracle for readers of robots: quaternion w, x, y, z and translation. */
export interface Rigid {
  readonly q: readonly number[];
  readonly t: readonly number[];
}

export const identity: Rigid = { q: [1, 0, 0, 0], t: [0, 0, 0] };

export function multiplied([a, b, c, d]: readonly number[], [e, f, g, h]: readonly number[]): number[] {
  return [
    a * e - b * f - c * g - d * h,
    a * f + b * e + c * h - d * g,
    a * g - b * h + c * e + d * f,
    a * h + b * g - c * f + d * e,
  ];
}

const conjugate = ([w, x, y, z]: readonly number[]) => [w, -x, -y, -z];

export const rotated = (q: readonly number[], v: readonly number[]): number[] =>
  multiplied(multiplied(q, [0, ...v]), conjugate(q)).slice(1);

/** a then b: the pose of c in the frame of a, from b in a and c in b. */
export const chained = (...poses: readonly Rigid[]): Rigid =>
  poses.reduce((a, b) => ({ q: multiplied(a.q, b.q), t: rotated(a.q, b.t).map((x, i) => x + a.t[i]) }));

export const inverted = ({ q, t }: Rigid): Rigid => ({
  q: conjugate(q),
  t: rotated(conjugate(q), t).map((x) => -x),
});

export const unit = (v: readonly number[]): number[] => v.map((x) => x / Math.hypot(...v));

export function about(axis: readonly number[], angle: number): number[] {
  const s = Math.sin(angle / 2);
  return [Math.cos(angle / 2), ...unit(axis).map((x) => x * s)];
}

/** Roll, pitch, yaw about fixed axes. */
export const fromRpy = ([roll, pitch, yaw]: readonly number[]): number[] =>
  multiplied(about([0, 0, 1], yaw), multiplied(about([0, 1, 0], pitch), about([1, 0, 0], roll)));

/** Greatest difference of two poses in any entry of rotation matrix and translation. */
export function poseDifference(a: Rigid, T: ArrayLike<number>): number {
  const columns = [0, 1, 2].map((k) => rotated(a.q, [Number(k === 0), Number(k === 1), Number(k === 2)]));
  const entries = [0, 1, 2].flatMap((i) => [...columns.map((column) => column[i]), a.t[i]]);
  return Math.max(...entries.map((x, i) => Math.abs(x - T[i])));
}
