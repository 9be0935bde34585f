import type { CertificatePair, CertificateStop } from '../../../src/core/certificate/certificate.ts';
import { motionPieces } from '../../../src/core/certificate/motionPieces.ts';
import { StopPairProof } from '../../../src/core/certificate/torques/stopPairs.ts';
import { stopProblems } from '../../../src/core/certificate/torques/verifyStops.ts';
import { createRobotModel } from '../../../src/core/kinematics/createRobotModel.ts';
import { forwardKinematics, RobotState } from '../../../src/core/kinematics/forwardKinematics.ts';
import { poseOfTransform } from '../../../src/core/kinematics/pose.ts';
import type { RobotModel } from '../../../src/core/kinematics/robotModel.ts';
import { never } from '../../../src/core/math/interrupt.ts';
import type { ObstacleMotion } from '../../../src/core/scene/movingScene.ts';
import type { Scene } from '../../../src/core/scene/scene.ts';
import type { Trajectory } from '../../../src/core/trajectory/trajectory.ts';
import { createSceneWorld } from '../../../src/core/world/sceneWorld.ts';
import { StopLimits } from '../../../src/tasks/forces/stopLimits.ts';
import { World } from '../../../src/tasks/world.ts';
import { uniform } from '../../core/dynamics/arm/randomArm.ts';
import { rates } from '../../core/dynamics/arm/randomMotion.ts';
import { stopScene } from './stopAttack.ts';
import { smoothSamples, stoppable } from './stopOracle.ts';

/** Every link is a ball of this radius, m. */
const LINK_RADIUS = 0.06;
/** Seconds between samples of a motion. */
const STEP = 2e-3;

/** A ball that moves: obstacles of the attack. */
export interface MovingBall {
  readonly radius: number;
  readonly motion: ObstacleMotion;
}

/** The same arm with a ball at the origin of every link. */
function withBalls(arm: RobotModel): RobotModel {
  const { description } = arm;
  const collision = { shape: { type: 'sphere', radius: LINK_RADIUS }, triangles: 0, source: 0 } as const;
  const pose = { xyz: [0, 0, 0], quat_wxyz: [1, 0, 0, 0] } as const;
  const links = description.links.map((link) => ({ ...link, collisions: [{ ...collision, pose }] }));
  const model = createRobotModel({ ...description, links }, { pose: poseOfTransform(arm.T_world_root) });
  return { ...model, variables: arm.variables, T_world_root: arm.T_world_root };
}

/** Returns the scene of a robot, whose links may touch each other, among moving balls. */
export function ballScene(robot: RobotModel, link: string, balls: readonly MovingBall[], most: number): Scene {
  const names = robot.links.map(({ name }) => name);
  return {
    ...stopScene(link, false, [{ type: 'stopping_time', most }]),
    padding: 0,
    allow: names.flatMap((a, i) => names.slice(i + 1).map((b) => [a, b] as const)),
    obstacles: balls.map(({ radius, motion }, i) => ({
      name: `ball-${i}`,
      pose: motion.poses[0],
      parts: [{ shape: { type: 'sphere', radius } }],
      motion,
    })),
  } as unknown as Scene;
}

/** The place of a ball at a time: on the line between two places. */
function placeOf({ times, poses }: ObstacleMotion, t: number): readonly number[] {
  const i = times.findIndex((time) => time > t);
  if (i === 0) return poses[0].xyz;
  if (i < 0) return poses[poses.length - 1].xyz;
  const share = (t - times[i - 1]) / (times[i] - times[i - 1]);
  return poses[i].xyz.map((x, k) => poses[i - 1].xyz[k] + share * (x - poses[i - 1].xyz[k]));
}

/** Centers of all links at a time. */
interface Sample {
  readonly time: number;
  readonly centers: readonly (readonly number[])[];
}

/** Returns the function that samples the links of a robot at a time of its motion, at another time of the world. */
function sampler(robot: RobotModel, motion: Trajectory) {
  const state = new RobotState(robot);
  const end = motion.points[motion.points.length - 1].time_from_start!;
  return (at: number, time: number): Sample => {
    const s = Math.max(0, Math.min(end, at));
    forwardKinematics(state, Float64Array.from(rates(motion, s, s).q));
    return { time, centers: state.T_world_link.map((T) => [T[3], T[7], T[11]]) };
  };
}

