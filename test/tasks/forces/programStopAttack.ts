import type { CertificateStop } from '../../../src/core/certificate/certificate.ts';
import { verifyProgram } from '../../../src/core/certificate/verifyProgram.ts';
import { forwardKinematics, RobotState } from '../../../src/core/kinematics/forwardKinematics.ts';
import { poseOfTransform } from '../../../src/core/kinematics/pose.ts';
import type { MassProperties, RobotModel } from '../../../src/core/kinematics/robotModel.ts';
import { compose, create } from '../../../src/core/math/transform.ts';
import type { StopConstraint } from '../../../src/core/scene/constraints.ts';
import type { Step } from '../../../src/core/scene/program.ts';
import type { Scene } from '../../../src/core/scene/scene.ts';
import type { Trajectory, TrajectoryPoint, TrajectorySegment } from '../../../src/core/trajectory/trajectory.ts';
import { stoppingReport } from '../../../src/tasks/forces/stopping.ts';
import { certifyProgram } from '../../../src/tasks/programs/certifyProgram.ts';
import { checkProgram } from '../../../src/tasks/programs/checks/checkProgram.ts';
import { partsOf } from '../../../src/tasks/timeline.ts';
import { randomArm, uniform } from '../../core/dynamics/arm/randomArm.ts';
import { randomMotion, rates } from '../../core/dynamics/arm/randomMotion.ts';
import { MUTATIONS, SMOOTH_MUTATIONS, type StopAttack, type StopPart, sampledFault } from './stopAttack.ts';
import { jerksAt, sampledStop } from './stopOracle.ts';
import { createTorqueOracle, ownBodies } from './torqueOracle.ts';

/** A program of random motions with an object that is carried in its middle, which keeps its limits by a margin. */
export interface RandomProgram {
  readonly robot: RobotModel;
  readonly scene: Scene;
  readonly motion: Trajectory;
  readonly link: string;
  /** Mass properties of the object, in the axes of the link, and the same in its frame. */
  readonly body: MassProperties;
  readonly inLink: (body: MassProperties) => MassProperties;
  /** The intervals between events. */
  readonly parts: readonly (StopPart & { readonly from: number; readonly to: number })[];
}

const RULES = { speed: 1, constraints: [], blend: 0, tolerance: { position: 1e-3, angle: 1e-2 } } as const;
/** Seconds. */
const WAIT = 0.3;

/** A motion through two or, if it is long, more points. */
function shortMotion(arm: RobotModel, random: () => number, isLong: boolean): readonly TrajectoryPoint[] {
  const { points } = randomMotion(arm, random);
  if (isLong) return points;
  return [points[0], { ...points.at(-1)!, time_from_start: 0.3 + random() }];
}

/**
 * The steps: move, attach, move, wait, move, detach, move. Each move has its own scale of accelerations.
 * @param jerk limit of the jerk, in relation to the greatest jerk of the motion
 */
