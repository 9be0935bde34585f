import { CollisionManager } from '../../collision/collisionManager.ts';
import { CollisionModel } from '../../collision/collisionModel.ts';
import { PosedParts } from '../../collision/posedParts.ts';
import type { RobotJointSpace } from '../../collision/robotJointSpace.ts';
import type { RobotModel } from '../../kinematics/robotModel.ts';
import type { Configuration } from '../../math/configuration.ts';
import { Random } from '../../math/random.ts';
import { createSceneWorld, type SceneWorld } from '../../moving/sceneWorld.ts';
import { snapshot } from '../../moving/snapshot.ts';
import { metricOf, withinHalfTurn } from '../../planning/metric.ts';
import { shortenSchedule } from '../../planning/spaceTime/shortenSchedule.ts';
import type { SpaceTimeProblem, TimedGoal, Visit } from '../../planning/spaceTime/spaceTime.ts';
import { stRrtConnect } from '../../planning/spaceTime/stRrtConnect.ts';
import type { Scene } from '../../scene/scene.ts';
import type { Trajectory } from '../../trajectory/trajectory.ts';
import { certifyTrajectory } from '../checking/certifyTrajectory.ts';
import { type CheckResult, createTrajectoryChecker, describeFaults } from '../checking/checkTrajectory.ts';
import { sourcePositions } from '../checking/worldMotions.ts';
import { constrainSpace, constraintsOf } from '../planning/constrained/constrainedPlanning.ts';
import { planningSpace } from '../planning/planningSpace.ts';
import { type PlanHooks, type PlanOptions, planDefaults } from '../planning/planOptions.ts';
import type { PhaseWatch, PlanMotionResult, PlanMotionStatus, PlanStats } from '../planning/planStats.ts';
import { resolveStartAndGoals } from '../planning/startAndGoals.ts';
import { PlanningBudget, Stopwatch, TimeLimit } from '../planning/stopwatch.ts';
import { type TimingContext, timingContext } from '../planning/timedMotion.ts';
import { createSceneRobot, motionLimitsOf, type Problem } from '../sceneRobot.ts';
import { blendedLegs, joinedLegs, type TimedLeg } from './blendedLegs.ts';
import { type FoundMotion, movingStats, PLANNER } from './movingStats.ts';
import { refuseOptions } from './refuseOptions.ts';
import { TICK, TimedEdges } from './timedEdges.ts';

/** Default limit of iterations of the first search. */
const ITERATIONS = 5000;
/** Searches for an earlier arrival, and the limit of iterations of each. */
const IMPROVEMENTS = 4;
const IMPROVEMENT_ITERATIONS = 60;
/** Share of the arrival time by which each of them must be earlier. */
const GAIN = 0.05;
/** Seconds: resolution of the time from which on a goal stays valid. */
const GOAL_TIME = 1e-3;

/**
 * Plans a trajectory among moving obstacles and other robots: a search in joints and time for motions and waits, each
 * proved valid, whose arrival is then shortened. The goal stays valid for ever after the arrival. Throws `InputError`
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

/** One planning query. */
class MovingPlanning {
  private readonly world: SceneWorld<Scene>;
  private readonly manager: CollisionManager;
  private readonly edges: TimedEdges;
  private readonly space: RobotJointSpace;
  private readonly limit: TimeLimit;
  private readonly timing: TimingContext;
  private iterations = 0;
  private nodes = 0;

  constructor(
    private readonly robot: RobotModel,
    private readonly scene: Scene,
    private readonly options: PlanOptions,
    private readonly hooks: PlanHooks,
    private readonly watch: PhaseWatch,
  ) {
    this.limit = new TimeLimit(hooks.clock, options.timeLimit);
    this.world = createSceneWorld(robot, scene);
    const model = new CollisionModel(this.world.robot, this.world.scene);
    this.manager = new CollisionManager(model, { checker: options.checker, wrapChecker: hooks.wrapChecker });
    const { isImprovementOver, isOver } = this.limit;
    const still = new PosedParts(new CollisionModel(robot, this.world.scene));
    this.timing = timingContext(robot, still, isImprovementOver, isOver);
    this.space = planningSpace(robot, { ...scene.weights, ...options.weights });
    const constraints = constraintsOf(robot, scene);
    if (constraints) constrainSpace(this.space, constraints);
    this.edges = new TimedEdges(new PosedParts(model), this.world, this.timing, constraints, isOver);
  }

