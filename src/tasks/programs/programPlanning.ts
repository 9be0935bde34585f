import type { RobotModel } from '../../core/kinematics/robotModel.ts';
import { type LinkFrame, tcpOf } from '../../core/kinematics/toolCenterPoint.ts';
import type { Configuration } from '../../core/math/configuration.ts';
import { configurationOf, requireEnds } from '../../core/scene/configurationOf.ts';
import { type CartesianStep, isMotionStep } from '../../core/scene/program.ts';
import type { Scene } from '../../core/scene/scene.ts';
import { requireJointMoves } from '../../core/scene/steps/jointMoves.ts';
import type { MotionLimits, Trajectory, TrajectoryPoint } from '../../core/trajectory/trajectory.ts';
import { InputError } from '../../errors.ts';
import { uncheckedPairs } from '../checking/uncheckedCount.ts';
import { diagnoseEndpoint, type InvalidEndpoint } from '../planning/endpointDiagnosis.ts';
import { blockerOf } from '../planning/explanation/blockerOf.ts';
import { type PlanHooks, type PlanOptions, plannerNameOf } from '../planning/planOptions.ts';
import {
  type PlanFigures,
  type PlanMotionResult,
  type PlanMotionStatus,
  PlanResults,
  type PlanStats,
} from '../planning/planStats.ts';
import { TimeLimit, TimeShare } from '../planning/stopwatch.ts';
import { motionLimitsOf, type Problem } from '../sceneRobot.ts';
import { World } from '../world.ts';
import { certifyProgram } from './certifyProgram.ts';
import { checkProgram, type ProgramCheckResult } from './checks/checkProgram.ts';
import { completeGoals } from './completeGoals.ts';
import { faultyStep } from './failures/faultyStep.ts';
import { endsAt, type MoveFailure, type ProgramFailures } from './failures/programFailures.ts';
import { withSignals } from './pathSignals.ts';
import { notAllTried, outOfTime, ProgramMoves } from './programMoves.ts';
import { ProgramRuns } from './programRuns.ts';
import { ProgramTrajectory } from './programTrajectory.ts';
import { type Chain, type ChainFailure, type DeadEnd, ProgramSearch } from './search/programSearch.ts';
import { StepMotions } from './stepMotion.ts';
import type { LegFault, StepPath } from './stepPath.ts';
import { createMoveSearch } from './timed/moveSearch.ts';
import { ProgramPieces } from './timed/programPieces.ts';
import type { MoveSearch } from './timed/programSchedule.ts';
import { scheduledProgram } from './timed/scheduledProgram.ts';

/** Combinations of candidates that are tried before the program fails or longer searches are started. */
const MAX_ATTEMPTS = 32;
/** Fraction of the time limit that is reserved to find what blocks a free motion. */
const EXPLAINED_SHARE = 0.2;
/**
 * Fraction of the time limit that blends may take; the rest is reserved for motions with stops, which replace them if
 * they fail.
 */
const BLENDS_SHARE = 0.4;

/** One plan of a program. */
export class ProgramPlanning {
  /** Why the start is invalid. */
  invalidStart: InvalidEndpoint | undefined;
  /** The stage at which planning failed, and why stages fail. */
  failure: (DeadEnd & { readonly failures: ProgramFailures }) | undefined;
  protected readonly scene: Scene;
  private readonly description: Problem['robot'];
  protected readonly limits: MotionLimits;
  private readonly linkOfTcp: string;
  private readonly motions: StepMotions;
  private readonly moves: ProgramMoves;
  /** If obstacles or other robots move in it, the times of all steps are searched for. */
  private readonly initial: World;
  private readonly search: MoveSearch;
  private readonly timedPaths = new Map<StepPath, readonly TrajectoryPoint[] | LegFault>();
  private readonly limit: TimeLimit;
  private readonly blends: TimeShare;
  private readonly results: PlanResults;
  /** True if combinations of candidates are left that were not tried within the time limit. */
  private hasKeptTime = false;
  /** Time of the start, and time spent in checks of whole programs, milliseconds; 0 without a clock. */
  private readonly began: number;
  private checking = 0;

  constructor(
    private readonly robot: RobotModel,
    problem: Problem,
    protected readonly options: PlanOptions,
    private readonly hooks: PlanHooks,
  ) {
    this.began = this.now();
    this.limit = new TimeLimit(hooks.clock, options.timeLimit);
    this.blends = new TimeShare(hooks.clock, BLENDS_SHARE * options.timeLimit, this.limit.isOver);
    requireJointMoves(robot, problem.scene);
    this.scene = completeGoals(robot, problem.scene);
    const names = { robot, scene: this.scene, planner: plannerNameOf(options) };
    this.results = new PlanResults(names, options, this.limit, this.isCutShort);
    this.description = problem.robot;
    this.moves = new ProgramMoves(options, hooks, this.limit);
    this.initial = new World(robot, this.scene, { checker: options.checker });
    this.search = createMoveSearch(robot, options, hooks, this.limit);
    // Of lines, arcs, paths and blends, which are slowed down where their torques exceed a limit.
    const { torque: _, ...untorqued } = this.scene;
    this.limits = motionLimitsOf(robot, untorqued);
    const tcp = tcpOf(robot, this.scene.tcp);
    this.linkOfTcp = robot.links[tcp.link].name;
    this.motions = this.createMotions(robot, tcp, this.limits);
  }

