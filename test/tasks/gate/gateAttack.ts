import { Random } from '../../../src/core/math/random.ts';
import type { Scene } from '../../../src/core/scene/scene.ts';
import type { ProposedPoint } from '../../../src/formats/streams/gateMessages.ts';
import { Gate, type GateOptions } from '../../../src/tasks/gate/gate.ts';
import type { GateAnswer } from '../../../src/tasks/gate/gateAnswer.ts';
import type { Problem } from '../../../src/tasks/sceneRobot.ts';
import { sceneOf } from '../../core/world/randomScenes.ts';
import { descriptionOf, posedArm, randomArm, rangesOf, speedBound, threeJoints } from './gateArms.ts';
import { type Limits, type OracleWorld, Record, spare } from './gateOracle.ts';
import { messageOf, movingObject, randomChange, randomObject, worldAfter } from './gateWorlds.ts';

/**
 * Attacks on the gate: random arms, worlds and policies (smooth, noisy, without velocities, bisected to graze a
 * contact, late, elsewhere), whose answers are replayed by the oracle. One run in three has the arm of three joints,
 * among boxes.
 */

/** Metres: rounding errors of the oracle. */
export const ROUNDING = 1e-9;
/** Bound on the speed of objects, and on the increase of what is required, m/s. */
const OBJECT_SPEED = 1.2;
const STEP = 0.05;

export interface GateAttack {
  readonly verdicts: { [verdict: string]: number };
  /** Proposals that the oracle finds free by a millimetre with their stop, and how many were not taken. */
  free: number;
  missed: number;
  readonly missedIds: number[];
  /** Motions with a planned detour. */
  detours: number;
  readonly faults: string[];
}

/** What a run draws once. */
export interface Setting {
  readonly random: Random;
  readonly limits: Limits;
  readonly record: Record;
  readonly gate: Gate;
  readonly problem: Problem;
  readonly options: Partial<GateOptions>;
  readonly lead: number;
  world: OracleWorld;
  /** Names of pairs whose contact was unavoidable, until one of them changes or a proposal is taken. */
  readonly except: Set<string>;
  /** Draws that were added later: those of `random` stay the same for a seed. */
  readonly extra: Random;
  /** Draws of arms of any kind, and of half-spaces and clouds; undefined: there are none. */
  readonly more: Random | undefined;
  readonly hasBudget: boolean;
  /** True: the gate plans detours. */
  readonly repair: boolean;
  /** Bound on the speed of any point of the arm against any object, m/s. */
  readonly speed: number;
}

