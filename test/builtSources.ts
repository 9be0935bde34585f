import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build, type Plugin as EsbuildPlugin } from 'esbuild';
import type { Plugin } from 'vitest/config';

const root = fileURLToPath(new URL('..', import.meta.url));
const sources = join(root, 'src/');
const tests = join(root, 'test/');
const built = join(root, '.vitest/src/');

/** Imports of sources name what they become: `./bounds.ts` is `./bounds.js`. */
const javaScriptNames: EsbuildPlugin = {
  name: 'names of JavaScript files',
  setup: ({ onResolve }) =>
    onResolve({ filter: /./ }, ({ kind, path }) =>
      kind === 'entry-point'
        ? null
        : { path: path.startsWith('.') ? path.replace(/\.ts$/, '.js') : path, external: true },
    ),
};

/**
 * Before the first test: src/ as JavaScript in `.vitest/src/`, file by file, which Node loads by itself. The loader of
 * vitest is slower, and so is the code that it loads, which reads every import at each use. Unchanged files stay.
 */
export async function setup(): Promise<void> {
  const names = (folder: string, end: string) =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith(end));
  const { outputFiles } = await build({
    entryPoints: names(sources, '.ts').map((file) => join(sources, file)),
    outdir: built,
    outbase: sources,
    bundle: true,
    format: 'esm',
    platform: 'node',
    sourcemap: 'linked',
    plugins: [javaScriptNames],
    write: false,
  });
  mkdirSync(built, { recursive: true });
  const old = new Map(names(built, '').map((file) => [join(built, file), file]));
  for (const { path, text } of outputFiles) {
    if (old.delete(path) && readFileSync(path, 'utf8') === text) continue;
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(`${path}.new`, text);
    renameSync(`${path}.new`, path);
  }
  for (const path of old.keys()) if (/\.js(\.map)?$/.test(path)) rmSync(path);
}

/**
 * Takes what tests import of src/ from there, unless files are watched, or the test replaces modules by `vi.mock`: only
 * the loader of vitest can do both.
 */
export function builtSources(): Plugin {
  let isWatching = false;
  const replacing = new Map<string, boolean>();
  const isReplacing = (test: string) => {
    if (!replacing.has(test)) replacing.set(test, readFileSync(test, 'utf8').includes('vi.mock('));
    return replacing.get(test)!;
  };
  return {
    name: 'built sources',
    enforce: 'pre',
    configureVitest: ({ vitest }) => {
      isWatching = vitest.config.watch;
    },
    resolveId: (source, importer = '') => {
      if (isWatching || !source.startsWith('.') || !importer.startsWith(tests) || isReplacing(importer)) return null;
      const file = join(dirname(importer), source);
      return file.startsWith(sources) && file.endsWith('.ts') ? `${built}${file.slice(sources.length, -2)}js` : null;
    },
  };
}
