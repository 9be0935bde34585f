import type { CollisionManager } from '../../src/core/collision/states/collisionManager.ts';
import { RobotJointSpace } from '../../src/core/collision/validators/robotJointSpace.ts';
import type { RobotModel } from '../../src/core/kinematics/robotModel.ts';
import { Random } from '../../src/core/math/random.ts';
import type { Obstacle, Scene } from '../../src/core/scene/scene.ts';
import { bundledScenes } from '../scenes.ts';

export type BenchScene = Awaited<ReturnType<typeof bundledScenes>>[number];
export type Edge = readonly [Float64Array, Float64Array];

/** Configurations drawn evenly within the limits. */
export function randomStates(robot: RobotModel, count: number, seed: number): Float64Array[] {
  const space = new RobotJointSpace(robot);
  const random = new Random(seed);
  return Array.from({ length: count }, () => {
    const q = new Float64Array(robot.dof);
    space.sample(q, random);
    return q;
  });
}

/** States 0.02 rad apart along straight lines from free states, 38 each: the checks of discrete edge validation. */
export function coherentStates(starts: readonly Float64Array[], seed: number): Float64Array[] {
  const random = new Random(seed);
  return starts.flatMap((from) => {
    const direction = unitDirection(from.length, random);
    return Array.from({ length: 38 }, (_, i) => from.map((x, j) => x + 0.02 * i * direction[j]));
  });
}

/** Edges of one length, from free states in even directions. */
export function randomEdges(manager: CollisionManager, count: number, length: number, seed: number): Edge[] {
  const random = new Random(seed);
  return randomStates(manager.model.robot, 20 * count, seed + 1)
    .filter((q) => manager.isCollisionFree(q))
    .slice(0, count)
    .map((from): Edge => {
      const direction = unitDirection(from.length, random);
      return [from, from.map((x, j) => x + length * direction[j])];
    });
}

function unitDirection(dof: number, random: Random): Float64Array {
  const direction = Float64Array.from({ length: dof }, () => random.between(-1, 1));
  const norm = Math.sqrt(direction.reduce((sum, x) => sum + x * x, 0));
  return direction.map((x) => x / norm);
}

/** The first bundled UR5e scene, its obstacles made up to 20 by boxes around the arm: what the targets speak of. */
export async function sceneOfTwenty(): Promise<BenchScene> {
  const scenes = await bundledScenes();
  const base = scenes.find(({ name, robot }) => /ur5e/i.test(robot.name) && /table/.test(name)) ?? scenes[0];
  const random = new Random(20);
  const boxes = Array.from({ length: 20 - base.scene.obstacles.length }, (_, i): Obstacle => {
    const angle = random.between(-Math.PI, Math.PI);
    const radius = random.between(0.45, 1.1);
    const size = [random.between(0.05, 0.2), random.between(0.05, 0.2), random.between(0.05, 0.2)];
    return {
      name: `box${i}`,
      parts: [{ shape: { type: 'box', size } }],
      pose: {
        xyz: [radius * Math.cos(angle), radius * Math.sin(angle), random.between(0, 1)],
        quat_wxyz: [1, 0, 0, 0],
      },
    };
  });
  return { ...base, name: 'twenty', scene: withObstacles(base.scene, boxes) };
}

/** The same scene with balls 3 to 8 m away, up to a number of obstacles: the neighbourhood stays as it is. */
export function crowded({ name, robot, scene }: BenchScene, obstacles: number): BenchScene {
  const random = new Random(6);
  const balls = Array.from({ length: obstacles - scene.obstacles.length }, (_, i): Obstacle => {
    const xyz = [random.between(3, 8), random.between(-5, 5), random.between(0, 2)] as const;
    return {
      name: `far${i}`,
      parts: [{ shape: { type: 'sphere', radius: 0.1 } }],
      pose: { xyz, quat_wxyz: [1, 0, 0, 0] },
    };
  });
  return { name: `${name}, ${obstacles}`, robot, scene: withObstacles(scene, balls) };
}

function withObstacles(scene: Scene, more: readonly Obstacle[]): Scene {
  return { ...scene, padding: 0, obstacles: [...scene.obstacles, ...more] };
}
