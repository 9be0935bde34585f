import { requireLibraryScene } from '../planning/motionLibrary/libraryFile.ts';
import { type PlanHooks, type PlanOptions, planDefaults } from '../planning/planOptions.ts';
import type { PlanMotionResult } from '../planning/planStats.ts';
import { createSceneRobot, type Problem } from '../sceneRobot.ts';
import { ProgramPlanning } from './programPlanning.ts';

/**
 * Plans a trajectory that executes the steps of a scene in order: free motions, straight lines and arcs, with objects
 * attached and detached. The inverse-kinematics solutions and alternatives of all steps are selected together. The
 * result is checked as `checkProgram` does. Throws `InputError` for missing or unknown input; failures to plan are
 * results.
 */
export function planProgram(
  problem: Problem,
  given: Partial<PlanOptions> = {},
  hooks: PlanHooks = {},
): PlanMotionResult {
  if (given.library) requireLibraryScene(problem.scene);
  return new ProgramPlanning(createSceneRobot(problem), problem, { ...planDefaults, ...given }, hooks).solve();
}
