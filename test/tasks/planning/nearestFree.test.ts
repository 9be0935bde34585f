import { expect, test } from 'vitest';
import { CollisionModel } from '../../../src/core/collision/model/collisionModel.ts';
import { CollisionManager } from '../../../src/core/collision/states/collisionManager.ts';
import { createRobotModel } from '../../../src/core/kinematics/createRobotModel.ts';
import type { Pose } from '../../../src/core/kinematics/robotModel.ts';
import { IDENTITY_POSE } from '../../../src/core/scene/scene.ts';
import { diagnoseEndpoint } from '../../../src/tasks/planning/endpointDiagnosis.ts';
import { nearestValidState } from '../../../src/tasks/planning/nearestFree.ts';
import { slider } from '../slider.ts';

const robot = createRobotModel(slider());

function managerOf(radius: number, padding = 0): CollisionManager {
  const parts = [{ shape: { type: 'sphere', radius } }];
  const obstacles = [{ name: 'post', parts, pose: IDENTITY_POSE }];
  return new CollisionManager(new CollisionModel(robot, { obstacles, attached: [], allow: [], padding }));
}

test.each([
  [0.2, 0, [0.25, 0], 0.05],
  [0.2, 0.02, [0, -0.1], 0.22],
  [0.5, 0, [0.3, 0.3], 0.6 - Math.hypot(0.3, 0.3)],
])(
  'out of a post of %d m with padding %d, from %j, it is %d away: found to a tenth, never nearer',
  (radius, padding, from, true_) => {
    const manager = managerOf(radius, padding);
    const found = nearestValidState(robot, manager, Float64Array.from(from), undefined)!;
    expect(manager.isCollisionFree(found.q)).toBe(true);
    expect(found.distance).toBeGreaterThan(true_);
    expect(found.distance).toBeLessThan(1.1 * true_);
    expect(found.distance).toBeCloseTo(Math.hypot(found.q[0] - from[0], found.q[1] - from[1]), 12);
  },
);

test('where nothing is free within limits, nothing is found', () => {
  expect(nearestValidState(robot, managerOf(2), Float64Array.of(0, 0), undefined)).toBeUndefined();
});

test('a pair that no planned joint moves is named, with how to allow it', () => {
  const description = slider();
  const { root, links } = description;
  const parts = [{ shape: { type: 'box', size: [1, 1, 1] } }];
  const table = { name: 'table', parts, pose: { ...IDENTITY_POSE, xyz: [0, 0, -5] } as Pose };
  const base = { shape: { type: 'sphere', radius: 0.1 }, pose: { ...IDENTITY_POSE, xyz: [0, 0, -5] } } as const;
  const standing = {
    ...description,
    links: links.map((link) =>
      link.name === root ? { ...link, collisions: [{ ...base, triangles: 0, source: 0 }] } : link,
    ),
  };
  const diagnose = (one: typeof description, obstacles: readonly (typeof table)[], q: readonly number[]) => {
    const model = createRobotModel(one);
    const manager = new CollisionManager(new CollisionModel(model, { obstacles, attached: [], allow: [], padding: 0 }));
    return diagnoseEndpoint(model, manager, Float64Array.from(q), 'start')?.reason;
  };
  const hint =
    /no planned joint moves (\w+) or (\w+): they collide in every state; if they may touch, allow: \[\[\1, \2\]\]/;
  expect(diagnose(standing, [table], [0, 0])).toMatch(hint);
  expect(diagnose(standing, [{ ...table, pose: IDENTITY_POSE }], [0, 0])).not.toMatch(hint);
});
