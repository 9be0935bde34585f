import type { Analysis, ConditionResult } from '../analysis.ts';
import type { ExperimentSummary } from '../loadExperiment.ts';
import { chartColours } from './chartParts.ts';
import type { Figure } from './charts.ts';
import { differenceTable, escaped, problemTable, resultTable } from './reportTables.ts';

/** Rendered chart. */
export interface DrawnFigure extends Figure {
  readonly svg: string;
}

/** Returns the report as a self-contained HTML page, light or dark as the browser prefers. */
export function reportPage(summary: ExperimentSummary, analysis: Analysis, figures: readonly DrawnFigure[]): string {
  const { name, description, version, machine } = summary;
  const runs = analysis.conditions.reduce((sum, condition) => sum + condition.runs, 0);
  const facts = [
    `${runs} of ${summary.runs} runs`,
    `${analysis.problems.length} ${analysis.problems.length === 1 ? 'problem' : 'problems'}`,
    `${analysis.conditions.length} ${analysis.conditions.length === 1 ? 'setting' : 'settings'}`,
    `elbowroom ${version}`,
    machine,
  ];
  const small = figures.filter((figure) => figure.small);
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${escaped(name)}</title>
<style>${style}</style>
</head>
<body>
<header>
<h1>${escaped(name)}</h1>
${description === undefined ? '' : `<p class="lead">${escaped(description)}</p>`}
<p class="facts">${facts.map((fact) => `<span>${escaped(fact)}</span>`).join('')}</p>
${notices(summary, analysis, runs)}
</header>
<main>
<section>
<h2>Results</h2>
${resultTable(analysis)}
</section>
${comparisonSection(analysis)}
<section>
<h2>Charts</h2>
${figures
  .filter((figure) => !figure.small)
  .map(figureMarkup)
  .join('\n')}
${small.length > 0 ? `<div class="pairs">\n${small.map(figureMarkup).join('\n')}\n</div>` : ''}
${figures.length === 0 ? '<p>No run was solved: there is nothing to draw.</p>' : ''}
</section>
<section>
<h2>By problem</h2>
${problemTable(analysis)}
</section>
<section class="method">
<h2>Statistics</h2>
${method}
</section>
</main>
</body>
</html>
`;
}

function comparisonSection(analysis: Analysis): string {
  const table = differenceTable(analysis);
  return table === '' ? '' : `<section>\n<h2>Differences</h2>\n${table}\n</section>`;
}

/** Returns notices about missing, failed and excluded runs. */
function notices(summary: ExperimentSummary, { conditions, others }: Analysis, runs: number): string {
  const sum = (of: (condition: ConditionResult) => number) => conditions.reduce((so, one) => so + of(one), 0);
  const failed = sum((condition) => condition.failed);
  const cutShort = sum((condition) => condition.cutShort);
  const lines = [
    runs < summary.runs && `${summary.runs - runs} runs are missing; these are the results so far.`,
    cutShort > 0 && `${cutShort} runs reached the time limit: their results may differ on another machine.`,
    failed > 0 && `${failed} runs ended with an error; they count as not solved.`,
    others > 0 && `${others} records of settings or scenes that are no longer in the experiment are left out.`,
  ].filter((line): line is string => line !== false);
  return lines.length === 0
    ? ''
    : `<ul class="notices">${lines.map((line) => `<li>${escaped(line)}</li>`).join('')}</ul>`;
}

const figureMarkup = ({ name, caption, svg }: DrawnFigure) => `<figure>
${inPage(svg, caption)}
<figcaption>${escaped(caption)} <a href="${name}.svg" download>SVG</a></figcaption>
</figure>`;

/** Replaces the colours of a chart by CSS variables of the page; chart files keep theirs, for white paper. */
function inPage(svg: string, caption: string): string {
  const inked = Object.entries(chartColours).reduce(
    (text, [name, colour]) => text.replaceAll(colour, `var(--${name})`),
    svg,
  );
  return inked.replace('<svg ', `<svg role="img" aria-label="${escaped(caption)}" `);
}

/** Explanation of the statistics, at the end of the report. */
const method = `<p>A pair, and a point of a chart, is one problem with one seed; repetitions count as one, by their median. Medians, quantiles and ratios are those of solved runs.</p>
<p>Intervals are 95 % confidence intervals: Wilson score intervals of proportions; of medians, from 2000 bootstrap samples drawn within each problem (over the problems if each has one seed). They generalize to other seeds of these problems, not to other problems.</p>
<p>p is that of Wilcoxon's signed-rank test on the logarithms of the ratios of pairs that both settings solved, exact up to 200 pairs that differ; for solved or not solved, that of McNemar's exact test. The p values of all comparisons of one metric are adjusted by Holm's correction. The effect is the matched-pairs rank-biserial correlation: −1 if every pair is less, +1 if every pair is more. If planners use a seed differently, pairs of a problem are not correlated: the test then only loses power.</p>`;

/** Style sheet of the page: light and dark, for screens and print. */
const style = `
:root { --paper: #ffffff; --panel: #f6f8fa; --ink: #1f2933; --faint: #66727e; --grid: #e3e8ee; --accent: #2f6fb0; --better: #1f7a4d; --worse: #b4383f; }
@media (prefers-color-scheme: dark) { :root { --paper: #14181d; --panel: #1c2229; --ink: #e4e9ee; --faint: #94a1ae; --grid: #2d353e; --accent: #6fb0ec; --better: #5cc493; --worse: #f08a8a; } }
* { box-sizing: border-box; }
body { margin: 0 auto; max-width: 76rem; padding: 3rem 1.5rem 4rem; background: var(--paper); color: var(--ink); font: 16px/1.55 system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", Arial, sans-serif; }
h1 { margin: 0 0 .3rem; font-size: 2rem; font-weight: 650; letter-spacing: -.015em; line-height: 1.2; }
h2 { margin: 3rem 0 .9rem; font-size: 1.2rem; font-weight: 650; }
.lead { margin: 0 0 .8rem; max-width: 46rem; font-size: 1.08rem; }
.facts { display: flex; flex-wrap: wrap; gap: .3rem 1.2rem; margin: 0; color: var(--faint); font-size: .88rem; }
.notices { margin: 1.2rem 0 0; padding: .7rem 1rem .7rem 2rem; border-radius: 8px; background: var(--panel); font-size: .92rem; }
.wide { overflow-x: auto; }
td small.below { display: block; }
table { width: 100%; border-collapse: collapse; font-size: .88rem; font-variant-numeric: tabular-nums; }
th, td { padding: .42rem .6rem; text-align: right; white-space: nowrap; }
th { font-weight: 550; }
thead th { padding-bottom: .3rem; color: var(--faint); font-weight: 500; vertical-align: bottom; }
thead th[colspan] { text-align: center; }
thead tr:last-child th { border-bottom: 1px solid var(--grid); }
th:first-child, th[scope=row], .words, thead th[rowspan] { text-align: left; }
thead th.numbers { text-align: right; }
thead th[rowspan] { border-bottom: 1px solid var(--grid); }
tbody th.group { padding-top: 1rem; color: var(--faint); font-weight: 500; }
tbody tr:hover > th.group { background: none; }
tbody tr + tr > * { border-top: 1px solid var(--grid); }
tbody tr:hover > * { background: var(--panel); }
small, .against { color: var(--faint); font-size: .86em; }
tr.better td:last-child { color: var(--better); }
tr.worse td:last-child { color: var(--worse); }
tr.even td:last-child { color: var(--faint); }
figure { margin: 0 0 2.2rem; padding: 1.2rem 1.2rem .9rem; border: 1px solid var(--grid); border-radius: 10px; }
figure svg { display: block; max-width: 100%; height: auto; margin: 0 auto; }
figcaption { margin-top: .8rem; color: var(--faint); font-size: .88rem; }
a { color: var(--accent); text-decoration: none; }
a:hover { text-decoration: underline; }
.pairs { display: grid; grid-template-columns: repeat(auto-fit, minmax(20rem, 1fr)); gap: 1.4rem; }
.pairs figure { margin: 0; }
summary { margin-bottom: .6rem; color: var(--faint); font-size: .92rem; cursor: pointer; }
.method { color: var(--faint); font-size: .9rem; }
.method p { max-width: 52rem; margin: 0 0 .7rem; }
.method h2 { color: var(--ink); }
@media print { body { padding: 0; max-width: none; } figure, tr { break-inside: avoid; } }
`;
