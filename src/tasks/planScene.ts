import { hasMoving } from '../core/scene/movingScene.ts';
import { type PlanMotionResult, planMotion } from './planning/planMotion.ts';
import type { PlanHooks, PlanOptions } from './planning/planOptions.ts';
import { planProgram } from './programs/planProgram.ts';
import type { Problem } from './sceneRobot.ts';
import { planAmongMoving } from './spaceTime/planAmongMoving.ts';

/**
 * Plans the motion of a scene: its program if it has steps, else a motion from its start to one of its goals. Throws as
 * `planMotion` and `planProgram`.
 */
export function planScene(
  problem: Problem,
  options: Partial<PlanOptions> = {},
  hooks: PlanHooks = {},
): PlanMotionResult {
  if (problem.scene.steps !== undefined) return planProgram(problem, options, hooks);
  return hasMoving(problem.scene) ? planAmongMoving(problem, options, hooks) : planMotion(problem, options, hooks);
}
