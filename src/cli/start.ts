import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { cachedDataVersionTag } from 'node:v8';
import { Script } from 'node:vm';
import type { main } from './main.ts';

/** Bytes before the code: hex SHA-256 of the source, a blank, V8's tag in fifteen places. */
const HEAD = 80;

/**
 * Runs the command line and ends the process. From one file together with the code that V8 made of it when it was built, where this is the same
 * V8: a command starts in two thirds of the time. From the modules, which do the same, wherever it is not.
 */
export async function start(args: readonly string[]): Promise<never> {
  const { main } = compiled() ?? (await import('./main.ts'));
  return main(args);
}

/** See scripts/precompile.mjs, which makes the two files. */
function compiled(): { readonly main: typeof main } | undefined {
  const folder = dirname(fileURLToPath(import.meta.url));
  const [sourceFile, codeFile] = [join(folder, 'whole.cjs'), join(folder, 'whole.code')];
  if (!existsSync(codeFile)) return undefined;
  const code = readFileSync(codeFile);
  const source = readFileSync(sourceFile, 'latin1');
  // V8 itself compares nothing of the source but its length.
  if (code.toString('latin1', 0, HEAD) !== `${source.slice(-64)} ${String(cachedDataVersionTag()).padStart(15)}`) {
    return undefined;
  }
  const script = new Script(source, { filename: sourceFile, cachedData: code.subarray(HEAD) });
  if (script.cachedDataRejected) return undefined;
  const module = { exports: {} as { main: typeof main } };
  script.runInThisContext()(module.exports, createRequire(sourceFile), module, sourceFile, load);
  return module.exports;
}

/** For packages that are loaded on use: they lie where they lie for this module. */
const load = (name: string): Promise<unknown> => import(name);
