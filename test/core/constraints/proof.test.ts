import { expect, test } from 'vitest';
import { CubicMotion } from '../../../src/core/collision/motions/motion.ts';
import { ConstraintSet } from '../../../src/core/constraints/constraintSet.ts';
import { createRobotModel } from '../../../src/core/kinematics/createRobotModel.ts';
import type { RobotDescription, RobotModel } from '../../../src/core/kinematics/robotModel.ts';
import { Random } from '../../../src/core/math/random.ts';
import type { OrientationConstraint, PathConstraint, RegionConstraint } from '../../../src/core/scene/constraints.ts';
import { cases } from '../../cases.ts';
import { randomPose, randomRobot } from '../../helpers/robots.ts';
import { chained, linkPose, oracleExcess, poseOf, turned } from './constraintOracle.ts';

const CASES = cases(2400);
const SAMPLES = 200;

interface World {
  readonly description: RobotDescription;
  readonly model: RobotModel;
}

type FrameOne = Extract<PathConstraint, { frame?: unknown }> & { type: 'tilt' | 'orientation' | 'region' };

function unitVector(random: Random): [number, number, number] {
  for (;;) {
    const v = [random.between(-1, 1), random.between(-1, 1), random.between(-1, 1)];
    const length = Math.hypot(...v);
    if (length > 0.1 && length < 1) return v.map((value) => value / length) as [number, number, number];
  }
}

/** A constraint whose limits are 0: the motion decides them. */
function randomConstraint(random: Random, { model }: World): FrameOne {
  const link = model.links[random.below(model.links.length)].name;
  const frame = { link, pose: randomPose(random, 0.2) };
  const kind = random.below(6);
  if (kind === 0) return { type: 'tilt', frame, axis: unitVector(random), towards: unitVector(random), within: 0 };
  if (kind === 1) return { type: 'orientation', frame, quat_wxyz: randomPose(random, 1).quat_wxyz, within: [0, 0, 0] };
  const type = ['box', 'sphere', 'cylinder', 'capsule'][kind - 2];
  const shape = { type, size: [0, 0, 0], radius: 0, length: type === 'box' || type === 'sphere' ? 0 : 0.3 };
  return { type: 'region', frame, shape: shape as never, pose: randomPose(random, 0.5) };
}

/** Returns the constraint with its limits increased by `size`. */
function enlarged(given: FrameOne, size: number): FrameOne {
  if (given.type === 'tilt') return { ...given, within: given.within + size };
  if (given.type === 'orientation') {
    const within = given.within.map((value) => value + size) as unknown as OrientationConstraint['within'];
    return { ...given, within };
  }
  const shape = given.shape as unknown as { type: string; size: number[]; radius: number; length: number };
  const changed = {
    ...shape,
    size: shape.size.map((value) => value + 2 * size),
    radius: shape.radius + size,
    length: shape.length + (shape.type === 'cylinder' ? 2 * size : 0),
  };
  return { ...given, shape: changed as unknown as RegionConstraint['shape'] };
}

function randomMotion(random: Random, dof: number): CubicMotion {
  const start = random.between(-3, 3);
  const duration = 10 ** random.between(-1, 0.5);
  const size = 10 ** random.between(-2, 0);
  const coefficients = Float64Array.from({ length: 4 * dof }, (_, i) => {
    const degree = i % 4;
    return degree === 0 ? random.between(-2, 2) : (size * random.between(-1, 1)) / duration ** degree;
  });
  return new CubicMotion(start, start + duration, coefficients);
}

/** Poses of the frame of a constraint at `SAMPLES` + 1 times; one pose of a motion that takes no time. */
function framePoses(given: FrameOne, { description, model }: World, motion: CubicMotion) {
  const q = new Float64Array(model.dof);
  const frame = poseOf(given.frame!.pose);
  const samples = motion.end > motion.start ? SAMPLES : 0;
  return Array.from({ length: samples + 1 }, (_, k) => {
    motion.positionAt(q, motion.start + ((motion.end - motion.start) * k) / SAMPLES);
    const values = new Map(model.variables.map(({ name }, j) => [name, q[j]]));
    return chained(linkPose(description, values, given.frame!.link!), frame);
  });
}

/** Largest value of the oracle at these poses. */
const highest = (given: FrameOne, poses: ReturnType<typeof framePoses>) =>
  poses.reduce((most, pose) => Math.max(most, oracleExcess(given, pose)), Number.NEGATIVE_INFINITY);

function worlds(random: Random): World[] {
  return Array.from({ length: 60 }, (_, i) => {
    const description = randomRobot(random, 2 + (i % 7));
    return { description, model: createRobotModel(description) };
  }).filter(({ model }) => model.dof > 0);
}

test('no motion that violates a constraint is proved, nearly all others are', () => {
  const random = new Random(20);
  const all = worlds(random);
  const count = { violated: 0, satisfied: 0, undecided: 0 };
  for (let k = 0; k < CASES; k++) {
    const world = all[random.below(all.length)];
    const shapeless = randomConstraint(random, world);
    const motion = randomMotion(random, world.model.dof);
    const poses = framePoses(shapeless, world, motion);
    const reached = highest(shapeless, poses);
    const margin = (random.next() < 0.5 ? 1 : -1) * 10 ** random.between(-7, -2);
    if (!(reached + margin > 1e-6)) continue;
    const given = enlarged(shapeless, reached + margin);
    const sampled = highest(given, poses);
    const found = new ConstraintSet(world.model, [given]).violation(motion);
    const place = `case ${k}: ${given.type}, margin ${margin}`;
    if (sampled > 1.1e-9) {
      count.violated++;
      expect(found, place).toBeDefined();
      expect(found!.label, place).toBe(given.type);
    } else if (margin > 1e-5) {
      // The samples miss at most this much of the maximum, or the motion violates the constraint between them.
      count.satisfied++;
      if (found && found.excess <= 1e-9) count.undecided++;
      if (found && found.excess > 1e-9) {
        expect(found.time, place).toBeGreaterThanOrEqual(motion.start);
        expect(found.time, place).toBeLessThanOrEqual(motion.end);
      }
    }
  }
  expect(count.violated).toBeGreaterThan(cases(900));
  expect(count.satisfied).toBeGreaterThan(cases(600));
  expect(count.undecided).toBeLessThanOrEqual(0.01 * count.satisfied);
});

