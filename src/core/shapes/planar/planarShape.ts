import type { Vec2 } from '../../math/planar.ts';
import type { ShapeSpec } from '../shape.ts';

/**
 * Planar convex shape = core ⊕ disc(margin), the core a ring of vertices: a disc is one vertex with a margin, a stadium
 * two. The core of an ellipse has no vertices. Immutable; created by `createPolygon`, `createDisc` and `createEllipse`.
 */
export class PlanarShape {
  /**
   * Vertices (x, y each), counter-clockwise, no two equal and no three collinear; relative to `middle`, so that shapes
   * with coordinates far from the origin of their frame keep all digits.
   */
  readonly vertices: Float64Array;
  /** Vector from each vertex to the next; empty for a point. */
  readonly edges: Float64Array;
  /**
   * Interior point in the frame of the shape, to which `vertices` are relative: the origin itself if that is inside.
   */
  readonly middle: Vec2;
  /** Center of growth in the frame of the shape. */
  readonly center: Vec2;
  /** `center` relative to `middle`. */
  readonly centerFromMiddle: Vec2;
  /**
   * Radius of the largest disc about `center` in the shape, margin included; if the center is outside, minus its
   * distance from the shape. A lower bound for an ellipse about another center than its own.
   */
  readonly innerRadius: number;
  /**
   * Radius of the smallest disc about `center` that contains the shape, margin included. An upper bound for an ellipse
   * about another center than its own.
   */
  readonly outerRadius: number;
  /** Bounding box in the frame of the shape, margin included: min x, y, then max x, y. */
  readonly bounds: Float64Array;
  /**
   * True if the support vertex is found by hill climbing along the ring; with few vertices, exhaustive search is
   * faster.
   */
  readonly usesHillClimbing: boolean;

  constructor(
    /** Type in the table of planar shapes. */
    readonly type: string,
    ring: Ring,
    /** Rounding radius around the core, metres. */
    readonly margin: number,
    center: ArrayLike<number>,
    /** Round core; undefined: the ring of vertices. */
    readonly round?: RoundCore,
  ) {
    const { vertices, middle } = ring;
    this.vertices = vertices;
    this.edges = edgesOf(vertices);
    this.middle = middle;
    this.center = Float64Array.of(center[0], center[1]);
    this.centerFromMiddle = Float64Array.of(center[0] - middle[0], center[1] - middle[1]);
    this.innerRadius = margin + (round?.innerRadius ?? signedInnerRadius(vertices, this.edges, this.centerFromMiddle));
    this.outerRadius = margin + (round?.outerRadius ?? farthestFrom(vertices, this.centerFromMiddle));
    this.bounds = round?.bounds ?? boundsOf(vertices, middle, margin);
    this.usesHillClimbing = vertices.length >= 2 * HILL_CLIMBING_MIN_VERTICES;
  }
}

/** Vertices relative to `middle`, a point in the frame of the shape: a normalised list of points. */
export interface Ring {
  /** x, y of each vertex relative to `middle`, metres, counter-clockwise. */
  readonly vertices: Float64Array;
  /** Reference point in the frame of the shape, metres. */
  readonly middle: Vec2;
}

/** Core of a planar shape without vertices: its support function, its measures, and its curvature. */
export interface RoundCore {
  /** `innerRadius` of the shape less its margin, metres. */
  readonly innerRadius: number;
  /** Likewise `outerRadius`. */
  readonly outerRadius: number;
  /** `bounds` of the shape. */
  readonly bounds: Float64Array;
  /** Writes x, y of the support point along d, of any length but 0, into `out` at this offset, relative to `middle`. */
  support(out: Float64Array, offset: number, d: Vec2): void;
  /** Returns the radius of curvature of the shape, margin included, where its outer normal is d. */
  radiusAlong(d: Vec2): number;
}

/** One row of the table of planar shapes. `create` throws `InputError` for invalid values. */
export interface PlanarShapeDefinition {
  /** One line of help. */
  readonly summary: string;
  /** Keys of a spec besides `type` and `margin`. */
  readonly fields: readonly string[];
  /** Creates the shape of a spec. `center`: centre of growth in the frame of the shape. */
  readonly create: (spec: ShapeSpec, center?: ArrayLike<number>) => PlanarShape;
  /** Varied specs for tests and benchmarks, about 1 m in size. */
  readonly samples: readonly ShapeSpec[];
}

