import { rotate, type Transform, transformPoint } from '../math/transform.ts';
import { addScaled, copy, create, scale, type Vec3 } from '../math/vec3.ts';
import { createShape } from '../shapes/index.ts';
import { type Pill, pillOf } from './pills.ts';

/**
 * A constraint is weakly active if slack and multiplier are both below this, relative to the size and to the distance.
 */
const WEAK = 1e-6;

const emptyPill: Pill = pillOf(createShape({ type: 'sphere', radius: 1 }))!;

/** One of the two pills in the world frame, and its part of the program. */
export class PosedPill {
  /** The pill in its own frame. */
  pill = emptyPill;
  /** First variable of the pill in the program. */
  column = 0;
  /** First row of the pill in G. */
  row = 0;
  /** Origin of the frame of the pill in the world. */
  readonly frame: Vec3 = create();
  /** Origin of the core coordinates in the world. */
  readonly origin: Vec3 = create();
  /** Axes of the core in the world; the first `pill.dimension` are valid. */
  readonly axes: readonly Vec3[] = [create(), create()];
  /** Closest point of the core. */
  readonly core: Vec3 = create();
  /** Number of directions along which the closest point can move within the core with the same active constraints. */
  freeCount = 0;
  /** Unit directions in the world along which the closest point is free; the first `freeCount` are valid. */
  readonly directions: readonly Vec3[] = [create(), create()];

  /** Poses the pill in the world. `column`, `row`: its first variable and first constraint in the program. */
  setPose(pill: Pill, T_world_pill: Transform, column: number, row: number): void {
    this.pill = pill;
    this.column = column;
    this.row = row;
    for (let k = 0; k < 3; k++) this.frame[k] = T_world_pill[4 * k + 3];
    transformPoint(this.origin, T_world_pill, pill.origin);
    for (let k = 0; k < pill.dimension; k++) rotate(this.axes[k], T_world_pill, pill.axes[k]);
  }

  /** Computes the closest point of the core from a solution y. */
  setCore(y: Float64Array): void {
    copy(this.core, this.origin);
    for (let k = 0; k < this.pill.dimension; k++) addScaled(this.core, this.core, this.axes[k], y[this.column + k]);
  }

  /** Returns true if no constraint is weakly active; `gap` is the distance of the cores. */
  isStrict(y: Float64Array, z: Float64Array, gap: number): boolean {
    const { d, boundingRadius } = this.pill;
    for (let i = 0; i < d.length; i++) {
      if (this.slack(i, y) < WEAK * boundingRadius && z[this.row + i] < 2 * WEAK * gap) return false;
    }
    return true;
  }

  /**
   * Computes the directions that the strongly active constraints leave free: none at a vertex, one along a side or
   * segment, two in the interior.
   */
  setFreeDirections(y: Float64Array, z: Float64Array, gap: number): void {
    const { dimension, C, d } = this.pill;
    const { axes, directions } = this;
    this.freeCount = dimension;
    for (let k = 0; k < dimension; k++) copy(directions[k], axes[k]);
    for (let i = 0; i < d.length && this.freeCount > 0; i++) {
      const force = z[this.row + i];
      if (force < 2 * WEAK * gap || !(force > this.slack(i, y))) continue;
      this.freeCount--;
      if (dimension < 2) continue;
      scale(directions[0], axes[0], -C[2 * i + 1]);
      addScaled(directions[0], directions[0], axes[1], C[2 * i]);
    }
  }

  /** Returns the distance of core coordinates y to side i, metres; negative outside. */
  slack(i: number, y: Float64Array): number {
    const { C, d, dimension } = this.pill;
    let slack = d[i];
    for (let k = 0; k < dimension; k++) slack -= C[dimension * i + k] * y[this.column + k];
    return slack;
  }
}
