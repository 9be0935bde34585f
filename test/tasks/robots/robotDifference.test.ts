import { expect, test } from 'vitest';
import type { RobotDescription } from '../../../src/core/kinematics/robotModel.ts';
import { loadRobot } from '../../../src/host/node/files.ts';
import { robotDifference } from '../../../src/tasks/robots/robotDifference.ts';

// biome-ignore lint/suspicious/noExplicitAny: descriptions are read-only, and changed below
type Loose = any;

const changes: readonly [string, (robot: Loose) => void][] = [
  [
    'a position limit',
    ({ joints }) => {
      joints[2].upper += 1e-9;
    },
  ],
  ['a velocity limit that is missing', ({ joints }) => delete joints[3].velocity],
  [
    'an origin',
    ({ joints }) => {
      joints[4].origin.xyz[1] += 1e-9;
    },
  ],
  [
    'a rotation',
    ({ joints }) => {
      joints[4].origin.quat_wxyz = [0.6, 0.8, 0, 0];
    },
  ],
  [
    'an axis',
    ({ joints }) => {
      joints[5].axis = joints[5].axis.map((x: number) => -x);
    },
  ],
  [
    'a type',
    ({ joints }) => {
      joints[5].type = 'continuous';
    },
  ],
  [
    'a parent',
    ({ joints }) => {
      joints[5].parent = joints[4].parent;
    },
  ],
  [
    'a vertex of a hull',
    ({ links }) => {
      links.find(hull).collisions[0].shape.points[7][0] += 1e-9;
    },
  ],
  ['a vertex less', ({ links }) => links.find(hull).collisions[0].shape.points.pop()],
  [
    'the pose of a part',
    ({ links }) => {
      links.find(hull).collisions[0].pose.xyz[2] += 1e-9;
    },
  ],
  ['a part less', ({ links }) => links.find(hull).collisions.pop()],
  ['an allowed pair more', ({ allowed, links }) => allowed.push([links[1].name, links.at(-1).name, 'x'])],
  ['an allowed pair less', ({ allowed }) => allowed.pop()],
  ['an order of joints', ({ joints }) => joints.reverse()],
];
const hull = ({ collisions }: RobotDescription['links'][number]) => collisions[0]?.shape.type === 'convex';

test.each(changes)('%s is a difference', async (_, change) => {
  const robot = await loadRobot('ur5e');
  const copy = structuredClone(robot);
  expect(robotDifference(robot, copy)).toBeUndefined();
  change(copy);
  expect(robotDifference(robot, copy)).toBeDefined();
});
