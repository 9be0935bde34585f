/** Quantity that the report compares. */
export interface Metric {
  /** Heading and axis title, with its unit. */
  readonly title: string;
  /** Significant digits in tables. */
  readonly digits: number;
  /** True if the values span powers of ten: charts have a logarithmic axis. */
  readonly logarithmic: boolean;
}

const milliseconds = (title: string): Metric => ({ title: `${title} (ms)`, digits: 3, logarithmic: true });
const count = (title: string): Metric => ({ title, digits: 4, logarithmic: true });

/** Fields of a record that can be compared; for all of them, smaller is better. */
export const metrics = {
  total_ms: milliseconds('total time'),
  planning_ms: milliseconds('planning time'),
  shortcut_ms: milliseconds('shortcut time'),
  timing_ms: milliseconds('timing time'),
  check_ms: milliseconds('proof time'),
  narrowphase_ms: milliseconds('narrow-phase time'),
  states_checked: count('states checked'),
  edges_checked: count('edges checked'),
  pair_checks: count('pair checks'),
  nodes: count('nodes'),
  iterations: count('iterations'),
  path_length: { title: 'path length (rad, m)', digits: 3, logarithmic: false },
  first_ms: milliseconds('time to the first path'),
  first_iterations: count('iterations to the first path'),
  first_length: { title: 'length of the first path (rad, m)', digits: 3, logarithmic: false },
  search_ms: milliseconds('search time'),
  search_length: { title: 'path length before simplification (rad, m)', digits: 3, logarithmic: false },
  duration: { title: 'duration of the motion (s)', digits: 3, logarithmic: false },
  waypoints: { title: 'waypoints', digits: 3, logarithmic: false },
} as const satisfies Readonly<Record<string, Metric>>;

export type MetricName = keyof typeof metrics;

/** Default metrics of a report: total time, its main parts, and the quality of the path. */
export const defaultMetrics: readonly MetricName[] = ['total_ms', 'planning_ms', 'pair_checks', 'path_length'];
