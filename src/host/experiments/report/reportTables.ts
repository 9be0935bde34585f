import type { Analysis, Comparison, MetricResult } from '../analysis.ts';
import { type MetricName, metrics } from '../metricTable.ts';
import { median, sortedCopy } from '../statistics.ts';

/** Significance level. */
const LEVEL = 0.05;
/** Row limit of the table of problems. */
const MAX_PROBLEMS = 300;

/** Returns the table of conditions: fraction solved and each metric of the solved runs. */
export function resultTable({ conditions, metrics: names }: Analysis): string {
  const heads = names.map((name) => `<th colspan="2">${escaped(metrics[name].title)}</th>`).join('');
  const subheads = names.map(() => '<th>median [95 %]</th><th>p95</th>').join('');
  const rows = conditions.map(({ label, runs, solved, success, metrics: results }) => {
    const bounds = runs === 0 ? '' : `${percent(solved / runs)} [${percent(success.lower)}, ${percent(success.upper)}]`;
    const cells = names.map((name) => metricCells(results[name], name)).join('');
    return (
      `<tr><th scope="row">${escaped(label)}</th><td>${solved} of ${runs} <small ` +
      `class="below">${bounds}</small></td>${cells}</tr>`
    );
  });
  return `<div class="wide"><table>
<thead><tr><th rowspan="2">setting</th><th rowspan="2" class="numbers">solved [95 %]</th>${heads}</tr><tr>${subheads}</tr></thead>
<tbody>
${rows.join('\n')}
</tbody></table></div>`;
}

function metricCells({ count, median: middle, interval, p95 }: MetricResult, name: MetricName): string {
  if (count === 0) return '<td>–</td><td>–</td>';
  const show = (value: number) => figure(value, metrics[name].digits);
  const bounds = Number.isNaN(interval.lower)
    ? ''
    : ` <small class="below">[${show(interval.lower)}, ${show(interval.upper)}]</small>`;
  return `<td>${show(middle)}${bounds}</td><td>${show(p95)}</td>`;
}

/** Returns the table of comparisons, grouped by metric. */
export function differenceTable({ comparisons, metrics: names }: Analysis): string {
  if (comparisons.length === 0) return '';
  const [first] = names;
  const solved = comparisons.filter(({ metric, onlyA, onlyB }) => metric === first && onlyA + onlyB > 0);
  const groups = [
    ...(solved.length > 0 ? [groupRow('solved'), ...solved.map(solvedRow)] : []),
    ...names.flatMap((name) => [
      groupRow(metrics[name].title),
      ...comparisons.filter(({ metric }) => metric === name).map(ratioRow),
    ]),
  ];
  return `<div class="wide"><table>
<thead><tr><th class="words">settings</th><th>median ratio [95 %]</th><th>p</th><th>effect</th><th>pairs</th><th class="words">verdict at 5 %</th></tr></thead>
<tbody>
${groups.join('\n')}
</tbody></table></div>`;
}

const groupRow = (title: string) => `<tr><th class="group" colspan="6" scope="rowgroup">${escaped(title)}</th></tr>`;

const namesOf = ({ a, b }: Comparison) =>
  `<th scope="row">${escaped(b)} <span class="against">against ${escaped(a)}</span></th>`;

function ratioRow(one: Comparison): string {
  const { pairs, ratio, interval, test, adjusted } = one;
  const bounds = Number.isNaN(interval.lower)
    ? ''
    : ` <small>[${figure(interval.lower, 3)}, ${figure(interval.upper, 3)}]</small>`;
  const cells =
    pairs === 0
      ? '<td>–</td><td>–</td><td>–</td>'
      : `<td>× ${figure(ratio, 3)}${bounds}</td><td>${pText(adjusted)}</td><td>${signed(test.effect)}</td>`;
  return (
    `<tr class="${toneOf(one)}">${namesOf(one)}${cells}<td>${pairs}</td><td ` +
    `class="words">${verdictOf(one)}</td></tr>`
  );
}

function solvedRow(one: Comparison): string {
  const { onlyA, onlyB, successP } = one;
  const sure = successP < LEVEL;
  const tone = !sure ? 'even' : onlyB > onlyA ? 'better' : 'worse';
  const verdict = sure ? `solves ${onlyB > onlyA ? 'more' : 'fewer'}` : 'no significant difference';
  return (
    `<tr class="${tone}">${namesOf(one)}<td>+${onlyB} ` +
    `−${onlyA}</td><td>${pText(successP)}</td><td>–</td><td>${onlyA + onlyB}</td><td ` +
    `class="words">${verdict}</td></tr>`
  );
}

