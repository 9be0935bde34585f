import { jointQuery } from '../../core/scene/jointQuery.ts';
import { kindOf } from '../../core/scene/movingScene.ts';
import { accelerationAt } from '../../core/trajectory/polynomial.ts';
import { inJointOrder, laterPoints, type Trajectory } from '../../core/trajectory/trajectory.ts';
import { TrajectoryCurve } from '../../core/trajectory/trajectoryCurve.ts';
import { earlierScene } from '../../core/world/shiftedScene.ts';
import { createPlanner, queryOf } from '../createPlanner.ts';
import { type PlanHooks, type PlanOptions, planDefaults } from '../planning/planOptions.ts';
import { TimeLimit } from '../planning/stopwatch.ts';
import { createSceneRobot, motionLimitsOf, type Problem } from '../sceneRobot.ts';
import { planAmongMoving } from '../spaceTime/planAmongMoving.ts';
import { type Braking, brakingMotion } from './braking.ts';
import { WatchedMotion } from './watchedMotion.ts';

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

/**
 * Start times of the new motion that are tried, as fractions of the certified rest: the latest first, since they leave
 * time to send the motion.
 */
const FRACTIONS = [0.8, 0.6, 0.4, 0.2, 0];

/**
 * Plans a motion that leaves another one on its certified rest and ends where that ends. It begins with the position
 * and velocity of the old motion at `from` (and the acceleration of joints with jerk limits), stops the robot along a
 * straight line in joint space, and continues with a planned motion. The whole is proved, and within all limits. Its
 * times begin at 0; where something else moves, they are those of the scene and begin at `from`. Throws `InputError` as
 * `planMotion`.
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
  const timeLimit = options.timeLimit ?? planDefaults.timeLimit;
  const limit = new TimeLimit(hooks.clock, timeLimit);
  const certifiedUntil = (trajectory: Trajectory, start: number) => {
    const motion = new WatchedMotion(robot, trajectory);
    motion.advance(start);
    const { until: end, faults } = motion.certify(scene, undefined, limit.isOver);
    return faults ? Number.NEGATIVE_INFINITY : (end ?? Number.POSITIVE_INFINITY);
  };
  const isMoving = kindOf(scene) === 'moving';
  const planner = isMoving ? undefined : createPlanner({ ...problem, model: robot });
  const goal = new Float64Array(robot.dof);
  curve.position(goal, curve.end);
  let reason = 'the robot cannot stop on the certified rest of the motion';
  const latest = Math.max(now, isMoving ? until : Math.min(until, curve.end)); // at rest after its end
  for (const fraction of FRACTIONS) {
    const from = now + fraction * (latest - now);
    const start = isMoving ? from : 0;
    const braking = brakingAt(curve, from, motionLimitsOf(robot, scene));
    const stop = start + braking.duration;
    if (braking.duration > 0 && !(certifiedUntil(motionOf(names, laterPoints(braking.points, start)), start) >= stop))
      continue;
    const rest = jointQuery(isMoving ? earlierScene(scene, stop) : scene, braking.end, goal);
    const left = Math.min(limit.remaining, timeLimit);
    const within = { ...options, timeLimit: left };
    const planned = planner
      ? planner.plan({ ...queryOf(rest), ...within }, hooks)
      : planAmongMoving({ ...problem, scene: rest, model: robot }, within, hooks);
    if (!planned.trajectory) {
      ({ reason } = planned);
      if (limit.isOver()) break;
      continue;
    }
    const trajectory = joined(braking, planned.trajectory, start);
    if (certifiedUntil(trajectory, start) === Number.POSITIVE_INFINITY) return { trajectory, from };
    reason = 'the new motion is not proved';
  }
  return { reason };
}

function brakingAt(curve: TrajectoryCurve, from: number, limits: Parameters<typeof brakingMotion>[2]): Braking {
  const [q, v, a] = [0, 1, 2].map(() => new Float64Array(curve.dof));
  curve.position(q, from);
  if (from >= curve.start && from < curve.end) curve.velocity(v, from);
  if (from > curve.start && from < curve.end) accelerationOf(a, curve, from);
  return brakingMotion(q, v, limits, a);
}

/** Writes the acceleration at a time; at a point of the trajectory, that after it. */
function accelerationOf(out: Float64Array, curve: TrajectoryCurve, time: number): void {
  const piece = curve.pieceAt(time);
  const u = curve.timeInPiece(piece, time);
  for (let j = 0; j < out.length; j++) out[j] = accelerationAt(curve.polynomials, curve.polynomialIndex(piece, j), u);
}

const motionOf = (jointNames: readonly string[], points: Trajectory['points']): Trajectory => ({
  jointNames,
  points,
  interpolation: 'cubic',
});

/** Joins the stop, which begins at `start`, and the planned motion, which begins at rest where the stop ends. */
function joined({ points, duration }: Braking, planned: Trajectory, start: number): Trajectory {
  const stop = duration > 0 ? laterPoints(points.slice(0, -1), start) : [];
  return { ...planned, points: [...stop, ...laterPoints(planned.points, start + duration)] };
}
