import type { ChartSpec } from '../../../formats/picture/chart.ts';
import type { ConditionResult } from '../analysis.ts';
import { type MetricName, metrics } from '../metricTable.ts';

/** Colours of charts on white; the report page replaces ink, faint ink and grid by its own. */
export const chartColours = { ink: '#1f2933', faint: '#66727e', grid: '#e3e8ee' } as const;

/** Hues with sufficient contrast on light and dark backgrounds. */
export const palette = [
  '#3b82c4',
  '#e08a2c',
  '#3a9d6e',
  '#d1495b',
  '#8b6fc0',
  '#2a9da8',
  '#a0744f',
  '#d070a8',
  '#7d8794',
  '#9a9a3a',
];

/** Configuration that all charts share. */
export const frame = (width: number, height: number | { readonly step: number }): ChartSpec => ({
  width,
  height,
  background: null,
  padding: 4,
  config: {
    font: 'system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", Arial, sans-serif',
    view: { stroke: null },
    axis: {
      labelColor: chartColours.faint,
      titleColor: chartColours.ink,
      gridColor: chartColours.grid,
      domainColor: chartColours.faint,
      tickColor: chartColours.faint,
      labelFontSize: 12,
      titleFontSize: 12,
      titleFontWeight: 'normal',
      titlePadding: 8,
      labelPadding: 4,
    },
    legend: {
      orient: 'top',
      labelColor: chartColours.ink,
      labelFontSize: 12,
      labelLimit: 300,
      columns: 3,
      symbolStrokeWidth: 3,
      padding: 0,
    },
  },
});

/** Scale that assigns a colour to each condition, the same in every chart. */
export const colourOf = (conditions: readonly ConditionResult[]) => ({
  field: 'setting',
  type: 'nominal',
  title: null,
  scale: { domain: conditions.map(({ label }) => label), range: conditions.map((_, i) => palette[i % palette.length]) },
});

/** Scale of a metric: logarithmic if its values span powers of ten. */
export const scaleOf = (metric: MetricName) =>
  metrics[metric].logarithmic ? { type: 'log', nice: false, padding: 8 } : { zero: false, nice: true };

/** Ticks of a logarithmic axis: 1, 2, 5 times powers of ten, or powers of ten alone if the range is large. */
export function axisOf(metric: MetricName, values: Iterable<number>) {
  if (!metrics[metric].logarithmic) return { tickCount: 6 };
  let least = Number.POSITIVE_INFINITY;
  let most = 0;
  for (const value of values) {
    if (!(value > 0)) continue;
    least = Math.min(least, value);
    most = Math.max(most, value);
  }
  if (most === 0) return {};
  const steps = most / least > 3000 ? [1] : [1, 2, 5];
  const ticks: number[] = [];
  for (let power = Math.floor(Math.log10(least)) - 1; power <= Math.log10(most) + 1; power++) {
    for (const step of steps) ticks.push(step * 10 ** power);
  }
  const labelExpr = "format(datum.value, datum.value < 1 ? '~g' : '~s')"; // 0.5, not 500m
  return { labelExpr, values: ticks.filter((tick) => tick >= least / 3 && tick <= most * 3) };
}

/** Replaces 0, which a logarithmic axis cannot show, by half of the minimum positive value. */
export function drawable<T extends Readonly<Record<string, string | number>>>(
  rows: readonly T[],
  metric: MetricName,
): T[] {
  if (!metrics[metric].logarithmic) return [...rows];
  const isMeasure = (key: string, value: string | number): value is number =>
    typeof value === 'number' && key !== 'solved';
  let least = Number.POSITIVE_INFINITY;
  for (const row of rows) {
    for (const [key, value] of Object.entries(row))
      if (isMeasure(key, value) && value > 0) least = Math.min(least, value);
  }
  const floor = Number.isFinite(least) ? least / 2 : 1;
  return rows.map(
    (row) =>
      Object.fromEntries(
        Object.entries(row).map(([key, value]) => [key, isMeasure(key, value) && value <= 0 ? floor : value]),
      ) as T,
  );
}
