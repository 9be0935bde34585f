import { Random } from '../../../src/core/math/random.ts';
import type { ObstacleMotion } from '../../../src/core/scene/movingScene.ts';
import type { Obstacle, Scene } from '../../../src/core/scene/scene.ts';
import type { ProposedPoint, SceneChange } from '../../../src/formats/streams/gateMessages.ts';
import { Gate } from '../../../src/tasks/gate/gate.ts';
import type { GateAnswer } from '../../../src/tasks/gate/gateAnswer.ts';
import { description, jointNames, sceneOf } from '../../core/world/randomScenes.ts';
import {
  carriedCentre,
  inLastFrame,
  type Limits,
  type OracleWorld,
  Record,
  type SeenBox,
  spare,
} from './gateOracle.ts';

/**
 * Attacks on the gate: random worlds and random policies (smooth, noisy, without velocities, bisected to graze a
 * contact, late, elsewhere), whose answers are replayed by the oracle.
 */

type Vec = [number, number, number];

/** Metres: rounding errors of the oracle. */
export const ROUNDING = 1e-9;
/** Bound on the speed of any point of the arm against any box, m/s. */
const SPEED = 9;
const STEP = 0.05;

export interface GateAttack {
  readonly verdicts: { [verdict: string]: number };
  /** Proposals that the oracle finds free by a millimetre with their stop, and how many were not taken. */
  free: number;
  missed: number;
  readonly missedIds: number[];
  readonly faults: string[];
}

/** What a run draws once. */
interface Setting {
  readonly random: Random;
  readonly limits: Limits;
  readonly record: Record;
  readonly gate: Gate;
  readonly lead: number;
  world: OracleWorld;
  /** Names of pairs whose contact was unavoidable, until one of them changes or a proposal is taken. */
  readonly except: Set<string>;
  /** Draws that were added later: those of `random` stay the same for a seed. */
  readonly extra: Random;
  readonly hasBudget: boolean;
}

const still = (xyz: Vec): ObstacleMotion => ({ times: [0], poses: [{ xyz, quat_wxyz: [1, 0, 0, 0] }] });

function randomBox(random: Random, name: string, near: Vec | undefined, now: number): SeenBox {
  const size = [0, 1, 2].map(() => random.between(0.02, 0.3));
  const place = (): Vec => {
    const own = [0, 1, 2].map(() => random.between(-1, 1)) as Vec;
    return near ? (near.map((x, i) => x + 0.5 * own[i]) as Vec) : own;
  };
  const unknownSpeed = random.below(4) === 0 ? random.between(0.01, 0.4) : 0;
  return { name, size, motion: still(place()), seen: now, unknownSpeed };
}

function obstacleOf({ name, size, motion, unknownSpeed }: SeenBox): Obstacle {
  const moves = motion.times.length > 1;
  return {
    name,
    parts: [{ shape: { type: 'box', size } }],
    pose: motion.poses[0],
    unknownSpeed,
    ...(moves && { motion }),
  };
}

/** A box that moves slowly, once. */
function movingBox(random: Random, name: string): SeenBox {
  const box = randomBox(random, name, undefined, 0);
  const from = box.motion.poses[0].xyz;
  const time = random.between(0, 2);
  const duration = random.between(2.5, 4);
  const to = from.map((x) => x + random.between(-1, 1)) as Vec;
  const poses = [from, to].map((xyz) => ({ xyz, quat_wxyz: [1, 0, 0, 0] as const }));
  return { ...box, motion: { times: [time, time + duration], poses } };
}

