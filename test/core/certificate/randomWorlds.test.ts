import { expect, test } from 'vitest';
import { certificateText, readCertificate } from '../../../src/core/certificate/certificate.ts';
import { type CertifiedScene, certifiedParts, checkedPairs } from '../../../src/core/certificate/convexParts.ts';
import { motionPieces } from '../../../src/core/certificate/motionPieces.ts';
import { PlaneProver } from '../../../src/core/certificate/planeProver.ts';
import { verifyCertificate } from '../../../src/core/certificate/verify.ts';
import { CollisionModel } from '../../../src/core/collision/model/collisionModel.ts';
import { PosedParts } from '../../../src/core/collision/model/posedParts.ts';
import { createRobotModel } from '../../../src/core/kinematics/createRobotModel.ts';
import type { RobotModel } from '../../../src/core/kinematics/robotModel.ts';
import { Random } from '../../../src/core/math/random.ts';
import { rotate, rotateBack } from '../../../src/core/math/transform.ts';
import type { ConvexShape } from '../../../src/core/shapes/shape.ts';
import type { Trajectory, TrajectoryPoint } from '../../../src/core/trajectory/trajectory.ts';
import { TrajectoryCurve } from '../../../src/core/trajectory/trajectoryCurve.ts';
import { certifyTrajectory } from '../../../src/tasks/checking/certifyTrajectory.ts';
import { cases } from '../../cases.ts';
import { randomObstacles, randomPose, randomRobot, randomShape } from '../../helpers/robots.ts';

/**
 * Robots of 2–9 joints with a base pose, two attached objects, obstacles of two parts, and a motion of three points.
 */
function* worlds(seed: number, count: number, stride: number) {
  const random = new Random(seed);
  for (let made = 0; made < count; ) {
    const robot = createRobotModel(randomRobot(random, 2 + random.below(8)), { pose: randomPose(random, 2) });
    if (robot.dof === 0) continue;
    made++;
    const link = () => robot.links[random.below(robot.links.length)].name;
    const part = () => ({ shape: randomShape(random, 0.2), at: randomPose(random, 0.1) });
    const carried = ['cup', 'rod'].map((name) => {
      return { name, link: link(), touches: [], pose: randomPose(random, 0.2), parts: [part()] };
    });
    const origin = robot.T_world_root;
    const obstacles = randomObstacles(random, 4, 1.2).map(({ name, parts, pose }) => {
      const [x, y, z] = pose.xyz;
      const near: [number, number, number] = [x + origin[3], y + origin[7], z + origin[11]];
      return { name, parts: [...parts, part()], pose: { ...pose, xyz: near } };
    });
    const scene: CertifiedScene = { obstacles, attached: carried, allow: [], padding: random.below(2) * 0.01 };
    yield {
      random,
      robot,
      scene,
      trajectory: randomMotion(random, robot, stride),
      label: `seed ${seed}, world ${made}`,
    };
  }
}

function randomMotion(random: Random, { variables }: RobotModel, stride: number): Trajectory {
  const positions = variables.map(() => random.between(-1, 1));
  const kind = random.below(3);
  const points: TrajectoryPoint[] = [0, 1, 2].map((i) => ({
    positions: positions.map((x) => x + random.between(-stride, stride)),
    ...(kind > 0 && { time_from_start: i * random.between(0.9, 1.1) }),
    ...(kind > 1 && { velocities: positions.map(() => random.between(-stride, stride)) }),
  }));
  return { jointNames: variables.map(({ name }) => name), points };
}

/**
 * min n·b − max n·a at one instant, by the kinematics and support functions of the planner; n in the frame that
 * certificates use.
 */
function gapAt(posed: PosedParts, curve: TrajectoryCurve, pair: number, n: readonly number[], t: number): number {
  const { model } = posed;
  const q = new Float64Array(curve.dof);
  curve.position(q, t);
  posed.pose(q);
  const b = model.partOf(model.pairB[pair]);
  const direction = Float64Array.from(n);
  if (model.isSelfPair(pair)) {
    rotateBack(direction, b.T_object_part, direction);
    rotate(direction, posed.T_world_part[model.pairB[pair]], direction);
  }
  const opposite = direction.map((x) => -x);
  return -heightOf(posed, model.pairB[pair], opposite) - heightOf(posed, model.pairA[pair], direction);
}

