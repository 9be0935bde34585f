import { InputError, suggestion } from '../../errors.ts';
import type { PlannerDefinition, RoadmapData } from '../../planning/planner.ts';

/** How to plan; `planDefaults` holds what is not given. */
export interface PlanOptions {
  /** Name in the table of planners. */
  readonly planner: string;
  /** Values of the planner's own options, by name. */
  readonly plannerOptions: Readonly<Record<string, number>>;
  /** What the travel of a joint counts in the length of a path, by name: radians for each radian or metre. Over what the scene says, and that over `balancedWeights`. */
  readonly weights: Readonly<Record<string, number>>;
  /** Name in the table of checkers (narrow phase). */
  readonly checker: string;
  /** Name in the table of edge checks. */
  readonly edges: string;
  /** Greatest distance of two samples of an edge, rad (L2 over the joints). */
  readonly step: number;
  /** Of all random numbers: equal seeds give equal trajectories. A whole number of 53 bits. */
  readonly seed: number;
  /** Iterations of the planner; undefined: as many as it says itself. */
  readonly iterations: number | undefined;
  /** Give up after this long, s; looked at only where there is a clock. */
  readonly timeLimit: number;
  /** Shorten the path. */
  readonly shortcut: boolean;
  /** Give the path its times; without: a path of straight lines. */
  readonly timing: boolean;
  /** Name in the table of corner rules: how a timed motion gets past the corners of its path. */
  readonly corners: string;
  /** What planners with a roadmap begin with: one that fits this robot and scene. */
  readonly roadmap: RoadmapData | undefined;
  /** Give the proof along: the planes that part every pair all the time. */
  readonly certificate: boolean;
}

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

/** What the outside world lends: nothing here decides what the answer is, but for the clock, which may end the search. */
export interface PlanHooks {
  /** Milliseconds, running forward. Without it nothing is timed and only iterations end the search. */
  readonly clock?: () => number;
  /** Called now and then while the planner runs. */
  readonly progress?: (iterations: number, elapsedMs: number) => void;
  /** Told of each path better than the last one, by planners that go on improving: its length, and the iterations so far. */
  readonly better?: (length: number, iterations: number) => void;
  /** Where other seeds plan the same at the same time. */
  readonly race?: Race;
}

/** One seed's view of a race of several: it may end a search that cannot win, and changes no answer that does. */
export interface Race {
  /** Iterations after which a path could not win any more; falls as others get done. */
  mostIterations(): number;
  /** Told once the answer is checked: the iterations that the search for its path took. */
  done(iterations: number): void;
}

/** The planner's options: its defaults, and what was given over them. */
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
