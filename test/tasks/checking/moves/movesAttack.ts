import type { MoveCertificate } from '../../../../src/core/certificate/moves/moveCertificate.ts';
import type { RobotDescription, RobotModel } from '../../../../src/core/kinematics/robotModel.ts';
import { Random } from '../../../../src/core/math/random.ts';
import type { PathConstraint } from '../../../../src/core/scene/constraints.ts';
import type { MoveProgram } from '../../../../src/core/scene/moves/moveProgram.ts';
import type { Scene } from '../../../../src/core/scene/scene.ts';
import { InputError } from '../../../../src/errors.ts';
import { moveProgramOf } from '../../../../src/tasks/checking/moves/readMoveProgram.ts';
import { verifyMoves } from '../../../../src/tasks/checking/moves/verifyMoves.ts';
import { repairMoves } from '../../../../src/tasks/repair/moves/repairMoves.ts';
import { movesReport } from '../../../../src/tasks/reports/movesReport.ts';
import { createSceneRobot } from '../../../../src/tasks/sceneRobot.ts';
import { type Leg, legsOf, member, sampledStates, type Target } from './moveMembers.ts';
import {
  add,
  balls,
  dist,
  elbowOf,
  mix,
  mulTransposed,
  type Pose,
  rotation,
  rotationVector,
  solve,
  toolPose,
  ur5e,
} from './movesOracle.ts';

export const TCP = [0, 0, 0.14];
/** Balls of the tool, in the frame of the flange, and of the forearm, along its axis. */
export const [TOOL, ALONG] = [[0, 0.01, 0.08], -0.2];
export const RADII = [0.04, 0.06];
export const START = [-0.64, -1.48, 1.7, -1.79, -1.57, -3.78];

const STEPS = Number(process.env.ELBOWROOM_STEPS ?? 60);

/** Result of one attack: the verdict, and the least gap of any sampled motion, metres. */
export interface Attack {
  readonly verdict: string;
  readonly gap: number;
  readonly faults: readonly string[];
  readonly text: string;
  /** Whether the certificate of a valid program is verified. */
  readonly isVerified: boolean;
  /** How its certificate is judged for robots with other joint limits; none if it has no certificate. */
  readonly limits: readonly LimitTrial[];
}

/** Whether a certificate is accepted for a robot with one other joint limit. */
interface LimitTrial {
  readonly isAccepted: boolean;
  /** Distance of a sampled state from the limit, rad; negative: beyond it. */
  readonly room: number;
  readonly place: string;
}

export const poseText = ({ p, R }: Pose) => `p[${[...p, ...rotationVector(R)].map((x) => x.toFixed(9)).join(', ')}]`;

/** Returns the move to a target. */
export function lineOf({ kind, q, pose, via, radius }: Target): string {
  const tail = `a=1.2, v=0.25${radius > 0 ? `, r=${radius}` : ''}`;
  if (kind === 'movej') return `  movej([${q!.join(', ')}], ${tail})`;
  if (kind === 'pose') return `  movej(${poseText(pose!)}, ${tail})`;
  if (kind === 'movec') return `  movec(${poseText({ p: via!, R: pose!.R })}, ${poseText(pose!)}, ${tail})`;
  return `  ${kind}(${poseText(pose!)}, ${tail})`;
}

const textOf = (targets: readonly Target[]): string =>
  ['def program():', `  set_tcp(p[${TCP.join(', ')}, 0, 0, 0])`, ...targets.map(lineOf), 'end', ''].join('\n');

const poseOf = (n: readonly number[]): Pose => ({ p: n.slice(0, 3), R: rotation(n.slice(3)) });

