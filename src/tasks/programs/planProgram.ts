import { InputError } from '../../errors.ts';
import type { RobotModel } from '../../kinematics/robotModel.ts';
import { tcpOf } from '../../kinematics/toolCenterPoint.ts';
import type { Configuration } from '../../math/configuration.ts';
import { hasMoving } from '../../scene/moving.ts';
import { type ArcStep, isMotionStep, type LineStep, stepName } from '../../scene/program.ts';
import type { Scene } from '../../scene/scene.ts';
import type { MotionLimits, Trajectory, TrajectoryPoint } from '../../trajectory/trajectory.ts';
import { describeFaults } from '../checking/checkTrajectory.ts';
import { type PlanHooks, type PlanOptions, planDefaults } from '../planning/planOptions.ts';
import type { PlanMotionResult, PlanMotionStatus, PlanStats } from '../planning/planStats.ts';
import { plannerNameOf } from '../planning/selectedPlanner.ts';
import { TimeLimit } from '../planning/stopwatch.ts';
import { configurationOf, createSceneRobot, motionLimitsOf, type Problem } from '../sceneRobot.ts';
import { certifyProgram } from './certifyProgram.ts';
import { checkProgram, type ProgramCheckResult } from './checks/checkProgram.ts';
import { invalidStart } from './invalidStart.ts';
import { outOfTime, ProgramMoves } from './programMoves.ts';
import { ProgramRuns } from './programRuns.ts';
import { type Chain, ProgramSearch, type StepFailure } from './programSearch.ts';
import { programStats } from './programStats.ts';
import { ProgramTrajectory } from './programTrajectory.ts';
import { ProgramWorld } from './programWorld.ts';
import { type LegFault, StepMotions, type StepPath } from './stepMotion.ts';
import { createMoveSearch } from './timed/moveSearch.ts';
import { ProgramPieces } from './timed/programPieces.ts';
import type { MoveSearch } from './timed/programSchedule.ts';
import { scheduledProgram } from './timed/scheduledProgram.ts';

/** Combinations of candidates that are tried before a program fails. */
const MAX_ATTEMPTS = 32;

/**
 * Plans a trajectory that carries out the steps of a scene in order: free motions, straight lines and arcs, with
 * objects attached and detached. The inverse-kinematics solutions and alternatives of all steps are selected together.
 * The result is checked as `checkProgram` does. Throws `InputError` for missing or unknown input; failures to plan are
 * results.
 */
export function planProgram(
  problem: Problem,
  given: Partial<PlanOptions> = {},
  hooks: PlanHooks = {},
): PlanMotionResult {
  return new ProgramPlanning(createSceneRobot(problem), problem, { ...planDefaults, ...given }, hooks).solve();
}

class ProgramPlanning {
  private readonly scene: Scene;
  private readonly limits: MotionLimits;
  private readonly linkOfTcp: string;
  private readonly motions: StepMotions;
  private readonly moves: ProgramMoves;
  /** True if something else moves: then the times of all steps are searched for. */
  private readonly isTimed: boolean;
  private readonly search: MoveSearch;
  private readonly timedPaths = new Map<StepPath, readonly TrajectoryPoint[] | LegFault>();
  /** Time limit of the program as a whole. */
  private readonly limit: TimeLimit;
  /** Time of the start, and time spent in checks of whole programs, milliseconds; 0 without a clock. */
  private readonly began: number;
  private checking = 0;

  constructor(
    private readonly robot: RobotModel,
    problem: Problem,
    private readonly options: PlanOptions,
    private readonly hooks: PlanHooks,
  ) {
    this.began = this.now();
    this.limit = new TimeLimit(hooks.clock, options.timeLimit);
    this.scene = problem.scene;
    this.moves = new ProgramMoves(robot, problem.robot, options, hooks, this.limit);
    this.isTimed = hasMoving(this.scene);
    this.search = createMoveSearch(robot, options, hooks, this.limit);
    this.limits = motionLimitsOf(robot, this.scene);
    const tcp = tcpOf(robot, this.scene.tcp);
    this.linkOfTcp = robot.links[tcp.link].name;
    this.motions = new StepMotions(robot, tcp, this.limits, this.scene, this.limit.isOver);
  }

