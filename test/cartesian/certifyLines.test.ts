import { expect, test } from 'vitest';
import { lineLeg } from '../../src/cartesian/cartesianLeg.ts';
import { followLeg } from '../../src/cartesian/followLeg.ts';
import { ToolTracker } from '../../src/cartesian/toolTracker.ts';
import { createRobotModel } from '../../src/kinematics/createRobotModel.ts';
import { linkNamed } from '../../src/kinematics/toolCenterPoint.ts';
import { loadRobot } from '../../src/node/files.ts';
import { certifyLines, TOOL } from './certifyLines.ts';

// Short version of scripts/certify-lines.mjs.
test.each([
  ['ur5e', 'tool0', 20],
  ['ur10e', 'tool0', 15],
  ['arm7', 'flange', 15],
])(
  'random lines of %s are proved and within the tolerance at every sample, or refused and not feasible',
  async (robot, link, count) => {
    const { proved, wrong, missed, refused } = await certifyLines(robot, link, count, 5);
    expect(wrong).toEqual([]);
    expect(missed).toEqual([]);
    expect(proved).toBeGreaterThan(count / 2);
    expect(refused['not timed']).toBeUndefined();
  },
  60_000,
);

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
