import { expect, test } from 'vitest';
import { lineLeg } from '../../../src/core/cartesian/cartesianLeg.ts';
import { followLeg } from '../../../src/core/cartesian/followLeg.ts';
import { ToolTracker } from '../../../src/core/cartesian/toolTracker.ts';
import { createRobotModel } from '../../../src/core/kinematics/createRobotModel.ts';
import { transformOfPose } from '../../../src/core/kinematics/pose.ts';
import { linkNamed } from '../../../src/core/kinematics/toolCenterPoint.ts';
import { compose, create } from '../../../src/core/math/transform.ts';
import type { Obstacle } from '../../../src/core/scene/scene.ts';
import { loadRobot } from '../../../src/host/node/files.ts';
import { cases } from '../../cases.ts';
import { attackLines } from './attackLines.ts';
import { certifyLines, TOOL } from './certifyLines.ts';
import { ChainOracle } from './chainOracle.ts';
import { fastestDuration } from './fastestDuration.ts';
import { LineWorld } from './lineWorld.ts';

// Short version of scripts/certify-lines.mjs.
test.each([
  ['ur5e', 'tool0', cases(20, 1 / 4)],
  ['ur10e', 'tool0', cases(15, 1 / 4)],
  ['arm7', 'flange', cases(15, 1 / 4)],
])(
  'random lines of %s are proved and within the tolerance at every sample, or refused and not feasible',
  async (robot, link, count) => {
    const { proved, wrong, missed, refused, ratios } = await certifyLines(robot, link, count, 5, 20);
    expect(wrong).toEqual([]);
    expect(missed).toEqual([]);
    expect(proved).toBeGreaterThan(count / 2);
    expect(refused['not timed']).toBeUndefined();
    // at most 10 % longer than the numeric optimum, which has an error of its own
    for (const ratio of ratios) {
      expect(ratio).toBeGreaterThan(0.999);
      expect(ratio).toBeLessThan(1.1);
    }
  },
  60_000,
);

test.each([
  ['ur5e', 'tool0', cases(8, 1 / 4)],
  ['arm7', 'flange', cases(8, 1 / 4)],
])(
  'random lines of %s among obstacles are free of collisions, or refused and not feasible',
  async (robot, link, count) => {
    const { proved, wrong, missed } = await attackLines(robot, link, count, 4, 20);
    expect({ wrong, missed }).toEqual({ wrong: [], missed: [] });
    expect(proved).toBeGreaterThan(count / 2);
  },
  60_000,
);

test('the oracles of these attacks find collisions and least durations', async () => {
  const description = await loadRobot('ur5e');
  const model = createRobotModel(description);
  const tool0 = linkNamed(model, 'tool0');
  const chain = new ChainOracle(model, tool0, create());
  const q = Float64Array.of(0, -1.5, 1.6, -1.7, -1.5, 0);
  const worldWith = (xyz: readonly number[]) => {
    const ball = { name: 'ball', parts: [{ shape: { type: 'sphere', radius: 0.05 } }] };
    return new LineWorld(chain, description, [
      { ...ball, pose: { xyz, quat_wxyz: [1, 0, 0, 0] } } as unknown as Obstacle,
    ]);
  };
  chain.forward(q);
  const T = chain.tool.slice();
  expect(worldWith([T[3], T[7], T[11]]).collision(q)).toMatch(/^wrist_[23]_link and obstacle 0$/);
  expect(worldWith([2, 2, 2]).collision(q)).toBeUndefined();
  expect(worldWith([2, 2, 2]).collision([0, 0, 2.9, 0, 0, 0])).toBe('base_link_inertia and forearm_link');
  // A rotation about the axis of the last joint: triangle and trapezoid of velocities.
  const ones = model.variables.map(() => 1);
  for (const [angle, duration] of [
    [0.5, 2 * Math.sqrt(0.5)],
    [2, 3],
  ]) {
    const end = create();
    compose(end, T, transformOfPose({ xyz: [0, 0, 0], quat_wxyz: [Math.cos(angle / 2), 0, 0, Math.sin(angle / 2)] }));
    const found = fastestDuration(chain, lineLeg(T, end), q, { velocity: ones, acceleration: ones });
    expect(found).toBeCloseTo(duration, 3);
  }
});

test('a line may begin next to a singularity, where the rates are sensitive to damping', async () => {
  const model = createRobotModel(await loadRobot('ur10e'));
  const tracker = new ToolTracker(model, { link: linkNamed(model, 'tool0'), T_link_frame: TOOL });
  // the wrist is 0.2 mm from where two IK branches of the shoulder merge
  const q = Float64Array.of(
    0.0485000092806942,
    0.6224700335348952,
    1.770622018239167,
    -1.6710865682263565,
    -1.5857699798991314,
    1.4282781322070024,
  );
  const start = tracker.pose(q).slice();
  const end = start.slice();
  for (const [i, k] of [3, 7, 11].entries()) end[k] += [0.00141, 0.005, -0.00221][i];
  const leg = lineLeg(start, end);
  const { knots } = followLeg(tracker, q, leg, 1 / 40, { position: 1e-4, angle: 1e-3 });
  expect(knots.length).toBeGreaterThan(0);
  const twist = new Float64Array(6);
  tracker.twist(twist, q, knots[0].dq);
  for (const [i, k] of [3, 7, 11].entries()) expect(Math.abs(twist[i] - (end[k] - start[k]))).toBeLessThan(1e-8);
});