export function randomTargets(random: Random, start: readonly number[], tilts = [0, 0, 0.1, 0.5]): Target[] {
  const count = 2 + Math.floor(random.between(0, 2.999));
  const home = toolPose(start, TCP);
  let R = home.R;
  const tilt = tilts[Math.floor(random.between(0, tilts.length - 1e-3))];
  return Array.from({ length: count }, (): Target => {
    const radius = random.between(0, 1) < 0.6 ? Number(random.between(0.005, 0.06).toFixed(4)) : 0;
    const die = random.between(0, 1);
    if (die < 0.25) return { kind: 'movej', q: start.map((x) => x + random.between(-0.35, 0.35)), radius };
    const shift = [0, 1, 2].map(() => random.between(-0.18, 0.18));
    if (random.between(0, 1) < 0.5)
      R = rotation([0, 1, 2].map(() => random.between(-tilt, tilt))).map((row) =>
        row.map((_, j) => row.reduce((s, x, k) => s + x * home.R[k][j], 0)),
      );
    const rounded = poseOf([...add(home.p, shift), ...rotationVector(R)].map((x) => Number(x.toFixed(9))));
    if (die < 0.35) return { kind: 'pose', pose: rounded, radius };
    if (die < 0.5)
      return {
        kind: 'movec',
        pose: rounded,
        via: add(
          home.p,
          [0, 1, 2].map(() => random.between(-0.15, 0.15)),
        ).map((x) => Number(x.toFixed(9))),
        radius,
      };
    return { kind: die < 0.85 ? 'movel' : 'movep', pose: rounded, radius };
  });
}

/** World coordinates of a point in the controller's base, which is turned by half a turn. */
export const world = ([x, y, z]: readonly number[]): [number, number, number] => [-x, -y, z];

/** A random program, and motions of its set that were sampled. */
interface Sampled {
  readonly random: Random;
  readonly start: readonly number[];
  readonly text: string;
  readonly model: RobotModel;
  readonly program: MoveProgram;
  readonly legs: readonly Leg[];
  readonly states: readonly (readonly number[])[];
}

/** @param count sampled motions */
function sampledProgram(
  robot: RobotDescription,
  seed: number,
  count: number,
  tilts?: number[],
  isBlended = true,
): Sampled | undefined {
  const random = new Random(seed);
  const start = START.map((x) => x + random.between(-0.2, 0.2));
  const targets = randomTargets(random, start, tilts).map((one) => (isBlended ? one : { ...one, radius: 0 }));
  return sampledMotions(robot, random, start, targets, textOf(targets), count);
}

/** Motions of a program with these targets. @param count sampled motions */
function sampledMotions(
  robot: RobotDescription,
  random: Random,
  start: readonly number[],
  targets: readonly Target[],
  text: string,
  count: number,
): Sampled | undefined {
  const empty = sceneOf(robot, start, []);
  const model = createSceneRobot({ scene: empty, robot });
  let program: ReturnType<typeof moveProgramOf>;
  try {
    program = moveProgramOf(text, 'p.script', model, empty);
  } catch {
    return undefined; // out of reach
  }
  const tool = { arm: ur5e, tcp: TCP };
  const taken = program!.moves.map(({ joints }) => joints);
  const legs = legsOf(tool, start, targets, taken);
  if (!legs) return undefined;
  const states = Array.from({ length: count }, () => {
    const pieces = member(tool, legs, targets, random);
    return pieces && sampledStates(pieces, start, STEPS);
  }).flatMap((one) => one?.flat() ?? []);
  return { random, start, text, model, program: program!, legs, states };
}

/** Result of an attack on one limit: `slack` is how far it is beyond the greatest value of the sampled motions. */
export interface LimitAttack {
  readonly verdict: string;
  readonly constraint: PathConstraint;
  readonly slack: number;
  readonly faults: readonly string[];
  readonly text: string;
  readonly isVerified: boolean;
}

