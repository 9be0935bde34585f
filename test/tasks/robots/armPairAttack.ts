import { CollisionModel } from '../../../src/core/collision/model/collisionModel.ts';
import { CollisionManager } from '../../../src/core/collision/states/collisionManager.ts';
import { createRobotModel } from '../../../src/core/kinematics/createRobotModel.ts';
import { Random } from '../../../src/core/math/random.ts';
import { IDENTITY_POSE, type Scene } from '../../../src/core/scene/scene.ts';
import { armPairWarnings } from '../../../src/core/scene/uncheckedPairs.ts';
import { createTrajectoryChecker } from '../../../src/tasks/checking/checkTrajectory.ts';
import { uncheckedPairs } from '../../../src/tasks/checking/uncheckedCount.ts';
import { findAllowedPairs } from '../../../src/tasks/robots/findAllowedPairs.ts';
import {
  type BodySpec,
  directionOf,
  type JointSpec,
  placementOf,
  type Twin,
  twinOf,
} from '../../core/collision/selfPairs/rangeAttack.ts';
import { distanceOf, leastDistance } from '../../core/collision/selfPairs/rangeOracle.ts';

/** Result of one attack: counts by name, and what is wrong, one line each. */
export interface ArmAttack {
  readonly counts: Readonly<Record<string, number>>;
  readonly trouble: readonly string[];
}

/** Metres: the oracle's contacts are deeper than this, and its separated states farther apart. */
const CLEAR = 1e-6;
const REASONS = ['Never', 'Default', 'Adjacent', 'Always', 'User', ''];

/** Two or three arms of capsules on a base, some of them with a joint that follows another one. */
function armsOf(random: Random): Twin {
  const joints: JointSpec[] = [];
  const bodies: (BodySpec | undefined)[] = [{ at: placementOf(random, 0.05), length: 0.2, radius: 0.08 }];
  const arms = 2 + random.below(2);
  for (let arm = 0; arm < arms; arm++) {
    let parent = 0;
    for (let k = 2 + random.below(2); k > 0; k--) {
      const type = (['revolute', 'revolute', 'revolute', 'continuous', 'prismatic', 'fixed'] as const)[random.below(6)];
      const isSlide = type === 'prismatic';
      const middle = isSlide ? random.between(-0.1, 0.1) : random.between(-1, 1);
      const half = isSlide ? 0.2 : random.between(0.1, 1.5);
      const leader = joints.findIndex((one) => one.type === type && type !== 'fixed' && one.mimic === undefined);
      const multiplier = random.next() < 0.5 ? 1 : -1;
      const at = placementOf(random, 0.1);
      const out = directionOf(random);
      joints.push({
        parent,
        type,
        at: { ...at, xyz: parent === 0 ? [0.4 * (arm - 1) + at.xyz[0], at.xyz[1], 0.15 + at.xyz[2]] : [0, 0, 0.35] },
        axis: out,
        lower: middle - half,
        upper: middle + half,
        ...(leader >= 0 && random.next() < 0.2 && { mimic: { joint: leader, multiplier, offset: 0.1 } }),
      });
      const isFrame = random.next() < 0.15;
      const along = { axis: [0, 0, 1] as const, angle: 0, xyz: [0, 0, 0.17] as const };
      bodies.push(isFrame ? undefined : { at: along, length: 0.25, radius: random.between(0.02, 0.07) });
      parent = joints.length;
    }
  }
  return twinOf(joints, bodies);
}

const sceneOf = (robot: Twin['robot'], more: Partial<Scene> = {}): Scene => ({
  name: 'arms',
  robot: {
    name: robot.name,
    fixed: {},
    limits: {},
    pose: IDENTITY_POSE,
    parts: 'hull',
    packages: {},
  } as Scene['robot'],
  goals: [],
  equivalent: false,
  obstacles: [],
  attached: [],
  allow: [],
  padding: 0,
  ...more,
});

/** Returns the number of movable joints between each of two links and the last link above both. */
function jointsAbove({ tree: { joints } }: Twin, a: number, b: number): [number, number] {
  const above = (link: number): number[] => (link === 0 ? [0] : [link, ...above(joints[link - 1].parent)]);
  const [ofA, ofB] = [above(a), above(b)];
  const moving = (links: number[], other: number[]) =>
    links.filter((link) => !other.includes(link) && joints[link - 1].type !== 'fixed').length;
  return [moving(ofA, ofB), moving(ofB, ofA)];
}

/** Returns all pairs of links with bodies. */
function pairsOf({ tree: { bodies } }: Twin): [number, number][] {
  const solid = bodies.flatMap((body, i) => (body ? [i] : []));
  return solid.flatMap((b, i) => solid.slice(0, i).map((a): [number, number] => [a, b]));
}

const isPair = ([a, b]: readonly [string, string, ...string[]], one: number, two: number) =>
  (a === `l${one}` && b === `l${two}`) || (a === `l${two}` && b === `l${one}`);

/**
 * Attacks the pairs that are allowed without an SRDF: a motion through each contact of two links that the oracle finds
 * must not be valid, unless the pair is allowed for a reason that the oracle confirms.
 */