function heightOf({ T_world_part, shapes }: PosedParts, part: number, d: Float64Array): number {
  const shape: ConvexShape = shapes[part];
  const T = T_world_part[part];
  const local = new Float64Array(3);
  rotateBack(local, T, d);
  const p = new Float64Array(3);
  shape.support(p, shape, local, -1);
  const core = p[0] * local[0] + p[1] * local[1] + p[2] * local[2];
  return core + shape.margin * Math.hypot(...d) + d[0] * T[3] + d[1] * T[7] + d[2] * T[11];
}

/** A direction that is likely to separate a pair: from middle to middle half-way through, turned a little. */
function likelyDirection(random: Random, posed: PosedParts, curve: TrajectoryCurve, pair: number): number[] {
  const { model } = posed;
  const q = new Float64Array(curve.dof);
  curve.position(q, (curve.start + curve.end) / 2);
  posed.pose(q);
  const [a, b] = [posed.T_world_part[model.pairA[pair]], posed.T_world_part[model.pairB[pair]]];
  const d = Float64Array.from([3, 7, 11], (i) => b[i] - a[i] + random.between(-0.1, 0.1));
  if (model.isSelfPair(pair)) {
    rotateBack(d, b, d);
    rotate(d, model.partOf(model.pairB[pair]).T_object_part, d);
  }
  return Array.from(d, (x) => x / Math.hypot(...d));
}

test('the pairs that a certificate must contain are those that the planner checks', () => {
  for (const { robot, scene, label } of worlds(3, cases(30), 1)) {
    const model = new CollisionModel(robot, scene);
    const key = (...ends: [string, number][]) =>
      ends
        .map((end) => end.join('#'))
        .sort()
        .join(' ~ ');
    const ours = checkedPairs(robot, scene, certifiedParts(robot, scene));
    const theirs = Array.from({ length: model.pairCount }, (_, pair) => {
      const [a, b] = [model.partOf(model.pairA[pair]), model.partOf(model.pairB[pair])];
      return key([a.name, a.part], [b.name, b.part]);
    });
    expect(ours.map(([a, b]) => key([a.object, a.part], [b.object, b.part])).sort(), label).toEqual(theirs.sort());
  }
});

test('a plane is proved only if it holds at every sample, and refused only at an instant at which it does not', () => {
  const seen = { proved: 0, refused: 0 };
  for (const { random, robot, scene, trajectory, label } of worlds(5, cases(40), 0.7)) {
    const posed = new PosedParts(new CollisionModel(robot, scene));
    const curve = new TrajectoryCurve(trajectory);
    const parts = certifiedParts(robot, scene);
    const prover = new PlaneProver(robot, motionPieces(trajectory), scene);
    const { model } = posed;
    for (let pair = 0; pair < model.pairCount; pair++) {
      const [a, b] = [model.pairA[pair], model.pairB[pair]].map((part) => {
        const { name, part: number } = model.partOf(part);
        return parts.find((one) => one.object === name && one.part === number)!;
      });
      const n = likelyDirection(random, posed, curve, pair);
      const from = curve.start + random.next() * (curve.end - curve.start);
      const to = from + random.next() * (curve.end - from);
      const place = `${label}, ${a.object} and ${b.object} from ${from} to ${to}`;
      prover.setPair(a, b);
      prover.minGap = Number.POSITIVE_INFINITY;
      if (prover.provesSpan(from, to, Float64Array.from(n))) {
        seen.proved++;
        const times = Array.from({ length: 41 }, (_, i) => from + ((to - from) * i) / 40);
        const sampled = Math.min(...times.map((t) => gapAt(posed, curve, pair, n, t)));
        expect(sampled, place).toBeGreaterThanOrEqual(Math.max(prover.minGap, scene.padding));
      } else {
        seen.refused++;
        const gap = gapAt(posed, curve, pair, n, prover.time);
        expect(gap - prover.gap, place).toBeGreaterThanOrEqual(0);
        expect(gap - prover.gap, place).toBeLessThan(1e-9);
        expect(gap, place).toBeLessThan(scene.padding + 1e-9);
      }
    }
  }
  expect(seen.proved).toBeGreaterThan(cases(300));
  expect(seen.refused).toBeGreaterThan(cases(100));
});

