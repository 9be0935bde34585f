import type { ObstacleMotion } from '../../../src/core/scene/movingScene.ts';
import { inFrame, poseAt } from '../../core/world/oracle.ts';
import { FIRST_CHECKED, type OracleArm, posedArm, type Vec } from './gateArms.ts';

/**
 * Oracle for what a gate commits, that shares no code with it: kinematics and distances of arms of spheres, extremes of
 * cubics in closed form, and a record of the answers, from which the committed motion is built.
 */

export interface Point {
  readonly time: number;
  readonly positions: readonly number[];
  readonly velocities: readonly number[];
}

/** An object of the world as it was seen last. */
export interface SeenObject {
  readonly name: string;
  /** Signed distance of a point in the frame of the object, metres. */
  readonly distance: (p: Vec) => number;
  readonly motion: ObstacleMotion;
  readonly seen: number;
  readonly unknownSpeed: number;
}

/** A sphere that the last link carries: its centre in the frame of the link. */
export interface CarriedBall {
  readonly name: string;
  readonly radius: number;
  readonly at: Vec;
}

export interface OracleWorld {
  readonly arm: OracleArm;
  readonly objects: ReadonlyMap<string, SeenObject>;
  readonly carried: CarriedBall | undefined;
  readonly padding: number;
  readonly tracking: number;
}

const dot = (a: readonly number[], b: readonly number[]) => a.reduce((sum, x, i) => sum + x * b[i], 0);

export function carriedCentre(arm: OracleArm, q: readonly number[], at: Vec): Vec {
  const { origin, axes } = posedArm(arm, q);
  return origin.map((value, i) => value + axes[0][i] * at[0] + axes[1][i] * at[1] + axes[2][i] * at[2]) as Vec;
}

export function inLastFrame(arm: OracleArm, q: readonly number[], p: Vec): Vec {
  const { origin, axes } = posedArm(arm, q);
  const d = p.map((value, i) => value - origin[i]);
  return axes.map((axis) => dot(axis, d)) as Vec;
}

const apart = (p: Vec, o: Vec) => Math.hypot(p[0] - o[0], p[1] - o[1], p[2] - o[2]);

/**
 * Distance of the arm and what it carries from all objects, and of its links from each other, beyond what is
 * required, at t.
 * @param moves true while the arm moves: objects of unknown speed may have come nearer
 */
export function spare(
  world: OracleWorld,
  q: readonly number[],
  t: number,
  moves: boolean,
  except: Set<string>,
): number {
  const { arm, objects, carried, padding, tracking } = world;
  const { centres } = posedArm(arm, q);
  const balls = centres.map((p) => ({ p, radius: arm.radius }));
  const own = padding + 2 * tracking;
  let least = Number.POSITIVE_INFINITY;
  for (const [j, p] of centres.entries())
    for (let i = 0; i <= j - FIRST_CHECKED; i++) {
      if (except.has(`link${i}`) || except.has(`link${j}`)) continue;
      least = Math.min(least, apart(p, centres[i]) - 2 * arm.radius - own);
    }
  if (carried && !except.has(carried.name)) {
    const p = carriedCentre(arm, q, carried.at);
    for (const o of centres.slice(0, -1)) least = Math.min(least, apart(p, o) - carried.radius - arm.radius - own);
    balls.push({ p, radius: carried.radius });
  }
  for (const { name, distance, motion, seen, unknownSpeed } of objects.values()) {
    if (except.has(name)) continue;
    const pose = poseAt(motion, t);
    const grown = moves ? unknownSpeed * Math.max(0, t - seen) : 0;
    for (const { p, radius } of balls)
      least = Math.min(least, distance(inFrame(p, pose)) - radius - grown - padding - tracking);
  }
  return least;
}

/** The committed motion, as a list of points that answers replace from an instant on. */
export class Record {
  points: Point[];
  constructor(start: readonly number[]) {
    this.points = [{ time: 0, positions: start, velocities: start.map(() => 0) }];
  }

  get end(): number {
    return this.points.at(-1)!.time;
  }

  /** State at t by Hermite's basis. */
  at(t: number): { q: number[]; v: number[] } {
    const { points } = this;
    const last = points.at(-1)!;
    if (t >= last.time) return { q: [...last.positions], v: last.positions.map(() => 0) };
    let k = 0;
    while (points[k + 1].time <= t) k++;
    const [a, b] = [points[k], points[k + 1]];
    const T = b.time - a.time;
    const s = (t - a.time) / T;
    const q = a.positions.map(
      (x, j) =>
        (1 + 2 * s) * (1 - s) ** 2 * x +
        s * (1 - s) ** 2 * T * a.velocities[j] +
        s * s * (3 - 2 * s) * b.positions[j] +
        s * s * (s - 1) * T * b.velocities[j],
    );
    const v = a.positions.map(
      (x, j) =>
        (6 * s * (1 - s) * (b.positions[j] - x)) / T +
        (1 - s) * (1 - 3 * s) * a.velocities[j] +
        s * (3 * s - 2) * b.velocities[j],
    );
    return { q, v };
  }

