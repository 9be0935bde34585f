import { doubled } from '../../planning/growArrays.ts';
import type { Motion } from '../motions/motion.ts';

/**
 * Intervals of a motion made by bisection, each evaluated once: the joint positions and velocities at its middle, and
 * bounds on speed and acceleration over it. Rates are per half width of the interval, so that a parameter in [−1, 1]
 * spans it. Interval 0 is the whole.
 */
export class DyadicMotion {
  readonly dof: number;
  /** Numbers of `values` per interval. */
  readonly size: number;
  readonly terms: Float64Array;
  /** Limits of each interval, seconds. */
  readonly from: number[] = [];
  readonly to: number[] = [];
  /**
   * Per interval, `size` numbers: position and scaled velocity at the middle, then the scaled bounds on speed and
   * acceleration, by joint. Replaced as it grows.
   */
  values: Float64Array;
  /** First half of each interval, −1 if it was not bisected; the second half follows it. */
  private readonly firstHalf: number[] = [];
  // Scratch.
  private readonly position: Float64Array;
  private readonly velocity: Float64Array;
  private readonly speed: Float64Array;
  private readonly acceleration: Float64Array;

  /** @param end the intervals divide [0, end] */
  constructor(
    private readonly motion: Motion,
    end: number,
  ) {
    this.dof = motion.dof;
    this.size = 4 * motion.dof;
    this.values = new Float64Array(64 * Math.max(1, this.size));
    this.terms = motion.terms ?? new Float64Array(motion.dof);
    [this.position, this.velocity, this.speed, this.acceleration] = [1, 2, 3, 4].map(() => new Float64Array(this.dof));
    this.add(0, end);
  }

  /** Returns the index of the first half of an interval; the second half has the next index. */
  bisect(node: number): number {
    if (this.firstHalf[node] < 0) {
      const { from, to } = this;
      const middle = 0.5 * (from[node] + to[node]);
      this.firstHalf[node] = from.length;
      this.add(from[node], middle);
      this.add(middle, to[node]);
    }
    return this.firstHalf[node];
  }

  /** Returns the width of an interval, seconds. */
  width(node: number): number {
    return this.to[node] - this.from[node];
  }

  /** Returns the length (L2 in joint space) that bounds the motion within an interval. */
  length(node: number): number {
    let sum = 0;
    const { values, dof, size } = this;
    for (let j = node * size + 2 * dof; j < node * size + 3 * dof; j++) sum += values[j] * values[j];
    return 2 * Math.sqrt(sum);
  }

  /** Returns the magnitude of the times of an interval, in half widths. */
  timeScale(node: number): number {
    const half = 0.5 * this.width(node);
    return half > 0 ? this.to[node] / half : 0;
  }

  private add(from: number, to: number): void {
    const { motion, dof, position, velocity, speed, acceleration } = this;
    const half = 0.5 * (to - from);
    const middle = 0.5 * (from + to);
    motion.positionAt(position, middle);
    motion.velocityAt(velocity, middle);
    motion.boundsOver(speed, acceleration, from, to);
    const o = this.size * this.from.length;
    if (o === this.values.length) this.values = doubled(this.values);
    const { values } = this;
    for (let j = 0; j < dof; j++) {
      values[o + j] = position[j];
      values[o + dof + j] = velocity[j] * half;
      values[o + 2 * dof + j] = speed[j] * half;
      values[o + 3 * dof + j] = acceleration[j] * (half * half);
    }
    this.from.push(from);
    this.to.push(to);
    this.firstHalf.push(-1);
  }
}
