import type { Pose } from '../../../src/core/kinematics/robotModel.ts';
import { Random } from '../../../src/core/math/random.ts';
import type { SceneChange } from '../../../src/formats/streams/gateMessages.ts';
import { decodeGate, encodeGate, type GateLine } from '../../../src/formats/trajectories/mcap/gateRecording.ts';
import { GateLines } from '../../../src/host/cli/gate/gateLines.ts';
import { Gate } from '../../../src/tasks/gate/gate.ts';
import type { GateAnswer } from '../../../src/tasks/gate/gateAnswer.ts';
import { boxDistance } from '../../core/world/oracle.ts';
import type { Vec } from './gateArms.ts';
import { AnswerJudge, proposalOf, type Setting, settingOf } from './gateAttack.ts';
import { carriedCentre, inLastFrame, type OracleWorld, Record, type SeenObject } from './gateOracle.ts';
import { messageOf, randomChange, worldAfter } from './gateWorlds.ts';

/**
 * Attacks on the gate by broken streams: the lines of a policy are cut, repeated, exchanged, emptied, get other numbers
 * and jumps of the clock. The oracle reads the recording of the gate alone: messages and answers as text.
 */

/** Of `attackStream`. */
export interface StreamAttack {
  readonly verdicts: { [verdict: string]: number };
  /** Lines that the gate could not read, or refused as older than the last. */
  errors: number;
  readonly faults: string[];
}

const clock = () => 0;

/** Lines of a policy that knows the answers of a gate of its own. */
async function linesOf(setting: Setting, count: number): Promise<string[]> {
  const { random, record, gate } = setting;
  const lines = new GateLines({ clock }, gate, true);
  const texts: string[] = [];
  let now = 0;
  for (let i = 0; i < count; i++) {
    now += random.between(0.01, 0.25);
    const { q } = record.at(now);
    const change = random.below(3) === 0 ? randomChange(random, setting, now) : undefined;
    const text = JSON.stringify(
      change
        ? { id: i, now, scene: messageOf(setting.world, change, q).map(written) }
        : { id: i, now, ...(random.below(6) > 0 && { points: proposalOf(setting, now) }) },
    );
    if (change) setting.world = worldAfter(setting.world, change, q, now);
    const { committed } = JSON.parse((await lines.answerTo(text))!);
    if (committed) record.apply(committed.from, committed.points, now);
    texts.push(text);
  }
  return texts;
}

/** A change as messages have it. */
function written(change: SceneChange) {
  const { kind, name } = change;
  if (kind === 'move') return { move: name, pose: change.pose };
  if (kind === 'attach') return { attach: name, link: change.link };
  if (kind !== 'add') return { [kind]: name };
  const { parts, pose, unknownSpeed: unknown_speed } = change.obstacle;
  return { add: { name, ...parts[0].shape, pose, ...(unknown_speed && { unknown_speed }) } };
}

/** Breaks a stream of lines. */
function broken(lines: readonly string[], random: Random): string[] {
  const out = [...lines];
  const number = /-?\d+\.\d+(e-?\d+)?/g;
  for (let n = Math.ceil(lines.length / 2); n > 0; n--) {
    const i = random.below(out.length - 1);
    const numbers = [...out[i].matchAll(number)];
    const replaced = (text: string) => {
      const { index, 0: old } = numbers[random.below(numbers.length)];
      return out[i].slice(0, index) + text + out[i].slice(index + old.length);
    };
    const kind = random.below(8);
    if (kind === 0) out.splice(i, 0, out[i]);
    else if (kind === 1) [out[i], out[i + 1]] = [out[i + 1], out[i]];
    else if (kind === 2) out[i] = out[i].slice(0, random.below(out[i].length));
    else if (kind === 3) out[i] = out[i].replace(/"points":.*/, '"points":[]}');
    else if (kind === 4) out.splice(random.below(out.length), 0, out[i]);
    else if (kind === 5 && i > 2) out.splice(i - 2, 1 + random.below(3));
    else if (kind === 6) out[i] = out[i].replace(/"now":[^,]*/, `"now":${random.below(2) === 0 ? 0.5 : 900}`);
    else if (numbers.length > 0)
      out[i] = replaced(['NaN', '1e999', 'null', '-1e300', '1e-300', '0.1'][random.below(6)]);
  }
  return out;
}

