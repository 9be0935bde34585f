import type { ChartSpec } from '../../../formats/picture/chart.ts';
import type { SearchAnalysis, SearchResult, SearchSection } from '../search/convergence.ts';
import { chartColours, frame, palette } from './chartParts.ts';
import type { Figure } from './charts.ts';

/** Limit of the problems that have charts of their own. */
const MAX_PROBLEM_CHARTS = 12;
const BAND_OPACITY = 0.14;
/** Scale of lengths divided by the shortest one: first paths may be ten times as long as the last ones. */
const RELATIVE = { type: 'log', nice: false };

/** A row of a curve: its value, and the bounds of its band if it has one. */
interface Row {
  readonly setting: string;
  readonly at: number;
  readonly value: number;
  readonly lower?: number;
  readonly upper?: number;
}

/** Returns the charts of searches over time: the share of runs with a path, and the length of the best path so far. */
export function searchFiguresOf(searches: SearchAnalysis | undefined, labels: readonly string[]): Figure[] {
  if (searches === undefined) return [];
  const { all, byProblem } = searches;
  const most = Math.max(...all.settings.map(({ runs }) => runs));
  return [
    {
      name: 'success-over-time',
      caption: [
        `Share of all ${most} runs that have a path, over the time of the search; runs that fail count.`,
        'Bands: 95 % Wilson intervals at each time.',
      ].join(' '),
      spec: curveChart(all, labels, successRow, 'runs with a path', 640, { domain: [0, 1] }, { format: '%' }),
    },
    {
      name: 'length-over-time',
      caption: [
        'Length of the best path so far, divided by the shortest path known of the problem: median of all runs,',
        'runs without a path counting as infinite. A curve begins when half of the runs have a path; bands: 95 %',
        'intervals of order statistics, where both bounds are finite.',
      ].join(' '),
      spec: curveChart(all, labels, lengthRow, 'length / shortest known', 640, RELATIVE),
    },
    {
      name: 'length-over-iterations',
      caption: [
        'The same over iterations, which are equal on every machine. Iterations of different planners differ in what',
        'they do and cost: BIT* processes an edge of its queue, RRT* a sample.',
      ].join(' '),
      spec: curveChart(all, labels, lengthRow, 'length / shortest known', 640, RELATIVE, { axis: 'iterations' }),
    },
    ...byProblem.slice(0, MAX_PROBLEM_CHARTS).map(
      (section, i): Figure => ({
        name: `length-over-time-${i + 1}`,
        caption: `${section.problem}: length of the best path so far, median of all runs.`,
        spec: curveChart(section, labels, lengthRow, 'length (rad, m)', 300, { zero: false, nice: true }),
        small: true,
      }),
    ),
  ];
}

type RowOf = (setting: string, point: SearchResult['curve'][number], runs: number) => Row | undefined;

const successRow: RowOf = (setting, { at, solved, success }, runs) => ({
  setting,
  at,
  value: solved / runs,
  ...success,
});

const lengthRow: RowOf = (setting, { at, length: { median, interval } }) => {
  if (!Number.isFinite(median)) return undefined;
  const { lower, upper } = interval;
  return { setting, at, value: median, ...(Number.isFinite(lower) && Number.isFinite(upper) ? { lower, upper } : {}) };
};

function curveChart(
  { settings }: SearchSection,
  labels: readonly string[],
  rowOf: RowOf,
  title: string,
  width: number,
  scale: Readonly<Record<string, unknown>>,
  { format, axis = 'time' }: { readonly format?: string; readonly axis?: 'time' | 'iterations' } = {},
): ChartSpec {
  const rows = settings.flatMap(({ label, runs, curve, iterationCurve }) =>
    (axis === 'time' ? curve : iterationCurve)
      .map((point) => rowOf(label, point, runs))
      .filter((row) => row !== undefined),
  );
  const color = {
    field: 'setting',
    type: 'nominal',
    title: null,
    scale: { domain: labels, range: labels.map((_, i) => palette[i % palette.length]) },
    legend: {
      symbolOpacity: 1, // not that of the bands
      columns: 2,
      ...(width < 640 ? { orient: 'bottom', labelLimit: 130 } : { labelLimit: 420 }),
    },
  };
  const x = {
    field: 'at',
    type: 'quantitative',
    title: axis === 'time' ? 'time of the search (ms)' : 'iterations',
    scale: { type: 'log', nice: false },
    axis: {
      labelExpr: "format(datum.value, datum.value < 1 ? '~g' : '~s')",
      tickCount: 6,
      gridColor: chartColours.grid,
    },
  };
  const y = (field: string) => ({
    field,
    type: 'quantitative',
    title,
    scale,
    axis: { tickCount: 6, ...(format ? { format } : {}) },
  });
  return {
    ...frame(width, width < 640 ? 240 : 320),
    layer: [
      {
        data: { values: rows.filter(({ lower }) => lower !== undefined) },
        mark: { type: 'area', interpolate: 'step-after', opacity: BAND_OPACITY },
        encoding: { x, y: y('lower'), y2: { field: 'upper' }, color },
      },
      {
        data: { values: rows },
        mark: { type: 'line', interpolate: 'step-after', strokeWidth: 2, strokeJoin: 'round' },
        encoding: { x, y: y('value'), color },
      },
    ],
  };
}