function toneOf({ adjusted, test, pairs, isBudget }: Comparison): string {
  if (pairs === 0 || adjusted >= LEVEL || isBudget) return 'even';
  return test.effect < 0 ? 'better' : 'worse';
}

/** Describes a comparison: `32 % more, a large effect`. It refers to the setting named first. */
function verdictOf({ ratio, test, adjusted, pairs, isBudget }: Comparison): string {
  if (pairs === 0) return 'no pair that both solved';
  if (isBudget) return 'none: an anytime planner uses its whole budget; compare the first path';
  if (test.pairs === 0) return 'equal in every pair';
  if (adjusted >= LEVEL) return 'no significant difference';
  const share = Math.abs(ratio - 1);
  const amount = ratio >= 2 ? `${figure(ratio, 3)} times as much` : share < 0.0005 ? 'hardly' : percent(share);
  const direction = ratio < 1 || (ratio === 1 && test.effect < 0) ? 'less' : 'more';
  return `${ratio >= 2 ? amount : `${amount} ${direction}`}, ${sizeOf(test.effect, ratio)}`;
}

/**
 * Minimum relative difference of practical relevance: smaller ones are a negligible effect, however consistent they
 * are.
 */
const PRACTICAL = 0.01;

/**
 * Names an effect size with the conventional terms for correlations [Cohen88 §3.2]. The rank correlation measures how
 * consistent a difference is, not how large: below 1 % in the median it is negligible, below 5 % at most small, below
 * 20 % at most medium.
 */
export function sizeOf(effect: number, ratio: number): string {
  const change = Math.max(ratio, 1 / ratio) - 1;
  const most = change < PRACTICAL ? 0 : change < 0.05 ? 0.29 : change < 0.2 ? 0.49 : 1;
  const size = Math.min(Math.abs(effect), most);
  return size < 0.1
    ? 'a negligible effect'
    : size < 0.3
      ? 'a small effect'
      : size < 0.5
        ? 'a medium effect'
        : 'a large effect';
}

/** Returns the table of problems: each problem with every condition. */
export function problemTable({ conditions, problems, metrics: [first] }: Analysis): string {
  const shown = problems.slice(0, MAX_PROBLEMS);
  const heads = conditions.map(({ label }) => `<th>${escaped(label)}</th>`).join('');
  const byProblem = conditions.map(({ samples }) => {
    const groups = new Map<string, { count: number; values: number[] }>();
    for (const { problem, solved, values } of samples) {
      const group = groups.get(problem) ?? { count: 0, values: [] };
      groups.set(problem, group);
      group.count++;
      if (solved && !Number.isNaN(values[first])) group.values.push(values[first]);
    }
    return groups;
  });
  const rows = shown.map((problem) => {
    const cells = byProblem.map((groups) => {
      const { count = 0, values = [] } = groups.get(problem) ?? {};
      if (count === 0) return '<td>–</td>';
      const missed = values.length < count ? ` <small>${values.length} of ${count}</small>` : '';
      const middle = values.length === 0 ? '–' : figure(median(sortedCopy(values)), metrics[first].digits);
      return `<td>${middle}${missed}</td>`;
    });
    return `<tr><th scope="row">${escaped(problem)}</th>${cells.join('')}</tr>`;
  });
  const rest = problems.length > shown.length ? `<p>The first ${shown.length} of ${problems.length} problems.</p>` : '';
  const of = 'solved runs; the number of solved runs if not all are solved';
  const title = `Median ${escaped(metrics[first].title)} of ${of}`;
  return `<details${problems.length <= 20 ? ' open' : ''}><summary>${title}</summary>
<div class="wide"><table><thead><tr><th>problem</th>${heads}</tr></thead><tbody>
${rows.join('\n')}
</tbody></table></div>${rest}</details>`;
}

export const percent = (share: number) => `${figure(100 * share, 3)} %`;
const signed = (value: number) => `${value < 0 ? '−' : '+'}${Math.abs(value).toFixed(2)}`;
const pText = (p: number) => (p < 0.001 ? '&lt; 0.001' : p.toFixed(3));

/** Formats a number with significant digits, without exponent, with separated thousands. */
export function figure(value: number, digits: number): string {
  if (!Number.isFinite(value)) return '–';
  const places = Math.max(0, digits - 1 - Math.floor(Math.log10(Math.abs(value) || 1)));
  const text = value.toFixed(Math.min(6, places));
  const [whole, fraction] = (text.includes('.') ? text.replace(/\.?0+$/, '') : text).split('.');
  const grouped = whole.length > 4 ? whole.replace(/\B(?=(\d{3})+$)/g, '\u202f') : whole;
  return fraction === undefined ? grouped : `${grouped}.${fraction}`;
}

/** Escapes a text for HTML. */
export const escaped = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
