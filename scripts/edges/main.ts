import { rmSync } from 'node:fs';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { compareCaches } from './cachedStates.ts';
import { tryEdges } from './certifiedEdges.ts';
import { compareFastPaths } from './fastPaths.ts';
import { type Findings, loadWorlds } from './worlds.ts';

/** About a minute each on a quiet machine; of `fast`, three. */
const modes: Readonly<Record<string, { readonly run: Mode; readonly count: number }>> = {
  edges: { run: async (count, seed) => tryEdges(await loadWorlds(), count, seed), count: 4_000 },
  caches: { run: async (count, seed) => compareCaches(await loadWorlds(), count, seed), count: 60_000 },
  fast: { run: compareFastPaths, count: 1_000_000 },
};

type Mode = (count: number, seed: number) => Promise<Findings>;

/** Runs the mode given on the command line and returns the exit code. */
export async function main(args: readonly string[]): Promise<number> {
  rmSync(dirname(fileURLToPath(import.meta.url)), { recursive: true, force: true }); // the bundle is loaded, its file is not needed
  const { positionals, values } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: { count: { type: 'string' }, seed: { type: 'string', default: '1' } },
  });
  const mode = modes[positionals[0] ?? ''];
  if (mode === undefined) {
    console.error(`certify-edges.mjs ${Object.keys(modes).join('|')} [--count N] [--seed S]`);
    return 2;
  }
  const count = Number(values.count ?? mode.count);
  const seed = Number(values.seed);
  if (!(count >= 1) || !Number.isSafeInteger(seed)) {
    console.error(`--count ${values.count}, --seed ${values.seed}: give whole numbers`);
    return 2;
  }
  const begun = performance.now();
  const { lines, wrong } = await mode.run(count, seed);
  for (const line of lines) console.log(line);
  console.log(`${((performance.now() - begun) / 1000).toFixed(1)} s`);
  for (const one of wrong.slice(0, 10)) console.error(one);
  console.log(wrong.length === 0 ? 'nothing wrong found' : `${wrong.length} things are wrong`);
  return wrong.length === 0 ? 0 : 1;
}
