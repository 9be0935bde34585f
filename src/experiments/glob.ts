import { readdirSync } from 'node:fs';
import { join } from 'node:path';

/** True for what names more than one file. */
export const isPattern = (path: string): boolean => /[*?{]/.test(path);

/**
 * The files that a pattern names below a folder, sorted: `*` and `?` within a name, `**` any folders, `{a,b}` one or the other. Names that
 * begin with a dot are passed over unless the pattern has the dot. Paths come as the pattern has them, relative or not.
 */
export function filesLike(pattern: string, folder: string): string[] {
  const found = alternatives(pattern).flatMap((one) => {
    const [start, ...parts] = one.split('/');
    return start === '' ? walk('/', '/', parts) : walk(folder, '', [start, ...parts]);
  });
  return [...new Set(found)].sort();
}

/** `a{b,c}d` → `abd`, `acd`. */
function alternatives(pattern: string): string[] {
  const match = /^(.*?)\{([^{}]*)\}(.*)$/s.exec(pattern);
  if (!match) return [pattern];
  const [, before, choices, after] = match;
  return choices.split(',').flatMap((choice) => alternatives(`${before}${choice}${after}`));
}

/** @param folder to look into; `shown`: how it is written in the answer */
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