/** A limit of a kind whose greatest value over sampled motions it exceeds by a slack; undefined: no sample has one. */
function limitOf({ random, states, legs }: Sampled, kind: number, slack: number): PathConstraint | undefined {
  const direction = [0, 1, 2].map(() => random.between(-1, 1));
  const n = direction.map((x) => x / Math.hypot(...direction)) as [number, number, number];
  const along = (p: readonly number[]) => world(p).reduce((sum, x, i) => sum + x * n[i], 0);
  const most = (sizeOf: (q: readonly number[]) => number) => Math.max(...states.map(sizeOf)) + slack;
  const elbow = { isElbow: true, pose: plain([0, 0, 0]) } as const;
  const joint = Math.floor(random.between(0, 5.999));
  const name = JOINTS[joint];
  if (kind < 2) {
    const placeOf = (q: readonly number[]) => (kind === 0 ? toolPose(q, TCP).p : elbowOf(q));
    const height = most((q) => along(placeOf(q)));
    const at = n.map((x) => height * x);
    const shape = { type: 'halfspace', normal: n } as const;
    return { type: 'region', ...(kind === 1 && { frame: elbow }), shape, pose: plain(at) };
  }
  if (kind === 2) {
    const axisOf = (q: readonly number[]) => world(toolPose(q, TCP).R.map((row) => row[2]));
    const towards = axisOf(states[0]);
    const within = most((q) =>
      Math.acos(
        Math.min(
          1,
          axisOf(q).reduce((sum, x, i) => sum + x * towards[i], 0),
        ),
      ),
    );
    return within > 0 ? { type: 'tilt', axis: [0, 0, 1], towards, within } : undefined;
  }
  if (kind === 3) return { type: 'joint', joint: name, range: [-7, most((q) => q[joint])] };
  const fastest = (sizeOf: (from: readonly number[], to: readonly number[]) => number) =>
    Math.max(...legs.map((leg) => speedOn(leg, sizeOf)));
  const value =
    kind === 4
      ? fastest((from, to) => dist(elbowOf(from), elbowOf(to)))
      : fastest((from, to) => Math.abs(to[joint] - from[joint]));
  if (!Number.isFinite(value) || !(value * (1 + slack) > 0)) return undefined;
  return kind === 4
    ? { type: 'speed', frame: elbow, most: value * (1 + slack) }
    : { type: 'joint_speed', joint: name, most: value * (1 + slack) };
}

const JOINTS = ['shoulder_pan', 'shoulder_lift', 'elbow', 'wrist_1', 'wrist_2', 'wrist_3'].map((x) => `${x}_joint`);

/** Greatest change of a value per second on a leg at 0.25 rad/s or m/s; infinite if its orientation changes. */
function speedOn(
  { from, to, at, travel }: Leg,
  sizeOf: (a: readonly number[], b: readonly number[]) => number,
): number {
  const length = at ? travel! : Math.max(...from.map((x, j) => Math.abs(to[j] - x)));
  if (at && dist(rotationVector(mulTransposed(at(1, 1).R, at(0, 0).R)), [0, 0, 0]) > 1e-7)
    return Number.POSITIVE_INFINITY;
  let most = 0;
  let q = [...from];
  for (let k = 1; k <= SPEED_STEPS; k++) {
    const next = at ? solve(q, at(k / SPEED_STEPS, 0), TCP) : mix(from, to, k / SPEED_STEPS);
    if (next === undefined) return Number.POSITIVE_INFINITY;
    most = Math.max(most, sizeOf(q, next));
    q = next;
  }
  return length > 1e-6 ? (most * SPEED_STEPS * 0.25) / length : 0;
}

const SPEED_STEPS = 200;

/** Attacks one limit of a kind (0 to 5) of a random program. @param slack of it: negative: it is broken */
export function attackLimit(
  robot: RobotDescription,
  seed: number,
  count: number,
  kind: number,
  slack: number,
): LimitAttack | undefined {
  const sampled = sampledProgram(robot, seed, count, [0, 0, 0.03], kind < 4 && seed % 2 > 0);
  const constraint = sampled && limitOf(sampled, kind, slack);
  if (!constraint) return undefined;
  const { text, model, program, start } = sampled;
  const scene = { ...sceneOf(robot, start, []), constraints: [constraint] };
  const { report, certify } = movesReport(model, scene, program, { checker: 'growth-distance', place: 'p' });
  const isVerified = report.valid && certify() !== undefined;
  return { verdict: report.verdict, constraint, slack, text, isVerified, faults: report.faults };
}

