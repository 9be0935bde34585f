import { join } from 'node:path';
import { drawChart } from '../../../formats/picture/chart.ts';
import { writeAtomically } from '../../node/files.ts';
import { analyse } from '../analysis.ts';
import { type ExperimentSummary, readSummary } from '../loadExperiment.ts';
import { readRecords } from '../recordFile.ts';
import { figuresOf } from './charts.ts';
import { type DrawnFigure, reportPage } from './reportPage.ts';

/** Written files. */
export interface WrittenReport {
  readonly page: string;
  readonly figures: readonly string[];
  readonly summary: ExperimentSummary;
  readonly runs: number;
  readonly warnings: readonly string[];
}

/** Reads a results folder and writes `report/index.html` into it, with each chart as a separate file. */
export async function writeReport(folder: string): Promise<WrittenReport> {
  const summary = await readSummary(folder);
  const { records, warnings } = readRecords(folder);
  const analysis = analyse(summary, records);
  const drawn: DrawnFigure[] = [];
  for (const figure of figuresOf(analysis)) drawn.push({ ...figure, svg: await drawChart(figure.spec) });
  const target = join(folder, 'report');
  for (const { name, svg } of drawn) await writeAtomically(join(target, `${name}.svg`), `${svg}\n`);
  const page = join(target, 'index.html');
  await writeAtomically(page, reportPage(summary, analysis, drawn));
  const runs = analysis.conditions.reduce((sum, condition) => sum + condition.runs, 0);
  return { page, figures: drawn.map(({ name }) => join(target, `${name}.svg`)), summary, runs, warnings };
}
