import { type RobotModel, unitOf } from '../kinematics/robotModel.ts';
import type { StartState } from '../trajectory/leadIn/leadIn.ts';
import { configurationOf } from './configurationOf.ts';
import type { Scene } from './scene.ts';

/**
 * Returns where a scene states that its robot is at time 0; undefined if it does not. Throws `InputError` if the start
 * is not one of the robot.
 */
export function startStateOf(robot: RobotModel, { start }: Pick<Scene, 'start'>): StartState | undefined {
  if (start === undefined) return undefined;
  const isContinuous = robot.variables.map(({ type }) => type === 'continuous');
  return { q: configurationOf(robot, start, 'start'), isContinuous, units: robot.variables.map(unitOf) };
}

/** Returns a scene whose robot is at the first point of every motion: nothing is known of where it is before. */
export function withoutStart<S extends Pick<Scene, 'start'>>({ start: _, ...scene }: S): Omit<S, 'start'> {
  return scene;
}

/** Returns the warning that the motion to the first point cannot be judged; none if the scene has a start. */
export const startWarnings = ({ name, start }: Pick<Scene, 'name' | 'start'>): string[] =>
  start === undefined
    ? [`scene ${JSON.stringify(name)} has no start: the motion of the robot to the first point is not judged`]
    : [];
