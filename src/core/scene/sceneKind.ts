import { hasMoving, type MovingScene } from './movingScene.ts';

/** What a motion in a scene is: a program of steps, a motion among moving objects, or one in a still scene. */
export type SceneKind = 'program' | 'moving' | 'still';

/** Returns the kind of a scene; in a program, obstacles and other robots may move, too. */
export const kindOf = (scene: MovingScene & { readonly steps?: unknown }): SceneKind =>
  scene.steps === undefined ? (hasMoving(scene) ? 'moving' : 'still') : 'program';
