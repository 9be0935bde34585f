import { balancedWeights, RobotJointSpace } from '../../core/collision/validators/robotJointSpace.ts';
import type { RobotModel } from '../../core/kinematics/robotModel.ts';
import { derived } from '../../core/math/derived.ts';
import { InputError, suggestion } from '../../errors.ts';
import type { StartAndGoals } from './startAndGoals.ts';

/**
 * Creates the joint space for planning: continuous joints wrap; joints are weighted by `balancedWeights`, overridden by
 * `weights`. Throws `InputError` for unknown joints and weights that are not above 0.
 */
export function planningSpace(robot: RobotModel, weights: Readonly<Record<string, number>> = {}): RobotJointSpace {
  for (const [name, weight] of Object.entries(weights)) {
    const names = robot.variables.map((joint) => joint.name);
    if (!names.includes(name))
      throw new InputError(`a weight is given for "${name}", which is not a planned joint`, suggestion(name, names));
    if (!(weight > 0 && weight < Number.POSITIVE_INFINITY))
      throw new InputError(`the weight of ${name} is ${weight}`, 'Give a number above 0.');
  }
  return new RobotJointSpace(robot, { weights: { ...defaultWeights(robot), ...weights }, wraps: true });
}

/** The balanced weights of a robot, which need the reach of all its links. */
const defaultWeights = derived(balancedWeights);

/** Returns start and goals wrapped into the range of the space, the nearest goal first. */
export function wrapStartAndGoals(space: RobotJointSpace, { start, goals }: StartAndGoals): StartAndGoals {
  const wrappedStart = space.wrap(start);
  const candidates = goals.map((goal) => ({
    goal: space.wrap(goal),
    distance: space.distance(wrappedStart, space.wrap(goal)),
  }));
  return { start: wrappedStart, goals: candidates.sort((a, b) => a.distance - b.distance).map(({ goal }) => goal) };
}
