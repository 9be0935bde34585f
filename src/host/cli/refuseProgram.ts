import type { Scene } from '../../core/scene/scene.ts';
import { InputError } from '../../errors.ts';

/**
 * Throws `InputError` if a scene has steps: the command judges motions in one scene, but the steps of a program change
 * what is attached and what may touch.
 * @param path of the scene, for the message
 */
export function refuseProgram({ steps }: Scene, path: string): void {
  if (steps === undefined) return;
  throw new InputError(
    `${path}: it has steps, and this command takes motions from a start to a goal`,
    'Use plan, check and verify for programs.',
  );
}
