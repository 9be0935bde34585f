import type { PlanarTransform, Vec2 } from '../../math/planar.ts';
import { farthestCorner, type PlanarShape } from '../../shapes/planar/planarShape.ts';

/** How far rounding may move a point of the Minkowski difference, relative to the size of what it is made from. */
const ROUNDING = 8 * Number.EPSILON;
/** The same for what turning and moving a middle leaves, relative to its distance from the frame's origin. */
const ROUNDING_OF_MIDDLES = 2 * Number.EPSILON;

/**
 * The Minkowski difference of two cores, A ⊖ B = {a − b}, in the axes of B: the configuration space obstacle that every planar solver
 * searches. It is known through its support function alone; margins are left to the solvers, which add them in closed form.
 *
 * Coordinates are measured from the middles of the bodies, so that nothing is lost far from any origin.
 */
export class MinkowskiDifference {
  /** The direction to look along next, of any length but 0: see `support`. */
  readonly along: Vec2 = new Float64Array(2);
  /** The corner found last: w = R a − b + shift, and the offsets of a and b in their shapes. */
  wx = 0;
  wy = 0;
  cornerA = 0;
  cornerB = 0;

  /** From the middle of B to that of A: a point of A ⊖ B. */
  offsetX = 0;
  offsetY = 0;
  /** From the growth centre of A to that of B. */
  betweenCentersX = 0;
  betweenCentersY = 0;
  /** Lengths below this are rounding for the pair: bodies this near to contact touch. And what of it does not grow with their distance. */
  rounding = 0;
  ownRounding = 0;

  readonly #local: Vec2 = new Float64Array(2);
  #a!: PlanarShape;
  #b!: PlanarShape;
  #cosine = 1;
  #sine = 0;
  #x = 0;
  #y = 0;
  #shiftX = 0;
  #shiftY = 0;

  /** Takes a pair; `T_b_a` is the pose of A seen from B. Corners are then measured as the bodies stand: A ⊖ B itself. */
  place(a: PlanarShape, T_b_a: PlanarTransform, b: PlanarShape): void {
    const [mx, my] = a.middle;
    this.#a = a;
    this.#b = b;
    this.#cosine = T_b_a[0];
    this.#sine = T_b_a[1];
    this.#x = T_b_a[2];
    this.#y = T_b_a[3];
    this.offsetX = this.#turnX(mx, my) + this.#x - b.middle[0];
    this.offsetY = this.#turnY(mx, my) + this.#y - b.middle[1];
    this.#shiftX = this.offsetX;
    this.#shiftY = this.offsetY;
    this.#measureRounding(a, b);
  }

  /** As `place`, but corners are measured from the growth centres: (A − cA) ⊖ (B − cB), which holds the origin. */
  placeCentered(a: PlanarShape, T_b_a: PlanarTransform, b: PlanarShape): void {
    this.place(a, T_b_a, b);
    const [cx, cy] = a.centerFromMiddle;
    this.#shiftX = b.centerFromMiddle[0] - this.#turnX(cx, cy);
    this.#shiftY = b.centerFromMiddle[1] - this.#turnY(cx, cy);
    this.betweenCentersX = this.#shiftX - this.offsetX;
    this.betweenCentersY = this.#shiftY - this.offsetY;
  }

  /** Finds the corner farthest along `along`; the corners of the call before are where the search starts. */
  support(): void {
    const c = this.#cosine,
      s = this.#sine;
    const dx = this.along[0],
      dy = this.along[1];
    const local = this.#local;
    local[0] = c * dx + s * dy;
    local[1] = c * dy - s * dx;
    this.cornerA = farthestCorner(this.#a, local, this.cornerA);
    local[0] = -dx;
    local[1] = -dy;
    this.cornerB = farthestCorner(this.#b, local, this.cornerB);
    this.corner(this.cornerA, this.cornerB);
  }

  /** The difference of two given corners, as if they had been found. */
  corner(cornerA: number, cornerB: number): void {
    this.cornerA = cornerA;
    this.cornerB = cornerB;
    const { vertices } = this.#a;
    const other = this.#b.vertices;
    this.wx = this.#turnX(vertices[cornerA], vertices[cornerA + 1]) - other[cornerB] + this.#shiftX;
    this.wy = this.#turnY(vertices[cornerA], vertices[cornerA + 1]) - other[cornerB + 1] + this.#shiftY;
  }

  /** One coordinate (0: x, 1: y) of a corner of A in the frame of B. */
  cornerOfA(cornerA: number, axis: number): number {
    const { vertices, middle } = this.#a;
    const x = vertices[cornerA] + middle[0];
    const y = vertices[cornerA + 1] + middle[1];
    return axis === 0 ? this.#turnX(x, y) + this.#x : this.#turnY(x, y) + this.#y;
  }

  #measureRounding(a: PlanarShape, b: PlanarShape): void {
    const { offsetX, offsetY } = this;
    const offset = Math.sqrt(offsetX * offsetX + offsetY * offsetY);
    const middles = Math.abs(a.middle[0]) + Math.abs(a.middle[1]) + Math.abs(b.middle[0]) + Math.abs(b.middle[1]);
    this.rounding = ROUNDING * (a.outerRadius + b.outerRadius + offset) + ROUNDING_OF_MIDDLES * middles;
    this.ownRounding = ROUNDING * (a.outerRadius + b.outerRadius) + ROUNDING_OF_MIDDLES * middles;
  }

  #turnX(x: number, y: number): number {
    return this.#cosine * x - this.#sine * y;
  }

  #turnY(x: number, y: number): number {
    return this.#sine * x + this.#cosine * y;
  }
}
