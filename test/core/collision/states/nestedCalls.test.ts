import { expect, test } from 'vitest';
import { CollisionModel } from '../../../../src/core/collision/model/collisionModel.ts';
import { StraightMotion } from '../../../../src/core/collision/motions/motion.ts';
import { MotionProver } from '../../../../src/core/collision/motions/motionProver.ts';
import { CollisionManager } from '../../../../src/core/collision/states/collisionManager.ts';
import { CertifiedMotionValidator } from '../../../../src/core/collision/validators/certifiedMotionValidator.ts';
import { RobotJointSpace } from '../../../../src/core/collision/validators/robotJointSpace.ts';
import { SampledMotionValidator } from '../../../../src/core/collision/validators/sampledMotionValidator.ts';
import { createRobotModel } from '../../../../src/core/kinematics/createRobotModel.ts';
import type { RobotModel } from '../../../../src/core/kinematics/robotModel.ts';
import { Random } from '../../../../src/core/math/random.ts';
import type { CollisionObject, Scene } from '../../../../src/core/scene/scene.ts';
import { createShape } from '../../../../src/core/shapes/index.ts';
import type { ShapeSpec } from '../../../../src/core/shapes/shape.ts';
import type { SupportSpec } from '../../../../src/core/shapes/supportShape.ts';
import { InputError } from '../../../../src/errors.ts';
import { createStateValidityChecker } from '../../../../src/tasks/validation/stateValidityChecker.ts';
import { cases } from '../../../cases.ts';
import { randomObstacles, randomPose, randomRobot, sceneOf } from '../../../helpers/robots.ts';

type Bodies = ReturnType<typeof sceneOf>;

/** The same scene twice: with plain shapes, and with shapes whose support functions call `callback`. */
interface World {
  readonly random: Random;
  readonly robot: RobotModel;
  readonly plain: Bodies;
  readonly nesting: Bodies;
  readonly space: RobotJointSpace;
  sample(): Float64Array;
  /** Called within support functions; initially does nothing. */
  callback: () => void;
}

/** A shape of the same points, whose support function calls back in the middle of its work. */
function callingBack(spec: ShapeSpec, world: { callback: () => void }): SupportSpec {
  const { margin: _, ...core } = spec;
  const shape = createShape(core);
  const found = new Float64Array(3);
  const along = (out: Float64Array, d: Float64Array) => {
    shape.support(out, shape, d, 0);
    const s = shape.margin / Math.sqrt(d[0] * d[0] + d[1] * d[1] + d[2] * d[2]);
    for (let k = 0; k < 3; k++) out[k] += s * d[k];
  };
  return {
    type: 'support',
    ...(spec.margin === undefined ? {} : { margin: spec.margin as number }),
    support: (out, d) => {
      out[0] = d[0];
      world.callback(); // reads the direction only afterwards
      along(found, d);
      out.set(found);
    },
  };
}

function* worlds(seed: number, count: number): Generator<World> {
  const random = new Random(seed);
  for (let made = 0; made < count; ) {
    const robot = createRobotModel(randomRobot(random, 2 + random.below(5)));
    const halfspace: CollisionObject = {
      name: 'floor',
      parts: [{ shape: { type: 'halfspace', normal: [0, 0, 1] } }],
      pose: { ...randomPose(random, 0.1), xyz: [0, 0, -1.2] },
    };
    const obstacles = [...randomObstacles(random, 5, 1.2), ...(random.below(2) ? [halfspace] : [])];
    const space = new RobotJointSpace(robot);
    const world: World = {
      ...{ random, robot, space, plain: sceneOf(obstacles), nesting: sceneOf([]), callback: () => {} },
      sample: () => {
        const q = new Float64Array(robot.dof);
        space.sample(q, random);
        return q;
      },
    };
    const wrapped = obstacles.map((object) => ({
      ...object,
      parts: object.parts.map((part) =>
        part.shape.type === 'halfspace' ? part : { ...part, shape: callingBack(part.shape, world) },
      ),
    }));
    Object.assign(world, { nesting: sceneOf(wrapped) });
    if (robot.dof === 0 || new CollisionModel(robot, world.plain).pairCount === 0) continue;
    made++;
    yield world;
  }
}

