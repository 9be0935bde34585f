import { type PageData, type RobotModel, type Trajectory, TrajectoryCurve } from 'elbowroom';
import { distanceUnit } from 'elbowroom/collision';
import type { ClearanceSample, ConstraintCurve, LimitProfile } from 'elbowroom/types';
import { Chart, type Curve } from '../chart.ts';
import { element } from '../dom.ts';
import { limitColor } from '../motion/timeline.ts';

type Stats = NonNullable<PageData['stats']>;

/** Samples per curve, sufficient for the width of a chart. */
const SAMPLES = 240;

/** Creates charts of joint positions, velocities and accelerations over time, with their limits. */
export function jointCharts(trajectory: Trajectory, robot: RobotModel, onChoose: (time: number) => void): Chart[] {
  const curve = new TrajectoryCurve(trajectory);
  const dof = trajectory.jointNames.length;
  const moments = Array.from(
    { length: SAMPLES },
    (_, i) => curve.start + ((curve.end - curve.start) * i) / (SAMPLES - 1),
  );
  const row = new Float64Array(dof);
  const upper = new Float64Array(dof);
  const sampled = (fill: (time: number) => void, divide: (j: number) => number) => {
    const curves = trajectory.jointNames.map((label) => ({ label, points: [] as [number, number][] }));
    for (const time of moments) {
      fill(time);
      for (let j = 0; j < dof; j++) curves[j].points.push([time, row[j] / divide(j)]);
    }
    return curves.filter(({ points }) => points.every(([, value]) => Number.isFinite(value)));
  };
  const limit = (kind: 'velocity' | 'acceleration') => (j: number) =>
    robot.variables.find(({ name }) => name === trajectory.jointNames[j])?.limits[kind] ?? Number.POSITIVE_INFINITY;
  const charts = [
    new Chart({
      title: 'Joints',
      unit: 'rad or m',
      curves: sampled(
        (time) => curve.position(row, time),
        () => 1,
      ),
      onChoose,
    }),
  ];
  if (trajectory.points.some((point) => point.time_from_start === undefined)) return charts;
  charts.push(
    new Chart({
      title: 'Velocity',
      unit: 'of its limit',
      curves: sampled((time) => curve.velocity(row, time), limit('velocity')),
      limits: [-1, 1],
      onChoose,
    }),
    new Chart({
      title: 'Acceleration',
      unit: 'of its limit',
      curves: sampled((time) => accelerationAt(row, upper, curve, time), limit('acceleration')),
      limits: [-1, 1],
      onChoose,
    }),
  );
  return charts;
}

/** Computes the acceleration by central differences of the velocity, h seconds to either side. */
function accelerationAt(out: Float64Array, scratch: Float64Array, curve: TrajectoryCurve, time: number): void {
  const h = 1e-5 * Math.max(1e-3, curve.end - curve.start);
  const [before, after] = [Math.max(curve.start, time - h), Math.min(curve.end, time + h)];
  curve.velocity(out, after);
  curve.velocity(scratch, before);
  for (let j = 0; j < out.length; j++) out[j] = (out[j] - scratch[j]) / (after - before);
}

export function clearanceChart(
  title: string,
  samples: readonly ClearanceSample[],
  onChoose: (time: number) => void,
): Chart {
  const points = samples.map(({ time, distance }): [number, number] => [time, 1000 * distance]);
  return new Chart({ title, unit: 'mm', curves: [{ label: 'clearance', points }], limits: [0], onChoose });
}

/** Units of the charts of margins, and factors from SI units. */
const MARGIN_UNITS = [
  ['rad', 'degrees', 180 / Math.PI],
  ['m', 'mm', 1000],
  ['m/s', 'mm/s', 1000],
  ['kg m/s', 'kg m/s', 1],
  ['W', 'W', 1],
] as const;

/** Interrupts a curve. */
const GAP: [number, number] = [Number.NaN, Number.NaN];

/** Creates a chart of the margins of constraints for each unit; below 0, a constraint is violated. */
export function marginCharts(curves: readonly ConstraintCurve[], onChoose: (time: number) => void): Chart[] {
  return MARGIN_UNITS.flatMap(([unit, shown, factor]) => {
    const own = new Map<string, [number, number][]>();
    for (const curve of curves) {
      if (curve.unit !== unit) continue;
      const points = own.get(curve.label);
      const added = curve.points.map(([time, margin]): [number, number] => [time, factor * margin]);
      own.set(curve.label, points ? [...points, GAP, ...added] : added);
    }
    if (own.size === 0) return [];
    const named = [...own].map(([label, points]) => ({ label, points }));
    const options = { curves: named, limits: [0], onChoose, alwaysNamed: true };
    return [new Chart({ title: 'Margins of constraints', unit: shown, ...options })];
  });
}

/** Creates the legend of active limits: for how long the motion uses each one to the full. */
export function limitTimes({ active }: LimitProfile): HTMLElement {
  const times = new Map<string, number>();
  for (const { limit, from, to } of active) times.set(limit, (times.get(limit) ?? 0) + to - from);
  const items = [...times].map(([limit, time]) =>
    element('li', {}, element('span', { class: `swatch c${limitColor(limit)}` }), `${limit} ${time.toFixed(2)} s`),
  );
  if (items.length === 0) return element('p', { class: 'hint' }, 'No limit is used to the full.');
  return element(
    'figure',
    {},
    element('figcaption', {}, 'At the limit of'),
    element('ul', { class: 'legend' }, ...items),
  );
}

/** Creates the charts of torques against their limits, and of the power of the drives. */
export function forceCharts({ torques, power }: LimitProfile, onChoose: (time: number) => void): Chart[] {
  const chart = (title: string, unit: string, curves: readonly Curve[], limits: readonly number[]) =>
    new Chart({ title, unit, curves, limits, onChoose });
  return [
    ...(torques.length > 0 ? [chart('Torque', 'of its limit', torques, [-1, 1])] : []),
    ...(power.length > 0 ? [chart('Power of the drives', 'W', [{ label: 'power', points: power }], [])] : []),
  ];
}

/** Creates the list of the main statistics of a plan. */
export function figures(
  stats: Stats | undefined,
  trajectory: Trajectory,
  robot: RobotModel,
  hash: string,
): HTMLElement {
  const rows: [string, string][] = [];
  const add = (label: string, value: string | number | null | undefined, unit = '') => {
    if (value !== undefined && value !== null) rows.push([label, `${value}${unit && ` ${unit}`}`]);
  };
  const ms = stats && stats.planning_ms + stats.shortcut_ms + stats.timing_ms + stats.check_ms;
  add('planner', trajectory.planner);
  add('seed', trajectory.seed);
  add('time', ms && ms > 0 ? ms.toFixed(1) : undefined, 'ms');
  add('path length', stats?.path_length?.toFixed(3), distanceUnit(robot));
  add('duration', stats?.duration?.toFixed(3) ?? trajectory.points.at(-1)?.time_from_start?.toFixed(3), 's');
  add('states checked', stats?.states_checked);
  add('edges checked', stats?.edges_checked);
  add('nodes', stats?.nodes);
  const list = element('dl', { class: 'figures' });
  for (const [label, value] of rows) list.append(element('dt', {}, label), element('dd', {}, value));
  list.append(element('dt', {}, 'hash'), element('dd', { class: 'hash' }, element('code', { id: 'hash' }, hash)));
  return list;
}