/** Returns the least gap between sampled states and a ball. */
function gapTo(states: Sampled['states']): (ball: Ball) => number {
  const paths = states.map((state) => balls(state, TOOL, ALONG));
  return ({ center, radius }) =>
    Math.min(...paths.flatMap((at) => at.map((ball, i) => dist(ball, center) - radius - RADII[i])));
}

interface Ball {
  readonly center: readonly number[];
  readonly radius: number;
}

/** A ball whose gap to sampled motions is within bounds; undefined: none is found. */
function randomBall({ random, states }: Sampled, least: number, most: number): Ball | undefined {
  const gapOf = gapTo(states);
  return Array.from({ length: 60 }, () => {
    const [at] = [states[Math.floor(random.between(0, states.length - 1))]].map((q) => balls(q, TOOL, ALONG));
    const which = Math.floor(random.between(0, 1.999));
    const radius = random.between(0.005, 0.04);
    const away = [0, 1, 2].map(() => random.between(-1, 1));
    const reach = (RADII[which] + radius + random.between(0, 0.012)) / Math.hypot(...away);
    return { center: add(at[which], away, reach), radius };
  }).find((ball) => {
    const gap = gapOf(ball);
    return gap > least && gap < most;
  });
}

/** Result of an attack on one repair: the least gap of sampled motions of the repaired program. */
export interface RepairAttack {
  readonly status: string;
  readonly reason: string;
  readonly gap: number;
  readonly text: string;
  /** Lines of the given program that are missing in the repaired one, in order, and are not stated as changed. */
  readonly lost: readonly string[];
}

/** Repairs a random program with a ball in its way. @param count sampled motions */
export function attackRepair(robot: RobotDescription, seed: number, count: number): RepairAttack | undefined {
  const sampled = sampledProgram(robot, seed, 2);
  if (sampled === undefined) return undefined;
  const ball = randomBall(sampled, -0.03, 2e-3);
  const { start, model, text, legs } = sampled;
  if (ball === undefined || gapTo(legs.flatMap(({ from, to }) => [from, to]))(ball) < 2e-3) return undefined;
  const scene = sceneOf(robot, start, [ball]);
  const found = repairMoves(text, 'p.script', model, scene, { seed: 1 });
  const { status, reason, changed } = found;
  if (found.text === undefined) return { status, reason, gap: Number.NaN, text, lost: [] };
  const after = sampledMotions(robot, new Random(seed), start, targetsOf(found.text), found.text, count);
  if (after === undefined) throw new Error(`the oracle cannot follow\n${found.text}`);
  let rest = found.text.split('\n');
  const lost = text.split('\n').filter((line, i) => {
    if (changed.includes(i + 1)) return false;
    const at = rest.indexOf(line);
    if (at >= 0) rest = rest.slice(at + 1);
    return at < 0;
  });
  return { status, reason, gap: gapTo(after.states)(ball), text: found.text, lost };
}

/** Reads the targets of a program that was written by `textOf` and repaired. */
function targetsOf(text: string): Target[] {
  return [...text.matchAll(/^ *(move[jlcp])\((.*)\)$/gm)].map(([, kind, given]): Target => {
    const lists = [...given.matchAll(/(p?)\[([^\]]*)\]/g)].map(([, isPose, numbers]) => ({
      isPose: isPose !== '',
      numbers: numbers.split(',').map(Number),
    }));
    const radius = Number(/\br=([\d.]+)/.exec(given)?.[1] ?? 0);
    const last = lists[lists.length - 1];
    if (!last.isPose) return { kind: 'movej', q: last.numbers, radius };
    const pose = poseOf(last.numbers);
    if (kind === 'movej') return { kind: 'pose', pose, radius };
    if (kind === 'movec') return { kind, pose, via: lists[0].numbers.slice(0, 3), radius };
    return { kind: kind as 'movel' | 'movep', pose, radius };
  });
}

