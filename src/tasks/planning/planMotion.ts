import { CollisionManager } from '../../collision/collisionManager.ts';
import { CollisionModel } from '../../collision/collisionModel.ts';
import type { RobotJointSpace } from '../../collision/robotJointSpace.ts';
import type { ConstraintSet } from '../../constraints/constraintSet.ts';
import { requireOneOf } from '../../errors.ts';
import type { RobotModel } from '../../kinematics/robotModel.ts';
import type { Configuration } from '../../math/configuration.ts';
import { Random } from '../../math/random.ts';
import { InformedSpace } from '../../planning/informed/informedSpace.ts';
import { unwrappedPath } from '../../planning/metric.ts';
import type { JointSpace, PlannerDefinition, PlanResult, RoadmapData } from '../../planning/planner.ts';
import { pathLength, shortcutDefaults, shortcutPath, thoroughShortcuts } from '../../planning/shortcut.ts';
import type { Scene } from '../../scene/scene.ts';
import type { Trajectory } from '../../trajectory/trajectory.ts';
import { certifyTrajectory } from '../checking/certifyTrajectory.ts';
import { type CheckResult, createTrajectoryChecker, describeFaults } from '../checking/checkTrajectory.ts';
import { createSceneRobot, type Problem } from '../sceneRobot.ts';
import { ConstrainedMotions, constrainSpace, constraintsOf, withTcpSpeed } from './constrainedPlanning.ts';
import { type CountingMotions, edgeValidations } from './edgeValidation.ts';
import { improvePath } from './improvePath.ts';
import { planningSpace, wrapStartAndGoals } from './planningSpace.ts';
import { type PlanHooks, type PlanOptions, planDefaults } from './planOptions.ts';
import {
  type Improvement,
  type PhaseWatch,
  type PlanMotionResult,
  type PlanMotionStatus,
  type PlanStats,
  queryStats,
} from './planStats.ts';
import { plannerNameOf, plannerOf, plannerOptions } from './selectedPlanner.ts';
import { resolveStartAndGoals, type StartAndGoals } from './startAndGoals.ts';
import { PlanningBudget, Stopwatch, TimeLimit } from './stopwatch.ts';
import { blendRules, type TimedMotion, type TimingContext, timedBy, timingContext, untimed } from './timedMotion.ts';

export { type PlanHooks, type PlanOptions, planDefaults } from './planOptions.ts';
export type { PlanMotionResult } from './planStats.ts';

/**
 * If the final check refutes a path, the search is repeated with a step smaller by this factor, up to this many times.
 * Most collisions missed by samples 0.02 rad apart are found at 0.005.
 */
const REFINEMENT = 4;
const MAX_REFINEMENTS = 4;

/** First stream of random numbers for the shortcuts of the final path. */
const FINAL_SHORTCUT_STREAM = 1000;

/** Iteration limit of one search of path improvement. */
const IMPROVEMENT_ITERATIONS = 300;

/** Longest edge of trees whose steps are projected onto constraints, rad (L2 over the joints). */
const CONSTRAINED_STEP = 0.25;

type Path = readonly Configuration[];

/**
 * Plans a trajectory from the start of the scene to one of its goals: search, shortcutting, path improvement, time
 * parameterization, and a continuous check of the result. Throws `InputError` for missing or unknown input; failures to
 * plan are results.
 */
export function planMotion(
  problem: Problem,
  given: Partial<PlanOptions> = {},
  hooks: PlanHooks = {},
): PlanMotionResult {
  const watch: PhaseWatch = new Stopwatch(hooks.clock);
  watch.start('setup');
  const robot = createSceneRobot(problem);
  return new Planning(robot, withTcpSpeed(problem.scene), { ...planDefaults, ...given }, hooks, watch).solve();
}

/** One planning query. */
class Planning {
  private readonly planner: PlannerDefinition;
  private readonly manager: CollisionManager;
  private readonly constraints: ConstraintSet | undefined;
  private readonly space: RobotJointSpace;
  private context:
    | { readonly timing: TimingContext; readonly check: (trajectory: Trajectory) => CheckResult }
    | undefined;
  /** Time limit of all attempts together. */
  private readonly limit: TimeLimit;
  private edgesChecked = 0;
  private nodes = 0;
  private iterations = 0;
  private roadmap: RoadmapData | undefined;
  private readonly improvements: Improvement[] = [];
  private length: number | null = null;

  constructor(
    private readonly robot: RobotModel,
    private readonly scene: Scene,
    private readonly options: PlanOptions,
    private readonly hooks: PlanHooks,
    private readonly watch: PhaseWatch,
  ) {
    this.planner = plannerOf(options);
    this.roadmap = options.roadmap;
    requireOneOf(edgeValidations, 'edge check', options.edges);
    requireOneOf(blendRules, 'corner rule', options.corners);
    this.constraints = constraintsOf(robot, scene);
    this.limit = new TimeLimit(hooks.clock, options.timeLimit); // creating the models counts
    const model = new CollisionModel(robot, scene);
    this.manager = new CollisionManager(model, { checker: options.checker });
    this.space = planningSpace(robot, { ...scene.weights, ...options.weights });
    if (this.constraints) constrainSpace(this.space, this.constraints);
  }