export function randomProgram(seed: number, margin: number, jerk = Number.POSITIVE_INFINITY): RandomProgram {
  const random = uniform(31 * seed + 5);
  const arm = randomArm(seed);
  const link = arm.links.at(-1)!.name;
  const points: TrajectoryPoint[] = [];
  const segments: TrajectorySegment[] = [];
  const moves = [0, 2, 4, 6];
  const scales = moves.map(() => 0.5 + 0.5 * random());
  const still = arm.variables.map(() => 0);
  const isQuintic = random() < 0.5 || jerk < Number.POSITIVE_INFINITY;
  for (const [k, step] of moves.entries()) {
    const own = shortMotion(arm, random, step === 2);
    const start = points.at(-1)?.time_from_start ?? 0;
    for (const { time_from_start: time, positions, velocities, accelerations = still } of own.slice(k === 0 ? 0 : 1))
      points.push({
        ...{ time_from_start: Math.round((start + time!) * 1e9) / 1e9, positions, velocities: velocities! },
        ...(isQuintic && { accelerations }),
      });
    const end = points.at(-1)!.time_from_start!;
    segments.push({ step, kind: 'move', from: start, to: end });
    if (step !== 2) continue;
    points.push({ ...points.at(-1)!, velocities: still, time_from_start: end + WAIT });
    segments.push({ step: 3, kind: 'wait', from: end, to: end + WAIT });
  }
  const at = (step: number) => segments.find((one) => one.step === step)!.to;
  const positionsAt = (time: number) => points.find(({ time_from_start }) => time_from_start === time)!.positions;
  const [taken, left] = [at(0), at(4)];
  const mass = 1 + 4 * random();
  const body = { mass, center: [0.05, 0.1 * random(), -0.03] as const, inertia: [0.02, 0.03, 0.04, 0, 0, 0] };
  const offset = [0.2 * random(), -0.1, 0.2 * random()] as const;
  const T = create();
  const state = new RobotState(arm);
  forwardKinematics(state, Float64Array.from(positionsAt(taken)));
  const index = arm.links.findIndex(({ name }) => name === link);
  compose(
    T,
    state.T_world_link[index],
    Float64Array.from([1, 0, 0, offset[0], 0, 1, 0, offset[1], 0, 0, 1, offset[2]]),
  );
  const part = {
    name: 'part',
    parts: [{ shape: { type: 'sphere', radius: 0.01 } }],
    pose: poseOfTransform(T),
    inertial: body,
  };
  const move = (step: number) => ({
    ...{ kind: 'move', index: step, ...RULES, acceleration: scales[moves.indexOf(step)] },
    goals: [{ kind: 'joints', joints: positionsAt(at(step)) }],
  });
  const steps = [
    move(0),
    { kind: 'attach', index: 1, object: 'part', touches: [] },
    move(2),
    { kind: 'wait', index: 3, duration: WAIT },
    move(4),
    { kind: 'detach', index: 5, object: 'part' },
    move(6),
  ] as unknown as Step[];
  const events = [
    { step: 1, time: taken, attach: 'part', link },
    { step: 5, time: left, detach: 'part' },
  ];
  const motion = { jointNames: arm.variables.map(({ name }) => name), points, segments, events } as Trajectory;
  const inLink = (one: MassProperties) => ({ ...one, center: one.center.map((x, i) => x + offset[i]) as never });
  const load: MassProperties = inLink(body);
  const scaleAt = (t: number) =>
    scales[moves.indexOf(segments.find(({ from, to }) => t >= from && t <= to)?.step ?? 0)] ?? 1;
  const parts = [0, 1, 2].map((k) => ({
    ...{ from: [0, taken, left][k], to: [taken, left, points.at(-1)!.time_from_start!][k] },
    bodies: k === 1 ? [...ownBodies(arm), { link, properties: load }] : ownBodies(arm),
    loads: k === 1 ? [{ link, pose: { xyz: [0, 0, 0], quat_wxyz: [1, 0, 0, 0] } as const, properties: load }] : [],
    scaleAt,
    rests: segments.flatMap((one) => (one.kind === 'wait' && k === 1 ? [[one.from, one.to] as const] : [])),
  }));
  const most = {
    v: still.map(() => 0.1),
    a: still.map(() => 0.1),
    torque: still.map(() => 1),
    jerk: still.map(() => 1),
  };
  for (const { from, to, bodies } of parts) {
    const oracle = createTorqueOracle(arm, bodies, [0, 0, -9.81]);
    for (let i = 0; i <= 400; i++) {
      const t = from + ((to - from) * (i + 0.5)) / 401;
      const { q, v, a } = rates(motion, t, t);
      for (const [k, torque] of oracle(q, v, a).entries()) most.torque[k] = Math.max(most.torque[k], Math.abs(torque));
      for (const [k, torque] of oracle(q, still, still).entries())
        most.torque[k] = Math.max(most.torque[k], Math.abs(torque));
      for (const [k, x] of jerksAt(motion, t).entries()) most.jerk[k] = Math.max(most.jerk[k], x);
      for (const [k, x] of v.entries()) most.v[k] = Math.max(most.v[k], Math.abs(x));
      for (const [k, x] of a.entries()) most.a[k] = Math.max(most.a[k], Math.abs(x) / scaleAt(t));
    }
  }
  const variables = arm.variables.map((one, k) => ({
    ...one,
    limits: {
      ...{ lower: -20, upper: 20, velocity: margin * most.v[k], acceleration: margin * most.a[k] },
      jerk: jerk * most.jerk[k],
    },
    effort: margin * most.torque[k],
    accelerationAssumed: seed % 3 > 0,
  }));
  const scene = {
    ...{
      name: 'random',
      robot: {},
      goals: [],
      equivalent: false,
      attached: [],
      obstacles: [part],
      allow: [],
      padding: 0,
    },
    start: points[0].positions,
    tcp: { link, pose: { xyz: [0, 0, 0], quat_wxyz: [1, 0, 0, 0] } },
    steps,
  } as unknown as Scene;
  return {
    robot: { ...arm, variables, empty: arm.links.map(({ name }) => name) } as RobotModel,
    scene,
    motion,
    link,
    parts,
    body,
    inLink,
  };
}

