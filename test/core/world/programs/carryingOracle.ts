import type { ObstacleMotion } from '../../../../src/core/scene/movingScene.ts';
import type { Step } from '../../../../src/core/scene/program.ts';
import type { Obstacle, Scene } from '../../../../src/core/scene/scene.ts';
import type { Trajectory } from '../../../../src/core/trajectory/trajectory.ts';
import { arm, armSpheres, boxDistance, hermite, inFrame, poseAt } from '../oracle.ts';

/**
 * Oracle for programs of the arm of spheres among objects that move, some of which it carries. It shares no code with
 * the project: a sample evaluates the trajectory, the poses of all objects and closed forms of distances at one time.
 */

type Vec = [number, number, number];
type Frame = { readonly R: number[]; readonly p: Vec };

const still = (obstacle: Obstacle): ObstacleMotion => obstacle.motion ?? { times: [0], poses: [obstacle.pose] };

/** Frames of the links of the arm, by rotation matrices. */
export function armFrames(q: readonly number[]): Frame[] {
  let R = [1, 0, 0, 0, 1, 0, 0, 0, 1];
  const ends = armSpheres(q);
  return arm.axes.map((axis, i) => {
    const [c, s] = [Math.cos(q[i]), Math.sin(q[i])];
    const turn = axis === 'z' ? [c, -s, 0, s, c, 0, 0, 0, 1] : [c, 0, s, 0, 1, 0, -s, 0, c];
    R = Array.from({ length: 9 }, (_, k) => {
      const [row, column] = [Math.floor(k / 3), k % 3];
      return [0, 1, 2].reduce((sum, m) => sum + R[3 * row + m] * turn[3 * m + column], 0);
    });
    return { R, p: i === 0 ? [0, 0, 0] : ends[i - 1] };
  });
}

/** A ball that moves, rests or is carried by a link. */
interface Ball {
  readonly name: string;
  readonly radius: number;
  readonly motion: ObstacleMotion;
  carried: { readonly link: number; readonly at: Vec } | undefined;
  /** Where it was put down. */
  put: Vec | undefined;
}

/** The objects of a scene over the time of a program. */
export class CarryingOracle {
  private readonly boxes: readonly {
    readonly name: string;
    readonly size: readonly number[];
    motion: ObstacleMotion;
  }[];
  private readonly balls: Ball[];
  private readonly others: readonly { readonly at: (t: number) => Vec[] }[];
  /** Messages about events that must not happen. */
  readonly trouble: string[] = [];

  constructor({ obstacles, robots = [] }: Pick<Scene, 'obstacles' | 'robots'>) {
    const shapeOf = (obstacle: Obstacle) =>
      obstacle.parts[0].shape as { type: string; size?: number[]; radius?: number };
    this.boxes = obstacles
      .filter((one) => shapeOf(one).type === 'box')
      .map((one) => ({ name: one.name, size: shapeOf(one).size!, motion: still(one) }));
    this.balls = obstacles
      .filter((one) => shapeOf(one).type === 'sphere')
      .map((one) => ({
        name: one.name,
        radius: shapeOf(one).radius!,
        motion: still(one),
        carried: undefined,
        put: undefined,
      }));
    this.others = robots.map(({ q, trajectory, startTime, robot }) => {
      const [w, , , z] = robot.pose.quat_wxyz;
      const yaw = 2 * Math.atan2(z, w);
      return { at: (t) => armSpheres(q ?? hermite(trajectory!, t - startTime), [...robot.pose.xyz], yaw) };
    });
  }

  /** Applies a step that happens at a time. */
  apply(step: Step, q: readonly number[], t: number): void {
    if (step.kind === 'attach') {
      const ball = this.balls.find(({ name }) => name === step.object)!;
      for (const later of ball.motion.times.filter((time) => time > t)) {
        const [a, b] = [this.centre(ball, q, t), poseAt(ball.motion, later).xyz];
        if (ball.put === undefined && Math.hypot(...a.map((x, i) => x - b[i])) > 0)
          this.trouble.push(`${ball.name} moves after ${t}, when it is attached`);
      }
      const link = Number(step.link!.slice(-1));
      const { R, p } = armFrames(q)[link];
      const d = this.centre(ball, q, t).map((x, i) => x - p[i]);
      const at = [0, 1, 2].map((k) => R[k] * d[0] + R[3 + k] * d[1] + R[6 + k] * d[2]) as Vec;
      ball.carried = { link, at };
    }
    if (step.kind === 'detach') {
      const ball = this.balls.find(({ name }) => name === step.object)!;
      ball.put = this.centre(ball, q, t);
      ball.carried = undefined;
    }
  }

