import { PathProofs } from '../../core/collision/proofs/pathProofs.ts';
import { PIECE_LENGTH } from '../../core/collision/validators/certifiedMotionValidator.ts';
import type { RobotJointSpace } from '../../core/collision/validators/robotJointSpace.ts';
import { ConstraintSet } from '../../core/constraints/constraintSet.ts';
import type { Configuration } from '../../core/math/configuration.ts';
import { pow } from '../../core/math/trigonometry.ts';
import { unwrappedPath } from '../../core/planning/metric.ts';
import type { PlanResult } from '../../core/planning/planner.ts';
import { pathLength, thoroughShortcuts } from '../../core/planning/shortcut.ts';
import type { Scene } from '../../core/scene/scene.ts';
import { InputError, requireOneOf } from '../../errors.ts';
import { certifyTrajectory } from '../checking/certifyTrajectory.ts';
import type { CheckResult } from '../checking/checkResult.ts';
import { createPlanChecker, type PlanCheck } from '../checking/checkTrajectory.ts';
import { describeFaults } from '../checking/describeFaults.ts';
import { HoldingMotions, type HoldingTorques, holdingTorques } from '../forces/holding.ts';
import { createSceneRobot, type Problem } from '../sceneRobot.ts';
import { blendRules, type TimedMotion, type TimingContext, timedBy, untimed } from '../timing/blendRules.ts';
import { timedLimits, timingContext } from '../timing/timingContext.ts';
import { type QueryChecks, stillWorld, type World } from '../world.ts';
import { constrainEdges } from './constrained/constrainedPlanning.ts';
import { type CountingMotions, edgeValidations } from './edgeValidation.ts';
import type { InvalidEndpoint } from './endpointDiagnosis.ts';
import { improvePath } from './improvePath.ts';
import { proveInfeasible } from './infeasibility/proveInfeasible.ts';
import type { SceneLibrary } from './motionLibrary/keptEdges.ts';
import { PathSearch } from './pathSearch.ts';
import { planningSpace, wrapStartAndGoals } from './planningSpace.ts';
import { type PlanHooks, type PlanOptions, planDefaults, plannerNameOf, plannerOf } from './planOptions.ts';
import {
  type PhaseWatch,
  type PlanFigures,
  type PlanMotionResult,
  type PlanMotionStatus,
  PlanResults,
} from './planStats.ts';
import { resolveStartAndGoals, type StartAndGoals } from './startAndGoals.ts';
import { Stopwatch, TimeLimit } from './stopwatch.ts';

export { type PlanHooks, type PlanOptions, planDefaults } from './planOptions.ts';
export type { PlanMotionResult } from './planStats.ts';

/**
 * If the final check refutes a path, the search is repeated with a step smaller by this factor, up to this many times.
 * Most collisions missed by samples 0.02 rad apart are found at 0.005.
 */
const REFINEMENT = 4;
const MAX_REFINEMENTS = 4;

/** Share of the limit to which the greatest torque of a plan is computed; whether the limit is kept is proved. */
const TORQUE_ACCURACY = 0.01;

/** First stream of random numbers for the shortcuts of the final path. */
const FINAL_SHORTCUT_STREAM = 1000;

type Path = readonly Configuration[];

/**
 * Plans a trajectory from the start of the scene to one of its goals: search, shortcutting, path improvement, time
 * parameterization, and a proof of the result over continuous time. Throws `InputError` for missing or unknown input;
 * failures to plan are results. Keeps nothing for the next query: a `Planner` does.
 */
export function planMotion(
  problem: Problem,
  given: Partial<PlanOptions> = {},
  hooks: PlanHooks = {},
): PlanMotionResult {
  const { scene } = problem;
  const prepare = () => stillWorld(createSceneRobot(problem), scene);
  return planPrepared(prepare, scene, given, hooks);
}

/**
 * As `planMotion`, with the collision model and the managers of other queries.
 * @param prepare called once
 * @param scene that of the model, but for start, goals and rules of motions
 */
