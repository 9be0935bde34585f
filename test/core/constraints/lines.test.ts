import { expect, test } from 'vitest';
import { StraightMotion } from '../../../src/core/collision/motions/motion.ts';
import { ConstraintSet } from '../../../src/core/constraints/constraintSet.ts';
import { DirectionSeries } from '../../../src/core/constraints/directionSeries.ts';
import { EdgeProof } from '../../../src/core/constraints/edgeProof.ts';
import { CurveInDisc } from '../../../src/core/constraints/tilt.ts';
import { createRobotModel } from '../../../src/core/kinematics/createRobotModel.ts';
import type { Pose, RobotDescription, RobotModel } from '../../../src/core/kinematics/robotModel.ts';
import { tcpOf } from '../../../src/core/kinematics/toolCenterPoint.ts';
import { Random } from '../../../src/core/math/random.ts';
import type { TiltConstraint } from '../../../src/core/scene/constraints.ts';
import { cases } from '../../cases.ts';
import { randomPose, randomRobot } from '../../helpers/robots.ts';
import { chained, linkPose, poseOf, turned } from './constraintOracle.ts';

type Triple = [number, number, number];

function unitVector(random: Random): Triple {
  for (;;) {
    const v = [random.between(-1, 1), random.between(-1, 1), random.between(-1, 1)];
    const length = Math.hypot(...v);
    if (length > 0.1 && length < 1) return v.map((value) => value / length) as Triple;
  }
}

interface Arm {
  readonly description: RobotDescription;
  readonly model: RobotModel;
  /** Pose of its root. */
  readonly base: Pose;
}

/** Trees with all types of joints, and chains whose neighbouring axes are often parallel or opposite. */
function arms(random: Random): Arm[] {
  const trees = Array.from({ length: 30 }, (_, i) => randomRobot(random, 2 + (i % 7)));
  const chains = Array.from({ length: 30 }, (): RobotDescription => {
    const axes = Array.from({ length: 6 }, () =>
      random.next() < 0.6 ? [0, random.next() < 0.5 ? 1 : -1, 0] : [0, 0, 1],
    );
    return {
      ...randomRobot(random, 1),
      links: Array.from({ length: 7 }, (_, i) => ({ name: `link${i}`, collisions: [] })),
      joints: axes.map((axis, i) => ({
        name: `joint${i}`,
        type: random.next() < 0.1 ? ('prismatic' as const) : ('continuous' as const),
        parent: `link${i}`,
        child: `link${i + 1}`,
        origin: { xyz: [0.1, 0, 0.2] as const, quat_wxyz: [1, 0, 0, 0] as const },
        axis: axis as Triple,
      })),
    };
  });
  return [...trees, ...chains]
    .map((description) => {
      const base = randomPose(random, 1);
      return { description, base, model: createRobotModel(description, { pose: base }) };
    })
    .filter(({ model }) => model.dof > 0);
}

/** Direction of an axis of the frame in the world, by the oracle. */
function directionAt({ description, model, base }: Arm, { frame, axis }: TiltConstraint, q: Float64Array): Triple {
  const values = new Map(model.variables.map(({ name }, j) => [name, q[j]]));
  const T_root_frame = chained(linkPose(description, values, frame!.link!), poseOf(frame!.pose));
  return [...turned(chained(poseOf(base), T_root_frame).r, axis)];
}

function angleAt(arm: Arm, given: TiltConstraint, q: Float64Array): number {
  const [x, y, z] = directionAt(arm, given, q);
  const [u, v, w] = given.towards;
  return Math.atan2(Math.hypot(y * w - z * v, z * u - x * w, x * v - y * u), x * u + y * v + z * w);
}

function randomLine(random: Random, dof: number, size: number): StraightMotion {
  const line = new StraightMotion(dof);
  for (let j = 0; j < dof; j++) {
    line.qFrom[j] = random.between(-3, 3);
    line.qTo[j] = line.qFrom[j] + (random.next() < 0.15 ? 0 : size * random.between(-1, 1));
  }
  return line;
}

function randomTilt(random: Random, { model }: Arm): TiltConstraint {
  const { name: link } = model.links[random.below(model.links.length)];
  const frame = { link, pose: randomPose(random, 0.2) };
  return { type: 'tilt', frame, axis: unitVector(random), towards: unitVector(random), within: 0 };
}

