import { expect, test } from 'vitest';
import { CollisionModel } from '../../../../src/core/collision/model/collisionModel.ts';
import { CubicMotion, StraightMotion } from '../../../../src/core/collision/motions/motion.ts';
import { CubicProofs } from '../../../../src/core/collision/proofs/pathProofs.ts';
import { CollisionManager } from '../../../../src/core/collision/states/collisionManager.ts';
import { createRobotModel } from '../../../../src/core/kinematics/createRobotModel.ts';
import { forwardKinematics, RobotState } from '../../../../src/core/kinematics/forwardKinematics.ts';
import { Random } from '../../../../src/core/math/random.ts';
import { create } from '../../../../src/core/math/transform.ts';
import { randomObstacles, randomRobot, sceneOf } from '../../../helpers/robots.ts';

/** A random robot, and the proofs of a random cubic of it. */
function provedCubic(random: Random) {
  for (;;) {
    const robot = createRobotModel(randomRobot(random, 2 + random.below(6)));
    if (robot.dof < 2) continue;
    const model = new CollisionModel(robot, sceneOf(randomObstacles(random, 2, 2)));
    const { posed } = new CollisionManager(model);
    const T = 10 ** random.between(-2, 1);
    const coefficients = Float64Array.from({ length: 4 * robot.dof }, (_, i) => random.between(-2, 2) / T ** (i % 4));
    const cubic = new CubicMotion(0, T, coefficients);
    const proofs = new CubicProofs(posed, 0);
    proofs.add(cubic);
    return { robot, model, posed, proofs, cubic };
  }
}

/** The cubic at another speed, from `start` on. */
function timed({ coefficients, end }: CubicMotion, factor: number, start: number): CubicMotion {
  const scaled = coefficients.map((c, i) => c / factor ** (i % 4));
  return new CubicMotion(start, start + factor * end, scaled);
}

/** Distance (m) that link origins move between the same fractions of two cubics: at most, over many instants. */
function displacement(robot: ReturnType<typeof createRobotModel>, one: CubicMotion, other: CubicMotion): number {
  const states = [new RobotState(robot), new RobotState(robot)];
  const q = new Float64Array(robot.dof);
  let most = 0;
  for (let i = 0; i <= 16; i++) {
    for (const [k, cubic] of [one, other].entries()) {
      const u = (i / 16) * (cubic.end - cubic.start);
      for (let j = 0; j < q.length; j++)
        q[j] = [0, 1, 2, 3].reduce((sum, power) => sum + cubic.coefficients[4 * j + power] * u ** power, 0);
      forwardKinematics(states[k], q);
    }
    for (const [link, T] of states[0].T_world_link.entries())
      for (const k of [3, 7, 11]) most = Math.max(most, Math.abs(T[k] - states[1].T_world_link[link][k]));
  }
  return most;
}

test('the same cubic is proved at any speed and time', () => {
  const random = new Random(21);
  let missed = 0;
  for (let i = 0; i < 100; i++) {
    const { proofs, cubic } = provedCubic(random);
    for (const factor of [1, 3, 0.1, random.between(0.5, 2)])
      if (!proofs.proves(timed(cubic, factor, random.below(2)))) missed++;
  }
  expect(missed).toBe(0);
});

test('no cubic that moves a link by half a nanometre is proved, whichever coefficient or duration differs', () => {
  const random = new Random(22);
  let moved = 0;
  let proved = 0;
  const wrong: string[] = [];
  for (let i = 0; i < 800; i++) {
    const { robot, proofs, cubic } = provedCubic(random);
    let other = timed(cubic, random.between(0.5, 2), 0);
    const error = 10 ** random.between(-14, 0) * (random.below(2) === 0 ? 1 : -1);
    const which = random.below(other.coefficients.length + 1);
    const T = other.end;
    if (which === other.coefficients.length) other = new CubicMotion(0, T * (1 + error), other.coefficients);
    else other.coefficients[which] += error / T ** (which % 4);
    const away = displacement(robot, cubic, other);
    if (away > 5e-10) moved++;
    if (!proofs.proves(other)) continue;
    proved++;
    if (!(away <= 5e-10 + 1e-13)) wrong.push(`${i}: ${away} m`);
  }
  expect(wrong).toEqual([]);
  expect(moved).toBeGreaterThan(200);
  expect(proved).toBeGreaterThan(100);
});

