// Plays trajectory files as the controllers that execute them do, and compares with the curve that is proved of the
// same file.
//
//   node scripts/play-trajectories.mjs [--count N] [--seed S]
//
// Exit code 0: never more than 1e-6 rad apart, 1: more, with the motion that repeats it.
import { fileURLToPath } from 'node:url';
import { importBundled } from './bundled.mjs';

process.chdir(fileURLToPath(new URL('..', import.meta.url)));
const { main } = await importBundled('scripts/controllers/main.ts');
process.exitCode = await main(process.argv.slice(2));