test('the Taylor polynomial of a direction differs from the direction by at most its remainder', () => {
  const random = new Random(40);
  const all = arms(random);
  const wrong: string[] = [];
  let tight = 0;
  for (let k = 0; k < cases(1500); k++) {
    const arm = all[random.below(all.length)];
    const given = randomTilt(random, arm);
    const half = 10 ** random.between(-5, 0.3);
    const line = randomLine(random, arm.model.dof, 2 * half);
    const q = new Float64Array(arm.model.dof);
    line.positionAt(q, 0.5);
    const series = new DirectionSeries(arm.model, tcpOf(arm.model, given.frame), Float64Array.from(given.axis));
    const rates = q.map((_, j) => line.qTo[j] - line.qFrom[j]);
    series.compute(q, rates, 0.5);
    const { coefficients: c, remainder, rounding } = series;
    for (const x of [-1, 1, random.between(-1, 1)]) {
      line.positionAt(q, 0.5 + 0.5 * x);
      const direction = directionAt(arm, given, q);
      const atRoot = [0, 1, 2].map((i) => c[i] + x * (c[3 + i] + x * (c[6 + i] + x * c[9 + i]))) as Triple;
      const at = turned(poseOf(arm.base).r, atRoot);
      const apart = Math.hypot(...at.map((value, i) => value - direction[i]));
      const most = remainder * x ** 4 + rounding;
      if (!(apart <= most)) wrong.push(`case ${k}: ${apart} > ${most}`);
      if (apart > 0.3 * most) tight++;
    }
  }
  expect(wrong).toEqual([]);
  expect(tight).toBeGreaterThan(cases(150)); // a bound that is much too large would hide a wrong one
});

test('the derivatives of a direction stay below their bounds, also where it is parallel to an axis in the middle', () => {
  const random = new Random(43);
  const all = arms(random);
  const wrong: string[] = [];
  let tight = 0;
  for (let k = 0; k < cases(600); k++) {
    const arm = all[random.below(all.length)];
    const { description, model, base } = arm;
    const drawn = randomTilt(random, arm);
    const line = randomLine(random, model.dof, 10 ** random.between(-1, 0.3));
    const q = new Float64Array(model.dof);
    line.positionAt(q, 0.5);
    const values = new Map(model.variables.map(({ name }, j) => [name, q[j]]));
    const poseIn = (link: string) => chained(poseOf(base), linkPose(description, values, link)).r;
    const { child, axis } = description.joints[random.below(description.joints.length)];
    const [w, x, y, z] = chained(chained(poseOf(base), linkPose(description, values, drawn.frame!.link!)), {
      ...poseOf(drawn.frame!.pose),
    }).r;
    const given = { ...drawn, axis: [...turned([w, -x, -y, -z], turned(poseIn(child), axis))] as Triple };
    const series = new DirectionSeries(model, tcpOf(model, given.frame), Float64Array.from(given.axis));
    const rates = q.map((_, j) => line.qTo[j] - line.qFrom[j]);
    series.compute(q, rates, 0.5);
    const [first, second] = [...series['bounds']];
    const at = (t: number) => {
      line.positionAt(q, 0.5 + 0.5 * t);
      return directionAt(arm, given, q);
    };
    const step = 1e-4;
    for (const t of [-1, 1]) {
      const [before, here, after] = [at(t - step), at(t), at(t + step)];
      const speed = Math.hypot(...here.map((_, i) => (after[i] - before[i]) / (2 * step)));
      const bend = Math.hypot(...here.map((value, i) => (after[i] - 2 * value + before[i]) / (step * step)));
      if (speed > first * (1 + 1e-3) + 1e-6) wrong.push(`case ${k}: speed ${speed}, bound ${first}`);
      if (bend > second * (1 + 1e-3) + 1e-6) wrong.push(`case ${k}: second derivative ${bend}, bound ${second}`);
      if (speed > 0.7 * first && speed > 1e-3) tight++;
    }
  }
  expect(wrong).toEqual([]);
  expect(tight).toBeGreaterThan(cases(100));
});

