import { expect, test } from 'vitest';
import { StraightMotion } from '../../../src/core/collision/motions/motion.ts';
import { ConstraintSet } from '../../../src/core/constraints/constraintSet.ts';
import { DirectionSeries } from '../../../src/core/constraints/directionSeries.ts';
import { EdgeProof } from '../../../src/core/constraints/edgeProof.ts';
import { createRobotModel } from '../../../src/core/kinematics/createRobotModel.ts';
import type { JointDescription, RobotDescription, RobotModel } from '../../../src/core/kinematics/robotModel.ts';
import { tcpOf } from '../../../src/core/kinematics/toolCenterPoint.ts';
import { Random } from '../../../src/core/math/random.ts';
import type { TiltConstraint } from '../../../src/core/scene/constraints.ts';
import { cases } from '../../cases.ts';

// Joints with parallel axes that turn by large angles in opposite directions: the direction hardly moves, while the
// terms that its polynomial is summed from are large.

const origin = { xyz: [0, 0, 0], quat_wxyz: [1, 0, 0, 0] } as const;
type Axis = readonly [number, number, number];

function chainOf(axes: readonly Axis[], more: readonly Partial<JointDescription>[] = []): RobotDescription {
  return {
    name: 'chain',
    root: 'link0',
    links: Array.from({ length: axes.length + 1 }, (_, i) => ({ name: `link${i}`, collisions: [] })),
    joints: axes.map((axis, i) => ({
      name: `joint${i}`,
      type: 'continuous' as const,
      parent: `link${i}`,
      child: `link${i + 1}`,
      origin,
      axis,
      ...more[i],
    })),
    allowed: [],
    states: {},
    groups: {},
    warnings: [],
  };
}

/** Rotates v by an angle about a unit axis (Rodrigues). */
function turned(v: readonly number[], [x, y, z]: readonly number[], angle: number): number[] {
  const [c, s] = [Math.cos(angle), Math.sin(angle)];
  const along = (1 - c) * (x * v[0] + y * v[1] + z * v[2]);
  return [
    c * v[0] + s * (y * v[2] - z * v[1]) + along * x,
    c * v[1] + s * (z * v[0] - x * v[2]) + along * y,
    c * v[2] + s * (x * v[1] - y * v[0]) + along * z,
  ];
}

const unit = (v: readonly number[]) => v.map((x) => x / Math.hypot(...v));

/** Direction in the root of an axis of the last link; the code under test is not used. */
const directionAt = (axes: readonly Axis[], axis: readonly number[], angles: ArrayLike<number>) =>
  axes.reduceRight((v, one, i) => turned(v, unit(one), angles[i]), [...axis]);

function lineOf(from: readonly number[], to: readonly number[]): StraightMotion {
  const line = new StraightMotion(from.length);
  line.qFrom = Float64Array.from(from);
  line.qTo = Float64Array.from(to);
  return line;
}

const tiltOf = (link: string, axis: readonly number[], within: number): TiltConstraint => ({
  type: 'tilt',
  frame: { link, pose: origin },
  axis: axis as Axis,
  towards: [0, 0, 1],
  within,
});

/** True if a line is proved although its last state violates the tilt by more than the tolerance. */
function isWronglyProved(model: RobotModel, given: TiltConstraint, line: StraightMotion): boolean {
  const set = new ConstraintSet(model, [given]);
  return set.violated(line.qTo).length > 0 && set.violation(line) === undefined;
}

test('the polynomial of a direction bounds it also where parallel joints turn far in opposite directions', () => {
  const random = new Random(50);
  const wrong: string[] = [];
  for (let k = 0; k < cases(1500); k++) {
    const deviation = random.next() < 0.5 ? 0 : 10 ** random.between(-14, -12.1);
    const sign = random.next() < 0.5 ? 1 : -1;
    const axes: Axis[] = [
      [0, 1, 0],
      [0, 0, 1],
      [deviation, 0, sign],
    ];
    const size = 10 ** random.between(0, 5);
    const turn = random.between(-1, 1) * size;
    const middle = [random.between(-3, 3), random.between(-size, size), random.between(-size, size)];
    const rates = [random.between(-1e-3, 1e-3), turn, -sign * turn + random.between(-1e-3, 1e-3)];
    const axis = unit([random.between(-1, 1), random.between(-1, 1), random.between(-1, 1)]);
    const model = createRobotModel(chainOf(axes), {});
    const series = new DirectionSeries(model, tcpOf(model, { link: 'link3', pose: origin }), Float64Array.from(axis));
    series.compute(Float64Array.from(middle), Float64Array.from(rates), 1);
    const { coefficients: c, remainder, rounding } = series;
    for (const x of [-1, 1, 0]) {
      const angles = middle.map((value, i) => value + x * rates[i]);
      const direction = directionAt(axes, axis, angles);
      const apart = Math.hypot(
        ...direction.map((value, i) => value - (c[i] + x * (c[3 + i] + x * (c[6 + i] + x * c[9 + i])))),
      );
      const most = remainder * x ** 4 + rounding;
      if (!(apart <= most)) wrong.push(`case ${k}: size ${size}, deviation ${deviation}: ${apart} > ${most}`);
    }
  }
  expect(wrong).toEqual([]);
});

