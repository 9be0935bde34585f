import { expect, test } from 'vitest';
import { CollisionModel } from '../../src/core/collision/model/collisionModel.ts';
import { PosedParts } from '../../src/core/collision/model/posedParts.ts';
import { MotionProver } from '../../src/core/collision/motions/motionProver.ts';
import { TrajectoryCurve } from '../../src/core/trajectory/trajectoryCurve.ts';
import { Recertifier } from '../../src/tasks/checking/recertify.ts';
import { SpanRecorder } from '../../src/tasks/checking/spanRecorder.ts';
import { AT_REST, worldMotions } from '../../src/tasks/checking/worldMotions.ts';
import { at, body, joint, link, motionOf, robotOf } from '../core/certificate/worlds.ts';

/** An arm that turns in a ring of boxes, `rate` rad in each of two seconds. */
function turningArm(rate: number) {
  const robot = robotOf(
    [link('base'), link('arm', [{ type: 'box', size: [0.4, 0.05, 0.05] }])],
    [joint('continuous', ['base', 'arm'], [0, 0, 1], { velocity: 1, acceleration: 4 })],
  );
  const obstacles = Array.from({ length: 6 }, (_, i) =>
    body(`box${i}`, at(0.35 * Math.cos(i), 0.35 * Math.sin(i), 0), { type: 'box', size: [0.1, 0.1, 0.1] }),
  );
  const trajectory = motionOf(
    robot,
    [0, 1, 2].map((t) => ({ time_from_start: t, positions: [t * rate], velocities: [rate] })),
  );
  return { robot, scene: { obstacles, attached: [], allow: [], padding: 0 }, trajectory };
}

test('a proof ends, unresolved, when its recorder is full', () => {
  const { robot, scene, trajectory } = turningArm(1000);
  const model = new CollisionModel(robot, scene);
  const posed = new PosedParts(model);
  const prover = new MotionProver(posed, { resolution: 1e-6, intervals: 200_000 });
  const recorder = new SpanRecorder(model, 500);
  const [motion] = worldMotions(new TrajectoryCurve(trajectory), AT_REST);
  expect(prover.prove(motion, recorder)).toBe('unresolved');
  expect(prover.intervals).toBeLessThan(500);
});

test('spans are limited over all motions and pairs of a certificate', () => {
  const { robot, scene, trajectory } = turningArm(20);
  const complete = new Recertifier({ robot, scene }, { room: false }).recertify(trajectory);
  const spans = complete.certificate!.pairs.reduce((sum, pair) => sum + pair.spans.length, 0);
  const half = new Recertifier({ robot, scene }, { room: false, spans: spans / 2 }).recertify(trajectory);
  expect([half.status, half.certificate]).toEqual(['unresolved', undefined]);
  expect(half.lost.length).toBe(6);
  const enough = new Recertifier({ robot, scene }, { room: false, spans: 10 * spans }).recertify(trajectory);
  expect(enough.certificate).toEqual(complete.certificate);
});

test('pairs that are not checked after the last span are unresolved, also if another one collides', () => {
  const { robot, scene, trajectory } = turningArm(20);
  const obstacles = [...scene.obstacles, body('wall', at(-0.2, 0, 0), { type: 'box', size: [0.1, 0.1, 0.1] })];
  for (let spans = 1; spans <= 60; spans++) {
    const { lost } = new Recertifier({ robot, scene: { ...scene, obstacles } }, { room: false, spans }).recertify(
      trajectory,
    );
    const colliding = lost.flatMap(({ pair, status }) => (status === 'collision' ? [pair[1]] : []));
    expect(colliding.filter((name) => name !== 'wall')).toEqual([]);
  }
});
