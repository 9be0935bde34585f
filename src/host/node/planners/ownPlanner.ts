import { createHash } from 'node:crypto';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { PlannerDefinition, PlannerOption } from '../../../core/planning/planner.ts';
import { InputError } from '../../../errors.ts';
import { plannerNameOfFile } from '../../../formats/schemas/plannerFile.ts';

/** Imports of a module: `from './x.mjs'`, `import './x.mjs'`, `import('./x.mjs')`. */
const RELATIVE_IMPORT = /(?:\bfrom|\bimport)\s*\(?\s*(['"])(\.{1,2}\/[^'"\n]+)\1/g;

/**
 * Loads a planner from a module whose default export is a `PlannerDefinition`; `summary`, `source` and `options` may be
 * missing. Exceptions of the module and of the planner are thrown as `InputError` with its file and line. Runs foreign
 * code: call it on a thread that can be ended.
 */
export async function loadPlanner(file: string): Promise<PlannerDefinition> {
  const path = requireModule(file);
  let given: unknown;
  try {
    given = ((await import(pathToFileURL(path).href)) as { readonly default?: unknown }).default;
  } catch (error) {
    throw moduleError(error, file);
  }
  const definition = checkedDefinition(given, file);
  return {
    ...definition,
    name: plannerNameOfFile(file),
    plan: (...input) => {
      try {
        return definition.plan(...input);
      } catch (error) {
        throw moduleError(error, file);
      }
    },
  };
}

/**
 * Computes the hash of the text of a module and of all modules that it imports by relative paths, directly or not.
 * Packages are not included.
 */
export function plannerHash(file: string): string {
  const hash = createHash('sha256');
  const left = [requireModule(file)];
  const seen = new Set(left);
  for (let path = left.shift(); path !== undefined; path = left.shift()) {
    const text = readFileSync(path, 'utf8');
    hash.update(`${text.length}\n${text}`);
    for (const [, , specifier] of text.matchAll(RELATIVE_IMPORT)) {
      const imported = join(dirname(path), specifier);
      if (seen.has(imported) || !isFile(imported)) continue;
      seen.add(imported);
      left.push(imported);
    }
  }
  return hash.digest('hex').slice(0, 32);
}

const isFile = (path: string) => statSync(path, { throwIfNoEntry: false })?.isFile() === true;

/** Returns the absolute path of a module. Throws `InputError` if it cannot be one. */
function requireModule(file: string): string {
  const path = resolve(file);
  if (!existsSync(path))
    throw new InputError(`${file}: there is no such file`, 'Name a module that exports a planner.');
  if (!isFile(path)) throw new InputError(`${file}: this is not a file`, 'Name a module that exports a planner.');
  if (/\.[cm]?ts$/.test(file))
    throw new InputError(
      `${file}: planners are loaded as JavaScript`,
      'Compile it first, and name the .mjs or .js file.',
    );
  return path;
}

/** Checks the form of a definition. The path that its planner returns is checked where it is used. */
function checkedDefinition(given: unknown, file: string): PlannerDefinition {
  const wrong = (what: string) =>
    new InputError(
      `${file}: ${what}`,
      'Write: export default { iterations: 10000, options: {}, plan(problem, options, random, budget) { … } }',
    );
  if (!isRecord(given)) throw wrong('its default export is not a planner');
  const { plan, iterations, options = {}, summary = '', source = '', improves } = given;
  if (typeof plan !== 'function') throw wrong('its planner has no function plan');
  if (!Number.isSafeInteger(iterations) || (iterations as number) < 1)
    throw wrong('iterations of its planner is not a positive whole number');
  if (typeof summary !== 'string' || typeof source !== 'string')
    throw wrong('summary and source of its planner are not texts');
  if (!isRecord(options)) throw wrong('options of its planner is not an object');
  const entries = Object.entries(options).map(([name, option]): [string, PlannerOption] => {
    if (!isRecord(option) || typeof option['value'] !== 'number' || !Number.isFinite(option['value']))
      throw wrong(`options.${name} of its planner has no number as value`);
    const { value, unit = '', meaning = '' } = option;
    if (typeof unit !== 'string' || typeof meaning !== 'string')
      throw wrong(`unit and meaning of options.${name} of its planner are not texts`);
    return [name, { value, unit, meaning }];
  });
  return {
    summary,
    source,
    options: Object.fromEntries(entries),
    iterations: iterations as number,
    ...(improves ? { improves: true } : {}),
    plan: (...input) => (plan as PlannerDefinition['plan']).apply(given, input),
  };
}

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Converts an exception of foreign code to an `InputError` with file and line. */
function moduleError(error: unknown, file: string): InputError {
  if (error instanceof InputError) return error;
  const { name, message, stack = '' } = error instanceof Error ? error : { name: 'thrown', message: String(error) };
  const line = stack
    .split('\n')
    .find((at) => at.includes(basename(file)))
    ?.match(/:(\d+):\d+\)?$/)?.[1];
  const place = line === undefined ? file : `${file}:${line}`;
  return new InputError(`${place}: ${name}: ${String(message).split('\n')[0]}`);
}
