// Runs `elbowroom serve` with many clients, in Node and Python, that plan, check, cancel, change their scenes and
// disconnect at random, while Python clients are killed. Compares every answer with results that are computed in this
// process, from scene files. Afterwards all sessions, threads and reserved memory must be released.
//
//   node scripts/fault-serve.mjs [--seconds N] [--clients N] [--pythons N] [--seed S]
//     --pythons: processes with 8 sessions each; 0 without python3
//
// Exit code 0: no findings, 1: findings, printed.
import { fileURLToPath } from 'node:url';
import { importBundled } from './bundled.mjs';

process.chdir(fileURLToPath(new URL('..', import.meta.url)));
const { main } = await importBundled('scripts/faults/main.ts');
process.exitCode = await main(process.argv.slice(2));
