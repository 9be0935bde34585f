#!/usr/bin/env node
// Reads mutated files until something but data or a refusal comes of it:
//   node scripts/fuzz.mjs [--reader stl,obj,…] [--count 100000] [--seed 1] [--first 0] [--save DIR]
// Each reader runs in a thread with bounded memory, watched from outside: what crashes, takes more than two seconds, never ends, or
// needs more than 1 GB is told with the seed and the round that make it again, and written to DIR. Exit 0 when nothing was found, 1 otherwise.
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads';

/** Milliseconds on one file after which it is taken to hang. */
const HANG = 20_000;
const MOST_HEAP_MB = 512;
const MOST_RSS = 1_000_000_000;

if (isMainThread) process.exitCode = await main();
else await work(workerData);

async function main() {
  const { values } = parseArgs({
    options: {
      reader: { type: 'string' },
      count: { type: 'string', default: '100000' },
      seed: { type: 'string', default: '1' },
      first: { type: 'string', default: '0' },
      save: { type: 'string' },
    },
  });
  const [count, seed, first] = [values.count, values.seed, values.first].map(Number);
  const bundle = await bundled();
  try {
    const { caseOf, targets } = await import(pathToFileURL(bundle).href);
    const readers = values.reader?.split(',') ?? Object.keys(targets);
    const unknown = readers.find((reader) => !(reader in targets));
    if (unknown !== undefined || ![count, seed, first].every((x) => Number.isInteger(x) && x >= 0)) {
      console.error(
        `fuzz: --reader is some of ${Object.keys(targets).join(', ')}; --count, --seed, --first are whole numbers`,
      );
      return 2;
    }
    let found = 0;
    for (const reader of readers) {
      const began = performance.now();
      const crashes = await run({ bundle, reader, seed, first, count });
      const seconds = ((performance.now() - began) / 1000).toFixed(0);
      const rss = (process.memoryUsage().rss / 1e6).toFixed(0);
      console.log(`${reader}: ${count} files in ${seconds} s, ${crashes.length} found, ${rss} MB`);
      for (const { round, what } of crashes) {
        console.log(`  seed ${seed}, round ${round}: ${what.split('\n').slice(0, 4).join('\n    ')}`);
        if (values.save === undefined) continue;
        mkdirSync(values.save, { recursive: true });
        writeFileSync(path.join(values.save, `seed-${seed}-${round}.${reader}`), caseOf(reader, seed, round));
      }
      found += crashes.length;
    }
    return found > 0 ? 1 : 0;
  } finally {
    rmSync(path.dirname(bundle), { recursive: true, force: true });
  }
}

/** One reader to its end; a thread that had to be stopped is started again behind the file that did it. */
async function run({ bundle, reader, seed, first, count }) {
  const crashes = [];
  for (let from = first; from < first + count && crashes.length < 50; ) {
    const round = new Int32Array(new SharedArrayBuffer(4));
    round[0] = from;
    const worker = new Worker(new URL(import.meta.url), {
      workerData: { bundle, reader, seed, first: from, count: first + count - from, round },
      resourceLimits: { maxOldGenerationSizeMb: MOST_HEAP_MB },
    });
    const stopped = await new Promise((resolve) => {
      let last = -1;
      let since = performance.now();
      const watch = setInterval(() => {
        const now = Atomics.load(round, 0);
        if (now !== last) since = performance.now();
        last = now;
        if (performance.now() - since > HANG) resolve(`it takes longer than ${HANG} ms`);
        else if (process.memoryUsage().rss > MOST_RSS) resolve(`the process needs ${process.memoryUsage().rss} bytes`);
      }, 500);
      worker.on('message', (more) => {
        crashes.push(...more);
        resolve(undefined);
      });
      worker.on('error', (error) => resolve(`the thread ended: ${error.message}`));
      worker.on('exit', () => clearInterval(watch));
    });
    await worker.terminate();
    if (stopped === undefined) return crashes;
    const at = Atomics.load(round, 0);
    crashes.push({ round: at, what: stopped });
    from = at + 1;
  }
  return crashes;
}

async function work({ bundle, reader, seed, first, count, round }) {
  const { fuzz } = await import(pathToFileURL(bundle).href);
  const began = (at) => Atomics.store(round, 0, at);
  const { crashes } = await fuzz(reader, { seed, first, count, began });
  parentPort.postMessage(crashes.map(({ round: at, what }) => ({ round: at, what })));
}

/** The readers and the mutations as one file. */
async function bundled() {
  const { build } = await import('esbuild');
  const root = fileURLToPath(new URL('..', import.meta.url));
  const outfile = path.join(root, 'node_modules', '.cache', `elbowroom-fuzz-${process.pid}`, 'run.mjs');
  await build({
    absWorkingDir: root,
    stdin: {
      contents: "export { caseOf, fuzz } from './test/fuzz/run.ts';\nexport { targets } from './test/fuzz/targets.ts';",
      resolveDir: root,
    },
    bundle: true,
    format: 'esm',
    platform: 'node',
    packages: 'external',
    outfile,
    logLevel: 'error',
  });
  return outfile;
}
