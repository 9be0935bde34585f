import { expect } from 'vitest';
import type { CertificateStop } from '../../../src/core/certificate/certificate.ts';
import { motionPieces } from '../../../src/core/certificate/motionPieces.ts';
import { stopProblems } from '../../../src/core/certificate/torques/verifyStops.ts';
import { forwardKinematics, RobotState } from '../../../src/core/kinematics/forwardKinematics.ts';
import type { RobotModel } from '../../../src/core/kinematics/robotModel.ts';
import { elbowOf } from '../../../src/core/kinematics/toolCenterPoint.ts';
import type { StopConstraint } from '../../../src/core/scene/constraints.ts';
import type { Load } from '../../../src/core/scene/loads.ts';
import type { Scene } from '../../../src/core/scene/scene.ts';
import type { Trajectory } from '../../../src/core/trajectory/trajectory.ts';
import { StopLimits } from '../../../src/tasks/forces/stopLimits.ts';
import { stoppingReport } from '../../../src/tasks/forces/stopping.ts';
import { uniform } from '../../core/dynamics/arm/randomArm.ts';
import { rates } from '../../core/dynamics/arm/randomMotion.ts';
import { type StopSample, sampledStop, smoothSamples, stoppable } from './stopOracle.ts';
import { createTorqueOracle, type OracleBody, ownBodies } from './torqueOracle.ts';

export const stopScene = (link: string, torque: boolean, constraints: readonly StopConstraint[] = []): Scene =>
  ({
    robot: {},
    obstacles: [],
    attached: [],
    tcp: { link, pose: { xyz: [0, 0, 0], quat_wxyz: [1, 0, 0, 0] } },
    ...(torque && { torque: { scale: 1 } }),
    ...(constraints.length > 0 && { constraints }),
  }) as unknown as Scene;

/** A part of a motion in which the robot carries the same. */
export interface StopPart {
  readonly from: number;
  /** Undefined: the end of the motion. */
  readonly to?: number;
  readonly bodies: readonly OracleBody[];
  readonly loads?: readonly Load[];
  /** Scale of the limits of acceleration at a time. */
  readonly scaleAt: (time: number) => number;
  /** Intervals in which the robot rests. */
  readonly rests?: readonly (readonly [from: number, to: number])[];
}