  /**
   * Time parameterization and final check. Created on first use: for hundreds of joints that takes seconds, which a
   * failed search saves.
   */
  private get pathTools() {
    this.context ??= {
      timing: timingContext(this.robot, this.manager.posed, this.limit.isImprovementOver, this.limit.isOver),
      check: createTrajectoryChecker(this.robot, this.manager, this.limit.isOver),
    };
    return this.context;
  }

  solve(): PlanMotionResult {
    const { robot, scene, manager, options, limit } = this;
    this.watch.start('planning');
    const given = resolveStartAndGoals(robot, scene, manager, limit.isOver);
    if (given === undefined) return this.failed('no-path', this.noPathReason());
    if ('status' in given) return this.failed(given.status, given.reason);
    const ends = wrapStartAndGoals(this.space, given);

    let refuted: CheckResult | undefined;
    for (let attempt = 0; attempt <= MAX_REFINEMENTS; attempt++) {
      limit.startSearch();
      if (limit.isOver()) return this.failed('no-path', this.noPathReason());
      const step = options.step / REFINEMENT ** attempt;
      const motions = this.edges(step);
      if (attempt > 0) this.roadmap = undefined; // its edges were checked with a larger step
      const found = this.search(ends, motions, 2 * attempt, Number.POSITIVE_INFINITY, this.hooks);
      if (found.status !== 'solved') {
        this.edgesChecked += motions.counters.motions;
        return this.failed('no-path', this.noPathReason());
      }
      limit.keepReserve();
      const pathIterations = this.iterations;
      const first = this.shortcut(found.path, motions, 2 * attempt + 1);
      const search = (nearer: StartAndGoals, length: number, round: number) =>
        this.searchShorter(nearer, length, motions, attempt, round);
      const improves = options.shortcut && !this.planner.improves;
      const short = improves ? improvePath(first, ends, this.space, search) : first;
      const path = this.shortcut(short, motions, FINAL_SHORTCUT_STREAM + 2 * attempt + 1, thoroughShortcuts);
      this.edgesChecked += motions.counters.motions;
      for (const motion of this.timed(unwrappedPath(path, this.space, given.start))) {
        this.watch.start('check');
        const checked = this.pathTools.check(motion.trajectory);
        if (checked.valid) {
          this.hooks.race?.done(pathIterations);
          return this.solved(motion, path, checked);
        }
        if (checked.interrupted) return this.failed('unresolved', this.unprovedReason());
        refuted = checked;
      }
    }
    if (refuted === undefined && limit.isOver()) return this.failed('unresolved', this.unprovedReason());
    if (refuted === undefined)
      return this.failed('unresolved', 'no motion along the paths found is proved to keep the speed limit of the TCP');
    const faults = describeFaults(refuted).join('; ');
    return this.failed(
      refuted.unresolved ? 'unresolved' : 'no-path',
      `every path found fails the final check: ${faults}`,
    );
  }

  /** Returns the options of the planner; edges are shorter if they are projected onto constraints. */
  private optionsOf(planner: PlannerDefinition): Record<string, number> {
    const { options, constraints } = this;
    const values = plannerOptions(planner, options);
    const isDefault = constraints && values.stepSize !== undefined && options.plannerOptions.stepSize === undefined;
    return isDefault ? { ...values, stepSize: Math.min(values.stepSize, CONSTRAINED_STEP) } : values;
  }

  /** Creates the validator of edges. */
  private edges(step: number): CountingMotions {
    const { options, manager, space, constraints, limit } = this;
    const motions = edgeValidations[options.edges].create(manager, space, step, limit.isImprovementOver);
    return constraints ? new ConstrainedMotions(motions, constraints, space) : motions;
  }

  /**
   * Runs the planner once.
   * @param main hooks of a main search: they receive its improved paths, and may end it; undefined for searches of path
   *   improvement
   */
  private search(
    { start, goals }: StartAndGoals,
    motions: CountingMotions,
    stream: number,
    iterations: number,
    main?: PlanHooks,
    space: JointSpace = this.space,
  ): PlanResult {
    const { planner, options, hooks, roadmap, limit } = this;
    const race = main?.race;
    this.watch.start('planning');
    const most = Math.min(options.iterations ?? planner.iterations, iterations);
    const before = this.iterations;
    const lost = race && ((count: number) => before + count > race.mostIterations());
    const budget = new PlanningBudget(most, limit.isImprovementOver, { ...hooks, lost });
    const onBetter = (length: number, count: number) => {
      limit.keepReserve();
      this.improvements.push({ length, iterations: before + count });
      main?.better?.(length, before + count);
    };
    const problem = { space, motions, start, goals, roadmap, onBetter: main && onBetter };
    const found = planner.plan(problem, this.optionsOf(planner), new Random(options.seed, stream), budget);
    this.roadmap = found.roadmap;
    this.nodes += found.nodes;
    this.iterations += found.iterations;
    return found;
  }

