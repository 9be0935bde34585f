import { boundsOf, type Points, weld } from './pointCloud.ts';

/** The convex hull of a set of points: what a `convex` shape is made of. */
export interface Hull {
  /** Corners, metres, in the order in which they appear among the points. */
  readonly points: readonly (readonly [number, number, number])[];
  /** Pairs of corners that share an edge; none where the hull could not be trusted: the support then looks at all points. */
  readonly edges: readonly (readonly [number, number])[];
  /** m³; 0 for flat hulls. */
  readonly volume: number;
}

/** Corners thinner than this, relative to the size, lie in one plane (on one line): rounding of the coordinates makes about 1e-16. */
const FLAT = 1e-12;

/** How far, relative to the size, a point may stick out of the hull before the hull is not trusted. */
const SUPPORT_ERROR = 1e-12;

/**
 * The convex hull of points, which may repeat, lie in a plane, on a line, or be one. Every point lies in the hull to 1e-12 of the size:
 * three's ConvexHull makes it, centred and scaled, and is checked; where it fails, all points are kept and no edges are given.
 */
export async function convexHull(points: Points): Promise<Hull> {
  const welded = weld(points);
  const box = boundsOf(welded);
  if (box === undefined) return { points: [], edges: [], volume: 0 };
  const size = Math.max(box[3] - box[0], box[4] - box[1], box[5] - box[2]);
  if (size === 0) return pick(welded, [0], [], 0);

  const unit = new Float64Array(welded.length);
  for (let i = 0; i < unit.length; i++) unit[i] = (welded[i] - (box[i % 3] + box[(i % 3) + 3]) / 2) / size;

  const frame = principalFrame(unit);
  const found =
    frame.rank === 1 ? segment(unit, frame.u) : frame.rank === 2 ? polygon(unit, frame.u, frame.v) : await solid(unit);
  if (found === undefined || !isTrustworthy(unit, found)) {
    return pick(
      welded,
      Array.from({ length: welded.length / 3 }, (_, i) => i),
      [],
      (found?.volume ?? 0) * size ** 3,
    );
  }
  return pick(welded, found.corners, found.edges, found.volume * size * size * size);
}

/** Corners as indices of points, edges as pairs of such indices. */
interface Skeleton {
  readonly corners: readonly number[];
  readonly edges: readonly (readonly [number, number])[];
  readonly volume: number;
}

function pick(points: Float64Array, corners: readonly number[], edges: Skeleton['edges'], volume: number): Hull {
  const sorted = [...corners].sort((a, b) => a - b);
  const place = new Map(sorted.map((corner, i) => [corner, i]));
  return {
    points: sorted.map((i): [number, number, number] => [points[3 * i], points[3 * i + 1], points[3 * i + 2]]),
    edges: edges.map(([a, b]): [number, number] => [place.get(a)!, place.get(b)!]),
    volume,
  };
}

interface Frame {
  readonly rank: 1 | 2 | 3;
  readonly u: Float64Array;
  readonly v: Float64Array;
}

/**
 * How many dimensions the points (at least two different ones) fill: u points from the first point to the farthest from it, v is square
 * to u and points to the farthest from that line.
 */
function principalFrame(points: Float64Array): Frame {
  const u = new Float64Array(3);
  const v = new Float64Array(3);
  const none = new Float64Array(3);
  unitOffset(u, points, farthestFrom(points, none), none);
  const second = farthestFrom(points, u);
  if (unitOffset(v, points, second, u) <= FLAT) return { rank: 1, u, v };
  const w = Float64Array.of(u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]);
  const ground = along(points, 0, w);
  for (let i = 1; i < points.length / 3; i++) {
    if (Math.abs(along(points, i, w) - ground) > FLAT) return { rank: 3, u, v };
  }
  return { rank: 2, u, v };
}

/** Index of the point farthest from the line through the first point along the unit vector u; from the first point itself if u is 0. */
function farthestFrom(points: Float64Array, u: Float64Array): number {
  const x0 = points[0],
    y0 = points[1],
    z0 = points[2];
  let best = 0;
  let most = -1;
  for (let i = 0; i < points.length; i += 3) {
    const x = points[i] - x0,
      y = points[i + 1] - y0,
      z = points[i + 2] - z0;
    const t = x * u[0] + y * u[1] + z * u[2];
    const dx = x - t * u[0],
      dy = y - t * u[1],
      dz = z - t * u[2];
    const square = dx * dx + dy * dy + dz * dz;
    if (square > most) {
      most = square;
      best = i / 3;
    }
  }
  return best;
}

/** Direction from that line to point i, made a unit vector; returns the distance. */
function unitOffset(out: Float64Array, points: Float64Array, i: number, u: Float64Array): number {
  for (let k = 0; k < 3; k++) out[k] = points[3 * i + k] - points[k];
  const t = dot(out, u);
  for (let k = 0; k < 3; k++) out[k] -= t * u[k];
  const distance = Math.sqrt(dot(out, out));
  if (distance > 0) for (let k = 0; k < 3; k++) out[k] /= distance;
  return distance;
}

function segment(points: Float64Array, u: Float64Array): Skeleton {
  let low = 0,
    high = 0;
  for (let i = 0; i < points.length / 3; i++) {
    if (along(points, i, u) < along(points, low, u)) low = i;
    if (along(points, i, u) > along(points, high, u)) high = i;
  }
  return { corners: [low, high], edges: [[low, high]], volume: 0 };
}

