import type { Slices } from '../../../core/math/slices.ts';
import { shapeInSlices } from '../../../core/shapes/index.ts';
import type { ConvexShape, ShapeSpec } from '../../../core/shapes/shape.ts';
import type { SessionScene } from '../sessionScene.ts';

/** What a change of the objects of a session needs. */
export interface ChangeContext {
  readonly scene: SessionScene;
  /** Sets the bytes that all added objects reserve. Throws `RpcError` if the memory budget is exhausted. */
  readonly keep: (bytes: number) => void;
  /** Returns the shape of a spec, built once. */
  readonly shapeOf: (spec: ShapeSpec) => ConvexShape;
}

/**
 * Runs a change of the objects of a session, in slices; afterwards, also if it fails or the request ends early, the
 * session reserves the memory of the objects that it has. The change calls `reserve` before it allocates.
 */
export function* reservedChange<T>({ scene, keep }: ChangeContext, change: Slices<T>): Slices<T> {
  try {
    return yield* change;
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

/** Creates the shapes of the parts of a cloud in slices: the search structure of many points takes long. */
export function* preparedShapes(
  { shapeOf }: ChangeContext,
  parts: readonly { readonly shape: ShapeSpec }[],
): Slices<void> {
  for (const { shape } of parts) {
    yield* shapeInSlices(shape);
    shapeOf(shape);
    yield;
  }
}
