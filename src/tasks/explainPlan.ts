import { kindOf } from '../core/scene/movingScene.ts';
import {
  describeExplanation,
  type ExplainHooks,
  explainFailure,
  type FailureExplanation,
} from './planning/explanation/explainFailure.ts';
import type { PlanOptions } from './planning/planOptions.ts';
import type { PlanMotionResult } from './planning/planStats.ts';
import { describeProgramExplanation } from './programs/failures/describeProgramExplanation.ts';
import { explainProgram, type ProgramExplanation } from './programs/failures/explainProgram.ts';
import type { Problem } from './sceneRobot.ts';

/** Why a plan failed, and the same in lines. */
export interface PlanExplanation {
  /** Undefined if a program is planned when it is tried again. */
  readonly explanation: FailureExplanation | ProgramExplanation | undefined;
  readonly lines: readonly string[];
}

/** Explains why `planScene` found no motion for a problem and these options, with the seed of the result. */
export function explainPlan(
  problem: Problem,
  result: PlanMotionResult,
  given: Partial<PlanOptions>,
  hooks: ExplainHooks,
): PlanExplanation {
  const options = { ...given, seed: result.stats.seed };
  if (kindOf(problem.scene) !== 'program') {
    const explanation = explainFailure(problem, result, options, hooks);
    return { explanation, lines: describeExplanation(explanation) };
  }
  const explanation = explainProgram(problem, options, hooks);
  return { explanation, lines: explanation ? describeProgramExplanation(explanation) : [] };
}
