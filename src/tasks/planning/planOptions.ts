import type { CheckerName } from '../../core/narrowphase/index.ts';
import type { Checker } from '../../core/narrowphase/solver.ts';
import type { CheckerVariantName } from '../../core/narrowphase/variants.ts';
import type { PlannerName } from '../../core/planning/index.ts';
import type { PlannerDefinition, RoadmapData } from '../../core/planning/planner.ts';
import type { BlendRuleName } from '../timing/blendRules.ts';
import type { EdgeValidationName } from './edgeValidation.ts';

/** Options of `planMotion`; `planDefaults` contains the defaults. */
export interface PlanOptions {
  /** Search algorithm: a key of `planners`, or a planner of your own. */
  readonly planner: PlannerName | PlannerDefinition;
  /** Values of the planner's own options, by name. */
  readonly plannerOptions: Readonly<Record<string, number>>;
  /**
   * Weights of joints in the path length, by name: radians per radian or metre. They override those of the scene, which
   * override `balancedWeights`.
   */
  readonly weights: Readonly<Record<string, number>>;
  /** Narrow-phase algorithm: a key of `checkers`, or one of their variants for experiments. */
  readonly checker: CheckerName | CheckerVariantName;
  /** Edge validation: continuous (`certified`) or discrete (`sampled`). */
  readonly edges: EdgeValidationName;
  /** Maximum distance between samples of an edge for `sampled`, rad (L2 over the joints). */
  readonly step: number;
  /** Seed of all random numbers: equal seeds give equal trajectories. An integer of at most 53 bits. */
  readonly seed: number;
  /** Iteration limit of the planner; undefined: the planner's own. */
  readonly iterations: number | undefined;
  /**
   * Time limit, s: from the creation of the collision model to the proved trajectory and its certificate. Has no effect
   * without a clock.
   */
  readonly timeLimit: number;
  /** Enables shortcutting and path improvement. */
  readonly shortcut: boolean;
  /** Enables time parameterization; if false, the result is a path of straight lines without times. */
  readonly timing: boolean;
  /** Corner blending: parabolic blends (`blend`), or a stop at each waypoint (`stop`). */
  readonly corners: BlendRuleName;
  /** Initial roadmap of planners that build one; must belong to this robot and scene. */
  readonly roadmap: RoadmapData | undefined;
  /** Adds a certificate to the result: for each pair, planes that separate it at every instant. */
  readonly certificate: boolean;
  /** Attempts to prove that no motion exists before the search: status `infeasible`. For motions among obstacles. */
  readonly infeasible: boolean;
}

/** Options of `planMotion` whose planner is given by name, so that they can be sent to worker threads. */
export type NamedPlanOptions = PlanOptions & { readonly planner: PlannerName };

/** Defaults of `PlanOptions`. */
export const planDefaults: NamedPlanOptions & { readonly checker: CheckerName } = {
  planner: 'rrt-connect',
  plannerOptions: {},
  weights: {},
  checker: 'growth-distance',
  edges: 'certified',
  step: 0.02,
  seed: 1,
  iterations: undefined,
  timeLimit: 10,
  shortcut: true,
  timing: true,
  corners: 'blend',
  roadmap: undefined,
  certificate: false,
  infeasible: false,
};

/** Clock and callbacks of `planMotion`. They do not change the result, except that the clock may end the search. */
export interface PlanHooks {
  /** Monotonic clock, milliseconds. Without it, times are 0 and only the iteration limit ends the search. */
  readonly clock?: () => number;
  /** Called at intervals while the planner runs. */
  readonly progress?: (iterations: number, elapsedMs: number) => void;
  /**
   * Called for each improved path of an anytime planner with its length, the iterations so far, and the time since the
   * first search of the query started, ms.
   */
  readonly better?: (length: number, iterations: number, elapsedMs: number) => void;
  /**
   * Called when a main search starts. If it is not the first of the query, the path of the previous search failed the
   * final check.
   */
  readonly searching?: () => void;
  /** Called when a main search ends with a path: as `better`, with the length of that path before simplification. */
  readonly found?: (length: number, iterations: number, elapsedMs: number) => void;
  /** Wraps the narrow-phase checker, for measurements; verdicts must not change. Ignored by programs. */
  readonly wrapChecker?: ((checker: Checker) => Checker) | undefined;
  /** Set if other seeds plan the same problem in parallel. */
  readonly race?: SeedRace;
}

/**
 * Connection of one seed to a race of several seeds: may end a search that cannot win, and does not change the winning
 * result.
 */
export interface SeedRace {
  /** Returns the number of iterations after which a path cannot win any more; decreases as other seeds finish. */
  mostIterations(): number;
  /** Called when the result has been checked, with the iterations of the search for its path. */
  done(iterations: number): void;
}
