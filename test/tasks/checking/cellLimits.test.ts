import { expect, test } from 'vitest';
import { verifyCertificate } from '../../../src/core/certificate/verify.ts';
import { Random } from '../../../src/core/math/random.ts';
import type { PairClearance } from '../../../src/core/scene/clearances.ts';
import type { Scene } from '../../../src/core/scene/scene.ts';
import type { Trajectory } from '../../../src/core/trajectory/trajectory.ts';
import { readSafety } from '../../../src/formats/scenes/readSafety.ts';
import type { RawSafety } from '../../../src/formats/scenes/safetySchema.ts';
import { SceneReader } from '../../../src/formats/scenes/sceneReader.ts';
import { loadRobot } from '../../../src/host/node/files.ts';
import { checkReport } from '../../../src/tasks/reports/checkReport.ts';
import { createSceneRobot } from '../../../src/tasks/sceneRobot.ts';
import { chained, linkPose, type OraclePose, turned } from '../../core/constraints/constraintOracle.ts';

type Triple = [number, number, number];

const { robot: loaded } = { robot: await loadRobot('ur5e') };
const robot = { ...loaded, links: loaded.links.map((link) => ({ ...link, collisions: [] })) };
const names = robot.joints.filter(({ type }) => type === 'revolute').map(({ name }) => name);
const TCP: Triple = [0, 0.02, 0.14];
const SPHERE = { xyz: [0.03, 0, 0.09] as Triple, radius: 0.05 };
const BALL = { xyz: [0.02, 0.01, 0.06] as Triple, radius: 0.03 };
const FORE = { xyz: [0.3, 0.02, -0.05] as Triple, radius: 0.04 };
const BOX = { size: [0.2, 0.1, 0.3] as Triple, at: [0.1, -0.75, 1.3] as Triple };

const add = (a: readonly number[], b: readonly number[]) => a.map((x, i) => x + b[i]) as Triple;
const dot = (a: readonly number[], b: readonly number[]) => a.reduce((sum, x, i) => sum + x * b[i], 0);
const frame = (q: readonly number[], link: string, xyz: Triple): OraclePose =>
  chained(linkPose(robot, new Map(names.map((name, j) => [name, q[j]])), link), { p: xyz, r: [1, 0, 0, 0] });

/** A cubic motion through three states, at rest at its ends, evaluated without code of the project. */
function motionOf({ points }: Trajectory) {
  const piece = (t: number) =>
    Math.min(points.length - 2, points.findIndex((p, i) => i > 0 && t <= p.time_from_start!) - 1);
  const at = (t: number, order: 0 | 1) => {
    const k = Math.max(0, piece(t));
    const [from, to] = [points[k], points[k + 1]];
    const T = to.time_from_start! - from.time_from_start!;
    const s = (t - from.time_from_start!) / T;
    return Array.from(from.positions, (x, j) => {
      const [d, v, w] = [to.positions[j] - x, T * from.velocities![j], T * to.velocities![j]];
      const [b, c] = [3 * d - 2 * v - w, v + w - 2 * d];
      return order === 0 ? x + s * (v + s * (b + s * c)) : (v + s * (2 * b + s * 3 * c)) / T;
    });
  };
  const rate = (place: (q: number[]) => readonly number[], t: number) => {
    const [q, v] = [at(t, 0), at(t, 1)];
    const beside = (h: number) => place(q.map((x, j) => x + h * v[j]));
    const [a, b] = [beside(-1e-6), beside(1e-6)];
    return Math.hypot(...a.map((x, i) => b[i] - x)) / 2e-6;
  };
  return { at, rate, end: points[points.length - 1].time_from_start! };
}

type Motion = ReturnType<typeof motionOf>;

interface Form {
  readonly label: string;
  /** The limited quantity: it must not exceed the limit. */
  readonly value: (motion: Motion, t: number) => number;
  readonly safety?: (limit: number) => RawSafety;
  readonly clearances?: (limit: number) => PairClearance[];
}

