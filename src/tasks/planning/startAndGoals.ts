import type { CollisionManager } from '../../collision/collisionManager.ts';
import { jointsOutOfLimits } from '../../collision/robotJointSpace.ts';
import { InputError } from '../../errors.ts';
import { withFullTurns } from '../../kinematics/fullTurns.ts';
import type { RobotModel } from '../../kinematics/robotModel.ts';
import type { Configuration } from '../../math/configuration.ts';
import type { PoseGoal, Scene } from '../../scene/scene.ts';
import { configurationOf } from '../sceneRobot.ts';
import { type EndFault, endFault } from './endpointDiagnosis.ts';
import { configurationsOfPose } from './poseGoal.ts';
import { nearestFirst } from './solveIk.ts';

/** Where the motion begins and where it may end: one start, one or more goals, all of them valid. */
export interface OpenEnds {
  readonly start: Configuration;
  readonly goals: readonly Configuration[];
}

/** Ends to plan between, or what is wrong with them. */
export type Ends = OpenEnds | EndFault;

/** Of the configurations that full turns give, only the nearest to the start are planned for: so many in all, and of each goal at least. */
const MOST_IN_ALL = 32;
const LEAST_OF_A_GOAL = 8;

/** Reads start and goals of the scene and checks them. Throws InputError where they are missing or cannot be read. */
export function problemEnds(robot: RobotModel, scene: Scene, manager: CollisionManager): Ends {
  if (scene.start === undefined)
    throw new InputError(`${scene.name}: start is missing`, 'Add "start" to the scene, or give --start.');
  if (scene.goals.length === 0)
    throw new InputError(`${scene.name}: goal is missing`, 'Add "goal" to the scene, or give --goal.');
  const start = configurationOf(robot, scene.start, `${scene.name}: start`);
  const goals = scene.goals.map((goal, i) => {
    const place = `${scene.name}: ${scene.goals.length === 1 ? 'goal' : `goals[${i}]`}`;
    return goal.kind === 'joints' ? configurationOf(robot, goal.joints, place) : goal.pose;
  });
  const fault = endFault(robot, manager, start, 'start');
  if (fault) return fault;

  const most = Math.max(LEAST_OF_A_GOAL, Math.floor(MOST_IN_ALL / goals.length));
  const faults: EndFault[] = [];
  const free: Configuration[] = [];
  for (const goal of goals) {
    const found = isPose(goal)
      ? configurationsOfPose(robot, manager, start, goal, most)
      : configurationsOfJoints(robot, manager, start, goal, scene.equivalent ? most : 1);
    if ('status' in found) faults.push(found);
    else free.push(...found);
  }
  return free.length > 0 ? { start, goals: nearestFirst(free, start, (q) => q) } : noneOf(faults);
}

/** What is wrong with each of several goals; the first one gives the status. */
function noneOf(faults: readonly EndFault[]): EndFault {
  if (faults.length === 1) return faults[0];
  return {
    status: faults[0].status,
    reason: faults.map((fault, i) => `goals[${i}]: ${fault.reason}`).join('; '),
    details: faults.flatMap((fault, goal) => fault.details.map((detail) => ({ ...detail, goal }))),
  };
}

/** The goal, and where more than one is wanted also those equal to it but for full turns, the nearest to the start first. */
function configurationsOfJoints(
  robot: RobotModel,
  manager: CollisionManager,
  start: Configuration,
  goal: Configuration,
  most: number,
): readonly Configuration[] | EndFault {
  const stands = most > 1 ? withFullTurns(robot, goal, start, { most, perEndless: 1 }) : [goal];
  const within = stands.filter((q) => jointsOutOfLimits(robot, q).length === 0);
  // A full turn changes no pose, so one look at collisions serves all of them.
  return endFault(robot, manager, within[0] ?? goal, 'goal') ?? within;
}

const isPose = (goal: Configuration | PoseGoal): goal is PoseGoal => 'link' in goal;