function attackMadePairs(seed: number): ArmAttack {
  const random = new Random(seed);
  const twin = armsOf(random);
  const counts = { never: 0, motions: 0, refused: 0, allowed: 0, rests: 0 };
  const trouble: string[] = [];
  const found = findAllowedPairs(twin.robot, { samples: 200, seed });
  const made = found.pairs.flatMap(({ a, b, reason }) => (reason ? [[a, b, reason] as const] : []));
  const robot = createRobotModel({ ...twin.robot, allowed: made, checked: found.enabled });
  const names = robot.variables.map(({ name }) => name);
  const leaders = twin.robot.joints.filter(({ type, mimic }) => type !== 'fixed' && !mimic).map(({ name }) => name);
  for (const [a, b] of pairsOf(twin)) {
    const reason = made.find((pair) => isPair(pair, a, b))?.[2];
    if (reason === 'Never') counts.never++;
    const { least, q } = leastDistance(twin.tree, [a, b], () => random.next(), { samples: 60, descents: 1 });
    const rest = found.rest.values && leaders.map((name) => found.rest.values![name]);
    if (reason === undefined && rest && ++counts.rests && distanceOf(twin.tree, a, b, rest) < -CLEAR)
      trouble.push(`l${a} and l${b} collide at rest`);
    if (least > -CLEAR) continue;
    counts.motions++;
    const [ofA, ofB] = jointsAbove(twin, a, b);
    const isClose = ofA + ofB <= 1;
    if (reason === 'Always' || reason === 'Adjacent' || (reason === 'Default' && isClose)) {
      counts.allowed++;
      if (reason === 'Adjacent' && !isClose) trouble.push(`l${a} and l${b}: Adjacent over ${ofA + ofB} joints`);
      continue;
    }
    if (reason !== undefined && Math.min(ofA, ofB) >= 2) trouble.push(`l${a} and l${b}: ${reason}, but on two arms`);
    if (reason === 'Default') continue; // in nearly all states
    const others = pairsOf(twin).filter(([c, d]) => c !== a || d !== b);
    const scene = sceneOf(twin.robot, { allow: others.map(([c, d]) => [`l${c}`, `l${d}`]) });
    const reach = twin.tree.ranges.map(([lower, upper], i) => {
      const room = Math.min(q[i] - lower, upper - q[i]);
      return random.between(-1, 1) * Math.max(0, room);
    });
    const end = (side: number) => names.map((name) => q[leaders.indexOf(name)] + side * reach[leaders.indexOf(name)]);
    const points = [-1, 1].map((side, i) => ({
      time_from_start: 9 * i,
      positions: end(side),
      velocities: names.map(() => 0),
    }));
    const manager = new CollisionManager(new CollisionModel(robot, scene));
    const { valid, faults } = createTrajectoryChecker(robot, manager)({ jointNames: names, points });
    if (faults.length > 0) trouble.push(`l${a} and l${b}: ${JSON.stringify(faults)}`);
    if (valid) trouble.push(`l${a} and l${b} (${reason}): valid, but ${least} m at [${q.join()}]`);
    else counts.refused++;
  }
  return { counts, trouble };
}

/** Attacks the warnings of pairs on two arms with random SRDFs and scenes, for some of the joints planned. */
function attackWarnings(seed: number): ArmAttack {
  const random = new Random(seed);
  const twin = armsOf(random);
  const trouble: string[] = [];
  const counts = { suspicious: 0, others: 0 };
  const { joints } = twin.tree;
  const allowed = pairsOf(twin)
    .filter(() => random.next() < 0.4)
    .map(([a, b]): [string, string, string] =>
      random.next() < 0.5
        ? [`l${a}`, `l${b}`, REASONS[random.below(REASONS.length)]]
        : [`l${b}`, `l${a}`, REASONS[random.below(REASONS.length)]],
    );
  const allow = pairsOf(twin)
    .filter(() => random.next() < 0.1)
    .map(([a, b]) => [`l${a}`, `l${b}`] as const);
  const description = { ...twin.robot, allowed };
  const all = twin.robot.joints.filter(({ type, mimic }) => type !== 'fixed' && !mimic).map(({ name }) => name);
  const planned = all.filter(() => random.next() < 0.7);
  const scene = sceneOf(twin.robot, { allow });
  const warning = armPairWarnings(description, planned, scene).join();
  const own = uncheckedPairs(createRobotModel(description), scene).on_arms ?? [];
  const isAlong = (a: number, b: number, moves: (variable: number) => boolean) => {
    const above = (link: number): number[] => (link === 0 ? [] : [link, ...above(joints[link - 1].parent)]);
    const [ofA, ofB] = [above(a), above(b)];
    return [...ofA.filter((l) => !ofB.includes(l)), ...ofB.filter((l) => !ofA.includes(l))].some(
      (l) => joints[l - 1].type !== 'fixed' && moves(joints[l - 1].variable),
    );
  };
  for (const [a, b] of pairsOf(twin)) {
    const reason = allowed.find((pair) => isPair(pair, a, b))?.[2];
    const isAllowed = reason === undefined ? allow.some((pair) => isPair(pair, a, b)) : reason !== 'Never';
    const isSuspicious = isAllowed && Math.min(...jointsAbove(twin, a, b)) >= 2;
    counts[isSuspicious ? 'suspicious' : 'others']++;
    const expected = isSuspicious && isAlong(a, b, (variable) => planned.includes(all[variable]));
    const isNamed = warning.includes(`l${a} and l${b} (`) || warning.includes(`l${b} and l${a} (`);
    if (isNamed !== expected) trouble.push(`l${a} and l${b} (${reason}): named ${isNamed}`);
    if (own.some((pair) => isPair(pair, a, b)) !== isSuspicious) trouble.push(`l${a} and l${b} (${reason}): on_arms`);
  }
  return { counts, trouble };
}

/** Attacks by name. */
export const armPairAttacks: Readonly<Record<string, (seed: number) => ArmAttack>> = {
  made: attackMadePairs,
  warnings: attackWarnings,
};