function formsOf(random: Random): Form[] {
  const direction = (): Triple => [random.between(-1, 1), random.between(-1, 1), random.between(-1, 1)];
  const n = direction();
  const [unit, towards, axis] = [n.map((x) => x / Math.hypot(...n)) as Triple, direction(), direction()];
  const plane =
    (keep: 'tcp' | 'elbow' | 'tool') =>
    (limit: number): RawSafety => ({
      ...(keep === 'tool' && { tool: [SPHERE] }),
      planes: [{ name: 'door', point: unit.map((x) => x * limit), normal: n, keep: [keep] }],
    });
  const tcp = (q: number[]) => frame(q, 'tool0', TCP).p;
  const elbow = (q: number[]) => frame(q, 'forearm_link', [0, 0, 0]).p;
  const j = random.below(6);
  const joint = names[j];
  const angle = (q: number[]) => {
    const a = turned(frame(q, 'tool0', TCP).r, axis);
    return Math.acos(Math.min(1, Math.max(-1, dot(a, towards) / Math.hypot(...axis) / Math.hypot(...towards))));
  };
  const gap = (q: number[]) => {
    const p = add(
      frame(q, 'tool0', BALL.xyz).p,
      BOX.at.map((x) => -x),
    );
    return Math.hypot(...p.map((x, i) => Math.max(0, Math.abs(x) - BOX.size[i] / 2))) - BALL.radius;
  };
  /** Gap of two spheres, of which the forearm and the tool carry one each, as the links that clamp. */
  const between = (q: number[]) => {
    const [p, o] = [frame(q, 'tool0', BALL.xyz).p, frame(q, 'forearm_link', FORE.xyz).p];
    return Math.hypot(...p.map((x, i) => x - o[i])) - BALL.radius - FORE.radius;
  };
  return [
    { label: 'plane:door', safety: plane('tcp'), value: (m, t) => dot(unit, tcp(m.at(t, 0))) },
    { label: 'plane:door', safety: plane('elbow'), value: (m, t) => dot(unit, elbow(m.at(t, 0))) },
    {
      label: 'plane:door',
      safety: plane('tool'),
      value: (m, t) => dot(unit, frame(m.at(t, 0), 'tool0', SPHERE.xyz).p) + SPHERE.radius,
    },
    {
      label: 'tool_direction',
      safety: (within) => ({ tool_direction: { axis, towards, within } }),
      value: (m, t) => angle(m.at(t, 0)),
    },
    { label: 'tcp_speed', safety: (limit) => ({ tcp_speed: limit }), value: (m, t) => m.rate(tcp, t) },
    { label: 'elbow_speed', safety: (limit) => ({ elbow_speed: limit }), value: (m, t) => m.rate(elbow, t) },
    {
      label: `joint_speed:${joint}`,
      safety: (limit) => ({ joint_speed: { [joint]: limit } }),
      value: (m, t) => Math.abs(m.at(t, 1)[j]),
    },
    {
      label: `joint_range:${joint}`,
      safety: (limit) => ({ joint_range: { [joint]: [-6, limit] } }),
      value: (m, t) => m.at(t, 0)[j],
    },
    {
      label: 'clearance:post:ball',
      clearances: (limit) => [{ a: 'post', b: 'ball', distance: -limit }],
      value: (m, t) => -gap(m.at(t, 0)),
    },
    {
      label: 'clearance:fore:ball',
      clearances: (limit) => [{ a: 'fore', b: 'ball', distance: -limit }],
      value: (m, t) => -between(m.at(t, 0)),
    },
  ];
}

/** Greatest value over a motion: sampled, then refined about the highest samples. */
function greatest(f: (t: number) => number, end: number): number {
  const N = 400;
  const values = Array.from({ length: N + 1 }, (_, i) => f((i * end) / N));
  const tops = [...values.keys()].sort((a, b) => values[b] - values[a]).slice(0, 3);
  return Math.max(
    ...tops.map((i) => {
      let [a, b] = [(Math.max(0, i - 1) * end) / N, (Math.min(N, i + 1) * end) / N];
      for (let k = 0; k < 60; k++) {
        const [c, d] = [a + 0.382 * (b - a), b - 0.382 * (b - a)];
        if (f(c) > f(d)) b = d;
        else a = c;
      }
      return f(0.5 * (a + b));
    }),
    ...values,
  );
}

const at = (xyz: Triple) => ({ xyz, quat_wxyz: [1, 0, 0, 0] as const });
const limits = Object.fromEntries(names.map((name) => [name, { velocity: 1e3, acceleration: 1e5 }]));
const base: Scene = {
  name: 'limits',
  robot: {
    name: 'ur5e',
    packages: {},
    fixed: {},
    limits,
    pose: at([0, 0, 0]),
    parts: 'hull',
    empty: robot.links.map(({ name }) => name),
  },
  goals: [],
  equivalent: false,
  obstacles: [{ name: 'post', parts: [{ shape: { type: 'box', size: BOX.size } }], pose: at(BOX.at) }],
  attached: Object.entries({ tool0: { name: 'ball', ...BALL }, forearm_link: { name: 'fore', ...FORE } }).map(
    ([link, { name, radius, xyz }]) => ({
      name,
      link,
      touches: [],
      parts: [{ shape: { type: 'sphere', radius } }],
      pose: at(xyz),
    }),
  ),
  allow: [
    ['fore', 'ball'],
    ['fore', 'post'],
  ],
  padding: 0,
  tcp: { link: 'tool0', pose: at(TCP) },
};
const model = createSceneRobot({ scene: base, robot });

