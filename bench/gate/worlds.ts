import { CollisionModel } from '../../src/core/collision/model/collisionModel.ts';
import { CollisionManager } from '../../src/core/collision/states/collisionManager.ts';
import { Random } from '../../src/core/math/random.ts';
import { configurationOf } from '../../src/core/scene/configurationOf.ts';
import type { CollisionObject, Obstacle, Scene } from '../../src/core/scene/scene.ts';
import { sphereClusters } from '../../src/formats/clouds/sphereClusters.ts';
import { loadScene } from '../../src/host/node/files.ts';
import { createSceneRobot, type Problem } from '../../src/tasks/sceneRobot.ts';

type Vec = [number, number, number];

/** Metres: radius of the points of a scan. */
const RADIUS = 0.004;
const identity = [1, 0, 0, 0] as const;

/** The bin-picking scene with 40 parts in its bins. */
export async function binOfParts(): Promise<Problem> {
  const loaded = await loadScene('scenes/bin-picking.yaml');
  const random = new Random(40);
  const robot = createSceneRobot(loaded);
  const goals = loaded.scene.goals.flatMap((goal) => (goal.kind === 'joints' ? [goal.joints] : []));
  const ends = [loaded.scene.start!, ...goals].map((given) => configurationOf(robot, given, ''));
  const isClear = (obstacle: Obstacle) => {
    const scene = { ...loaded.scene, obstacles: [obstacle] };
    const manager = new CollisionManager(new CollisionModel(robot, { ...scene, allow: [] }));
    return ends.every((q) => manager.isCollisionFree(q));
  };
  const parts: Obstacle[] = [];
  while (parts.length < 37) {
    const i = parts.length;
    const shapes = [
      { type: 'box', size: [0.05, 0.03, 0.02] },
      { type: 'cylinder', radius: 0.012, length: 0.06 },
      { type: 'capsule', radius: 0.01, length: 0.04 },
    ];
    const xyz: Vec = [random.between(0.38, 0.62), (i % 2 === 0 ? 1 : -1) * random.between(0.14, 0.46), 0.015];
    const yaw = random.between(0, 3);
    const pose = { xyz, quat_wxyz: [Math.cos(yaw), 0, 0, Math.sin(yaw)] as const };
    const part = { name: `part_${i + 4}`, parts: [{ shape: shapes[i % 3] }], pose };
    if (isClear(part)) parts.push(part);
  }
  return withObstacles(loaded, [...loaded.scene.obstacles, ...parts]);
}

/** The shelf as a scan of its surfaces sees it; the floor remains a half-space. */
export async function scannedShelf(count: number): Promise<Problem> {
  const loaded = await loadScene('scenes/shelf.yaml');
  const floor = loaded.scene.obstacles.filter(({ name }) => name === 'floor');
  return withObstacles(loaded, [...floor, scanOf(loaded.scene.obstacles, count, 1)]);
}

/** A scan of boxes; its points are displaced by up to 1 mm, which depends on the seed. */
export function scanOf(obstacles: readonly Obstacle[], count: number, seed: number): Obstacle {
  const random = new Random(seed);
  const boxes = obstacles.flatMap(({ parts, pose }) =>
    parts.flatMap(({ shape }) => (shape.type === 'box' ? [{ size: shape.size as number[], xyz: pose.xyz }] : [])),
  );
  const area = ([x, y, z]: readonly number[]) => x * y + y * z + z * x;
  const total = boxes.reduce((sum, { size }) => sum + area(size), 0);
  const points: number[] = [];
  for (const { size, xyz } of boxes)
    for (let i = Math.round((count * area(size)) / total); i > 0; i--) {
      const p = size.map((length) => random.between(-0.5, 0.5) * length);
      const faces = size.map((length) => area(size) / length);
      const axis = [0, 1, 2].reduce((one, k) => (random.next() * faces[k] > random.next() * faces[one] ? k : one), 0);
      p[axis] = (random.below(2) - 0.5) * size[axis];
      points.push(...p.map((x, k) => x + xyz[k] + random.between(-1e-3, 1e-3)));
    }
  return { name: 'scan', pose: { xyz: [0, 0, 0], quat_wxyz: identity }, parts: sphereClusters(points, RADIUS) };
}

/** The shelf among boxes out of its reach or beside it: `count` objects in all. */
export async function crowdedShelf(count: number): Promise<Problem> {
  const loaded = await loadScene('scenes/shelf.yaml');
  const random = new Random(100);
  const crowd = Array.from({ length: count - loaded.scene.obstacles.length }, (_, i): CollisionObject => {
    const [radius, angle] = [random.between(0.95, 1.6), random.between(1.2, 5.1)];
    const xyz: Vec = [radius * Math.cos(angle), radius * Math.sin(angle), random.between(0.1, 1.2)];
    const parts = [{ shape: { type: 'box', size: [0.06, 0.08, 0.1] } }];
    return { name: `box_${i}`, parts, pose: { xyz, quat_wxyz: identity } };
  });
  return withObstacles(loaded, [...loaded.scene.obstacles, ...crowd]);
}

const withObstacles = (problem: Problem, obstacles: Scene['obstacles']): Problem => ({
  ...problem,
  scene: { ...problem.scene, obstacles },
});