function settingOf(seed: number): Setting | undefined {
  const random = new Random(seed);
  const jerk = random.below(4) === 0 ? random.between(60, 400) : Number.POSITIVE_INFINITY;
  const limits = { velocity: 2, acceleration: 8, jerk, range: 7 };
  const padding = random.below(3) === 0 ? random.between(0, 0.02) : 0;
  const tracking = random.below(4) === 0 ? random.between(0, 0.01) : 0;
  const boxes = Array.from({ length: 1 + random.below(4) }, (_, i) =>
    random.below(5) === 0 ? movingBox(random, `box${i}`) : randomBox(random, `box${i}`, undefined, 0),
  );
  const world = { boxes: new Map(boxes.map((box) => [box.name, box])), carried: undefined, padding, tracking };
  const start = jointNames.map(() => random.between(-2, 2));
  const rest = new Record(start);
  if (rest.leastSpare(world, 0, new Set(), SPEED).least < 1e-3) return undefined;
  const limitsOf = { velocity: 2, acceleration: 8, ...(jerk < Number.POSITIVE_INFINITY && { jerk }) };
  const empty = sceneOf({ boxes: [], others: [] });
  const scene: Scene = {
    ...empty,
    robot: { ...empty.robot, limits: Object.fromEntries(jointNames.map((name) => [name, limitsOf])) },
    obstacles: boxes.map(obstacleOf),
    start,
    padding,
    tracking,
  };
  const lead = random.below(3) === 0 ? 0 : 0.02;
  const extra = new Random(seed + 1_000_003);
  const hasBudget = extra.below(5) === 0;
  const budget = hasBudget ? 1 + extra.below(300) : 1_000_000;
  const gate = new Gate({ scene, robot: description }, { lead, budget });
  return { random, limits, record: rest, gate, lead, world, except: new Set(), extra, hasBudget };
}

/** Points of a smooth motion from a state towards a goal: velocities and positions of a critically damped reach. */
function reach(
  setting: Setting,
  time: number,
  from: { q: number[]; v: number[] },
  goal: readonly number[],
): ProposedPoint[] {
  const { random, limits } = setting;
  const count = 2 + random.below(20);
  const pull = limits.jerk < Number.POSITIVE_INFINITY ? 6 : 3;
  const [q, v] = [[...from.q], [...from.v]];
  const points: ProposedPoint[] = [{ time, positions: [...q], velocities: [...v] }];
  for (let i = 1; i < count; i++) {
    for (const j of q.keys()) {
      const a = Math.max(-6, Math.min(6, pull * (goal[j] - q[j]) - 2 * Math.sqrt(pull) * v[j]));
      q[j] += STEP * v[j] + (STEP * STEP * a) / 2;
      v[j] = Math.max(-1.8, Math.min(1.8, v[j] + STEP * a));
    }
    points.push({ time: time + i * STEP, positions: [...q], velocities: [...v] });
  }
  return points;
}

/** Least spare distance on the curve of points, by samples. */
function leastOn({ world, except }: Setting, points: readonly ProposedPoint[]): number {
  const curve = new Record(points[0].positions);
  curve.points = points.map(({ time, positions, velocities }) => ({ time, positions, velocities: velocities! }));
  let least = Number.POSITIVE_INFINITY;
  for (let t = points[0].time; t <= points.at(-1)!.time; t += 0.005)
    least = Math.min(least, spare(world, curve.at(t).q, t, true, except));
  return least;
}

/** A proposal of a random policy. */
function proposalOf(setting: Setting, now: number): ProposedPoint[] {
  const { random, record, world } = setting;
  const later = random.below(5) === 0 ? random.between(-0.3, 0.02) : random.between(0.02, 0.15);
  const time = setting.extra.below(5) === 0 ? now : now + later;
  const from = record.at(Math.max(0, time));
  const goal = from.q.map((x) => x + random.between(-1.5, 1.5));
  const kind = random.below(6);
  const points = reach(setting, Math.max(0, time), from, goal);
  if (kind === 0)
    return points.map((p) => ({ ...p, positions: p.positions.map((x) => x + random.between(-0.02, 0.02)) }));
  if (kind === 1) return points.map(({ time: t, positions }) => ({ time: t, positions }));
  if (kind === 2)
    return points.map((p) => ({ ...p, positions: p.positions.map((x) => x + 0.3 * random.between(0, 1)) }));
  if (kind >= 4 || world.boxes.size === 0) return points;
  // bisected to graze a contact, a little on either side
  if (leastOn(setting, points) > 0) return points;
  let [low, high] = [0, 1];
  const scaled = (share: number) =>
    reach(
      { ...setting, random: new Random(7) },
      Math.max(0, time),
      from,
      goal.map((x, j) => from.q[j] + share * (x - from.q[j])),
    );
  for (let n = 0; n < 25; n++) {
    const middle = 0.5 * (low + high);
    if (leastOn(setting, scaled(middle)) > 0) low = middle;
    else high = middle;
  }
  return scaled(low + (random.below(2) === 0 ? 1 : -1) * 10 ** random.between(-8, -3));
}

