import { expect, test } from 'vitest';
import { lineLeg } from '../../../src/core/cartesian/cartesianLeg.ts';
import { createRobotModel } from '../../../src/core/kinematics/createRobotModel.ts';
import { transformOfPose } from '../../../src/core/kinematics/pose.ts';
import { linkNamed } from '../../../src/core/kinematics/toolCenterPoint.ts';
import { compose, create } from '../../../src/core/math/transform.ts';
import { loadRobot } from '../../../src/host/node/files.ts';
import { few } from '../../cases.ts';
import { ChainOracle } from './chainOracle.ts';
import { fastestSmoothDuration } from './fastestSmoothDuration.ts';
import { limitFault, smoothLineRatios } from './smoothLines.ts';

// Short version of `npm run bench -- programs:lines`.
const lines: [robot: string, link: string, jerk: number, tcpSpeed: number][] = [
  ['ur5e', 'tool0', 500, Number.POSITIVE_INFINITY],
  ['ur10e', 'tool0', 60, Number.POSITIVE_INFINITY],
  ['ur5e', 'tool0', 200, 0.25],
  ['arm7', 'flange', 60, 0.25],
];
test.each(few(lines, [lines[1], lines[3]]))(
  'lines of %s (%s) with jerk limit %d and TCP speed %d keep their limits, at most a tenth longer than the least duration',
  async (robot, link, jerk, tcpSpeed) => {
    const { ratios, untimed, faults } = await smoothLineRatios(robot, link, 8, 3, { jerk, tcpSpeed });
    expect(faults).toEqual([]);
    expect(untimed).toBe(0);
    if (robot !== 'arm7') expect(ratios.length).toBeGreaterThan(3);
    for (const ratio of ratios) {
      expect(ratio).toBeGreaterThan(0.998); // the numeric optimum has an error of its own
      expect(ratio).toBeLessThan(1.1);
    }
  },
  120_000,
);

test('the numeric optimum is that of the closed form for the rotation of one joint', async () => {
  const model = createRobotModel(await loadRobot('ur5e'));
  const chain = new ChainOracle(model, linkNamed(model, 'tool0'), create());
  const q = Float64Array.of(0, -1.5, 1.6, -1.7, -1.5, 0);
  chain.forward(q);
  const T = chain.tool.slice();
  const all = (value: number) => model.variables.map(() => value);
  // without reaching the acceleration limit, without the velocity limit, and with all phases
  for (const [angle, jerk, duration] of [
    [0.2, 2, 4 * Math.cbrt(0.1 / 2)],
    [0.5, 4, 0.25 + Math.sqrt(0.25 ** 2 + 4 * 0.5)],
    [2, 4, 2 + 1 + 0.25],
  ]) {
    const end = create();
    compose(end, T, transformOfPose({ xyz: [0, 0, 0], quat_wxyz: [Math.cos(angle / 2), 0, 0, Math.sin(angle / 2)] }));
    const limits = { velocity: all(1), acceleration: all(1), jerk: all(jerk) };
    const found = fastestSmoothDuration(chain, lineLeg(T, end), q, limits, Number.POSITIVE_INFINITY)!;
    expect(Math.abs(found / duration - 1)).toBeLessThan(2e-3);
  }
});

test('the samples find limits that a motion exceeds', async () => {
  const model = createRobotModel(await loadRobot('ur5e'));
  const frame = { link: linkNamed(model, 'tool0'), T_link_frame: create() };
  const point = (time_from_start: number, q: number, rate: number) => ({
    time_from_start,
    positions: [q, 0, 1, 0, 0, 0],
    velocities: [rate, 0, 0, 0, 0, 0],
  });
  // four pieces of jerk 6, −6, −6, 6
  const points = [point(0, 0, 0), point(1, 1, 3), point(2, 6, 6), point(3, 11, 3), point(4, 12, 0)];
  const motion = { jointNames: model.variables.map(({ name }) => name), points, interpolation: 'cubic' as const };
  const faultOf = (velocity: number, acceleration: number, jerk: number, tcpSpeed = Number.POSITIVE_INFINITY) => {
    const all = (value: number) => model.variables.map(() => value);
    const limits = { lower: all(-20), upper: all(20), velocity: all(velocity), acceleration: all(acceleration) };
    return limitFault(model, frame, motion, { ...limits, jerk: all(jerk) }, tcpSpeed);
  };
  expect(faultOf(6, 6, 6)).toBeUndefined();
  expect(faultOf(5.99, 6, 6)).toMatch(/^velocity/);
  expect(faultOf(6, 5.99, 6)).toMatch(/^acceleration/);
  expect(faultOf(6, 6, 5.99)).toMatch(/^jerk/);
  expect(faultOf(6, 6, 6, 1)).toMatch(/^TCP speed/);
});
