/** Attacks verdicts on random programs of moves of random arms in random scenes by sampled motions of their sets. */
import type { RobotDescription } from '../../../../src/core/kinematics/robotModel.ts';
import { Random } from '../../../../src/core/math/random.ts';
import type { Scene } from '../../../../src/core/scene/scene.ts';
import { moveProgramOf } from '../../../../src/tasks/checking/moves/readMoveProgram.ts';
import { movesReport } from '../../../../src/tasks/reports/movesReport.ts';
import { createSceneRobot } from '../../../../src/tasks/sceneRobot.ts';
import { legsOf, member, type Piece, sampledStates, type Target } from './moveMembers.ts';
import { add, dist, placed, rotation, rotationVector } from './movesOracle.ts';
import {
  type Body,
  ballsAt,
  type RandomArm,
  type RandomLimit,
  randomArm,
  randomBodies,
  randomLimit,
  statedPose,
} from './randomCell.ts';

/** Result of an attack on one program. */
export interface CellAttack {
  readonly verdict: string;
  /** The first fault. */
  readonly fault: string | undefined;
  /** Kinds of the moves, with `~` after those with a blend. */
  readonly kinds: string;
  readonly arm: string;
  /** Motions and states that were sampled. */
  readonly members: number;
  readonly states: number;
  /** Motions that the oracle cannot follow: they end at a singularity or beyond the reach. */
  readonly unfollowed: number;
  /** Least gap between bodies (beyond the padding), metres, and room to limits, m or rad, of all of them. */
  readonly gap: number;
  readonly room: number;
  /** Of a valid program whose certificate was computed: whether it is verified. */
  readonly isVerified?: boolean;
  /** What is wrong; absent if nothing is. */
  readonly wrong?: string;
  /** CPU time of the proof, ms. */
  readonly ms: number;
}

/** Members and steps by which obstacles are placed, and those of the attack. */
const [PLACED, COARSE, FINE] = [3, 60, 400];
/** Steps of the search for a minimum. */
const BISECTIONS = 24;
/** m, rad: contact and limits that are exceeded by less are rounding. */
const [TOUCH, BEYOND] = [1e-7, 1e-6];

/** Attacks the program of a seed by `count` motions; undefined if it is refused or the oracle cannot follow it. */
export function attackCell(
  family: ReadonlyMap<string, RobotDescription>,
  seed: number,
  count: number,
): CellAttack | undefined {
  const random = new Random(seed);
  const own = randomArm(family, random);
  const targets = randomTargets(random, own);
  const text = textOf(targets, own.tcp);
  const read = programOf(text, own, sceneOf(own, [], undefined, 0, false));
  if (read === undefined) return undefined;
  const legs = legsOf(
    own,
    own.start,
    targets,
    read.program.moves.map(({ joints }) => joints),
  );
  if (legs === undefined) return undefined;
  const draw = () => member(own, legs, targets, random);
  const coarse = Array.from({ length: PLACED }, draw).flatMap(
    (one) => (one && sampledStates(one, own.start, COARSE)) ?? [],
  );
  if (coarse.length === 0) return undefined;
  const flat = coarse.flat();
  const bodies = randomBodies(random, own, flat);
  const limit = randomLimit(random, own, flat);
  const padding = random.below(3) === 0 ? 1e-3 : 0;
  const isSelf = random.below(2) === 0 && flat.every((q) => selfGap(own, ballsAt(own, q)) > 0.01);
  const scene = sceneOf(own, bodies, limit, padding, isSelf);
  const limited = programOf(text, own, scene);
  if (limited === undefined) return undefined;
  const before = process.cpuUsage();
  const { report, certify } = movesReport(limited.model, scene, limited.program, {
    checker: 'growth-distance',
    place: 'p',
  });
  const { user, system } = process.cpuUsage(before);
  const roomOf = (q: readonly number[]) => Math.min(roomWithin(q), limit?.room(q) ?? Number.POSITIVE_INFINITY);
  const margins = [(q: readonly number[]) => gapAt(own, bodies, isSelf, q) - padding, roomOf];
  const least = Array.from({ length: count }, draw).flatMap((one) => leastMargins(one, own.start, margins) ?? []);
  const [gap, room] = [0, 1].map((k) => Math.min(1e9, ...least.map(({ values }) => values[k])));
  const { verdict } = report;
  const isKept = least.some(({ values: [g, r] }) => g > TOUCH && r > BEYOND);
  const isBroken = gap < -TOUCH || room < -BEYOND;
  const isVerified = verdict === 'valid' && seed % 4 === 0 ? certify() !== undefined : undefined;
  const wrong = contradiction(verdict, isBroken, isKept, isVerified);
  return {
    verdict,
    fault: report.faults[0],
    kinds: targets
      .map(({ kind, radius, isTangential }) => kind + (isTangential ? '1' : '') + (radius > 0 ? '~' : ''))
      .join(' '),
    arm: own.name,
    members: least.length,
    states: least.reduce((sum, { states }) => sum + states, 0),
    unfollowed: count - least.length,
    gap,
    room,
    ...(isVerified !== undefined && { isVerified }),
    ...(wrong !== undefined && { wrong }),
    ms: Math.round((user + system) / 1000),
  };
}

