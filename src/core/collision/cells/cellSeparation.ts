import {
  create as createTransform,
  relative,
  rotate,
  rotateBack,
  TRANSFORM_SIZE,
  type Transform,
} from '../../math/transform.ts';
import { create, type Vec3 } from '../../math/vec3.ts';
import { LastingOverlap, type PointVelocities } from '../../narrowphase/depth/lastingOverlap.ts';
import { GjkDistance } from '../../narrowphase/gjk/gjkDistance.ts';
import { Separation } from '../../narrowphase/solver.ts';
import type { ConvexShape } from '../../shapes/shape.ts';
import type { CollisionModel } from '../model/collisionModel.ts';
import { PairCaches } from '../states/pairCaches.ts';
import { CellAdvance } from './cellAdvance.ts';
import { BOX, CENTER, POSE, RADIUS, REST, SPEED, SWEPT, TURNING, VELOCITY } from './memberIntervals.ts';

/** Relative gaps of the bounds at which the solvers stop: lower bounds are compared with the motion within a cell. */
const LOOSE_GAP = 0.1;
/** Share of the distance beyond the padding that loose bounds must leave; otherwise exact ones are computed. */
const DECISIVE = 0.5;

/** Results of `CellSeparation.check`: separated throughout the cell; open; in collision at its middle; throughout. */
export const SEPARATED = 0;
export const OPEN = 1;
export const HIT = 2;
export const HIT_THROUGHOUT = 3;

/**
 * Checks pairs of two robots in cells. A direction that is fixed in the world separates a pair throughout a cell if its
 * gap at the middle exceeds the sum of what both parts can advance along it (`CellAdvance`). A pair is in collision
 * throughout if a polytope in A ⊖ B encloses the origin wherever the robots are (`LastingOverlap`), or if its
 * penetration depth at the middle exceeds ‖σ V_A − τ V_B‖ + ‖Ω_A‖ r_A + ‖Ω_B‖ r_B + (A_A + A_B)/2 at the vertices
 * (σ, τ) of the cell: the margins of rounded shapes and the padding count there only.
 */
export class CellSeparation {
  private readonly solver = new GjkDistance({ relativeGap: LOOSE_GAP });
  private readonly exactSolver = new GjkDistance();
  private readonly advance = new CellAdvance();
  private readonly overlap = new LastingOverlap();
  private readonly separation = new Separation();
  private readonly caches: PairCaches;
  /** By pair: the last direction of its distance, in the world; NaN: none. */
  private readonly directions: Float64Array;
  /** By pair: the last direction along which its overlap was not proved to last, in the world; NaN: none. */
  private readonly translations: Float64Array;
  private readonly padding: number;
  /** Gap that is required in addition to what the parts advance, metres. */
  private readonly required: number;
  // Scratch.
  private readonly T_a: Transform = createTransform();
  private readonly T_b: Transform = createTransform();
  private readonly T_b_a: Transform = createTransform();
  private readonly local: Vec3 = create();

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
  check(pair: number, a: Float64Array, i: number, b: Float64Array, j: number, isOpen: boolean): number {
    const { model, required, separation } = this;
    if (areSweptBoxesApart(a, i, b, j, required)) return SEPARATED;
    const approach = a[i + SPEED] + b[j + SPEED];
    if (areBoxesApart(a, i, b, j, approach + required)) return SEPARATED;
    const shapeA = model.shapeOf(model.pairA[pair]);
    const shapeB = model.shapeOf(model.pairB[pair]);
    if (isOpen && !this.mayCollideThroughout(pair, shapeA, a, i, shapeB, b, j)) return OPEN;
    if (this.knownDirectionSeparates(pair, shapeA, a, i, shapeB, b, j)) return SEPARATED;
    this.setPose(this.T_a, a, i);
    this.setPose(this.T_b, b, j);
    relative(this.T_b_a, this.T_b, this.T_a);
    const solver = this.computeDistance(pair, shapeA, shapeB, required + approach);
    const { lower, upper } = separation.distance;
    if (upper <= this.padding) {
      if (!isOpen && !this.mayCollideThroughout(pair, shapeA, a, i, shapeB, b, j)) return HIT;
      return this.collidesThroughout(pair, solver, a, i, b, j) ? HIT_THROUGHOUT : HIT;
    }
    const gap = lower - required;
    if (gap > approach) return SEPARATED;
    if (!(gap > 0)) return OPEN;
    rotate(this.advance.n, this.T_b, separation.normal);
    this.directions.set(this.advance.n, 3 * pair);
    return this.advance.staysApart(gap, shapeA, a, i, shapeB, b, j) ? SEPARATED : OPEN;
  }

