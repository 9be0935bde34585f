/**
 * Signed depth of a point in the core of a primitive: inside, its distance to the boundary; outside, minus its distance
 * to the core.
 */

/**
 * Returns the signed depth in a box (or, with two numbers, a rectangle). `inside[i]`: signed distance of the point from
 * the nearer of the two faces i, positive inside.
 */
export function depthInBox(inside: readonly number[]): number {
  let squared = 0;
  let minInside = Number.POSITIVE_INFINITY;
  for (const x of inside) {
    minInside = Math.min(minInside, x);
    if (x < 0) squared += x * x;
  }
  return squared > 0 ? -Math.sqrt(squared) : minInside;
}

/**
 * Returns the signed depth in a frustum of revolution about z between z = ±half: in the half-plane (ρ, z) of the point
 * the core is a trapezium.
 *
 *        top
 *      ┌─────┐        z = +half
 *      │      ╲
 *      └───────┘      z = −half
 *       bottom
 */
export function depthInFrustum(bottom: number, top: number, half: number, center: ArrayLike<number>): number {
  const rho = Math.sqrt(center[0] * center[0] + center[1] * center[1]);
  const z = center[2];
  const taper = top - bottom;
  const slant = Math.sqrt(taper * taper + 4 * half * half);
  // Signed distance of the point from the side, positive inside.
  const side = slant > 0 ? ((bottom + top) * half - 2 * half * rho + taper * z) / slant : -rho;
  const inside = Math.min(half - z, half + z, side);
  if (inside >= 0) return inside;
  const toSide = distanceToSegment(rho, z, bottom, -half, top, half);
  const toTop = distanceToSegment(rho, z, 0, half, top, half);
  const toBottom = distanceToSegment(rho, z, 0, -half, bottom, -half);
  return -Math.min(toSide, toTop, toBottom);
}

/** Returns the distance of (x, y) from the segment (x0, y0) – (x1, y1). */
export function distanceToSegment(x: number, y: number, x0: number, y0: number, x1: number, y1: number): number {
  const [dx, dy] = [x1 - x0, y1 - y0];
  const squared = dx * dx + dy * dy;
  const t = squared > 0 ? Math.min(1, Math.max(0, ((x - x0) * dx + (y - y0) * dy) / squared)) : 0;
  const [ex, ey] = [x - x0 - t * dx, y - y0 - t * dy];
  return Math.sqrt(ex * ex + ey * ey);
}