  solve(): PlanMotionResult {
    const { limit, world, options } = this;
    this.watch.start('planning');
    const ends = this.startAndGoals();
    if (ends === undefined) return this.failed('no-path', this.timeReason());
    if ('status' in ends) return this.failed(ends.status, ends.reason);
    const goals = ends.goals.flatMap((q) => this.timedGoal(q) ?? []);
    if (goals.length === 0)
      return this.failed('unresolved', 'the goal is valid at the end, but not proved to be for any time before');
    const problem = this.problemOf(ends.start, goals);

    const first = this.search(problem, 0, options.iterations ?? ITERATIONS);
    if (first === undefined) return this.failed('no-path', this.noPathReason(goals));
    limit.keepReserve();
    const visits = options.shortcut ? this.improved(problem, first) : first;
    let refuted: CheckResult | undefined;
    for (const legs of this.timed(problem, visits)) {
      this.watch.start('check');
      const trajectory = joinedLegs(legs, this.timing.jointNames);
      const checked = createTrajectoryChecker(this.robot, this.manager, limit.isOver, world)(trajectory);
      if (checked.valid) return this.solved(trajectory, { legs, visits, checked, points: trajectory.points.length });
      refuted = checked;
    }
    const faults = describeFaults(refuted!).join('; ');
    return this.failed('unresolved', `the motion found fails the final check: ${faults}`);
  }

  /** Yields the motions of a schedule with blended corners, if the options specify them, then with stops. */
  private *timed(problem: SpaceTimeProblem, visits: readonly Visit[]): Generator<readonly TimedLeg[]> {
    const { edges, options } = this;
    if (options.corners === 'blend' && visits.length > 1) {
      this.watch.start('timing');
      yield blendedLegs(problem, edges, visits, this.timing, this.goalFrom(problem, visits));
    }
    yield visits.slice(1).map((to, k): TimedLeg => {
      return { from: visits[k], to, trajectory: edges.move(visits[k].q, to.q)!, blends: 0 };
    });
  }

  private solved(trajectory: Trajectory, found: FoundMotion): PlanMotionResult {
    const { limit, options, world, robot, scene } = this;
    const { seed, edges } = options;
    const certificate = options.certificate
      ? certifyTrajectory(this.manager.posed, trajectory, undefined, limit.isOver, world)
      : undefined;
    const cutShort = limit.hasEnded;
    this.watch.stop();
    const names = { robot: robot.name, scene: scene.name, planner: PLANNER };
    const metadata = { ...names, seed, edges, ...(cutShort ? { cutShort } : {}) };
    const stats = this.statsOf('solved', found);
    return {
      status: 'solved',
      reason: 'solved',
      cutShort,
      trajectory: { ...trajectory, ...metadata },
      certificate,
      isCertificateCut: options.certificate && certificate === undefined && limit.isOver(),
      roadmap: undefined,
      stats,
    };
  }

  /** Resolves the start in the scene at time 0, and the goals in the scene at the end of all other motion. */
  private startAndGoals() {
    const { robot, scene, world, options, limit } = this;
    const at = (time: number) => {
      const model = new CollisionModel(robot, snapshot(world, this.wholeAt(undefined, time)));
      return new CollisionManager(model, { checker: options.checker });
    };
    const still = { ...world.scene, start: scene.start, goals: scene.goals } as Scene;
    const found = resolveStartAndGoals(robot, still, at(0), limit.isOver, at(world.end));
    if (found === undefined || !('status' in found)) return found;
    if (found.status === 'start-in-collision') return { ...found, reason: `at time 0, ${found.reason}` };
    if (found.status !== 'goal-in-collision') return found;
    return { ...found, reason: `at ${seconds(world.end)}, when everything else is at rest, ${found.reason}` };
  }

  /** Returns the joint values of the whole tree at a time. */
  private wholeAt(q: Configuration | undefined, time: number): Float64Array {
    const whole = new Float64Array(this.world.robot.dof);
    if (q) whole.set(q);
    sourcePositions(this.world)(whole, this.robot.dof, time);
    return whole;
  }

  /** Returns a goal with the time from which on it stays valid; undefined if that is not proved. */
  private timedGoal(q: Configuration): TimedGoal | undefined {
    const { edges, world } = this;
    const isFreeFrom = (time: number) => edges.isHoldValid(q, time, world.end);
    if (isFreeFrom(0)) return { q, from: 0 };
    if (!isFreeFrom(world.end)) return undefined;
    let [invalid, valid] = [0, world.end];
    while (valid - invalid > GOAL_TIME) {
      const middle = 0.5 * (invalid + valid);
      if (isFreeFrom(middle)) valid = middle;
      else invalid = middle;
    }
    return { q, from: valid };
  }