/** Attacks one random program. @param count sampled motions */
export function attackMoves(robot: RobotDescription, seed: number, count: number): Attack | undefined {
  const sampled = sampledProgram(robot, seed, count);
  if (sampled === undefined) return undefined;
  const { random, start, text, model, program, states } = sampled;
  const found = randomBall(sampled, -4e-3, 12e-3);
  if (!found) return undefined;
  const scene = sceneOf(robot, start, [found]);
  const { report, certify } = movesReport(model, scene, program, { checker: 'growth-distance', place: 'p' });
  const { verdict, faults } = report;
  const certificate = verdict === 'valid' ? certify() : undefined;
  const limits =
    certificate === undefined
      ? []
      : Array.from({ length: LIMITS }, (): LimitTrial => {
          const j = random.below(start.length);
          const { name } = model.variables[j];
          const side = random.below(2) === 0 ? 'lower' : 'upper';
          const extreme = states.reduce((most, q) => Math[side === 'lower' ? 'min' : 'max'](most, q[j]), start[j]);
          const room = 10 ** random.between(-8, -1) * (random.below(3) === 0 ? 1 : -1);
          const limit = extreme + (side === 'lower' ? -room : room);
          const narrow = { ...scene, robot: { ...scene.robot, limits: { [name]: { [side]: limit } } } } as Scene;
          const isAccepted = accepts(certificate, narrow, robot, program);
          return { isAccepted, room, place: `${name} ${side} ${limit}` };
        });
  return {
    verdict,
    gap: gapTo(states)(found),
    faults,
    text,
    isVerified: certificate !== undefined,
    limits,
  };
}

/** Number of other limits for which a certificate is verified. */
const LIMITS = 8;

/** Returns whether a certificate proves a program for the robot of a scene, whose start may be refused. */
function accepts(certificate: MoveCertificate, scene: Scene, robot: RobotDescription, program: MoveProgram): boolean {
  try {
    return verifyMoves(certificate, createSceneRobot({ scene, robot }), scene, program).proved;
  } catch (error) {
    if (error instanceof InputError) return false;
    throw error;
  }
}

const plain = (xyz: readonly number[]) => ({
  xyz: [...xyz] as [number, number, number],
  quat_wxyz: [1, 0, 0, 0] as const,
});

export function sceneOf(
  robot: RobotDescription,
  start: readonly number[],
  obstacles: readonly { center: readonly number[]; radius: number }[],
): Scene {
  const ball = (name: string, link: string, radius: number, at: readonly number[]) => ({
    name,
    link,
    touches: [],
    parts: [{ shape: { type: 'sphere' as const, radius } }],
    pose: plain(at),
  });
  return {
    name: 'moves',
    robot: {
      name: 'ur5e',
      packages: {},
      fixed: {},
      limits: {},
      pose: plain([0, 0, 0]),
      parts: 'hull',
      empty: robot.links.map(({ name }) => name),
    },
    start: Object.fromEntries(
      robot.joints.filter(({ type }) => type === 'revolute').map(({ name }, j) => [name, start[j]]),
    ),
    goals: [],
    equivalent: false,
    obstacles: obstacles.map(({ center, radius }, i) => ({
      name: `obstacle${i}`,
      parts: [{ shape: { type: 'sphere', radius } }],
      pose: plain(world(center)),
    })),
    attached: [ball('tool', 'tool0', RADII[0], TOOL), ball('forearm', 'forearm_link', RADII[1], [ALONG, 0, 0])],
    allow: [['tool', 'forearm']],
    padding: 0,
    tcp: { link: 'tool0', pose: plain(TCP) },
  } as unknown as Scene;
}
