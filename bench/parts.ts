import { execFileSync } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { loadExperiment } from '../src/host/experiments/loadExperiment.ts';
import { mergeParts, partName, writePart } from '../src/host/experiments/queue/parts.ts';
import { readRecords } from '../src/host/experiments/recordFile.ts';
import { writeReport } from '../src/host/experiments/report/writeReport.ts';
import { batchesOf, runsOf } from '../src/host/experiments/runs.ts';
import type { Table } from './measure.ts';

/** The page of the table. */
export const page = 'docs/scaling.md';
export const about = 'parts of workers: written, merged and reported, time and memory by the number of runs';

/** Numbers of runs, increasing: the greatest memory of the process is that of the last step. */
const SIZES = (process.env['RUNS'] ?? '10000,100000,300000').split(',').map(Number);
/** Runs of a part. */
const BATCH = 100;
/** Runs that are made; the others are their copies with other seeds, times and lengths. */
const MADE = 40;

export async function* run(): AsyncGenerator<Table> {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'elbowroom-bench-'));
  try {
    const rows: Record<string, number>[] = [];
    for (const size of SIZES) rows.push(await measured(folder, size));
    yield {
      title: 'Parquet parts of 100 runs: processor time and greatest memory',
      rows,
      notes: [
        `made from ${MADE} runs of two planners; MB: greatest memory of the process until then, its ids of runs included`,
        'merged: parts read, checked and written as one table; reported: the table read and experiment report made',
      ],
    };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function measured(folder: string, size: number): Promise<Record<string, number>> {
  const file = path.join(folder, 'runs.yaml');
  const scenes = path.resolve('test/host/cli/fixtures/posts.yaml');
  const experiment = (seeds: number) =>
    `format: elbowroom-experiment/1\nscenes: ${scenes}\nplanners: [rrt-connect, rrt]\nseeds: ${seeds}\n`;
  const made = path.join(folder, 'made');
  writeFileSync(file, experiment(MADE / 2));
  execFileSync(process.execPath, ['bin/elbowroom.js', 'experiment', file, '-o', made], { stdio: 'ignore' });
  const { records } = readRecords(made);

  writeFileSync(file, experiment(size / 2));
  const loaded = await loadExperiment(file);
  const runs = [...runsOf(loaded.experiment, loaded.problems)];
  const batches = batchesOf(runs, BATCH);
  const [parts, merged] = ['parts', 'merged'].map((name) => path.join(folder, `${name}-${size}`));
  mkdirSync(merged);
  copyFileSync(path.join(made, 'experiment.json'), path.join(merged, 'experiment.json'));
  const row: Record<string, number> = { runs: runs.length };
  const step = async (name: string, work: () => Promise<unknown>) => {
    const before = process.cpuUsage();
    await work();
    const { user, system } = process.cpuUsage(before);
    row[`${name}, s`] = Number(((user + system) / 1e6).toPrecision(3));
    row[`${name}, MB`] = Math.round(process.resourceUsage().maxRSS / 1024);
  };
  const bySettings = new Map(
    loaded.experiment.conditions.map(({ settings }) => [
      settings.planner,
      records.filter(({ planner }) => planner === settings.planner),
    ]),
  );
  await step('written', async () => {
    for (const batch of batches) {
      const rows = batch.runs.map(({ id, seed, settings }) => {
        const like = bySettings.get(settings.planner)!;
        const { total_ms: ms, path_length: length, ...record } = like[seed % like.length];
        const factor = 1 + (seed % 1009) / 1009;
        return { ...record, id, seed, total_ms: ms && ms * factor, path_length: length && length * factor };
      });
      await writePart(parts, partName(BATCH, batch.id), rows);
    }
  });
  const table = path.join(merged, 'runs.parquet');
  await step('merged', async () => {
    const { runs: found } = await mergeParts(parts, batches, table);
    if (found !== runs.length) throw new Error(`${found} runs were merged, not ${runs.length}`);
  });
  await step('reported', async () => {
    const { runs: found } = await writeReport(merged);
    if (found !== runs.length) throw new Error(`${found} runs were reported, not ${runs.length}`);
  });
  row['table, bytes a run'] = Math.round(statSync(table).size / runs.length);
  rmSync(parts, { recursive: true });
  return row;
}
