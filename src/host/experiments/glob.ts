import { readdirSync } from 'node:fs';
import { join } from 'node:path';

/** True if the text is a pattern with wildcards or alternatives. */
export const isPattern = (path: string): boolean => /[*?{]/.test(path);

/**
 * Returns the files below a folder that match a pattern, sorted: `*` and `?` within a name, `**` for any folders,
 * `{a,b}` for alternatives. Names that begin with a dot match only if the pattern has the dot. Paths are relative or
 * absolute like the pattern. Own code: all other characters are literal, whereas libraries do not find files
 * in `runs (1)/` or named `!a.yaml`.
 */
export function matchingFiles(pattern: string, folder: string): string[] {
  const found = alternatives(pattern).flatMap((one) => {
    const [start, ...parts] = one.split('/');
    return start === '' ? walk('/', '/', parts) : walk(folder, '', [start, ...parts]);
  });
  return [...new Set(found)].sort();
}

/** Expands alternatives: `a{b,c}d` → `abd`, `acd`. */
function alternatives(pattern: string): string[] {
  const match = /^(.*?)\{([^{}]*)\}(.*)$/s.exec(pattern);
  if (!match) return [pattern];
  const [, before, choices, after] = match;
  return choices.split(',').flatMap((choice) => alternatives(`${before}${choice}${after}`));
}

/**
 * Matches the remaining parts of a pattern in a folder. @param shown the folder as written in the result, with a
 * trailing slash
 */
function walk(folder: string, shown: string, [part, ...rest]: readonly string[]): string[] {
  if (part === '.' || part === '..') return walk(join(folder, part), `${shown}${part}/`, rest);
  const entries = readdirSync(folder, { withFileTypes: true, encoding: 'utf8' });
  if (part === '**') {
    const below = entries.filter((entry) => entry.isDirectory() && !entry.name.startsWith('.'));
    return [
      ...walk(folder, shown, rest.length > 0 ? rest : ['*']),
      ...below.flatMap(({ name }) => walk(join(folder, name), `${shown}${name}/`, ['**', ...rest])),
    ];
  }
  const wanted = expressionOf(part);
  const matching = entries.filter(({ name }) => wanted.test(name) && (part.startsWith('.') || !name.startsWith('.')));
  if (rest.length === 0) return matching.filter((entry) => !entry.isDirectory()).map(({ name }) => shown + name);
  return matching
    .filter((entry) => entry.isDirectory() || entry.isSymbolicLink())
    .flatMap(({ name }) => walk(join(folder, name), `${shown}${name}/`, rest));
}

function expressionOf(part: string): RegExp {
  const source = part
    .replace(/[.+^$()|[\]\\{}]/g, '\\$&')
    .replaceAll('*', '.*')
    .replaceAll('?', '.');
  return new RegExp(`^${source}$`, 's');
}
