import { existsSync } from 'node:fs';
import { basename } from 'node:path';
import { InputError, suggestion } from '../errors.ts';
import { builtInScenes } from './packageFolder.ts';

/** True if this is meant as a path, not as the name of a scene that comes along. */
const isScenePath = (nameOrPath: string): boolean => /[\\/]|\.(ya?ml|json)$/i.test(nameOrPath);

/** The file of a scene: its path, or that of a scene of the package by its bare name, as robots are named. */
export function locateScene(nameOrPath: string): string {
  const own = builtInScenes();
  if (!isScenePath(nameOrPath)) {
    if (Object.hasOwn(own, nameOrPath)) return own[nameOrPath];
    if (existsSync(nameOrPath)) return nameOrPath;
    const note = `${suggestion(nameOrPath, Object.keys(own))} Or give the path of a scene file.`;
    throw new InputError(`unknown scene "${nameOrPath}"`, note.trim());
  }
  const name = basename(nameOrPath).replace(/\.\w+$/, '');
  if (!existsSync(nameOrPath) && Object.hasOwn(own, name)) {
    throw new InputError(
      `${nameOrPath}: there is no such file`,
      `A scene of the package is named without path: ${name}.`,
    );
  }
  return nameOrPath;
}
