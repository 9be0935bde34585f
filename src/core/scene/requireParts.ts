import { InputError } from '../../errors.ts';
import type { Scene } from './scene.ts';

/** Throws `InputError` if an obstacle or attached object has no convex part: it would count as free space. */
export function requireParts(scene: Pick<Scene, 'obstacles' | 'attached'>): void {
  for (const kind of ['obstacles', 'attached'] as const) {
    const i = scene[kind].findIndex(({ parts }) => parts.length === 0);
    if (i < 0) continue;
    const what = `${kind}[${i}]: "${scene[kind][i].name}" has no parts, so that nothing could collide with it`;
    throw new InputError(what, 'Give it at least one convex part, or leave it out.');
  }
}
