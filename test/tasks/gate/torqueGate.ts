import { forwardKinematics, RobotState } from '../../../src/core/kinematics/forwardKinematics.ts';
import type { RobotModel } from '../../../src/core/kinematics/robotModel.ts';
import { Random } from '../../../src/core/math/random.ts';
import { create } from '../../../src/core/math/transform.ts';
import type { Obstacle, Scene } from '../../../src/core/scene/scene.ts';
import { createShape } from '../../../src/core/shapes/index.ts';
import type { ShapeSpec } from '../../../src/core/shapes/shape.ts';
import type { ProposedPoint } from '../../../src/formats/streams/gateMessages.ts';
import { Gate } from '../../../src/tasks/gate/gate.ts';
import type { GateAnswer } from '../../../src/tasks/gate/gateAnswer.ts';
import { randomArm } from '../../core/dynamics/arm/randomArm.ts';
import { sceneOf } from '../../core/world/randomScenes.ts';
import { createMomentumOracle } from '../forces/forceLimitAttack.ts';
import { createTorqueOracle, type OracleBody, ownBodies } from '../forces/torqueOracle.ts';
import { Record } from './gateOracle.ts';

/** Outcome of an attack on a gate that limits torques. */
export interface TorqueGateAttack {
  readonly verdicts: { [verdict: string]: number };
  readonly faults: string[];
  /** Proposals that keep 2 % of each limit at all samples, with the straight stop; how many were not taken. */
  free: number;
  missed: number;
}

const STEP = 0.05;
/** Relative: rounding errors of the oracle. */
const ROUNDING = 1e-6;
const SAMPLES = 400;

/** The committed motion of a gate beside torques that an oracle computes. */
class Judge {
  bodies: readonly OracleBody[];
  /** False after an `unavoidable`, until a motion is certified again. */
  isProved = true;

  constructor(
    readonly robot: RobotModel,
    readonly record: Record,
    /** kg m/s and W; undefined: not limited. */
    readonly momentum: number | undefined,
    readonly power: number | undefined,
  ) {
    this.bodies = ownBodies(robot);
  }

  /** Greatest torque, momentum and power ÷ limit from a time on, until the arm is at rest. */
  worst(record: Record, from: number): { ratio: number; time: number } {
    const { robot, bodies, momentum, power } = this;
    const torques = createTorqueOracle(robot, bodies, [0, 0, -9.81]);
    const momentumOf = createMomentumOracle(robot, bodies);
    const { end, points } = record;
    const ends = points.flatMap(({ time }) => [time - 1e-9, time + 1e-9]);
    const times = [...Array.from({ length: SAMPLES }, (_, i) => from + (i / SAMPLES) * (end - from)), ...ends];
    let worst = { ratio: 0, time: end };
    const take = (q: readonly number[], v: readonly number[], a: readonly number[], time: number) => {
      const drives = torques(q, v, a);
      const ratio = Math.max(
        ...drives.map((torque, k) => Math.abs(torque) / robot.variables[k].effort),
        momentum ? momentumOf(q, v) / momentum : 0,
        power ? Math.abs(drives.reduce((sum, torque, k) => sum + torque * v[k], 0)) / power : 0,
      );
      if (ratio > worst.ratio) worst = { ratio, time };
    };
    const rest = points.at(-1)!.positions;
    take(
      rest,
      rest.map(() => 0),
      rest.map(() => 0),
      end,
    );
    for (const t of times) if (t >= from && t < end) take(...ratesAt(record, t), t);
    return worst;
  }
}

/** Position, velocity and acceleration within a piece, from the coefficients of its cubic. */
function ratesAt({ points }: Record, t: number): [number[], number[], number[]] {
  let k = 0;
  while (k + 2 < points.length && points[k + 1].time <= t) k++;
  const [a, b] = [points[k], points[k + 1]];
  const [T, u] = [b.time - a.time, t - a.time];
  const rows = a.positions.map((x, j) => {
    const [v, d, w] = [a.velocities[j], b.positions[j] - x, b.velocities[j]];
    const c2 = (3 * d - (2 * v + w) * T) / (T * T);
    const c3 = (-2 * d + (v + w) * T) / (T * T * T);
    return [x + u * (v + u * (c2 + u * c3)), v + u * (2 * c2 + 3 * u * c3), 2 * c2 + 6 * u * c3];
  });
  return [0, 1, 2].map((i) => rows.map((row) => row[i])) as [number[], number[], number[]];
}