/** Andrew's monotone chain in the plane of u and v. Points on an edge are left out. [Andrew79] */
function polygon(points: Float64Array, u: Float64Array, v: Float64Array): Skeleton {
  const x = Float64Array.from({ length: points.length / 3 }, (_, i) => along(points, i, u));
  const y = Float64Array.from({ length: points.length / 3 }, (_, i) => along(points, i, v));
  const order = Array.from(x, (_, i) => i).sort((a, b) => x[a] - x[b] || y[a] - y[b]);
  const turn = (a: number, b: number, c: number) => (x[b] - x[a]) * (y[c] - y[a]) - (y[b] - y[a]) * (x[c] - x[a]);
  const chain = (indices: readonly number[]) => {
    const kept: number[] = [];
    for (const i of indices) {
      while (kept.length > 1 && turn(kept[kept.length - 2], kept[kept.length - 1], i) <= 0) kept.pop();
      kept.push(i);
    }
    return kept.slice(0, -1);
  };
  const corners = [...chain(order), ...chain(order.toReversed())];
  return {
    corners,
    edges: corners.map((corner, i): [number, number] => [corner, corners[(i + 1) % corners.length]]),
    volume: 0,
  };
}

/** Hull of points that fill space. Only corners, edges and volume are used: three's face planes mean nothing on slivers. */
async function solid(points: Float64Array): Promise<Skeleton | undefined> {
  const { ConvexHull, Vector3 } = await import('./threeGeometry.ts');
  const vectors = Array.from(
    { length: points.length / 3 },
    (_, i) => new Vector3(points[3 * i], points[3 * i + 1], points[3 * i + 2]),
  );
  const indexOf = new Map(vectors.map((vector, i) => [vector, i]));
  const hull = new ConvexHull().setFromPoints(vectors);
  const corners = new Set<number>();
  const edges: [number, number][] = [];
  let volume = 0;
  for (const face of hull.faces) {
    const first = face.edge;
    const a = indexOf.get(first.vertex.point);
    const b = indexOf.get(first.next.vertex.point);
    const c = indexOf.get(first.next.next.vertex.point);
    if (a === undefined || b === undefined || c === undefined) return undefined;
    corners.add(a).add(b).add(c);
    if (a < b) edges.push([a, b]); // the face on the other side has it the other way round
    if (b < c) edges.push([b, c]);
    if (c < a) edges.push([c, a]);
    volume += tripleProduct(points, a, b, c) / 6;
  }
  return { corners: [...corners], edges, volume };
}

/** True if, in every direction of a fixed set, no point sticks out of the corners and walking along the edges finds the farthest corner. */
function isTrustworthy(points: Float64Array, { corners, edges }: Skeleton): boolean {
  if (corners.length === 0) return false;
  const neighbors = Array.from({ length: points.length / 3 }, (): number[] => []);
  for (const [a, b] of edges) {
    neighbors[a].push(b);
    neighbors[b].push(a);
  }
  let at = corners[0];
  for (const d of directions) {
    const x = d[0],
      y = d[1],
      z = d[2];
    let most = -Infinity;
    for (let i = 0; i < points.length; i += 3) {
      const reach = points[i] * x + points[i + 1] * y + points[i + 2] * z;
      if (reach > most) most = reach;
    }
    at = climb(points, neighbors, at, d);
    if (!(most - along(points, at, d) <= SUPPORT_ERROR)) return false;
  }
  return true;
}

function climb(
  points: Float64Array,
  neighbors: readonly (readonly number[])[],
  start: number,
  d: Float64Array,
): number {
  let at = start;
  for (let best = along(points, at, d), moved = true; moved; ) {
    moved = false;
    for (const next of neighbors[at]) {
      const reach = along(points, next, d);
      if (reach <= best) continue;
      best = reach;
      at = next;
      moved = true;
    }
  }
  return at;
}

/** Unit directions of a grid on the cube, tilted a little so that they are square to no face of anything axis-aligned, and the axes themselves. */
const directions: readonly Float64Array[] = (() => {
  const all: Float64Array[] = [];
  for (let x = -2; x <= 2; x++) {
    for (let y = -2; y <= 2; y++) {
      for (let z = -2; z <= 2; z++) {
        if (Math.max(Math.abs(x), Math.abs(y), Math.abs(z)) < 2) continue;
        const d = Float64Array.of(x + 0.013 * y, y + 0.017 * z, z + 0.011 * x);
        normalize(d, d);
        all.push(d);
      }
    }
  }
  return [
    ...[0, 1, 2].flatMap((k) => [1, -1].map((s) => Float64Array.from([0, 1, 2], (i) => (i === k ? s : 0)))),
    ...all,
  ];
})();

function normalize(out: Float64Array, d: Float64Array): void {
  const length = Math.sqrt(dot(d, d));
  for (let k = 0; k < 3; k++) out[k] = d[k] / length;
}

function dot(a: Float64Array, b: Float64Array): number {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

function along(points: Float64Array, i: number, d: Float64Array): number {
  return points[3 * i] * d[0] + points[3 * i + 1] * d[1] + points[3 * i + 2] * d[2];
}

/** a · (b × c): six times the volume of the tetrahedron that the three points make with the origin. */
function tripleProduct(points: Float64Array, a: number, b: number, c: number): number {
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
