import { expect, test } from 'vitest';
import { CubicMotion } from '../../../src/core/collision/motions/motion.ts';
import { ConstraintSet } from '../../../src/core/constraints/constraintSet.ts';
import { rotationVectorRate } from '../../../src/core/constraints/orientation.ts';
import { createRobotModel } from '../../../src/core/kinematics/createRobotModel.ts';
import { Random } from '../../../src/core/math/random.ts';
import type { OrientationConstraint } from '../../../src/core/scene/constraints.ts';
import { cases } from '../../cases.ts';
import { randomPose, randomRobot } from '../../helpers/robots.ts';
import { chained, linkPose, type OraclePose, poseOf } from './constraintOracle.ts';

type Triple = [number, number, number];
type Quat = readonly [number, number, number, number];

const SAMPLES = 400;

/** Rotation vector of at most half a turn, by quaternions and `Math`. */
function vectorFrom([a, b, c, d]: Quat, { r: [e, f, g, h] }: OraclePose): Triple {
  const w = a * e + b * f + c * g + d * h;
  const v = [a * f - b * e - c * h + d * g, a * g + b * h - c * e - d * f, a * h - b * g + c * f - d * e];
  const sine = Math.hypot(...v);
  const factor = sine > 1e-12 ? ((w < 0 ? -2 : 2) * Math.atan2(sine, Math.abs(w))) / sine : 2;
  return v.map((value) => factor * value) as Triple;
}

/** A motion of a random robot, and an orientation whose limits it meets from inside or exceeds by a margin. */
function drawCase(random: Random) {
  const description = randomRobot(random, 1 + random.below(7));
  const model = createRobotModel(description);
  const duration = 10 ** random.between(-1, 0.5);
  const size = 10 ** random.between(-2, 0.3);
  const coefficients = Float64Array.from({ length: 4 * model.dof }, (_, i) =>
    i % 4 === 0 ? random.between(-2, 2) : (size * random.between(-1, 1)) / duration ** (i % 4),
  );
  const motion = new CubicMotion(0, duration, coefficients);
  const frame = { link: model.links[random.below(model.links.length)].name, pose: randomPose(random, 0.2) };
  const wanted = poseOf(randomPose(random, 1)).r;
  const q = new Float64Array(model.dof);
  const vectors = Array.from({ length: SAMPLES + 1 }, (_, k) => {
    motion.positionAt(q, (k / SAMPLES) * duration);
    const values = new Map(model.variables.map(({ name }, j) => [name, q[j]]));
    return vectorFrom(wanted, chained(linkPose(description, values, frame.link), poseOf(frame.pose)));
  });
  const most = [0, 1, 2].map((i) => Math.max(...vectors.map((v) => Math.abs(v[i]))));
  return { model, motion, most, given: { type: 'orientation' as const, frame, quat_wxyz: wanted } };
}

test('orientation: no motion that exceeds one component is proved, motions that nearly meet a limit are', () => {
  const random = new Random(170);
  let [violated, satisfied, proved] = [0, 0, 0];
  for (let k = 0; k < cases(1500); k++) {
    const { model, motion, most, given } = drawCase(random);
    const limited = random.below(3);
    const margin = 10 ** random.between(-7, -2);
    const isViolated = random.next() < 0.5;
    if (model.dof === 0 || !(most[limited] > 0.01 && most[limited] < 3.1)) continue;
    const within = most.map((value, i) => {
      if (i === limited) return isViolated ? value - margin : value + margin;
      return random.next() < 0.5 ? Math.PI : Math.min(Math.PI, value + 0.3);
    }) as unknown as OrientationConstraint['within'];
    const found = new ConstraintSet(model, [{ ...given, within }]).violation(motion, 20_000);
    if (isViolated) {
      violated++;
      expect(found, `case ${k}`).toBeDefined();
    } else if (!(found && found.excess > 1e-9)) {
      satisfied++;
      if (!found) proved++;
    }
  }
  expect(violated).toBeGreaterThan(cases(300));
  expect(satisfied).toBeGreaterThan(cases(300));
  expect(proved).toBeGreaterThan(0.99 * satisfied);
});

test('orientation: a motion whose component touches its limit within a nanoradian is proved in few intervals', () => {
  const random = new Random(171);
  let [touching, proved] = [0, 0];
  for (let k = 0; k < cases(1500) && touching < cases(150); k++) {
    const { model, motion, most, given } = drawCase(random);
    const limited = random.below(3);
    if (model.dof === 0 || !(most[limited] > 0.01 && most[limited] < 3)) continue;
    const within = [Math.PI, Math.PI, Math.PI] as Triple;
    within[limited] = most[limited] + 1e-9;
    const found = new ConstraintSet(model, [{ ...given, within }]).violation(motion, 3000);
    if (found && found.excess > 0) continue; // the maximum is between two samples
    touching++;
    if (!found) proved++;
  }
  expect(touching).toBeGreaterThan(cases(40));
  expect(proved).toBeGreaterThan(0.9 * touching);
});

test('the rate of the rotation vector is its difference quotient, from zero to half a turn', () => {
  const random = new Random(172);
  const exp = (v: readonly number[]): Quat => {
    const angle = Math.hypot(...v);
    const factor = angle > 0 ? Math.sin(angle / 2) / angle : 0.5;
    return [Math.cos(angle / 2), factor * v[0], factor * v[1], factor * v[2]];
  };
  const product = ([a, b, c, d]: Quat, [e, f, g, h]: Quat): Quat => [
    a * e - b * f - c * g - d * h,
    a * f + b * e + c * h - d * g,
    a * g - b * h + c * e + d * f,
    a * h + b * g - c * f + d * e,
  ];
  const step = 1e-5;
  for (let k = 0; k < 300; k++) {
    const direction = [0, 1, 2].map(() => random.between(-1, 1));
    const angle = k % 3 === 0 ? 10 ** random.between(-6, -0.9) : random.between(0.05, 3.13);
    const phi = Float64Array.from(direction, (value) => (angle * value) / Math.hypot(...direction));
    const omega = Float64Array.from([0, 1, 2], () => random.between(-1, 1));
    const at = (t: number) =>
      vectorFrom([1, 0, 0, 0], { p: [0, 0, 0], r: product(exp([...omega].map((w) => t * w)), exp([...phi])) });
    const [before, after] = [at(-step), at(step)];
    const rate = new Float64Array(3);
    rotationVectorRate(rate, phi, omega);
    for (let i = 0; i < 3; i++) expect(rate[i], `angle ${angle}`).toBeCloseTo((after[i] - before[i]) / (2 * step), 6);
  }
});
