import type { Vec3 } from '../math/vec3.ts';

/**
 * Writes the point of the core that lies farthest along `d` (own frame, any length but zero) to `out` and returns the hint for
 * the next call: a vertex offset for polytopes, the hint as it was for others. A hint only says where to start (below 0: nowhere
 * known); the answer never depends on it beyond the choice among points that are equally far. `out` may be `d`.
 */
export type SupportFunction = (out: Vec3, shape: ConvexShape, d: Vec3, hint: number) => number;

/** What a shape is made of; `createShape` fills the rest. Lengths in metres, frame: the shape's own. */
export interface ShapeParts {
  readonly type: string;
  /** Parameters of the support function; what they mean is the business of the shape's file. */
  readonly size: ArrayLike<number>;
  readonly support: SupportFunction;
  /** Radius of a ball about `center` that lies in the core; minus the distance to the core (or more) where `center` is outside. */
  readonly coreInnerRadius: number;
  /** Rounding radius added all around the core. */
  readonly margin?: number;
  /** Point of the core that growth is about; the origin by default. */
  readonly center?: ArrayLike<number>;
  /** Polytopes only: corners (x, y, z each) and which of them share an edge. */
  readonly polytope?: Polytope;
}

/** Corners of a polytope and how to find the farthest: a direction map, or edges to climb. Offsets are indices into `vertices`. */
export interface Polytope {
  readonly vertices: Float64Array;
  /** Big hulls only, else empty. The neighbours of the corner at offset k are neighbors[neighborStart[k] … neighborStart[k + 1] − 1], offsets themselves. */
  readonly neighborStart: Int32Array;
  readonly neighbors: Int32Array;
  /** Corners that can be farthest for the directions of cell c (see directionMap.ts): cellCorners[cellStart[c]] and on. */
  readonly cellBits: number;
  readonly cellStart: Int32Array;
  readonly cellCorners: Int32Array;
  /** Corners that are farthest somewhere, spread evenly over the directions. */
  readonly extreme: readonly number[];
}

/**
 * A convex body = core ⊕ ball(margin): a sphere is a point with a margin, a capsule a segment with one. One class for all of them, so
 * that hot call sites see a single hidden class; the kind is the `support` function. Immutable.
 */
export class ConvexShape {
  readonly type: string;
  readonly size: Float64Array;
  readonly margin: number;
  readonly center: Vec3;
  /**
   * Radius of a ball about `center` inside the body, margin included: 0 where the body has no interior or the centre is on its
   * boundary, below 0 where the centre is outside, so that growth about it means nothing.
   */
  readonly innerRadius: number;
  /** Radius of a ball about `center` that holds the body, margin included; the least one unless noted. Infinity for half-spaces. */
  readonly outerRadius: number;
  /** Box around the body in its own frame, margin included: min x, y, z, then max x, y, z. */
  readonly bounds: Float64Array;
  /** Largest absolute value in `bounds`, metres: rounding errors of coordinates are relative to it. Infinity for half-spaces. */
  readonly extent: number;
  readonly support: SupportFunction;
  readonly vertices: Float64Array;
  readonly neighborStart: Int32Array;
  readonly neighbors: Int32Array;
  readonly cellBits: number;
  readonly cellStart: Int32Array;
  readonly cellCorners: Int32Array;

  constructor(parts: ShapeParts, outerRadius: number, bounds: Float64Array) {
    const { type, size, support, coreInnerRadius, margin = 0, center = [0, 0, 0], polytope = noPolytope } = parts;
    this.type = type;
    this.size = Float64Array.from(size);
    this.margin = margin;
    this.center = Float64Array.from(center);
    this.innerRadius = coreInnerRadius + margin;
    this.outerRadius = outerRadius;
    this.bounds = bounds;
    this.extent = bounds.reduce((largest, x) => Math.max(largest, Math.abs(x)), 0);
    this.support = support;
    this.vertices = polytope.vertices;
    this.neighborStart = polytope.neighborStart;
    this.neighbors = polytope.neighbors;
    this.cellBits = polytope.cellBits;
    this.cellStart = polytope.cellStart;
    this.cellCorners = polytope.cellCorners;
  }
}

const noPolytope: Polytope = {
  vertices: new Float64Array(0),
  neighborStart: new Int32Array(1),
  neighbors: new Int32Array(0),
  cellBits: 1,
  cellStart: new Int32Array(1),
  cellCorners: new Int32Array(0),
  extreme: [],
};

/** How a field of a shape is written in a scene, and what a reader must ask of it. */
export type FieldKind =
  | 'length' // one positive number, metres
  | 'length-or-zero' // one number >= 0, metres
  | 'lengths' // three positive numbers, metres
  | 'points' // a list of [x, y, z], metres
  | 'direction'; // [x, y, z], not all zero

/** A shape as plain data, the way scene files write it: {type: 'box', size: [1, 2, 3], margin: 0.01}. Survives JSON. */
export interface ShapeSpec {
  readonly type: string;
  readonly margin?: number;
  readonly [field: string]: unknown;
}

/** One row of the table of shapes: feeds the scene reader, its JSON Schema, the contract tests and the bench. */
export interface ShapeDefinition {
  readonly summary: string;
  readonly fields: Readonly<Record<string, FieldKind>>;
  /** The body that a spec describes. The spec's fields have been checked by kind; throws InputError for what kinds cannot see. */
  readonly create: (spec: ShapeSpec, center?: ArrayLike<number>) => ConvexShape;
  /** Specs of different character for contract tests and benches, about 1 m in size. */
  readonly samples: readonly ShapeSpec[];
}