  /** Creates the planner of lines and arcs. */
  protected createMotions(robot: RobotModel, tcp: LinkFrame, limits: MotionLimits): StepMotions {
    return new StepMotions(robot, tcp, limits, this.scene, this.limit.isOver);
  }

  /** Checks a planned program. */
  protected check(robot: RobotModel, scene: Scene, trajectory: Trajectory): ProgramCheckResult {
    const { options, limit } = this;
    return checkProgram(robot, scene, trajectory, { checker: options.checker, interrupt: limit.isOver });
  }

  solve(): PlanMotionResult {
    const { robot, scene, options, limit, initial } = this;
    const { steps = [] } = scene;
    const stated = requireEnds(scene);
    if (!options.timing) throw new InputError(`${scene.name}: a program needs times`, 'Leave --no-timing out.');
    const start = configurationOf(robot, stated, `${scene.name}: start`);
    const fault = diagnoseEndpoint(robot, initial.at(0).manager, start, 'start', limit.isOver);
    if (fault) {
      const isMet = fault.status === 'start-in-collision' && !initial.isStill;
      this.invalidStart = isMet ? { ...fault, reason: `at time 0, ${fault.reason}` } : fault;
      return this.failed(fault.status, this.invalidStart.reason);
    }

    const { motions, limits, linkOfTcp } = this;
    const search = new ProgramSearch(robot, steps, motions, limits, linkOfTcp, start, initial, limit.isOver);
    let stage = 0;
    let isLast = false;
    for (let attempt = 1; ; attempt++) {
      const chain = search.best();
      const planned = 'stage' in chain ? chain : this.planChain(chain, search);
      if ('status' in planned) return planned;
      stage = planned.stage;
      isLast = 'stage' in chain || attempt === MAX_ATTEMPTS;
      if (limit.isOver() || (isLast && !this.moves.canRetry)) break;
      this.hasKeptTime = this.isNearlyOver();
      if (this.hasKeptTime) break;
      if (!isLast) continue;
      search.unblock(this.moves.retry());
      attempt = 0;
    }
    this.failure = { stage, failures: search.failures };
    const isCut = limit.isOver() || this.hasKeptTime;
    const found = search.describe(stage, this.blocking);
    // after the time limit, results are missing because they were interrupted
    const isUnknown = isCut && found.other === undefined;
    const more = this.hasKeptTime ? notAllTried(options.timeLimit, isLast) : '';
    const reason = isUnknown ? outOfTime(steps[found.step], options.timeLimit) : `${found.reason}${more}`;
    const spans = this.motions.spans(steps[found.step]);
    return this.failed('step-failed', reason, { failed_step: found.step, reason, ...(spans && { spans }) });
  }

  /** Plans a chain; if a stage fails, excludes its candidate and returns the stage. */
  private planChain(chain: Chain, search: ProgramSearch): PlanMotionResult | DeadEnd {
    const found = this.checkedChain(chain, search);
    if ('stage' in found) return found;
    if (found.checked.valid) return this.solved(found.trajectory, found.checked, chain);
    const failure = faultyStep(chain, this.scene.steps!, found.trajectory, found.checked, (path, rules, world) =>
      this.motions.violation(path, rules, world),
    );
    return { stage: search.excludeStep(chain, failure) };
  }

  /** Describes what blocks a free motion; undefined if that is not found in the remaining time. */
  private readonly blocking = ({ scene, result }: MoveFailure): string | undefined => {
    const { robot, description, options, limit, hooks } = this;
    return blockerOf({ scene, robot: description, model: robot }, result, options, limit, hooks.clock);
  };

  /** True if a free motion was not found and the remaining time is reserved to find what blocks it. */
  private isNearlyOver(): boolean {
    return this.moves.hasFailed && this.limit.remaining < EXPLAINED_SHARE * this.options.timeLimit;
  }

  /** Plans the motions of a chain and checks the program; repeats without blends if it is not valid with them. */
  private checkedChain(
    chain: Chain,
    search: ProgramSearch,
  ): { readonly trajectory: Trajectory; readonly checked: ProgramCheckResult } | DeadEnd {
    const { robot, scene } = this;
    for (const isBlending of [true, false]) {
      const found = this.plannedProgram(chain, search, isBlending);
      if ('stage' in found) {
        if (isBlending && found.isOfSchedule) continue;
        return found;
      }
      const trajectory = withSignals(robot, scene, found.trajectory);
      const before = this.now();
      const checked = this.check(robot, scene, trajectory);
      this.checking += this.now() - before;
      if (checked.valid || !found.hasBlends) return { trajectory, checked };
    }
    throw new Error('a program without blends has blends');
  }

