/** A chain of capsules along the z axis of each link, with spheres around it; nothing here uses the project's code. */
export interface Chain {
  /** Unit vectors. */
  readonly axes: readonly (readonly [number, number, number])[];
  readonly isContinuous: readonly boolean[];
  /** Metres: of the axis of each capsule, which begins at the joint. */
  readonly length: number;
  readonly radius: number;
  /** Limits of all joints. */
  readonly velocity: number;
  readonly acceleration: number;
  readonly spheres: readonly { readonly center: readonly [number, number, number]; readonly radius: number }[];
}

/** A point of a trajectory as a controller receives it. */
export interface ControllerPoint {
  readonly time_from_start?: number;
  readonly positions: readonly number[];
  readonly velocities?: readonly number[];
  readonly accelerations?: readonly number[];
}

/** Coefficients of each joint over the time since the start of a segment. */
interface Segment {
  readonly from: number;
  readonly to: number;
  readonly coefficients: readonly (readonly number[])[];
}

/** What a controller executes: from time 0, where the robot is at rest. */
export type Execution = readonly Segment[];

/** What an execution does. */
export interface Judgement {
  /** Metres: least distance, negative in collision. */
  readonly least: number;
  /** Greatest speed and acceleration ÷ limit. */
  readonly rate: number;
  /** True if the velocity jumps, ends included. */
  readonly jumps: boolean;
}

/** Returns all executions of a trajectory by controllers that are at rest at `start` at time 0. */
export function executions(points: readonly ControllerPoint[], start: readonly number[], chain: Chain): Execution[] {
  const first = points[0];
  const zeros = start.map(() => 0);
  if (first.time_from_start === 0) return [segmentsOf(points)];
  const turned = start.map((value, j) => {
    const turns = Math.round((first.positions[j] - value) / (2 * Math.PI));
    return chain.isContinuous[j] ? value + 2 * Math.PI * turns : value;
  });
  return [start, turned].flatMap((positions) =>
    [true, false].map((knowsAccelerations) => {
      const at = { time_from_start: 0, positions, velocities: zeros };
      return segmentsOf([knowsAccelerations ? { ...at, accelerations: zeros } : at, ...points]);
    }),
  );
}

function segmentsOf(points: readonly ControllerPoint[]): Segment[] {
  const segments: Segment[] = [];
  for (let k = 1; k < points.length; k++) {
    const [a, b] = [points[k - 1], points[k]];
    const [from, to] = [a.time_from_start!, b.time_from_start!];
    const coefficients = a.positions.map((p, j) => polynomial(to - from, a, b, j, p));
    segments.push({ from, to, coefficients });
  }
  return segments;
}

/** Solves for the coefficients by elimination of the conditions at the end, not by the closed forms of textbooks. */
function polynomial(T: number, a: ControllerPoint, b: ControllerPoint, j: number, p: number): number[] {
  const hasVelocities = a.velocities !== undefined && b.velocities !== undefined;
  const hasAccelerations = hasVelocities && a.accelerations !== undefined && b.accelerations !== undefined;
  if (!hasVelocities) return [p, (b.positions[j] - p) / T];
  const known = hasAccelerations ? [p, a.velocities![j], a.accelerations![j] / 2] : [p, a.velocities![j]];
  const order = known.length;
  const rows = Array.from({ length: order }, (_, d) => {
    const factor = (n: number) => Array.from({ length: d }, (__, i) => n - i).reduce((x, y) => x * y, 1);
    const term = (n: number) => (n < d ? 0 : factor(n) * T ** (n - d));
    const value = [b.positions, b.velocities, b.accelerations][d]![j];
    const left = value - known.reduce((sum, c, n) => sum + c * term(n), 0);
    return [...Array.from({ length: order }, (__, i) => term(order + i)), left];
  });
  return [...known, ...solved(rows)];
}

function solved(rows: number[][]): number[] {
  const n = rows.length;
  for (let i = 0; i < n; i++) {
    const pivot = rows
      .slice(i)
      .reduce((best, row, k) => (Math.abs(row[i]) > Math.abs(rows[best][i]) ? k + i : best), i);
    [rows[i], rows[pivot]] = [rows[pivot], rows[i]];
    for (let k = 0; k < n; k++) {
      if (k === i) continue;
      const share = rows[k][i] / rows[i][i];
      rows[k] = rows[k].map((value, c) => value - share * rows[i][c]);
    }
  }
  return rows.map((row, i) => row[n] / row[i]);
}

