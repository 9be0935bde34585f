#!/usr/bin/env node
// Proves the answers of every narrow-phase solver about random pairs, by code that shares nothing with them:
//   node scripts/certify-pairs.mjs [--pairs 200000] [--seed 1] [--first 0]
// Ten million pairs take some minutes to an hour; `--first N` begins at the N-th chunk of 4000, so that parts can run side by side.
// Exit 0 when nothing is wrong or open outside 1e-9 of the size of a pair, 1 otherwise; the faulty pairs are printed as data.
import { existsSync, mkdirSync, rmSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { build } from 'esbuild';

const root = fileURLToPath(new URL('..', import.meta.url));
const { values } = parseArgs({
  options: {
    pairs: { type: 'string', default: '200000' },
    seed: { type: 'string', default: '1' },
    first: { type: 'string', default: '0' },
  },
});
const [pairs, seed, first] = [values.pairs, values.seed, values.first].map(Number);
if (![pairs, seed, first].every((x) => Number.isInteger(x) && x >= 0)) {
  console.error('certify-pairs: --pairs, --seed and --first are whole numbers');
  process.exit(2);
}

const folder = path.join(root, 'node_modules', '.cache', `elbowroom-certify-${process.pid}`);
mkdirSync(folder, { recursive: true });
const outfile = path.join(folder, 'run.mjs');
await build({
  absWorkingDir: root,
  entryPoints: ['test/narrowphase/certificates/run.ts'],
  bundle: true,
  format: 'esm',
  platform: 'node',
  packages: 'external',
  outfile,
  logLevel: 'error',
});
const { certifyPairs } = await import(pathToFileURL(outfile).href);
if (existsSync(folder)) rmSync(folder, { recursive: true });

const started = performance.now();
let told = started;
const { tallies, pairs: done } = certifyPairs({
  seed,
  pairs,
  first,
  clock: () => performance.now(),
  onChunk(certifier) {
    if (performance.now() < told + 30_000) return;
    told = performance.now();
    console.error(`${certifier.pairs} pairs after ${((told - started) / 1000).toFixed(0)} s`);
  },
});

const seconds = ((performance.now() - started) / 1000).toFixed(1);
console.log(`${done} pairs, seed ${seed}, chunks from ${first} on, ${seconds} s`);
console.table(
  Object.fromEntries(
    Object.entries(tallies).map(([name, { faults, slowestMs, ...counts }]) => [
      name,
      { ...counts, slowestMs: Number(slowestMs.toFixed(3)) },
    ]),
  ),
);
const faults = Object.values(tallies).flatMap(({ faults }) => faults);
for (const fault of faults) console.log(fault);
process.exitCode = faults.length === 0 ? 0 : 1;
