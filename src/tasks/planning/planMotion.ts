import type { Certificate } from '../../certificate/certificate.ts';
import { CollisionManager } from '../../collision/collisionManager.ts';
import { CollisionModel } from '../../collision/collisionModel.ts';
import type { RobotJointSpace } from '../../collision/robotJointSpace.ts';
import { requireOneOf } from '../../errors.ts';
import type { RobotModel } from '../../kinematics/robotModel.ts';
import type { Configuration } from '../../math/configuration.ts';
import { Random } from '../../math/random.ts';
import { planners } from '../../planning/index.ts';
import { InformedSpace } from '../../planning/informed/informedSpace.ts';
import { unwrappedPath } from '../../planning/metric.ts';
import type { JointSpace, PlannerDefinition, PlanResult, RoadmapData } from '../../planning/planner.ts';
import { pathLength, shortcutDefaults, shortcutPath, thoroughShortcuts } from '../../planning/shortcut.ts';
import type { Scene } from '../../scene/scene.ts';
import type { Trajectory } from '../../trajectory/trajectory.ts';
import { certifyTrajectory } from '../checking/certifyTrajectory.ts';
import { type CheckAnswer, createTrajectoryChecker, describeFaults } from '../checking/checkTrajectory.ts';
import { createSceneRobot, type Problem } from '../sceneRobot.ts';
import { type CountingMotions, edgeChecks } from './edgeValidation.ts';
import { shorterByLooking } from './improvePath.ts';
import { endsWithin, planningSpace } from './planningSpace.ts';
import { type PlanHooks, type PlanOptions, planDefaults, plannerOptions } from './planOptions.ts';
import type { Improvement, PlanMotionStatus, PlanStats } from './planStats.ts';
import { type OpenEnds, problemEnds } from './startAndGoals.ts';
import { Stopwatch, WatchedBudget } from './stopwatch.ts';
import { cornerRules, type TimedMotion, type TimingContext, timingContext, untimed } from './timedMotion.ts';

export { type PlanHooks, type PlanOptions, planDefaults, plannerOptions } from './planOptions.ts';

export interface PlanAnswer {
  readonly status: PlanMotionStatus;
  /** One line for people. */
  readonly reason: string;
  /** The clock ended a search: another run may come to another answer. */
  readonly cutShort: boolean;
  /** There if and only if `status` is `solved`: checked over its whole course. */
  readonly trajectory: Trajectory | undefined;
  /** Of a solved problem, where it was asked for. */
  readonly certificate: Certificate | undefined;
  /** Of planners that make one: grown, for further questions about the same robot and scene. */
  readonly roadmap: RoadmapData | undefined;
  readonly stats: PlanStats;
}

/**
 * A path that the final check refutes is searched for again with samples this much closer, up to this many times. What is hidden between
 * samples 0.02 rad apart is mostly found at 0.005.
 */
const REFINEMENT = 4;
const MOST_REFINEMENTS = 4;

/** Streams of random numbers from here on are for the shortcuts of the path that is kept. */
const THOROUGH = 1000;

/** So long does one look for a shorter path take at most. */
const LOOK_ITERATIONS = 300;

type Path = readonly Configuration[];

/** Plans from the scene's start to one of its goals. Throws InputError for what is missing or unknown; "no" is an answer. */
export function planMotion(problem: Problem, given: Partial<PlanOptions> = {}, hooks: PlanHooks = {}): PlanAnswer {
  return new Planning(createSceneRobot(problem), problem.scene, { ...planDefaults, ...given }, hooks).answer();
}

