import type { ConvexShape, ShapeSpec } from '../../../core/shapes/shape.ts';
import type { SessionScene } from '../sessionScene.ts';
import type { Turn } from '../turns.ts';

/** What a change of the objects of a session needs. */
export interface ChangeContext {
  readonly scene: SessionScene;
  /** Sets the bytes that all added objects reserve. Throws `RpcError` if the memory budget is exhausted. */
  readonly keep: (bytes: number) => void;
  /** Returns the shape of a spec, built once. */
  readonly shapeOf: (spec: ShapeSpec) => ConvexShape;
  /** Turns of the running request. */
  readonly turn: Turn;
}

/**
 * Runs a change of the objects of a session; afterwards, also if it fails or the request ends early, the session
 * reserves the memory of the objects that it has. The change calls `reserve` before it allocates.
 */
export async function reservedChange({ scene, keep }: ChangeContext, change: () => Promise<void>): Promise<void> {
  try {
    await change();
  } finally {
    keep(scene.addedBytes()); // at most what is reserved: releases memory, or none
  }
}

/**
 * Reserves memory for the objects after a change, or for those before it if they take more: nothing has to be reserved
 * again if it fails. Throws `RpcError` if the memory budget is exhausted.
 */
export function reserve({ scene, keep }: ChangeContext, bytes: number): void {
  keep(Math.max(bytes, scene.addedBytes()));
}

/** Creates the shapes of the parts of a cloud, during which other requests may run. */
export async function prepareShapes(
  { shapeOf, turn }: ChangeContext,
  parts: readonly { readonly shape: ShapeSpec }[],
): Promise<void> {
  for (const { shape } of parts) {
    shapeOf(shape);
    if (turn.isOver) await turn.next();
  }
}
