/** A point of A ⊖ B, and the corners of A and of B behind it. (Its coordinates, handed over, would cost an allocation each.) */
export interface FoundCorner {
  readonly wx: number;
  readonly wy: number;
  readonly cornerA: number;
  readonly cornerB: number;
}

/**
 * Up to three points of the Minkowski difference, newest first, and the point of their hull nearest to the origin: what the paper
 * calls W, λ and v [Zhang20 §II-C]. Each point remembers the corners of A and B that it came from.
 */
export class PlanarSimplex {
  count = 0;
  /** x, y of A, B, C in the paper's names: A is the newest. */
  readonly points = new Float64Array(6);
  /** The corners of both bodies behind each point. */
  readonly corners = new Int32Array(6);
  /** Barycentric coordinates of v in the points left. */
  readonly lambda = new Float64Array(3);
  /**
   * v = distance · (nx, ny). Kept apart because near contact v is a difference of large numbers, but the direction square to an edge
   * keeps all its digits however near the origin is.
   */
  distance = 0;
  nx = 0;
  ny = 0;

  /** Puts a point in front; three are there at most before the call of a subdistance routine. */
  add({ wx, wy, cornerA, cornerB }: FoundCorner): void {
    const { points, corners } = this;
    for (let i = 5; i >= 2; i--) {
      points[i] = points[i - 2];
      corners[i] = corners[i - 2];
    }
    points[0] = wx;
    points[1] = wy;
    corners[0] = cornerA;
    corners[1] = cornerB;
    this.count = Math.min(3, this.count + 1);
  }

  /** Whether a pair of corners is among the points already. */
  holds(cornerA: number, cornerB: number): boolean {
    const { corners, count } = this;
    for (let i = 0; i < 2 * count; i += 2) if (corners[i] === cornerA && corners[i + 1] === cornerB) return true;
    return false;
  }

  /** Keeps the points i and j, in this order. */
  keepTwo(i: number, j: number): void {
    this.#move(i, j);
    this.count = 2;
  }

  keepOne(i: number): void {
    this.#move(i, i);
    this.count = 1;
    const x = this.points[0];
    const y = this.points[1];
    this.distance = Math.sqrt(x * x + y * y);
    this.nx = this.distance > 0 ? x / this.distance : 0;
    this.ny = this.distance > 0 ? y / this.distance : 0;
    this.lambda[0] = 1;
  }

  #move(i: number, j: number): void {
    const { points, corners } = this;
    const x = points[2 * j],
      y = points[2 * j + 1];
    const a = corners[2 * j],
      b = corners[2 * j + 1];
    points[0] = points[2 * i];
    points[1] = points[2 * i + 1];
    corners[0] = corners[2 * i];
    corners[1] = corners[2 * i + 1];
    points[2] = x;
    points[3] = y;
    corners[2] = a;
    corners[3] = b;
  }
}

/** Reduces three points to those that carry v. */
export type TriangleRoutine = (simplex: PlanarSimplex) => void;

/** Algorithm 2: the smallest part of the simplex that holds v, whatever the number of points. */
export function subdistance(simplex: PlanarSimplex, s2d: TriangleRoutine): void {
  if (simplex.count === 3) s2d(simplex);
  else if (simplex.count === 2) s1d(simplex);
  else simplex.keepOne(0);
}

/** Algorithm 5, S1D: dot products tell the three Voronoi regions of a segment apart, and are λ at once. */
export function s1d(simplex: PlanarSimplex): void {
  const { points, lambda } = simplex;
  const ax = points[0],
    ay = points[1];
  const bx = points[2],
    by = points[3];
  const ex = bx - ax,
    ey = by - ay;
  const atA = ax * ex + ay * ey; // OA · AB
  const atB = bx * ex + by * ey; // OB · AB
  if (atA >= 0 || atB <= 0) {
    simplex.keepOne(atA >= 0 ? 0 : 1);
    return;
  }
  const sum = atA - atB;
  lambda[0] = -atB / sum;
  lambda[1] = atA / sum;
  // v is square to AB and as far away as the line; the nearer end gives that with fewer digits lost.
  const length = Math.sqrt(ex * ex + ey * ey);
  const nx = ey / length,
    ny = -ex / length;
  const height = -atA < atB ? nx * ax + ny * ay : nx * bx + ny * by;
  const sign = height < 0 ? -1 : 1;
  simplex.nx = sign * nx;
  simplex.ny = sign * ny;
  simplex.distance = sign * height;
}

/**
 * Algorithm 3, S2D: the signs of the three barycentric coordinates of the origin, one bit each, name the region it is in. Makes no
 * use of the order of the points.
 *
 *            \ 2 |                A = 4, B = 2, C = 1: cones behind a corner
 *             \B/                 6, 3, 5: beyond an edge
 *            6/ \3                7: inside
 *      _____A/_7_\C_____
 *       4   /  5  \  1
 */
export function s2d(simplex: PlanarSimplex): void {
  switch (barycode(simplex)) {
    case 1:
      coneRegion(simplex, 2, 0, 1);
      break;
    case 2:
      coneRegion(simplex, 1, 0, 2);
      break;
    case 3:
      edge(simplex, 1, 2);
      break;
    case 4:
      coneRegion(simplex, 0, 1, 2);
      break;
    case 5:
      edge(simplex, 0, 2);
      break;
    case 7:
      inside(simplex);
      break;
    default:
      edge(simplex, 0, 1); // 6
  }
}