export function planPrepared(
  prepare: () => World,
  scene: Scene,
  given: Partial<PlanOptions>,
  hooks: PlanHooks,
): PlanMotionResult {
  const watch: PhaseWatch = new Stopwatch(hooks.clock);
  watch.start('setup');
  const options = { ...planDefaults, ...given };
  plannerOf(options);
  requireOneOf(edgeValidations, 'edge validation', options.edges);
  requireOneOf(blendRules, 'corner rule', options.corners);
  if (options.library && (options.planner !== 'library' || options.edges !== 'certified'))
    throw new InputError('a library is searched by the planner "library", with certified edges', 'Give both options.');
  const limit = new TimeLimit(hooks.clock, options.timeLimit); // creating the model counts
  return prepare().query(scene, options.checker, hooks.wrapChecker, (checks) =>
    new Planning(scene, checks, options, hooks, watch, limit).solve(),
  );
}

/** One planning query. */
class Planning {
  private readonly search: PathSearch;
  private readonly constraints: ConstraintSet | undefined;
  private readonly constrained: ((inner: CountingMotions) => CountingMotions) | undefined;
  private readonly holding: HoldingTorques | undefined;
  private readonly space: RobotJointSpace;
  private context: { readonly timing: TimingContext; readonly check: PlanCheck } | undefined;
  private readonly results: PlanResults;
  private edgesChecked = 0;
  private library: SceneLibrary | undefined;

  constructor(
    private readonly scene: Scene,
    private readonly checks: QueryChecks,
    private readonly options: PlanOptions,
    private readonly hooks: PlanHooks,
    private readonly watch: PhaseWatch,
    /** Time limit of all attempts together. */
    private readonly limit: TimeLimit,
  ) {
    const { robot } = this;
    this.holding = holdingTorques(robot, scene);
    this.space = planningSpace(robot, { ...scene.weights, ...options.weights });
    this.constraints = ConstraintSet.ofScene(robot, scene);
    this.constrained = this.constraints && constrainEdges(this.space, this.constraints);
    this.results = new PlanResults({ robot, scene, planner: plannerNameOf(options) }, options, limit);
    this.search = new PathSearch({ planner: plannerOf(options), space: this.space, options, hooks, limit, watch });
  }

  private get robot() {
    return this.checks.manager.model.robot;
  }

  /**
   * Time parameterization and final check. Created on first use, since it takes seconds for hundreds of joints and a
   * failed search does not need it.
   */
  private get pathTools() {
    const { robot, limit, constraints } = this;
    const { manager, provers } = this.checks;
    const settings = { provers, pieceLength: PIECE_LENGTH, accuracy: TORQUE_ACCURACY, constraints };
    this.context ??= {
      timing: timingContext(robot, manager.posed, limit.isImprovementOver, limit.isOver, provers, constraints),
      check: createPlanChecker(robot, manager, limit.isOver, settings),
    };
    return this.context;
  }