test('a line whose joints turn by 1e5 rad in opposite directions is not proved beyond its tilt', () => {
  const axes: Axis[] = [
    [0, 1, 0],
    [0, 0, 1],
    [0, 0, 1],
  ];
  const model = createRobotModel(chainOf(axes), {});
  const axis = [-0.16473807684094063, 0.18458083620344226, 0.9689124217106447];
  const from = [-0.04703369487455758, -85892.44180691242, 85890.14235558033];
  const to = [0.04703369487455758, 85894.15556418896, -85896.45501552105];
  const given = tiltOf('link3', axis, 0.28527527015591814);
  expect(new ConstraintSet(model, [given]).violated(Float64Array.from(to))).toEqual(['tilt']);
  expect(isWronglyProved(model, given, lineOf(from, to))).toBe(false);
});

test.each([0, 2.07e-13, 9e-13])(
  'lines of joints %s rad from parallel are proved only within their tilt',
  (deviation) => {
    const random = new Random(51);
    const axes: Axis[] = [
      [0, 1, 0],
      [0, 0, 1],
      [deviation, 0, 1],
    ];
    const model = createRobotModel(chainOf(axes), {});
    const wrong: string[] = [];
    for (let k = 0; k < cases(1000); k++) {
      const turn = random.between(0, 2 * Math.PI);
      const c = random.between(0, 2 * Math.PI);
      const w = 10 ** random.between(0.5, 4);
      const step = 10 ** random.between(-10, -4);
      const axis = [Math.sin(0.25) * Math.cos(turn), Math.sin(0.25) * Math.sin(turn), Math.cos(0.25)];
      const from = [-step, c - w, -turn - c + w];
      const to = [step, c + w, -turn - c - w];
      const line = lineOf(from, to);
      const reached = new ConstraintSet(model, [tiltOf('link3', axis, 0)]).maxExcess(line.qTo);
      const given = tiltOf('link3', axis, reached - 10 ** random.between(-8.8, -5));
      if (isWronglyProved(model, given, line)) wrong.push(`case ${k}: w ${w}, step ${step}`);
    }
    expect(wrong).toEqual([]);
  },
);

test('lines of a joint with opposite mimics of large multipliers are proved only within their tilt', () => {
  const random = new Random(52);
  const driven = (multiplier: number) => ({ mimic: { joint: 'drive', multiplier, offset: 0 } });
  const axes: Axis[] = [
    [0, 1, 0],
    [0, 0, 1],
    [0, 0, 1],
  ];
  const chain = chainOf(axes, [{}, driven(1000), driven(-1000)]);
  const { mimic: _, ...own } = { ...chain.joints[1], name: 'drive', parent: 'link0', child: 'side' };
  const links = [...chain.links, { name: 'side', collisions: [] }];
  const model = createRobotModel({ ...chain, links, joints: [own, ...chain.joints] }, {});
  const [drives, tilts] = ['drive', 'joint0'].map((name) => model.variables.findIndex((one) => one.name === name));
  const axis = [Math.sin(0.25), 0, Math.cos(0.25)];
  let wrong = 0;
  for (let k = 0; k < cases(500); k++) {
    const c = random.between(-0.1, 0.1);
    const w = random.between(2, 3);
    const step = 10 ** random.between(-8, -5.5);
    const line = new StraightMotion(2);
    line.qFrom[drives] = c - w;
    line.qTo[drives] = c + w;
    line.qFrom[tilts] = -step;
    line.qTo[tilts] = step;
    const reached = new ConstraintSet(model, [tiltOf('link3', axis, 0)]).maxExcess(line.qTo);
    if (isWronglyProved(model, tiltOf('link3', axis, reached - 10 ** random.between(-8.8, -6)), line)) wrong++;
  }
  expect(wrong).toBe(0);
});

test('lines whose joint values are so large that rounding errors exceed the tolerance are not proved', () => {
  // all axes are vertical: the tilt is 0, but near q = 0 the angles are differences of terms of 1e9 rad
  const axes: Axis[] = [
    [0, 0, 1],
    [0, 0, 1],
  ];
  const model = createRobotModel(chainOf(axes, [{}, { mimic: { joint: 'joint0', multiplier: 1000, offset: 0 } }]), {});
  const set = new ConstraintSet(model, [tiltOf('link2', [0, 0, 1], 0.01)]);
  const large = lineOf([-1e6], [1e6]);
  expect(set.violation(large)).toEqual({ label: 'tilt', time: 0, excess: 0 });
  expect(new EdgeProof(set).holds(large, 1e6)).toBe(false);
  const small = lineOf([-1], [1]);
  expect(set.violation(small)).toBeUndefined();
  expect(new EdgeProof(set).holds(small, 1e6)).toBe(true);
});
