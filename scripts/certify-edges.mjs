// Tries to prove the prover wrong, on the project's own scenes and on the shared ones where they lie beside the
// project.
//
//   node scripts/certify-edges.mjs edges  [--count N] [--seed S]
//     random motions: what is certified is sampled again, plainly
//   node scripts/certify-edges.mjs caches [--count N] [--seed S]
//     random states: cold, warm and misled caches must give the same result
//   node scripts/certify-edges.mjs fast   [--count N] [--seed S]
//     states of all robots among random obstacles, and a tenth as many edges: the filter of four states and the tables
//     of self-collision pairs must give the results of the exact checks without them
//
// Exit code 0: no findings, 1: findings, printed with the data that reproduces them.
import { fileURLToPath } from 'node:url';
import { importBundled } from './bundled.mjs';

process.chdir(fileURLToPath(new URL('..', import.meta.url)));
const { main } = await importBundled('scripts/edges/main.ts');
process.exitCode = await main(process.argv.slice(2));