test('planar cubic curves are compared with discs as at dense samples', () => {
  const random = new Random(41);
  const curve = new CurveInDisc();
  const count = { proved: 0, violated: 0, open: 0 };
  const wrong: string[] = [];
  for (let k = 0; k < cases(2500); k++) {
    const sizes = [1, 1, 0.5, 0.2].map((size) => size * 10 ** random.between(-2, 0));
    const { coefficients: c } = curve;
    for (let i = 0; i < 8; i++) c[i] = sizes[i >> 1] * random.between(-1, 1);
    const times = Array.from({ length: 401 }, (_, i) => i / 200 - 1);
    const distances = times.map((t) => {
      const at = (i: number) => c[i] + t * (c[2 + i] + t * (c[4 + i] + t * c[6 + i]));
      return Math.hypot(at(0), at(1));
    });
    const most = Math.max(...distances);
    const speed = Math.hypot(c[2], c[3]) + 2 * Math.hypot(c[4], c[5]) + 3 * Math.hypot(c[6], c[7]);
    const radius = most * (1 + (random.next() < 0.5 ? 1 : -1) * 10 ** random.between(-6, -0.3));
    const error = radius * 10 ** random.between(-8, -1);
    const share = random.next();
    const verdict = curve.verdict(radius, share * error, (1 - share) * error);
    const excess = Math.max(...distances.map((d, i) => d - (1 - share) * error * times[i] ** 4));
    count[verdict]++;
    const place = `case ${k}: ${verdict}, ${most} of ${radius} ± ${error}`;
    if (verdict === 'proved' && most > (radius - error) * (1 + 1e-12)) wrong.push(place);
    if (verdict === 'violated' && excess + speed / 400 < radius + share * error) wrong.push(place);
    if (verdict === 'open' && Math.abs(most - radius) > error + speed / 100) wrong.push(place);
  }
  expect(wrong).toEqual([]);
  expect(Math.min(count.proved, count.violated, count.open)).toBeGreaterThan(cases(300));
});

/** Largest angle of a line: at 60 samples, refined about the largest one. */
function largestAngle(arm: Arm, given: TiltConstraint, line: StraightMotion): number {
  const q = new Float64Array(arm.model.dof);
  const at = (t: number) => {
    line.positionAt(q, Math.min(1, Math.max(0, t)));
    return angleAt(arm, given, q);
  };
  let best = 0;
  let most = 0;
  for (let k = 0; k <= 60; k++) {
    const angle = at(k / 60);
    if (angle > most) [best, most] = [k / 60, angle];
  }
  for (let step = 1 / 120; step > 1e-6; step /= 2)
    for (const t of [best - step, best + step]) {
      const angle = at(t);
      if (angle > most) [best, most] = [t, angle];
    }
  return most;
}

test('straight motions are proved on a tilt exactly if their largest angle is within it', () => {
  const random = new Random(42);
  const all = arms(random);
  const count = { violated: 0, satisfied: 0, undecided: 0, intervals: 0 };
  const wrong: string[] = [];
  for (let k = 0; k < cases(700); k++) {
    const arm = all[random.below(all.length)];
    const line = randomLine(random, arm.model.dof, 10 ** random.between(-2, 0.3));
    const drawn = randomTilt(random, arm);
    const q = new Float64Array(arm.model.dof);
    line.positionAt(q, random.next());
    // often about a direction on the line, or near it: narrow cones
    const near = directionAt(arm, drawn, q).map((value) => value + random.between(-0.05, 0.05)) as Triple;
    const length = Math.hypot(...near);
    const kind = random.next();
    const towards = kind < 0.7 ? (near.map((value) => value / length) as Triple) : drawn.towards;
    const shapeless: TiltConstraint = { ...drawn, towards };
    const reached = largestAngle(arm, shapeless, line);
    const margin = (random.next() < 0.5 ? 1 : -1) * 10 ** random.between(-8, -2);
    const within = reached + margin;
    if (!(within > 1e-6 && within < 3.1)) continue;
    if (kind < 0.2 && reached < 1) {
      const opposite = towards.map((value) => -value) as Triple;
      const narrow = new ConstraintSet(arm.model, [{ ...shapeless, towards: opposite, within }]);
      if (new EdgeProof(narrow).holds(line, 300)) wrong.push(`case ${k}: proved in the opposite cone`);
    }
    const set = new ConstraintSet(arm.model, [{ ...shapeless, within }]);
    const place = `case ${k}: within ${within}, margin ${margin}`;
    const evaluate = set.verdictOver.bind(set);
    let isViolated = false;
    set.verdictOver = (motion, from, to) => {
      count.intervals++;
      const verdict = evaluate(motion, from, to);
      if (verdict === 'violated') isViolated = true;
      return verdict;
    };
    const holds = new EdgeProof(set).holds(line, 300);
    const found = set.violation(line);
    if (margin < -1.2e-9) {
      count.violated++;
      if (holds) wrong.push(`${place}: proved by EdgeProof`);
      if (!found) wrong.push(`${place}: proved by violation`);
    } else if (margin > 1e-6) {
      count.satisfied++;
      if (isViolated) wrong.push(`${place}: violated`);
      if (found && found.excess > 1e-9) wrong.push(`${place}: excess ${found.excess}`);
      if (!holds) count.undecided++;
    }
  }
  expect(wrong).toEqual([]);
  expect(count.violated).toBeGreaterThan(cases(200));
  expect(count.satisfied).toBeGreaterThan(cases(130));
  expect(count.undecided).toBeLessThanOrEqual(0.02 * count.satisfied);
  expect(count.intervals).toBeLessThan(6 * cases(700));
});
