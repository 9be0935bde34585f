import { jointQuery } from '../../core/scene/jointQuery.ts';
import { type MoveStep, tcpSpeedLimit } from '../../core/scene/program.ts';
import type { Scene } from '../../core/scene/scene.ts';

/**
 * Returns the planning query of a free motion of a program: its scene with the limits of the step, start and goals.
 * @param goals joint values; any of them is reached
 */
export function moveScene(
  step: MoveStep,
  given: Scene,
  start: ArrayLike<number>,
  ...goals: readonly ArrayLike<number>[]
): Scene {
  const world = jointQuery(given, start, ...goals);
  const { speed = 1, acceleration = 1 } = world;
  const tcpSpeed = tcpSpeedLimit(world, step);
  return {
    ...world,
    speed: speed * step.speed,
    acceleration: acceleration * step.acceleration,
    ...(tcpSpeed < Number.POSITIVE_INFINITY && { tcpSpeed }),
    constraints: [...(world.constraints ?? []), ...step.constraints],
  };
}
