import { hasMoving, kindOf, type SceneKind } from '../core/scene/movingScene.ts';
import type { Scene } from '../core/scene/scene.ts';
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

/** Returns the options of `plan` that a scene does not support, and the reasons. */
export const unsupportedOptions = (scene: Scene): { readonly options: readonly string[]; readonly why: string }[] => [
  ...(kindOf(scene) === 'program'
    ? [{ options: ['optimize', 'library', 'infeasible'], why: 'for a single motion, not for a program' }]
    : []),
  ...(hasMoving(scene)
    ? [
        {
          options: ['optimize', 'library', 'explain', 'jobs', 'infeasible'],
          why: 'not for scenes with moving obstacles or other robots',
        },
      ]
    : []),
];
