import type { InfeasibilityCertificate } from '../../core/certificate/cells/infeasibility.ts';
import type { Certificate } from '../../core/certificate/certificate.ts';
import { robotMetadata } from '../../core/kinematics/robotMetadata.ts';
import type { RobotModel } from '../../core/kinematics/robotModel.ts';
import type { LibraryStats } from '../../core/planning/library.ts';
import type { UncheckedPairs } from '../../core/scene/uncheckedPairs.ts';
import type { Trajectory } from '../../core/trajectory/trajectory.ts';
import type { EndpointStatus } from './endpointDiagnosis.ts';
import type { PlanOptions } from './planOptions.ts';
import type { Stopwatch, TimeLimit } from './stopwatch.ts';

/** Result of `planMotion`; all but `solved` are negative. */
export type PlanMotionStatus = 'solved' | 'no-path' | 'infeasible' | 'step-failed' | 'unresolved' | EndpointStatus;

/** Result of `planMotion`. */
export interface PlanMotionResult {
  /** Status of the plan. */
  readonly status: PlanMotionStatus;
  /** One line that describes the status. */
  readonly reason: string;
  /** True if the time limit ended a part of planning: another run may have another result. */
  readonly cutShort: boolean;
  /** Present if and only if `status` is `solved`; proved valid at every instant. */
  readonly trajectory: Trajectory | undefined;
  /** Present for a solved problem if the option `certificate` is set and the motion can be certified by planes. */
  readonly certificate: Certificate | undefined;
  /** Present if and only if `status` is `infeasible`: the proof that no motion exists. */
  readonly infeasibility?: InfeasibilityCertificate;
  /** True if the time limit ended the computation of the certificate. */
  readonly isCertificateCut: boolean;
  /** Counts and times. */
  readonly stats: PlanStats;
}

/** Counts and times of one query; counts are equal on every machine. Lengths in rad, m (L2), null without a path. */
export interface PlanStats {
  /** Name of the scene. */
  readonly scene: string;
  /** Name of the planner: its key in `planners`; for other planners their own name, by default `own`. */
  readonly planner: string;
  /** Name of the narrow-phase checker. */
  readonly checker: string;
  /** Name of the method of edge validation. */
  readonly edges: string;
  /** Seed of all random numbers. */
  readonly seed: number;
  /** Status of the plan. */
  readonly status: PlanMotionStatus;
  /** Time from the loaded scene to a collision model ready for queries, ms; 0 without a clock, like all times. */
  readonly setup_ms: number;
  /** Time of the searches, start and goals included, ms. */
  readonly planning_ms: number;
  /** Time of shortcutting and path improvement, ms. */
  readonly shortcut_ms: number;
  /** Time of the time parameterization, ms. */
  readonly timing_ms: number;
  /** Time of the final check and of the certificate, ms. */
  readonly check_ms: number;
  /** Number of states checked for collisions. */
  readonly states_checked: number;
  /** Number of edges checked. */
  readonly edges_checked: number;
  /** Number of pairs that reached the narrow phase. */
  readonly pair_checks: number;
  /** Number of nodes of all trees or roadmaps. */
  readonly nodes: number;
  /** Number of iterations of all searches. */
  readonly iterations: number;
  /** Length of the path in the metric of the planning space. */
  readonly path_length: number | null;
  /** Number of waypoints of the path. */
  readonly waypoints: number | null;
  /** Number of blended corners; null if there is no motion. */
  readonly blends: number | null;
  /** How often a blend was shrunk because it was not proved collision-free. */
  readonly blends_shrunk: number | null;
  /** Seconds; null for a path without times. */
  readonly duration: number | null;
  /** Lower bound on the duration from the limits alone, between start and goal, seconds. */
  readonly least_duration: number | null;
  /** Maximum over time of velocity, acceleration and jerk divided by their limits, from the final check; at most 1. */
  readonly limit_ratios: { readonly velocity: number; readonly acceleration: number; readonly jerk: number } | null;
  /** Pairs of links and objects that are not checked. */
  readonly unchecked: UncheckedPairs;
  /** Improved paths of an anytime planner, in order. */
  readonly improvements: readonly Improvement[];
  /** Of a program: number of joint paths of lines and arcs that were computed. */
  readonly lines_followed?: number;
  /** Of a program of status `step-failed`: index of the step. */
  readonly failed_step?: number;
  /** One line that describes the status. */
  readonly reason?: string;
  /** With a library: numbers of its edges that the search tested, and of edges proved in this query. */
  readonly library?: LibraryStats;
  /** Parts of tool paths, contiguous: of those that are planned by their speed, else of the one that fails. */
  readonly spans?: readonly PathSpan[];
}

