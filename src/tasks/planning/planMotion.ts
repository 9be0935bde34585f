import type { Certificate } from '../../certificate/certificate.ts';
import { CollisionManager } from '../../collision/collisionManager.ts';
import { CollisionModel } from '../../collision/collisionModel.ts';
import type { RobotJointSpace } from '../../collision/robotJointSpace.ts';
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
import { type CountingMotions, edgeValidations } from './edgeValidation.ts';
import { improvePath } from './improvePath.ts';
import { planningSpace, wrapStartAndGoals } from './planningSpace.ts';
import { type PlanHooks, type PlanOptions, planDefaults } from './planOptions.ts';
import type { Improvement, PlanMotionStatus, PlanStats } from './planStats.ts';
import { plannerNameOf, plannerOf, plannerOptions } from './selectedPlanner.ts';
import { resolveStartAndGoals, type StartAndGoals } from './startAndGoals.ts';
import { PlanningBudget, Stopwatch } from './stopwatch.ts';
import { blendRules, type TimedMotion, type TimingContext, timedBy, timingContext, untimed } from './timedMotion.ts';

export { type PlanHooks, type PlanOptions, planDefaults } from './planOptions.ts';

/** Result of `planMotion`. */
export interface PlanMotionResult {
  /** Status of the plan. */
  readonly status: PlanMotionStatus;
  /** One line that describes the status. */
  readonly reason: string;
  /** True if the time limit ended a search: another run may have another result. */
  readonly cutShort: boolean;
  /** Present if and only if `status` is `solved`; proved valid at every instant. */
  readonly trajectory: Trajectory | undefined;
  /** Present for a solved problem if the option `certificate` is set and the motion can be certified by planes. */
  readonly certificate: Certificate | undefined;
  /** The extended roadmap of planners that build one, for further queries of the same robot and scene. */
  readonly roadmap: RoadmapData | undefined;
  /** Counts and times. */
  readonly stats: PlanStats;
}

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
  return new Planning(createSceneRobot(problem), problem.scene, { ...planDefaults, ...given }, hooks).solve();
}

/** One planning query. */
class Planning {
  private readonly planner: PlannerDefinition;
  private readonly manager: CollisionManager;
  private readonly space: RobotJointSpace;
  private readonly watch: Stopwatch<'planning' | 'shortcut' | 'timing' | 'check'>;
  private context:
    | { readonly timing: TimingContext; readonly check: (trajectory: Trajectory) => CheckResult }
    | undefined;
  /** Time limit of all attempts together, on the clock, ms. */
  private readonly deadline: number;
  private edgesChecked = 0;
  private nodes = 0;
  private iterations = 0;
  private cutShort = false;
  private roadmap: RoadmapData | undefined;
  private readonly improvements: Improvement[] = [];
  private length: number | null = null;

  constructor(
    private readonly robot: RobotModel,
    private readonly scene: Scene,
    private readonly options: PlanOptions,
    private readonly hooks: PlanHooks,
  ) {
    this.planner = plannerOf(options);
    this.roadmap = options.roadmap;
    requireOneOf(edgeValidations, 'edge check', options.edges);
    requireOneOf(blendRules, 'corner rule', options.corners);
    this.deadline = (hooks.clock?.() ?? 0) + 1000 * options.timeLimit; // creating the models counts
    const model = new CollisionModel(robot, scene);
    this.manager = new CollisionManager(model, { checker: options.checker });
    this.space = planningSpace(robot, { ...scene.weights, ...options.weights });
    this.watch = new Stopwatch(hooks.clock);
  }

  /**
   * Time parameterization and final check. Created on first use: for hundreds of joints that takes seconds, which a
   * failed search saves.
   */
  private get pathTools() {
    this.context ??= {
      timing: timingContext(this.robot, this.manager.posed),
      check: createTrajectoryChecker(this.robot, this.manager),
    };
    return this.context;
  }

