import type { CollisionManager } from '../collision/collisionManager.ts';
import { jointsOutOfLimits } from '../collision/robotJointSpace.ts';
import { InputError } from '../errors.ts';
import type { RobotModel } from '../kinematics/robotModel.ts';
import type { Configuration } from '../math/configuration.ts';
import { PI } from '../math/trigonometry.ts';
import type { Scene } from '../scene/scene.ts';
import { configurationOf } from './sceneRobot.ts';

/** Why planning cannot even begin. */
export type EndStatus = 'start-in-collision' | 'goal-in-collision' | 'start-out-of-limits' | 'goal-out-of-limits';

/** What is wrong with an end, in a word for programs and in a line for people. */
export interface EndFault {
  readonly status: EndStatus;
  readonly reason: string;
}

/** Where the motion begins and where it may end: one start, one or more goals, all of them valid; or what is wrong. */
export type Ends = { readonly start: Configuration; readonly goals: readonly Configuration[] } | EndFault;

/** Of a goal's stand-ins by full turns, only the nearest to the start are planned for. */
const MOST_EQUIVALENTS = 32;

/** Reads start and goals of the scene and checks them. Throws InputError where they are missing or cannot be read. */
export function problemEnds(robot: RobotModel, scene: Scene, manager: CollisionManager): Ends {
  if (scene.start === undefined)
    throw new InputError(`${scene.name}: start is missing`, 'Add "start" to the scene, or give --start.');
  if (scene.goals.length === 0)
    throw new InputError(`${scene.name}: goal is missing`, 'Add "goal" to the scene, or give --goal.');
  const start = configurationOf(robot, scene.start, `${scene.name}: start`);
  const goals = scene.goals.map((goal, i) => {
    const place = `${scene.name}: ${scene.goals.length === 1 ? 'goal' : `goals[${i}]`}`;
    if (goal.kind === 'joints') return configurationOf(robot, goal.joints, place);
    throw new InputError(
      `${place} is a pose of "${goal.pose.link}"`,
      'Give the goal as joint values: poses cannot be solved for yet.',
    );
  });
  const fault = endFault(robot, manager, start, 'start');
  if (fault) return fault;

  const faults: EndFault[] = [];
  const free: Configuration[] = [];
  for (const goal of goals) {
    // A full turn changes no pose, so one look at collisions serves all stand-ins of a goal.
    const within = (scene.equivalent ? equivalents(robot, start, goal) : [goal]).filter(
      (q) => jointsOutOfLimits(robot, q).length === 0,
    );
    const wrong = endFault(robot, manager, within[0] ?? goal, 'goal');
    if (wrong) faults.push(wrong);
    else free.push(...within);
  }
  return free.length > 0 ? { start, goals: free } : faults[0];
}

function endFault(
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
  const how =
    depth > 0
      ? `in collision: ${pair.join(' and ')} overlap by ${millimetres(depth)}`
      : `too near: ${pair.join(' and ')} are nearer than the padding`;
  return { status: `${end}-in-collision`, reason: `the ${end} is ${how}` };
}

const millimetres = (metres: number) => `${Number((1000 * metres).toPrecision(3))} mm`;

/** The goal, and the same angles plus or minus full turns within limits, the nearest to the start first. */
function equivalents(robot: RobotModel, start: Configuration, goal: Configuration): Configuration[] {
  let found: number[][] = [[]];
  for (const [i, joint] of robot.variables.entries()) {
    const values =
      joint.type === 'prismatic' ? [goal[i]] : turnsOf(goal[i], start[i], joint.limits.lower, joint.limits.upper);
    found = found.flatMap((head) => values.map((value) => [...head, value]));
  }
  const away = (q: readonly number[]) => q.reduce((sum, value, i) => sum + (value - start[i]) * (value - start[i]), 0);
  return found
    .sort((a, b) => away(a) - away(b))
    .slice(0, MOST_EQUIVALENTS)
    .map((q) => Float64Array.from(q));
}

/** The two values nearest to `near` that are whole turns away from `angle` and within limits; the angle itself where there is none. */
function turnsOf(angle: number, near: number, lower: number, upper: number): number[] {
  const turn = 2 * PI;
  const middle = Math.floor((near - angle) / turn);
  const values = [0, 1, -1, 2, -2, 3].map((k) => (middle + k === 0 ? angle : angle + (middle + k) * turn));
  const within = values.filter((value) => value >= lower && value <= upper);
  within.sort((a, b) => Math.abs(a - near) - Math.abs(b - near));
  return within.length > 0 ? within.slice(0, 2) : [angle];
}
