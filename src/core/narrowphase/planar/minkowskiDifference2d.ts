import type { PlanarTransform, Vec2 } from '../../math/planar.ts';
import { type PlanarShape, planarSupportVertex, type RoundCore } from '../../shapes/planar/planarShape.ts';

/** Rounding error of a point of the Minkowski difference, relative to the size of the shapes and their distance. */
const ROUNDING = 8 * Number.EPSILON;
/** Rounding error of the transformed `middle` points, relative to their distance from the origin of the frame. */
const ROUNDING_OF_MIDDLES = 2 * Number.EPSILON;
/** Support points of a round core that are stored for one pair: more than the iteration limits of a query together. */
const MAX_POINTS = 4096;

/**
 * The Minkowski difference of two cores, A ⊖ B = {a − b}, in the axes of B: the configuration-space obstacle that every
 * planar solver searches. It is accessed by its support function only; solvers add margins in closed form.
 *
 * Coordinates are relative to the `middle` of the shapes, so that no digits are lost far from any origin.
 */
export class MinkowskiDifference {
  /** Direction of the next `support`, of any length except 0. */
  readonly direction: Vec2 = new Float64Array(2);
  /**
   * The last support point w = R a − b + shift, and the offsets of a and b in their shapes. A round core has no
   * vertices: its support points of this pair are numbered, and no two calls return the same one.
   */
  wx = 0;
  wy = 0;
  vertexA = 0;
  vertexB = 0;

  /** Vector from the `middle` of B to that of A: a point of A ⊖ B. */
  offsetX = 0;
  offsetY = 0;
  /** Vector from the growth center of A to that of B. */
  betweenCentersX = 0;
  betweenCentersY = 0;
  /**
   * Rounding error of lengths of the pair: closer shapes are touching. `ownRounding` is the part that does not grow
   * with their distance.
   */
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
  #verticesA: Float64Array = new Float64Array(0);
  #verticesB: Float64Array = new Float64Array(0);
  readonly #roundA = new RoundPoints();
  readonly #roundB = new RoundPoints();

  /** Binds a pair; `T_b_a` is the pose of A in the frame of B. Points are those of A ⊖ B itself. */
  bind(a: PlanarShape, T_b_a: PlanarTransform, b: PlanarShape): void {
    const mx = a.middle[0],
      my = a.middle[1];
    this.#a = a;
    this.#b = b;
    this.#verticesA = a.round ? this.#roundA.reset() : a.vertices;
    this.#verticesB = b.round ? this.#roundB.reset() : b.vertices;
    this.#cosine = T_b_a[0];
    this.#sine = T_b_a[1];
    this.#x = T_b_a[2];
    this.#y = T_b_a[3];
    this.offsetX = this.#rotateX(mx, my) + this.#x - b.middle[0];
    this.offsetY = this.#rotateY(mx, my) + this.#y - b.middle[1];
    this.#shiftX = this.offsetX;
    this.#shiftY = this.offsetY;
    this.#measureRounding(a, b);
  }

  /** Like `bind`, with points relative to the growth centers: (A − cA) ⊖ (B − cB), which contains the origin. */
  bindCentered(a: PlanarShape, T_b_a: PlanarTransform, b: PlanarShape): void {
    this.bind(a, T_b_a, b);
    const cx = a.centerFromMiddle[0],
      cy = a.centerFromMiddle[1];
    this.#shiftX = b.centerFromMiddle[0] - this.#rotateX(cx, cy);
    this.#shiftY = b.centerFromMiddle[1] - this.#rotateY(cx, cy);
    this.betweenCentersX = this.#shiftX - this.offsetX;
    this.betweenCentersY = this.#shiftY - this.offsetY;
  }

  /** Computes the support point along `direction`; the search starts at the vertices of the previous call. */
  support(): void {
    const c = this.#cosine,
      s = this.#sine;
    const dx = this.direction[0],
      dy = this.direction[1];
    const local = this.#local;
    local[0] = c * dx + s * dy;
    local[1] = c * dy - s * dx;
    const { round: roundA } = this.#a;
    const { round: roundB } = this.#b;
    this.vertexA = roundA ? this.#roundA.support(roundA, local) : planarSupportVertex(this.#a, local, this.vertexA);
    local[0] = -dx;
    local[1] = -dy;
    this.vertexB = roundB ? this.#roundB.support(roundB, local) : planarSupportVertex(this.#b, local, this.vertexB);
    this.setVertices(this.vertexA, this.vertexB);
  }

  /** Sets w to the difference of two given vertices. */
  setVertices(vertexA: number, vertexB: number): void {
    this.vertexA = vertexA;
    this.vertexB = vertexB;
    const vertices = this.#verticesA;
    const other = this.#verticesB;
    this.wx = this.#rotateX(vertices[vertexA], vertices[vertexA + 1]) - other[vertexB] + this.#shiftX;
    this.wy = this.#rotateY(vertices[vertexA], vertices[vertexA + 1]) - other[vertexB + 1] + this.#shiftY;
  }

  /** Returns one coordinate (0: x, 1: y) of a vertex of A in the frame of B. */
  vertexOfA(vertexA: number, axis: number): number {
    const vertices = this.#verticesA;
    const { middle } = this.#a;
    const x = vertices[vertexA] + middle[0];
    const y = vertices[vertexA + 1] + middle[1];
    return axis === 0 ? this.#rotateX(x, y) + this.#x : this.#rotateY(x, y) + this.#y;
  }

  /** Returns one coordinate of a vertex of B in its frame. */
  vertexOfB(vertexB: number, axis: number): number {
    return this.#verticesB[vertexB + axis] + this.#b.middle[axis];
  }

  #measureRounding(a: PlanarShape, b: PlanarShape): void {
    const { offsetX, offsetY } = this;
    const offset = Math.sqrt(offsetX * offsetX + offsetY * offsetY);
    const middles = Math.abs(a.middle[0]) + Math.abs(a.middle[1]) + Math.abs(b.middle[0]) + Math.abs(b.middle[1]);
    this.rounding = ROUNDING * (a.outerRadius + b.outerRadius + offset) + ROUNDING_OF_MIDDLES * middles;
    this.ownRounding = ROUNDING * (a.outerRadius + b.outerRadius) + ROUNDING_OF_MIDDLES * middles;
  }

  #rotateX(x: number, y: number): number {
    return this.#cosine * x - this.#sine * y;
  }

  #rotateY(x: number, y: number): number {
    return this.#sine * x + this.#cosine * y;
  }
}

/** Numbered support points of a round core. */
class RoundPoints {
  private points = new Float64Array(0);
  private count = 0;

  /** Forgets all points; returns the list of those to come. */
  reset(): Float64Array {
    if (this.points.length === 0) this.points = new Float64Array(2 * MAX_POINTS);
    this.count = 0;
    return this.points;
  }

  /** Adds the support point along d; returns its offset. */
  support(core: RoundCore, d: Vec2): number {
    const offset = 2 * (this.count++ % MAX_POINTS);
    core.support(this.points, offset, d);
    return offset;
  }
}