/** Returns a fault that samples of stops show, found without any code of the provers; undefined if they show none. */
export function sampledFault(
  robot: RobotModel,
  motion: Trajectory,
  scene: Scene,
  stops: readonly CertificateStop[],
  part: StopPart = { from: 0, bodies: ownBodies(robot), scaleAt: () => 1 },
): string | undefined {
  const { from: begin, to: finish = motion.points.at(-1)!.time_from_start!, bodies, scaleAt, rests = [] } = part;
  const rested = (time: number) => rests.find(([from, to]) => time >= from && time < to)?.[1] ?? time;
  const oracle = scene.torque && createTorqueOracle(robot, bodies, [0, 0, -9.81]);
  const state = new RobotState(robot);
  const names = [scene.tcp!.link!, ...(elbowOf(robot.description) ? [elbowOf(robot.description)!] : [])];
  const links = names.map((name) => robot.links.findIndex((link) => link.name === name));
  const placesAt = (t: number) => {
    forwardKinematics(state, Float64Array.from(rates(motion, t, t).q));
    return links.map((link) => [3, 7, 11].map((o) => state.T_world_link[link][o]));
  };
  const lengths = (from: number, to: number) => {
    const count = Math.max(2, Math.ceil((to - from) / 5e-3));
    const sums = links.map(() => 0);
    let last = placesAt(from);
    for (let i = 1; i <= count; i++) {
      const next = placesAt(from + ((to - from) * i) / count);
      for (const [k, place] of next.entries()) sums[k] += Math.hypot(...place.map((x, n) => x - last[k][n]));
      last = next;
    }
    return Math.max(...sums);
  };
  const isSmooth = robot.variables.some(({ limits }) => limits.jerk < Number.POSITIVE_INFINITY);
  const knots = motion.points.map(({ time_from_start }) => time_from_start!);
  const isBeyond = (a: readonly number[], torques: readonly number[] | undefined, scale: number) =>
    robot.variables.some(({ limits, accelerationAssumed, effort }, k) => {
      const isFree = oracle !== undefined && accelerationAssumed;
      if (!isFree && Math.abs(a[k]) > scale * limits.acceleration * (1 + 1e-5)) return true;
      return torques !== undefined && Math.abs(torques[k]) > effort * (1 + 1e-5);
    });
  const samplesOf = (stop: CertificateStop) => smoothSamples(stop, motion).flat();
  const timeOf = (stop: CertificateStop) => samplesOf(stop).reduce((sum, { weight }) => sum + weight, 0);
  const endOf = (stop: CertificateStop) => {
    const t = samplesOf(stop).at(-1)?.t ?? stop[0][0];
    return Math.abs(t - finish) < 1e-7 ? finish : t;
  };
  const ratesOf = ({ t, pace, rate }: StopSample, side: number) => {
    const { q, v, a } = rates(motion, t, side);
    return { q, v: v.map((x) => x * pace), a: a.map((x, j) => x * pace * pace + v[j] * rate) };
  };
  const smoothFault = (stop: CertificateStop): string | undefined => {
    for (const list of smoothSamples(stop, motion))
      for (const [i, sample] of list.entries()) {
        if (!(sample.pace >= -1e-9 && sample.pace <= 1 && sample.rate <= 1e-9 && sample.weight > 0))
          return `does not slow down at ${sample.t}`;
        if (sample.t > knots.at(-1)! + 1e-7) return 'goes beyond the motion';
        if (i === 0) continue;
        const before = list[i - 1];
        // the pieces of the motion after the one sample and before the other one
        const after = knots.find((time) => time > before.t) ?? sample.t;
        const until = knots.findLast((time) => time < sample.t) ?? before.t;
        const [sideOne, side] = [
          0.5 * (before.t + Math.min(after, sample.t)),
          0.5 * (Math.max(until, before.t) + sample.t),
        ];
        const [one, other] = [ratesOf(before, sideOne), ratesOf(sample, side)];
        const torques = oracle?.(other.q, other.v, other.a);
        if (isBeyond(other.a, torques, scaleAt(side))) return `exceeds a limit at ${sample.t}`;
        const span = (sample.weight * 9) / 8;
        for (const [j, { limits }] of robot.variables.entries()) {
          if (Math.abs(other.v[j]) > limits.velocity * (1 + 1e-5)) return `is too fast at ${sample.t}`;
          // the mean jerk between two samples
          const jerk = Math.abs(other.a[j] - one.a[j]) / span;
          if (jerk > limits.jerk * (1 + 1e-5) + 1e-8 / span) return `has a jerk of ${jerk} at ${sample.t}`;
        }
      }
    return undefined;
  };
  let covered = begin;
  for (const [k, stop] of stops.entries()) {
    covered = rested(covered);
    let time = stop[0][0] - covered;
    const fault = isSmooth ? smoothFault(stop) : undefined;
    if (fault) return `stop ${k} ${fault}`;
    if (isSmooth) time += timeOf(stop);
    for (let i = 1; !isSmooth && i < stop.length; i++) {
      const [[t0, x0], [t1, x1]] = [stop[i - 1], stop[i]];
      const u = (x1 - x0) / (2 * (t1 - t0));
      for (let n = 0; n < 4; n++) {
        const t = t0 + ((t1 - t0) * (n + 0.5)) / 4;
        const x = x0 + ((x1 - x0) * (n + 0.5)) / 4;
        const { q, v, a } = rates(motion, t, t);
        const braking = a.map((value, j) => value * x + v[j] * u);
        const torques = oracle?.(
          q,
          v.map((value) => value * Math.sqrt(x)),
          braking,
        );
        if (isBeyond(braking, torques, scaleAt(t))) return `stop ${k} exceeds a limit at ${t}`;
        time += (t1 - t0) / 4 / Math.sqrt(x);
      }
    }
    const [last, square] = isSmooth ? [endOf(stop), 0] : stop[stop.length - 1];
    if (last > finish + 1e-9) return `stop ${k} ends after the part`;
    const { q, v } = rates(motion, last, Math.min(motion.points.at(-1)!.time_from_start!, last + 1e-12));
    const rest = v.map(() => 0);
    if (square > 0 && v.some((value) => Math.abs(value) > 1e-6)) return `stop ${k} does not end at rest`;
    if (isBeyond(rest, oracle?.(q, rest, rest), 1)) return `stop ${k} ends where the arm is not held`;
    for (const { type, most } of scene.constraints as StopConstraint[]) {
      // the middle rule is below the time of a decreasing pace
      const value = type === 'stopping_time' ? time : lengths(covered, last);
      if (value > most * (1 + 1e-5)) return `stop ${k}: ${type} ${value}, limit ${most}`;
    }
    if (!(stop[0][0] > covered)) return `stop ${k} begins too early`;
    covered = stop[0][0];
  }
  return rested(covered) >= finish ? undefined : 'the last instants have no stop';
}