/** Returns how sampled motions or the certificate contradict a verdict; undefined: they do not. */
function contradiction(verdict: string, isBroken: boolean, isKept: boolean, isVerified: boolean | undefined) {
  if (verdict === 'valid' && isBroken) return 'a motion of a valid program touches or breaks a limit';
  if (verdict === 'invalid' && isKept) return 'a motion of an invalid program keeps all';
  return isVerified === false ? 'the certificate is not verified' : undefined;
}

/** Returns the least margins along a motion, each found by bisection about the minimum of every part. */
function leastMargins(
  pieces: readonly Piece[] | undefined,
  start: readonly number[],
  margins: readonly ((q: readonly number[]) => number)[],
) {
  const sampled = pieces && sampledStates(pieces, start, FINE);
  if (sampled === undefined) return undefined;
  const values = margins.map((margin) => {
    let least = Number.POSITIVE_INFINITY;
    for (const [i, states] of sampled.entries()) {
      const found = states.map(margin);
      const at = found.reduce((best, value, k) => (value < found[best] ? k : best), 0);
      least = Math.min(least, minimumAbout(pieces![i], states, at, margin, found[at]));
    }
    return least;
  });
  return { values, states: sampled.length * (FINE + 1) };
}

/** Returns the least value that golden sections find between the neighbors of a sampled minimum. */
function minimumAbout(
  piece: Piece,
  states: readonly (readonly number[])[],
  at: number,
  margin: (q: readonly number[]) => number,
  known: number,
): number {
  let [low, high] = [Math.max(0, at - 1) / FINE, Math.min(FINE, at + 1) / FINE];
  let [best, near] = [known, states[at]];
  const valueAt = (x: number) => {
    const q = piece(x, near);
    if (q === undefined || dist(q, states[at]) > 0.5) return Number.POSITIVE_INFINITY;
    near = q;
    return margin(q);
  };
  for (let k = 0; k < BISECTIONS; k++) {
    const [a, b] = [0.382, 0.618].map((share) => low + share * (high - low));
    const [one, other] = [valueAt(a), valueAt(b)];
    best = Math.min(best, one, other);
    if (one < other) high = b;
    else low = a;
  }
  return best;
}

/** Room of the joints to the limits that the maker publishes: a full turn, half a turn for the elbow. */
const roomWithin = (q: readonly number[]) =>
  Math.min(...q.map((x, j) => (j === 2 ? Math.PI : 2 * Math.PI) - Math.abs(x)));

function gapAt(own: RandomArm, bodies: readonly Body[], isSelf: boolean, q: readonly number[]): number {
  const at = ballsAt(own, q);
  let least = isSelf ? selfGap(own, at) : Number.POSITIVE_INFINITY;
  for (const { distance } of bodies)
    for (const [i, p] of at.entries()) least = Math.min(least, distance(p) - own.balls[i].radius);
  return least;
}

/** Gap of the tool to the forearm and to the upper arm. */
const selfGap = ({ balls }: RandomArm, [tool, ...others]: readonly (readonly number[])[]) =>
  Math.min(...others.map((p, i) => dist(tool, p) - balls[0].radius - balls[i + 1].radius));

const shown = (values: readonly number[]) => values.map((x) => x.toFixed(9)).join(', ');
const poseText = (p: readonly number[], R: Parameters<typeof rotationVector>[0]) =>
  `p[${shown([...p, ...rotationVector(R)])}]`;

