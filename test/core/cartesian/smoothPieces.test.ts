import { expect, test } from 'vitest';
import { smoothPieces } from '../../../src/core/cartesian/smoothPieces.ts';
import { ToolTracker } from '../../../src/core/cartesian/toolTracker.ts';
import { createRobotModel } from '../../../src/core/kinematics/createRobotModel.ts';
import { linkNamed } from '../../../src/core/kinematics/toolCenterPoint.ts';
import { create } from '../../../src/core/math/transform.ts';
import { loadRobot } from '../../../src/host/node/files.ts';

test('halved intervals of a piece double its points, and there is no motion with too many', async () => {
  const model = createRobotModel(await loadRobot('ur5e'));
  const tracker = new ToolTracker(model, { link: linkNamed(model, 'tool0'), T_link_frame: create() });
  const all = (value: number) => new Float64Array(model.dof).fill(value);
  const knots = Array.from({ length: 11 }, (_, k) => ({ s: k / 10, q: all(k / 10), dq: all(1) }));
  const pieces = knots.length - 1;
  const limits = { lower: all(-2), upper: all(2), velocity: all(1), acceleration: all(5), jerk: all(50) };
  const rule = { speed: 1, acceleration: 1, pathSpeed: 10, tcpSpeed: Number.POSITIVE_INFINITY };
  const halved = (times: number) => {
    const halvings = new Uint8Array(pieces).fill(times);
    return smoothPieces(tracker, knots, limits, new Array(pieces).fill(rule), 8e-3, halvings);
  };
  const count = halved(0)!.points.length - 1;
  expect(halved(3)!.points.length - 1).toBe(8 * count);
  expect(halved(10)).toBeUndefined();
});
