import type { Analysis, ConditionResult } from '../analysis.ts';
import type { ExperimentSummary } from '../loadExperiment.ts';
import { chartColours } from './chartParts.ts';
import type { Figure } from './charts.ts';
import { method, style } from './reportStyle.ts';
import { differenceTable, escaped, problemTable, resultTable } from './reportTables.ts';
import { searchSection } from './searchTable.ts';

/** Rendered chart. */
export interface DrawnFigure extends Figure {
  readonly svg: string;
}

/** Returns the report as a self-contained HTML page, light or dark as the browser prefers. */
export function reportPage(summary: ExperimentSummary, analysis: Analysis, figures: readonly DrawnFigure[]): string {
  const { name, description, version, machine } = summary;
  const own = analysis.conditions.slice(0, summary.conditions.length);
  const runs = own.reduce((sum, condition) => sum + condition.runs, 0);
  const foreign = analysis.conditions.reduce((sum, condition) => sum + condition.runs, 0) - runs;
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
${notices(summary, analysis, runs, foreign)}
</header>
<main>
<section>
<h2>Results</h2>
${resultTable(analysis)}
</section>
${comparisonSection(analysis)}
${searchSection(analysis.searches)}
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
function notices(summary: ExperimentSummary, { conditions, others }: Analysis, runs: number, foreign: number): string {
  const sum = (of: (condition: ConditionResult) => number) => conditions.reduce((so, one) => so + of(one), 0);
  const failed = sum((condition) => condition.failed);
  const cutShort = sum((condition) => condition.cutShort);
  const lines = [
    runs < summary.runs && `${summary.runs - runs} runs are missing; these are the results so far.`,
    cutShort > 0 && `${cutShort} runs reached the time limit: their results may differ on another machine.`,
    failed > 0 && `${failed} runs ended with an error; they count as not solved.`,
    foreign > 0 &&
      `${foreign} runs are from logs of OMPL: lengths are in the metric of its space, times from its machine.`,
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
