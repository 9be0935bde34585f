/**
 * Finds the vertices of the initial tetrahedron of a hull: those two extreme points along an axis which are farthest
 * apart, the point farthest from their line, and the point farthest from the plane of the three. The order is such that
 * the fourth lies below the first three. Returns undefined if the fourth is not farther from the plane than
 * `minHeight`, metres.
 */
export function firstSimplex(
  points: Float64Array,
  minHeight: number,
): readonly [number, number, number, number] | undefined {
  const [a, b] = farthestPair(points);
  const c = farthestFromLine(points, a, b);
  const [x, y, z] = normalOf(points, a, b, c);
  const d = farthestFromPlane(points, a, x, y, z);
  const height =
    x * (points[3 * d] - points[3 * a]) +
    y * (points[3 * d + 1] - points[3 * a + 1]) +
    z * (points[3 * d + 2] - points[3 * a + 2]);
  if (!(Math.abs(height) > minHeight * Math.sqrt(x * x + y * y + z * z))) return undefined;
  return height < 0 ? [a, b, c, d] : [a, c, b, d];
}

function farthestPair(points: Float64Array): [number, number] {
  let pair: [number, number] = [0, 0];
  let widest = -1;
  for (let k = 0; k < 3; k++) {
    let low = 0;
    let high = 0;
    for (let i = 1; i < points.length / 3; i++) {
      const value = points[3 * i + k];
      if (value < points[3 * low + k]) low = i;
      if (value > points[3 * high + k]) high = i;
    }
    const width = points[3 * high + k] - points[3 * low + k];
    if (width <= widest) continue;
    widest = width;
    pair = [low, high];
  }
  return pair;
}

/** Computes (b − a) × (c − a). */
function normalOf(points: Float64Array, a: number, b: number, c: number): readonly [number, number, number] {
  const ux = points[3 * b] - points[3 * a],
    uy = points[3 * b + 1] - points[3 * a + 1],
    uz = points[3 * b + 2] - points[3 * a + 2];
  const vx = points[3 * c] - points[3 * a],
    vy = points[3 * c + 1] - points[3 * a + 1],
    vz = points[3 * c + 2] - points[3 * a + 2];
  return [uy * vz - uz * vy, uz * vx - ux * vz, ux * vy - uy * vx];
}

/** Finds the point farthest from the line through two points. */
function farthestFromLine(points: Float64Array, a: number, b: number): number {
  const ax = points[3 * a],
    ay = points[3 * a + 1],
    az = points[3 * a + 2];
  const ux = points[3 * b] - ax,
    uy = points[3 * b + 1] - ay,
    uz = points[3 * b + 2] - az;
  let max = -1;
  let best = 0;
  for (let k = 0; k < points.length; k += 3) {
    const vx = points[k] - ax,
      vy = points[k + 1] - ay,
      vz = points[k + 2] - az;
    const x = uy * vz - uz * vy,
      y = uz * vx - ux * vz,
      z = ux * vy - uy * vx;
    const square = x * x + y * y + z * z;
    if (square <= max) continue;
    max = square;
    best = k;
  }
  return best / 3;
}

/** Finds the point farthest from the plane through point a with normal (x, y, z). */
function farthestFromPlane(points: Float64Array, a: number, x: number, y: number, z: number): number {
  const ax = points[3 * a],
    ay = points[3 * a + 1],
    az = points[3 * a + 2];
  let max = -1;
  let best = 0;
  for (let k = 0; k < points.length; k += 3) {
    const height = Math.abs(x * (points[k] - ax) + y * (points[k + 1] - ay) + z * (points[k + 2] - az));
    if (height <= max) continue;
    max = height;
    best = k;
  }
  return best / 3;
}