export function settingOf(seed: number): Setting | undefined {
  const random = new Random(seed);
  const more = seed % 3 === 0 ? undefined : new Random(seed, 1);
  const arm = more ? randomArm(more) : threeJoints;
  const jerk = random.below(4) === 0 ? random.between(60, 400) : Number.POSITIVE_INFINITY;
  const limits = { velocity: 2, acceleration: 8, jerk, ranges: rangesOf(arm) };
  const padding = random.below(3) === 0 ? random.between(0, 0.02) : 0;
  const tracking = random.below(more ? 2 : 4) === 0 ? random.between(0, 0.01) : 0;
  const repair = more?.below(4) === 0;
  const drawn = Array.from({ length: 1 + random.below(4) }, (_, i) =>
    random.below(5) === 0 && !repair
      ? movingObject(random, `object${i}`, more)
      : randomObject(random, `object${i}`, undefined, 0, more, repair ? 0 : undefined),
  );
  const objects = new Map(drawn.map(({ seen }) => [seen.name, seen]));
  const world = { arm, objects, carried: undefined, padding, tracking };
  const start = limits.ranges.map((range) => random.between(-1, 1) * Math.min(2, 0.9 * range));
  const record = new Record(start);
  const speed = speedBound(arm, limits.velocity) + OBJECT_SPEED;
  if (record.leastSpare(world, 0, new Set(), speed).least < 1e-3) return undefined;
  const robot = descriptionOf(arm);
  const limitsOf = { velocity: 2, acceleration: 8, ...(jerk < Number.POSITIVE_INFINITY && { jerk }) };
  const empty = sceneOf({ boxes: [], others: [] });
  const scene: Scene = {
    ...empty,
    robot: { ...empty.robot, limits: Object.fromEntries(robot.joints.map(({ name }) => [name, limitsOf])) },
    obstacles: drawn.map(({ obstacle }) => obstacle),
    start,
    padding,
    tracking,
  };
  const lead = random.below(3) === 0 ? 0 : 0.02;
  const extra = new Random(seed + 1_000_003);
  const hasBudget = extra.below(5) === 0;
  const budget = hasBudget ? 1 + extra.below(300) : 1_000_000;
  const [problem, options] = [
    { scene, robot },
    { lead, budget, repair },
  ];
  const gate = new Gate(problem, options);
  return {
    random,
    limits,
    record,
    gate,
    problem,
    options,
    lead,
    world,
    except: new Set(),
    extra,
    more,
    hasBudget,
    repair,
    speed,
  };
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

/** Least spare distance on the curve of points, by samples and a search about the lowest one. */
function leastOn({ world, except }: Setting, points: readonly ProposedPoint[]): number {
  const curve = new Record(points[0].positions);
  curve.points = points.map(({ time, positions, velocities }) => ({ time, positions, velocities: velocities! }));
  const at = (t: number) => spare(world, curve.at(t).q, t, true, except);
  let [least, lowest] = [Number.POSITIVE_INFINITY, 0];
  for (let t = points[0].time; t <= curve.end; t += 0.005) {
    const value = at(t);
    if (value < least) [least, lowest] = [value, t];
  }
  let [low, high] = [Math.max(points[0].time, lowest - 0.005), Math.min(curve.end, lowest + 0.005)];
  for (let n = 0; n < 30; n++) {
    const [a, b] = [low + (high - low) / 3, high - (high - low) / 3];
    if (at(a) < at(b)) high = b;
    else low = a;
  }
  return Math.min(least, at(low));
}

/** Points with the straight stop from their end. */
function withStop(setting: Setting, points: readonly ProposedPoint[]): ProposedPoint[] {
  const last = points.at(-1)!;
  const { time, q } = stopOf(setting, last);
  return time > 0 ? [...points, { time: last.time + time, positions: q, velocities: q.map(() => 0) }] : [...points];
}

/** A straight motion from rest to a far state, through whatever is there: what detours avoid. */
function across({ extra, limits }: Setting, now: number, from: readonly number[]): ProposedPoint[] {
  const goal = limits.ranges.map((range) => extra.between(-1, 1) * Math.min(2, range));
  const duration = extra.between(2, 5);
  return Array.from({ length: 40 }, (_, i) => {
    const s = i / 39;
    const share = s * s * s * (10 - 15 * s + 6 * s * s);
    const positions = from.map((x, j) => x + share * (goal[j] - x));
    return { time: now + 0.1 + s * duration, positions };
  });
}

/** A proposal of a random policy. */
export function proposalOf(setting: Setting, now: number): ProposedPoint[] {
  const { random, record, world } = setting;
  const later = random.below(5) === 0 ? random.between(-0.3, 0.02) : random.between(0.02, 0.15);
  const time = setting.extra.below(5) === 0 ? now : now + later;
  const from = record.at(Math.max(0, time));
  const goal = from.q.map((x) => x + random.between(-1.5, 1.5));
  const kind = random.below(6);
  if (setting.repair && setting.extra.below(2) === 0) return across(setting, now, from.q);
  const points = reach(setting, Math.max(0, time), from, goal);
  if (kind === 0)
    return points.map((p) => ({ ...p, positions: p.positions.map((x) => x + random.between(-0.02, 0.02)) }));
  if (kind === 1) return points.map(({ time: t, positions }) => ({ time: t, positions }));
  if (kind === 2)
    return points.map((p) => ({ ...p, positions: p.positions.map((x) => x + 0.3 * random.between(0, 1)) }));
  if (kind >= 4 || world.objects.size === 0) return points;
  // bisected to graze a contact with the path, or with the path and its stop, a little on either side
  const judged = setting.extra.below(2) === 0 ? (list: ProposedPoint[]) => withStop(setting, list) : undefined;
  const leastOf = (list: ProposedPoint[]) => leastOn(setting, judged?.(list) ?? list);
  if (leastOf(points) > 0) return points;
  let [low, high] = [0, 1];
  const scaled = (share: number) =>
    reach(
      { ...setting, random: new Random(7) },
      Math.max(0, time),
      from,
      goal.map((x, j) => from.q[j] + share * (x - from.q[j])),
    );
  for (let n = 0; n < 30; n++) {
    const middle = 0.5 * (low + high);
    if (leastOf(scaled(middle)) > 0) low = middle;
    else high = middle;
  }
  return scaled(low + (random.below(2) === 0 ? 1 : -1) * 10 ** random.between(-9, -3));
}

/** Duration and end of a straight stop. */
function stopOf({ limits }: Setting, { positions, velocities }: ProposedPoint): { time: number; q: number[] } {
  const time = Math.max(...velocities!.map((v) => Math.abs(v) / (0.999 * limits.acceleration)));
  return { time, q: positions.map((x, j) => x + (velocities![j] * time) / 2) };
}

/** True if a proposal continues the committed motion within limits, and is free by 1 mm with its stop. */
function isClearlyFree(setting: Setting, points: readonly ProposedPoint[], now: number): boolean {
  const { record, limits, world, except, lead, hasBudget, speed } = setting;
  const [first] = points;
  if (hasBudget) return false;
  if (limits.jerk < Number.POSITIVE_INFINITY || except.size > 0 || first.velocities === undefined) return false;
  if (first.time < now + lead + 1e-6 || points.length < 2) return false;
  const { q, v } = record.at(first.time);
  if (q.some((x, j) => Math.abs(x - first.positions[j]) > 1e-7 || Math.abs(v[j] - first.velocities![j]) > 1e-6))
    return false;
  const curve = new Record(q);
  const all = withStop(setting, points);
  curve.points = all.map(({ time, positions, velocities }) => ({ time, positions, velocities: velocities! }));
  const tighter = { ...limits, velocity: limits.velocity * 0.9999, acceleration: limits.acceleration * 0.9999 };
  if (curve.exceeded(0, tighter).length > 0) return false;
  return (
    curve.leastSpare(world, first.time, except, speed).least > 1e-3 &&
    spare(world, record.at(now).q, now, true, except) > 1e-3
  );
}

/** A measured state, and whether a sphere of the arm is farther from its place than `tracking`. */
function measuredAt({ world: { arm, tracking }, record }: Setting, random: Random, now: number) {
  const { q } = record.at(now);
  const off = random.below(3) === 0 ? 0 : 10 ** random.between(-5, -1);
  const measured = q.map((x) => x + random.between(-off, off));
  const [a, b] = [q, measured].map((state) => posedArm(arm, state).centres);
  const isOff = a.some((p, i) => Math.hypot(...p.map((x, k) => x - b[i][k])) > tracking + ROUNDING);
  return { measured, isOff };
}

/** Judges answers of a gate one after the other, by the oracle. */
export class AnswerJudge {
  /** True if the budget ended the proof: nothing is proved until a later answer says so. */
  private isUnproved = false;

  /** @param except names of pairs whose contact was unavoidable */
  constructor(
    private readonly record: Record,
    private readonly limits: Limits,
    private readonly except: Set<string>,
    private readonly speed: number,
    private readonly verdicts: { [verdict: string]: number },
  ) {}

  /** Applies an answer to the record, and reports what is wrong with it in the world as it was seen last. */
  take(answer: GateAnswer, world: OracleWorld, now: number, fault: (what: string) => void): void {
    const { record, limits, except, speed, verdicts } = this;
    verdicts[answer.verdict] = (verdicts[answer.verdict] ?? 0) + 1;
    if (['accepted', 'slowed', 'trimmed'].includes(answer.verdict)) except.clear();
    if (answer.verdict === 'unavoidable') this.isUnproved = answer.reason?.includes('budget') === true;
    else if (answer.verdict !== 'refused') this.isUnproved = false;
    if (answer.contact) for (const name of answer.contact.pair) except.add(name);
    if (answer.verdict === 'unavoidable')
      for (const [, a, b] of answer.reason?.matchAll(/(\w+) and (\w+): contact/g) ?? []) except.add(a).add(b);
    if (answer.committed) {
      const points = answer.committed.points.map((p) => ({ ...p, time: p.time_from_start }));
      for (const what of record.apply(answer.committed.from, points, now)) fault(what);
    }
    if (answer.until !== record.end) fault(`until is ${answer.until}, the motion ends at ${record.end}`);
    for (const what of record.exceeded(answer.committed?.from ?? now, limits)) fault(what);
    const { least, time } = record.leastSpare(world, now, except, speed);
    if (!this.isUnproved && least < -ROUNDING) fault(`${answer.verdict}: ${-least} m too near at ${time}`);
  }
}

/** Runs a policy of some messages; what the oracle finds wrong is in `faults`. */
export function attackGate(seed: number, messages = 30): GateAttack {
  const attack: GateAttack = { verdicts: {}, free: 0, missed: 0, missedIds: [], detours: 0, faults: [] };
  const setting = settingOf(seed);
  if (setting === undefined) return attack;
  const { random, extra, record, gate, limits, except, speed } = setting;
  let now = 0;
  const judge = new AnswerJudge(record, limits, except, speed, attack.verdicts);
  for (let i = 0; i < messages; i++) {
    now += random.below(8) === 0 ? 0 : random.between(0.02, 0.25);
    const knots = extra.below(3) === 0 ? record.points.filter(({ time }) => time >= now && time < now + 0.3) : [];
    if (knots.length > 0) now = knots[extra.below(knots.length)].time;
    const change = random.below(4) === 0 ? randomChange(random, setting, now, setting.more) : undefined;
    const fault = (what: string) => attack.faults.push(`message ${i} at ${now}: ${what}`);
    let answer: GateAnswer;
    if (change) {
      const { q } = record.at(now);
      answer = gate.change(now, messageOf(setting.world, change, q));
      setting.world = worldAfter(setting.world, change, q, now);
      except.delete(change.name);
    } else if (setting.more && setting.world.tracking > 0 && setting.more.below(4) === 0) {
      const { measured, isOff } = measuredAt(setting, setting.more, now);
      answer = gate.tick(now, measured);
      if (isOff && answer.verdict === 'held') fault('it is farther off than tracking');
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
    if (answer.reason?.includes('detour')) attack.detours++;
    judge.take(answer, setting.world, now, fault);
  }
  return attack;
}