/** The least distance of balls from the links. */
function leastGap(samples: readonly Sample[], balls: readonly MovingBall[]): number {
  let least = Number.POSITIVE_INFINITY;
  for (const { time, centers } of samples)
    for (const { radius, motion } of balls) {
      const [x, y, z] = placeOf(motion, time);
      for (const [a, b, c] of centers) least = Math.min(least, Math.hypot(a - x, b - y, c - z) - LINK_RADIUS - radius);
    }
  return least;
}

/** Samples a stop of a certificate: times of the motion, and seconds since the stop began. */
export function stopSamples(
  stop: CertificateStop,
  motion: Trajectory,
  isSmooth: boolean,
): [at: number, since: number][] {
  const samples: [number, number][] = [[stop[0][0], 0]];
  let since = 0;
  if (isSmooth)
    for (const list of smoothSamples(stop, motion)) {
      const step = (list[0].weight * 9) / 8; // of nine samples, each counts as a ninth of the time of eight steps
      for (const [i, { t }] of list.entries()) samples.push([t, since + i * step]);
      since += 8 * step;
    }
  for (let i = 1; !isSmooth && i < stop.length; i++) {
    const [[t0, x0], [t1, x1]] = [stop[i - 1], stop[i]];
    // x is linear in the time of the motion: from t0 to t the stop takes 2 (t − t0) / (√x0 + √x) seconds
    for (let n = 1; n <= 4; n++) {
      const [t, x] = [t0 + ((t1 - t0) * n) / 4, x0 + ((x1 - x0) * n) / 4];
      samples.push([t, since + (2 * (t - t0)) / (Math.sqrt(x0) + Math.sqrt(x))]);
    }
    since += (2 * (t1 - t0)) / (Math.sqrt(x0) + Math.sqrt(x1));
  }
  return samples;
}

/** The outcome of one attack. */
export interface MovingAttack {
  /** A certificate is made, or its stops are proved. */
  readonly isProved: boolean;
  readonly isVerified: boolean;
  /** All stops without the balls are free by 2 mm of samples, so that the motion must be proved. */
  readonly isFree: boolean;
  /** A stop without the balls touches one, at samples. */
  readonly isHit: boolean;
  readonly wrong: readonly string[];
  readonly changes: number;
  readonly falsified: number;
}

type Planes = readonly (readonly CertificatePair[])[];

