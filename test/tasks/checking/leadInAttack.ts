import { verifyCertificate } from '../../../src/core/certificate/verify.ts';
import { CollisionModel } from '../../../src/core/collision/model/collisionModel.ts';
import { CollisionManager } from '../../../src/core/collision/states/collisionManager.ts';
import { createRobotModel } from '../../../src/core/kinematics/createRobotModel.ts';
import type { RobotDescription, RobotModel } from '../../../src/core/kinematics/robotModel.ts';
import { Random } from '../../../src/core/math/random.ts';
import { withoutStart } from '../../../src/core/scene/configurationOf.ts';
import { IDENTITY_POSE, type Scene } from '../../../src/core/scene/scene.ts';
import type { Trajectory } from '../../../src/core/trajectory/trajectory.ts';
import { certifyTrajectory } from '../../../src/tasks/checking/certifyTrajectory.ts';
import type { CheckResult } from '../../../src/tasks/checking/checkResult.ts';
import { createTrajectoryChecker } from '../../../src/tasks/checking/checkTrajectory.ts';
import { repairTrajectory } from '../../../src/tasks/repair/repairTrajectory.ts';
import { type Chain, type ControllerPoint, contactOf, type Execution, executions, judge } from './leadInOracle.ts';

/** Metres: distances of less than this decide nothing, since the oracle samples. */
const NEAR = 1e-4;
/** Seconds: the oracle's resolution of contacts, and that which is promised. */
const CONTACT_TOLERANCE = 1e-3 + 4e-4;

/** Result of one attack. */
export interface Attacked {
  readonly status: string;
  /** What is wrong, one line each. */
  readonly trouble: readonly string[];
}

interface World {
  readonly chain: Chain;
  readonly robot: RobotModel;
  readonly scene: Scene;
  readonly start: readonly number[];
}

/** Random forms of trajectories: which values their points have. */
const FORMS = ['lines', 'cubic', 'quintic'] as const;

function worldOf(random: Random): World {
  const dof = 2 + random.below(3);
  const direction = () => {
    for (;;) {
      const v = [0, 0, 0].map(() => random.between(-1, 1));
      const norm = Math.hypot(...v);
      if (norm > 0.1 && norm <= 1) return v.map((x) => x / norm) as [number, number, number];
    }
  };
  const length = random.between(0.25, 0.45);
  const chain: Chain = {
    axes: Array.from({ length: dof }, direction),
    isContinuous: Array.from({ length: dof }, () => random.next() < 0.5),
    length,
    radius: random.between(0.02, 0.05),
    velocity: 2,
    acceleration: 6,
    spheres: Array.from({ length: 1 + random.below(4) }, () => {
      const reach = random.between(0.3, 1) * length * dof;
      return {
        center: direction().map((x) => x * reach) as [number, number, number],
        radius: random.between(0.03, 0.12),
      };
    }),
  };
  const start = chain.axes.map(() => random.between(-1.5, 1.5));
  const robot = createRobotModel(descriptionOf(chain));
  return { chain, robot, start, scene: sceneOf(chain, robot, start) };
}

function descriptionOf({ axes, isContinuous, length, radius, velocity, acceleration }: Chain): RobotDescription {
  const capsule = {
    shape: { type: 'capsule' as const, radius, length },
    pose: { ...IDENTITY_POSE, xyz: [0, 0, length / 2] as const },
    triangles: 0,
    source: 0,
  };
  return {
    name: 'chain',
    root: 'base',
    links: [{ name: 'base', collisions: [] }, ...axes.map((_, j) => ({ name: `l${j}`, collisions: [capsule] }))],
    joints: axes.map((axis, j) => ({
      name: `j${j}`,
      type: isContinuous[j] ? 'continuous' : 'revolute',
      parent: j === 0 ? 'base' : `l${j - 1}`,
      child: `l${j}`,
      origin: { ...IDENTITY_POSE, xyz: [0, 0, j === 0 ? 0 : length] },
      axis,
      ...(isContinuous[j] ? {} : { lower: -20, upper: 20 }),
      velocity,
      acceleration,
    })),
    allowed: [],
    states: {},
    groups: {},
    warnings: [],
  } as RobotDescription;
}

function sceneOf({ spheres }: Chain, { links }: RobotModel, start: readonly number[]): Scene {
  const obstacles = spheres.map(({ center, radius }, i) => ({
    name: `s${i}`,
    parts: [{ shape: { type: 'sphere' as const, radius } }],
    pose: { ...IDENTITY_POSE, xyz: center },
  }));
  const names = links.map(({ name }) => name).filter((name) => name !== 'base');
  const allow = names.flatMap((a, i) => names.slice(i + 1).map((b) => [a, b] as const));
  const robot = { packages: {}, fixed: {}, limits: {}, pose: IDENTITY_POSE, parts: 'hull' as const };
  return { name: 'spheres', robot, goals: [], obstacles, attached: [], allow, padding: 0, start } as unknown as Scene;
}

