import { expect, test } from 'vitest';
import { createRobotModel } from '../../../src/core/kinematics/createRobotModel.ts';
import type { RobotDescription } from '../../../src/core/kinematics/robotModel.ts';
import { Random } from '../../../src/core/math/random.ts';
import { ownTimeAt } from '../../../src/core/planning/coordination/schedule.ts';
import { coordinateRobots } from '../../../src/tasks/coordination/coordinate.ts';
import { randomRobot } from '../../helpers/robots.ts';

const EMPTY = { attached: [], allow: [], padding: 0 };
/** Half the width of the boxes, and the place of the gap along the second robot, metres. */
const HALF = 0.05;
const GAP = 0.503;

/** A slide along an axis with boxes [center along the axis, half length]. */
function slide(axis: readonly [number, number, number], boxes: readonly (readonly [number, number])[]) {
  const origin = { xyz: [0, 0, 0], quat_wxyz: [1, 0, 0, 0] } as const;
  const collisions = boxes.map(([center, half], source) => ({
    shape: { type: 'box', size: axis.map((x) => (x === 1 ? 2 * half : 2 * HALF)) },
    triangles: 0,
    source,
    pose: { ...origin, xyz: axis.map((x) => x * center) },
  }));
  const joint = { name: 'x', type: 'prismatic', parent: 'base', child: 'slide', origin, axis };
  return {
    ...randomRobot(new Random(1), 1),
    root: 'base',
    links: [
      { name: 'base', collisions: [] },
      { name: 'slide', collisions },
    ],
    joints: [{ ...joint, lower: -9, upper: 9, velocity: 9 }],
  } as unknown as RobotDescription;
}

/** A slide that crosses the path of another one, which lets it pass only through a gap with this slack to each side. */
function crossing(slack: number) {
  const open = HALF + slack;
  const descriptions = [
    { name: 'a', description: slide([0, 1, 0], [[0, HALF]]), positions: [-0.5, 0.5] },
    {
      name: 'b',
      description: slide(
        [1, 0, 0],
        [
          [(1 - GAP + open) / 2, (1 + GAP - open) / 2],
          [(-2 - GAP - open) / 2, (2 - GAP - open) / 2],
        ],
      ),
      positions: [0, 1],
    },
  ];
  const robots = descriptions.map(({ name, description, positions }) => ({
    name,
    prefix: `${name}/`,
    model: createRobotModel(description),
    trajectory: {
      jointNames: ['x'],
      points: positions.map((position, k) => ({ time_from_start: k, positions: [position] })),
    },
  }));
  return coordinateRobots(robots, EMPTY, { resolution: 0.05 });
}

test('a passage of 20 ms is found at a resolution of 50 ms, which is refined along paths', () => {
  const slack = 0.01;
  const { schedules, makespan } = crossing(slack);
  const [a, b] = schedules!;
  let crossed = 0;
  for (let k = 0; k <= 2000; k++) {
    const time = (k / 2000) * makespan!;
    if (Math.abs(ownTimeAt(a, time) - 0.5) >= 2 * HALF) continue;
    crossed = Math.max(crossed, Math.abs(ownTimeAt(b, time) - GAP));
  }
  expect(crossed).toBeLessThan(slack);
  // While one crosses, for 0.2 s, the other one moves by the slack at most.
  expect(makespan).toBeGreaterThan(1.2 - 2 * slack);
  expect(makespan).toBeLessThan(1.3);
});

test('a passage of 1 ms is too narrow for a resolution of 50 ms, but a schedule is not excluded', () => {
  const { schedules, leastMakespan } = crossing(0.0005);
  expect(schedules).toBeUndefined();
  expect(leastMakespan).toBeLessThan(1.3);
});

test('without a gap every schedule collides', () => {
  const { schedules, leastMakespan } = crossing(-0.01);
  expect(schedules).toBeUndefined();
  expect(leastMakespan).toBe(Number.POSITIVE_INFINITY);
});
