import { kindOf, type SceneKind } from '../core/scene/movingScene.ts';
import { type PlanMotionResult, planMotion } from './planning/planMotion.ts';
import type { PlanHooks, PlanOptions } from './planning/planOptions.ts';
import { planProgram } from './programs/planProgram.ts';
import type { Problem } from './sceneRobot.ts';
import { planAmongMoving } from './spaceTime/planAmongMoving.ts';

const plans: Readonly<Record<SceneKind, typeof planMotion>> = {
  still: planMotion,
  moving: planAmongMoving,
  program: planProgram,
};

/**
 * Plans the motion of a scene: its program if it has steps, else a motion from its start to one of its goals. Throws as
 * `planMotion` and `planProgram`.
 */
export const planScene = (
  problem: Problem,
  options: Partial<PlanOptions> = {},
  hooks: PlanHooks = {},
): PlanMotionResult => plans[kindOf(problem.scene)](problem, options, hooks);