const freshManager = ({ robot, plain }: World) => new CollisionManager(new CollisionModel(robot, plain));

/** Judges a motion by a manager of its own: true unless a state on it collides. */
function seemsFree(world: World, from: Float64Array, to: Float64Array): boolean {
  const manager = freshManager(world);
  const q = new Float64Array(from.length);
  for (let i = 0; i <= 400; i++) {
    world.space.interpolate(q, from, to, i / 400);
    if (!manager.isCollisionFree(q)) return false;
  }
  return true;
}

/** Calls a function of which an InputError is an accepted result: undefined. */
function attempt<T>(work: () => T): T | undefined {
  try {
    return work();
  } catch (error) {
    if (error instanceof InputError) return undefined;
    throw error;
  }
}

/** A callback that runs one of some works now and then, and swallows what it throws. */
function nowAndThen(random: Random, works: readonly (() => unknown)[]): () => void {
  let depth = 0;
  return () => {
    if (depth > 0 || random.below(6) > 0) return;
    depth++;
    try {
      attempt(works[random.below(works.length)]);
    } finally {
      depth--;
    }
  };
}

test('verdicts of queries whose callbacks start other queries are those of fresh managers', () => {
  let compared = 0;
  let refused = 0;
  let valid = 0;
  const others = [...worlds(92, 6)];
  for (const world of worlds(91, cases(25))) {
    const { robot, nesting, space, random } = world;
    const manager = new CollisionManager(new CollisionModel(robot, nesting));
    const motions = new CertifiedMotionValidator(manager, space);
    const second = new CertifiedMotionValidator(manager, space);
    const sampled = new SampledMotionValidator(manager, space, 0.05);
    const checker = createStateValidityChecker(robot, nesting as Scene);
    const far = () => {
      const other = others[random.below(others.length)];
      const elsewhere = new CollisionManager(new CollisionModel(other.robot, other.nesting));
      const q = [0, 1, 2, 3].map(() => other.sample());
      elsewhere.batch.areFree(q, 4);
      elsewhere.clearance(q[0]);
      new CertifiedMotionValidator(elsewhere, other.space).isMotionValid(q[0], q[1]);
    };
    world.callback = nowAndThen(random, [
      far,
      () => manager.isCollisionFree(world.sample()),
      () => manager.clearance(world.sample()),
      () => manager.collidingPairs(world.sample()),
      () => motions.isMotionValid(world.sample(), world.sample()),
      () => second.isMotionValid(world.sample(), world.sample()),
      () => sampled.isMotionValid(world.sample(), world.sample()),
      () => checker.isValid(world.sample()),
      () => checker.isValidMotion(world.sample(), world.sample()),
      () => manager.batch.areFree([world.sample(), world.sample()], 2),
    ]);
    for (let k = 0; k < 12; k++) {
      const q = world.sample();
      const isFree = freshManager(world).isCollisionFree(q);
      const isWithin = q.every((x, i) => x >= space.lower[i] && x <= space.upper[i]);
      const found: [string, boolean | undefined, boolean][] = [
        ['isCollisionFree', attempt(() => manager.isCollisionFree(q)), isFree],
        ['firstCollision', attempt(() => manager.firstCollision(q) === undefined), isFree],
        ['collidingPairs', attempt(() => manager.collidingPairs(q).length === 0), isFree],
        ['clearance', attempt(() => manager.clearance(q).distance > 0), isFree],
        ['batch', attempt(() => manager.batch.areFree([q, q, q], 3)), isFree],
        ['isValid', attempt(() => checker.isValid(q)), isFree && isWithin],
      ];
      for (const [name, got, expected] of found) {
        compared++;
        if (got === undefined) refused++;
        else if (got !== expected) expect.fail(`${name} is ${got}, not ${expected}, at [${q}]`);
      }
      const to = world.sample();
      const free = seemsFree(world, q, to);
      for (const [name, validate] of [
        ['certified', () => motions.isMotionValid(q, to)],
        ['another validator', () => second.isMotionValid(q, to)],
        ['checker', () => checker.isValidMotion(q, to)],
        ['sampled', () => sampled.isMotionValid(q, to) && seemsFree(world, q, q)],
      ] as const) {
        const isValid = attempt(validate);
        compared++;
        if (isValid === undefined) refused++;
        else if (isValid) valid++;
        if (isValid && !free && name !== 'sampled') expect.fail(`${name}: valid from [${q}] to [${to}]`);
        if (isValid && name === 'sampled' && !freshSampled(world, q, to)) expect.fail(`sampled from [${q}] to [${to}]`);
      }
    }
  }
  expect(compared).toBe(cases(25) * 12 * 10);
  expect(refused).toBeLessThan(compared / 10); // nested calls are refused, not the calls around them
  expect(valid).toBeGreaterThan(cases(50));
});

