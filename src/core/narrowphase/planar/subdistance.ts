/**
 * A support point of A ⊖ B, and the vertices of A and B that it is the difference of. (Coordinates as arguments would
 * cost an allocation each.)
 */
export interface SupportPoint {
  readonly wx: number;
  readonly wy: number;
  readonly vertexA: number;
  readonly vertexB: number;
}

/**
 * Up to three points of the Minkowski difference, newest first, and the point of their convex hull nearest to the
 * origin: W, λ and v of the paper [Zhang20 §II-C]. Each point stores the vertices of A and B that it comes from.
 */
export class PlanarSimplex {
  count = 0;
  /** x, y of A, B, C in the notation of the paper: A is the newest. */
  readonly points = new Float64Array(6);
  /** Vertex offsets of A and B of each point. */
  readonly vertices = new Int32Array(6);
  /** Barycentric coordinates of v in the remaining points. */
  readonly lambda = new Float64Array(3);
  /**
   * v = distance · (nx, ny). Stored separately because near contact v is a difference of large numbers, but the
   * direction perpendicular to an edge keeps all its digits however close the origin is.
   */
  distance = 0;
  nx = 0;
  ny = 0;

  /** Inserts a point at the front; a subdistance routine accepts at most three. */
  add({ wx, wy, vertexA, vertexB }: SupportPoint): void {
    const { points, vertices } = this;
    for (let i = 5; i >= 2; i--) {
      points[i] = points[i - 2];
      vertices[i] = vertices[i - 2];
    }
    points[0] = wx;
    points[1] = wy;
    vertices[0] = vertexA;
    vertices[1] = vertexB;
    this.count = Math.min(3, this.count + 1);
  }

  /** Returns true if the simplex contains the point of this pair of vertices. */
  contains(vertexA: number, vertexB: number): boolean {
    const { vertices, count } = this;
    for (let i = 0; i < 2 * count; i += 2) if (vertices[i] === vertexA && vertices[i + 1] === vertexB) return true;
    return false;
  }

  /** Reduces the simplex to the points i and j, in this order. */
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
    const { points, vertices } = this;
    const x = points[2 * j],
      y = points[2 * j + 1];
    const a = vertices[2 * j],
      b = vertices[2 * j + 1];
    points[0] = points[2 * i];
    points[1] = points[2 * i + 1];
    vertices[0] = vertices[2 * i];
    vertices[1] = vertices[2 * i + 1];
    points[2] = x;
    points[3] = y;
    vertices[2] = a;
    vertices[3] = b;
  }
}

/** Reduces three points to those whose convex hull contains v. */
export type TriangleRoutine = (simplex: PlanarSimplex) => void;

/** Algorithm 2: reduces the simplex to the smallest sub-simplex that contains v, for one to three points. */
export function subdistance(simplex: PlanarSimplex, s2d: TriangleRoutine): void {
  if (simplex.count === 3) s2d(simplex);
  else if (simplex.count === 2) s1d(simplex);
  else simplex.keepOne(0);
}

/** Algorithm 5, S1D: dot products select the Voronoi region of a segment and give λ. */
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
  // v is perpendicular to AB and as far away as the line; the nearer end point gives that distance with fewer digits
  // lost.
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
 * Algorithm 3, S2D: the signs of the three barycentric coordinates of the origin, one bit each, select its region.
 * Independent of the order of the points.
 *
 *            \ 2 |                A = 4, B = 2, C = 1: cone regions of a vertex
 *             \B/                 6, 3, 5: beyond an edge
 *            6/ \3                7: inside
 *      _____A/_7_\C_____
 *       4   /  5  \  1
 */
export function s2d(simplex: PlanarSimplex): void {
  reduceTo(simplex, barycode(simplex));
}

/**
 * S2D for ordered simplices: A is the support point towards the origin from the edge BC, so the origin is on the side
 * of BC on which A is, and codes 1, 2, 3 cannot occur [Zhang20 §II-C]. If rounding yields one of them, v is on BC.
 */
export function s2dOrdered(simplex: PlanarSimplex): void {
  const code = barycode(simplex);
  reduceTo(simplex, code < 4 ? 3 : code);
}

/** Reduces a triangle to the points nearest to the origin, which is in the region of a code. */
function reduceTo(simplex: PlanarSimplex, code: number): void {
  switch (code) {
    case 1:
      coneRegion(simplex, 2, 0, 1);
      break;
    case 2:
      coneRegion(simplex, 1, 0, 2);
      break;
    case 3:
      reduceToEdge(simplex, 1, 2);
      break;
    case 4:
      coneRegion(simplex, 0, 1, 2);
      break;
    case 5:
      reduceToEdge(simplex, 0, 2);
      break;
    case 7:
      reduceInside(simplex);
      break;
    default:
      reduceToEdge(simplex, 0, 1); // 6
  }
}

/**
 * σu = B × C, σv = C × A, σw = A × B: doubled areas, proportional to the barycentric coordinates of the origin; stored
 * in λ. Computed from edges (A × B = A × (B − A)), and their sum from two edges alone, so that a small triangle far
 * away keeps its signs.
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

/**
 * Algorithm 4, ConeRegion: at a vertex V with an acute angle v is V; at an obtuse angle an edge may be nearer, decided
 * by V − M and V − N.
 */
function coneRegion(simplex: PlanarSimplex, V: number, M: number, N: number): void {
  const { points } = simplex;
  const vx = points[2 * V],
    vy = points[2 * V + 1];
  const mx = vx - points[2 * M],
    my = vy - points[2 * M + 1];
  const nx = vx - points[2 * N],
    ny = vy - points[2 * N + 1];
  const isObtuse = mx * nx + my * ny < 0;
  if (isObtuse && vx * mx + vy * my > 0) reduceToEdge(simplex, V, M);
  else if (isObtuse && vx * nx + vy * ny > 0) reduceToEdge(simplex, V, N);
  else simplex.keepOne(V);
}

function reduceToEdge(simplex: PlanarSimplex, i: number, j: number): void {
  simplex.keepTwo(i, j);
  s1d(simplex);
}

/**
 * The origin is in the triangle: λ = σ / Σσ. A triangle without area, all three points collinear with the origin, is
 * reduced to an edge.
 */
function reduceInside(simplex: PlanarSimplex): void {
  const { lambda } = simplex;
  const sum = lambda[0] + lambda[1] + lambda[2];
  if (sum === 0) {
    reduceToEdge(simplex, 0, 1);
    return;
  }
  lambda[0] /= sum;
  lambda[1] /= sum;
  lambda[2] = 1 - lambda[0] - lambda[1];
  simplex.distance = 0;
}

/**
 * Recomputes λ of the origin in a triangle around it for the witness points: in the axes of the longest edge, so that Σ
 * λ w is the origin up to rounding even in a sliver, whose areas are rounding errors. If the origin is outside beyond
 * an edge, which can only be rounding, that edge is kept.
 */
export function recomputeBarycentric(simplex: PlanarSimplex): void {
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
  if (shareC < 0) reduceToEdge(simplex, first, second);
  else if (shareA < 0) reduceToEdge(simplex, second, third);
  else if (shareB < 0) reduceToEdge(simplex, third, first);
}

/** Returns the index i of the longest edge, from point i to the next. */
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
