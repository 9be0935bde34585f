import { relative, rotate, type Transform } from '../../math/transform.ts';
import { create, type Vec3 } from '../../math/vec3.ts';
import { Epa } from '../../narrowphase/depth/epa.ts';
import { GjkDistance } from '../../narrowphase/gjk/gjkDistance.ts';
import { Separation } from '../../narrowphase/solver.ts';
import type { ConvexShape } from '../../shapes/shape.ts';
import type { CollisionModel } from '../collisionModel.ts';
import { PairCaches } from '../pairCaches.ts';
import { BOX, CENTER, type PartInterval, RADIUS, REST, SPEED, TURNING, VELOCITY } from './memberIntervals.ts';

/** Relative gaps of the bounds at which the solvers stop: lower bounds are compared with the motion within a cell. */
const LOOSE_GAP = 0.1;
const DEPTH_GAP = 0.05;
/** Share of the distance beyond the padding that loose bounds must leave; otherwise exact ones are computed. */
const DECISIVE = 0.5;

/** Results of `CellSeparation.check`: separated throughout the cell; open; in collision at its middle; throughout. */
export const SEPARATED = 0;
export const OPEN = 1;
export const HIT = 2;
export const HIT_THROUGHOUT = 3;

/**
 * Checks pairs of two robots in cells. A direction n that is fixed in the world separates a pair throughout a cell if
 * its gap at the middle exceeds the sum of what both parts can advance along it: each depends on the interval of its
 * own robot alone. With σ in [−1, 1] the position in the interval, a part advances by at most
 *   max over σ = ±1 of σ n·V + s(n + σ n × Ω) − s(n),   s(d) = max d·(p − c),
 * or 0, plus A/2: the first term is convex in σ. A pair is in collision throughout if its penetration depth at the
 * middle exceeds ‖σ V_A − τ V_B‖ + ‖Ω_A‖ r_A + ‖Ω_B‖ r_B + (A_A + A_B)/2 at the vertices (σ, τ) of the cell.
 */
export class CellSeparation {
  private readonly solver = new GjkDistance({ relativeGap: LOOSE_GAP });
  private readonly exactSolver = new GjkDistance();
  private readonly epa = new Epa({ relativeGap: DEPTH_GAP });
  private readonly separation = new Separation();
  private readonly caches: PairCaches;
  /** By pair: the last direction of its distance, in the world; NaN: none. */
  private readonly directions: Float64Array;
  /** By pair: the last direction of its penetration depth, in the world; NaN: none. */
  private readonly translations: Float64Array;
  private readonly padding: number;
  /** Gap that is required in addition to what the parts advance, metres. */
  private readonly required: number;
  // Scratch.
  private readonly T_b_a: Transform = new Float64Array(12);
  private readonly n: Vec3 = create();
  private readonly opposite: Vec3 = create();
  private readonly local: Vec3 = create();
  private readonly vertex: Vec3 = create();
  private readonly turned: Vec3 = create();
  /** Height of a part along a direction; what it advances: results of methods, not allocated at each call. */
  private readonly height = new Float64Array(1);
  private readonly advance = new Float64Array(1);

  /** @param margin bound on the rounding error of gaps, metres */
  constructor(
    private readonly model: CollisionModel,
    private readonly margin: number,
  ) {
    this.padding = model.scene.padding;
    this.required = this.padding + margin;
    this.caches = new PairCaches(model.pairCount, true);
    this.directions = new Float64Array(3 * model.pairCount).fill(Number.NaN);
    this.translations = this.directions.slice();
  }

  /**
   * Checks a pair, of which `a` and `b` are the parts A and B in the intervals of their robots.
   * @param isOpen whether the cell is known not to be free: a pair is then left open unless its boxes are far apart, or
   *   overlap, so that it may be in collision throughout
   */
  check(pair: number, a: PartInterval, b: PartInterval, isOpen: boolean): number {
    const { model, required, separation } = this;
    const approach = a.values[SPEED] + b.values[SPEED];
    if (areBoxesApart(a.values, b.values, approach + required)) return SEPARATED;
    if (isOpen && !(boxOverlap(a.values, b.values) > -this.padding)) return OPEN;
    const shapeA = model.shapeOf(model.pairA[pair]);
    const shapeB = model.shapeOf(model.pairB[pair]);
    if (this.knownDirectionSeparates(pair, a, shapeA, b, shapeB)) return SEPARATED;
    relative(this.T_b_a, b.T_world_part, a.T_world_part);
    this.computeDistance(pair, shapeA, shapeB, required + approach);
    const { lower, upper } = separation.distance;
    if (upper <= this.padding) return this.collidesThroughout(pair, shapeA, a, shapeB, b) ? HIT_THROUGHOUT : HIT;
    const gap = lower - required;
    if (gap > approach) return SEPARATED;
    if (!(gap > 0)) return OPEN;
    rotate(this.n, b.T_world_part, separation.normal);
    this.directions.set(this.n, 3 * pair);
    return this.staysApart(gap, a, shapeA, b, shapeB) ? SEPARATED : OPEN;
  }