  /** Applies an answer; returns what is wrong with how it continues the motion. */
  apply(from: number, points: readonly Point[], now: number): string[] {
    const wrong: string[] = [];
    const before = this.at(from);
    const [first] = points;
    if (first.time !== from) wrong.push(`the first point is at ${first.time}, not at ${from}`);
    if (from < now) wrong.push(`it begins at ${from}, before now (${now})`);
    for (const [j, x] of before.q.entries()) {
      if (Math.abs(first.positions[j] - x) > 1e-9) wrong.push(`joint ${j} jumps by ${first.positions[j] - x}`);
      if (Math.abs(first.velocities[j] - before.v[j]) > 1e-8) wrong.push(`the velocity of joint ${j} jumps`);
    }
    this.points = [...this.points.filter(({ time }) => time < from), ...points];
    if (points.at(-1)!.velocities.some((v) => v !== 0)) wrong.push('it does not end at rest');
    return wrong;
  }

  /** Limits that are exceeded from a time on: extremes of each cubic; with a jerk limit, jumps of the acceleration. */
  exceeded(from: number, { velocity, acceleration, jerk, ranges }: Limits): string[] {
    const wrong: string[] = [];
    const more = 1 + 2e-6;
    for (let k = 1; k < this.points.length; k++) {
      const [a, b] = [this.points[k - 1], this.points[k]];
      if (b.time < from) continue;
      const T = b.time - a.time;
      if (!(T > 0)) wrong.push(`times of points ${k - 1} and ${k}`);
      for (const [j, x] of a.positions.entries()) {
        const [v, w] = [a.velocities[j], b.velocities[j]];
        const mean = (b.positions[j] - x) / T;
        const [a0, a1] = [(6 * mean - 4 * v - 2 * w) / T, (2 * v + 4 * w - 6 * mean) / T];
        const turn = a0 * a1 < 0 ? a0 / (a0 - a1) : 0;
        const speeds = [v, w, v + T * turn * (a0 + (turn * (a1 - a0)) / 2)];
        if (Math.max(...speeds.map(Math.abs)) > velocity * more) wrong.push(`velocity of joint ${j} at ${a.time}`);
        if (Math.max(Math.abs(a0), Math.abs(a1)) > acceleration * more)
          wrong.push(`acceleration of joint ${j} at ${a.time}`);
        for (let s = 0; s <= 1; s += 0.25) {
          const y = this.at(a.time + s * T).q[j];
          if (Math.abs(y) > ranges[j] + 1e-8) wrong.push(`position of joint ${j} at ${a.time}: ${y}`);
        }
        if (jerk === Number.POSITIVE_INFINITY) continue;
        if (Math.abs(a1 - a0) / T > jerk * more) wrong.push(`jerk of joint ${j} at ${a.time}`);
        const c = this.points[k + 1];
        if (c === undefined) continue;
        const next = (6 * (c.positions[j] - b.positions[j])) / (c.time - b.time) - 4 * w - 2 * c.velocities[j];
        if (Math.abs(next / (c.time - b.time) - a1) > 1e-4)
          wrong.push(`the acceleration of joint ${j} jumps at ${b.time}`);
      }
    }
    return wrong;
  }

  /**
   * Least spare distance from a time on until the arm and all objects rest: steps are at most the time in which the
   * spare distance could vanish, and at least 1/6400 s.
   */
  leastSpare(world: OracleWorld, from: number, except: Set<string>, speed: number): { least: number; time: number } {
    const until = Math.max(from, this.end, ...[...world.objects.values()].map(({ motion }) => motion.times.at(-1)!));
    let [least, time] = [Number.POSITIVE_INFINITY, from];
    for (let t = from; ; ) {
      const d = spare(world, this.at(t).q, t, t < this.end, except);
      if (d < least) [least, time] = [d, t];
      if (t >= until) return { least, time };
      t = Math.min(until, t + Math.max(1 / 6400, (0.999 * d) / speed));
    }
  }
}

export interface Limits {
  readonly velocity: number;
  readonly acceleration: number;
  readonly jerk: number;
  /** Greatest magnitude of the position of each joint. */
  readonly ranges: readonly number[];
}
