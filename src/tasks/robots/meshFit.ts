import { convexHull } from '../../core/hulls/hull.ts';
import { hullExcess } from '../../core/hulls/hullExcess.ts';
import { boundsOf, scaled } from '../../core/hulls/pointCloud.ts';
import { enclosedVolume, fatness } from '../../core/hulls/solid.ts';
import type { Mesh } from '../../formats/meshes/index.ts';
import type { Urdf } from '../../formats/robots/urdf.ts';

/** How well one convex hull approximates a collision mesh. */
export interface MeshFit {
  readonly link: string;
  /** Index of the `<collision>` element of the link, from 0. */
  readonly source: number;
  readonly address: string;
  readonly triangles: number;
  readonly hullVertices: number;
  /** Volume, m³. */
  readonly hullVolume: number;
  /** Ratio of the volume of the hull to that of the mesh; undefined for meshes that are flat or not closed. */
  readonly fatness: number | undefined;
  /**
   * Metres by which the hull of an open mesh exceeds it, a lower bound; 0 for closed meshes, for which `fatness` is
   * computed.
   */
  readonly excess: () => number;
  /** Maximum extent along an axis, m. */
  readonly length: number;
}

/** Computes the fit of every collision mesh of a robot, in the order of the file. */
export async function meshFits(urdf: Urdf, meshes: ReadonlyMap<string, Mesh>): Promise<MeshFit[]> {
  const fits: MeshFit[] = [];
  for (const { name, collisions } of urdf.links) {
    for (const [source, { mesh: use }] of collisions.entries()) {
      const mesh = use && meshes.get(use.address);
      if (use === undefined || mesh === undefined) continue;
      const points = scaled(mesh.points, use.scale);
      const hull = await convexHull(points);
      const [x0, y0, z0, x1, y1, z1] = boundsOf(points)!;
      fits.push({
        link: name,
        source,
        address: use.address,
        triangles: mesh.triangles,
        hullVertices: hull.points.length,
        hullVolume: hull.volume,
        fatness: fatness(points, hull.volume),
        excess: () => (enclosedVolume(points) === undefined ? hullExcess(points, [hull.points]) : 0),
        length: Math.max(x1 - x0, y1 - y0, z1 - z0),
      });
    }
  }
  return fits;
}
