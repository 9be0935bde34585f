import type { Vec3 } from '../math/vec3.ts';

/**
 * Writes the support point of the core along `d` (own frame, any length except zero) to `out` and returns the hint for
 * the next call: a vertex offset for polytopes, the unchanged hint for other shapes. The hint is only the start of the
 * search (negative: none); the result does not depend on it except for the choice between points that are equally far.
 * `out` may alias `d`.
 */
export type SupportFunction = (out: Vec3, shape: ConvexShape, d: Vec3, hint: number) => number;

/**
 * Constructor data of a `ConvexShape`; `createShape` fills in the defaults. Lengths in metres, in the frame of the
 * shape.
 */
export interface ConvexShapeData {
  /** Type in the table of shapes. */
  readonly type: string;
  /** Parameters of the support function; the file of each shape defines their meaning. */
  readonly size: ArrayLike<number>;
  /** Support function of the core. */
  readonly support: SupportFunction;
  /**
   * Radius of a sphere about `center` that lies in the core; if `center` is outside, minus the distance to the core or
   * a smaller number.
   */
  readonly coreInnerRadius: number;
  /** Rounding radius added around the core. */
  readonly margin?: number;
  /** Center of growth, a point of the core; by default the origin. */
  readonly center?: ArrayLike<number>;
  /** Polytopes only: vertices and search structure. */
  readonly polytope?: Polytope;
}

/**
 * Vertices of a polytope and the search structure for its support vertex, a direction map. Offsets are indices into
 * `vertices`.
 */
export interface Polytope {
  /** x, y, z of each vertex, metres. */
  readonly vertices: Float64Array;
  /** Bits per axis of the direction map (directionMap.ts). */
  readonly cellBits: number;
  /** Start of each cell of the direction map in `cellVertices`. */
  readonly cellStart: Int32Array;
  /**
   * Offsets of the candidate support vertices, cell after cell; those for the directions of cell c are
   * cellVertices[cellStart[c]] … cellVertices[cellStart[c + 1] − 1].
   */
  readonly cellVertices: Int32Array;
  /** Extreme vertices: each is the support vertex of some direction; spread evenly over the directions. */
  readonly extreme: readonly number[];
}

/**
 * Convex shape = core ⊕ sphere(margin): a sphere is a point with a margin, a capsule a segment with a margin. One class
 * for all shapes, so that hot call sites see a single hidden class; the kind is the `support` function. Immutable.
 */
export class ConvexShape {
  /** Type in the table of shapes. */
  readonly type: string;
  /** Parameters of the support function; the file of each shape defines their meaning. */
  readonly size: Float64Array;
  /** Rounding radius around the core, metres. */
  readonly margin: number;
  /** Center of growth in the frame of the shape, metres. */
  readonly center: Vec3;
  /**
   * Radius of a sphere about `center` inside the shape, margin included: 0 if the shape has no interior or the center
   * is on its boundary, negative if the center is outside, in which case growth about it is undefined.
   */
  readonly innerRadius: number;
  /**
   * Radius of a sphere about `center` that contains the shape, margin included; the smallest one unless noted. Infinity
   * for half-spaces.
   */
  readonly outerRadius: number;
  /** Bounding box in the frame of the shape, margin included: min x, y, z, then max x, y, z. */
  readonly bounds: Float64Array;
  /**
   * Largest absolute value in `bounds`, metres: rounding errors of coordinates are relative to it. Infinity for
   * half-spaces.
   */
  readonly extent: number;
  /** Support function of the core. */
  readonly support: SupportFunction;
  /** As in `Polytope`; empty for other shapes. */
  readonly vertices: Float64Array;
  /** As in `Polytope`. */
  readonly cellBits: number;
  /** As in `Polytope`. */
  readonly cellStart: Int32Array;
  /** As in `Polytope`. */
  readonly cellVertices: Int32Array;

  constructor(parts: ConvexShapeData, outerRadius: number, bounds: Float64Array) {
    const { type, size, support, coreInnerRadius, margin = 0, center = [0, 0, 0], polytope = noPolytope } = parts;
    this.type = type;
    this.size = new Float64Array(size);
    this.margin = margin;
    this.center = new Float64Array(center);
    this.innerRadius = coreInnerRadius + margin;
    this.outerRadius = outerRadius;
    this.bounds = bounds;
    this.extent = bounds.reduce((largest, x) => Math.max(largest, Math.abs(x)), 0);
    this.support = support;
    this.vertices = polytope.vertices;
    this.cellBits = polytope.cellBits;
    this.cellStart = polytope.cellStart;
    this.cellVertices = polytope.cellVertices;
  }
}

/** Returns a shape that is larger by a distance all around, metres. */
export function enlargedShape(shape: ConvexShape, by: number): ConvexShape {
  const { margin, innerRadius, outerRadius, bounds } = shape;
  const polytope = { ...shape, extreme: [] };
  const data = { ...shape, margin: margin + by, coreInnerRadius: innerRadius - margin, polytope };
  return new ConvexShape(
    data,
    outerRadius + by,
    bounds.map((x, i) => (i < 3 ? x - by : x + by)),
  );
}

const noPolytope: Polytope = {
  vertices: new Float64Array(0),
  cellBits: 1,
  cellStart: new Int32Array(1),
  cellVertices: new Int32Array(0),
  extreme: [],
};

/** Kind of a field in a shape spec; `requireKind` checks it. */
export type FieldKind =
  | 'length' // one positive number, metres
  | 'length-or-zero' // one number >= 0, metres
  | 'lengths' // three positive numbers, metres
  | 'points' // a list of [x, y, z], metres
  | 'direction'; // [x, y, z], not all zero

/** Shape as plain data, as in scene files: {type: 'box', size: [1, 2, 3], margin: 0.01}. Serialisable to JSON. */
export interface ShapeSpec {
  /** Type in the table of shapes. */
  readonly type: string;
  /** Rounding radius that is added around the shape, metres; default 0. */
  readonly margin?: number;
  readonly [field: string]: unknown;
}

/** One row of the table of shapes: used by the scene reader, its JSON Schema, the contract tests and the benchmarks. */
export interface ShapeDefinition {
  /** One line of help. */
  readonly summary: string;
  /** Fields of a spec besides `type` and `margin`, with their kinds. */
  readonly fields: Readonly<Record<string, FieldKind>>;
  /**
   * Creates the shape of a spec whose fields have been checked by kind; throws `InputError` for errors that kinds do
   * not cover.
   */
  readonly create: (spec: ShapeSpec, center?: ArrayLike<number>) => ConvexShape;
  /** Varied specs for contract tests and benchmarks, about 1 m in size. */
  readonly samples: readonly ShapeSpec[];
}
