import { expect, test } from 'vitest';
import { ToolTracker } from '../../../src/core/cartesian/toolTracker.ts';
import { createRobotModel } from '../../../src/core/kinematics/createRobotModel.ts';
import { linkNamed } from '../../../src/core/kinematics/toolCenterPoint.ts';
import { Random } from '../../../src/core/math/random.ts';
import { loadRobot } from '../../../src/host/node/files.ts';
import { randomLine, TOOL } from './certifyLines.ts';
import { ChainOracle } from './chainOracle.ts';
import { LineWorld } from './lineWorld.ts';

test('the independent collision check finds links that overlap by 0.8 mm', async () => {
  const description = await loadRobot('ur10e');
  const model = createRobotModel(description);
  const link = linkNamed(model, 'tool0');
  // A start at which 20,000 pairwise steps do not decide: its hulls share a point 0.24 mm inside of both.
  const { q } = randomLine(new ToolTracker(model, { link, T_link_frame: TOOL }), new Random(9106, 121));
  const world = new LineWorld(new ChainOracle(model, link, TOOL), description, []);
  expect(world.collision(q)).toBe('upper_arm_link and wrist_3_link');
});
