import type { SearchAnalysis, SearchResult, SearchSection } from '../search/convergence.ts';
import type { MedianEstimate } from '../search/orderStatistics.ts';
import { escaped, figure, percent } from './reportTables.ts';

/** Row limit of the table of problems. */
const MAX_PROBLEMS = 100;

const note = [
  'Medians of all runs, those without a path included as infinite; – where half of the runs have none.',
  'Lengths are relative to the shortest path known of each problem.',
  'A search of a planner that does not improve its path ends with the first one.',
].join(' ');

/** Returns the section of searches over time; empty if no search was recorded. */
export function searchSection(searches: SearchAnalysis | undefined): string {
  if (searches === undefined) return '';
  const { all, byProblem } = searches;
  const shown = byProblem.slice(0, MAX_PROBLEMS);
  const problems = shown.map(
    (section) =>
      `<tr><th class="group" colspan="7" scope="rowgroup">${escaped(section.problem)}</th></tr>\n${rowsOf(section)}`,
  );
  const rest =
    byProblem.length > shown.length ? `<p>The first ${shown.length} of ${byProblem.length} problems.</p>` : '';
  const table = `${tableOf(problems.join('\n'), 'rad, m')}${rest}`;
  const details =
    problems.length === 0 ? '' : `<details><summary>By problem, with lengths in rad, m</summary>\n${table}</details>`;
  return `<section>
<h2>Searches</h2>
<p>${note}</p>
${tableOf(rowsOf(all), 'relative')}
${details}
</section>`;
}

const tableOf = (rows: string, unit: string) => `<div class="wide"><table>
<thead><tr><th rowspan="2">setting</th><th rowspan="2" class="numbers">with a path [95 %]</th><th colspan="2">first path [95 %]</th><th colspan="3">length, ${unit} [95 %]</th></tr>
<tr><th>time (ms)</th><th>iterations</th><th>first</th><th>end of search</th><th>simplified</th></tr></thead>
<tbody>
${rows}
</tbody></table></div>`;

const rowsOf = ({ settings }: SearchSection) => settings.map(rowOf).join('\n');

function rowOf(result: SearchResult): string {
  const { label, runs, solved, success, firstMs, firstIterations, firstLength, searchLength, finalLength } = result;
  const bounds = `${percent(solved / runs)} [${percent(success.lower)}, ${percent(success.upper)}]`;
  const share = `${solved} of ${runs} <small class="below">${bounds}</small>`;
  const cells = [
    cellOf(firstMs, 3),
    cellOf(firstIterations, 4),
    ...[firstLength, searchLength, finalLength].map((one) => cellOf(one, 4)),
  ];
  return `<tr><th scope="row">${escaped(label)}</th><td>${share}</td>${cells.join('')}</tr>`;
}

function cellOf({ median, interval: { lower, upper } }: MedianEstimate, digits: number): string {
  const bounds = Number.isNaN(lower)
    ? ''
    : ` <small class="below">[${boundOf(lower, digits)}, ${boundOf(upper, digits)}]</small>`;
  return `<td>${figure(median, digits)}${bounds}</td>`;
}

const boundOf = (value: number, digits: number) => (value === Number.POSITIVE_INFINITY ? '∞' : figure(value, digits));
