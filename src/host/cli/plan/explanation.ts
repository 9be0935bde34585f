import type { FailureExplanation } from '../../../tasks/planning/explanation/explainFailure.ts';
import type { PlanMotionResult, PlanOptions } from '../../../tasks/planning/planMotion.ts';
import type { ProgramExplanation } from '../../../tasks/programs/failures/explainProgram.ts';
import type { Problem } from '../../../tasks/sceneRobot.ts';
import type { Io } from '../io.ts';

/**
 * Computes the explanation of a failed plan (`plan --explain`), writes it to stderr, and returns it for the line of
 * `--stats`.
 */
export async function explain(
  io: Io,
  problem: Problem,
  result: PlanMotionResult,
  settings: PlanOptions,
): Promise<FailureExplanation | ProgramExplanation | undefined> {
  const { name } = problem.scene;
  const { explainPlan } = await import('../../../tasks/explainPlan.ts');
  const hooks = { clock: io.clock, onStep: (what: string) => io.progress(`${name}: ${what}`) };
  const made = io.compute(`${name}: explaining the failure`, () => explainPlan(problem, result, settings, hooks));
  for (const line of made.lines) io.say(`  ${line}`);
  return made.explanation;
}