/** Runs a broken stream through the lines of the command, and judges its recording. */
export async function attackStream(seed: number, count = 30): Promise<StreamAttack> {
  const attack: StreamAttack = { verdicts: {}, errors: 0, faults: [] };
  const setting = settingOf(3 * seed); // three joints among boxes
  if (setting === undefined) return attack;
  const { world, limits, speed } = setting;
  const start = setting.record.points[0].positions;
  const lines = broken(await linesOf(setting, count), new Random(seed, 2));
  const first = await recorded(setting, lines);
  const { lines: read } = await decodeGate(first, 'first.mcap');
  const again = await recorded(
    setting,
    read.map(({ message }) => message),
  );
  if (Buffer.compare(first, again) !== 0) attack.faults.push('its replay has other bytes');
  const record = new Record(start);
  const except = new Set<string>();
  const judge = new AnswerJudge(record, limits, except, speed, attack.verdicts);
  new RecordedWorld(world, record, except).judge(read, judge, attack);
  return attack;
}

/** Returns the recording of a gate that reads lines. */
async function recorded({ problem, options }: Setting, given: readonly string[]): Promise<Uint8Array> {
  const gate = new Gate(problem, { ...options, keepsExecuted: true });
  const lines = new GateLines({ clock }, gate, true, []);
  for (const line of given) await lines.answerTo(line);
  const { lead = 0, budget = 0, repair = false } = options;
  const recording = { lead, budget, repair, lines: lines.recorded! };
  return encodeGate(recording, lines.scenes, gate.executed, { robot: gate.robot, scene: problem.scene });
}

/** The world of the oracle, as messages of a recording change it. */
class RecordedWorld {
  private now = 0;

  constructor(
    private world: OracleWorld,
    private readonly record: Record,
    private readonly except: Set<string>,
  ) {}

  judge(lines: readonly GateLine[], judge: AnswerJudge, attack: StreamAttack): void {
    for (const [i, { message, answer }] of lines.entries()) {
      if (answer === undefined) continue;
      const read = JSON.parse(answer);
      const fault = (what: string) => attack.faults.push(`line ${i}: ${what}`);
      if (read.error !== undefined) {
        attack.errors++;
        continue;
      }
      const { now, scene = [] } = JSON.parse(message);
      if (!(now >= this.now)) fault(`now is ${now} after ${this.now}`);
      this.now = now;
      for (const change of scene) this.change(change);
      judge.take(answerOf(read), this.world, now, fault);
    }
  }

  private change(change: WrittenChange): void {
    const { arm } = this.world;
    const objects = new Map(this.world.objects);
    const { q } = this.record.at(this.now);
    const { carried } = this.world;
    if (change.add) objects.set(change.add.name, this.seen(change.add.name, change.add));
    if (change.move) objects.set(change.move, { ...objects.get(change.move)!, ...this.at(change.pose!.xyz) });
    if (change.remove) objects.delete(change.remove);
    this.world = { ...this.world, objects };
    if (change.attach) {
      const { radius, motion } = objects.get(change.attach) as SeenObject & { radius: number };
      objects.delete(change.attach);
      const at = inLastFrame(arm, q, motion.poses[0].xyz as Vec);
      this.world = { ...this.world, carried: { name: change.attach, radius, at } };
    }
    if (change.detach) {
      const ball = this.seen(change.detach, { type: 'sphere', radius: carried!.radius });
      objects.set(change.detach, { ...ball, ...this.at(carriedCentre(arm, q, carried!.at)) });
      this.world = { ...this.world, carried: undefined };
    }
    for (const name of [change.add?.name, ...Object.values(change)])
      if (typeof name === 'string') this.except.delete(name);
  }

  private seen(name: string, { type, size, radius = 0, pose, unknown_speed = 0 }: WrittenObject) {
    const distance = (p: Vec) => (type === 'box' ? boxDistance(p, size!) : Math.hypot(...p) - radius);
    return { name, distance, radius, unknownSpeed: unknown_speed, ...this.at(pose?.xyz ?? [0, 0, 0]) };
  }

  private at(xyz: Pose['xyz']) {
    return { motion: { times: [0], poses: [{ xyz, quat_wxyz: [1, 0, 0, 0] as const }] }, seen: this.now };
  }
}

interface WrittenObject {
  readonly type: string;
  readonly size?: readonly number[];
  readonly radius?: number;
  readonly pose?: Pose;
  readonly unknown_speed?: number;
}

interface WrittenChange {
  readonly add?: WrittenObject & { readonly name: string };
  readonly move?: string;
  readonly pose?: Pose;
  readonly remove?: string;
  readonly attach?: string;
  readonly detach?: string;
}

const answerOf = (
  read: Omit<GateAnswer, 'committed'> & { committed?: { from: number; points: never[] } },
): GateAnswer => ({
  ...read,
  ...(read.committed && {
    committed: {
      from: read.committed.from,
      points: read.committed.points.map(({ time, ...rest }: { time: number; positions: []; velocities: [] }) => ({
        ...rest,
        time_from_start: time,
      })),
    },
  }),
});