/** Number of vertices from which hill climbing is faster than exhaustive search. */
const HILL_CLIMBING_MIN_VERTICES = 8;

/**
 * Returns the offset in `vertices` of the support vertex along d, in the axes of the shape. The hint, an offset from an
 * earlier call, is only the start of hill climbing along the ring. (d is an array because two number arguments would
 * cost an allocation each.)
 *
 * Hill climbing evaluates edges instead of heights: the next vertex is higher if the edge to it points along d.
 * Rounding may make an edge perpendicular to d appear as a maximum. On the wrong side of the shape (below `middle`, an
 * interior point) this is detected, and all vertices are searched.
 */
export function planarSupportVertex(shape: PlanarShape, d: Vec2, hint: number): number {
  const dx = d[0],
    dy = d[1];
  const { vertices, edges } = shape;
  if (!shape.usesHillClimbing) return searchVertices(vertices, d);
  const length = vertices.length;
  let at = hint < length ? hint : 0;
  if (edges[at] * dx + edges[at + 1] * dy > 0) {
    for (let steps = length; steps > 0; steps -= 2) {
      at = at + 2 === length ? 0 : at + 2;
      if (!(edges[at] * dx + edges[at + 1] * dy > 0)) break;
    }
  } else {
    for (let steps = length; steps > 0; steps -= 2) {
      const before = at === 0 ? length - 2 : at - 2;
      if (!(edges[before] * dx + edges[before + 1] * dy < 0)) break;
      at = before;
    }
  }
  return vertices[at] * dx + vertices[at + 1] * dy > 0 ? at : searchVertices(vertices, d);
}

function searchVertices(vertices: Float64Array, d: Vec2): number {
  const dx = d[0],
    dy = d[1];
  let best = 0;
  let maxHeight = vertices[0] * dx + vertices[1] * dy;
  for (let at = 2; at < vertices.length; at += 2) {
    const height = vertices[at] * dx + vertices[at + 1] * dy;
    if (height > maxHeight) {
      maxHeight = height;
      best = at;
    }
  }
  return best;
}

function edgesOf(vertices: Float64Array): Float64Array {
  const { length } = vertices;
  if (length < 4) return new Float64Array(0);
  return vertices.map((value, i) => vertices[(i + 2) % length] - value);
}

/** Returns the signed distance of p from the ring, positive inside. */
function signedInnerRadius(vertices: Float64Array, edges: Float64Array, [x, y]: Vec2): number {
  let inside = vertices.length >= 6;
  let nearest = Number.POSITIVE_INFINITY;
  for (let i = 0; i < vertices.length; i += 2) {
    const px = x - vertices[i];
    const py = y - vertices[i + 1];
    const ex = edges[i] ?? 0;
    const ey = edges[i + 1] ?? 0;
    const ee = ex * ex + ey * ey;
    const along = ee > 0 ? Math.min(1, Math.max(0, (px * ex + py * ey) / ee)) : 0;
    const dx = px - along * ex;
    const dy = py - along * ey;
    nearest = Math.min(nearest, Math.sqrt(dx * dx + dy * dy));
    if (!(ex * py - ey * px > 0)) inside = false;
  }
  return inside ? nearest : -nearest;
}

function farthestFrom(vertices: Float64Array, [x, y]: Vec2): number {
  let max = 0;
  for (let i = 0; i < vertices.length; i += 2) {
    const dx = vertices[i] - x;
    const dy = vertices[i + 1] - y;
    max = Math.max(max, Math.sqrt(dx * dx + dy * dy));
  }
  return max;
}

function boundsOf(vertices: Float64Array, middle: Vec2, margin: number): Float64Array {
  const out = Float64Array.of(Infinity, Infinity, -Infinity, -Infinity);
  for (let i = 0; i < vertices.length; i++) {
    const axis = i % 2;
    out[axis] = Math.min(out[axis], vertices[i] + middle[axis] - margin);
    out[axis + 2] = Math.max(out[axis + 2], vertices[i] + middle[axis] + margin);
  }
  return out;
}