function textOf(targets: readonly Target[], tcp: readonly number[]): string {
  const lines = targets.map(({ kind, q, pose, via, radius, isTangential }) => {
    const tail = `a=1.2, v=0.25${radius > 0 ? `, r=${radius}` : ''}`;
    if (kind === 'movej') return `  movej([${shown(q!)}], ${tail})`;
    const target = poseText(pose!.p, pose!.R);
    if (kind === 'pose') return `  movej(${target}, ${tail})`;
    if (kind === 'movec')
      return `  movec(${poseText(via!, pose!.R)}, ${target}, ${tail}${isTangential ? ', mode=1' : ''})`;
    return `  ${kind}(${target}, ${tail})`;
  });
  const frame = tcp.length > 3 ? tcp : [...tcp, 0, 0, 0];
  return ['def program():', `  set_tcp(p[${frame.join(', ')}])`, ...lines, 'end', ''].join('\n');
}

function randomTargets(random: Random, { arm, tcp, start, size }: RandomArm): Target[] {
  const home = arm.toolPose(start, tcp);
  const tilt = [0, 0, 0.1, 0.5][random.below(4)];
  const near = (scale: number) => [0, 1, 2].map(() => scale * size * random.between(-1, 1));
  const rounded = (values: readonly number[]) => values.map((x) => Number(x.toFixed(9)));
  let { R } = home;
  return Array.from({ length: 2 + random.below(3) }, (): Target => {
    const radius = random.between(0, 1) < 0.6 ? Number((size * random.between(0.005, 0.06)).toFixed(4)) : 0;
    const die = random.between(0, 1);
    if (die < 0.25) return { kind: 'movej', q: rounded(start.map((x) => x + random.between(-0.35, 0.35))), radius };
    if (random.below(2) === 0)
      ({ R } = placed({ p: [0, 0, 0], R: rotation([0, 1, 2].map(() => random.between(-tilt, tilt))) }, home));
    const pose = { p: rounded(add(home.p, near(0.18))), R: rotation(rounded(rotationVector(R))) };
    if (die < 0.35) return { kind: 'pose', pose, radius };
    if (die >= 0.55) return { kind: die < 0.87 ? 'movel' : 'movep', pose, radius };
    const isTangential = random.below(3) === 0;
    return {
      kind: 'movec',
      pose,
      via: rounded(add(home.p, near(0.15))),
      radius,
      ...(isTangential && { isTangential }),
    };
  });
}

/** Reads a program; undefined if it is refused: out of reach. */
function programOf(text: string, { description }: RandomArm, scene: Scene) {
  const model = createSceneRobot({ scene, robot: description });
  try {
    const program = moveProgramOf(text, 'p.script', model, scene);
    return program && { model, program };
  } catch {
    return undefined;
  }
}

const plain = (p: readonly number[]) => statedPose({ p, R: rotation([0, 0, 0]) });

function sceneOf(
  { description, mount, base, start, balls, tcp }: RandomArm,
  bodies: readonly Body[],
  limit: RandomLimit | undefined,
  padding: number,
  isSelf: boolean,
): Scene {
  const { joint, constraint } = limit ?? {};
  const allow = [
    ['forearm', 'upper arm'],
    ...(isSelf
      ? []
      : [
          ['tool', 'forearm'],
          ['tool', 'upper arm'],
        ]),
  ];
  const [dx, dy, dz, ...turn] = tcp;
  const frame = { p: [dx, dy, dz], R: rotation(turn.length > 0 ? turn : [0, 0, 0]) };
  return {
    name: 'cell',
    robot: {
      name: description.name,
      packages: {},
      fixed: {},
      limits: joint ? { [joint.name]: { [joint.side]: joint.limit } } : {},
      pose: statedPose(mount),
      parts: 'hull',
      empty: description.links.map(({ name }) => name),
    },
    start: Object.fromEntries(
      description.joints.filter(({ type }) => type === 'revolute').map(({ name }, j) => [name, start[j]]),
    ),
    goals: [],
    equivalent: false,
    obstacles: bodies.map(({ shape, pose }, i) => ({
      name: `obstacle${i}`,
      parts: [{ shape }],
      pose: statedPose(placed(base, pose)),
    })),
    attached: balls.map(({ name, link, radius, at }) => ({
      name,
      link,
      touches: [],
      parts: [{ shape: { type: 'sphere', radius } }],
      pose: plain(at),
    })),
    allow,
    padding,
    ...(constraint && { constraints: [constraint] }),
    tcp: { link: 'tool0', pose: statedPose(frame) },
  } as unknown as Scene;
}
