import type { Certificate } from '../../core/certificate/certificate.ts';
import type { RoadmapData } from '../../core/planning/planner.ts';
import type { Trajectory } from '../../core/trajectory/trajectory.ts';
import type { PlanOptions } from './planOptions.ts';
import type { PlanMotionResult, PlanMotionStatus, PlanStats } from './planStats.ts';
import type { TimeLimit } from './stopwatch.ts';

/** Names in the results of a query. */
export interface QueryNames {
  readonly robot: { readonly name: string };
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
    roadmap?: RoadmapData,
  ): PlanMotionResult {
    const { names, options, limit } = this;
    const { seed, edges } = options;
    const certificate = options.certificate ? certify() : undefined;
    const isCertificateCut = options.certificate && certificate === undefined && limit.isOver();
    const cutShort = this.isCut();
    const [robot, scene] = [names.robot.name, names.scene.name];
    const metadata = { robot, scene, planner: names.planner, seed, edges, ...(cutShort ? { cutShort } : {}) };
    return {
      status: 'solved',
      reason: 'solved',
      cutShort,
      trajectory: { ...trajectory, ...metadata },
      certificate,
      isCertificateCut,
      roadmap,
      stats: this.stats('solved', figuresOf()),
    };
  }

  /** Returns the result of a plan without a motion. */
  failed(status: PlanMotionStatus, reason: string, figures: PlanFigures, roadmap?: RoadmapData): PlanMotionResult {
    const none = { trajectory: undefined, certificate: undefined, isCertificateCut: false, roadmap };
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
    const { lines_followed, failed_step, reason, spans } = figures;
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