/** Part of a tool path, from one way point to another, with the way to them. */
export interface PathSpan {
  /** Index of the step. */
  readonly step: number;
  /** Index of its first way point. */
  readonly from: number;
  /** Index of its last way point. */
  readonly to: number;
  /** `reachable`: followed in one motion; `slow`: below its limit of speed; `blocked`: no valid state there. */
  readonly status: 'reachable' | 'slow' | 'blocked';
  /** What slows it down, what ends it before the last way point, or why no state is valid. */
  readonly reason?: string;
  /** Of a path that is not followed as a whole: joint values at its first way point from which it gets farthest. */
  readonly start?: readonly number[];
}

/** An improved path of an anytime planner. */
export interface Improvement {
  /** Length of the path. */
  readonly length: number;
  /** Number of iterations when it was found. */
  readonly iterations: number;
}

type Phase = 'setup' | 'planning' | 'shortcut' | 'timing' | 'check';

/** Times of the phases of a query. */
export type PhaseWatch = Stopwatch<Phase>;

/** Returns the times of a query. */
export const timesOf = (watch: Pick<PhaseWatch, 'elapsed'>): Pick<PlanStats, `${Phase}_ms`> => ({
  setup_ms: watch.elapsed('setup'),
  planning_ms: watch.elapsed('planning'),
  shortcut_ms: watch.elapsed('shortcut'),
  timing_ms: watch.elapsed('timing'),
  check_ms: watch.elapsed('check'),
});

/** Names in the results of a query. */
interface QueryNames {
  readonly robot: Pick<RobotModel, 'name' | 'description'>;
  readonly scene: { readonly name: string };
  /** Name of the planner. */
  readonly planner: string;
}

/** Figures of a query, by name; those that are left out are 0, null or an empty list. */
export type PlanFigures = Partial<PlanStats> & Pick<PlanStats, 'unchecked'>;

/** Builds the results of one query, of whatever kind its scene is. */
export class PlanResults {
  constructor(
    private readonly names: QueryNames,
    private readonly options: PlanOptions,
    private readonly limit: TimeLimit,
    /** Returns true if the time limit ended a part of planning. */
    private readonly isCut: () => boolean = () => limit.hasEnded,
  ) {}

  /**
   * Returns the result of a plan with a proved motion.
   * @param certify computes its certificate
   * @param figuresOf is called once everything is computed
   */
  solved(
    trajectory: Trajectory,
    certify: () => Certificate | undefined,
    figuresOf: () => PlanFigures,
  ): PlanMotionResult {
    const { names, options, limit } = this;
    const { seed, edges } = options;
    const certificate = options.certificate ? certify() : undefined;
    const isCertificateCut = options.certificate && certificate === undefined && limit.isOver();
    const cutShort = this.isCut();
    const own = { scene: names.scene.name, planner: names.planner, seed, edges };
    const metadata = { ...robotMetadata(names.robot), ...own, ...(cutShort ? { cutShort } : {}) };
    return {
      status: 'solved',
      reason: 'solved',
      cutShort,
      trajectory: { ...trajectory, ...metadata },
      certificate,
      isCertificateCut,
      stats: this.stats('solved', figuresOf()),
    };
  }

  /** Returns the result of a plan without a motion. */
  failed(status: PlanMotionStatus, reason: string, figures: PlanFigures): PlanMotionResult {
    const none = { trajectory: undefined, certificate: undefined, isCertificateCut: false };
    return { status, reason, cutShort: this.isCut(), ...none, stats: this.stats(status, figures) };
  }

  // each field by name: a literal that begins with a spread takes as long as the final check of a short motion
  private stats(status: PlanMotionStatus, figures: PlanFigures): PlanStats {
    const { names, options } = this;
    const stats: PlanStats = {
      scene: names.scene.name,
      planner: names.planner,
      checker: options.checker,
      edges: options.edges,
      seed: options.seed,
      status,
      setup_ms: figures.setup_ms ?? 0,
      planning_ms: figures.planning_ms ?? 0,
      shortcut_ms: figures.shortcut_ms ?? 0,
      timing_ms: figures.timing_ms ?? 0,
      check_ms: figures.check_ms ?? 0,
      states_checked: figures.states_checked ?? 0,
      edges_checked: figures.edges_checked ?? 0,
      pair_checks: figures.pair_checks ?? 0,
      nodes: figures.nodes ?? 0,
      iterations: figures.iterations ?? 0,
      path_length: figures.path_length ?? null,
      waypoints: figures.waypoints ?? null,
      blends: figures.blends ?? null,
      blends_shrunk: figures.blends_shrunk ?? null,
      duration: figures.duration ?? null,
      least_duration: figures.least_duration ?? null,
      limit_ratios: figures.limit_ratios ?? null,
      unchecked: figures.unchecked,
      improvements: figures.improvements ?? [],
    };
    const { lines_followed, failed_step, reason, spans, library } = figures;
    if (library) return { ...stats, library, ...(status === 'infeasible' && { reason }) };
    if (status === 'infeasible') return { ...stats, reason: reason! };
    if (lines_followed === undefined) return stats;
    return {
      ...stats,
      lines_followed,
      ...(failed_step === undefined ? {} : { failed_step, reason: reason! }),
      ...(spans && { spans }),
    };
  }
}
