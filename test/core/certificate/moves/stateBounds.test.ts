import { expect, test } from 'vitest';
import { linkPoses } from '../../../../src/core/certificate/linkPoses.ts';
import { boundStates } from '../../../../src/core/certificate/moves/stateBounds.ts';
import { createRobotModel } from '../../../../src/core/kinematics/createRobotModel.ts';
import { linkNamed } from '../../../../src/core/kinematics/toolCenterPoint.ts';
import { Random } from '../../../../src/core/math/random.ts';
import { compose, create } from '../../../../src/core/math/transform.ts';
import { loadRobot } from '../../../../src/host/node/files.ts';
import { add, rotation, solve, toolPose } from '../../../tasks/checking/moves/movesOracle.ts';

const TCP = [0.02, -0.01, 0.14];

test('the states whose poses are in a chart are enclosed, and by little more than their range', async () => {
  const robot = createRobotModel(await loadRobot('ur5e'));
  const T_link_frame = Float64Array.of(1, 0, 0, TCP[0], 0, 1, 0, TCP[1], 0, 0, 1, TCP[2]);
  const frame = { link: linkNamed(robot, 'tool0'), T_link_frame };
  const random = new Random(4);
  const rows = (matrix: readonly (readonly number[])[], turn: readonly (readonly number[])[]) =>
    matrix.map((row) => turn[0].map((_, j) => row.reduce((sum, value, k) => sum + value * turn[k][j], 0)));
  let [enclosed, widest] = [0, 0];
  for (let round = 0; round < 300; round++) {
    const q = Array.from({ length: 6 }, () => random.between(-3, 3));
    const size = 10 ** random.between(-5, -1);
    const twist = Array.from({ length: 6 }, (_, k) => size * random.between(-1, 1) * (k < 3 ? 0.3 : 1));
    const center = create();
    compose(center, linkPoses(robot, Float64Array.from(q))[frame.link], T_link_frame);
    const half = twist.map((value, k) => (k % 3 < 2 ? -value : value)); // the controller's base is turned by half a turn
    const chart = { center, twists: [Float64Array.from(half)], position: 0, angle: 0 };
    const states = boundStates(robot, frame, Float64Array.from(q), chart);
    if (states === undefined) continue;
    enclosed++;
    const { p, R } = toolPose(q, TCP);
    const ends = [-1, -0.3, 0.6, 1].map((s) => {
      const turn = rotation(twist.slice(3).map((value) => s * value));
      return solve(q, { p: add(p, twist.slice(0, 3), s), R: rows(turn, R) }, TCP)!;
    });
    for (let j = 0; j < 6; j++) {
      const reach = Math.abs(states.generators[0][j]) + states.error[j];
      for (const end of ends) expect(Math.abs(end[j] - q[j]), `round ${round}, joint ${j}`).toBeLessThan(reach + 1e-10);
      const middle = 0.5 * Math.abs(ends[3][j] - ends[0][j]);
      if (size < 1e-4)
        widest = Math.max(widest, Math.abs(Math.abs(states.generators[0][j]) - middle) / states.error[j]);
    }
  }
  expect(enclosed).toBeGreaterThan(150);
  expect(widest).toBeLessThanOrEqual(1);
});
