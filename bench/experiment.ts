import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { readRecords } from '../src/host/experiments/recordFile.ts';
import { loadScene } from '../src/host/node/files.ts';
import { createPlanner } from '../src/tasks/createPlanner.ts';
import { quantile, type Table } from './measure.ts';

export const about = 'experiments: what a run costs beside its planning, and what a second thread gives';

const command = promisify(execFile);
const ROUNDS = 3;
/** Targets: milliseconds beside the planning itself; throughput of two threads over one. */
const MOST_OVERHEAD = 3;
const LEAST_SPEEDUP = 1.6;

/**
 * Plans of few ms, beside which overhead shows, and longer ones, which threads are for; so many seeds that the start
 * hardly counts.
 */
const experiments = [
  { scene: 'test/host/cli/fixtures/posts.yaml', seeds: 1000 },
  { scene: 'scenes/doorway.yaml', seeds: 200 },
];

/**
 * One run of the command line, in seconds: on the clock, of processors, and what its threads' clocks say of planning.
 */
interface Round {
  readonly wall: number;
  readonly cpu: number;
  readonly planning: number;
}

export async function* run(): AsyncGenerator<Table> {
  for (const { scene, seeds } of experiments) {
    const folder = mkdtempSync(path.join(os.tmpdir(), 'elbowroom-bench-'));
    const name = path.basename(scene, '.yaml');
    const make = (count: number, jobs: number) => measured(folder, path.resolve(scene), count, jobs);
    const beside: number[] = [];
    const waited: number[] = [];
    const speedups: number[] = [];
    const loads: number[] = [];
    for (let round = 0; round < ROUNDS; round++) {
      loads.push(os.loadavg()[0]);
      const start = await make(1, 1); // reading, threads, the first plan before anything is compiled
      const one = await make(seeds, 1);
      const two = await make(seeds, 2);
      const plans = await planned(path.resolve(scene), seeds);
      beside.push((1000 * (one.cpu - start.cpu - plans)) / seeds);
      waited.push((1000 * (one.wall - one.planning - (start.wall - start.planning))) / seeds);
      speedups.push(one.wall / two.wall);
    }
    rmSync(folder, { recursive: true });
    const row = (what: string, values: readonly number[], best: number, target: string, met: boolean) => ({
      ...{ what, best, median: quantile(values, 0.5), target },
      met: met ? 'yes' : 'no',
    });
    const overhead = Math.min(...beside);
    const wait = Math.min(...waited);
    const speedup = Math.max(...speedups);
    yield {
      title: `${name}: ${seeds} runs`,
      rows: [
        row('processor ms a run beside planning', beside, overhead, `<= ${MOST_OVERHEAD}`, overhead <= MOST_OVERHEAD),
        row('ms a run on the clock beside planning', waited, wait, `<= ${MOST_OVERHEAD}`, wait <= MOST_OVERHEAD),
        row('time of one thread over that of two', speedups, speedup, `>= ${LEAST_SPEEDUP}`, speedup >= LEAST_SPEEDUP),
      ],
      notes: [
        `best of ${ROUNDS} rounds; load of the machine before each: ` +
          `${loads.map((load) => load.toFixed(1)).join(', ')} on ${os.cpus().length} cores`,
        'processor: of the whole process, less its start, less the same plans made one after another; on the ' +
          'clock: less what the thread says of its plans',
        'on a machine with other work wall-clock times include the other work',
      ],
    };
  }
}

/** Processor seconds of the same plans without anything around them, once they have been made before. */
async function planned(file: string, seeds: number): Promise<number> {
  const { scene, robot } = await loadScene(file);
  const planner = createPlanner({ scene, robot });
  const clock = () => performance.now();
  for (let seed = 1; seed <= Math.min(seeds, 100); seed++) planner.plan({ seed }, { clock });
  const before = process.cpuUsage();
  for (let seed = 1; seed <= seeds; seed++) planner.plan({ seed }, { clock });
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1e6;
}

async function measured(folder: string, scene: string, seeds: number, jobs: number): Promise<Round> {
  const file = path.join(folder, 'bench.yaml');
  const results = path.join(folder, 'results');
  rmSync(results, { recursive: true, force: true });
  writeFileSync(file, `format: elbowroom-experiment/1\nscenes: ${scene}\nseeds: ${seeds}\n`);
  const line = 'TIMEFORMAT="%U %S"; time "$@" 2>/dev/null';
  const args = [process.execPath, 'bin/elbowroom.js', 'experiment', file, '-o', results, '--jobs', String(jobs)];
  const begun = performance.now();
  const { stderr } = await command('bash', ['-c', line, 'bash', ...args]);
  const wall = (performance.now() - begun) / 1000;
  const cpu = stderr
    .trim()
    .split(/\s+/)
    .map(Number)
    .reduce((sum, one) => sum + one);
  const planning = readRecords(results).records.reduce((sum, { run_ms }) => sum + (run_ms ?? 0), 0) / 1000;
  return { wall, cpu, planning };
}
