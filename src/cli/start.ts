import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { cachedDataVersionTag } from 'node:v8';
import { Script } from 'node:vm';
import type { main } from './main.ts';

/**
 * Length of the header of the cached code, bytes: hex SHA-256 of the source, a space, V8's version tag in 15
 * characters.
 */
const HEAD = 80;

/**
 * Runs the command line and ends the process. Loads one bundled file with its cached V8 code if that was built by the
 * same V8 (startup takes two thirds of the time), else the modules, which behave the same.
 */
export async function start(args: readonly string[]): Promise<never> {
  const { main } = loadPrecompiled() ?? (await import('./main.ts'));
  return main(args);
}

/**
 * Loads the bundled file and its code cache, written by scripts/precompile.mjs; undefined if they are missing or belong
 * to another V8.
 */
function loadPrecompiled(): { readonly main: typeof main } | undefined {
  const folder = dirname(fileURLToPath(import.meta.url));
  const [sourceFile, codeFile] = [join(folder, 'whole.cjs'), join(folder, 'whole.code')];
  if (!existsSync(codeFile)) return undefined;
  const code = readFileSync(codeFile);
  const source = readFileSync(sourceFile, 'latin1');
  // V8 itself compares only the length of the source.
  if (code.toString('latin1', 0, HEAD) !== `${source.slice(-64)} ${String(cachedDataVersionTag()).padStart(15)}`) {
    return undefined;
  }
  const script = new Script(source, { filename: sourceFile, cachedData: code.subarray(HEAD) });
  if (script.cachedDataRejected) return undefined;
  const module = { exports: {} as { main: typeof main } };
  script.runInThisContext()(module.exports, createRequire(sourceFile), module, sourceFile, load);
  return module.exports;
}

/** Imports packages that are loaded on use, resolved relative to this module. */
const load = (name: string): Promise<unknown> => import(name);
