import type { RobotModel } from '../../../core/kinematics/robotModel.ts';
import type { MoveStep } from '../../../core/scene/program.ts';
import { durationOf, type Trajectory } from '../../../core/trajectory/trajectory.ts';
import { earlierScene } from '../../../core/world/shiftedScene.ts';
import type { PlanHooks, PlanOptions } from '../../planning/planOptions.ts';
import type { PhaseWatch } from '../../planning/planStats.ts';
import { Stopwatch, TimeLimit } from '../../planning/stopwatch.ts';
import { joinedLegs, SpaceTimePlanner } from '../../spaceTime/spaceTimePlanner.ts';
import { World } from '../../world.ts';
import { moveScene } from '../moveScene.ts';
import type { MotionPiece } from './programPieces.ts';
import type { MoveSearch } from './programSchedule.ts';
import type { TimeWindow } from './waitWindows.ts';

/** Default limit of iterations of one search. */
const ITERATIONS = 600;
/** Fraction of the remaining time that one search may take. */
const SHARE = 0.25;

/**
 * Creates the search for free motions of a program among moving objects: in joints and time, between the ends of the
 * motion that was planned without them.
 */
export function createMoveSearch(
  robot: RobotModel,
  options: PlanOptions,
  hooks: PlanHooks,
  limit: TimeLimit,
): MoveSearch {
  const known = new Map<string, ReturnType<MoveSearch>>();
  return (piece, departure, arrival) => {
    const ends = [piece.q, piece.trajectory.points.at(-1)!.positions].map((q) => Array.from(q));
    const key = JSON.stringify([piece.step.index, ends, departure, arrival.from, arrival.to]);
    if (!known.has(key)) {
      const own = new TimeLimit(hooks.clock, SHARE * limit.remaining);
      known.set(key, searched(robot, piece, departure, arrival, options, hooks, own));
      limit.hasEnded ||= own.hasEnded; // another run may find another motion
    }
    return known.get(key);
  };
}

function searched(
  robot: RobotModel,
  { step, world, q, trajectory }: MotionPiece,
  departure: number,
  arrival: TimeWindow,
  options: PlanOptions,
  hooks: PlanHooks,
  limit: TimeLimit,
): ReturnType<MoveSearch> {
  const goal = trajectory.points[trajectory.points.length - 1].positions;
  const scene = moveScene(step as MoveStep, earlierScene(world.scene, departure), q, goal);
  const moving = new World(robot, scene, { checker: options.checker, wrapChecker: hooks.wrapChecker });
  const watch: PhaseWatch = new Stopwatch(hooks.clock);
  const planner = new SpaceTimePlanner({ world: moving, options, hooks, watch, limit });
  const goals = [{ q: Float64Array.from(goal), from: Math.max(0, arrival.from - departure) }];
  const problem = planner.problemOf(q, goals);
  const horizon = arrival.to === Number.POSITIVE_INFINITY ? undefined : arrival.to - departure;
  const first = planner.search(problem, 0, Math.min(options.iterations ?? ITERATIONS, ITERATIONS), horizon);
  if (first === undefined) return undefined;
  limit.keepReserve();
  const visits = options.shortcut ? planner.improved(problem, first) : first;
  for (const legs of planner.timed(problem, visits)) {
    const found: Trajectory = { ...joinedLegs(legs, planner.timing.jointNames), interpolation: 'cubic' };
    if (planner.edges.isTrajectoryValid(found)) return { trajectory: found, duration: durationOf(found)! };
  }
  return undefined;
}