/**
 * S2D for simplices that know their order: A is the support point towards the origin from the edge BC, so the origin lies on A's
 * side of BC, and codes 1, 2, 3 cannot come up [Zhang20 §II-C]. Rounding may still name them: BC then holds v already.
 */
export function s2dOrdered(simplex: PlanarSimplex): void {
  switch (barycode(simplex)) {
    case 4:
      coneRegion(simplex, 0, 1, 2);
      break;
    case 5:
      edge(simplex, 0, 2);
      break;
    case 6:
      edge(simplex, 0, 1);
      break;
    case 7:
      inside(simplex);
      break;
    default:
      edge(simplex, 1, 2);
  }
}

/**
 * σu = B × C, σv = C × A, σw = A × B: doubled areas, proportional to the barycentric coordinates of the origin. Left in λ. Taken
 * through edges (A × B = A × (B − A)), and their sum through two edges alone, so that a small triangle far away keeps its signs.
 */
function barycode({ points, lambda }: PlanarSimplex): number {
  const ax = points[0],
    ay = points[1];
  const bx = points[2],
    by = points[3];
  const cx = points[4],
    cy = points[5];
  const u = bx * (cy - by) - by * (cx - bx);
  const v = cx * (ay - cy) - cy * (ax - cx);
  const w = ax * (by - ay) - ay * (bx - ax);
  const positive = (bx - ax) * (cy - ay) - (by - ay) * (cx - ax) > 0;
  lambda[0] = u;
  lambda[1] = v;
  lambda[2] = w;
  return (w > 0 === positive ? 1 : 0) | (v > 0 === positive ? 2 : 0) | (u > 0 === positive ? 4 : 0);
}

/** Algorithm 4, ConeRegion: behind a sharp corner V it is V; behind a blunt one an edge may be nearer, and V − M, V − N tell which. */
function coneRegion(simplex: PlanarSimplex, V: number, M: number, N: number): void {
  const { points } = simplex;
  const vx = points[2 * V],
    vy = points[2 * V + 1];
  const mx = vx - points[2 * M],
    my = vy - points[2 * M + 1];
  const nx = vx - points[2 * N],
    ny = vy - points[2 * N + 1];
  const isBlunt = mx * nx + my * ny < 0;
  if (isBlunt && vx * mx + vy * my > 0) edge(simplex, V, M);
  else if (isBlunt && vx * nx + vy * ny > 0) edge(simplex, V, N);
  else simplex.keepOne(V);
}

function edge(simplex: PlanarSimplex, i: number, j: number): void {
  simplex.keepTwo(i, j);
  s1d(simplex);
}

/** The origin is in the triangle: λ = σ / Σσ. A triangle without area, all three points in line with the origin, is left to its edges. */
function inside(simplex: PlanarSimplex): void {
  const { lambda } = simplex;
  const sum = lambda[0] + lambda[1] + lambda[2];
  if (sum === 0) {
    edge(simplex, 0, 1);
    return;
  }
  lambda[0] /= sum;
  lambda[1] /= sum;
  lambda[2] = 1 - lambda[0] - lambda[1];
  simplex.distance = 0;
}

/**
 * λ of the origin in a triangle around it, again, for witnesses: in the axes of the longest edge, so that the point Σ λ w is the origin
 * to rounding even in a sliver, whose areas are rounding themselves. An origin that turns out to lie outside is beyond an edge by
 * rounding alone; that edge is kept.
 */
export function balance(simplex: PlanarSimplex): void {
  const { points, lambda } = simplex;
  const first = longestEdge(points);
  const second = (first + 1) % 3;
  const third = (first + 2) % 3;
  const a = 2 * first,
    b = 2 * second,
    c = 2 * third;
  const ex = points[b] - points[a];
  const ey = points[b + 1] - points[a + 1];
  const length = Math.sqrt(ex * ex + ey * ey);
  const tx = ex / length,
    ty = ey / length;
  const height = tx * points[a + 1] - ty * points[a];
  const span = height - (tx * points[c + 1] - ty * points[c]);
  const shareC = span === 0 ? 0 : height / span;
  const alongB = tx * points[b] + ty * points[b + 1];
  const alongC = tx * points[c] + ty * points[c + 1];
  const shareA = (shareC * alongC + (1 - shareC) * alongB) / length;
  const shareB = 1 - shareC - shareA;
  lambda[first] = shareA;
  lambda[second] = shareB;
  lambda[third] = shareC;
  if (shareC < 0) edge(simplex, first, second);
  else if (shareA < 0) edge(simplex, second, third);
  else if (shareB < 0) edge(simplex, third, first);
}

/** The number of the edge from point i to the next that is longest. */
function longestEdge(points: Float64Array): number {
  let best = 0;
  let longest = -1;
  for (let i = 0; i < 3; i++) {
    const j = (i + 1) % 3;
    const x = points[2 * j] - points[2 * i];
    const y = points[2 * j + 1] - points[2 * i + 1];
    if (x * x + y * y <= longest) continue;
    longest = x * x + y * y;
    best = i;
  }
  return best;
}