  private problemOf(start: Configuration, goals: readonly TimedGoal[]): SpaceTimeProblem {
    const { space, edges, world } = this;
    const { halfTurns } = metricOf(space);
    return {
      space,
      start,
      goals,
      end: world.end,
      tick: TICK,
      towards(out, from, to) {
        for (let j = 0; j < to.length; j++) {
          const isContinuous = halfTurns[j] < Number.POSITIVE_INFINITY;
          out[j] = isContinuous ? from[j] + withinHalfTurn(to[j] - from[j], halfTurns[j]) : to[j];
        }
      },
      leastDuration: (from, to) => edges.leastDuration(from, to),
      duration: (from, to) => edges.duration(from, to),
      isHoldValid: (q, from, to) => edges.isHoldValid(q, from, to),
      isMoveValid: (from, to, departure) => edges.isMoveValid(from, to, departure),
    };
  }

  /** @param horizon latest arrival; default: none */
  private search(problem: SpaceTimeProblem, stream: number, iterations: number, horizon?: number) {
    const { hooks, options, limit } = this;
    this.watch.start('planning');
    const budget = new PlanningBudget(iterations, stream === 0 ? limit.isOver : limit.isImprovementOver, hooks);
    const found = stRrtConnect(problem, new Random(options.seed, stream), budget, horizon);
    this.iterations += found.iterations;
    this.nodes += found.nodes;
    return found.visits;
  }

  /** Shortens a schedule, and searches for others that arrive earlier. */
  private improved(problem: SpaceTimeProblem, first: readonly Visit[]): readonly Visit[] {
    const { options, limit } = this;
    const shortened = (visits: readonly Visit[], stream: number) => {
      this.watch.start('shortcut');
      const random = new Random(options.seed, stream);
      return shortenSchedule(problem, visits, this.goalFrom(problem, visits), random, limit.isImprovementOver);
    };
    let best = shortened(first, 1);
    for (let k = 1; k <= IMPROVEMENTS && !limit.isImprovementOver(); k++) {
      const horizon = (1 - GAIN) * arrivalOf(best);
      const found = this.search(problem, 2 * k, IMPROVEMENT_ITERATIONS, horizon);
      if (found === undefined) continue;
      const short = shortened(found, 2 * k + 1);
      if (arrivalOf(short) < arrivalOf(best)) best = short;
    }
    return best;
  }

  /** Returns the time from which on the goal of a schedule stays valid. */
  private goalFrom({ goals }: SpaceTimeProblem, visits: readonly Visit[]): number {
    const { q } = visits[visits.length - 1];
    const distances = goals.map((goal) => this.space.distance(this.space.wrap(goal.q), this.space.wrap(q)));
    return goals[distances.indexOf(Math.min(...distances))].from;
  }

  private failed(status: PlanMotionStatus, reason: string): PlanMotionResult {
    this.watch.stop();
    const none = { trajectory: undefined, certificate: undefined, isCertificateCut: false, roadmap: undefined };
    return { status, reason, cutShort: this.limit.hasEnded, ...none, stats: this.statsOf(status) };
  }

  private timeReason(): string {
    return `no motion found within ${this.options.timeLimit} s; increase --time-limit`;
  }

  /** Describes what blocked the search, most often first, and until when. */
  private noPathReason(goals: readonly TimedGoal[]): string {
    const { limit, iterations, edges } = this;
    const head = limit.hasEnded ? this.timeReason() : `no motion found in ${iterations} iterations`;
    const blocked = [...edges.blocked].sort(([, a], [, b]) => b.count - a.count).slice(0, 3);
    const list = blocked.map(([name, { until }]) => `${JSON.stringify(name)} until ${seconds(until)}`).join(', ');
    const from = Math.min(...goals.map((goal) => goal.from));
    const late = from > 0 ? `; the goal is free for ever from ${seconds(from)} on` : '';
    return `${head}${list === '' ? '' : `; motions and waits are blocked by ${list}`}${late}`;
  }

  private statsOf(status: PlanMotionStatus, found?: FoundMotion): PlanStats {
    const { scene, options, watch, manager, edges, space, robot, nodes, iterations } = this;
    const counts = { states: manager.counters.states, edges: edges.checked, nodes, iterations };
    return movingStats({ scene, options, watch, space, limits: motionLimitsOf(robot, scene), counts }, status, found);
  }
}

const arrivalOf = (visits: readonly Visit[]) => visits[visits.length - 1].arrival;

const seconds = (time: number) => `${Number(time.toPrecision(4))} s`;