  solve(): PlanMotionResult {
    const { robot, scene, manager, options } = this;
    this.watch.start('planning');
    const given = resolveStartAndGoals(robot, scene, manager);
    if ('status' in given) return this.failed(given.status, given.reason);
    const ends = wrapStartAndGoals(this.space, given);

    let refuted: CheckResult | undefined;
    for (let attempt = 0; attempt <= MAX_REFINEMENTS; attempt++) {
      if (this.isOutOfTime()) return this.failed('no-path', this.noPathReason());
      const step = options.step / REFINEMENT ** attempt;
      const motions = edgeValidations[options.edges].create(manager, this.space, step);
      if (attempt > 0) this.roadmap = undefined; // its edges were checked with a larger step
      const found = this.search(ends, motions, 2 * attempt, Number.POSITIVE_INFINITY, this.hooks);
      if (found.status !== 'solved') {
        this.edgesChecked += motions.counters.motions;
        return this.failed('no-path', this.noPathReason());
      }
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
        refuted = checked;
      }
    }
    if (refuted === undefined)
      return this.failed('unresolved', 'no motion along the paths found is proved to keep the speed limit of the TCP');
    const faults = describeFaults(refuted).join('; ');
    return this.failed(
      refuted.unresolved ? 'unresolved' : 'no-path',
      `every path found fails the final check: ${faults}`,
    );
  }

  /**
   * True if the deadline has passed before a search; creating its edge validation takes seconds for robots of hundreds
   * of joints.
   */
  private isOutOfTime(): boolean {
    const { clock } = this.hooks;
    if (!clock || !(clock() > this.deadline)) return false;
    this.cutShort = true;
    return true;
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
    const { planner, options, hooks, roadmap } = this;
    const race = main?.race;
    this.watch.start('planning');
    const limit = Math.min(options.iterations ?? planner.iterations, iterations);
    const before = this.iterations;
    const lost = race && ((count: number) => before + count > race.mostIterations());
    const budget = new PlanningBudget(limit, this.deadline, { ...hooks, lost });
    const onBetter = (length: number, count: number) => {
      this.improvements.push({ length, iterations: before + count });
      main?.better?.(length, before + count);
    };
    const problem = { space, motions, start, goals, roadmap, onBetter: main && onBetter };
    const found = planner.plan(problem, plannerOptions(planner, options), new Random(options.seed, stream), budget);
    this.cutShort ||= budget.outOfTime;
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
    return shortcutPath(path, this.space, motions, new Random(this.options.seed, stream), effort);
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
    const { robot, scene, options, cutShort } = this;
    const { trajectory } = motion;
    const certificate = options.certificate ? certifyTrajectory(this.manager.posed, trajectory) : undefined;
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
      roadmap: this.roadmap,
      stats,
    };
  }

  private failed(status: PlanMotionStatus, reason: string): PlanMotionResult {
    this.watch.stop();
    const stats = this.statsOf(status);
    const { cutShort, roadmap } = this;
    return { status, reason, cutShort, trajectory: undefined, certificate: undefined, roadmap, stats };
  }

  private noPathReason(): string {
    const { iterations, cutShort, options } = this;
    if (cutShort)
      return `no path found within ${options.timeLimit} s (${iterations} iterations); increase --time-limit`;
    return `no path found in ${iterations} iterations; try another --seed or more --iterations`;
  }

  private statsOf(status: PlanMotionStatus, motion?: TimedMotion, checked?: CheckResult): PlanStats {
    const { scene, options, watch, manager } = this;
    const { checker, edges, seed } = options;
    return {
      scene: scene.name,
      planner: plannerNameOf(options),
      checker,
      edges,
      seed,
      status,
      planning_ms: watch.elapsed('planning'),
      shortcut_ms: watch.elapsed('shortcut'),
      timing_ms: watch.elapsed('timing'),
      check_ms: watch.elapsed('check'),
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
