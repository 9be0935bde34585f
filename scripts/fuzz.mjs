#!/usr/bin/env node
// Reads mutated files until something but data or a refusal comes of it:
//   node scripts/fuzz.mjs [--reader stl,obj,…] [--count 100000] [--seed 1] [--first 0] [--save DIR]
// Each reader runs in a process of its own with bounded memory, watched from outside: what crashes, takes more than two
// seconds, never ends, or needs more than 1 GB is reported with the seed and the round that reproduce it, and written
// to DIR. Exit 0 when nothing was found, 1 otherwise.
import { fork } from 'node:child_process';
import { existsSync, mkdirSync, openSync, readFileSync, rmSync, writeFileSync, writeSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';

/**
 * CPU time in ms on one file after which it is considered to hang; wall-clock time if the system does not report CPU
 * time.
 */
const HANG = 20_000;
const MOST_HEAP_MB = 512;
const MOST_RSS = 1_000_000_000;
/** Maximum number of crashes per reader; its run ends there. */
const MOST_CRASHES = 50;
/** Number of files after which a process reports its progress. */
const BLOCK = 1000;

/** What a process is to read, in its environment. */
const TASK = 'ELBOWROOM_FUZZ_TASK';

if (process.env[TASK] === undefined) process.exitCode = await main();
else await work(JSON.parse(process.env[TASK]));

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
      const { crashes, read, most } = await run({ bundle, reader, seed, first, count });
      const seconds = (performance.now() - began) / 1000;
      const shown = `${count} files in ${seconds.toFixed(0)} s (${(count / seconds).toFixed(0)} a second), ${read} of them read, the others refused`;
      console.log(`${reader}: ${shown}, ${crashes.length} found, at most ${(most / 1e6).toFixed(0)} MB`);
      for (const { round, what } of crashes) {
        console.log(`  seed ${seed}, round ${round}: ${what.split('\n').slice(0, 4).join('\n    ')}`);
        if (values.save === undefined) continue;
        mkdirSync(values.save, { recursive: true });
        writeFileSync(path.join(values.save, `seed-${seed}-${round}.${reader}`), await caseOf(reader, seed, round));
      }
      found += crashes.length;
    }
    return found > 0 ? 1 : 0;
  } finally {
    rmSync(path.dirname(bundle), { recursive: true, force: true });
  }
}

/** One reader to its end; a process that had to be stopped is started again behind the file that did it. */
async function run({ bundle, reader, seed, first, count }) {
  const all = { crashes: [], read: 0, most: 0 };
  const rounds = path.join(path.dirname(bundle), 'round');
  for (let from = first; from < first + count && all.crashes.length < MOST_CRASHES; ) {
    writeFileSync(rounds, roundOf(from));
    const rest = JSON.stringify({ bundle, reader, seed, first: from, count: first + count - from, rounds });
    const child = fork(fileURLToPath(import.meta.url), [], {
      env: { ...process.env, [TASK]: rest },
      execArgv: [`--max-old-space-size=${MOST_HEAP_MB}`],
      silent: true,
    });
    const stopped = await watched(child, rounds, all);
    child.kill('SIGKILL');
    if (stopped === undefined) break;
    const at = Number(readFileSync(rounds, 'utf8'));
    all.crashes.push({ round: at, what: stopped });
    from = at + 1;
  }
  return all;
}

/** Until it is done: undefined; or until it ends, hangs or grows: which of them. */
function watched(child, rounds, all) {
  let last = '';
  let since = 0;
  let said = '';
  child.stdout.resume();
  child.stderr.on('data', (text) => {
    said = `${said}${text}`.slice(-2000);
  });
  let watch;
  const outcome = new Promise((resolve) => {
    watch = setInterval(() => {
      const round = readFileSync(rounds, 'utf8');
      const { rss, busyMs } = consumptionOf(child.pid);
      if (round !== last) since = busyMs;
      last = round;
      all.most = Math.max(all.most, rss);
      if (busyMs - since > HANG) resolve(`it takes longer than ${HANG} ms`);
      else if (rss > MOST_RSS) resolve(`the process needs ${rss} bytes`);
    }, 200);
    child.on('message', ({ crash, read = 0, rss = 0, end = false }) => {
      if (crash !== undefined) all.crashes.push(crash);
      all.read += read;
      all.most = Math.max(all.most, rss);
      if (end || all.crashes.length >= MOST_CRASHES) resolve(undefined);
    });
    child.on('exit', (code, signal) => {
      resolve(`the process ended with ${code ?? signal}: ${/FATAL ERROR:.*/.exec(said)?.[0] ?? said}`);
    });
  });
  return outcome.finally(() => clearInterval(watch));
}

/**
 * Returns resident bytes and CPU milliseconds from /proc; without /proc, 0 bytes and the wall-clock time. Between files
 * a process also reports its own memory.
 */
function consumptionOf(pid) {
  const file = `/proc/${pid}/stat`;
  if (!existsSync(file)) return { rss: 0, busyMs: performance.now() };
  const fields = readFileSync(file, 'utf8')
    .replace(/^.*\) /, '')
    .split(' ')
    .map(Number);
  return { rss: fields[21] * 4096, busyMs: (fields[11] + fields[12]) * 10 };
}

async function work({ bundle, reader, seed, first, count, rounds }) {
  const { fuzz } = await import(pathToFileURL(bundle).href);
  process.on('disconnect', () => process.exit()); // who started it has gone
  const file = openSync(rounds, 'r+');
  const began = (at) => writeSync(file, roundOf(at), 0);
  const tell = (message) => new Promise((resolve) => process.send(message, resolve));
  const found = ({ round, what }) => process.send({ crash: { round, what } });
  for (let from = first; from < first + count; from += BLOCK) {
    const some = Math.min(BLOCK, first + count - from);
    const { read } = await fuzz(reader, { seed, first: from, count: some, began, found });
    await tell({ read, rss: process.memoryUsage.rss() });
  }
  await tell({ end: true });
}

/** Of the same length always: it is written over the one before, and read at any moment. */
function roundOf(number) {
  return String(number).padStart(16);
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