/** Returns points from time `first` on; with `lines`, they rest in one state, since corners are faults anyhow. */
function pointsOf(random: Random, { start }: World, form: (typeof FORMS)[number], count: number, first: number) {
  let time = first;
  let q = start.map((value) => value + (random.next() < 0.2 ? 0 : random.between(-1.2, 1.2)));
  if (random.next() < 0.15) q = [...start];
  const turn = random.next() < 0.15 ? 2 * Math.PI : 0;
  const isAtRest = random.next() < 0.5;
  const rates = (k: number, most: number) =>
    q.map(() => (k === count - 1 || (k === 0 && isAtRest) ? 0 : random.between(-most, most)));
  return Array.from({ length: count }, (_, k): ControllerPoint => {
    if (k > 0) {
      time += random.between(0.6, 2);
      if (form !== 'lines') q = q.map((value) => value + random.between(-0.5, 0.5));
    }
    const point = { time_from_start: time, positions: q.map((value) => value + turn) };
    if (form === 'lines') return point;
    const moving = { ...point, velocities: rates(k, 0.4) };
    return form === 'cubic' ? moving : { ...moving, accelerations: rates(k, 0.8) };
  });
}

const trajectoryOf = ({ robot }: World, points: readonly ControllerPoint[]): Trajectory => ({
  jointNames: robot.variables.map(({ name }) => name),
  points: points as Trajectory['points'],
});

/** What must not be, given what all executions do. */
function troubleOf(result: CheckResult, all: readonly Execution[], world: World, end: number, lead: number): string[] {
  const { chain } = world;
  const judged = all.map((one) => judge(one, chain, end));
  const leads = all.map((one) => judge(one, chain, lead));
  const least = Math.min(...judged.map((one) => one.least));
  const isBad = judged.some(({ rate, jumps }) => rate > 1.001 || jumps) || least < -1e-7;
  const isGood = judged.every(({ rate, jumps }) => rate < 0.999 && !jumps) && least > NEAR;
  const trouble: string[] = [];
  if (result.valid && isBad) trouble.push(`valid, but ${JSON.stringify(judged)}`);
  if (!result.valid && isGood)
    trouble.push(`not valid: ${JSON.stringify(result.faults)}, but ${JSON.stringify(judged)}`);
  if (result.collision && least > NEAR) trouble.push(`in collision, but the least distance is ${least}`);
  if (lead > 0) {
    if (!result.leadIn) trouble.push('no lead-in');
    const isLeadBad = leads.some((one) => one.least < -1e-7 || one.rate > 1.001);
    if (result.leadIn?.valid && isLeadBad) trouble.push(`lead-in valid, but ${JSON.stringify(leads)}`);
  }
  const { collision } = result;
  if (!collision) return trouble;
  const [link, sphere] = collision.pair.map((name) => Number(name.slice(1)));
  const found = all.map((one) => ({ first: contactOf(one, chain), own: contactOf(one, chain, link, sphere) }));
  const isNear = (a: number, b: number | undefined) => b !== undefined && Math.abs(a - b) <= CONTACT_TOLERANCE;
  const isRight = found.some(
    ({ first, own }) => isNear(collision.from, first?.from) && isNear(collision.until, own?.until),
  );
  if (!isRight && least < -NEAR) trouble.push(`contact ${JSON.stringify(collision)}, but ${JSON.stringify(found)}`);
  return trouble;
}

/** Attacks check, verify and repair with a trajectory whose first point is later, or at time 0 elsewhere. */
function attackLeadIn(seed: number, kind: 'later' | 'single' | 'far'): Attacked {
  const random = new Random(seed);
  const world = worldOf(random);
  const { robot, scene, start, chain } = world;
  const form = FORMS[random.below(FORMS.length)];
  const count = kind === 'single' ? 1 : 2 + random.below(3);
  const points = pointsOf(random, world, form, count, kind === 'far' ? 0 : random.between(0.5, 4));
  const trajectory = trajectoryOf(world, points);
  const manager = new CollisionManager(new CollisionModel(robot, scene));
  const check = createTrajectoryChecker(robot, manager);
  const result = check(trajectory);
  if (kind === 'far') {
    const away = Math.max(...points[0].positions.map((value, j) => Math.abs(value - start[j])));
    const isNamed = result.faults.some((fault) => fault.kind === 'start');
    return {
      status: isNamed ? 'elsewhere' : 'there',
      trouble: away > 1e-3 === isNamed && !(isNamed && result.valid) ? [] : [`${away} away`],
    };
  }
  const [lead, end] = [points[0].time_from_start!, points[count - 1].time_from_start!];
  const all = executions(points, start, chain);
  const trouble = troubleOf(result, all, world, end, lead);
  // A certificate is no proof unless every execution is free, also if it was made for a robot at the first point.
  const free = withoutStart(scene) as Scene;
  const anywhere = new CollisionManager(new CollisionModel(robot, free));
  const isFree = all.every((one) => judge(one, chain, end).least > -1e-7);
  for (const posed of [manager.posed, anywhere.posed]) {
    const certificate = certifyTrajectory(posed, trajectory);
    const proved = certificate !== undefined && verifyCertificate(certificate, robot, scene, trajectory).proved;
    if (proved && !isFree) trouble.push('the certificate is proved');
    if (posed === manager.posed && certificate && !proved) trouble.push('the certificate is not proved');
  }
  if (result.valid) return { status: 'valid', trouble };
  const repaired = repairTrajectory(
    trajectory,
    robot,
    scene,
    { seed, timeLimit: 5 },
    { clock: () => performance.now() },
  );
  if (repaired.trajectory === undefined) return { status: 'not repaired', trouble };
  const after = repaired.trajectory.points as readonly ControllerPoint[];
  const mended = executions(after, start, chain);
  const last = after[after.length - 1].time_from_start!;
  for (const { least, rate, jumps } of mended.map((one) => judge(one, chain, last)))
    if (least < -1e-7 || rate > 1.001 || jumps) trouble.push(`repaired: ${JSON.stringify({ least, rate, jumps })}`);
  const from = judgeStart(after[0], start);
  if (after[0].time_from_start === 0 && from > 1e-3) trouble.push(`repaired: begins ${from} away`);
  return { status: 'repaired', trouble };
}

