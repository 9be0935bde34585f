/** Results of a benchmark of OMPL, from its log or its database. */
export interface OmplBenchmark {
  /** Name of the experiment. */
  readonly name: string;
  /** Time limit of each run, s. */
  readonly timeLimit: number;
  readonly planners: readonly OmplPlanner[];
}

/** All runs of one planner. */
export interface OmplPlanner {
  /** Name as in the log, for example `geometric_RRTConnect`. */
  readonly name: string;
  readonly runs: readonly OmplRun[];
}

/** One run. Properties by name, without their types; undefined if a run has no value. */
export interface OmplRun {
  readonly properties: Readonly<Record<string, number | undefined>>;
  /** Text of the property `status`; undefined if the benchmark has none. */
  readonly status: string | undefined;
  /** Samples of the progress of the planner in order; empty if it reported none. */
  readonly progress: readonly Readonly<Record<string, number>>[];
}