const FACTORS = [0.6, 0.9, 0.97, 0.995, 1, 1.02, 1.1];

/**
 * Attacks the proofs of the limits of stops of a random program; undefined if it is not valid without them.
 * @param isSmooth true: with limits of jerk, which are 1.02 to 3 times the greatest jerk of the motion
 */
export function attackProgramStops(seed: number, isSmooth = false): StopAttack | undefined {
  const random = uniform(9000 + seed);
  const torque = random() < 0.6;
  const type = random() < 0.5 ? 'stopping_time' : 'stopping_distance';
  const { robot, motion, link, parts, body, inLink, ...given } = randomProgram(
    seed,
    1.02 + 0.3 * random(),
    isSmooth ? 1.02 + 2 * random() ** 2 : undefined,
  );
  const free: Scene = { ...given.scene, ...(torque && { torque: { scale: 1 } }) };
  const checker = { checker: 'growth-distance' } as const;
  const before = checkProgram(robot, free, motion, checker);
  if (!before.valid) return undefined;
  const report = stoppingReport(robot, free, motion, () => false, partsOf(before.intervals));
  if (report === undefined) return undefined;
  const factor = FACTORS[Math.floor(FACTORS.length * random())];
  const distance = Math.max(report.tcp_distance, report.elbow_distance ?? 0);
  const most = factor * (type === 'stopping_time' ? report.time : distance);
  const limits: readonly StopConstraint[] = [{ type, most }];
  const scene: Scene = { ...free, constraints: limits };
  const checked = checkProgram(robot, scene, motion, checker);
  const certificate = certifyProgram(motion, checked.intervals, robot, scene);
  const wrong: string[] = [];
  if (checked.valid || certificate !== undefined)
    for (const from of [
      report.at + 1e-4,
      report.tcp_at + 1e-4,
      ...parts.map(({ from: a, to: b }) => a + (b - a) * random()),
    ]) {
      const part = parts.findLast((one) => from >= one.from)!;
      const { time, length } = sampledStop(robot, motion, link, Math.min(from, part.to), torque, 1e-3, part);
      if (type === 'stopping_time' ? time > most + 2e-3 : length > most * 1.002 + 1e-4) wrong.push(`from ${from}`);
    }
  const attack = { isProved: checked.valid, isVerified: certificate !== undefined, factor, wrong };
  if (certificate === undefined) return { ...attack, changes: 0, falsified: 0 };
  let [changes, falsified] = [0, 0];
  const mutations = isSmooth ? SMOOTH_MUTATIONS : MUTATIONS;
  const segments = certificate.segments!;
  const tryStops = (k: number, stops: readonly CertificateStop[], one = robot) => {
    changes++;
    const fault = sampledFault(one, motion, scene, stops, parts[k]);
    if (fault === undefined) return;
    falsified++;
    const changed = { ...certificate, segments: segments.with(k, { ...segments[k], stops }) };
    if (verifyProgram(changed, one, scene, motion).proved) wrong.push(`accepted in part ${k}: ${fault}`);
  };
  for (const k of parts.keys()) {
    const stops = segments[k].stops!;
    tryStops(k, stops);
    const mutate = mutations[Math.floor(mutations.length * random())];
    tryStops(k, mutate([...stops], Math.floor(stops.length * random()), random));
    // stops of another part, and none
    tryStops(k, segments[(k + 1) % 3].stops!);
    tryStops(k, []);
  }
  // another center or another inertia of the object than that of the certificate
  const bodies: readonly MassProperties[] = [
    { ...body, center: [body.center[0] + 0.2 * random(), body.center[1], body.center[2] - 0.3 * random()] },
    { ...body, inertia: [0.02 + 2 * random(), 0.03 + random(), 0.04, 0, 0, 0].with(2, 1) as never },
  ];
  for (const inertial of torque ? bodies : []) {
    changes++;
    const carried = [...ownBodies(robot), { link, properties: inLink(inertial) }];
    const fault = sampledFault(robot, motion, scene, segments[1].stops!, { ...parts[1], bodies: carried });
    if (fault === undefined) continue;
    falsified++;
    const where = { ...scene, obstacles: scene.obstacles.map((one) => ({ ...one, inertial })) };
    if (verifyProgram(certificate, robot, where, motion).proved) wrong.push(`accepted another object: ${fault}`);
  }
  return { ...attack, changes, falsified };
}
