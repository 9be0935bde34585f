import { balancedWeights, RobotJointSpace } from '../../collision/robotJointSpace.ts';
import { InputError, suggestion } from '../../errors.ts';
import type { RobotModel } from '../../kinematics/robotModel.ts';
import type { OpenEnds } from './startAndGoals.ts';

/** The space that a robot is planned in: joints that turn without end wrap, slides count beside angles as `balancedWeights` says, or as given. */
export function planningSpace(robot: RobotModel, weights: Readonly<Record<string, number>> = {}): RobotJointSpace {
  for (const [name, weight] of Object.entries(weights)) {
    const names = robot.variables.map((joint) => joint.name);
    if (!names.includes(name))
      throw new InputError(`a weight is given for "${name}", which is no planned joint`, suggestion(name, names));
    if (!(weight > 0 && weight < Number.POSITIVE_INFINITY))
      throw new InputError(`the weight of ${name} is ${weight}`, 'Give a number above 0.');
  }
  return new RobotJointSpace(robot, { weights: { ...balancedWeights(robot), ...weights }, wraps: true });
}

/** The ends as the space has them, the nearest goal first. */
export function endsWithin(space: RobotJointSpace, { start, goals }: OpenEnds): OpenEnds {
  const from = space.within(start);
  const away = goals.map((goal) => ({ goal: space.within(goal), distance: space.distance(from, space.within(goal)) }));
  return { start: from, goals: away.sort((a, b) => a.distance - b.distance).map(({ goal }) => goal) };
}
