import { describe, expect, test } from 'vitest';
import { CollisionModel } from '../../../../src/core/collision/model/collisionModel.ts';
import { PosedParts } from '../../../../src/core/collision/model/posedParts.ts';
import { CubicMotion, type Motion, StraightMotion } from '../../../../src/core/collision/motions/motion.ts';
import { MotionProver } from '../../../../src/core/collision/motions/motionProver.ts';
import { proverDefaults } from '../../../../src/core/collision/proofs/proverOptions.ts';
import { CollisionManager } from '../../../../src/core/collision/states/collisionManager.ts';
import { CertifiedMotionValidator } from '../../../../src/core/collision/validators/certifiedMotionValidator.ts';
import { RobotJointSpace } from '../../../../src/core/collision/validators/robotJointSpace.ts';
import { createRobotModel } from '../../../../src/core/kinematics/createRobotModel.ts';
import { Random } from '../../../../src/core/math/random.ts';
import { randomObstacles, randomRobot, sceneOf } from '../../../helpers/robots.ts';
import { ArcMotion } from './arcMotion.ts';

/**
 * Random robots of 2–9 joints among obstacles, with all pairs that touch at the start taken out by choice of the start.
 */
function* worlds(seed: number, count: number, padding = 0) {
  const random = new Random(seed);
  for (let made = 0, tries = 0; made < count && tries < 50 * count; tries++) {
    const robot = createRobotModel(randomRobot(random, 2 + random.below(8)));
    if (robot.dof === 0) continue;
    const model = new CollisionModel(robot, sceneOf(randomObstacles(random, 6, 1.2), { padding }));
    if (model.pairCount === 0) continue;
    const space = new RobotJointSpace(robot);
    const manager = new CollisionManager(model, { checker: 'gjk' });
    const start = new Float64Array(robot.dof);
    space.sample(start, random);
    if (!manager.isCollisionFree(start)) continue;
    made++;
    yield { random, robot, model, space, manager, start, label: `seed ${seed}, world ${made}` };
  }
}

/** Distance of the nearest pair along a motion, by dense sampling with a manager of its own. */
function leastClearance(model: CollisionModel, motion: Motion, samples: number): number {
  const q = new Float64Array(motion.dof);
  const manager = new CollisionManager(model);
  let least = Number.POSITIVE_INFINITY;
  for (let i = 0; i <= samples; i++) {
    motion.positionAt(q, motion.start + ((motion.end - motion.start) * i) / samples);
    least = Math.min(least, manager.clearance(q, Math.min(least, 0.02)).distance);
  }
  return least;
}

function randomMotion(
  random: Random,
  space: RobotJointSpace,
  start: Float64Array,
  kind: 'straight' | 'cubic' | 'arc',
): Motion {
  const { dof } = space;
  const target = new Float64Array(dof);
  space.sample(target, random);
  const length = random.between(0.05, 2.5) / Math.max(1, space.distance(start, target));
  if (kind === 'straight') {
    const motion = new StraightMotion(dof);
    motion.qFrom = start;
    space.interpolate(motion.qTo, start, target, length);
    return motion;
  }
  if (kind === 'arc') return arcFrom(random, start, target, length);
  // A cubic that stays within the limits of the slides: its bulge is small against the way.
  const duration = random.between(0.5, 2);
  const coefficients = new Float64Array(4 * dof);
  for (let j = 0; j < dof; j++) {
    const way = length * (target[j] - start[j]);
    const bend = way * random.between(-0.5, 0.5);
    coefficients.set([start[j], (way - bend) / duration, (2 * bend) / duration ** 2, -bend / duration ** 3], 4 * j);
  }
  return new CubicMotion(0, duration, coefficients);
}

/** An arc that leaves the start: in the plane of the way to the target and of a random direction across it. */
function arcFrom(random: Random, start: Float64Array, target: Float64Array, length: number): ArcMotion {
  const x = start.map((value, i) => 0.5 * length * (value - target[i]));
  const side = start.map(() => random.between(-1, 1));
  const dot = (a: Float64Array, b: Float64Array) => a.reduce((sum, value, i) => sum + value * b[i], 0);
  const across = side.map((value, i) => value - (dot(side, x) / dot(x, x)) * x[i]);
  const scale = Math.sqrt(dot(x, x) / Math.max(1e-12, dot(across, across)));
  const y = across.map((value) => scale * value);
  return new ArcMotion(
    start.map((value, i) => value - x[i]),
    x,
    y,
    random.between(0.5, 3),
  );
}