const freshSampled = (world: World, from: Float64Array, to: Float64Array) =>
  new SampledMotionValidator(freshManager(world), world.space, 0.05).isMotionValid(from, to);

test('interrupts, spaces, motions and recorders that start other queries never make a colliding motion valid', () => {
  const seen = { valid: 0, refused: 0, invalid: 0 };
  for (const world of worlds(93, cases(30))) {
    const { robot, plain, space, random } = world;
    const manager = new CollisionManager(new CollisionModel(robot, plain));
    const nested = () => {
      const [from, to] = [world.sample(), world.sample()];
      to.forEach((_, i) => {
        to[i] = from[i] + 1e-3 * (to[i] - from[i]); // most are valid
      });
      for (const motions of [certified, sampled]) attempt(() => motions.isMotionValid(from, to));
      attempt(() => manager.isCollisionFree(from));
      attempt(() => prover.prove(Object.assign(new StraightMotion(robot.dof), { qFrom: from, qTo: to })));
      return false;
    };
    const callback = nowAndThen(random, [nested]);
    const interrupt = () => {
      callback();
      return false;
    };
    const measured: RobotJointSpace = Object.assign(Object.create(space) as RobotJointSpace, {
      interpolate: (out: Float64Array, a: Float64Array, b: Float64Array, t: number) => {
        space.interpolate(out, a, b, t);
        callback();
      },
      distance: (a: Float64Array, b: Float64Array) => {
        callback();
        return space.distance(a, b);
      },
    });
    const certified: CertifiedMotionValidator = new CertifiedMotionValidator(manager, measured, interrupt);
    const sampled: SampledMotionValidator = new SampledMotionValidator(manager, measured, 0.05, interrupt);
    const prover: MotionProver = new MotionProver(manager.posed);
    class CallingMotion extends StraightMotion {
      override positionAt(out: Float64Array, t: number): void {
        super.positionAt(out, t);
        callback();
      }
      override velocityAt(out: Float64Array, t: number): void {
        callback();
        super.velocityAt(out, t);
      }
    }
    for (let k = 0; k < 10; k++) {
      const [from, to] = [world.sample(), world.sample()];
      const straight = Object.assign(new StraightMotion(robot.dof), { qFrom: from, qTo: to });
      const calling = Object.assign(new CallingMotion(robot.dof), { qFrom: from, qTo: to });
      const isFree = seemsFree(world, from, to);
      const straightFree = new MotionProver(freshManager(world).posed).prove(straight) !== 'collision';
      const recorder = { record: callback };
      for (const [name, validate, expected] of [
        ['certified', () => certified.isMotionValid(from, to), isFree],
        ['sampled', () => sampled.isMotionValid(from, to), freshSampled(world, from, to)],
        ['motion', () => prover.prove(calling) === 'certified', straightFree],
        ['recorder', () => prover.prove(straight, recorder) === 'certified', straightFree],
        [
          'posed elsewhere',
          () => {
            const verdict = prover.begin(straight);
            manager.isCollisionFree(world.sample());
            return (verdict ?? prover.proceed(Number.POSITIVE_INFINITY)) === 'certified';
          },
          straightFree,
        ],
      ] as const) {
        const isValid = attempt(validate);
        if (isValid === undefined) seen.refused++;
        else seen[isValid ? 'valid' : 'invalid']++;
        if (isValid && !expected) expect.fail(`${name}: valid from [${from}] to [${to}]`);
      }
    }
  }
  expect(seen.valid).toBeGreaterThan(cases(200));
  expect(seen.invalid).toBeGreaterThan(cases(200));
});
