import { convexSpec, type MeshDecomposer } from '../../../core/hulls/meshParts.ts';
import { createShape } from '../../../core/shapes/index.ts';
import { keepPrepared } from '../../../core/shapes/preparedConvex.ts';
import { authenticFile, type PreparedCache } from './authenticFiles.ts';
import { decodeHull, encodeHull } from './hullContent.ts';

/** Hulls of meshes with fewer triangles are computed as fast as they are read. */
const MIN_TRIANGLES = 20;

/**
 * Returns a method that computes the hull of a mesh and the search structure of its shape, or reads both from a file of
 * the cache, in a third of the time; `createShape` then returns that shape. (To prove a search structure that is not
 * authentic takes as long as to compute it.)
 */
export function preparedHulls(cache: PreparedCache, compute: MeshDecomposer): MeshDecomposer {
  return async (triangles) => {
    if (triangles.length < 9 * MIN_TRIANGLES) return compute(triangles);
    const bytes = new Uint8Array(triangles.buffer, triangles.byteOffset, triangles.byteLength);
    const file = await authenticFile(cache, 'hull', [bytes]);
    if (file === undefined) return compute(triangles);
    const content = file.read();
    const found = content && decodeHull(content);
    if (found) {
      keepPrepared(convexSpec(found.hull), found.vertices, found.prepared);
      return [found.hull];
    }
    const hulls = await compute(triangles);
    const [hull] = hulls;
    if (hulls.length === 1 && hull.points.length > 0) await file.write(encodeHull(hull, createShape(convexSpec(hull))));
    return hulls;
  };
}
