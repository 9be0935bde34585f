import { createRobotModel } from '../../../core/kinematics/createRobotModel.ts';
import { AllowedPairs } from '../../../core/scene/allowedCollisions.ts';
import { addUnchecked, countUnchecked } from '../../../core/scene/uncheckedPairs.ts';
import { InputError } from '../../../errors.ts';
import { examineRobot } from '../../../tasks/robots/examineRobot.ts';
import { findAllowedPairs } from '../../../tasks/robots/findAllowedPairs.ts';
import type { RobotSources } from '../../node/robotSources.ts';
import { ExitCode } from '../exitCode.ts';
import type { Io } from '../io.ts';
import { findingsText } from './findingsText.ts';
import { pairMatrix } from './pairMatrix.ts';
import { srdfOf, warningsOfRest } from './sampledSrdf.ts';

/** Options of `robot` that sample states. */
export interface Sampling {
  readonly samples: number;
  readonly seed: number;
}

/**
 * Runs `robot --doctor`: returns paragraphs about the findings or a JSON array of them, and exit code 1 if any is a
 * problem; advice is none.
 */
export async function doctor(
  io: Io,
  sources: RobotSources,
  given: Sampling & { readonly json: boolean },
): Promise<{ readonly answer: string; readonly code: ExitCode }> {
  io.progress(`examining ${sources.robot.name} …`);
  const findings = await examineRobot(sources, { samples: given.samples, seed: given.seed });
  const problems = findings.filter(({ kind }) => kind === 'problem').length;
  const answer = given.json ? `${JSON.stringify(findings)}\n` : findingsText(sources.robot.name, findings);
  const list = new AllowedPairs();
  const model = createRobotModel(sources.robot);
  addUnchecked(list, model, { obstacles: [], attached: [], allow: [] });
  const { pairs, reasons } = countUnchecked(list, model);
  const counts = Object.entries(reasons).map(([reason, count]) => `${reason} ${count}`);
  if (pairs > 0) io.say(`${pairs} pairs of links are not checked: ${counts.join(', ')}`);
  return { answer, code: problems > 0 ? ExitCode.No : ExitCode.Ok };
}

/** Runs `robot --make-srdf` and `--matrix`: finds the allowed collision matrix by sampling and writes it. */
export async function makeSrdf(
  io: Io,
  sources: RobotSources,
  given: Sampling & { readonly makeSrdf: boolean; readonly matrix: boolean; readonly output: string | undefined },
): Promise<ExitCode> {
  const { makeSrdf, matrix, output } = given;
  if (makeSrdf && matrix && output === undefined) {
    throw new InputError('--make-srdf and --matrix both write to stdout', 'Give the SRDF a file: -o FILE.');
  }
  const sampling = { samples: given.samples, seed: given.seed };
  const found = io.compute('sampling states', () => findAllowedPairs(sources.robot, sampling));
  if (makeSrdf) {
    io.warn(warningsOfRest(found));
    await io.put(output, await srdfOf(sources, found));
  }
  if (matrix) await io.put(makeSrdf ? undefined : output, pairMatrix(found));
  return ExitCode.Ok;
}
