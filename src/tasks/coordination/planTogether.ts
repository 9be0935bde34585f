import { compositeRobot } from '../../core/kinematics/composition/compositeRobot.ts';
import type { Scene } from '../../core/scene/scene.ts';
import type { Trajectory } from '../../core/trajectory/trajectory.ts';
import { InputError } from '../../errors.ts';
import {
  type PlanHooks,
  type PlanMotionResult,
  type PlanOptions,
  planDefaults,
  planMotion,
} from '../planning/planMotion.ts';
import type { CoordinatedRobot } from './pairDiagram.ts';

/** Result of `planTogether`. */
export interface JointPlan {
  /** Result of the plan of all robots as one. */
  readonly plan: PlanMotionResult;
  /** If it is solved: the trajectory of each robot; all have the same times. */
  readonly trajectories?: readonly Trajectory[];
}

/**
 * Plans new trajectories of several robots together, in their composite joint space: from the first states of the given
 * ones to the last, collision-free if all are executed at the same time, each within its limits. Unlike schedules, they
 * do not follow the given paths, so that robots can exchange places. They keep an additional margin to obstacles and to
 * each other, if a plan with one is found.
 * @param place prefix of messages
 * @throws InputError for scenes with constraints or `tcp_speed`, which apply to the robot of the scene alone
 */
export function planTogether(
  robots: readonly CoordinatedRobot[],
  scene: Scene,
  options: Partial<PlanOptions> = {},
  hooks: PlanHooks = {},
  place = 'scene',
): JointPlan {
  requireJointPlan(scene, place);
  const model = compositeRobot(robots.map(({ name }) => name).join(' and '), robots);
  const statesAt = (end: 0 | -1) => robots.flatMap(({ trajectory }) => [...trajectory.points.at(end)!.positions]);
  const { name, obstacles, attached, allow, padding, speed, acceleration } = scene;
  const shared: Scene = {
    name,
    robot: { ...scene.robot, fixed: {}, limits: {} },
    obstacles,
    attached,
    allow,
    padding,
    ...(speed !== undefined && { speed }),
    ...(acceleration !== undefined && { acceleration }),
    equivalent: false,
    start: statesAt(0),
    goals: [{ kind: 'joints', joints: statesAt(-1) }],
  };
  const total = options.timeLimit ?? planDefaults.timeLimit;
  const timeLimit = total / MARGINS.length;
  const planWith = (margin: number) =>
    planMotion(
      { scene: { ...shared, padding: padding + margin }, robot: model.description, model },
      { ...options, timeLimit },
      hooks,
    );
  let plan = planWith(MARGINS[0]);
  for (const margin of MARGINS.slice(1)) if (plan.trajectory === undefined) plan = planWith(margin);
  if (plan.trajectory === undefined) {
    const reason = plan.reason.replace(`${timeLimit} s`, () => `${total} s`); // the limit that was given
    return { plan: { ...plan, reason } };
  }
  let first = 0;
  const trajectories = robots.map((robot) => {
    const own = partOf(plan.trajectory!, robot, first);
    first += robot.model.dof;
    return own;
  });
  return { plan, trajectories };
}

/**
 * Margins in addition to the padding, metres, tried in this order until a plan is found. Shortcuts pass objects as
 * closely as allowed; without a margin between robots, only the smallest cells of their diagram would be free.
 */
const MARGINS = [0.01, 0.002, 0] as const;

/** Throws `InputError` if a scene has constraints or a limit of the TCP's speed: they are not supported. */
export function requireJointPlan({ constraints = [], tcpSpeed }: Scene, place: string): void {
  const what = constraints.length > 0 ? 'constraints' : tcpSpeed !== undefined ? 'tcp_speed' : undefined;
  if (what === undefined) return;
  throw new InputError(
    `${place}: it has ${what}, which planning several robots together does not support`,
    `Remove ${what}, or coordinate given trajectories without planning new ones.`,
  );
}

/** Returns the part of one robot in a trajectory of all: its joints begin at index `first`. */
function partOf(whole: Trajectory, { model }: CoordinatedRobot, first: number): Trajectory {
  const pick = (values: readonly number[]) => values.slice(first, first + model.dof);
  return {
    ...whole,
    robot: model.name,
    jointNames: model.variables.map(({ name }) => name),
    points: whole.points.map((point) => ({
      ...point,
      positions: pick(point.positions),
      ...(point.velocities && { velocities: pick(point.velocities) }),
      ...(point.accelerations && { accelerations: pick(point.accelerations) }),
    })),
  };
}