test('a span over several pieces is proved if and only if it is proved on each piece alone', () => {
  const seen = { proved: 0, refused: 0, several: 0 };
  const wrong: string[] = [];
  for (const { random, robot, scene, trajectory, label } of worlds(6, cases(40), 0.7)) {
    const posed = new PosedParts(new CollisionModel(robot, scene));
    const curve = new TrajectoryCurve(trajectory);
    const pieces = motionPieces(trajectory);
    const parts = certifiedParts(robot, scene);
    const prover = new PlaneProver(robot, pieces, scene);
    const { model } = posed;
    const knots = [...pieces.map(({ start }) => start), curve.end];
    const time = () => (random.next() < 0.5 ? knots[random.below(knots.length)] : random.between(knots[0], curve.end));
    for (let pair = 0; pair < model.pairCount; pair++) {
      const [a, b] = [model.pairA[pair], model.pairB[pair]].map((part) => {
        const { name, part: number } = model.partOf(part);
        return parts.find((one) => one.object === name && one.part === number)!;
      });
      const n = Float64Array.from(likelyDirection(random, posed, curve, pair));
      const [from, to] = [time(), time()].sort((one, other) => one - other);
      prover.setPair(a, b);
      const proved = prover.provesSpan(from, to, n);
      const within = pieces.filter(({ start, end }) => start <= to && end >= from);
      const each = within.map(({ start, end }) => prover.provesSpan(Math.max(from, start), Math.min(to, end), n));
      seen[proved ? 'proved' : 'refused']++;
      if (within.length > 1) seen.several++;
      if (proved !== each.every(Boolean)) wrong.push(`${label}, ${a.object} and ${b.object} from ${from} to ${to}`);
    }
  }
  expect(wrong).toEqual([]);
  expect(seen.proved).toBeGreaterThan(cases(300));
  expect(seen.refused).toBeGreaterThan(cases(100));
  expect(seen.several).toBeGreaterThan(cases(300));
});

test('pieces of a motion that leave a hole, overlap or go backwards are refused', () => {
  for (const { robot, scene, trajectory } of worlds(6, 3, 0.7)) {
    const pieces = motionPieces(trajectory);
    expect(() => new PlaneProver(robot, [...pieces, pieces[0]], scene)).toThrow('does not begin where');
    expect(() => new PlaneProver(robot, pieces.toReversed(), scene)).toThrow('does not begin where');
    if (pieces.length > 2)
      expect(() => new PlaneProver(robot, pieces.toSpliced(1, 1), scene)).toThrow('does not begin where');
  }
});

test('every certificate that the planner’s prover writes is accepted, also from its text, and none with a plane mirrored', () => {
  let certified = 0;
  for (const { robot, scene, trajectory, label } of worlds(8, cases(120), 0.3)) {
    const written = certifyTrajectory(new PosedParts(new CollisionModel(robot, scene)), trajectory);
    if (!written) continue;
    certified++;
    const certificate = readCertificate(certificateText(written), label);
    expect(verifyCertificate(certificate, robot, scene, trajectory), label).toMatchObject({
      proved: true,
      problems: [],
    });
    const [first, ...others] = certificate.pairs;
    const [[t0, t1, x, y, z], ...spans] = first.spans;
    const mirrored = { ...first, spans: [[t0, t1, -x, -y, -z] as const, ...spans] };
    const altered = { ...certificate, pairs: [mirrored, ...others] };
    expect(verifyCertificate(altered, robot, scene, trajectory).proved, label).toBe(false);
  }
  expect(certified).toBeGreaterThan(cases(20));
});
