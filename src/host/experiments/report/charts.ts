import type { ChartSpec } from '../../../formats/picture/chart.ts';
import { type Analysis, type Comparison, type ConditionResult, pairsOf } from '../analysis.ts';
import { type MetricName, metrics } from '../metricTable.ts';
import { axisOf, chartColours, colourOf, drawable, frame, palette, scaleOf } from './chartParts.ts';

/** One chart of a report. */
export interface Figure {
  /** File name without extension. */
  readonly name: string;
  readonly caption: string;
  readonly spec: ChartSpec;
  /** True if the chart is small and placed beside others of its kind. */
  readonly small?: boolean;
}

/** Point limit of a chart: larger data are thinned out evenly. */
const MAX_POINTS = 400;
/** Limits: pairwise scatter charts on a page, problems in a legend. */
const MAX_SCATTERS = 6;
const MAX_COLOURED_PROBLEMS = 8;
/** Factor beyond the worst value at which an unsolved run is drawn, on a logarithmic axis. */
const BEYOND = 1.6;
/** Factor by which logarithmic axes extend beyond the values on either side. */
const LOG_MARGIN = 1.15;

/** Returns the charts of an experiment: fraction solved over time, box plots of each metric, pairwise scatter plots. */
export function figuresOf(analysis: Analysis): Figure[] {
  const { conditions, comparisons } = analysis;
  const [first] = analysis.metrics;
  const solved = conditions.some((condition) => condition.solved > 0);
  if (!solved) return [];
  const scatters = comparisons.filter(({ metric }) => metric === first).slice(0, MAX_SCATTERS);
  return [
    { name: 'cactus', caption: cactusCaption(first), spec: cactus(conditions, first) },
    ...analysis.metrics.map((metric) => ({
      name: `boxes-${metric}`,
      caption: `${sentence(metrics[metric].title)} of solved runs: median, quartiles, and whiskers at 5 % and 95 %.`,
      spec: boxes(conditions, metric),
    })),
    ...scatters.map((pair, i) => scatterFigure(analysis, pair, i + 1)),
  ];
}

const sentence = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);

const cactusCaption = (metric: MetricName) =>
  `How many runs are solved within a given ${metrics[metric].title.replace(/ \(.*$/, '')}: lower and further ` +
  'right is better.';

function cactus(conditions: readonly ConditionResult[], metric: MetricName): ChartSpec {
  const values = conditions.flatMap(({ label, samples }) => {
    const sorted = samples
      .map((sample) => sample.values[metric])
      .filter((value) => !Number.isNaN(value))
      .sort((a, b) => a - b);
    const stride = Math.max(1, Math.ceil(sorted.length / MAX_POINTS));
    return sorted.flatMap((value, i) =>
      (i + 1) % stride === 0 || i === 0 || i === sorted.length - 1 ? [{ setting: label, solved: i + 1, value }] : [],
    );
  });
  const shown = drawable(values, metric);
  return {
    ...frame(640, 320),
    data: { values: shown },
    mark: { type: 'line', interpolate: 'step-before', strokeWidth: 2, strokeJoin: 'round' },
    encoding: {
      x: {
        field: 'solved',
        type: 'quantitative',
        title: 'problems and seeds solved',
        scale: { zero: true, nice: false },
      },
      y: {
        field: 'value',
        type: 'quantitative',
        title: metrics[metric].title,
        scale: scaleOf(metric),
        axis: axisOf(
          metric,
          shown.map(({ value }) => value),
        ),
      },
      color: colourOf(conditions),
    },
  };
}

function boxes(conditions: readonly ConditionResult[], metric: MetricName): ChartSpec {
  const values = conditions.flatMap(({ label, metrics: results }) => {
    const { count, p5, quartiles, median, p95 } = results[metric];
    return count === 0 ? [] : [{ setting: label, p5, q1: quartiles[0], median, q3: quartiles[1], p95 }];
  });
  const shown = drawable(values, metric);
  const ends = shown.flatMap(({ p5, p95 }) => [p5, p95]);
  const x = (field: string) => ({
    field,
    type: 'quantitative',
    title: metrics[metric].title,
    scale: scaleOf(metric),
    axis: axisOf(metric, ends),
  });
  const color = { ...colourOf(conditions), legend: null };
  return {
    ...frame(640, { step: 34 }),
    data: { values: shown },
    encoding: {
      y: {
        field: 'setting',
        type: 'nominal',
        title: null,
        sort: conditions.map(({ label }) => label),
        axis: { labelLimit: 260, grid: false },
      },
    },
    layer: [
      { mark: { type: 'rule', strokeWidth: 1.5 }, encoding: { x: x('p5'), x2: { field: 'q1' }, color } },
      { mark: { type: 'rule', strokeWidth: 1.5 }, encoding: { x: x('q3'), x2: { field: 'p95' }, color } },
      {
        mark: { type: 'bar', height: 16, cornerRadius: 2, fillOpacity: 0.35, strokeWidth: 1.5, filled: true },
        encoding: { x: x('q1'), x2: { field: 'q3' }, color, stroke: color },
      },
      { mark: { type: 'tick', thickness: 3, size: 16 }, encoding: { x: x('median'), color } },
    ],
  };
}