function randomMotion(random: Random): Trajectory {
  const state = () => names.map(() => random.between(-2, 2));
  const rest = names.map(() => 0);
  return {
    robot: 'ur5e',
    scene: 'limits',
    jointNames: names,
    interpolation: 'cubic',
    points: [
      { time_from_start: 0, positions: state(), velocities: rest },
      { time_from_start: 1.3, positions: state(), velocities: names.map(() => random.between(-1, 1)) },
      { time_from_start: 2.9, positions: state(), velocities: rest },
    ],
  } as Trajectory;
}

/** Checks one motion with the limit just beyond (kept) or just short of its greatest value, by check and by verify. */
function judged(form: Form, trajectory: Trajectory, limit: number) {
  const reader = new SceneReader();
  const constraints = form.safety ? readSafety(reader, form.safety(limit), base.tcp) : [];
  expect(reader.diagnostics).toEqual([]);
  const scene: Scene = { ...base, constraints, ...(form.clearances && { clearances: form.clearances(limit) }) };
  const { report, certify } = checkReport(model, scene, trajectory, { checker: 'growth-distance', place: 't' });
  const { clearances: _, ...unlimited } = { ...scene, constraints: [] };
  const proof = report.valid ? certify() : undefined;
  const own = checkReport(model, unlimited, trajectory, { checker: 'growth-distance', place: 't' });
  const claim = proof ?? (own.report.valid ? own.certify() : undefined);
  const proved = claim !== undefined && verifyCertificate(claim, model, scene, trajectory).proved;
  return { report, proved, isFree: own.report.valid };
}

test('a motion is accepted if it keeps a limit by 1 mm or 1 %, and never if it breaks it by 0.1 mm', () => {
  const cases = Number(process.env.LIMIT_CASES ?? 1);
  const first = Number(process.env.LIMIT_SEED ?? 1);
  const wrong: string[] = [];
  for (let seed = first; seed < first + cases; seed++) {
    const random = new Random(seed);
    for (const form of formsOf(random)) {
      const trajectory = randomMotion(random);
      const motion = motionOf(trajectory);
      const top = greatest((t) => form.value(motion, t), motion.end);
      if (form.clearances && !(top < -2e-3)) continue;
      if (form.label === 'tool_direction' && top > 3.1) continue;
      const room = form.label.includes('speed') ? Math.max(1e-3, 0.01 * top) : 1e-3;
      const kept = judged(form, trajectory, top + room);
      if (!kept.isFree) continue;
      const broken = judged(form, trajectory, top - 1e-4);
      const place = `seed ${seed}, ${form.label}`;
      if (!kept.report.valid || !kept.proved) wrong.push(`${place}: refused: ${JSON.stringify(kept.report.faults)}`);
      if (!(Math.abs(kept.report.margins![form.label] - room) < 1e-4 * Math.max(1, top)))
        wrong.push(`${place}: margin`);
      if (broken.report.valid || broken.proved) wrong.push(`${place}: accepted`);
      if (!broken.report.constraints?.includes(form.label)) wrong.push(`${place}: not named`);
    }
  }
  expect(wrong).toEqual([]);
});

test('of limits that are stated together, those that a motion breaks are named, and no others', () => {
  const cases = Number(process.env.LIMIT_CASES ?? 4);
  const first = Number(process.env.LIMIT_SEED ?? 1);
  for (let seed = first; seed < first + cases; seed++) {
    const random = new Random(seed);
    const trajectory = randomMotion(random);
    const motion = motionOf(trajectory);
    const broken: string[] = [];
    const stated = formsOf(random).flatMap((form, i): RawSafety[] => {
      if (form.safety === undefined) return [];
      const top = greatest((t) => form.value(motion, t), motion.end);
      const isKept = random.below(3) > 0 || (form.label === 'tool_direction' && top > 3.1);
      const safety = form.safety(isKept ? top + Math.max(1e-3, 0.01 * top) : top - 1e-4);
      const planes = safety.planes?.map((plane) => ({ ...plane, name: `door${i}` }));
      if (!isKept) broken.push(planes ? `plane:door${i}` : form.label);
      return [{ ...safety, ...(planes && { planes }) }];
    });
    const safety = { ...Object.assign({}, ...stated), planes: stated.flatMap(({ planes = [] }) => planes) };
    const constraints = readSafety(new SceneReader(), safety, base.tcp);
    const scene: Scene = { ...base, obstacles: [], allow: [['fore', 'ball']], constraints };
    const { report } = checkReport(model, scene, trajectory, { checker: 'growth-distance', place: 't' });
    expect([...(report.constraints ?? [])].sort(), `seed ${seed}`).toEqual(broken.sort());
    expect(report.valid).toBe(broken.length === 0);
  }
});