describe.each([
  ['straight motions', 'straight', 0],
  ['cubic motions', 'cubic', 0],
  ['circular blends', 'arc', 0],
  ['straight motions with padding', 'straight', 0.01],
] as const)('%s', (_, kind, padding) => {
  test('are certified only if dense sampling finds them free, and refused only at a time at which they collide', () => {
    const seen = { certified: 0, collision: 0, unresolved: 0 };
    for (const { random, model, space, start, manager, label } of worlds(padding > 0 ? 5 : 4, 40, padding)) {
      const prover = new MotionProver(manager.posed);
      for (let k = 0; k < 4; k++) {
        const motion = randomMotion(random, space, start, kind);
        const verdict = prover.prove(motion);
        seen[verdict]++;
        if (verdict === 'certified') expect(leastClearance(model, motion, 200), label).toBeGreaterThan(padding);
        const inPieces = new MotionProver(manager.posed, proverDefaults, 0.3).prove(motion);
        if (inPieces === 'certified') expect(leastClearance(model, motion, 200), label).toBeGreaterThan(padding);
        if (verdict !== 'unresolved' && inPieces !== 'unresolved') expect(inPieces, label).toBe(verdict);
        if (verdict !== 'collision') continue;
        const q = new Float64Array(motion.dof);
        motion.positionAt(q, prover.time);
        expect(new CollisionManager(model).clearance(q).distance, label).toBeLessThanOrEqual(padding + 1e-9);
      }
    }
    expect(seen.certified).toBeGreaterThan(30);
    expect(seen.collision).toBeGreaterThan(10);
    expect(seen.unresolved).toBeLessThanOrEqual(3);
  });
});

test('a motion that ends before it begins is not certified', () => {
  for (const { model, start, label } of worlds(5, 10)) {
    const coefficients = Float64Array.from({ length: 4 * start.length }, (_, i) => (i % 4 === 0 ? start[i >> 2] : 1));
    for (const end of [-1e-3, -3, Number.NaN])
      expect(new MotionProver(new PosedParts(model)).prove(new CubicMotion(0, end, coefficients)), label).toBe(
        'unresolved',
      );
  }
});

test('every recorded direction separates its pair over its whole span, and the spans of each pair cover the motion', () => {
  for (const { random, model, space, start, manager, label } of worlds(9, 12)) {
    const motion = randomMotion(random, space, start, 'straight');
    const prover = new MotionProver(manager.posed);
    const spans = new Map<number, [number, number][]>();
    const proofs: [number, number, number, number, number, number][] = [];
    const record = (pair: number, from: number, to: number, nx: number, ny: number, nz: number) => {
      proofs.push([pair, from, to, nx, ny, nz]);
      spans.set(pair, [...(spans.get(pair) ?? []), [from, to]]);
    };
    if (prover.prove(motion, { record }) !== 'certified') continue;
    for (let pair = 0; pair < model.pairCount; pair++) {
      let covered = 0;
      for (const [from, to] of (spans.get(pair) ?? []).sort((a, b) => a[0] - b[0]))
        if (from <= covered) covered = Math.max(covered, to);
      expect(covered, `${label}, pair ${model.namesOf(pair)}`).toBe(1);
    }
    const q = new Float64Array(motion.dof);
    for (const [pair, from, to, ...n] of proofs) {
      expect(Math.hypot(...n)).toBeCloseTo(1, 12);
      for (let i = 0; i <= 8; i++) {
        motion.positionAt(q, from + ((to - from) * i) / 8);
        manager.posed.pose(q);
        expect(gapAlong(manager, pair, n), `${label}, pair ${model.namesOf(pair)} in [${from}, ${to}]`).toBeGreaterThan(
          0,
        );
      }
    }
  }
});

/** min n·b − max n·a at the current poses, n in the frame of B: two support calls, margins included. */
function gapAlong(manager: CollisionManager, pair: number, n: readonly number[]): number {
  const { posed, model } = manager;
  const T_b_a = new Float64Array(12);
  posed.relativePose(T_b_a, pair);
  const [a, b] = [posed.shapes[model.pairA[pair]], posed.shapes[model.pairB[pair]]];
  const inA = Float64Array.from([0, 1, 2], (i) => T_b_a[i] * n[0] + T_b_a[4 + i] * n[1] + T_b_a[8 + i] * n[2]);
  const against = Float64Array.from(n, (x) => -x);
  const p = new Float64Array(3);
  a.support(p, a, inA, -1);
  const shift = T_b_a[3] * n[0] + T_b_a[7] * n[1] + T_b_a[11] * n[2];
  const mostA = p[0] * inA[0] + p[1] * inA[1] + p[2] * inA[2] + a.margin + shift;
  b.support(p, b, against, -1);
  return p[0] * n[0] + p[1] * n[1] + p[2] * n[2] - b.margin - mostA;
}

test('a motion with NaN or infinite values is never certified, whole or in pieces', () => {
  for (const { manager, start, model } of worlds(30, 3)) {
    for (const piece of [Number.POSITIVE_INFINITY, 0.5]) {
      for (const value of [Number.NaN, Number.POSITIVE_INFINITY, 1e300]) {
        const motion = new StraightMotion(start.length);
        motion.qFrom = start;
        motion.qTo = start.map(() => value);
        const limits = { ...proverDefaults, intervals: 1000 };
        const verdict = new MotionProver(manager.posed, limits, piece).prove(motion);
        expect(verdict, `${model.pairCount} pairs, to ${value}`).not.toBe('certified');
      }
    }
  }
});

test('the validator certifies what the prover certifies and refuses the rest', () => {
  let compared = 0;
  for (const { random, space, start, manager } of worlds(21, 15)) {
    const motions = new CertifiedMotionValidator(manager, space);
    const motion = randomMotion(random, space, start, 'straight') as StraightMotion;
    expect(motions.isMotionValid(motion.qFrom, motion.qTo)).toBe(
      new MotionProver(manager.posed).prove(motion) === 'certified',
    );
    compared++;
  }
  expect(compared).toBe(15);
});