function scatterFigure({ conditions, problems }: Analysis, { a, b, metric }: Comparison, number: number): Figure {
  const find = (label: string) => conditions.find((condition) => condition.label === label)!;
  const title = metrics[metric].title;
  return {
    name: `scatter-${number}`,
    caption:
      `${sentence(title)}: ${b} against ${a}, a point for each problem and seed. Below the line ${b} is better; ` +
      'crosses at the edge: only one of the two is solved.',
    spec: scatter(find(a), find(b), metric, problems),
    small: true,
  };
}

function scatter(a: ConditionResult, b: ConditionResult, metric: MetricName, problems: readonly string[]): ChartSpec {
  const { values, known, domain, isMixed } = scatterPoints(a, b, metric);
  const axis = (field: string, label: string) => ({
    field,
    type: 'quantitative',
    title: label,
    scale: metrics[metric].logarithmic ? { type: 'log', domain, nice: false } : { domain, nice: false, zero: false },
    axis: axisOf(metric, known),
  });
  const coloured = problems.length > 1 && problems.length <= MAX_COLOURED_PROBLEMS;
  const legend = { orient: 'bottom', columns: 3, labelLimit: 88 };
  const colour = { field: 'problem', type: 'nominal', title: null, sort: problems, scale: { range: palette }, legend };
  return {
    ...frame(300, 300),
    layer: [
      {
        data: { values: [{ at: domain[0] }, { at: domain[1] }] },
        mark: { type: 'line', color: chartColours.faint, strokeDash: [4, 4], strokeWidth: 1 },
        encoding: { x: axis('at', a.label), y: axis('at', b.label) },
      },
      {
        data: { values },
        mark: { type: 'point', filled: true, size: 28, opacity: 0.75, color: palette[0] },
        encoding: {
          x: axis('x', a.label),
          y: axis('y', b.label),
          ...(coloured ? { color: colour } : {}),
          ...(isMixed
            ? {
                shape: {
                  field: 'answer',
                  type: 'nominal',
                  legend: null,
                  scale: { domain: ['both solved', 'one without'], range: ['circle', 'cross'] },
                },
              }
            : {}),
        },
      },
    ],
  };
}

/**
 * Computes the points of a scatter plot; a run that one of the two did not solve lies at the edge of its `domain`.
 * `known`: all values.
 */
function scatterPoints(a: ConditionResult, b: ConditionResult, metric: MetricName) {
  const pairs = pairsOf(a, b).filter(([one, other]) => one.solved || other.solved);
  const stride = Math.max(1, Math.ceil(pairs.length / (4 * MAX_POINTS)));
  const raw = pairs.flatMap(([one, other], i) =>
    i % stride === 0 ? [{ problem: one.problem, x: one.values[metric], y: other.values[metric] }] : [],
  );
  const shown = drawable(raw, metric);
  const known = shown.flatMap(({ x, y }) => [x, y]).filter((value) => !Number.isNaN(value));
  const least = known.reduce((so, value) => Math.min(so, value), Number.POSITIVE_INFINITY);
  const most = known.reduce((so, value) => Math.max(so, value), Number.NEGATIVE_INFINITY);
  const { logarithmic } = metrics[metric];
  const isMixed = raw.some(({ x, y }) => Number.isNaN(x) || Number.isNaN(y));
  const edge = !isMixed ? most : logarithmic ? most * BEYOND : most + 0.08 * (most - least || 1);
  const values = shown.map(({ problem, x, y }) => ({
    problem,
    x: Number.isNaN(x) ? edge : x,
    y: Number.isNaN(y) ? edge : y,
    answer: Number.isNaN(x) || Number.isNaN(y) ? 'one without' : 'both solved',
  }));
  const domain = logarithmic ? [least / LOG_MARGIN, edge * LOG_MARGIN] : [least, edge];
  return { values, known, domain, isMixed };
}
