import { existsSync, writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { basename, dirname, extname, isAbsolute, join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { Random } from '../../core/math/random.ts';
import { InputError, InputErrors } from '../../errors.ts';
import { parseSource } from '../../formats/text/sourceText.ts';
import { type LoadedScene, readText } from '../node/files.ts';
import { loadProblemsIn } from '../node/scenes.ts';
import { createOwned, removeOrphans } from './ownedFiles.ts';

/** Tools that are passed to a script. */
export interface SceneTools {
  /** Random number generator with a fixed seed: scenes are reproducible. */
  readonly random: Pick<Random, 'next' | 'between' | 'below' | 'uint32'>;
  /**
   * Reads the data of a scene or suite file, which the script may change and return; the path is relative to the
   * script.
   */
  readonly load: (path: string) => Promise<SceneData>;
}

/** Data of a scene or suite in the file format: see the schemas. */
export type SceneData = Record<string, unknown>;

/** Default export of a script: returns or yields scene data. Paths in them are relative to the script. */
export type SceneScript = (
  tools: SceneTools,
) => Iterable<SceneData> | AsyncIterable<SceneData> | Promise<Iterable<SceneData>>;

/** Seed of the generator of scripts: scenes are the same for all seeds of an experiment. */
const SCRIPT_SEED = 1;

/** Runs a script and loads the scenes that it generates. Throws `InputError` for errors of the script or its scenes. */
export async function scenesOfScript(file: string): Promise<LoadedScene[]> {
  if (!existsSync(file)) throw new InputError(`${file}: there is no such file`);
  const script = (await importScript(file)).default;
  if (typeof script !== 'function') {
    throw new InputError(
      `${file}: it has no default export to call`,
      'Write: export default function* ({ random, load }) { … }',
    );
  }
  const folder = dirname(file);
  const load = async (path: string): Promise<SceneData> => {
    const from = isAbsolute(path) ? path : join(folder, path);
    return (await parseSource(await readText(from), from)).data as SceneData;
  };
  const loaded: LoadedScene[] = [];
  try {
    const made = await (script as SceneScript)({ random: new Random(SCRIPT_SEED), load });
    for await (const scene of scenesIn(made, file)) {
      const text = JSON.stringify(scene) ?? 'null';
      const name = String((scene as SceneData | null)?.['name'] ?? `scene ${loaded.length + 1}`);
      loaded.push(...(await loadProblemsIn(text, file).catch((error) => Promise.reject(within(name, error)))));
    }
  } catch (error) {
    throw scriptError(error, file);
  }
  return loaded;
}

function scenesIn(made: unknown, file: string): AsyncIterable<unknown> | Iterable<unknown> {
  const some = made as Partial<Iterable<unknown> & AsyncIterable<unknown>> | null | undefined;
  if (typeof made === 'object' && (some?.[Symbol.iterator] || some?.[Symbol.asyncIterator])) {
    return made as Iterable<unknown>;
  }
  throw new InputError(
    `${file}: its default export does not return a list of scenes`,
    'Return a list, or write function* and yield them.',
  );
}

/** Adds the name of the scene to an error: generated scenes have no line numbers. */
function within(name: string, error: unknown): unknown {
  if (!(error instanceof InputError)) return error;
  const problems = error instanceof InputErrors ? error.problems : [error];
  return new InputErrors(
    problems.map(({ message, note }) => new InputError(message.replace(/:\d+: /, `: ${name}: `), note)),
  );
}

/** Converts an exception of a script to an `InputError` with its line: it is an error in user code. */
function scriptError(error: unknown, file: string): unknown {
  if (error instanceof InputError) return error;
  const { name, message, stack = '' } = error instanceof Error ? error : new Error(String(error));
  const line = stack
    .split('\n')
    .find((at) => at.includes(basename(file, extname(file))))
    ?.match(/:(\d+):\d+\)?$/)?.[1];
  return new InputError(`${file}:${line ?? 1}: ${name}: ${message.split('\n')[0]}`);
}

async function importScript(file: string): Promise<{ readonly default?: unknown }> {
  try {
    if (!/\.[cm]?ts$/.test(file) || hasTypeStripping()) return await import(pathToFileURL(resolve(file)).href);
    return await importBundled(file);
  } catch (error) {
    throw scriptError(error, file);
  }
}

/** True if Node runs TypeScript directly: 22.18 and later. */
const hasTypeStripping = () => Boolean((process.features as { typescript?: unknown }).typescript);

/** Bundles the script with esbuild into a temporary module beside it, so that its imports resolve to the same files. */
async function importBundled(file: string): Promise<{ readonly default?: unknown }> {
  const esbuild = await import('esbuild').catch(() => {
    throw new InputError(
      `${file}: scripts in TypeScript need esbuild, or Node 22.18 or newer`,
      'npm install esbuild, or write the script in JavaScript (.mjs).',
    );
  });
  const built = await esbuild
    .build({
      entryPoints: [file],
      bundle: true,
      packages: 'external',
      format: 'esm',
      platform: 'node',
      target: 'node20.19',
      sourcemap: false,
      write: false,
      logLevel: 'silent',
    })
    .catch((failure: { errors?: { text: string; location: { line: number } | null }[] }) => {
      const [first] = failure.errors ?? [];
      throw new InputError(`${file}:${first?.location?.line ?? 1}: ${first?.text ?? String(failure)}`);
    });
  const beside = createModule(file, built.outputFiles[0].text);
  try {
    return await import(pathToFileURL(resolve(beside)).href);
  } finally {
    await rm(beside, { force: true });
  }
}

/**
 * Writes a module beside the script, and removes those of the same script that killed processes left. Returns its path.
 */
export function createModule(file: string, text: string): string {
  const [folder, prefix] = [dirname(file), `.${basename(file, extname(file))}.`];
  removeOrphans(folder, prefix, '.mjs');
  const name = createOwned(
    (owner) => `${prefix}${owner}.mjs`,
    (one) => writeFileSync(join(folder, one), text, { flag: 'wx' }),
  );
  return join(folder, name);
}
