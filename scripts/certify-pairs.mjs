#!/usr/bin/env node
// Proves the answers of every narrow-phase solver about random pairs, by code that shares nothing with them:
//   node scripts/certify-pairs.mjs [--pairs 200000] [--seed 1] [--first 0] [--processes 1] [--json]
//     [--baselines quick|all]
// A million pairs take about five minutes of CPU time. `--first N` begins at chunk N of 4000 pairs, so that a run can
// be split; `--processes 2` runs two parts in parallel and adds up their counts. Every half minute a line on stderr
// reports the progress. `--baselines` includes those of the papers, which may leave pairs undecided: `all` takes ten
// times as long, `quick` is without those that need thousands of iterations. `--json` prints the counts as one line.
// Exit code 0 if no result is wrong or unresolved outside 1e-9 of the size of a pair, 1 otherwise; the wrong pairs are
// printed as data.
import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { importBundled } from './bundled.mjs';

const CHUNK = 4000;
const TOLD_EVERY_MS = 30_000;
const { values } = parseArgs({
  options: {
    pairs: { type: 'string', default: '200000' },
    seed: { type: 'string', default: '1' },
    first: { type: 'string', default: '0' },
    processes: { type: 'string', default: '1' },
    baselines: { type: 'string', default: 'none' },
    json: { type: 'boolean', default: false },
  },
});
const [pairs, seed, first, processes] = [values.pairs, values.seed, values.first, values.processes].map(Number);
if (![pairs, seed, first, processes].every((x) => Number.isInteger(x) && x >= 0) || processes < 1) {
  console.error('certify-pairs: --pairs, --seed, --first and --processes are whole numbers');
  process.exit(2);
}
if (!['none', 'quick', 'all'].includes(values.baselines)) {
  console.error('certify-pairs: --baselines is quick or all');
  process.exit(2);
}

const started = performance.now();
const result = processes > 1 ? await sideBySide() : await inThisProcess();
if (values.json) console.log(JSON.stringify(result));
else print(result);
process.exitCode = Object.values(result.tallies).some(({ faults }) => faults.length > 0) ? 1 : 0;

async function inThisProcess() {
  const { certifyPairs } = await importBundled('test/core/narrowphase/certificates/run.ts');
  let told = started;
  const onChunk = ({ pairs: done, tallies }) => {
    if (performance.now() < told + TOLD_EVERY_MS) return;
    told = performance.now();
    console.error(`${done} pairs after ${((told - started) / 1000).toFixed(0)} s: ${summary(tallies)}`);
  };
  const { baselines } = values;
  const clock = () => performance.now();
  const { tallies, pairs: done } = certifyPairs({ seed, pairs, first, baselines, clock, onChunk });
  return { pairs: done, tallies };
}

/** One process a part, each a run of chunks of its own; what they found is added up. */
async function sideBySide() {
  const chunks = Math.ceil(pairs / CHUNK);
  const bounds = Array.from({ length: processes + 1 }, (_, i) => Math.round((chunks * i) / processes));
  const parts = bounds.slice(1).map((end, i) => runPart(first + bounds[i], CHUNK * (end - bounds[i])));
  return (await Promise.all(parts)).reduce(added);
}

function runPart(from, count) {
  const args = [fileURLToPath(import.meta.url), '--json', '--seed', seed, '--first', from, '--pairs', count];
  args.push('--baselines', values.baselines);
  const part = spawn(process.execPath, args.map(String), { stdio: ['ignore', 'pipe', 'inherit'] });
  let text = '';
  part.stdout.setEncoding('utf8').on('data', (data) => {
    text += data;
  });
  return new Promise((resolve, reject) => {
    part.on('error', reject);
    part.on('close', (code) => {
      if (code === 0 || code === 1) resolve(JSON.parse(text));
      else reject(new Error(`the part from chunk ${from} on ended with code ${code}`));
    });
  });
}

function added(a, b) {
  const tallies = Object.entries(a.tallies).map(([name, tally]) => {
    const other = b.tallies[name];
    const sum = Object.fromEntries(
      ['separated', 'colliding', 'open', 'wrong', 'openOutside'].map((count) => [count, tally[count] + other[count]]),
    );
    const most = (field) => Math.max(tally[field], other[field]);
    const faults = [...tally.faults, ...other.faults];
    return [name, { ...sum, mostIterations: most('mostIterations'), slowestMs: most('slowestMs'), faults }];
  });
  return { pairs: a.pairs + b.pairs, tallies: Object.fromEntries(tallies) };
}

function summary(tallies) {
  const all = Object.entries(tallies);
  const total = (field) => all.reduce((sum, [, tally]) => sum + tally[field], 0);
  const worst = (field) => all.reduce((a, b) => (b[1][field] > a[1][field] ? b : a));
  const [busiest, busy] = worst('mostIterations');
  const [slowest, slow] = worst('slowestMs');
  return (
    `${total('wrong')} wrong, ${total('openOutside')} open outside the band, ` +
    `most iterations ${busy.mostIterations} (${busiest}), slowest ${slow.slowestMs.toFixed(1)} ms (${slowest})`
  );
}

function print({ pairs: done, tallies }) {
  const seconds = ((performance.now() - started) / 1000).toFixed(1);
  console.log(`${done} pairs, seed ${seed}, chunks from ${first} on, ${seconds} s: ${summary(tallies)}`);
  const rows = Object.entries(tallies).map(([name, { faults, mayStayOpen, slowestMs, ...counts }]) => [
    name,
    { ...counts, slowestMs: Number(slowestMs.toFixed(3)) },
  ]);
  console.table(Object.fromEntries(rows));
  for (const { faults } of Object.values(tallies)) for (const fault of faults) console.log(fault);
}