  /** Minimum distance between the robot with what it carries and everything else; negative in collision. */
  distance(q: readonly number[], t: number): number {
    const own = armSpheres(q).map((centre, link) => ({ centre, radius: arm.radius, link: [link], name: '' }));
    const held = this.balls.flatMap((ball) =>
      ball.carried === undefined
        ? []
        : [{ centre: this.centre(ball, q, t), radius: ball.radius, link: [ball.carried.link], name: ball.name }],
    );
    let least = Number.POSITIVE_INFINITY;
    const see = (gap: number) => {
      least = Math.min(least, gap);
    };
    for (const { centre, radius } of [...own, ...held]) {
      for (const { size, motion } of this.boxes) see(boxDistance(inFrame(centre, poseAt(motion, t)), size) - radius);
      for (const ball of this.balls)
        if (ball.carried === undefined) see(apart(centre, this.centre(ball, q, t)) - radius - ball.radius);
      for (const other of this.others) for (const one of other.at(t)) see(apart(centre, one) - radius - arm.radius);
    }
    // what is carried may touch the link that carries it; links are not compared with each other
    for (const [i, one] of held.entries()) {
      for (const link of own)
        if (link.link[0] !== one.link[0]) see(apart(one.centre, link.centre) - one.radius - arm.radius);
      for (const two of held.slice(i + 1)) see(apart(one.centre, two.centre) - one.radius - two.radius);
    }
    return least;
  }

  private centre({ carried, put, motion }: Ball, q: readonly number[], t: number): Vec {
    if (carried) {
      const { R, p } = armFrames(q)[carried.link];
      const { at } = carried;
      return p.map((x, i) => x + R[3 * i] * at[0] + R[3 * i + 1] * at[1] + R[3 * i + 2] * at[2]) as Vec;
    }
    return put ?? poseAt(motion, t).xyz;
  }
}

const apart = (a: Vec, b: Vec) => Math.hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]);

/** Samples between two times at which the motion of anything changes. */
const PER_KNOT = 25;

/** What the oracle finds about a trajectory. */
export interface OracleVerdict {
  readonly least: number;
  readonly time: number;
  readonly trouble: readonly string[];
}

/**
 * Samples a program from time 0 until all is at rest, at a rate per second and at each time of a motion; the events of
 * the trajectory happen at the ends of its segments.
 */
export function sampledProgram(scene: Scene, trajectory: Trajectory, rate: number): OracleVerdict {
  const { steps = [], obstacles, robots = [] } = scene;
  const { points, segments = [] } = trajectory;
  const arrival = points.at(-1)!.time_from_start!;
  const knots = [
    ...points.map((point) => point.time_from_start!),
    ...obstacles.flatMap(({ motion }) => motion?.times ?? []),
    ...robots.flatMap(({ trajectory: own, startTime }) => own?.points.map((p) => p.time_from_start! + startTime) ?? []),
  ];
  const end = Math.max(...knots, arrival);
  const times = [
    ...knots.filter((t) => t >= 0),
    ...Array.from({ length: Math.ceil(end * rate) + 1 }, (_, i) => i / rate),
  ];
  const sorted = [...new Set([0, ...knots.filter((t) => t > 0)])].sort((a, b) => a - b);
  // objects may be fast between two knots
  for (const [k, from] of sorted.slice(0, -1).entries())
    for (let i = 1; i < PER_KNOT; i++) times.push(from + (i / PER_KNOT) * (sorted[k + 1] - from));
  times.sort((a, b) => a - b);
  const oracle = new CarryingOracle(scene);
  let [least, at] = [Number.POSITIVE_INFINITY, 0];
  const look = (t: number) => {
    const gap = oracle.distance(hermite(trajectory, t), t);
    if (gap < least) [least, at] = [gap, t];
  };
  const events = steps.flatMap((step) => {
    if (['move', 'line', 'arc', 'wait'].includes(step.kind)) return [];
    return [
      { step, time: segments.findLast((segment) => segment.step < step.index)?.to ?? points[0].time_from_start! },
    ];
  });
  let next = 0;
  for (const t of times) {
    for (; next < events.length && events[next].time <= t; next++) {
      const { step, time } = events[next];
      look(time);
      oracle.apply(step, hermite(trajectory, time), time);
      look(time);
    }
    if (t <= end) look(t);
  }
  for (; next < events.length; next++) oracle.apply(events[next].step, hermite(trajectory, end), events[next].time);
  return { least, time: at, trouble: oracle.trouble };
}