test('parts, the reversed cubic, other joints, straight lines and numbers that are not finite are not proved', () => {
  const random = new Random(23);
  const proved: string[] = [];
  for (let i = 0; i < 50; i++) {
    const { proofs, cubic } = provedCubic(random);
    const { coefficients, end, dof } = cubic;
    const changed = (at: number, value: number) => coefficients.map((c, k) => (k === at ? value : c));
    const line = new StraightMotion(dof);
    const others = {
      part: new CubicMotion(0, end / 2, coefficients),
      longer: new CubicMotion(0, 2 * end, coefficients),
      point: new CubicMotion(0, 0, coefficients),
      backwards: new CubicMotion(0, -end, coefficients),
      reversed: new CubicMotion(
        0,
        end,
        coefficients.map((c, k) => (k % 4 === 1 ? -c : c)),
      ),
      fewerJoints: new CubicMotion(0, end, coefficients.subarray(4)),
      moreJoints: new CubicMotion(0, end, Float64Array.of(...coefficients, 0, 0, 0, 0)),
      endless: new CubicMotion(0, Number.POSITIVE_INFINITY, coefficients),
      unknownTime: new CubicMotion(0, Number.NaN, coefficients),
      line,
    };
    for (const [name, motion] of Object.entries(others)) if (proofs.proves(motion)) proved.push(name);
    for (const value of [Number.NaN, Number.POSITIVE_INFINITY, 1e300]) {
      for (const at of [0, 1, 5, 6, 7])
        if (proofs.proves(new CubicMotion(0, end, changed(at, value)))) proved.push(`${at}: ${value}`);
    }
    const terms = new Float64Array(dof).fill(1e9); // rounding errors may then exceed a nanometre
    if (proofs.proves(new CubicMotion(0, end, coefficients, terms))) proved.push('terms');
  }
  expect(proved).toEqual([]);
});

test('proofs are copies, hold for the same parts, obstacles and padding only, and their number is bounded', () => {
  const { model, posed, proofs, cubic } = provedCubic(new Random(24));
  const [coefficients, end] = [cubic.coefficients.slice(), cubic.end];
  cubic.coefficients[0] += 1;
  expect(proofs.proves(cubic)).toBe(false);
  cubic.coefficients.set(coefficients);
  expect(proofs.proves(cubic)).toBe(true);
  expect(proofs.holdsFor(posed, 0)).toBe(true);
  expect(proofs.holdsFor(posed, 1e-9)).toBe(false);
  expect(proofs.holdsFor(posed, Number.NaN)).toBe(false);
  expect(proofs.holdsFor(new CollisionManager(model).posed, 0)).toBe(false);
  for (let i = 1; i <= 3000; i++)
    proofs.add(
      new CubicMotion(
        0,
        end,
        coefficients.map((c) => c + 1e-3 * i),
      ),
    );
  const known = Array.from({ length: 3001 }, (_, i) =>
    proofs.proves(
      new CubicMotion(
        0,
        end,
        coefficients.map((c) => c + 1e-3 * i),
      ),
    ),
  );
  expect(known.filter(Boolean).length).toBeLessThanOrEqual(1024);
  expect(known.slice(-500)).not.toContain(false);
  posed.moveObstacle(0, create());
  expect(proofs.holdsFor(posed, 0)).toBe(false);
  const late = new CubicMotion(
    0,
    end,
    coefficients.map((c) => c - 1),
  );
  proofs.add(late);
  expect(proofs.proves(late)).toBe(false);
});