  solve(): PlanMotionResult {
    const { robot, scene, options, limit } = this;
    const { steps = [] } = scene;
    if (scene.start === undefined)
      throw new InputError(`${scene.name}: start is missing`, 'Add "start" to the scene, or give --start.');
    if (!options.timing) throw new InputError(`${scene.name}: a program needs times`, 'Leave --no-timing out.');
    const start = configurationOf(robot, scene.start, `${scene.name}: start`);
    const initial = new ProgramWorld(robot, scene, options.checker);
    const fault = invalidStart(initial, start, limit.isOver);
    if (fault) return this.failed(fault.status, fault.reason);

    const search = new ProgramSearch(
      robot,
      steps,
      this.motions,
      this.limits,
      this.linkOfTcp,
      start,
      initial,
      limit.isOver,
    );
    let last: StepFailure | undefined;
    for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
      const chain = search.best();
      if ('step' in chain) return this.failedStep(last ?? chain);
      const found = this.checkedChain(chain, search);
      if ('step' in found) last = found;
      else if (found.checked.valid) return this.solved(found.trajectory, found.checked);
      else last = this.excludeFaulty(chain, search, found.checked, found.trajectory);
      if (limit.isOver()) break;
    }
    return this.failedStep(last!);
  }

  /** Carries a chain out and checks the program; without blends if it is not valid with them. */
  private checkedChain(
    chain: Chain,
    search: ProgramSearch,
  ): { readonly trajectory: Trajectory; readonly checked: ProgramCheckResult } | StepFailure {
    const { robot, scene, options, limit } = this;
    for (const isBlending of [true, false]) {
      const found = this.carriedOut(chain, search, isBlending);
      if ('step' in found) {
        if (isBlending && found.isOfSchedule) continue;
        return found;
      }
      const { trajectory } = found;
      const before = this.now();
      const checked = checkProgram(robot, scene, trajectory, { checker: options.checker, interrupt: limit.isOver });
      this.checking += this.now() - before;
      if (checked.valid || !found.hasBlends) return { trajectory, checked };
    }
    throw new Error('a program without blends has blends');
  }

  /**
   * Plans and times the motions of a chain; excludes what turns out to be impossible.
   * @param isBlending false: the robot stops at the end of every motion
   */
  private carriedOut(chain: Chain, search: ProgramSearch, isBlending: boolean): CarriedOutProgram | ChainFailure {
    const { robot, scene, limits, limit, linkOfTcp } = this;
    const names = robot.variables.map((joint) => joint.name);
    const pieces = this.isTimed ? new ProgramPieces(names, chain[0].entry, chain[0].before) : undefined;
    const program = pieces ?? new ProgramTrajectory(names, chain[0].entry);
    const runs = new ProgramRuns(robot, scene.steps!, this.motions, limits, program, isBlending, limit.isOver);
    for (const [k, candidate] of chain.entries()) {
      const stage = search.stageAt(k);
      if (k > 0) {
        const before = chain[k - 1];
        const step = stage.move!;
        const move = this.moves.between(step, before, candidate, chain.length - k);
        if ('step' in move) {
          search.block(before, candidate);
          return move;
        }
        runs.add({ step, world: candidate.before, from: before.exit, points: move.points, path: undefined });
      }
      let q: Configuration = k > 0 ? Float64Array.from(this.moves.endOf(chain[k - 1], candidate)) : candidate.entry;
      for (const step of stage.rest) {
        if (isMotionStep(step)) {
          const path = candidate.paths.get(step.index)!;
          const timed = this.timed(path, step);
          if ('reason' in timed) {
            search.excludeBranch(k, candidate);
            return { step: step.index, reason: `${stepName(step)}: ${timed.reason}` };
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
    if (!hasBlends) excludeStep(chain, search, found.step);
    return { ...found, isOfSchedule: hasBlends };
  }

  /** Computes the motion along a joint path, once. */
  private timed(path: StepPath, step: LineStep | ArcStep): readonly TrajectoryPoint[] | LegFault {
    const known = this.timedPaths.get(path);
    if (known) return known;
    const made = this.motions.timed(path, step);
    this.timedPaths.set(path, made);
    return made;
  }

  /** Excludes the candidate in whose stage the check found a fault. */
  private excludeFaulty(
    chain: Chain,
    search: ProgramSearch,
    checked: ProgramCheckResult,
    trajectory: Trajectory,
  ): StepFailure {
    const contact = checked.collision ?? checked.unresolved ?? checked.interrupted;
    const time = contact?.time ?? checked.faults[0]?.time ?? 0;
    const segment = trajectory.segments?.find(({ to }) => time <= to) ?? trajectory.segments?.at(-1);
    const step = checked.stepFaults[0]?.step ?? segment?.step ?? 0;
    excludeStep(chain, search, step);
    const why = checked.stepFaults[0]?.what ?? `step ${step}: ${describeFaults(checked).join('; ')}`;
    return { step, reason: why };
  }

  private solved(trajectory: Trajectory, checked: ProgramCheckResult): PlanMotionResult {
    const { robot, scene, options, limit } = this;
    const { seed, edges } = options;
    const planner = plannerNameOf(options);
    const before = this.now();
    const certificate = options.certificate
      ? certifyProgram(trajectory, checked.intervals, robot, scene, limit.isOver)
      : undefined;
    this.checking += this.now() - before;
    const isCertificateCut = options.certificate && certificate === undefined && limit.isOver();
    const { cutShort } = this;
    const metadata = { robot: robot.name, scene: scene.name, planner, seed, edges, ...(cutShort ? { cutShort } : {}) };
    const stats = this.statsOf('solved', { trajectory, checked });
    return {
      status: 'solved',
      reason: 'solved',
      cutShort,
      trajectory: { ...trajectory, ...metadata },
      certificate,
      isCertificateCut,
      roadmap: undefined,
      stats,
    };
  }

  private now(): number {
    return this.hooks.clock?.() ?? 0;
  }

  /** True if the time limit ended a part of planning. */
  private get cutShort(): boolean {
    return this.moves.isCut || this.limit.hasEnded;
  }

  /** Returns the result of a failure; after the time limit, what is not found or proved was interrupted. */
  private failedStep({ step, reason: why }: StepFailure): PlanMotionResult {
    const { scene, options, limit } = this;
    const reason = limit.isOver() ? outOfTime(scene.steps![step], 'all', options.timeLimit) : why;
    return this.failed('step-failed', reason, { failed_step: step, reason });
  }

  private failed(status: PlanMotionStatus, reason: string, more: Partial<PlanStats> = {}): PlanMotionResult {
    const stats = { ...this.statsOf(status), ...more };
    const { cutShort } = this;
    const none = { trajectory: undefined, certificate: undefined, isCertificateCut: false, roadmap: undefined };
    return { status, reason, cutShort, ...none, stats };
  }

  private statsOf(
    status: PlanMotionStatus,
    found?: { readonly trajectory: Trajectory; readonly checked: ProgramCheckResult },
  ): PlanStats {
    const { scene, options, checking, motions } = this;
    const sums = this.moves.sums();
    const figures = { sums, checking, elapsed: this.now() - this.began, followed: motions.followed };
    return programStats(scene, options, status, figures, found);
  }
}

/** Excludes the candidate in whose stage a step is. */
function excludeStep(chain: Chain, search: ProgramSearch, step: number): void {
  for (const [k, candidate] of chain.entries()) {
    const stage = search.stageAt(k);
    const last = [...(stage.move ? [stage.move] : []), ...stage.rest].at(-1)?.index ?? -1;
    if (step > last && k + 1 < chain.length) continue;
    if (step === stage.move?.index) search.exclude(candidate);
    else search.excludeBranch(k, candidate);
    break;
  }
}

/** A program that was carried out, not checked yet. */
interface CarriedOutProgram {
  readonly trajectory: Trajectory;
  /** True if the robot does not stop at the end of every motion. */
  readonly hasBlends: boolean;
}

/** Why a chain is not carried out. */
interface ChainFailure extends StepFailure {
  /** True if blended motions have no schedule among what moves: motions with stops may have one. */
  readonly isOfSchedule?: boolean;
}