/** Changes of stops. */
export const MUTATIONS: readonly ((stops: CertificateStop[], k: number, random: () => number) => CertificateStop[])[] =
  [
    (stops, k) => stops.toSpliced(k, 1),
    (stops, k, random) => {
      const [[begin]] = stops[k];
      const factor = 1 - 0.3 * random() ** 3;
      return stops.with(
        k,
        stops[k].map(([t, x]) => [begin + factor * (t - begin), x] as const),
      );
    },
    (stops, k, random) => {
      const power = 1 + random() ** 3;
      return stops.with(
        k,
        stops[k].map(([t, x]) => [t, x ** power] as const),
      );
    },
    (stops, k) => stops.with(k, [stops[k][0], stops[k].at(-1)!]),
    (stops, k) => stops.with(k, stops[k].length > 1 ? stops[k].slice(0, -1) : stops[k]),
    (stops, k, random) => {
      const shift = 0.02 * (random() - 0.5);
      return stops.with(
        k,
        stops[k].map(([t, x]) => [t + shift, x] as const),
      );
    },
    (stops, k, random) => {
      const i = Math.floor(stops[k].length * random());
      return stops.with(k, stops[k].with(i, [stops[k][i][0], stops[k][i][1] * random() ** 0.1]));
    },
  ];

/** Changes of stops under limits of jerk. */
export const SMOOTH_MUTATIONS: typeof MUTATIONS = [
  (stops, k) => stops.toSpliced(k, 1),
  (stops, k, random) => {
    const factor = 1 - 0.2 * random() ** 3;
    return stops.with(
      k,
      stops[k].map(([d, w], i) => (i === 0 ? ([d, w] as const) : ([factor * d, w / factor ** 2] as const))),
    );
  },
  (stops, k, random) => {
    const factor = 1 + 0.5 * random() ** 3;
    return stops.with(
      k,
      stops[k].map(([d, w], i) => [d, i === 0 ? w : factor * w] as const),
    );
  },
  (stops, k) => stops.with(k, [stops[k][0]]),
  (stops, k) => stops.with(k, stops[k].slice(0, Math.max(1, stops[k].length >> 1))),
  (stops, k, random) => {
    const shift = 0.02 * (random() - 0.5);
    return stops.with(
      k,
      stops[k].map(([d, w], i) => [i === 0 ? d + shift : d, w] as const),
    );
  },
  (stops, k, random) => {
    const i = 1 + Math.floor((stops[k].length - 1) * random());
    if (i >= stops[k].length) return stops;
    const [d, w] = stops[k][i];
    return stops.with(k, stops[k].with(i, [d * (0.5 + random()), w * (1 + random() ** 4)]));
  },
  (stops, k, random) => {
    const i = 1 + Math.floor((stops[k].length - 1) * random());
    return stops.with(k, stops[k].toSpliced(i, 1));
  },
  (stops, k, random) => {
    // a jerk that is too great, for a short time, twice, so that the rate returns
    const i = 1 + Math.floor((stops[k].length - 1) * random());
    const w = 1e5 * random();
    return stops.with(k, stops[k].toSpliced(i, 0, [1e-5, -w], [1e-5, w]));
  },
];

/** The outcome of one attack on the limits of stops. */
export interface StopAttack {
  readonly isProved: boolean;
  readonly isVerified: boolean;
  /** The limit, in relation to the worst stop that `check --stopping` states. */
  readonly factor: number;
  /** What is wrong: a proved motion with a longer stop, or an accepted certificate with a fault. */
  readonly wrong: readonly string[];
  /** Changed certificates, and how many of these samples show to be false. */
  readonly changes: number;
  readonly falsified: number;
}

const FACTORS = [0.6, 0.9, 0.97, 0.995, 1, 1.02, 1.1];

/**
 * Attacks the proofs of the limits of stops of a random motion; undefined if it has none.
 * @param isSmooth true: with limits of jerk, which are 1.02 to 3 times the greatest jerk of the motion
 */
