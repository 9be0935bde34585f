import { existsSync } from 'node:fs';
import { basename } from 'node:path';
import { InputError, suggestion } from '../../../errors.ts';
import { builtInScenes } from '../packageFolder.ts';

/** True if the text is a path, not the name of a built-in scene. */
const isScenePath = (nameOrPath: string): boolean => /[\\/]|\.(ya?ml|json)$/i.test(nameOrPath);

/**
 * Returns the file of a scene, given by path or by the name of a built-in scene. Throws `InputError` for an unknown
 * name.
 */
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
