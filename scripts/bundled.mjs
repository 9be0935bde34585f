// Modules of the project as scripts load them: TypeScript, which Node does not run by itself.
import { mkdirSync, rmSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { threadId } from 'node:worker_threads';
import { build } from 'esbuild';

const root = fileURLToPath(new URL('..', import.meta.url));

/**
 * What a module exports; it and all that it imports, packages aside, are bundled into one file, which is gone
 * afterwards.
 */
export async function importBundled(entry) {
  // Below node_modules, so that packages are found from there.
  const folder = path.join(root, 'node_modules', '.cache', `elbowroom-${process.pid}-${threadId}`);
  mkdirSync(folder, { recursive: true });
  const outfile = path.join(folder, `${path.basename(entry, '.ts')}.mjs`);
  try {
    await build({
      absWorkingDir: root,
      entryPoints: [entry],
      bundle: true,
      format: 'esm',
      platform: 'node',
      packages: 'external',
      outfile,
      logLevel: 'error',
    });
    return await import(pathToFileURL(outfile).href);
  } finally {
    rmSync(folder, { recursive: true });
  }
}
