/** A triangle of a hull: indices of its corners, counter-clockwise seen from outside. */
export type Face = readonly [number, number, number];

/** Loads three's hull, once, so that what follows is synchronous. */
export async function loadHullFaces(): Promise<(points: Float64Array) => Face[] | undefined> {
  const { ConvexHull, Vector3 } = await import('./threeGeometry.ts');
  /** The faces of the hull of points that fill space; undefined where they are flat but for rounding. */
  return (points) => {
    const vectors = Array.from(
      { length: points.length / 3 },
      (_, i) => new Vector3(points[3 * i], points[3 * i + 1], points[3 * i + 2]),
    );
    const indexOf = new Map(vectors.map((vector, i) => [vector, i]));
    const hull = new ConvexHull();
    try {
      hull.setFromPoints(vectors);
    } catch {
      return undefined;
    }
    const faces: Face[] = [];
    for (const { edge } of hull.faces) {
      const a = indexOf.get(edge.vertex.point);
      const b = indexOf.get(edge.next.vertex.point);
      const c = indexOf.get(edge.next.next.vertex.point);
      if (a === undefined || b === undefined || c === undefined) return undefined;
      faces.push([a, b, c]);
    }
    return faces;
  };
}

/** Six times the volume of the tetrahedron that three of the points make with the origin: a · (b × c). */
export function tripleProduct(points: Float64Array, [a, b, c]: Face): number {
  const bx = points[3 * b],
    by = points[3 * b + 1],
    bz = points[3 * b + 2];
  const cx = points[3 * c],
    cy = points[3 * c + 1],
    cz = points[3 * c + 2];
  return (
    points[3 * a] * (by * cz - bz * cy) +
    points[3 * a + 1] * (bz * cx - bx * cz) +
    points[3 * a + 2] * (bx * cy - by * cx)
  );
}
