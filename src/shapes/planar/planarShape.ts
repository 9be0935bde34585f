import type { Vec2 } from '../../math/planar.ts';
import type { ShapeSpec } from '../shape.ts';

/**
 * A convex body of the plane = core ⊕ disc(margin), the core a ring of corners: a disc is one corner with a margin, a stadium two.
 * Immutable; made by `createPolygon` and `createDisc`.
 */
export class PlanarShape {
  /**
   * Corners (x, y each), counter-clockwise, no two equal and no three in line; measured from `middle`, so that bodies whose
   * coordinates are far from their frame's origin keep all their digits.
   */
  readonly vertices: Float64Array;
  /** From each corner to the next; empty for a point. */
  readonly edges: Float64Array;
  /** A point inside the body, in its own frame: where the corners are measured from. The origin itself where that lies inside. */
  readonly middle: Vec2;
  /** The point that the body grows about, own frame. */
  readonly center: Vec2;
  /** `center` measured from `middle`. */
  readonly centerFromMiddle: Vec2;
  /**
   * Radius of the largest disc about `center` in the body, margin included; below zero where the centre lies outside: minus its
   * distance from the body.
   */
  readonly innerRadius: number;
  /** Radius of the least disc about `center` that holds the body, margin included. */
  readonly outerRadius: number;
  /** Box around the body in its own frame, margin included: min x, y, then max x, y. */
  readonly bounds: Float64Array;
  /** Whether the farthest corner is found by a walk along the ring; where corners are few, looking at each is cheaper. */
  readonly walks: boolean;

  constructor(
    readonly type: string,
    ring: Ring,
    readonly margin: number,
    center: ArrayLike<number>,
  ) {
    const { vertices, middle } = ring;
    this.vertices = vertices;
    this.edges = edgesOf(vertices);
    this.middle = middle;
    this.center = Float64Array.of(center[0], center[1]);
    this.centerFromMiddle = Float64Array.of(center[0] - middle[0], center[1] - middle[1]);
    this.innerRadius = signedInnerRadius(vertices, this.edges, this.centerFromMiddle) + margin;
    this.outerRadius = farthestFrom(vertices, this.centerFromMiddle) + margin;
    this.bounds = boundsOf(vertices, middle, margin);
    this.walks = vertices.length >= 2 * WALK_FROM;
  }
}

/** Corners measured from `middle`, a point in own coordinates: what is left of a list of points once it is in order. */
export interface Ring {
  readonly vertices: Float64Array;
  readonly middle: Vec2;
}

/** One row of the table of planar shapes. `create` throws InputError for values that make no body. */
export interface PlanarShapeDefinition {
  readonly summary: string;
  /** Keys of a spec besides `type` and `margin`. */
  readonly fields: readonly string[];
  readonly create: (spec: ShapeSpec, center?: ArrayLike<number>) => PlanarShape;
  /** Specs of different character for tests and benches, about 1 m in size. */
  readonly samples: readonly ShapeSpec[];
}

/** Below this many corners looking at each is cheaper than walking. */
const WALK_FROM = 8;

/**
 * Offset in `vertices` of the corner that lies farthest along d, own axes. The hint, an offset from an earlier call, only says where a
 * walk along the ring starts. (The direction comes as a list: two numbers would cost an allocation each.)
 *
 * The walk looks at edges, not at heights: the next corner is higher if the edge to it points along d. Rounding may take an edge
 * square to d for a summit; on the wrong side of the body (below `middle`, an inner point) that is seen, and all corners are searched.
 */
export function farthestCorner(shape: PlanarShape, d: Vec2, hint: number): number {
  const dx = d[0],
    dy = d[1];
  const { vertices, edges } = shape;
  if (!shape.walks) return searchCorners(vertices, d);
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
  return vertices[at] * dx + vertices[at + 1] * dy > 0 ? at : searchCorners(vertices, d);
}

function searchCorners(vertices: Float64Array, d: Vec2): number {
  const dx = d[0],
    dy = d[1];
  let best = 0;
  let most = vertices[0] * dx + vertices[1] * dy;
  for (let at = 2; at < vertices.length; at += 2) {
    const height = vertices[at] * dx + vertices[at + 1] * dy;
    if (height > most) {
      most = height;
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

/** Distance of p from the ring, positive inside. */
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
  let most = 0;
  for (let i = 0; i < vertices.length; i += 2) {
    const dx = vertices[i] - x;
    const dy = vertices[i + 1] - y;
    most = Math.max(most, Math.sqrt(dx * dx + dy * dy));
  }
  return most;
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