/** All geometry: torques alone are judged. */
const SPECK: ShapeSpec = { type: 'sphere', radius: 1e-6 };

/** A part that the arm may take: a sphere, whose inertia is the same about all axes. */
const partOf = (mass: number): Obstacle => ({
  name: 'part',
  pose: { xyz: [0.6, 0.2, 0.5], quat_wxyz: [1, 0, 0, 0] },
  parts: [{ shape: SPECK }],
  inertial: { mass, center: [0, 0, 0], inertia: [0.01, 0.01, 0.01, 0, 0, 0] },
});

/** The load of the part at its place in the world, in the frame of a link. */
function loadOn(robot: RobotModel, link: string, q: readonly number[], part: Obstacle): OracleBody {
  const state = new RobotState(robot);
  forwardKinematics(state, Float64Array.from(q));
  const T = state.T_world_link[robot.links.findIndex(({ name }) => name === link)];
  const d = part.pose.xyz.map((x, i) => x - T[4 * i + 3]);
  const center = [0, 1, 2].map((i) => T[i] * d[0] + T[4 + i] * d[1] + T[8 + i] * d[2]) as [number, number, number];
  return { link, properties: { ...part.inertial!, center } };
}

function proposalOf(random: Random, record: Record, now: number, pull: number): ProposedPoint[] {
  const time = now + random.between(0.03, 0.1);
  const { q, v } = record.at(time);
  const goal = q.map((x) => Math.max(-1.9, Math.min(1.9, x + random.between(-1, 1))));
  const points: ProposedPoint[] = [{ time, positions: [...q], velocities: [...v] }];
  for (let i = 1; i < 3 + random.below(15); i++) {
    for (const j of q.keys()) {
      const a = Math.max(-11, Math.min(11, pull * (goal[j] - q[j]) - 2 * Math.sqrt(pull) * v[j]));
      q[j] += STEP * v[j] + (STEP * STEP * a) / 2;
      v[j] = Math.max(-2.7, Math.min(2.7, v[j] + STEP * a));
    }
    points.push({ time: time + i * STEP, positions: [...q], velocities: [...v] });
  }
  return points;
}

/** True if a proposal with its straight stop keeps 2 % of all limits at all samples. */
function isClearlyFree(judge: Judge, points: readonly ProposedPoint[]): boolean {
  const last = points[points.length - 1];
  const longest = Math.max(...last.velocities!.map((v) => Math.abs(v) / 11.9));
  const stop = {
    time: last.time + longest,
    positions: last.positions.map((x, j) => x + (last.velocities![j] * longest) / 2),
    velocities: last.positions.map(() => 0),
  };
  const curve = new Record(points[0].positions);
  curve.points = [...points, ...(longest > 0 ? [stop] : [])].map((one) => ({ ...one, velocities: one.velocities! }));
  const limits = { velocity: 2.99, acceleration: Number.POSITIVE_INFINITY, jerk: Number.POSITIVE_INFINITY };
  const ranges = points[0].positions.map(() => 1.999);
  return curve.exceeded(0, { ...limits, ranges }).length === 0 && judge.worst(curve, points[0].time).ratio < 0.98;
}

