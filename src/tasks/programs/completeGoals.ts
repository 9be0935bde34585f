import type { RobotModel } from '../../core/kinematics/robotModel.ts';
import type { Configuration } from '../../core/math/configuration.ts';
import { configurationOf, goalConfiguration, openJoints } from '../../core/scene/configurationOf.ts';
import { isMotionStep, stepName } from '../../core/scene/program.ts';
import type { Goal, Scene } from '../../core/scene/scene.ts';
import { InputError } from '../../errors.ts';

/**
 * Returns the scene with all joint values of the goals of its steps: joints that a goal does not give keep their values
 * at the start of the step. Throws `InputError` if these are not determined by the start and the joint goals before.
 * @param first where the robot is at the start of a scene that states none; undefined: unknown, and the goals are not
 *   completed
 */
export function completeGoals(robot: RobotModel, scene: Scene, first?: Configuration): Scene {
  const isPartial = ({ steps = [] }: Scene) =>
    steps.some((step) => step.kind === 'move' && step.goals.some((goal) => openOf(robot, goal).length > 0));
  const start = scene.start === undefined ? first : configurationOf(robot, scene.start, `${scene.name}: start`);
  if (start === undefined || !isPartial(scene)) return scene;
  let at: Configuration | undefined = start;
  const steps = scene.steps!.map((step) => {
    if (step.kind !== 'move') {
      if (isMotionStep(step)) at = undefined;
      return step;
    }
    const name = stepName(step);
    const goals = step.goals.map((goal): Goal => {
      const open = openOf(robot, goal);
      if (goal.kind !== 'joints' || open.length === 0) return goal;
      if (at === undefined)
        throw new InputError(
          `${name}: its goal has no value for ${open.join(', ')}, and their values where it begins are not known`,
          'Give all joint values: the motion before ends at a pose or at one of several goals.',
        );
      return { kind: 'joints', joints: Array.from(goalConfiguration(robot, goal.joints, at, name)) };
    });
    const [only] = goals;
    at = goals.length === 1 && only.kind === 'joints' ? configurationOf(robot, only.joints, name) : undefined;
    return { ...step, goals };
  });
  return { ...scene, steps };
}

const openOf = (robot: RobotModel, goal: Goal): string[] =>
  goal.kind === 'joints' ? openJoints(robot, goal.joints) : [];

/** Returns notes about goals that do not give all joints, which keep their values at the start of the motion. */
export function partialGoalNotes(robot: RobotModel, { name, goals, steps = [] }: Scene): string[] {
  const note = (place: string, all: readonly Goal[]) => {
    const open = new Set(all.flatMap((goal) => openOf(robot, goal)));
    return open.size === 0 ? [] : [`${place}: joints without a goal keep their values: ${[...open].join(', ')}`];
  };
  return [
    ...note(`${name}: goal`, goals),
    ...steps.flatMap((step) => (step.kind === 'move' ? note(`${name}: ${stepName(step)}`, step.goals) : [])),
  ];
}
