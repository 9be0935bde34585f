/** Corners this near to a line, relative to the extent, lie on it. */
const FLAT = 1e-12;

/** x and y in a plane. */
export type Corner = [number, number];

/** Corners of the hull in the plane, counter-clockwise, none on the line between its neighbours [Andrew79]. */
export function planarHull(points: readonly Corner[]): Corner[] {
  const sorted = [...points].sort(([ax, ay], [bx, by]) => ax - bx || ay - by);
  const extent = Math.max(...points.flat().map(Math.abs));
  const chain = (order: readonly Corner[]): Corner[] => {
    const kept: Corner[] = [];
    for (const p of order) {
      while (kept.length > 1 && !turnsLeft(kept[kept.length - 2], kept[kept.length - 1], p, extent)) kept.pop();
      kept.push(p);
    }
    return kept.slice(0, -1);
  };
  return [...chain(sorted), ...chain([...sorted].reverse())];
}

const turnsLeft = ([ax, ay]: Corner, [bx, by]: Corner, [cx, cy]: Corner, extent: number): boolean =>
  (bx - ax) * (cy - ay) - (by - ay) * (cx - ax) > FLAT * extent * extent;