/** Runs a random policy on a random arm with tight torques, which takes and puts down a part. */
export function attackTorqueGate(seed: number, messages = 12): TorqueGateAttack {
  const random = new Random(seed, 5);
  const arm = randomArm(seed);
  const attack: TorqueGateAttack = { verdicts: {}, faults: [], free: 0, missed: 0 };
  const start = arm.variables.map(() => random.between(-1.5, 1.5));
  const zeros = start.map(() => 0);
  const holding = createTorqueOracle(arm, ownBodies(arm), [0, 0, -9.81])(start, zeros, zeros);
  const robot: RobotModel = {
    ...arm,
    links: arm.links.map((one) => ({ ...one, parts: [{ shape: createShape(SPECK), T_link_part: create() }] })),
    variables: arm.variables.map((one, k) => ({
      ...one,
      effort: random.between(1.02, 3) * Math.abs(holding[k]) + random.between(1, 60),
      accelerationAssumed: true,
      limits: { ...one.limits, acceleration: 12 },
    })),
  };
  const names = arm.links.map(({ name }) => name);
  const link = names.at(-1)!;
  const momentum = random.below(3) === 0 ? random.between(1, 10) : undefined;
  const power = random.below(3) === 0 ? random.between(5, 60) : undefined;
  const scene: Scene = {
    ...sceneOf({ boxes: [], others: [] }),
    robot: { name: 'random' } as Scene['robot'],
    obstacles: [],
    allow: names.flatMap((a, i) => names.slice(i + 1).map((b) => [a, b] as const)),
    start,
    torque: { scale: 1 },
    constraints: [
      ...(momentum ? [{ type: 'momentum', most: momentum } as const] : []),
      ...(power ? [{ type: 'power', most: power } as const] : []),
    ],
    gravity: [0, 0, -9.81],
    tcp: { link, pose: { xyz: [0, 0, 0], quat_wxyz: [1, 0, 0, 0] } },
  };
  const ranges = robot.variables.map(({ limits }) => limits);
  if (start.some((q, k) => !(q >= ranges[k].lower && q <= ranges[k].upper))) return attack;
  const judge = new Judge(robot, new Record(start), momentum, power);
  const draws = new Random(seed, 6);
  const budget = draws.below(4) === 0 ? 1 + draws.below(300) : undefined;
  const gate = new Gate({ scene, robot: robot.description, model: robot }, budget === undefined ? {} : { budget });
  const part = partOf(random.between(0.2, 4));
  const pull = random.between(2, 12);
  let [now, carries] = [0, false];
  for (let i = 0; i < messages; i++) {
    now += random.between(0.02, 0.2);
    const { q } = judge.record.at(now);
    let answer: GateAnswer;
    if (random.below(5) === 0) {
      answer = carries
        ? gate.change(now, [{ kind: 'remove', name: part.name }])
        : gate.change(now, [
            { kind: 'add', name: part.name, obstacle: part },
            { kind: 'attach', name: part.name, link, touches: names },
          ]);
      carries = !carries;
      judge.bodies = [...ownBodies(robot), ...(carries ? [loadOn(robot, link, q, part)] : [])];
    } else {
      const points = proposalOf(random, judge.record, now, pull);
      const isFree = budget === undefined && judge.isProved && isClearlyFree(judge, points);
      answer = gate.propose(now, points);
      if (isFree) attack.free++;
      if (isFree && answer.verdict !== 'accepted' && answer.verdict !== 'slowed') attack.missed++;
    }
    take(attack, judge, answer, now, `seed ${seed}, message ${i} at ${now}`);
  }
  return attack;
}

function take(attack: TorqueGateAttack, judge: Judge, answer: GateAnswer, now: number, place: string): void {
  const { verdict, committed } = answer;
  attack.verdicts[verdict] = (attack.verdicts[verdict] ?? 0) + 1;
  if (committed) {
    const points = committed.points.map((p) => ({ ...p, time: p.time_from_start }));
    for (const what of judge.record.apply(committed.from, points, now)) attack.faults.push(`${place}: ${what}`);
  }
  if (verdict === 'unavoidable') judge.isProved = false;
  else if (verdict !== 'refused') judge.isProved = true;
  if (!judge.isProved) return;
  const { ratio, time } = judge.worst(judge.record, now);
  if (ratio > 1 + ROUNDING) attack.faults.push(`${place}: ${verdict}, torque of ${ratio} of its limit at ${time}`);
  if (judge.record.points.at(-1)!.velocities.some((v) => v !== 0)) attack.faults.push(`${place}: does not end at rest`);
}
