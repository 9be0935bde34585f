import { kindOf, type SceneKind } from '../core/scene/movingScene.ts';
import type { PlanHooks, PlanOptions } from './planning/planOptions.ts';
import type { PlanMotionResult } from './planning/planStats.ts';
import type { Problem } from './sceneRobot.ts';

/** A function that plans as `planScene` does. */
export type PlanFunction = (problem: Problem, options: Partial<PlanOptions>, hooks: PlanHooks) => PlanMotionResult;

const plans: Readonly<Record<SceneKind, () => Promise<PlanFunction>>> = {
  still: async () => (await import('./planning/planMotion.ts')).planMotion,
  moving: async () => (await import('./spaceTime/planAmongMoving.ts')).planAmongMoving,
  program: async () => (await import('./programs/planProgram.ts')).planProgram,
};

/** Returns the function that plans a scene; its modules are loaded on use: a motion needs none of those of programs. */
export const planFunctionOf = ({ scene }: Problem): Promise<PlanFunction> => plans[kindOf(scene)]();
