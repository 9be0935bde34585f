import { createRobotModel } from '../../../src/core/kinematics/createRobotModel.ts';
import type { Random } from '../../../src/core/math/random.ts';
import type { ObstacleMotion } from '../../../src/core/scene/movingScene.ts';
import type { Obstacle, Scene } from '../../../src/core/scene/scene.ts';
import type { Trajectory } from '../../../src/core/trajectory/trajectory.ts';
import { armDescription, type OracleScene } from './oracle.ts';

export const description = armDescription();
export const robot = createRobotModel(description);
export const jointNames = robot.variables.map(({ name }) => name);

/** Returns the scene of what the oracle knows. */
export function sceneOf({ boxes, others }: OracleScene): Scene {
  return {
    name: 'moving',
    robot: { packages: {}, fixed: {}, limits: {}, pose: { xyz: [0, 0, 0], quat_wxyz: [1, 0, 0, 0] }, parts: 'hull' },
    goals: [],
    equivalent: false,
    obstacles: boxes,
    robots: others,
    attached: [],
    allow: [],
    padding: 0,
  };
}

/** Returns a moving box. */
export const box = (
  name: string,
  size: readonly number[],
  motion: ObstacleMotion,
): Obstacle & { motion: ObstacleMotion } => ({
  name,
  parts: [{ shape: { type: 'box', size } }],
  pose: motion.poses[0],
  motion,
});

function randomQuaternion(random: Random): [number, number, number, number] {
  for (;;) {
    const q = [0, 1, 2, 3].map(() => random.between(-1, 1)) as [number, number, number, number];
    const length = Math.hypot(...q);
    if (length > 0.1 && length < 1) return q; // of any length: scenes need not normalise
  }
}

/** Times from before 0 to beyond the end of the motion, some of them very close together. */
function randomMotion(random: Random): ObstacleMotion {
  const times = [random.between(-1, 1)];
  const count = 1 + random.below(5);
  while (times.length < count) times.push(times.at(-1)! + (random.below(4) === 0 ? 1e-4 : random.between(0.05, 1.2)));
  const poses = times.map(() => ({
    xyz: [0, 1, 2].map(() => random.between(-0.9, 0.9)) as [number, number, number],
    quat_wxyz: randomQuaternion(random),
  }));
  return { times, poses };
}

/** Returns a cubic trajectory within ±reach. */
export function randomTrajectory(random: Random, reach: number): Trajectory {
  let time = random.below(2) === 0 ? 0 : 0.2;
  const points = Array.from({ length: 2 + random.below(2) }, (_, i) => {
    if (i > 0) time += random.between(0.2, 1);
    return {
      time_from_start: time,
      positions: jointNames.map(() => random.between(-reach, reach)),
      velocities: jointNames.map(() => (i === 0 ? 0 : random.between(-1, 1))),
    };
  });
  points[points.length - 1].velocities.fill(0);
  return { jointNames, points, interpolation: 'cubic' };
}

/** Returns moving boxes and another arm. */
export function randomScene(random: Random): OracleScene {
  const sizes = () => [random.between(0.01, 0.3), random.between(0.01, 0.4), random.below(3) === 0 ? 0.002 : 0.3];
  const others = Array.from({ length: random.below(2) }, (_, i) => {
    const yaw = random.between(-3, 3);
    const base: [number, number, number] = [
      random.between(-1.4, 1.4),
      random.between(0.6, 1.4),
      random.between(-0.5, 0.5),
    ];
    const pose = { xyz: base, quat_wxyz: [Math.cos(yaw / 2), 0, 0, Math.sin(yaw / 2)] as const };
    const motion = random.below(4) === 0 ? { q: [0.3, -0.2, 1] } : { trajectory: randomTrajectory(random, 2) };
    return {
      name: `other${i}`,
      description,
      robot: { ...sceneOf({ boxes: [], others: [] }).robot, pose },
      startTime: random.between(-0.5, 1),
      ...motion,
      base,
      yaw,
    };
  });
  const boxes = Array.from({ length: 1 + random.below(2) }, (_, i) => box(`box${i}`, sizes(), randomMotion(random)));
  return { boxes, others };
}