  private knownDirectionSeparates(
    pair: number,
    a: PartInterval,
    shapeA: ConvexShape,
    b: PartInterval,
    shapeB: ConvexShape,
  ): boolean {
    const { n, directions } = this;
    for (let k = 0; k < 3; k++) n[k] = directions[3 * pair + k];
    if (Number.isNaN(n[0])) return false;
    const gap = this.computeGap(a, shapeA, b, shapeB) - this.required;
    return gap > 0 && this.staysApart(gap, a, shapeA, b, shapeB);
  }

  /** Returns the gap of a pair along n at the middle of the cell; negative: how much it overlaps along n. */
  private computeGap(a: PartInterval, shapeA: ConvexShape, b: PartInterval, shapeB: ConvexShape): number {
    const { n, opposite, height } = this;
    for (let k = 0; k < 3; k++) opposite[k] = -n[k];
    this.computeHeight(a, shapeA, n);
    let gap = -height[0];
    this.computeHeight(b, shapeB, opposite);
    gap -= height[0];
    for (let k = 0; k < 3; k++) gap += n[k] * (b.values[CENTER + k] - a.values[CENTER + k]);
    return gap;
  }

  /** Computes bounds on the distance of a pair: exact ones if loose ones leave open whether it exceeds the padding. */
  private computeDistance(pair: number, shapeA: ConvexShape, shapeB: ConvexShape, stopAt: number): void {
    const { solver, separation, T_b_a, caches } = this;
    const cache = caches.of(pair);
    solver.stopAt = stopAt;
    solver.solve(separation, shapeA, T_b_a, shapeB, cache);
    const { distance } = separation;
    const isDecisive = distance.lower - this.required > DECISIVE * (distance.upper - this.required);
    if (distance.lower <= stopAt && !isDecisive && distance.upper > this.padding)
      this.exactSolver.distance(separation, shapeA, T_b_a, shapeB, Number.POSITIVE_INFINITY, cache);
  }

  /** Returns true if both parts together advance less than a gap along n (towards each other) within the cell. */
  private staysApart(gap: number, a: PartInterval, shapeA: ConvexShape, b: PartInterval, shapeB: ConvexShape): boolean {
    const { n, opposite, advance } = this;
    this.computeSphereAdvance(a);
    const sphereA = advance[0];
    this.computeSphereAdvance(b);
    const sphereB = advance[0];
    if (sphereA + sphereB < gap) return true;
    if (!(a.values[REST] + b.values[REST] < gap)) return false;
    this.computeAdvance(a, shapeA, n);
    const tightA = Math.min(sphereA, advance[0]);
    if (tightA + sphereB < gap) return true;
    for (let k = 0; k < 3; k++) opposite[k] = -n[k];
    this.computeAdvance(b, shapeB, opposite);
    return tightA + advance[0] < gap;
  }

  /** Bounds what a part advances along ±n by its bounding sphere: |n·V| + ‖n × Ω‖ r + A/2. */
  private computeSphereAdvance({ values }: PartInterval): void {
    const { n, advance } = this;
    const wx = values[TURNING],
      wy = values[TURNING + 1],
      wz = values[TURNING + 2];
    const ex = n[1] * wz - n[2] * wy;
    const ey = n[2] * wx - n[0] * wz;
    const ez = n[0] * wy - n[1] * wx;
    const drift = n[0] * values[VELOCITY] + n[1] * values[VELOCITY + 1] + n[2] * values[VELOCITY + 2];
    advance[0] = Math.abs(drift) + Math.sqrt(ex * ex + ey * ey + ez * ez) * values[RADIUS] + values[REST];
  }

