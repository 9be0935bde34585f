import { InputError, suggestion } from '../../errors.ts';
import type { PlannerDefinition, RoadmapData } from '../../planning/planner.ts';

/** Options of `planMotion`; `planDefaults` contains the defaults. */
export interface PlanOptions {
  /** Name in the table of planners. */
  readonly planner: string;
  /** Values of the planner's own options, by name. */
  readonly plannerOptions: Readonly<Record<string, number>>;
  /**
   * Weights of joints in the path length, by name: radians per radian or metre. They override those of the scene, which
   * override `balancedWeights`.
   */
  readonly weights: Readonly<Record<string, number>>;
  /** Narrow-phase algorithm: name in the table of checkers. */
  readonly checker: string;
  /** Edge validation: `certified` or `sampled`. */
  readonly edges: string;
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
  /** Corner blending: name in the table of blend rules. */
  readonly corners: string;
  /** Initial roadmap of planners that build one; must belong to this robot and scene. */
  readonly roadmap: RoadmapData | undefined;
  /** Adds a certificate to the result: for each pair, planes that separate it at every instant. */
  readonly certificate: boolean;
}

/** Defaults of `PlanOptions`. */
export const planDefaults: PlanOptions = {
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
};

/** Clock and callbacks of `planMotion`. They do not change the result, except that the clock may end the search. */
export interface PlanHooks {
  /** Monotonic clock, milliseconds. Without it, times are 0 and only the iteration limit ends the search. */
  readonly clock?: () => number;
  /** Called at intervals while the planner runs. */
  readonly progress?: (iterations: number, elapsedMs: number) => void;
  /** Called for each improved path of an anytime planner with its length and the iterations so far. */
  readonly better?: (length: number, iterations: number) => void;
  /** Set if other seeds plan the same problem in parallel. */
  readonly race?: Race;
}

/**
 * Connection of one seed to a race of several seeds: may end a search that cannot win, and does not change the winning
 * result.
 */
export interface Race {
  /** Returns the number of iterations after which a path cannot win any more; decreases as other seeds finish. */
  mostIterations(): number;
  /** Called when the result has been checked, with the iterations of the search for its path. */
  done(iterations: number): void;
}

/** Returns the planner's options: its defaults, overridden by those given. Throws `InputError` for unknown options. */
export function plannerOptions(
  planner: PlannerDefinition,
  { planner: name, plannerOptions }: PlanOptions,
): Record<string, number> {
  const values = Object.fromEntries(Object.entries(planner.options).map(([key, { value }]) => [key, value]));
  for (const [key, value] of Object.entries(plannerOptions)) {
    if (!Object.hasOwn(values, key))
      throw new InputError(`planner "${name}" has no option "${key}"`, suggestion(key, Object.keys(values)));
    values[key] = value;
  }
  return values;
}