/** One query on its way from the ends to the checked trajectory. */
class Planning {
  private readonly planner: PlannerDefinition;
  private readonly manager: CollisionManager;
  private readonly space: RobotJointSpace;
  private readonly watch: Stopwatch<'planning' | 'shortcut' | 'timing' | 'check'>;
  private context:
    | { readonly timing: TimingContext; readonly check: (trajectory: Trajectory) => CheckAnswer }
    | undefined;
  /** Of all attempts together, on the clock. */
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
    this.planner = requireOneOf(planners, 'planner', options.planner);
    this.roadmap = options.roadmap;
    requireOneOf(edgeChecks, 'edge check', options.edges);
    requireOneOf(cornerRules, 'corner rule', options.corners);
    this.deadline = (hooks.clock?.() ?? 0) + 1000 * options.timeLimit; // creating the models counts
    const model = new CollisionModel(robot, scene);
    this.manager = new CollisionManager(model, { checker: options.checker });
    this.space = planningSpace(robot, { ...scene.weights, ...options.weights });
    this.watch = new Stopwatch(hooks.clock);
  }

  /** What times and checks a path; of hundreds of joints it takes seconds to create, which a search without result need not spend. */
  private get ofPaths() {
    this.context ??= {
      timing: timingContext(this.robot, this.manager.posed),
      check: createTrajectoryChecker(this.robot, this.manager),
    };
    return this.context;
  }

  answer(): PlanAnswer {
    const { robot, scene, manager, options } = this;
    this.watch.start('planning');
    const given = problemEnds(robot, scene, manager);
    if ('status' in given) return this.failed(given.status, given.reason);
    const ends = endsWithin(this.space, given);

    let refuted: CheckAnswer | undefined;
    for (let attempt = 0; attempt <= MOST_REFINEMENTS; attempt++) {
      if (this.isOutOfTime()) return this.failed('no-path', this.whyNoPath());
      const step = options.step / REFINEMENT ** attempt;
      const motions = edgeChecks[options.edges].create(manager, this.space, step);
      if (attempt > 0) this.roadmap = undefined; // of motions that were looked at less closely
      const found = this.search(ends, motions, 2 * attempt, Number.POSITIVE_INFINITY, this.hooks);
      if (found.status !== 'solved') {
        this.edgesChecked += motions.counters.motions;
        return this.failed('no-path', this.whyNoPath());
      }
      const pathIterations = this.iterations;
      const first = this.shortened(found.path, motions, 2 * attempt + 1);
      const look = (nearer: OpenEnds, length: number, round: number) =>
        this.look(nearer, length, motions, attempt, round);
      const looks = options.shortcut && !this.planner.improves;
      const short = looks ? shorterByLooking(first, ends, this.space, look) : first;
      const path = this.shortened(short, motions, THOROUGH + 2 * attempt + 1, thoroughShortcuts);
      this.edgesChecked += motions.counters.motions;
      for (const motion of this.timed(unwrappedPath(path, this.space, given.start))) {
        this.watch.start('check');
        const checked = this.ofPaths.check(motion.trajectory);
        if (checked.valid) {
          this.hooks.race?.done(pathIterations);
          return this.solved(motion, path, checked);
        }
        refuted = checked;
      }
    }
    const why = describeFaults(refuted!).join('; ');
    return this.failed(
      refuted!.unresolved ? 'unresolved' : 'no-path',
      `every path found fails the final check: ${why}`,
    );
  }

  /** True if the deadline has passed before a search; creating its edge validation takes seconds for robots of hundreds of joints. */
  private isOutOfTime(): boolean {
    const { clock } = this.hooks;
    if (!clock || !(clock() > this.deadline)) return false;
    this.cutShort = true;
    return true;
  }

  /** @param main hooks of a search that is no mere look: they hear of its paths, and may end it */
  private search(
    { start, goals }: OpenEnds,
    motions: CountingMotions,
    stream: number,
    iterations: number,
    main?: PlanHooks,
    space: JointSpace = this.space,
  ): PlanResult {
    const { planner, options, hooks, roadmap } = this;
    const race = main?.race;
    this.watch.start('planning');
    const most = Math.min(options.iterations ?? planner.iterations, iterations);
    const before = this.iterations;
    const lost = race && ((count: number) => before + count > race.mostIterations());
    const budget = new WatchedBudget(most, this.deadline, { ...hooks, lost });
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

  /** A short look for a path to one of some goals, where one that is shorter than `length` can pass. */
  private look(
    ends: OpenEnds,
    length: number,
    motions: CountingMotions,
    attempt: number,
    round: number,
  ): Path | undefined {
    const stream = 2 * (attempt + round * (MOST_REFINEMENTS + 1));
    const space = new InformedSpace(ends, this.space, length);
    const found = this.search(ends, motions, stream, LOOK_ITERATIONS, undefined, space);
    return found.status === 'solved' ? this.shortened(found.path, motions, 2 * attempt + 1) : undefined;
  }

  /** @param stream of random numbers, of its own for each kind of use */
  private shortened(path: Path, motions: CountingMotions, stream: number, effort = shortcutDefaults): Path {
    this.watch.start('shortcut');
    if (!this.options.shortcut) return path;
    return shortcutPath(path, this.space, motions, new Random(this.options.seed, stream), effort);
  }

  /** The motion along the path as it is asked for; where that is refuted, the one that stops at each corner. */
  private *timed(path: Path): Generator<TimedMotion> {
    const { options, watch } = this;
    watch.start('timing');
    const { timing } = this.ofPaths;
    const motion = options.timing ? cornerRules[options.corners].time(path, timing) : untimed(path, timing);
    yield motion;
    if (motion.blends === 0) return;
    watch.start('timing');
    yield cornerRules.stop.time(path, timing);
  }

  private solved(motion: TimedMotion, path: Path, checked: CheckAnswer): PlanAnswer {
    const { robot, scene, options, cutShort } = this;
    const { trajectory } = motion;
    const certificate = options.certificate ? certifyTrajectory(this.manager.posed, trajectory) : undefined;
    this.watch.stop();
    this.length = pathLength(path, this.space);
    const { planner, seed, edges } = options;
    const about = { robot: robot.name, scene: scene.name, planner, seed, edges, ...(cutShort ? { cutShort } : {}) };
    const stats = this.statsOf('solved', motion, checked);
    return {
      status: 'solved',
      reason: 'solved',
      cutShort,
      trajectory: { ...trajectory, ...about },
      certificate,
      roadmap: this.roadmap,
      stats,
    };
  }

  private failed(status: PlanMotionStatus, reason: string): PlanAnswer {
    this.watch.stop();
    const stats = this.statsOf(status);
    const { cutShort, roadmap } = this;
    return { status, reason, cutShort, trajectory: undefined, certificate: undefined, roadmap, stats };
  }

  private whyNoPath(): string {
    const { iterations, cutShort, options } = this;
    if (cutShort)
      return `no path found within ${options.timeLimit} s (${iterations} iterations); --time-limit gives it longer`;
    return `no path found in ${iterations} iterations; another --seed or more --iterations may find one`;
  }

  private statsOf(status: PlanMotionStatus, motion?: TimedMotion, checked?: CheckAnswer): PlanStats {
    const { scene, options, watch, manager } = this;
    const { planner, checker, edges, seed } = options;
    return {
      scene: scene.name,
      planner,
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
