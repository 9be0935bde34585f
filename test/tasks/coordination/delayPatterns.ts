import { createRobotModel } from '../../../src/core/kinematics/createRobotModel.ts';
import type { Random } from '../../../src/core/math/random.ts';
import { ownTimeAt } from '../../../src/core/planning/coordination/schedule.ts';
import type { Trajectory } from '../../../src/core/trajectory/trajectory.ts';
import { type Coordination, coordinateRobots } from '../../../src/tasks/coordination/coordinate.ts';
import { arm, armDescription, armSpheres, hermite } from '../../core/world/oracle.ts';

/**
 * Attack on tolerated delays: arms of spheres run their schedules late by random amounts within the tolerance, and
 * their distances are computed by kinematics that share nothing with the project's.
 */

type Vec = [number, number, number];

/** Times of the simulation, seconds. */
const STEP = 1e-3;
/** Times at which the centres of the spheres are tabulated; between them they are interpolated linearly. */
const TABLE_STEP = 2.5e-4;
/** Metres: the interpolation is off by at most a TABLE_STEP²/8, a the acceleration of a centre. */
const TOLERANCE = 1e-6;

/** Seconds: schedules without such a wait have no conflict to speak of. */
const MIN_WAIT = 0.05;

/** Arms whose schedules are to be attacked. */
export interface LateMeeting {
  readonly coordination: Coordination;
  /** Centres of the spheres of each arm at multiples of TABLE_STEP: x, y, z of one after the other. */
  readonly tables: readonly Float64Array[];
}

/** Returns arms about the first one with schedules in which one waits; undefined if they have none. */
export function lateMeeting(random: Random, count = 2): LateMeeting | undefined {
  const description = armDescription();
  const joints = arm.axes.map((_, i) => `joint${i}`);
  const bases: readonly (readonly [Vec, number])[] = [
    [[0, 0, 0], 0],
    ...Array.from({ length: count - 1 }, (_, i): readonly [Vec, number] => {
      const side = [1, -1][i % 2] * (1 + (i >> 1));
      const xyz: Vec = [side * random.between(0.5, 1.1), random.between(-0.3, 0.3), random.between(-0.1, 0.1)];
      return [xyz, random.between(-3, 3)];
    }),
  ];
  const trajectories = bases.map(() => randomProgram(random, joints));
  const robots = bases.map(([xyz, yaw], i) => ({
    name: `${i}`,
    prefix: i === 0 ? '' : `other${i}/`,
    model: createRobotModel(description, {
      pose: { xyz, quat_wxyz: [Math.cos(yaw / 2), 0, 0, Math.sin(yaw / 2)] },
    }),
    trajectory: trajectories[i],
  }));
  const limits = { undecided: 0.02, cells: 2000, ...(random.below(2) === 0 ? {} : { delay: random.between(0, 0.3) }) };
  const coordination = coordinateRobots(robots, { attached: [], allow: [], padding: 0 }, limits);
  const { makespan = 0, durations } = coordination;
  if (makespan < Math.max(...durations) + MIN_WAIT) return undefined;
  return { coordination, tables: bases.map(([xyz, yaw], i) => tableOf(trajectories[i], xyz, yaw)) };
}

function randomProgram(random: Random, jointNames: readonly string[]): Trajectory {
  let time = 0;
  const count = 3 + random.below(4);
  const points = Array.from({ length: count }, (_, i) => {
    if (i > 0) time += random.between(0.3, 1);
    const isEnd = i === 0 || i === count - 1;
    return {
      time_from_start: time,
      positions: jointNames.map(() => random.between(-1.6, 1.6)),
      velocities: jointNames.map(() => (isEnd ? 0 : random.between(-1, 1))),
    };
  });
  return { jointNames, points, interpolation: 'cubic' };
}

function tableOf(trajectory: Trajectory, base: Vec, yaw: number): Float64Array {
  const end = trajectory.points.at(-1)!.time_from_start!;
  const count = Math.ceil(end / TABLE_STEP) + 2;
  const table = new Float64Array(count * 9);
  for (let k = 0; k < count; k++) table.set(armSpheres(hermite(trajectory, k * TABLE_STEP), base, yaw).flat(), 9 * k);
  return table;
}

/** Least distance of two arms at times of their own trajectories, up to the error of the tables. */
function distanceOf(a: Float64Array, s: number, b: Float64Array, t: number): number {
  const [i, k] = [Math.floor(s / TABLE_STEP), Math.floor(t / TABLE_STEP)];
  const [u, w] = [s / TABLE_STEP - i, t / TABLE_STEP - k];
  let least = Number.POSITIVE_INFINITY;
  for (let m = 9 * i; m < 9 * i + 9; m += 3) {
    const x = a[m] + u * (a[m + 9] - a[m]);
    const y = a[m + 1] + u * (a[m + 10] - a[m + 1]);
    const z = a[m + 2] + u * (a[m + 11] - a[m + 2]);
    for (let n = 9 * k; n < 9 * k + 9; n += 3) {
      const dx = x - b[n] - w * (b[n + 9] - b[n]);
      const dy = y - b[n + 1] - w * (b[n + 10] - b[n + 1]);
      const dz = z - b[n + 2] - w * (b[n + 11] - b[n + 2]);
      least = Math.min(least, dx * dx + dy * dy + dz * dz);
    }
  }
  return Math.sqrt(least) - 2 * arm.radius + TOLERANCE;
}

/** A delay over time, at most the tolerance at each: a robot that is late is where its schedule was at t − delay. */
class RandomDelay {
  /** The robot is where its schedule has it at this time, which never decreases: it does not run back. */
  private reached = 0;
  private share = 0;
  private until = 0;

  constructor(
    private readonly random: Random,
    private readonly tolerance: { readonly times: readonly number[]; readonly own: readonly number[] },
  ) {}

  /** Returns the time of the schedule that the robot has reached at a time. */
  scheduleTime(time: number): number {
    const { random } = this;
    if (time >= this.until) {
      this.share = [0, 1, random.next()][random.below(3)];
      this.until = time + random.between(0.01, 1.5);
    }
    this.reached = Math.max(this.reached, time - this.share * ownTimeAt(this.tolerance, time));
    return this.reached;
  }
}

/** Kinds of patterns: the first robot is late, the second one, or all at once. */
export const latePatterns = ['first', 'second', 'all'] as const;

/**
 * Returns the least distance during one run of the schedules, of which one or all are late.
 * @param excess added to the tolerance, seconds: with 0, no collision is expected
 */
export function lateRun(meeting: LateMeeting, random: Random, kind: (typeof latePatterns)[number], excess = 0): number {
  const { schedules, delays, makespan } = meeting.coordination;
  const late = delays!.map(
    (points) => new RandomDelay(random, { times: points.map(([t]) => t), own: points.map(([, d]) => d + excess) }),
  );
  const isLate = (i: number) => kind === 'all' || i === (kind === 'first' ? 0 : 1);
  const { tables } = meeting;
  let least = Number.POSITIVE_INFINITY;
  for (let time = 0; time <= 1.3 * makespan! + 1; time += STEP) {
    const own = schedules!.map((one, i) => ownTimeAt(one, isLate(i) ? late[i].scheduleTime(time) : time));
    for (let i = 1; i < tables.length; i++)
      for (let k = 0; k < i; k++) least = Math.min(least, distanceOf(tables[i], own[i], tables[k], own[k]));
  }
  return least;
}
