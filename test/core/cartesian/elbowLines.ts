import { ToolTracker } from '../../../src/core/cartesian/toolTracker.ts';
import { createRobotModel } from '../../../src/core/kinematics/createRobotModel.ts';
import { linkNamed } from '../../../src/core/kinematics/toolCenterPoint.ts';
import { Random } from '../../../src/core/math/random.ts';
import type { LineStep } from '../../../src/core/scene/program.ts';
import type { Obstacle } from '../../../src/core/scene/scene.ts';
import { loadRobot } from '../../../src/host/node/files.ts';
import { planProgram } from '../../../src/tasks/programs/planProgram.ts';
import { motionAt } from '../../tasks/programs/programOracle.ts';
import { sceneOf } from './attackLines.ts';
import { pathFault, randomLine, TOOL } from './certifyLines.ts';
import { ChainOracle } from './chainOracle.ts';
import { LineWorld } from './lineWorld.ts';

/** States of a motion at which collisions are searched. */
const SAMPLES = 400;
/** Shorter lines are left out, metres. */
const MIN_LENGTH = 0.05;

/**
 * Plans lines of a redundant arm from given configurations, with a sphere of 50 mm where the elbow is after 0.7 of the
 * points of the line that is planned without it. Returns how many are planned, and the faults that independent code
 * finds at samples of these. Lines that start in collision, or are not planned without the sphere, are left out.
 * @param numbers of the random lines
 * @param count of lines after which to stop
 */
export async function linesPastElbow(robot: string, seed: number, numbers: Iterable<number>, count: number) {
  const description = await loadRobot(robot);
  const model = createRobotModel(description);
  const frame = { link: linkNamed(model, 'flange'), T_link_frame: TOOL };
  const chain = new ChainOracle(model, frame.link, TOOL);
  const tracker = new ToolTracker(model, frame);
  const found = { robot, lines: 0, proved: 0, wrong: [] as string[] };
  for (const i of numbers) {
    if (found.lines >= count) break;
    const { q, leg } = randomLine(tracker, new Random(seed, i));
    const planned = (obstacles: readonly Obstacle[]) => {
      const scene = sceneOf(robot, 'flange', q, leg, obstacles);
      const line = { ...(scene.steps![1] as LineStep), index: 0 };
      return planProgram({ scene: { ...scene, steps: [line] }, robot: description, model }, {}).trajectory;
    };
    const free = leg.length < MIN_LENGTH ? undefined : planned([])?.points;
    if (!free) continue;
    chain.forward(free[Math.floor(free.length * 0.7)].positions);
    const elbow = chain.T[linkNamed(model, 'link4')];
    const shape = { type: 'sphere', radius: 0.05 };
    const pose = { xyz: [elbow[3], elbow[7], elbow[11]], quat_wxyz: [1, 0, 0, 0] };
    const ball = { name: 'ball', parts: [{ shape }], pose } as unknown as Obstacle;
    const world = new LineWorld(chain, description, [ball]);
    if (world.collision(q)) continue;
    found.lines++;
    const trajectory = planned([ball]);
    if (!trajectory) continue;
    found.proved++;
    const end = trajectory.points.at(-1)!.time_from_start!;
    for (let k = 0; k <= SAMPLES; k++) {
      const pair = world.collision(motionAt(trajectory, (k / SAMPLES) * end));
      if (pair) found.wrong.push(`line ${i}: ${pair} at ${(k / SAMPLES) * end} s`);
    }
    const fault = pathFault(model, frame, leg, trajectory, [0, end]);
    if (fault) found.wrong.push(`line ${i}: ${fault}`);
  }
  return found;
}