test('states are judged as by the oracle', () => {
  const random = new Random(21);
  const all = worlds(random);
  for (let k = 0; k < cases(1000); k++) {
    const world = all[random.below(all.length)];
    const shapeless = randomConstraint(random, world);
    const q = Float64Array.from({ length: world.model.dof }, () => random.between(-3, 3));
    const motion = new CubicMotion(
      0,
      0,
      Float64Array.from({ length: 4 * q.length }, (_, i) => (i % 4 ? 0 : q[i / 4])),
    );
    const value = highest(shapeless, framePoses(shapeless, world, motion));
    const margin = (random.next() < 0.5 ? 1 : -1) * 10 ** random.between(-8, -1);
    if (!(value + margin > 1e-6)) continue;
    const given = enlarged(shapeless, value + margin);
    const set = new ConstraintSet(world.model, [given]);
    expect(set.violated(q), `case ${k}: ${given.type}, margin ${margin}`).toEqual(margin > 0 ? [] : [given.type]);
    expect(set.violation(motion) === undefined).toBe(margin > 0);
  }
});

test('a motion through a violation shorter than every interval of the samples is not proved', () => {
  const random = new Random(22);
  const all = worlds(random);
  let tried = 0;
  for (let k = 0; k < cases(300); k++) {
    const world = all[random.below(all.length)];
    const shapeless = randomConstraint(random, world);
    const motion = randomMotion(random, world.model.dof);
    const q = new Float64Array(world.model.dof);
    const middle = motion.start + (motion.end - motion.start) * random.next();
    motion.positionAt(q, middle);
    const still = new CubicMotion(
      0,
      0,
      Float64Array.from({ length: 4 * q.length }, (_, i) => (i % 4 ? 0 : q[i / 4])),
    );
    // The value at one random time, below the maximum: the motion violates the limit at least around its maximum.
    const value = highest(shapeless, framePoses(shapeless, world, still));
    const isBelow = () => highest(shapeless, framePoses(shapeless, world, motion)) > value + 1e-8;
    if (!(value > 1e-3 && isBelow())) continue;
    tried++;
    const given = enlarged(shapeless, value);
    expect(new ConstraintSet(world.model, [given]).violation(motion), `case ${k}: ${given.type}`).toBeDefined();
  }
  expect(tried).toBeGreaterThan(cases(150));
});

test('a tilt of an arm with parallel joints is proved only where it holds, for narrow and wide limits', () => {
  const random = new Random(23);
  const count = { violated: 0, satisfied: 0, undecided: 0 };
  for (let k = 0; k < cases(500); k++) {
    // Neighbours with equal, opposite, and other axes, with and without offsets; the last joint turns the tool.
    const axes = Array.from({ length: 5 }, () =>
      random.next() < 0.7 ? [0, random.next() < 0.5 ? 1 : -1, 0] : [0, 0, 1],
    );
    const description: RobotDescription = {
      ...randomRobot(random, 1),
      links: Array.from({ length: 6 }, (_, i) => ({ name: `link${i}`, collisions: [] })),
      joints: axes.map((axis, i) => ({
        name: `joint${i}`,
        type: 'continuous' as const,
        parent: `link${i}`,
        child: `link${i + 1}`,
        origin: { xyz: [0.1, 0, 0.2] as const, quat_wxyz: [1, 0, 0, 0] as const },
        axis: axis as unknown as [number, number, number],
      })),
    };
    const world = { description, model: createRobotModel(description) };
    const frame = { link: 'link5', pose: randomPose(random, 0.2) };
    const motion = randomMotion(random, world.model.dof);
    const q = new Float64Array(world.model.dof);
    motion.positionAt(q, 0.5 * (motion.start + motion.end));
    const values = new Map(world.model.variables.map(({ name }, j) => [name, q[j]]));
    const { r } = chained(linkPose(description, values, 'link5'), poseOf(frame.pose));
    const axis = unitVector(random);
    // often near the direction in the middle: narrow limits
    const towards = random.next() < 0.6 ? turned(r, axis) : unitVector(random);
    const shapeless: FrameOne = { type: 'tilt', frame, axis, towards: towards as [number, number, number], within: 0 };
    const poses = framePoses(shapeless, world, motion);
    const reached = highest(shapeless, poses);
    const margin = (random.next() < 0.5 ? 1 : -1) * 10 ** random.between(-7, -2);
    if (!(reached + margin > 1e-6)) continue;
    const given = enlarged(shapeless, reached + margin);
    const found = new ConstraintSet(world.model, [given]).violation(motion);
    if (highest(given, poses) > 1.1e-9) {
      count.violated++;
      expect(found, `case ${k}, margin ${margin}`).toBeDefined();
    } else if (margin > 1e-5) {
      count.satisfied++;
      if (found && found.excess <= 1e-9) count.undecided++;
    }
  }
  expect(count.violated).toBeGreaterThan(cases(180));
  expect(count.satisfied).toBeGreaterThan(cases(120));
  expect(count.undecided).toBeLessThanOrEqual(0.01 * count.satisfied);
});