  /** Bounds what a part advances along d, by its support function at both ends of the interval. */
  private computeAdvance(part: PartInterval, shape: ConvexShape, d: Vec3): void {
    const { height, advance, turned } = this;
    const { values } = part;
    this.computeHeight(part, shape, d);
    const atMiddle = height[0];
    const wx = values[TURNING],
      wy = values[TURNING + 1],
      wz = values[TURNING + 2];
    const ex = d[1] * wz - d[2] * wy;
    const ey = d[2] * wx - d[0] * wz;
    const ez = d[0] * wy - d[1] * wx;
    const drift = d[0] * values[VELOCITY] + d[1] * values[VELOCITY + 1] + d[2] * values[VELOCITY + 2];
    turned[0] = d[0] + ex;
    turned[1] = d[1] + ey;
    turned[2] = d[2] + ez;
    this.computeHeight(part, shape, turned);
    const atEnd = drift + height[0] - atMiddle;
    turned[0] = d[0] - ex;
    turned[1] = d[1] - ey;
    turned[2] = d[2] - ez;
    this.computeHeight(part, shape, turned);
    advance[0] = Math.max(0, atEnd, height[0] - atMiddle - drift) + values[REST];
  }

  /** Computes max d·(p − c) over the points p of a part, c its centre, for a direction d of any length. */
  private computeHeight({ T_world_part: T, values }: PartInterval, shape: ConvexShape, d: Vec3): void {
    const { local, vertex } = this;
    const x = d[0],
      y = d[1],
      z = d[2];
    local[0] = T[0] * x + T[4] * y + T[8] * z;
    local[1] = T[1] * x + T[5] * y + T[9] * z;
    local[2] = T[2] * x + T[6] * y + T[10] * z;
    shape.support(vertex, shape, local, -1);
    const core = vertex[0] * local[0] + vertex[1] * local[1] + vertex[2] * local[2];
    const offset = x * (T[3] - values[CENTER]) + y * (T[7] - values[CENTER + 1]) + z * (T[11] - values[CENTER + 2]);
    this.height[0] = core + offset + shape.margin * Math.sqrt(x * x + y * y + z * z);
  }

  /** Returns true if the penetration depth of a pair at the middle, with padding, exceeds its motion in the cell. */
  private collidesThroughout(
    pair: number,
    shapeA: ConvexShape,
    a: PartInterval,
    shapeB: ConvexShape,
    b: PartInterval,
  ): boolean {
    const { separation, T_b_a, epa, n, translations } = this;
    const needed = displacement(a.values, b.values) + this.margin - this.padding;
    if (!(boxOverlap(a.values, b.values) > needed)) return false;
    for (let k = 0; k < 3; k++) n[k] = translations[3 * pair + k];
    if (!Number.isNaN(n[0]) && !(-this.computeGap(a, shapeA, b, shapeB) > needed)) return false;
    epa.depth(separation, shapeA, T_b_a, shapeB);
    const { depth, distance } = separation;
    if (separation.hasNormal) {
      rotate(n, b.T_world_part, separation.normal);
      translations.set(n, 3 * pair);
    }
    return depth.lower > 0 ? depth.lower > needed : distance.upper < -needed;
  }
}

/** Returns true if two world boxes are farther apart than `reach` metres. */
function areBoxesApart(a: Float64Array, b: Float64Array, reach: number): boolean {
  const x = Math.max(b[BOX] - a[BOX + 3], a[BOX] - b[BOX + 3], 0);
  const y = Math.max(b[BOX + 1] - a[BOX + 4], a[BOX + 1] - b[BOX + 4], 0);
  const z = Math.max(b[BOX + 2] - a[BOX + 5], a[BOX + 2] - b[BOX + 5], 0);
  return x * x + y * y + z * z > reach * reach;
}

/** Upper bound on the penetration depth of two parts: the least translation along an axis that separates the boxes. */
function boxOverlap(a: Float64Array, b: Float64Array): number {
  let least = Number.POSITIVE_INFINITY;
  for (let k = BOX; k < BOX + 3; k++) least = Math.min(least, a[k + 3] - b[k], b[k + 3] - a[k]);
  return least;
}

/** Upper bound on the motion of two parts relative to each other between the middle of a cell and any point of it. */
function displacement(a: Float64Array, b: Float64Array): number {
  let [along, across] = [0, 0];
  for (let k = VELOCITY; k < VELOCITY + 3; k++) {
    along += (a[k] - b[k]) * (a[k] - b[k]);
    across += (a[k] + b[k]) * (a[k] + b[k]);
  }
  const turning = turningOf(a) * a[RADIUS] + turningOf(b) * b[RADIUS];
  return Math.min(a[SPEED] + b[SPEED], Math.sqrt(Math.max(along, across)) + turning + a[REST] + b[REST]);
}

const turningOf = (values: Float64Array): number => {
  const x = values[TURNING],
    y = values[TURNING + 1],
    z = values[TURNING + 2];
  return Math.sqrt(x * x + y * y + z * z);
};