  /** Sets the velocities of the points of a part, in the frame of B, whose pose is `T_b`. */
  private setVelocities({ turning, velocity }: PointVelocities, values: Float64Array, o: number): void {
    const { T_b, local } = this;
    for (let k = 0; k < 3; k++) local[k] = values[o + TURNING + k];
    rotateBack(turning, T_b, local);
    for (let k = 0; k < 3; k++) local[k] = values[o + VELOCITY + k];
    rotateBack(velocity, T_b, local);
    for (let k = 0; k < 3; k++) local[k] = values[o + CENTER + k] - T_b[4 * k + 3];
    rotateBack(local, T_b, local);
    velocity[0] -= turning[1] * local[2] - turning[2] * local[1];
    velocity[1] -= turning[2] * local[0] - turning[0] * local[2];
    velocity[2] -= turning[0] * local[1] - turning[1] * local[0];
  }

  /**
   * Returns false if a pair is unlikely to be in collision throughout the cell: it overlaps less along an axis, or
   * along the last direction in which that was not proved, than the centers of its parts move.
   */
  private mayCollideThroughout(
    pair: number,
    shapeA: ConvexShape,
    a: Float64Array,
    i: number,
    shapeB: ConvexShape,
    b: Float64Array,
    j: number,
  ): boolean {
    const { translations, padding } = this;
    const { n } = this.advance;
    for (let k = 0; k < 3; k++) {
      const overlap = Math.min(a[i + BOX + 3 + k] - b[j + BOX + k], b[j + BOX + 3 + k] - a[i + BOX + k]);
      if (!(overlap + padding > Math.abs(a[i + VELOCITY + k]) + Math.abs(b[j + VELOCITY + k]))) return false;
    }
    let alongA = 0;
    let alongB = 0;
    for (let k = 0; k < 3; k++) {
      n[k] = translations[3 * pair + k];
      alongA += n[k] * a[i + VELOCITY + k];
      alongB += n[k] * b[j + VELOCITY + k];
    }
    if (Number.isNaN(n[0])) return true;
    return padding - this.advance.computeGap(shapeA, a, i, shapeB, b, j) > Math.abs(alongA) + Math.abs(alongB);
  }

  private setPose(T: Transform, values: Float64Array, o: number): void {
    for (let k = 0; k < TRANSFORM_SIZE; k++) T[k] = values[o + POSE + k];
  }

  private knownDirectionSeparates(
    pair: number,
    shapeA: ConvexShape,
    a: Float64Array,
    i: number,
    shapeB: ConvexShape,
    b: Float64Array,
    j: number,
  ): boolean {
    const { directions } = this;
    const { n } = this.advance;
    for (let k = 0; k < 3; k++) n[k] = directions[3 * pair + k];
    if (Number.isNaN(n[0])) return false;
    const gap = this.advance.computeGap(shapeA, a, i, shapeB, b, j) - this.required;
    return gap > 0 && this.advance.staysApart(gap, shapeA, a, i, shapeB, b, j);
  }

