import { InputError } from '../../errors.ts';
import type { RobotModel } from '../../kinematics/robotModel.ts';
import { tcpOf } from '../../kinematics/toolCenterPoint.ts';
import type { Configuration } from '../../math/configuration.ts';
import { isMotionStep, type MoveStep, stepName } from '../../scene/program.ts';
import type { Scene } from '../../scene/scene.ts';
import type { MotionLimits, Trajectory, TrajectoryPoint } from '../../trajectory/trajectory.ts';
import { describeFaults } from '../checking/checkTrajectory.ts';
import { diagnoseEndpoint } from '../planning/endpointDiagnosis.ts';
import { type PlanMotionResult, planMotion } from '../planning/planMotion.ts';
import { type PlanHooks, type PlanOptions, planDefaults } from '../planning/planOptions.ts';
import type { PlanMotionStatus, PlanStats } from '../planning/planStats.ts';
import { plannerNameOf } from '../planning/selectedPlanner.ts';
import { configurationOf, createSceneRobot, motionLimitsOf, type Problem } from '../sceneRobot.ts';
import { certifyProgram } from './certifyProgram.ts';
import { checkProgram, type ProgramCheckResult } from './checkProgram.ts';
import { type Candidate, type Chain, ProgramSearch, type StepFailure } from './programSearch.ts';
import { ProgramTrajectory } from './programTrajectory.ts';
import { ProgramWorld } from './programWorld.ts';
import { StepMotions } from './stepMotion.ts';

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
  private readonly planned = new Map<Candidate, Map<Candidate, PlannedMove | StepFailure>>();
  /** Statistics of all free motions that were planned. */
  private readonly attempts: PlanStats[] = [];
  private cutShort = false;

  constructor(
    private readonly robot: RobotModel,
    private readonly problem: Problem,
    private readonly options: PlanOptions,
    private readonly hooks: PlanHooks,
  ) {
    this.scene = problem.scene;
    this.limits = motionLimitsOf(robot, this.scene);
    const tcp = tcpOf(robot, this.scene.tcp);
    this.linkOfTcp = robot.links[tcp.link].name;
    this.motions = new StepMotions(robot, tcp, this.limits, this.scene.tcpSpeed ?? Number.POSITIVE_INFINITY);
  }

  solve(): PlanMotionResult {
    const { robot, scene, options } = this;
    const { steps = [] } = scene;
    if (scene.start === undefined)
      throw new InputError(`${scene.name}: start is missing`, 'Add "start" to the scene, or give --start.');
    if (!options.timing) throw new InputError(`${scene.name}: a program needs times`, 'Leave --no-timing out.');
    const start = configurationOf(robot, scene.start, `${scene.name}: start`);
    const initial = new ProgramWorld(robot, scene, options.checker);
    const fault = diagnoseEndpoint(robot, initial.manager, start, 'start');
    if (fault) return this.failed(fault.status, fault.reason);

    const search = new ProgramSearch(robot, steps, this.motions, this.limits, this.linkOfTcp, start, initial);
    let last: StepFailure | undefined;
    for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
      const chain = search.best();
      if ('step' in chain) return this.failedStep(last ?? chain);
      const found = this.carriedOut(chain, search);
      if ('step' in found) {
        last = found;
        continue;
      }
      const checked = checkProgram(robot, scene, found, options);
      if (checked.valid) return this.solved(found, checked);
      last = this.excludeFaulty(chain, search, checked, found);
    }
    return this.failedStep(last!);
  }

  /** Plans and times the motions of a chain; excludes what turns out to be impossible. */
  private carriedOut(chain: Chain, search: ProgramSearch): Trajectory | StepFailure {
    const { robot, linkOfTcp } = this;
    const names = robot.variables.map((joint) => joint.name);
    const program = new ProgramTrajectory(names, chain[0].entry);
    for (const [k, candidate] of chain.entries()) {
      const stage = search.stageAt(k);
      if (k > 0) {
        const move = this.plannedMove(stage.move!, chain[k - 1], candidate);
        if ('step' in move) {
          search.block(chain[k - 1], candidate);
          return move;
        }
        program.motion(stage.move!, chain[k - 1].exit, move.points);
      }
      let q: Configuration = k > 0 ? Float64Array.from(this.endOf(chain[k - 1], candidate)) : candidate.entry;
      for (const step of stage.rest) {
        if (step.kind === 'wait') program.wait(step);
        else if (isMotionStep(step)) {
          const path = candidate.paths.get(step.index)!;
          const timed = this.motions.timed(path, step);
          if ('reason' in timed) {
            search.exclude(candidate);
            return { step: step.index, reason: `${stepName(step)}: ${timed.reason}` };
          }
          program.motion(step, path.legs[0]?.knots[0].q ?? q, timed);
          q = path.end;
        } else program.event(step, linkOfTcp);
      }
    }
    return program.trajectory();
  }

  /** Returns the free motion between two candidates, which is planned once. */
  private plannedMove(step: MoveStep, from: Candidate, to: Candidate): PlannedMove | StepFailure {
    const known = this.planned.get(from)?.get(to);
    if (known) return known;
    const made = this.planMove(step, from, to);
    this.planned.set(from, (this.planned.get(from) ?? new Map()).set(to, made));
    return made;
  }

  private planMove(step: MoveStep, from: Candidate, to: Candidate): PlannedMove | StepFailure {
    const { robot, problem, options, hooks } = this;
    const { steps: _, ...world } = from.after.scene;
    const { speed = 1, acceleration = 1, tcpSpeed = Number.POSITIVE_INFINITY } = world;
    const slowest = Math.min(tcpSpeed, step.tcpSpeed);
    const scene: Scene = {
      ...world,
      start: Array.from(from.exit),
      goals: [{ kind: 'joints', joints: Array.from(to.entry) }],
      equivalent: false,
      speed: speed * step.speed,
      acceleration: acceleration * step.acceleration,
      ...(slowest < Number.POSITIVE_INFINITY && { tcpSpeed: slowest }),
    };
    const { clock, progress } = hooks;
    const result = planMotion(
      { scene, robot: problem.robot, model: robot },
      { ...options, certificate: false, roadmap: undefined },
      { ...(clock && { clock }), ...(progress && { progress }) },
    );
    this.attempts.push(result.stats);
    this.cutShort ||= result.cutShort;
    if (!result.trajectory) return { step: step.index, reason: `${stepName(step)}: ${result.reason}` };
    return { points: result.trajectory.points.slice(1) };
  }

  private endOf(from: Candidate, to: Candidate): readonly number[] {
    const made = this.planned.get(from)?.get(to);
    const last = made && 'points' in made ? made.points.at(-1) : undefined;
    return last?.positions ?? Array.from(to.entry);
  }

  /** Excludes the candidate in whose stage the check found a fault. */
  private excludeFaulty(
    chain: Chain,
    search: ProgramSearch,
    checked: ProgramCheckResult,
    trajectory: Trajectory,
  ): StepFailure {
    const contact = checked.collision ?? checked.unresolved;
    const time = contact?.time ?? checked.faults[0]?.time ?? 0;
    const segment = trajectory.segments?.find(({ to }) => time <= to) ?? trajectory.segments?.at(-1);
    const step = checked.stepFaults[0]?.step ?? segment?.step ?? 0;
    for (const [k, candidate] of chain.entries()) {
      const stage = search.stageAt(k);
      const last = [...(stage.move ? [stage.move] : []), ...stage.rest].at(-1)?.index ?? -1;
      if (step > last && k + 1 < chain.length) continue;
      search.exclude(candidate);
      break;
    }
    const why = checked.stepFaults[0]?.what ?? `step ${step}: ${describeFaults(checked).join('; ')}`;
    return { step, reason: why };
  }

  private solved(trajectory: Trajectory, checked: ProgramCheckResult): PlanMotionResult {
    const { robot, scene, options, cutShort } = this;
    const { seed, edges } = options;
    const planner = plannerNameOf(options);
    const certificate = options.certificate ? certifyProgram(trajectory, checked.intervals, robot, scene) : undefined;
    const metadata = { robot: robot.name, scene: scene.name, planner, seed, edges, ...(cutShort ? { cutShort } : {}) };
    const stats = this.statsOf('solved', { trajectory, checked });
    return {
      status: 'solved',
      reason: 'solved',
      cutShort,
      trajectory: { ...trajectory, ...metadata },
      certificate,
      isCertificateCut: false,
      roadmap: undefined,
      stats,
    };
  }

  private failedStep({ step, reason }: StepFailure): PlanMotionResult {
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
    const { scene, options, attempts } = this;
    const { checker, edges, seed } = options;
    const planner = plannerNameOf(options);
    const sum = (key: (typeof SUMMED)[number]) => attempts.reduce((total, stats) => total + stats[key], 0);
    const sums = Object.fromEntries(SUMMED.map((key) => [key, sum(key)])) as Record<(typeof SUMMED)[number], number>;
    return {
      scene: scene.name,
      planner,
      checker,
      edges,
      seed,
      status,
      ...sums,
      path_length: null,
      waypoints: found?.trajectory.points.length ?? null,
      blends: null,
      blends_shrunk: null,
      duration: found?.checked.duration ?? null,
      least_duration: null,
      limit_ratios: found?.checked.ratios ?? null,
      improvements: [],
    };
  }
}

/** Figures of a program that are the sums of those of its free motions. */
const SUMMED = [
  'planning_ms',
  'shortcut_ms',
  'timing_ms',
  'check_ms',
  'states_checked',
  'edges_checked',
  'pair_checks',
  'nodes',
  'iterations',
] as const;

/** A free motion: its points without the first, with times from its start. */
interface PlannedMove {
  readonly points: readonly TrajectoryPoint[];
}