  solve(): PlanMotionResult {
    const { robot, scene, options, limit, search } = this;
    this.library = options.library?.inScene(scene, this.checks.manager.posed, this.space);
    this.watch.start('planning');
    const given = resolveStartAndGoals(robot, scene, this.checks.manager, limit.isOver, undefined, this.constraints);
    const proof = this.infeasibility(given);
    if (proof !== undefined) return { ...this.failed('infeasible', proof.reason), infeasibility: proof };
    if (given === undefined) return this.failed('no-path', this.noPathReason());
    if ('status' in given) return this.failed(given.status, given.reason);
    const ends = wrapStartAndGoals(this.space, given);

    let refuted: CheckResult | undefined;
    for (let attempt = 0; attempt <= MAX_REFINEMENTS; attempt++) {
      limit.startSearch();
      if (limit.isOver()) return this.failed('no-path', this.noPathReason());
      const step = options.step / pow(REFINEMENT, attempt);
      const motions = this.edges(step);
      if (attempt > 0) search.roadmap = undefined; // its edges were checked with a larger step
      search.library = attempt === 0 ? this.library : undefined;
      const finish = search.finisher(2 * attempt + 1, ends);
      const found = search.run(ends, motions, 2 * attempt, Number.POSITIVE_INFINITY, this.hooks, undefined, finish);
      if (found.status !== 'solved') {
        this.edgesChecked += motions.counters.motions;
        return this.failed('no-path', this.noPathReason());
      }
      limit.keepReserve();
      const pathIterations = search.iterations;
      const path = found.isShort ? found.path : this.shortened(found, ends, motions, attempt);
      this.edgesChecked += motions.counters.motions;
      this.watch.start('timing');
      const waypoints = unwrappedPath(path, this.space, given.start);
      const proofs = motions.proofs && new PathProofs(motions.proofs, waypoints, this.pathTools.timing.proofs);
      for (const motion of this.timed(waypoints)) {
        this.watch.start('check');
        const checked = this.pathTools.check(motion.trajectory, undefined, proofs);
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
      return this.failed('unresolved', `no motion along the paths found is proved to keep ${timedLimits(this.scene)}`);
    const faults = describeFaults(refuted).join('; ');
    return this.failed(
      refuted.unresolved ? 'unresolved' : 'no-path',
      `every path found fails the final check: ${faults}`,
    );
  }

  /** Shortens the path that a search found, also by other searches. */
  private shortened({ path, iterations }: PlanResult, ends: StartAndGoals, motions: CountingMotions, attempt: number) {
    const { search, options } = this;
    const first = search.shortcut(path, motions, 2 * attempt + 1);
    const shorter = (nearer: StartAndGoals, length: number, most: number, round: number) => {
      const stream = 2 * (attempt + round * (MAX_REFINEMENTS + 1));
      return search.runShorter(nearer, length, most, motions, stream, 2 * attempt + 1);
    };
    const improves = options.shortcut && !search.improves;
    const short = improves ? improvePath(first, ends, this.space, iterations, shorter) : first;
    return search.shortcut(short, motions, FINAL_SHORTCUT_STREAM + 2 * attempt + 1, thoroughShortcuts);
  }

  /** Returns the proof that no motion exists, if it is wanted and found. An invalid start remains that. */
  private infeasibility(given: StartAndGoals | InvalidEndpoint | undefined) {
    const { options, robot, scene, limit } = this;
    const isStartInvalid = given !== undefined && 'status' in given && given.details[0]?.end === 'start';
    const known = given === undefined || 'status' in given ? [] : given.goals;
    if (!options.infeasible || isStartInvalid) return undefined;
    return proveInfeasible(robot, scene, limit.beforeProof(), known);
  }

  /** Creates the validator of edges. */
  private edges(step: number): CountingMotions {
    const { options, space, constrained, limit, holding } = this;
    const { manager, provers } = this.checks;
    const motions = edgeValidations[options.edges].create(manager, space, step, limit.isImprovementOver, { provers });
    const held = holding && !holding.areKept ? new HoldingMotions(motions, space, holding) : motions;
    return constrained ? constrained(held) : held;
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
    const { results, limit, watch } = this;
    const certify = () => certifyTrajectory(this.checks.manager.posed, motion.trajectory, undefined, limit.isOver);
    const figures = () => {
      watch.stop();
      return this.figures(pathLength(path, this.space), motion, checked);
    };
    return results.solved(motion.trajectory, certify, figures);
  }

  private failed(status: PlanMotionStatus, reason: string): PlanMotionResult {
    this.watch.stop();
    return this.results.failed(status, reason, { ...this.figures(null), reason });
  }

  private noPathReason(): string {
    const { limit, options } = this;
    const { iterations } = this.search;
    if (limit.hasEnded)
      return `no path found within ${options.timeLimit} s (${iterations} iterations); increase --time-limit`;
    return `no path found in ${iterations} iterations; try another --seed or more --iterations`;
  }

  private unprovedReason(): string {
    return `a path is found, but the time limit of ${this.options.timeLimit} s ended its proof; increase --time-limit`;
  }

  private figures(length: number | null, motion?: TimedMotion, checked?: CheckResult): PlanFigures {
    const { watch, search } = this;
    const { counters } = this.checks.manager;
    return {
      setup_ms: watch.elapsed('setup'),
      planning_ms: watch.elapsed('planning'),
      shortcut_ms: watch.elapsed('shortcut'),
      timing_ms: watch.elapsed('timing'),
      check_ms: watch.elapsed('check'),
      states_checked: counters.states,
      edges_checked: this.edgesChecked,
      pair_checks: counters.pairChecks,
      nodes: search.nodes,
      iterations: search.iterations,
      path_length: length,
      waypoints: motion?.trajectory.points.length ?? null,
      blends: motion?.blends ?? null,
      blends_shrunk: motion?.shrunk ?? null,
      duration: motion?.trajectory.points.at(-1)?.time_from_start ?? null,
      least_duration: motion?.leastDuration ?? null,
      limit_ratios: checked?.duration === undefined ? null : checked.ratios,
      unchecked: this.checks.unchecked,
      improvements: search.improvements,
      ...(this.library && { library: this.library.stats }),
    };
  }
}
