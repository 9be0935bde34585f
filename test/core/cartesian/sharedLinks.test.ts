import { expect, test } from 'vitest';
import { PosedLinks, ToolTracker } from '../../../src/core/cartesian/toolTracker.ts';
import { createRobotModel } from '../../../src/core/kinematics/createRobotModel.ts';
import { tcpOf } from '../../../src/core/kinematics/toolCenterPoint.ts';
import { Random } from '../../../src/core/math/random.ts';
import { loadRobot } from '../../../src/host/node/files.ts';

const pose = (x: number) => ({ xyz: [x, 0.1, 0.2] as const, quat_wxyz: [1, 0, 0, 0] as const });

test('trackers of several frames that share links compute what trackers with links of their own do', async () => {
  const model = createRobotModel(await loadRobot('ur5e'));
  const frames = ['tool0', 'forearm_link', 'wrist_2_link', 'flange'].map((link, i) =>
    tcpOf(model, { link, pose: pose(i) }),
  );
  const links = new PosedLinks(model);
  const shared = frames.map((frame) => new ToolTracker(model, frame, undefined, undefined, links));
  const own = frames.map((frame) => new ToolTracker(model, frame));
  const random = new Random(7, 0);
  const states = Array.from({ length: 3 }, () => Float64Array.from({ length: model.dof }, () => random.between(-3, 3)));
  const rates = Float64Array.from({ length: model.dof }, () => random.between(-1, 1));
  const twists = [0, 1].map(() => new Float64Array(6));
  for (let round = 0; round < 500; round++) {
    const [i, q] = [random.below(frames.length), states[random.below(states.length)]];
    const pair = [shared[i], own[i]];
    if (random.below(2) === 0) expect(pair[0].pose(q)).toEqual(pair[1].pose(q));
    else {
      for (const [k, tracker] of pair.entries()) tracker.twist(twists[k], q, rates);
      expect(twists[0]).toEqual(twists[1]);
      expect(pair[0].linkPoses[frames[i].link]).toEqual(pair[1].linkPoses[frames[i].link]);
    }
    if (round % 50 === 0) states[random.below(states.length)][random.below(model.dof)] += 0.1;
  }
});