const valueAt = (c: readonly number[], u: number, derivative: number): number =>
  c.reduce((sum, value, n) => {
    if (n < derivative) return sum;
    let factor = 1;
    for (let i = 0; i < derivative; i++) factor *= n - i;
    return sum + factor * value * u ** (n - derivative);
  }, 0);

/** Returns the joint values (or their derivatives) of an execution at a time. */
export function stateAt(execution: Execution, t: number, derivative = 0): number[] {
  const segment = execution.find(({ to }) => t <= to) ?? execution[execution.length - 1];
  return segment.coefficients.map((c) => valueAt(c, Math.min(t, segment.to) - segment.from, derivative));
}

/** Samples an execution from time 0 to `until`. */
export function judge(execution: Execution, chain: Chain, until: number, samples = 400): Judgement {
  let [least, rate, jumps] = [Number.POSITIVE_INFINITY, 0, false];
  let velocity = execution[0].coefficients.map(() => 0);
  for (const { from, to, coefficients } of execution) {
    if (from >= until) break;
    const starts = coefficients.map((c) => valueAt(c, 0, 1));
    jumps ||= starts.some((v, j) => Math.abs(v - velocity[j]) > 1e-5);
    velocity = coefficients.map((c) => valueAt(c, to - from, 1));
    for (let i = 0; i <= samples; i++) {
      const u = ((to - from) * i) / samples;
      least = Math.min(
        least,
        distanceOf(
          chain,
          coefficients.map((c) => valueAt(c, u, 0)),
        ),
      );
      for (const c of coefficients) {
        rate = Math.max(rate, Math.abs(valueAt(c, u, 1)) / chain.velocity);
        rate = Math.max(rate, Math.abs(valueAt(c, u, 2)) / chain.acceleration);
      }
    }
  }
  const end = execution[execution.length - 1].to;
  if (until >= end) jumps ||= velocity.some((v) => Math.abs(v) > 1e-5);
  return { least, rate, jumps };
}

/** Returns the beginning and the end of the first contact at a resolution; undefined without one. */
export function contactOf(execution: Execution, chain: Chain, link?: number, sphere?: number, step = 2e-4) {
  const end = execution[execution.length - 1].to;
  let from: number | undefined;
  for (let t = 0; t <= end; t += step) {
    const isContact = distanceOf(chain, stateAt(execution, t), link, sphere) <= 0;
    if (isContact) from ??= t;
    else if (from !== undefined) return { from, until: t };
  }
  return from === undefined ? undefined : { from, until: end };
}

/** Returns the distance of the links and the spheres, or of one link and one sphere, in a state. */
export function distanceOf(chain: Chain, q: readonly number[], link?: number, sphere?: number): number {
  const { axes, length, radius, spheres } = chain;
  let R = [1, 0, 0, 0, 1, 0, 0, 0, 1];
  let p = [0, 0, 0];
  let least = Number.POSITIVE_INFINITY;
  for (const [j, axis] of axes.entries()) {
    R = product(R, rotation(axis, q[j]));
    const tip = [0, 1, 2].map((i) => p[i] + length * R[3 * i + 2]);
    for (const [k, { center, radius: r }] of spheres.entries())
      if ((link ?? j) === j && (sphere ?? k) === k) least = Math.min(least, toSegment(center, p, tip) - radius - r);
    p = tip;
  }
  return least;
}

/** Rodrigues' formula, row by row. */
function rotation([x, y, z]: readonly [number, number, number], angle: number): number[] {
  const [c, s] = [Math.cos(angle), Math.sin(angle)];
  const d = 1 - c;
  return [
    [c + x * x * d, x * y * d - z * s, x * z * d + y * s],
    [y * x * d + z * s, c + y * y * d, y * z * d - x * s],
    [z * x * d - y * s, z * y * d + x * s, c + z * z * d],
  ].flat();
}

const product = (a: readonly number[], b: readonly number[]): number[] =>
  Array.from({ length: 9 }, (_, i) =>
    [0, 1, 2].reduce((sum, k) => sum + a[3 * Math.floor(i / 3) + k] * b[3 * k + (i % 3)], 0),
  );

function toSegment(x: readonly number[], a: readonly number[], b: readonly number[]): number {
  const d = [0, 1, 2].map((i) => b[i] - a[i]);
  const along = [0, 1, 2].reduce((sum, i) => sum + d[i] * (x[i] - a[i]), 0) / d.reduce((sum, v) => sum + v * v, 0);
  const share = Math.min(1, Math.max(0, along));
  return Math.hypot(...[0, 1, 2].map((i) => x[i] - a[i] - share * d[i]));
}
