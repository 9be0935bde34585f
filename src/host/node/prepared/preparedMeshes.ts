import type { Hull } from '../../../core/hulls/hull.ts';
import { convexSpec, meshParts } from '../../../core/hulls/meshParts.ts';
import { longestSide, scaled } from '../../../core/hulls/pointCloud.ts';
import { firstBeyond } from '../../../core/math/magnitudes.ts';
import { createShape } from '../../../core/shapes/index.ts';
import { keepPrepared } from '../../../core/shapes/preparedConvex.ts';
import { type Mesh, readMesh, readMeshLater } from '../../../formats/meshes/index.ts';
import { decodeHull, encodeHull } from './hullContent.ts';
import type { Prepare } from './preparedData.ts';

/** Factors of the three axes. */
export type Scale = readonly [number, number, number];

/** What is kept of a mesh file. */
interface KeptMesh {
  readonly triangles: number;
  readonly warnings: readonly string[];
  /** Encoded hulls by scale. */
  readonly hulls: readonly { readonly scale: string; readonly length: number; readonly content: Uint8Array }[];
}

/**
 * Reads an STL or OBJ file and computes its hulls, with the search structures of their shapes, or reads all that from
 * the cache, by the content of the file: the triangles are then read only if they are needed. The other formats, whose
 * meshes are in several files or slow to read again, are read as always.
 * @param name of the file, for its format and for messages
 * @param scales at which the mesh is used
 */
export async function preparedMesh(
  bytes: Uint8Array,
  name: string,
  scales: readonly Scale[],
  prepare: Prepare,
): Promise<Mesh> {
  if (!/\.(stl|obj)$/i.test(name)) return readMesh(bytes, name);
  let read: Mesh | undefined;
  const kept = await prepare('mesh', [name, JSON.stringify(scales), bytes], async (): Promise<KeptMesh> => {
    read = await readMesh(bytes, name);
    const { points, triangles, warnings } = read;
    const hulls = await Promise.all(scales.map((scale) => keptHull(points, scale)));
    return { triangles, warnings, hulls: hulls.flat() };
  });
  const hulls = new Map(kept.hulls.map(({ scale, length, content }) => [scale, { length, hull: hullIn(content) }]));
  if (read !== undefined) return { ...read, hulls };
  const { triangles, warnings } = kept;
  return readMeshLater(bytes, name, { triangles, warnings, hulls });
}

/** Returns no hull if a scaled coordinate is too large, which is refused with its place. */
async function keptHull(points: Float64Array, scale: Scale): Promise<KeptMesh['hulls']> {
  const triangles = scaled(points, scale);
  if (firstBeyond(triangles) >= 0) return [];
  const [hull] = await meshParts.hull(triangles);
  const content = encodeHull(hull, createShape(convexSpec(hull)));
  return [{ scale: scale.join(' '), length: longestSide(triangles), content }];
}

/** Decodes a hull; `createShape` then returns its shape without computing it. */
function hullIn(content: Uint8Array): Hull {
  const { hull, vertices, prepared } = decodeHull(content)!;
  keepPrepared(convexSpec(hull), vertices, prepared);
  return hull;
}
