import { expect, test } from 'vitest';
import type { Span } from '../../src/core/certificate/certificate.ts';
import { certifiedParts, checkedPairs } from '../../src/core/certificate/convexParts.ts';
import { motionPieces } from '../../src/core/certificate/motionPieces.ts';
import { PlaneProver } from '../../src/core/certificate/planeProver.ts';
import { spanFailures } from '../../src/core/certificate/spanProofs.ts';
import { verifyCertificate } from '../../src/core/certificate/verify.ts';
import { spanCount } from '../../src/core/certificate/verifyPairs.ts';
import { CollisionModel } from '../../src/core/collision/model/collisionModel.ts';
import { MotionProver } from '../../src/core/collision/motions/motionProver.ts';
import { CollisionManager } from '../../src/core/collision/states/collisionManager.ts';
import { never } from '../../src/core/math/interrupt.ts';
import { Random } from '../../src/core/math/random.ts';
import { TrajectoryCurve } from '../../src/core/trajectory/trajectoryCurve.ts';
import { certifyTrajectory } from '../../src/tasks/checking/certifyTrajectory.ts';
import { proveStages } from '../../src/tasks/checking/checkTrajectory.ts';
import { Recertifier } from '../../src/tasks/checking/recertify.ts';
import { AT_REST, worldMotions } from '../../src/tasks/checking/worldMotions.ts';
import { at, body, joint, link, motionOf, robotOf } from '../core/certificate/worlds.ts';

const robot = robotOf(
  [
    link('base'),
    link('arm', [{ type: 'box', size: [0.4, 0.05, 0.05] }]),
    link('hand', [{ type: 'sphere', radius: 0.03 }]),
  ],
  [
    joint('continuous', ['base', 'arm'], [0, 0, 1], { velocity: 1, acceleration: 4 }),
    joint('prismatic', ['arm', 'hand'], [0, 0, 1], {
      velocity: 1,
      acceleration: 4,
      origin: at(0.2, 0, 0.1),
      lower: 0,
      upper: 1,
    }),
  ],
);
const obstacles = [0, 1, 2, 3].map((i) =>
  body(`box${i}`, at(0.4 * Math.cos(1.5 * i), 0.4 * Math.sin(1.5 * i), -0.1), { type: 'box', size: [0.1, 0.1, 0.1] }),
);
const scene = { obstacles, attached: [], allow: [], padding: 0 };
/** A weave of `count` points. */
const weave = (count: number) =>
  motionOf(
    robot,
    Array.from({ length: count }, (_, i) => ({
      positions: [0.002 * i + 0.02 * Math.sin(i / 3), 0.1 + 0.05 * Math.cos(i / 5)],
    })),
  );

test('the certificate of a dense path has planes for its changes of place, not for its points', () => {
  const trajectory = weave(1500);
  const { posed, model } = new CollisionManager(new CollisionModel(robot, scene));
  const certificate = certifyTrajectory(posed, trajectory)!;
  expect(spanCount(certificate.pairs)).toBeLessThan(10 * model.pairCount);
  expect(verifyCertificate(certificate, robot, scene, trajectory)).toMatchObject({ proved: true, problems: [] });
  const renewed = new Recertifier({ robot, scene }, { room: true }).recertify(trajectory);
  expect(renewed.status).toBe('proved');
  expect(spanCount(renewed.certificate!.pairs)).toBeLessThan(10 * model.pairCount);
  // A plane keeps half of the gap at which it was found: the room is at least half of the exact one, 25 mm.
  expect(renewed.room!.box0.z[1]).toBeGreaterThan(0.0125);
});

test('spans that are proved window by window are exactly those that are proved as a whole', () => {
  const random = new Random(38);
  const trajectory = weave(1300);
  const prover = new PlaneProver(robot, motionPieces(trajectory), { padding: 0 });
  const counts = [0, 0];
  for (const [a, b] of checkedPairs(robot, scene, certifiedParts(robot, scene)))
    for (let round = 0; round < 12; round++) {
      const spans = Array.from({ length: 1 + random.below(3) }, (): Span => {
        const [x, y] = [random.between(0, 1299), random.between(0, 1299)];
        const [from, to] = [
          [x, y],
          [512, 512],
          [1024, y],
          [x, x],
        ][random.below(4)].toSorted((p, q) => p - q);
        const tilt = random.between(-0.6, 0.6);
        return [from, to, Math.sin(tilt), 0, -Math.cos(tilt)];
      });
      const pair = { a, b, spans };
      prover.setPair(a, b);
      const isProved = spans.every(([from, to, ...n]) => prover.provesSpan(from, to, Float64Array.from(n)));
      const failures = spanFailures(prover, [{ a, b, spans: [[0, 0, 0, 0, -1]] }, pair], () => false)!;
      expect(failures.has(pair), JSON.stringify(spans)).toBe(!isProved);
      counts[Number(isProved)]++;
    }
  expect(Math.min(...counts)).toBeGreaterThan(5);
});

test('a span beyond the end of the motion is not proved, whatever the window', () => {
  const prover = new PlaneProver(robot, motionPieces(weave(600)), { padding: 0 });
  const [[a, b]] = checkedPairs(robot, scene, certifiedParts(robot, scene));
  const pairs = (
    [
      [0, 600],
      [-1, 5],
      [599, 700],
      [600, 600],
    ] as const
  ).map(([from, to]) => ({
    a,
    b,
    spans: [[from, to, 0, 0, -1] as const],
  }));
  expect(spanFailures(prover, pairs, () => false)!.size).toBe(4);
});

test('motions that use up the intervals of all proofs are unresolved at the next motion', () => {
  const manager = new CollisionManager(new CollisionModel(robot, scene));
  const prover = new MotionProver(manager.posed);
  const motions = worldMotions(new TrajectoryCurve(weave(4)), AT_REST);
  const prove = (used: number) =>
    proveStages([() => ({ manager, motions, prover })], never, ({ start }) => {
      if (start === 1) prover.intervals += used;
      return start === 1;
    });
  expect(prove(1000)).toEqual({});
  expect(prove(10_000_000)).toMatchObject({ unresolved: { time: 2 } });
});