/** A change of the world; undefined if none is possible. */
function changeOf(setting: Setting, now: number): SceneChange | undefined {
  const { random, world, record } = setting;
  const names = [...world.boxes.keys()];
  const kind = random.below(5);
  const tip = carriedCentre(record.at(now + random.between(0, 1)).q, [0.3, 0, 0]);
  if (kind === 0 && names.length < 6) {
    const name = `box${names.length + 10 * random.below(50)}`;
    if (world.boxes.has(name)) return undefined;
    const box = randomBox(random, name, random.below(2) === 0 ? tip : undefined, now);
    return { kind: 'add', name, obstacle: obstacleOf(box) };
  }
  if (kind === 1 && ['ball', 'link0', 'link1'].some((name) => setting.except.has(name))) return undefined;
  if (world.carried && kind === 1) return { kind: 'detach', name: world.carried.name };
  if (!world.carried && kind === 1) return { kind: 'attach', name: 'ball', link: 'link2', touches: [] };
  const name = names[random.below(names.length)];
  if (name === undefined || world.boxes.get(name)!.motion.times.length > 1) return undefined;
  if (kind === 2) return { kind: 'remove', name };
  const old = world.boxes.get(name)!.motion.poses[0].xyz;
  const near = random.below(3) === 0 ? tip : old;
  const xyz = near.map((x) => x + random.between(-0.15, 0.15)) as Vec;
  return { kind: 'move', name, pose: { xyz, quat_wxyz: [1, 0, 0, 0] } };
}

/** The world of the oracle after a change. */
function applied(setting: Setting, change: SceneChange, now: number): OracleWorld {
  const { world, except, record } = setting;
  const boxes = new Map(world.boxes);
  except.delete(change.name);
  if (change.kind === 'add') {
    const { name, parts, pose, unknownSpeed = 0 } = change.obstacle;
    boxes.set(name, {
      name,
      size: parts[0].shape.size as number[],
      motion: still(pose.xyz as Vec),
      seen: now,
      unknownSpeed,
    });
  }
  if (change.kind === 'remove') boxes.delete(change.name);
  if (change.kind === 'move')
    boxes.set(change.name, { ...boxes.get(change.name)!, motion: still(change.pose.xyz as Vec), seen: now });
  if (change.kind === 'detach') return { ...world, boxes, carried: undefined };
  if (change.kind === 'attach') {
    const at = inLastFrame(record.at(now).q, carriedCentre(record.at(now).q, [0.36, 0, 0.05]));
    return { ...world, boxes, carried: { name: 'ball', radius: 0.03, at } };
  }
  return { ...world, boxes };
}

/** Changes that are sent for one of the oracle: the ball comes into being where it is grasped, and is taken away. */
function messageOf({ record }: Setting, change: SceneChange, now: number): SceneChange[] {
  if (change.kind === 'attach') {
    const xyz = carriedCentre(record.at(now).q, [0.36, 0, 0.05]);
    const obstacle = {
      name: 'ball',
      pose: { xyz, quat_wxyz: [1, 0, 0, 0] as const },
      parts: [{ shape: { type: 'sphere', radius: 0.03 } as const }],
    };
    return [{ kind: 'add', name: 'ball', obstacle }, change];
  }
  return change.kind === 'detach' ? [change, { kind: 'remove', name: 'ball' }] : [change];
}

/** Duration and end of a straight stop. */
function stopOf({ limits }: Setting, { positions, velocities }: ProposedPoint): { time: number; q: number[] } {
  const time = Math.max(...velocities!.map((v) => Math.abs(v) / (0.999 * limits.acceleration)));
  return { time, q: positions.map((x, j) => x + (velocities![j] * time) / 2) };
}

