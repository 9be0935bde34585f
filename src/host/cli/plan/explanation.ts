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
  const onStep = (what: string) => io.progress(`${name}: ${what}`);
  const options = { ...settings, seed: result.stats.seed };
  const hooks = { clock: io.clock, onStep };
  const [explanation, lines] = await (problem.scene.steps === undefined ? ofMotion() : ofProgram());
  for (const line of lines) io.say(`  ${line}`);
  return explanation;

  async function ofMotion() {
    const { describeExplanation, explainFailure } = await import(
      '../../../tasks/planning/explanation/explainFailure.ts'
    );
    const made = io.compute(`${name}: explaining the failure`, () => explainFailure(problem, result, options, hooks));
    return [made, describeExplanation(made)] as const;
  }

  async function ofProgram() {
    const { explainProgram } = await import('../../../tasks/programs/failures/explainProgram.ts');
    const { describeProgramExplanation } = await import(
      '../../../tasks/programs/failures/describeProgramExplanation.ts'
    );
    const made = io.compute(`${name}: explaining the failure`, () => explainProgram(problem, options, hooks));
    return [made, made ? describeProgramExplanation(made) : []] as const;
  }
}
