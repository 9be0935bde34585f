import { CollisionManager } from '../../collision/collisionManager.ts';
import { CollisionModel } from '../../collision/collisionModel.ts';
import type { Scene } from '../../scene/scene.ts';
import { inJointOrder } from '../../trajectory/jointOrder.ts';
import type { Trajectory } from '../../trajectory/trajectory.ts';
import { TrajectoryCurve } from '../../trajectory/trajectoryCurve.ts';
import { createTrajectoryChecker } from '../checking/checkTrajectory.ts';
import { planMotion } from '../planning/planMotion.ts';
import type { PlanHooks, PlanOptions } from '../planning/planOptions.ts';
import { planDefaults } from '../planning/planOptions.ts';
import { TimeLimit } from '../planning/stopwatch.ts';
import { createSceneRobot, motionLimitsOf, type Problem } from '../sceneRobot.ts';
import { type Braking, brakingMotion } from './braking.ts';
import { isStartVelocity } from './startedMotion.ts';

/** The part of a motion on which a new one may begin, seconds. */
export interface CertifiedRest {
  /** The robot has executed the motion so far. */
  readonly now: number;
  /** The motion is proved until then. */
  readonly until: number;
}

/** A new motion, or why there is none. */
export type Replanned =
  | { readonly trajectory: Trajectory; readonly from: number }
  | { readonly trajectory?: never; readonly reason: string };

/** Where the new motion may begin, as fractions of the certified rest: late ones first, they leave time to send it. */
const FRACTIONS = [0.8, 0.6, 0.4, 0.2, 0];

/**
 * Plans a motion that leaves another one on its certified rest and ends where that ends. It begins with the position
 * and velocity of the old motion at `from`, stops the robot along a straight line in joint space, and continues with
 * a planned motion. The whole is proved, and within all limits. Throws `InputError` as `planMotion`.
 */
export function replanMotion(
  problem: Problem,
  given: Trajectory,
  { now, until }: CertifiedRest,
  options: Partial<PlanOptions> = {},
  hooks: PlanHooks = {},
): Replanned {
  const robot = createSceneRobot(problem);
  const { scene } = problem;
  const names = robot.variables.map(({ name }) => name);
  const curve = new TrajectoryCurve(inJointOrder(given, names));
  const check = createTrajectoryChecker(robot, new CollisionManager(new CollisionModel(robot, scene)));
  const isValid = (trajectory: Trajectory) => {
    const { faults, collision, unresolved, interrupted } = check(trajectory);
    return faults.every(isStartVelocity) && !collision && !unresolved && !interrupted;
  };
  const limit = new TimeLimit(hooks.clock, options.timeLimit ?? planDefaults.timeLimit);
  const goal = new Float64Array(robot.dof);
  curve.position(goal, curve.end);
  let reason = 'the robot cannot stop on the certified rest of the motion';
  for (const fraction of FRACTIONS) {
    const from = now + fraction * (Math.min(until, curve.end) - now);
    const braking = brakingAt(curve, from, motionLimitsOf(robot, scene));
    if (braking.duration > 0 && !isValid(motionOf(names, braking.points))) continue;
    const rest = queryOf(scene, braking.end, Array.from(goal));
    const timeLimit = Math.min(limit.remaining, options.timeLimit ?? planDefaults.timeLimit);
    const planned = planMotion({ ...problem, scene: rest, model: robot }, { ...options, timeLimit }, hooks);
    if (!planned.trajectory) {
      ({ reason } = planned);
      if (limit.isOver()) break;
      continue;
    }
    const trajectory = joined(braking, planned.trajectory);
    if (isValid(trajectory)) return { trajectory, from };
    reason = 'the new motion is not proved';
  }
  return { reason };
}

function brakingAt(curve: TrajectoryCurve, from: number, limits: Parameters<typeof brakingMotion>[2]): Braking {
  const q = new Float64Array(curve.dof);
  const v = new Float64Array(curve.dof);
  curve.position(q, from);
  if (from >= curve.start && from < curve.end) curve.velocity(v, from);
  else v.fill(0);
  return brakingMotion(q, v, limits);
}

/** Returns the scene with a query between two configurations. */
function queryOf({ steps: _, ...scene }: Scene, start: readonly number[], goal: readonly number[]): Scene {
  return { ...scene, start, goals: [{ kind: 'joints', joints: goal }], equivalent: false };
}

const motionOf = (jointNames: readonly string[], points: Trajectory['points']): Trajectory => ({
  jointNames,
  points,
  interpolation: 'cubic',
});

/** Joins the stop and the planned motion, which begins at rest where the stop ends. */
function joined({ points, duration }: Braking, planned: Trajectory): Trajectory {
  const rest = planned.points.map((point) => ({ ...point, time_from_start: duration + point.time_from_start! }));
  const all = duration > 0 ? [...points.slice(0, -1), ...rest] : rest;
  return { ...planned, points: all };
}
