import { join } from 'node:path';
import { type LoadedExperiment, Results } from '../../experiments/loadExperiment.ts';
import { Progress } from '../../experiments/progress.ts';
import { batchesOf } from '../../experiments/queue/batches.ts';
import { tableName } from '../../experiments/queue/parts.ts';
import { makePartsByQueue } from '../../experiments/queue/queueParts.ts';
import type { Shard } from '../../experiments/runs.ts';
import { ExitCode } from '../exitCode.ts';
import type { Io } from '../io.ts';

/** Runs per job if `--batch` is not given. */
const BATCH = 100;

/**
 * Runs `experiment FILE --queue URL --parts DIR`: workers write the records, and the parts of all jobs are merged into
 * `runs.parquet` of the folder.
 */
export async function makeParts(
  io: Io,
  loaded: LoadedExperiment,
  folder: string,
  shard: Shard,
  { queue, batch: size = BATCH, parts }: { queue: string; batch: number | undefined; parts: string },
): Promise<ExitCode> {
  const results = await Results.open(loaded, folder, shard);
  try {
    const { wanted } = results;
    io.warn([...loaded.warnings, ...results.warnings]);
    io.say(`${folder}: ${wanted.length} runs, in parts of ${size}`);
    const target = { folder: parts, size, table: join(folder, tableName(shard)) };
    let progress: Progress | undefined;
    const counted = (runs: number) => {
      progress ??= new Progress(wanted.length, runs, io.clock);
      io.progress(progress.at(runs));
    };
    const hooks = { counted, notify: (line: string) => io.say(line) };
    const batches = batchesOf(wanted, size);
    const merged = await makePartsByQueue(batches, loaded.problems, queue, results.version, target, hooks);
    io.say(`${target.table}: ${merged.runs} runs, ${merged.solved} of them solved`);
    if (merged.failed === undefined) return ExitCode.Ok;
    const hint = 'It is the first run of status "error": report it with the experiment file.';
    io.report({ severity: 'bug', text: `${target.table}: run ${merged.failed}`, hint });
    return ExitCode.Bug;
  } finally {
    await results.close();
  }
}
