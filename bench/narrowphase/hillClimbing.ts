import { supportVertex } from '../../src/core/shapes/polytope.ts';
import { ConvexShape, type SupportFunction } from '../../src/core/shapes/shape.ts';

/**
 * Returns a hull whose support function climbs along its edges [Thirugnanam26 §IV]: from the vertex of the hint, or the
 * support vertex of the first query, always to the farthest neighbor. Right for hulls of random points: if the edges
 * at each vertex v generate a cone that contains the hull, w − v = Σ λᵢ (nᵢ − v) with λᵢ ≥ 0 for every w, so that a
 * vertex without a farther neighbor is a support vertex. A point inside a flat face is a vertex without such a cone:
 * from there, the climb away from the face ends where it began. The library uses direction maps, which have no such
 * condition.
 */
export function climbingShape(shape: ConvexShape, edges: readonly ArrayLike<number>[]): ConvexShape {
  const { type, size, margin, center, innerRadius, outerRadius, bounds, vertices } = shape;
  const neighbors: number[][] = Array.from({ length: vertices.length / 3 }, () => []);
  for (const edge of edges) {
    neighbors[edge[0]].push(3 * edge[1]);
    neighbors[edge[1]].push(3 * edge[0]);
  }
  const support: SupportFunction = (out, _shape, d, hint) => {
    const [x, y, z] = [d[0], d[1], d[2]];
    let best = hint >= 0 && hint < vertices.length ? hint : supportVertex(shape, d);
    for (let next = best, maxHeight = heightOf(vertices, best, x, y, z); ; best = next) {
      for (const k of neighbors[best / 3]) {
        const height = heightOf(vertices, k, x, y, z);
        if (height <= maxHeight) continue;
        maxHeight = height;
        next = k;
      }
      if (next === best) break;
    }
    for (let k = 0; k < 3; k++) out[k] = vertices[best + k];
    return best;
  };
  return new ConvexShape(
    { type, size, support, margin, center, coreInnerRadius: innerRadius - margin },
    outerRadius,
    bounds,
  );
}

const heightOf = (vertices: Float64Array, k: number, x: number, y: number, z: number): number =>
  vertices[k] * x + vertices[k + 1] * y + vertices[k + 2] * z;