/** Attacks the proofs of stops of a random motion among moving balls; undefined if the motion itself touches one. */
export function attackMovingStops(seed: number, isSmooth: boolean): MovingAttack | undefined {
  const random = uniform(9000 + seed);
  const { robot: arm, motion, link } = stoppable(seed, 1.02 + 0.6 * random(), isSmooth ? 2 + random() : undefined);
  if (isSmooth && motion.points[0].accelerations === undefined) return undefined; // its accelerations jump
  const robot = withBalls(arm);
  const end = motion.points[motion.points.length - 1].time_from_start!;
  const sampleAt = sampler(robot, motion);
  const alone = StopLimits.of(robot, ballScene(robot, link, [], 10), never)!.certified(motion)?.stops;
  if (alone === undefined) return undefined;
  const samplesOf = (stops: readonly CertificateStop[]) =>
    stops.flatMap((stop) => stopSamples(stop, motion, isSmooth).map(([at, since]) => sampleAt(at, stop[0][0] + since)));
  const path = Array.from({ length: Math.ceil((end + 2) / STEP) }, (_, i) => sampleAt(i * STEP, i * STEP));
  const aloneSamples = samplesOf(alone);
  // balls that the motion avoids, by preference such that a stop touches one
  let balls: readonly MovingBall[] = [];
  for (let tries = 0; tries < 60; tries++) {
    const some = Array.from({ length: 1 + Math.floor(2 * random()) }, () => followingBall(robot, motion, random));
    if (leastGap(path, some) < 2e-3) continue;
    balls = some;
    if (tries % 3 < 2 && leastGap(aloneSamples, some) < 0) break;
  }
  if (balls.length === 0) return undefined;
  const scene = ballScene(robot, link, balls, 10);
  const world = new World(robot, scene);
  const limits = StopLimits.of(robot, scene, never, world)!;
  const isProved = limits.check(motion).faults.length === 0;
  const found = limits.certified(motion);
  const aloneGap = leastGap(aloneSamples, balls);
  const pieces = motionPieces(motion);
  const accepts = (stops: readonly CertificateStop[], planes: Planes, own: Scene) =>
    stopProblems(
      stops,
      robot,
      own,
      pieces,
      { from: 0, to: end },
      true,
      never,
      new StopPairProof(planes, createSceneWorld(robot, own), never),
    ).length === 0;
  const wrong: string[] = [];
  let [changes, falsified] = [0, 0];
  const isVerified = found?.stops !== undefined && accepts(found.stops, found.stop_pairs ?? [], scene);
  const result = () => ({
    ...{ isProved, isVerified, isFree: aloneGap >= 2e-3, isHit: aloneGap < 0, wrong, changes, falsified },
  });
  if (found?.stops === undefined) return result();
  const attempt = (stops: readonly CertificateStop[], planes: Planes, own = balls, isForm = false) => {
    changes++;
    const gap = leastGap(samplesOf(stops), own);
    if (gap < 0 || isForm) falsified++;
    if ((gap < 0 || isForm) && accepts(stops, planes, ballScene(robot, link, own, 10)))
      wrong.push(isForm ? 'a form is accepted' : `accepted with a gap of ${gap}`);
  };
  const { stops, stop_pairs: planes = [] } = found;
  attempt(stops, planes);
  const k = Math.floor(stops.length * random());
  const shifted = (by: number): MovingBall[] =>
    balls.map(({ radius, motion: { times, poses } }) => ({
      radius,
      motion: { times: times.map((time, i) => (i === 0 ? time : time + by)), poses },
    }));
  for (const by of [-0.3, -0.1, -0.03, 0.03, 0.1, 0.3]) attempt(stops, planes, shifted(by * random()));
  for (const by of [0.003, 0.02, 0.1])
    attempt(
      stops,
      planes,
      balls.map((ball) => ({ ...ball, radius: ball.radius + by * random() })),
    );
  // slower stops, with the same planes
  for (const power of [0.97, 0.8])
    if (!isSmooth)
      attempt(
        stops.with(
          k,
          stops[k].map(([t, x]) => [t, x ** power] as const),
        ),
        planes,
      );
  attempt(stops, planes.toSpliced(k, 1));
  attempt(stops, planes.with(k, planes[(k + 1) % planes.length]));
  // a pair less, and spans that end early: false in form
  if (stops[k].length > 1) attempt(stops, planes.with(k, planes[k].slice(1)), balls, true);
  const cut = planes[k].map((pair) => ({
    ...pair,
    spans: pair.spans.map(([from, to, ...n]) => [from, to - 1e-4, ...n] as const),
  }));
  if (stops[k].length > 1) attempt(stops, planes.with(k, cut), balls, true);
  return result();
}

/** A ball that passes a place of the robot's path at about the time when the robot is there, or up to 1 s later. */
function followingBall(robot: RobotModel, motion: Trajectory, random: () => number): MovingBall {
  const end = motion.points[motion.points.length - 1].time_from_start!;
  const state = new RobotState(robot);
  const at = end * (0.2 + 0.7 * random());
  forwardKinematics(state, Float64Array.from(rates(motion, at, at).q));
  const T = state.T_world_link[Math.max(1, Math.floor(robot.links.length * random()))] ?? state.T_world_link[1];
  const radius = 0.03 + 0.1 * random();
  const time = at + random() - 0.2;
  const [velocity, off] = [3, 0.3].map((size) => [0, 1, 2].map(() => size * (2 * random() - 1)));
  const center = [3, 7, 11].map((o, k) => T[o] + off[k]);
  const placeAt = (t: number) => center.map((x, k) => x + (t - time) * velocity[k]) as [number, number, number];
  const times = [0, time + 1.5];
  return {
    radius,
    motion: { times, poses: times.map((t) => ({ xyz: placeAt(t), quat_wxyz: [1, 0, 0, 0] })) },
  };
}
