import { basename, isAbsolute, relative, sep } from 'node:path';
import { shellWord } from './shellWord.ts';

/**
 * Replaces `elbowroom` in the commands of a text (`elbowroom plan …`) by the command that started this program, so
 * that they can be pasted: `node bin/elbowroom.js` in a clone, `npx elbowroom` in a project that has installed it.
 * @param verbs names of the commands
 * @param script file that Node runs; a link keeps its name
 */
export function asStarted(
  text: string,
  verbs: readonly string[],
  script = process.argv[1] ?? '',
  folder = process.cwd(),
): string {
  if (!text.includes('elbowroom ')) return text;
  const isCommand = (verb: string | undefined) => verb !== undefined && verbs.includes(verb);
  return text.replace(/\belbowroom (?=([a-z]+))/g, (start, verb?: string) =>
    isCommand(verb) ? `${commandOf(script, folder)} ` : start,
  );
}

function commandOf(script: string, folder: string): string {
  const [project, ...installed] = script.split(`${sep}node_modules${sep}`);
  if (installed.length > 0) return isBelow(folder, project) ? 'npx elbowroom' : 'elbowroom';
  if (basename(script) !== 'elbowroom.js') return 'elbowroom';
  const near = relative(folder, script);
  return `node ${shellWord(near.length < script.length ? near : script)}`;
}

function isBelow(folder: string, project: string): boolean {
  const path = relative(project, folder);
  return path !== '..' && !path.startsWith(`..${sep}`) && !isAbsolute(path);
}
