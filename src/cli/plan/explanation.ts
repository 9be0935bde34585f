import type { FailureExplanation } from '../../tasks/planning/explainFailure.ts';
import type { PlanAnswer, PlanOptions } from '../../tasks/planning/planMotion.ts';
import type { Problem } from '../../tasks/sceneRobot.ts';
import type { Io } from '../io.ts';

/** What `plan --explain` adds to an answer that is no motion: told on stderr, and returned for the line of stats. */
export async function explain(
  io: Io,
  problem: Problem,
  answer: PlanAnswer,
  settings: PlanOptions,
): Promise<FailureExplanation> {
  const { describeExplanation, explainFailure } = await import('../../tasks/planning/explainFailure.ts');
  const { name } = problem.scene;
  const tell = (what: string) => io.progress(`${name}: ${what}`);
  const options = { ...settings, seed: answer.stats.seed };
  const explanation = io.compute(() => explainFailure(problem, answer, options, { clock: io.clock, tell }));
  for (const line of describeExplanation(explanation)) io.say(`  ${line}`);
  return explanation;
}