/** True if a proposal continues the committed motion within limits, and is free by 1 mm with its stop. */
function isClearlyFree(setting: Setting, points: readonly ProposedPoint[], now: number): boolean {
  const { record, limits, world, except, lead, hasBudget } = setting;
  const [first] = points;
  if (hasBudget) return false;
  if (limits.jerk < Number.POSITIVE_INFINITY || except.size > 0 || first.velocities === undefined) return false;
  if (first.time < now + lead + 1e-6 || points.length < 2) return false;
  const { q, v } = record.at(first.time);
  if (q.some((x, j) => Math.abs(x - first.positions[j]) > 1e-7 || Math.abs(v[j] - first.velocities![j]) > 1e-6))
    return false;
  const curve = new Record(q);
  const last = points.at(-1)!;
  const stop = stopOf(setting, last);
  curve.points = points.map(({ time, positions, velocities }) => ({ time, positions, velocities: velocities! }));
  if (stop.time > 0) curve.points.push({ time: last.time + stop.time, positions: stop.q, velocities: q.map(() => 0) });
  const tighter = { ...limits, velocity: limits.velocity * 0.9999, acceleration: limits.acceleration * 0.9999 };
  if (curve.exceeded(0, tighter).length > 0) return false;
  const before = new Record(q);
  before.points = record.points;
  return (
    curve.leastSpare(world, first.time, except, SPEED).least > 1e-3 &&
    spare(world, record.at(now).q, now, true, except) > 1e-3
  );
}

/** Runs a policy of some messages; what the oracle finds wrong is in `faults`. */
export function attackGate(seed: number, messages = 30): GateAttack {
  const attack: GateAttack = { verdicts: {}, free: 0, missed: 0, missedIds: [], faults: [] };
  const setting = settingOf(seed);
  if (setting === undefined) return attack;
  const { random, extra, record, gate, limits, except } = setting;
  let now = 0;
  let isUnproved = false;
  for (let i = 0; i < messages; i++) {
    now += random.below(8) === 0 ? 0 : random.between(0.02, 0.25);
    const knots = extra.below(3) === 0 ? record.points.filter(({ time }) => time >= now && time < now + 0.3) : [];
    if (knots.length > 0) now = knots[extra.below(knots.length)].time;
    const change = random.below(4) === 0 ? changeOf(setting, now) : undefined;
    const fault = (what: string) => attack.faults.push(`message ${i} at ${now}: ${what}`);
    let answer: GateAnswer;
    if (change) {
      answer = gate.change(now, messageOf(setting, change, now));
      setting.world = applied(setting, change, now);
    } else {
      const points = proposalOf(setting, now);
      const isFree = isClearlyFree(setting, points, now);
      answer = gate.propose(now, points);
      if (isFree) attack.free++;
      if (isFree && answer.verdict !== 'accepted' && answer.verdict !== 'slowed') {
        attack.missed++;
        attack.missedIds.push(i);
      }
    }
    attack.verdicts[answer.verdict] = (attack.verdicts[answer.verdict] ?? 0) + 1;
    if (['accepted', 'slowed', 'trimmed'].includes(answer.verdict)) except.clear();
    // If the budget is used up, nothing is proved until a later answer says so.
    if (answer.verdict === 'unavoidable') isUnproved = answer.reason?.includes('budget') === true;
    else if (answer.verdict !== 'refused') isUnproved = false;
    if (answer.contact) for (const name of answer.contact.pair) except.add(name);
    if (answer.committed) {
      const points = answer.committed.points.map((p) => ({ ...p, time: p.time_from_start }));
      for (const what of record.apply(answer.committed.from, points, now)) fault(what);
    }
    if (answer.until !== record.end) fault(`until is ${answer.until}, the motion ends at ${record.end}`);
    for (const what of record.exceeded(answer.committed?.from ?? now, limits)) fault(what);
    const { least, time } = record.leastSpare(setting.world, now, except, SPEED);
    if (!isUnproved && least < -ROUNDING) fault(`${answer.verdict}: ${-least} m too near at ${time}`);
  }
  return attack;
}
