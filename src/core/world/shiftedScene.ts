import type { CheckedScene } from '../scene/scene.ts';

/** Returns a scene in which everything that moves by itself does so earlier by some seconds. */
export function earlierScene<S extends CheckedScene>(scene: S, by: number): S {
  const { obstacles, robots } = scene;
  return {
    ...scene,
    obstacles: obstacles.map((obstacle) =>
      obstacle.motion === undefined
        ? obstacle
        : { ...obstacle, motion: { ...obstacle.motion, times: obstacle.motion.times.map((time) => time - by) } },
    ),
    ...(robots === undefined ? {} : { robots: robots.map((robot) => ({ ...robot, startTime: robot.startTime - by })) }),
  };
}