const judgeStart = ({ positions }: ControllerPoint, start: readonly number[]) =>
  Math.max(...positions.map((value, j) => Math.abs(value - start[j])));

/** Attacks check and repair with a motion whose angles jump by full turns. */
function attackTurns(seed: number): Attacked {
  const random = new Random(seed);
  const world = worldOf(random);
  const { robot, start, chain } = world;
  const scene = { ...world.scene, obstacles: [] };
  const form = FORMS[1 + random.below(2)];
  const [first, ...rest] = pointsOf(random, world, form, 4 + random.below(4), 0);
  const still = { ...first, positions: [...start], velocities: start.map(() => 0) };
  const base = [
    still,
    ...rest.map((point) => ({
      ...point,
      positions: point.positions.map((value, j) => value - first.positions[j] + start[j]),
    })),
  ];
  const free = base.map((point) => ({
    ...point,
    velocities: start.map(() => 0),
    ...(point.accelerations && { accelerations: start.map(() => 0) }),
  }));
  const joint = random.below(start.length);
  const turns = (random.next() < 0.5 ? -1 : 1) * (1 + random.below(2));
  const at = 1 + random.below(free.length - 1);
  const points = free.map((point, k) => ({
    ...point,
    positions: point.positions.map((value, j) => (j === joint && k >= at ? value + 2 * Math.PI * turns : value)),
  }));
  const manager = new CollisionManager(new CollisionModel(robot, scene));
  const result = createTrajectoryChecker(robot, manager)(trajectoryOf(world, points));
  const isNamed = result.faults.some((fault) => fault.kind === 'full-turn');
  const trouble: string[] = [];
  const path = points.map(({ positions }) => ({ positions }));
  const ofPath = createTrajectoryChecker(robot, manager)({ ...trajectoryOf(world, points), points: path });
  const isNamedOfPath = ofPath.faults.some((fault) => fault.kind === 'full-turn');
  if (isNamedOfPath !== (chain.isContinuous[joint] && !ofPath.valid)) trouble.push(`path, named: ${isNamedOfPath}`);
  if (chain.isContinuous[joint] && ofPath.valid) trouble.push('the path is valid');
  if (judge(executions(points, start, chain)[0], { ...chain, spheres: [] }, 99).rate > 1.001 && result.valid)
    trouble.push('valid');
  if (isNamed !== (chain.isContinuous[joint] && !result.valid)) trouble.push(`named: ${isNamed}`);
  const repaired = repairTrajectory(trajectoryOf(world, points), robot, scene, { seed });
  if (isNamed && repaired.trajectory !== undefined) {
    const mended = repaired.trajectory.points as readonly ControllerPoint[];
    const travel = (list: readonly ControllerPoint[]) =>
      list.slice(1).reduce((sum, { positions }, k) => sum + Math.abs(positions[joint] - list[k].positions[joint]), 0);
    if (travel(mended) > travel(free) + 1e-6) trouble.push(`travels ${travel(mended)} instead of ${travel(free)}`);
  }
  if (isNamed && repaired.status !== 'repaired') trouble.push(repaired.reason);
  return { status: isNamed ? 'unwrapped' : repaired.status, trouble };
}

/** Attacks by name. */
export const leadInAttacks: Readonly<Record<string, (seed: number) => Attacked>> = {
  later: (seed) => attackLeadIn(seed, 'later'),
  single: (seed) => attackLeadIn(seed, 'single'),
  far: (seed) => attackLeadIn(seed, 'far'),
  turns: attackTurns,
};
