import { join } from 'node:path';
import { drawChart } from '../../../formats/picture/chart.ts';
import { writeAtomically } from '../../node/files.ts';
import { analyse } from '../analysis.ts';
import { type ExperimentSummary, readSummary } from '../loadExperiment.ts';
import { readOmplRuns } from '../ompl/omplRuns.ts';
import { readResults } from '../storedResults.ts';
import { figuresOf } from './charts.ts';
import { type DrawnFigure, reportPage } from './reportPage.ts';
import { searchFiguresOf } from './searchCharts.ts';

/** Written files. */
export interface WrittenReport {
  readonly page: string;
  readonly figures: readonly string[];
  readonly summary: ExperimentSummary;
  readonly runs: number;
  readonly warnings: readonly string[];
}

/**
 * Reads a results folder and writes `report/index.html` into it, with each chart as a separate file.
 * @param logs benchmarks of OMPL, logs and databases, that are shown beside the runs of the folder
 */
export async function writeReport(folder: string, logs: readonly string[] = []): Promise<WrittenReport> {
  const summary = await readSummary(folder);
  const { records, warnings } = await readResults(folder);
  const foreign = await readOmplRuns(logs, summary);
  const analysis = analyse(summary, records, foreign);
  const drawn: DrawnFigure[] = [];
  const labels = analysis.conditions.map(({ label }) => label);
  const figures = [...figuresOf(analysis), ...searchFiguresOf(analysis.searches, labels)];
  for (const figure of figures) drawn.push({ ...figure, svg: await drawChart(figure.spec) });
  const target = join(folder, 'report');
  for (const { name, svg } of drawn) await writeAtomically(join(target, `${name}.svg`), `${svg}\n`);
  const page = join(target, 'index.html');
  await writeAtomically(page, reportPage(summary, analysis, drawn));
  const runs = analysis.conditions
    .slice(0, summary.conditions.length)
    .reduce((sum, condition) => sum + condition.runs, 0);
  return { page, figures: drawn.map(({ name }) => join(target, `${name}.svg`)), summary, runs, warnings };
}
