// Tries to prove the prover wrong, on the project's own scenes and on the shared ones where they lie beside the project.
//
//   node scripts/certify-edges.mjs edges  [--count N] [--seed S]   random motions: what is certified is sampled again, plainly
//   node scripts/certify-edges.mjs caches [--count N] [--seed S]   random states: cold, warm and misled caches must say the same
//
// Exit code 0: nothing found, 1: something found, told with what repeats it.
import { mkdirSync } from 'node:fs';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build } from 'esbuild';

const root = fileURLToPath(new URL('..', import.meta.url));
const folder = `${root}node_modules/.cache/elbowroom-edges-${process.pid}`;
mkdirSync(folder, { recursive: true });
await build({
  entryPoints: [`${root}scripts/edges/main.ts`],
  bundle: true,
  format: 'esm',
  platform: 'node',
  packages: 'external',
  outfile: `${folder}/main.mjs`,
  logLevel: 'error',
});
process.chdir(root);
const { main } = await import(pathToFileURL(`${folder}/main.mjs`).href);
process.exitCode = await main(process.argv.slice(2));
