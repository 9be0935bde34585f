import { expect, test } from 'vitest';
import type { Trajectory } from '../../src/core/trajectory/trajectory.ts';
import { contentOf, readTrajectory, writers } from '../../src/formats/trajectories/index.ts';
import { loadScene } from '../../src/host/node/files.ts';
import { createSceneRobot } from '../../src/tasks/sceneRobot.ts';

// `repair --format klampt` and `--format urscript` of a file with its joints in another order than the robot's wrote
// the values in the order of that file. Klampt has no names, and controllers do not read the comment of a script:
// another motion.

const loaded = await loadScene('scenes/table-top.yaml');
const robot = createSceneRobot(loaded);
const joints = robot.variables.map(({ name }) => name);
const order = [5, 3, 4, 0, 2, 1];
const [from, to] = [
  [0.1, -1.2, 1.3, -0.4, 0.5, 0.6],
  [0.2, -1.1, 1.2, -0.5, 0.4, 0.7],
];
const reordered: Trajectory = {
  jointNames: order.map((j) => joints[j]),
  points: [from, to].map((q) => ({ positions: order.map((j) => q[j]) })),
};

test.each(['klampt', 'urscript'] as const)('%s has the joints in the order of the robot', async (format) => {
  const text = (await contentOf(writers[format], reordered, { robot, scene: loaded.scene })) as string;
  const lines = text.split('\n').filter((line) => /\d\.\d/.test(line));
  expect(
    lines.map((line) =>
      line
        .match(/-?\d\.\d+/g)!
        .slice(0, 6)
        .map(Number),
    ),
  ).toEqual([from, to]);
  const file = format === 'klampt' ? 'motion.path' : 'motion.script';
  const read = await readTrajectory(text, file, joints);
  expect(read.jointNames).toEqual(joints);
  expect(read.points.map(({ positions }) => positions)).toEqual([from, to]);
});

test('a script whose comment states another order than the robot has is refused', async () => {
  const script = (names: readonly string[]) => `# joints: ${names.join(', ')}\nmovej([${from.join(', ')}], r=0)\n`;
  expect((await readTrajectory(script(joints), 'a.script', joints)).points).toHaveLength(1);
  await expect(readTrajectory(script(reordered.jointNames), 'a.script', joints)).rejects.toThrow('in another order');
});