  /** Searches the informed set with a small budget for a path to one of the goals that is shorter than `length`. */
  private searchShorter(
    ends: StartAndGoals,
    length: number,
    motions: CountingMotions,
    attempt: number,
    round: number,
  ): Path | undefined {
    const stream = 2 * (attempt + round * (MAX_REFINEMENTS + 1));
    const space = new InformedSpace(ends, this.space, length);
    const found = this.search(ends, motions, stream, IMPROVEMENT_ITERATIONS, undefined, space);
    return found.status === 'solved' ? this.shortcut(found.path, motions, 2 * attempt + 1) : undefined;
  }

  /**
   * Shortcuts the path, unless shortcutting is disabled.
   * @param stream stream of random numbers, distinct for each use
   */
  private shortcut(path: Path, motions: CountingMotions, stream: number, effort = shortcutDefaults): Path {
    this.watch.start('shortcut');
    if (!this.options.shortcut) return path;
    const random = new Random(this.options.seed, stream);
    return shortcutPath(path, this.space, motions, random, effort, this.limit.isImprovementOver);
  }

  /**
   * Yields the motion along the path as the options specify, then, if that has blends and is refuted, the motion that
   * stops at each waypoint.
   */
  private *timed(path: Path): Generator<TimedMotion> {
    const { options, watch } = this;
    watch.start('timing');
    const { timing } = this.pathTools;
    const motion = options.timing ? timedBy(blendRules[options.corners], path, timing) : untimed(path, timing);
    if (motion) yield motion;
    if (motion?.blends === 0) return;
    watch.start('timing');
    const stopping = timedBy(blendRules.stop, path, timing);
    if (stopping) yield stopping;
  }

  private solved(motion: TimedMotion, path: Path, checked: CheckResult): PlanMotionResult {
    const { robot, scene, options, limit } = this;
    const { trajectory } = motion;
    const certificate = options.certificate
      ? certifyTrajectory(this.manager.posed, trajectory, undefined, limit.isOver)
      : undefined;
    const isCertificateCut = options.certificate && certificate === undefined && limit.isOver();
    const cutShort = limit.hasEnded;
    this.watch.stop();
    this.length = pathLength(path, this.space);
    const { seed, edges } = options;
    const planner = plannerNameOf(options);
    const metadata = { robot: robot.name, scene: scene.name, planner, seed, edges, ...(cutShort ? { cutShort } : {}) };
    const stats = this.statsOf('solved', motion, checked);
    return {
      status: 'solved',
      reason: 'solved',
      cutShort,
      trajectory: { ...trajectory, ...metadata },
      certificate,
      isCertificateCut,
      roadmap: this.roadmap,
      stats,
    };
  }

  private failed(status: PlanMotionStatus, reason: string): PlanMotionResult {
    this.watch.stop();
    const stats = this.statsOf(status);
    const { limit, roadmap } = this;
    const none = { trajectory: undefined, certificate: undefined, isCertificateCut: false };
    return { status, reason, cutShort: limit.hasEnded, ...none, roadmap, stats };
  }

  private noPathReason(): string {
    const { iterations, limit, options } = this;
    if (limit.hasEnded)
      return `no path found within ${options.timeLimit} s (${iterations} iterations); increase --time-limit`;
    return `no path found in ${iterations} iterations; try another --seed or more --iterations`;
  }

  private unprovedReason(): string {
    return `a path is found, but the time limit of ${this.options.timeLimit} s ended its proof; increase --time-limit`;
  }

  private statsOf(status: PlanMotionStatus, motion?: TimedMotion, checked?: CheckResult): PlanStats {
    const { scene, options, watch, manager } = this;
    return {
      ...queryStats(scene, plannerNameOf(options), options, status, watch),
      states_checked: manager.counters.states,
      edges_checked: this.edgesChecked,
      pair_checks: manager.counters.pairChecks,
      nodes: this.nodes,
      iterations: this.iterations,
      path_length: this.length,
      waypoints: motion?.trajectory.points.length ?? null,
      blends: motion?.blends ?? null,
      blends_shrunk: motion?.shrunk ?? null,
      duration: motion?.trajectory.points.at(-1)?.time_from_start ?? null,
      least_duration: motion?.leastDuration ?? null,
      limit_ratios: checked?.duration === undefined ? null : checked.ratios,
      improvements: this.improvements,
    };
  }
}
