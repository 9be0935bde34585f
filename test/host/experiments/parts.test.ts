import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { loadExperiment } from '../../../src/host/experiments/loadExperiment.ts';
import { mergeParts, partName, partsIn, readPart, writePart } from '../../../src/host/experiments/queue/parts.ts';
import { makePartsByQueue } from '../../../src/host/experiments/queue/queueParts.ts';
import { type RunRecord, recordOfFailure } from '../../../src/host/experiments/record.ts';
import { type Batch, batchesOf, type Run, runsOf } from '../../../src/host/experiments/runs.ts';
import { readResults } from '../../../src/host/experiments/storedResults.ts';
import { packageVersion } from '../../../src/host/node/packageVersion.ts';
import { bin, posts, root, temporaryFolder } from '../cli/run.ts';

const fixture = JSON.parse(readFileSync(join(root, 'test/fixtures/runRecord.json'), 'utf8')) as RunRecord;
/** The fixture, with null for the fields that it does not have. */
const recordOf = (run: Run): RunRecord => ({
  ...recordOfFailure({ ...run, problem: {}, settings: {} } as Run, '', '1'),
  ...fixture,
  id: run.id,
  seed: run.seed,
  planner_hash: null,
});
const hasRedis = spawnSync('redis-server', ['--version']).status === 0;

/** Runs of one problem, with ids of their own. */
const runsFrom = (first: number, count: number): Run[] =>
  Array.from({ length: count }, (_, i) => ({ id: `run${first + i}`, seed: first + i }) as Run);

describe('groups of runs', () => {
  const runs = runsFrom(0, 10);

  test('have each run once; their ids do not change when runs of them are finished', () => {
    const all = batchesOf(runs, 4);
    expect(all.flatMap((batch) => batch.runs)).toEqual(runs);
    const left = batchesOf(runs, 4, ({ seed }) => seed > 5);
    expect(left.map(({ id }) => id)).toEqual(all.slice(1).map(({ id }) => id));
    expect(left.flatMap((batch) => batch.runs)).toEqual(runs.slice(6));
  });

  test('of one run have the id of the run', () => {
    expect(batchesOf(runs, 1).map(({ id }) => id)).toEqual(runs.map(({ id }) => id));
  });
});

describe('parts', () => {
  const batches = batchesOf(runsFrom(0, 10), 4);
  const rowsOf = ({ runs }: Batch) => runs.map(recordOf);
  const written = async (folder: string) => {
    for (const batch of batches) await writePart(folder, partName(4, batch.id), rowsOf(batch));
    return join(folder, 'runs.parquet');
  };

  test('are merged into one table with the same records, from which reports are made', async () => {
    const folder = temporaryFolder();
    const table = await written(folder);
    expect(await mergeParts(folder, batches, table)).toMatchObject({ runs: 10, solved: 10, damaged: [] });
    expect(await readPart(table)).toEqual(batches.flatMap(rowsOf));
    expect((await readResults(folder)).records).toEqual(batches.flatMap(rowsOf));
  });

  test.each<[string, (file: string, other: string) => unknown]>([
    ['missing', (file) => rmSync(file)],
    ['cut off', (file) => writeFileSync(file, readFileSync(file).subarray(0, 100))],
    ['that of another job', (file, other) => copyFileSync(other, file)],
    [
      'one with a run twice',
      (file) =>
        writePart(join(file, '..'), partName(4, batches[1].id), rowsOf(batches[1]).with(0, rowsOf(batches[1])[1])),
    ],
  ])('if one is %s, no table is written and its job is named', async (_, damage) => {
    const folder = temporaryFolder();
    const table = await written(folder);
    await damage(join(folder, partName(4, batches[1].id)), join(folder, partName(4, batches[0].id)));
    expect((await mergeParts(folder, batches, table)).damaged).toEqual([batches[1]]);
    expect(readdirSync(folder)).not.toContain('runs.parquet');
  });

  test('with another number of runs are refused', async () => {
    const folder = temporaryFolder();
    await written(folder);
    expect(partsIn(folder, 4).size).toBe(3);
    expect(() => partsIn(folder, 10)).toThrow('--batch is 10, but the parts in');
  });
});

describe.skipIf(!hasRedis)('workers that write parts', () => {
  const children: ChildProcess[] = [];
  let url = '';
  beforeAll(async () => {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as { port: number };
    server.close();
    const redis = spawn('redis-server', ['--port', `${port}`, '--save', '', '--dir', temporaryFolder()]);
    children.push(redis);
    for await (const text of redis.stdout) if (String(text).includes('Ready to accept')) break;
    url = `redis://127.0.0.1:${port}`;
  });
  afterAll(() => {
    for (const child of children) child.kill('SIGKILL');
  });

  /** Jobs of ten: enough that some are waiting when the first worker is killed. */
  const RUNS = 300;

  test('lose no run and double none if one is killed; the runs of a damaged part are executed again', {
    timeout: 200_000,
  }, async () => {
    const folder = temporaryFolder();
    const parts = join(folder, 'parts');
    const file = join(folder, 'sweep.yaml');
    writeFileSync(file, `format: elbowroom-experiment/1\nscenes: ${posts}\nseeds: ${RUNS}\n`);
    const { experiment, problems } = await loadExperiment(file);
    const runs = [...runsOf(experiment, problems)];
    const batches = batchesOf(runs, 10);
    const start = () => {
      const args = ['experiment', 'worker', '--queue', url, '--parts', parts, '--jobs', '1'];
      children.push(spawn(process.execPath, [bin, ...args], { stdio: 'ignore' }));
      return children.at(-1)!;
    };
    const first = start();
    const target = { folder: parts, size: 10, table: join(folder, 'runs.parquet') };
    let counts: number[] = [];
    const collect = () =>
      makePartsByQueue(batches, problems, url, packageVersion(), target, {
        counted: (made) => {
          counts.push(made);
          if (made === 0 || first.killed) return;
          first.kill('SIGKILL'); // it works on the next job
          start();
        },
        notify: () => {},
      });
    expect(await collect()).toMatchObject({ runs: RUNS, solved: RUNS, failed: undefined });
    expect(first.killed).toBe(true);
    const ids = (await readPart(target.table))!.map(({ id }) => id);
    expect(ids).toEqual(runs.map(({ id }) => id));

    const hashes = (await readPart(target.table))!.map(({ hash }) => hash);
    writeFileSync(join(parts, partName(10, batches[1].id)), 'PAR1');
    counts = [];
    expect(await collect()).toMatchObject({ runs: RUNS, solved: RUNS });
    expect(counts).toEqual([RUNS - 10]); // only the damaged part was made
    expect((await readPart(target.table))!.map(({ hash }) => hash)).toEqual(hashes);
  });
});
