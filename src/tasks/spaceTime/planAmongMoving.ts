import type { RobotModel } from '../../core/kinematics/robotModel.ts';
import type { Configuration } from '../../core/math/configuration.ts';
import { pathLength } from '../../core/planning/shortcut.ts';
import type { TimedGoal, Visit } from '../../core/planning/spaceTime/spaceTime.ts';
import type { Scene } from '../../core/scene/scene.ts';
import { minimumDuration } from '../../core/trajectory/restToRest.ts';
import type { Trajectory } from '../../core/trajectory/trajectory.ts';
import { certifyTrajectory } from '../checking/certifyTrajectory.ts';
import type { CheckResult } from '../checking/checkResult.ts';
import { createPlanChecker } from '../checking/checkTrajectory.ts';
import { describeFaults } from '../checking/describeFaults.ts';
import { uncheckedPairs } from '../checking/uncheckedCount.ts';
import { type PlanHooks, type PlanOptions, planDefaults } from '../planning/planOptions.ts';
import {
  type PhaseWatch,
  type PlanFigures,
  type PlanMotionResult,
  type PlanMotionStatus,
  PlanResults,
  timesOf,
} from '../planning/planStats.ts';
import { resolveStartAndGoals } from '../planning/startAndGoals.ts';
import { Stopwatch, TimeLimit } from '../planning/stopwatch.ts';
import { createSceneRobot, motionLimitsOf, type Problem } from '../sceneRobot.ts';
import { World } from '../world.ts';
import { refuseOptions } from './refuseOptions.ts';
import { joinedLegs, SpaceTimePlanner, type TimedLeg } from './spaceTimePlanner.ts';

/** Name of the search in trajectories and statistics. */
const PLANNER = 'st-rrt-connect';
/** Default limit of iterations of the first search. */
const ITERATIONS = 5000;
/** Seconds: resolution of the time after which a goal stays valid. */
const GOAL_TIME = 1e-3;

/**
 * Plans a trajectory among moving obstacles and other robots: a search in joints and time for motions and waits, each
 * proved valid, whose arrival is then shortened. After the arrival the goal stays valid forever. Throws `InputError`
 * for options that do not apply.
 */
export function planAmongMoving(
  problem: Problem,
  given: Partial<PlanOptions> = {},
  hooks: PlanHooks = {},
): PlanMotionResult {
  const options = { ...planDefaults, ...given };
  refuseOptions(problem.scene, options);
  const watch: PhaseWatch = new Stopwatch(hooks.clock);
  watch.start('setup');
  return new MovingPlanning(createSceneRobot(problem), problem.scene, options, hooks, watch).solve();
}

/** A motion that is proved, for statistics. */
interface FoundMotion {
  readonly legs: readonly TimedLeg[];
  readonly visits: readonly Visit[];
  readonly checked: CheckResult;
  /** Number of points. */
  readonly points: number;
}

/** One planning query. */
class MovingPlanning {
  private readonly planner: SpaceTimePlanner;
  private readonly limit: TimeLimit;
  private readonly results: PlanResults;

  constructor(
    private readonly robot: RobotModel,
    private readonly scene: Scene,
    private readonly options: PlanOptions,
    hooks: PlanHooks,
    private readonly watch: PhaseWatch,
  ) {
    this.limit = new TimeLimit(hooks.clock, options.timeLimit);
    this.results = new PlanResults({ robot, scene, planner: PLANNER }, options, this.limit);
    const world = new World(robot, scene, { checker: options.checker, wrapChecker: hooks.wrapChecker });
    this.planner = new SpaceTimePlanner({ world, options, hooks, watch, limit: this.limit });
  }

  solve(): PlanMotionResult {
    const { limit, options, planner } = this;
    const { world } = planner;
    this.watch.start('planning');
    const ends = this.startAndGoals();
    if (ends === undefined) return this.failed('no-path', this.timeReason());
    if ('status' in ends) return this.failed(ends.status, ends.reason);
    const goals = ends.goals.flatMap((q) => this.timedGoal(q) ?? []);
    if (goals.length === 0)
      return this.failed('unresolved', 'the goal is valid at the end, but not proved to be for any time before');
    const problem = planner.problemOf(ends.start, goals);

    const first = planner.search(problem, 0, options.iterations ?? ITERATIONS);
    if (first === undefined) return this.failed('no-path', this.noPathReason(goals));
    limit.keepReserve();
    const visits = options.shortcut ? planner.improved(problem, first) : first;
    let refuted: CheckResult | undefined;
    for (const legs of planner.timed(problem, visits)) {
      this.watch.start('check');
      const trajectory = joinedLegs(legs, planner.timing.jointNames);
      const checked = createPlanChecker(this.robot, world.manager, limit.isOver, { moving: world.tree })(trajectory);
      if (checked.valid) return this.solved(trajectory, { legs, visits, checked, points: trajectory.points.length });
      refuted = checked;
    }
    if (refuted === undefined) return this.failed('no-path', this.timeReason());
    const faults = describeFaults(refuted).join('; ');
    return this.failed('unresolved', `the motion found fails the final check: ${faults}`);
  }

