/** Vertices this near to a line, relative to the extent, are collinear. */
const FLAT = 1e-12;

/** Point [x, y] in a plane. */
export type Point2 = [number, number];

/**
 * Returns the vertices of the planar convex hull, counter-clockwise, without collinear ones, by monotone chains
 * [Andrew79].
 */
export function planarHull(points: readonly Point2[]): Point2[] {
  const sorted = [...points].sort(([ax, ay], [bx, by]) => ax - bx || ay - by);
  const extent = Math.max(...points.flat().map(Math.abs));
  const chain = (order: readonly Point2[]): Point2[] => {
    const kept: Point2[] = [];
    for (const p of order) {
      while (kept.length > 1 && !turnsLeft(kept[kept.length - 2], kept[kept.length - 1], p, extent)) kept.pop();
      kept.push(p);
    }
    return kept.slice(0, -1);
  };
  return [...chain(sorted), ...chain([...sorted].reverse())];
}

const turnsLeft = ([ax, ay]: Point2, [bx, by]: Point2, [cx, cy]: Point2, extent: number): boolean =>
  (bx - ax) * (cy - ay) - (by - ay) * (cx - ax) > FLAT * extent * extent;