export function attackStops(seed: number, isSmooth = false): StopAttack | undefined {
  const random = uniform(7000 + seed);
  const torque = random() < 0.5;
  const type = random() < 0.5 ? 'stopping_time' : 'stopping_distance';
  const margin = 1.02 + 0.4 * random();
  const jerk = isSmooth ? 1.02 + 2 * random() ** 2 : undefined;
  const { robot, motion, link } = stoppable(seed, margin, jerk);
  if (isSmooth && motion.points[0].accelerations === undefined) return undefined; // its accelerations jump
  const report = stoppingReport(robot, stopScene(link, torque), motion);
  if (report === undefined) return undefined;
  const factor = FACTORS[Math.floor(FACTORS.length * random())];
  const distance = Math.max(report.tcp_distance, report.elbow_distance ?? 0);
  const most = factor * (type === 'stopping_time' ? report.time : distance);
  const scene = stopScene(link, torque, [{ type, most }]);
  const limits = StopLimits.of(robot, scene, () => false)!;
  const isProved = limits.check(motion).faults.length === 0;
  const stops = limits.certified(motion)?.stops;
  const pieces = motionPieces(motion);
  const accepts = (claims: readonly CertificateStop[], one = robot) =>
    stopProblems(claims, one, scene, pieces, { from: 0, to: motion.points.at(-1)!.time_from_start! }, true).length ===
    0;
  const isVerified = stops !== undefined && accepts(stops);
  const wrong: string[] = [];
  const end = motion.points.at(-1)!.time_from_start!;
  if (isProved || isVerified)
    for (const from of [report.at + 1e-4, report.tcp_at + 1e-4, end * random(), end * random()]) {
      const { time, length } = sampledStop(robot, motion, link, from, torque, 1e-3);
      if (type === 'stopping_time' ? time > most + 2e-3 : length > most * 1.002 + 1e-4) wrong.push(`from ${from}`);
    }
  let [changes, falsified] = [0, 0];
  const tryClaims = (claims: readonly CertificateStop[], one = robot) => {
    changes++;
    const fault = sampledFault(one, motion, scene, claims);
    if (fault !== undefined) falsified++;
    if (fault !== undefined && accepts(claims, one)) wrong.push(`accepted: ${fault}`);
  };
  if (stops === undefined) return { isProved, isVerified, factor, wrong, changes, falsified };
  tryClaims(stops);
  for (const mutate of isSmooth ? SMOOTH_MUTATIONS : MUTATIONS)
    tryClaims(mutate([...stops], Math.floor(stops.length * random()), random));
  const share = 1 - 0.1 * random();
  const weaker = robot.variables.map((one) => ({
    ...one,
    effort: share * one.effort,
    limits: { ...one.limits, acceleration: share * one.limits.acceleration, jerk: share * one.limits.jerk },
  }));
  tryClaims(stops, { ...robot, variables: weaker } as RobotModel);
  return { isProved, isVerified, factor, wrong, changes, falsified };
}

/** STOP_CASES=200 STOP_SEED=1000 runs more. */
export const CASES = Number(process.env.STOP_CASES ?? 0);
const SEED = Number(process.env.STOP_SEED ?? 1);

/**
 * Expects no attack to find anything wrong, motions with a margin to be proved, and samples to show faults of changed
 * certificates.
 * @param few the seeds, unless `CASES` are wanted
 */
export function expectNoneWrong(attack: (seed: number) => StopAttack | undefined, few: readonly number[]): void {
  const seeds = CASES > 0 ? Array.from({ length: CASES }, (_, i) => SEED + i) : few;
  const all = seeds.map(attack).filter((one) => one !== undefined);
  expect(all.flatMap(({ wrong }) => wrong)).toEqual([]);
  const count = (holds: (one: StopAttack) => boolean) => all.filter(holds).length;
  const sum = (key: 'changes' | 'falsified') => all.reduce((total, one) => total + one[key], 0);
  if (CASES > 10)
    console.log({
      motions: all.length,
      proved: count(({ isProved }) => isProved),
      verified: count(({ isVerified }) => isVerified),
      margin: count(({ factor }) => factor >= 1.02),
      notProved: count(({ factor, isVerified }) => factor >= 1.02 && !isVerified),
      changes: sum('changes'),
      falsified: sum('falsified'),
    });
  expect(all.filter(({ isProved, isVerified }) => isProved !== isVerified)).toEqual([]);
  expect(all.filter(({ factor, isProved }) => factor >= 1.02 && !isProved)).toEqual([]);
  expect(sum('falsified')).toBeGreaterThan(all.length);
}