  /**
   * Plans and times the motions of a chain; excludes the candidate or free motion that fails.
   * @param isBlending false: the robot stops at the end of every motion
   */
  private plannedProgram(chain: Chain, search: ProgramSearch, isBlending: boolean): PlannedProgram | ChainFailure {
    const { robot, scene, limits, limit, linkOfTcp } = this;
    const names = robot.variables.map((joint) => joint.name);
    const pieces = this.initial.isStill ? undefined : new ProgramPieces(names, chain[0].entry, chain[0].before);
    const program = pieces ?? new ProgramTrajectory(names, chain[0].entry);
    const runs = new ProgramRuns(robot, scene.steps!, this.motions, limits, program, isBlending, this.blends);
    for (const [k, candidate] of chain.entries()) {
      const stage = search.stages[k];
      if (k > 0) {
        const before = chain[k - 1];
        const step = stage.move!;
        const move = this.moves.between(step, before, candidate, chain.length - k);
        if ('step' in move) {
          const isFirst = !search.hasBlocked(before);
          search.block(before, candidate);
          search.failures.addMove(k, move);
          const others = isFirst && !limit.isOver() ? search.othersAfter(k, before) : [];
          const reached = others.length > 1 && this.moves.reached(step, before, others, chain.length - k);
          if (reached) search.prefer(before, reached);
          return { stage: k };
        }
        runs.add({ step, world: candidate.before, from: before.exit, points: move.points, path: undefined });
      }
      let q: Configuration = k > 0 ? Float64Array.from(this.moves.endOf(chain[k - 1], candidate)) : candidate.entry;
      for (const step of stage.rest) {
        if (isMotionStep(step)) {
          const path = candidate.paths.get(step.index)!;
          const timed = this.timed(path, step, candidate.worldOf(step.index));
          if ('reason' in timed) {
            search.excludeBranch(k, candidate, { ...timed, step: step.index, reason: endsAt(step, timed) });
            return { stage: k };
          }
          const from = path.legs[0]?.knots[0].q ?? q;
          runs.add({ step, world: candidate.worldOf(step.index), from, points: timed, path });
          q = path.end;
          continue;
        }
        runs.flush();
        if (step.kind === 'wait') program.wait(step);
        else program.event(step, linkOfTcp);
      }
    }
    runs.flush();
    const { hasBlends } = runs;
    if ('trajectory' in program) return { trajectory: program.trajectory(), hasBlends };
    const found = scheduledProgram(program, names, linkOfTcp, this.search, limit.isOver);
    if (!('step' in found)) return { trajectory: found, hasBlends };
    if (hasBlends) return { stage: 0, isOfSchedule: true };
    return { stage: search.excludeStep(chain, { ...found, fraction: 0, isLimit: false }) };
  }

  /** Computes the motion along a joint path, once. */
  private timed(path: StepPath, step: CartesianStep, world: World): readonly TrajectoryPoint[] | LegFault {
    const known = this.timedPaths.get(path);
    if (known) return known;
    const made = this.motions.timed(path, step, world);
    this.timedPaths.set(path, made);
    return made;
  }

  private solved(trajectory: Trajectory, checked: ProgramCheckResult, chain: Chain): PlanMotionResult {
    const { robot, scene, limit, results } = this;
    const certify = () => {
      const before = this.now();
      const certificate = certifyProgram(trajectory, checked.intervals, robot, scene, limit.isOver);
      this.checking += this.now() - before;
      return certificate;
    };
    const { duration = null, ratios: limit_ratios } = checked;
    const spans = this.motions.speedSpans(scene.steps!, chain);
    const found = { waypoints: trajectory.points.length, duration, limit_ratios, ...(spans && { spans }) };
    return results.solved(trajectory, certify, () => this.figures(found));
  }

  private readonly now = (): number => this.hooks.clock?.() ?? 0;

  /** Returns true if the time limit ended a part of planning. */
  private readonly isCutShort = (): boolean =>
    this.moves.isCut || this.limit.hasEnded || this.blends.hasEnded || this.hasKeptTime;

  private failed(status: PlanMotionStatus, reason: string, more: Partial<PlanStats> = {}): PlanMotionResult {
    return this.results.failed(status, reason, this.figures(more));
  }

  private figures(more: Partial<PlanStats>): PlanFigures {
    const sums = this.moves.sums();
    const check_ms = sums.check_ms + this.checking;
    const elapsed = this.now() - this.began;
    // The remaining time is planning: inverse kinematics, lines, arcs and the search over all steps.
    const planning_ms = Math.max(0, elapsed - sums.setup_ms - sums.shortcut_ms - sums.timing_ms - check_ms);
    const unchecked = uncheckedPairs(this.robot, this.scene);
    return { ...sums, planning_ms, check_ms, unchecked, lines_followed: this.motions.followed, ...more };
  }
}

/** A planned program, not checked yet. */
interface PlannedProgram {
  readonly trajectory: Trajectory;
  /** True if the robot does not stop at the end of every motion. */
  readonly hasBlends: boolean;
}