  private solved(trajectory: Trajectory, found: FoundMotion): PlanMotionResult {
    const { limit, results } = this;
    const { manager, tree } = this.planner.world;
    const certify = () => certifyTrajectory(manager.posed, trajectory, undefined, limit.isOver, tree);
    return results.solved(trajectory, certify, () => this.figures(found));
  }

  /** Resolves the start in the scene at time 0, and the goals in the scene at the end of all other motion. */
  private startAndGoals() {
    const { robot, scene, limit } = this;
    const { world } = this.planner;
    const { tree } = world;
    const still = { ...tree.scene, start: scene.start, goals: scene.goals } as Scene;
    const found = resolveStartAndGoals(robot, still, world.at(0).manager, limit.isOver, world.at(tree.end).manager);
    if (found === undefined || !('status' in found)) return found;
    if (found.status === 'start-in-collision') return { ...found, reason: `at time 0, ${found.reason}` };
    if (found.status !== 'goal-in-collision') return found;
    return { ...found, reason: `at ${seconds(tree.end)}, when everything else is at rest, ${found.reason}` };
  }

  /** Returns a goal with the time from which on it stays valid; undefined if that is not proved. */
  private timedGoal(q: Configuration): TimedGoal | undefined {
    const { edges, world } = this.planner;
    const { end } = world.tree;
    const isFreeFrom = (time: number) => edges.isHoldValid(q, time, end);
    if (isFreeFrom(0)) return { q, from: 0 };
    if (!isFreeFrom(end)) return undefined;
    let [invalid, valid] = [0, end];
    while (valid - invalid > GOAL_TIME) {
      const middle = 0.5 * (invalid + valid);
      if (isFreeFrom(middle)) valid = middle;
      else invalid = middle;
    }
    return { q, from: valid };
  }

  private failed(status: PlanMotionStatus, reason: string): PlanMotionResult {
    return this.results.failed(status, reason, this.figures());
  }

  private timeReason(): string {
    return `no motion found within ${this.options.timeLimit} s; increase --time-limit`;
  }

  /** Describes what blocked the search, most often first, and until when. */
  private noPathReason(goals: readonly TimedGoal[]): string {
    const { iterations, edges } = this.planner;
    const { limit } = this;
    const head = limit.hasEnded ? this.timeReason() : `no motion found in ${iterations} iterations`;
    const blocked = [...edges.blocked].sort(([, a], [, b]) => b.count - a.count).slice(0, 3);
    const list = blocked.map(([name, { until }]) => `${JSON.stringify(name)} until ${seconds(until)}`).join(', ');
    const from = Math.min(...goals.map((goal) => goal.from));
    const late = from > 0 ? `; the goal stays valid from ${seconds(from)} on` : '';
    return `${head}${list === '' ? '' : `; motions and waits are blocked by ${list}`}${late}`;
  }

  private figures(found?: FoundMotion): PlanFigures {
    const { scene, watch, robot } = this;
    const { world, edges, space, nodes, iterations } = this.planner;
    watch.stop();
    const path = found?.visits.map(({ q }) => q);
    const least = path && minimumDuration(path[0], path[path.length - 1], motionLimitsOf(robot, scene));
    return {
      ...timesOf(watch),
      states_checked: world.manager.counters.states,
      edges_checked: edges.checked,
      nodes,
      iterations,
      path_length: path ? pathLength(path, space) : null,
      waypoints: found?.points ?? null,
      blends: found ? found.legs.reduce((sum, { blends }) => sum + blends, 0) : null,
      blends_shrunk: found ? 0 : null,
      duration: found?.checked.duration ?? null,
      least_duration: least ?? null,
      limit_ratios: found?.checked.ratios ?? null,
      unchecked: uncheckedPairs(robot, scene),
    };
  }
}

const seconds = (time: number) => `${Number(time.toPrecision(4))} s`;
