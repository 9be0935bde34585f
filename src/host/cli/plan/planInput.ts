import { baseMessages } from '../../../core/kinematics/composition/robotBase.ts';
import { groupMessages } from '../../../core/kinematics/planningGroups.ts';
import type { RobotModel } from '../../../core/kinematics/robotModel.ts';
import type { CheckerName } from '../../../core/narrowphase/index.ts';
import { hasMoving, kindOf } from '../../../core/scene/movingScene.ts';
import type { Scene } from '../../../core/scene/scene.ts';
import { unacceptedWarnings } from '../../../core/scene/warningCodes.ts';
import { InputError } from '../../../errors.ts';
import type { ClampedStart } from '../../../tasks/planning/startTolerance.ts';
import { partialGoalNotes } from '../../../tasks/programs/completeGoals.ts';
import { limitWarnings, type Problem } from '../../../tasks/sceneRobot.ts';
import type { Io } from '../io.ts';
import { flagName } from '../parse.ts';
import type { PreparedProblem } from './planProblems.ts';

/** Values of the options of `plan`. */
type Given = Readonly<Record<string, unknown>>;

const NO_CLAMPING = { clampStart: (_: RobotModel, scene: Scene): ClampedStart => ({ scene }) };

/** Clamps the starts to the limits within `--start-tolerance`; the module is loaded on use. */
export async function clamped(
  problems: readonly PreparedProblem[],
  { startTolerance, checker }: { readonly startTolerance: number; readonly checker: CheckerName },
) {
  const { clampStart } = startTolerance > 0 ? await import('../../../tasks/planning/startTolerance.ts') : NO_CLAMPING;
  return problems.map((problem) => {
    const { scene, note } = clampStart(problem.model, problem.scene, startTolerance, checker);
    return {
      ...problem,
      scene,
      notes: [...(note === undefined ? [] : [note]), ...partialGoalNotes(problem.model, scene)],
    };
  });
}

/** Throws `InputError` for options that planners of the user, or some of the scenes, do not support. */
export function refuseUnsupported(given: Given, plannerFile: string | undefined, problems: readonly Problem[]): void {
  if (plannerFile !== undefined)
    refuse(given, ['explain', 'roadmap', 'library'], `not for planners of your own (${plannerFile})`);
  if (given.format === 'ros-goal') refuse(given, ['noTiming'], 'the points of a goal have times');
  if (given.model !== 'hulls')
    refuse(given, ['infeasible'], `--model ${given.model} encloses the links, so that its collisions prove nothing`);
  if (problems.some(({ scene }) => kindOf(scene) === 'program'))
    refuse(given, ['optimize', 'roadmap', 'library', 'infeasible'], 'for a single motion, not for a program');
  if (problems.some(({ scene }) => hasMoving(scene)))
    refuse(
      given,
      ['optimize', 'roadmap', 'library', 'explain', 'jobs', 'infeasible'],
      'not for scenes with moving obstacles or other robots',
    );
}

/** Writes the warnings and notes about a problem to stderr; returns the warnings. */
export function warn(
  io: Io,
  { warnings, model, robot, scene, notes }: PreparedProblem & { readonly notes: readonly string[] },
): string[] {
  const ofJoints = [...groupMessages(robot, scene.robot), ...baseMessages(robot.name, scene.robot)];
  const own = [...warnings, ...unacceptedWarnings(ofJoints, scene), ...limitWarnings(model, scene)];
  io.warn(own);
  for (const note of notes) io.say(note);
  return own;
}

/** Throws `InputError` for options that are given and not supported, for the reason `why`. */
function refuse(given: Given, names: readonly string[], why: string): void {
  const found = names.find((name) => given[name] !== undefined && given[name] !== false);
  if (found !== undefined) throw new InputError(`${flagName(found)}: ${why}`, `Leave ${flagName(found)} out.`);
}
