#!/usr/bin/env node
// Certifies the distances of random pairs of pills, ordinary and degenerate, at three scales:
//   node scripts/certify-pills.mjs [--pairs 1000000] [--seed 1] Each distance is bounded from above by its closest
// points, which lie in the cores, and from below by the empty slab between them. Prints one JSON line. Exit 0 if every
// pair is solved and within 1e-6 of its size, 1 otherwise.
import { parseArgs } from 'node:util';
import { importBundled } from './bundled.mjs';

const { values } = parseArgs({
  options: { pairs: { type: 'string', default: '1000000' }, seed: { type: 'string', default: '1' } },
});
const [pairs, seed] = [values.pairs, values.seed].map(Number);
if (![pairs, seed].every((x) => Number.isInteger(x) && x >= 0)) {
  console.error('certify-pills: --pairs and --seed are whole numbers');
  process.exit(2);
}

const { certifyPills } = await importBundled('test/core/optimization/pillCertificates.ts');
const tally = certifyPills(pairs, seed);
console.log(JSON.stringify(tally));
process.exitCode = tally.unsolved === 0 && tally.wrong.length === 0 ? 0 : 1;
