import type { CollisionManager } from '../collision/collisionManager.ts';
import { jointsOutOfLimits } from '../collision/robotJointSpace.ts';
import type { RobotModel } from '../kinematics/robotModel.ts';
import type { Configuration } from '../math/configuration.ts';
import { nearestFreeState } from './nearestFree.ts';
import { millimetres } from './solveIk.ts';

/** Why planning cannot even begin. */
export type EndStatus =
  | 'start-in-collision'
  | 'goal-in-collision'
  | 'start-out-of-limits'
  | 'goal-out-of-limits'
  | 'goal-unreachable';

/** What is wrong with an end, in a word for programs and in a line for people. */
export interface EndFault {
  readonly status: EndStatus;
  readonly reason: string;
}

/** What is wrong with a configuration that a motion shall start or end at; undefined where nothing is. */
export function endFault(
  robot: RobotModel,
  manager: CollisionManager,
  q: Configuration,
  end: 'start' | 'goal',
): EndFault | undefined {
  const out = jointsOutOfLimits(robot, q);
  if (out.length > 0) {
    const told = robot.variables.flatMap(({ name, limits: { lower, upper } }, i) =>
      out.includes(name) ? [`${name} is ${q[i]}, its limits are ${lower} to ${upper}`] : [],
    );
    return { status: `${end}-out-of-limits`, reason: `the ${end} is out of limits: ${told.join('; ')}` };
  }
  const pair = manager.firstCollision(q);
  if (!pair) return undefined;
  const depth = manager.depth(q, pair);
  const how = depth > 0 ? `in collision: ${overlap(pair, depth)}` : `too near: ${tooNear(pair)}`;
  return { status: `${end}-in-collision`, reason: `the ${end} is ${how}; ${wayOut(robot, manager, q)}` };
}

export const overlap = (pair: readonly string[], depth: number) =>
  `${pair.join(' and ')} overlap by ${millimetres(depth)}`;

export const tooNear = (pair: readonly string[]) => `${pair.join(' and ')} are nearer than the padding`;

/** `the nearest free state found is 0.031 rad away: 0.1, -1.2, …` */
function wayOut(robot: RobotModel, manager: CollisionManager, q: Configuration): string {
  const nearby = nearestFreeState(robot, manager, q);
  if (nearby === undefined) return 'no free state was found near it';
  const slides = robot.variables.some((joint) => joint.type === 'prismatic');
  const distance = `${Number(nearby.distance.toPrecision(3))}${slides ? '' : ' rad'}`;
  return `the nearest free state found is ${distance} away: ${Array.from(nearby.q).join(', ')}`;
}
