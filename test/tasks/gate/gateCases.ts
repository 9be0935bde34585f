import type { Obstacle, Scene } from '../../../src/core/scene/scene.ts';
import { Gate, type GateOptions } from '../../../src/tasks/gate/gate.ts';
import { description, jointNames, sceneOf } from '../../core/world/randomScenes.ts';

/** Scenes, gates and proposals of the tests. */

export const box = (name: string, xyz: readonly [number, number, number], more: Partial<Obstacle> = {}): Obstacle => ({
  name,
  pose: { xyz, quat_wxyz: [1, 0, 0, 0] },
  parts: [{ shape: { type: 'box', size: [0.1, 0.1, 0.6] } }],
  ...more,
});

export function sceneWith(
  obstacles: readonly Obstacle[],
  more: Partial<Scene> = {},
  jerk = Number.POSITIVE_INFINITY,
): Scene {
  const empty = sceneOf({ boxes: [], others: [] });
  const limits = { velocity: 2, acceleration: 8, ...(jerk < Number.POSITIVE_INFINITY && { jerk }) };
  return {
    ...empty,
    robot: { ...empty.robot, limits: Object.fromEntries(jointNames.map((name) => [name, limits])) },
    obstacles,
    start: [0, 0, 0],
    ...more,
  };
}

export const gateIn = (scene: Scene, options: Partial<GateOptions> = {}) =>
  new Gate({ scene, robot: description }, { keepsExecuted: true, ...options });

/** Turns the first joint at a constant speed, after it has accelerated from rest. */
export const turn = (from: number, speed: number, count = 10) =>
  Array.from({ length: count }, (_, i) => {
    const t = 0.05 * i;
    const ramp = speed / 4; // 4 rad/s²
    const q = t < ramp ? 2 * t * t : 2 * ramp * ramp + speed * (t - ramp);
    return { time: from + t, positions: [q, 0, 0], velocities: [Math.min(4 * t, speed), 0, 0] };
  });