  /**
   * Computes bounds on the distance of a pair: exact ones if loose ones do not decide whether it exceeds the padding.
   * Returns the solver that computed them.
   */
  private computeDistance(pair: number, shapeA: ConvexShape, shapeB: ConvexShape, stopAt: number): GjkDistance {
    const { solver, exactSolver, separation, T_b_a, caches } = this;
    const cache = caches.of(pair);
    solver.stopAt = stopAt;
    solver.solve(separation, shapeA, T_b_a, shapeB, cache);
    const { distance } = separation;
    const isDecisive = distance.lower - this.required > DECISIVE * (distance.upper - this.required);
    if (distance.lower > stopAt || isDecisive || distance.upper <= this.padding) return solver;
    exactSolver.distance(separation, shapeA, T_b_a, shapeB, Number.POSITIVE_INFINITY, cache);
    return exactSolver;
  }

  /** Returns true if a pair that is in collision at the middle is proved to be so throughout the cell. */
  private collidesThroughout(
    pair: number,
    solver: GjkDistance,
    a: Float64Array,
    i: number,
    b: Float64Array,
    j: number,
  ): boolean {
    const { separation, overlap, translations, margin, padding } = this;
    const { n } = this.advance;
    const needed = displacement(a, i, b, j) + margin - padding;
    if (separation.depth.lower > 0 ? separation.depth.lower > needed : separation.distance.upper < -needed) return true;
    if (!solver.iteration.containsOrigin) return false;
    this.setVelocities(overlap.ofA, a, i);
    this.setVelocities(overlap.ofB, b, j);
    overlap.rest = a[i + REST] + b[j + REST] + margin;
    overlap.enough = needed;
    if (overlap.isProved(solver)) return true;
    rotate(n, this.T_b, overlap.normal);
    translations.set(n, 3 * pair);
    return false;
  }
}

/** Returns true if the boxes that contain two parts throughout a cell are farther apart than `reach` along an axis. */
function areSweptBoxesApart(a: Float64Array, i: number, b: Float64Array, j: number, reach: number): boolean {
  return (
    b[j + SWEPT] - a[i + SWEPT + 3] > reach ||
    a[i + SWEPT] - b[j + SWEPT + 3] > reach ||
    b[j + SWEPT + 1] - a[i + SWEPT + 4] > reach ||
    a[i + SWEPT + 1] - b[j + SWEPT + 4] > reach ||
    b[j + SWEPT + 2] - a[i + SWEPT + 5] > reach ||
    a[i + SWEPT + 2] - b[j + SWEPT + 5] > reach
  );
}

/** Returns true if two world boxes are farther apart than `reach` metres. */
function areBoxesApart(a: Float64Array, i: number, b: Float64Array, j: number, reach: number): boolean {
  const x = Math.max(b[j + BOX] - a[i + BOX + 3], a[i + BOX] - b[j + BOX + 3], 0);
  const y = Math.max(b[j + BOX + 1] - a[i + BOX + 4], a[i + BOX + 1] - b[j + BOX + 4], 0);
  const z = Math.max(b[j + BOX + 2] - a[i + BOX + 5], a[i + BOX + 2] - b[j + BOX + 5], 0);
  return x * x + y * y + z * z > reach * reach;
}

/** Upper bound on the motion of two parts relative to each other between the middle of a cell and any point of it. */
function displacement(a: Float64Array, i: number, b: Float64Array, j: number): number {
  let [along, across] = [0, 0];
  for (let k = VELOCITY; k < VELOCITY + 3; k++) {
    along += (a[i + k] - b[j + k]) * (a[i + k] - b[j + k]);
    across += (a[i + k] + b[j + k]) * (a[i + k] + b[j + k]);
  }
  const turning = turningOf(a, i) * a[i + RADIUS] + turningOf(b, j) * b[j + RADIUS];
  const bent = Math.sqrt(Math.max(along, across)) + turning + a[i + REST] + b[j + REST];
  return Math.min(a[i + SPEED] + b[j + SPEED], bent);
}

const turningOf = (values: Float64Array, o: number): number => {
  const x = values[o + TURNING],
    y = values[o + TURNING + 1],
    z = values[o + TURNING + 2];
  return Math.sqrt(x * x + y * y + z * z);
};
