import type { FailureExplanation } from '../../tasks/planning/explanation/explainFailure.ts';
import type { PlanMotionResult, PlanOptions } from '../../tasks/planning/planMotion.ts';
import type { Problem } from '../../tasks/sceneRobot.ts';
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
): Promise<FailureExplanation> {
  const { describeExplanation, explainFailure } = await import('../../tasks/planning/explanation/explainFailure.ts');
  const { name } = problem.scene;
  const onStep = (what: string) => io.progress(`${name}: ${what}`);
  const options = { ...settings, seed: result.stats.seed };
  const explanation = io.compute(() => explainFailure(problem, result, options, { clock: io.clock, onStep: onStep }));
  for (const line of describeExplanation(explanation)) io.say(`  ${line}`);
  return explanation;
}
