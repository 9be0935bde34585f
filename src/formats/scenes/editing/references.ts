import { InputError } from '../../../errors.ts';
import type { Path } from '../../text/sourceText.ts';
import type { SceneText } from './sceneText.ts';

/** Keys of a scene whose values contain names of obstacles, as texts or in lists. */
const REFERRING = ['attach', 'detach', 'touches', 'allow', 'forbid'];

/**
 * Renames an obstacle wherever the scene refers to it: `allow`, `touches` and steps. Throws `InputError` if an attached
 * object has the same name, since a reference may then mean either.
 */
export async function renameReferences(scene: SceneText, file: string, name: string, to: string): Promise<SceneText> {
  const attached = (scene.get(['attached']) ?? []) as readonly { readonly name?: string }[];
  const places = [...placesOf(scene, name)];
  if (places.length > 0 && attached.some((object) => object.name === name || object.name === to))
    throw new InputError(`${file}: an attached object has this name, too`, 'Rename that one in the text of the file.');
  let renamed = scene;
  for (const path of places) renamed = await renamed.set(path, to);
  return renamed;
}

function* placesOf(scene: SceneText, name: string): Generator<Path> {
  for (const key of REFERRING) yield* within(scene.get([key]), [key], name);
  for (const list of ['attached', 'steps']) {
    const items = (scene.get([list]) ?? []) as readonly Record<string, unknown>[];
    for (const [i, item] of items.entries())
      for (const key of REFERRING) yield* within(item[key], [list, i, key], name);
  }
}

function* within(value: unknown, path: Path, name: string): Generator<Path> {
  if (value === name) yield path;
  if (Array.isArray(value)) for (const [i, item] of value.entries()) yield* within(item, [...path, i], name);
}
