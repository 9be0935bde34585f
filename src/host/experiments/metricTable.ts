/** Quantity that the report compares. */
export interface Metric {
  /** Heading and axis title, with its unit. */
  readonly title: string;
  /** Significant digits in tables. */
  readonly digits: number;
  /** True if the values span powers of ten: charts have a logarithmic axis. */
  readonly logarithmic: boolean;
  /** True if the search adds to it: that of an anytime planner is its budget, not its merit. */
  readonly search: boolean;
}

const milliseconds = (title: string, search = true): Metric => ({
  title: `${title} (ms)`,
  ...{ digits: 3, logarithmic: true, search },
});
const count = (title: string, search = true): Metric => ({ title, digits: 4, logarithmic: true, search });
const linear = (title: string): Metric => ({ title, digits: 3, logarithmic: false, search: false });

/** Fields of a record that can be compared; for all of them, smaller is better. */
export const metrics = {
  total_ms: milliseconds('total time'),
  planning_ms: milliseconds('planning time'),
  shortcut_ms: milliseconds('shortcut time', false),
  timing_ms: milliseconds('timing time', false),
  check_ms: milliseconds('proof time', false),
  narrowphase_ms: milliseconds('narrow-phase time'),
  states_checked: count('states checked'),
  edges_checked: count('edges checked'),
  pair_checks: count('pair checks'),
  nodes: count('nodes'),
  iterations: count('iterations'),
  path_length: linear('path length (rad, m)'),
  first_ms: milliseconds('time to the first path', false),
  first_iterations: count('iterations to the first path', false),
  first_length: linear('length of the first path (rad, m)'),
  search_ms: milliseconds('search time'),
  search_length: linear('path length before simplification (rad, m)'),
  duration: linear('duration of the motion (s)'),
  waypoints: linear('waypoints'),
} as const satisfies Readonly<Record<string, Metric>>;

export type MetricName = keyof typeof metrics;

/** Default metrics of a report: total time, its main parts, and the quality of the path. */
export const defaultMetrics: readonly MetricName[] = ['total_ms', 'planning_ms', 'pair_checks', 'path_length'];
