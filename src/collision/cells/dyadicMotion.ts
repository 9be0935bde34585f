import type { Motion } from '../motion.ts';

/**
 * Intervals of a motion made by bisection, each evaluated once: the joint positions and velocities at its middle, and
 * bounds on speed and acceleration over it. Rates are per half width of the interval, so that a parameter in [−1, 1]
 * spans it. Interval 0 is the whole.
 */
export class DyadicMotion {
  readonly dof: number;
  readonly terms: Float64Array;
  /** Limits of each interval, seconds. */
  readonly from: number[] = [];
  readonly to: number[] = [];
  /** Per interval and joint: position and scaled velocity at the middle; scaled bounds on speed and acceleration. */
  readonly position: Float64Array[] = [];
  readonly velocity: Float64Array[] = [];
  readonly speed: Float64Array[] = [];
  readonly acceleration: Float64Array[] = [];
  /** First half of each interval, −1 if it was not bisected; the second half follows it. */
  private readonly firstHalf: number[] = [];

  /** @param end the intervals divide [0, end] */
  constructor(
    private readonly motion: Motion,
    end: number,
  ) {
    this.dof = motion.dof;
    this.terms = motion.terms ?? new Float64Array(motion.dof);
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
    for (const value of this.speed[node]) sum += value * value;
    return 2 * Math.sqrt(sum);
  }

  /** Returns the magnitude of the times of an interval, in half widths. */
  timeScale(node: number): number {
    const half = 0.5 * this.width(node);
    return half > 0 ? this.to[node] / half : 0;
  }

  private add(from: number, to: number): void {
    const { motion, dof } = this;
    const half = 0.5 * (to - from);
    const middle = 0.5 * (from + to);
    const [position, velocity, speed, acceleration] = Array.from({ length: 4 }, () => new Float64Array(dof));
    motion.positionAt(position, middle);
    motion.velocityAt(velocity, middle);
    motion.boundsOver(speed, acceleration, from, to);
    for (let j = 0; j < dof; j++) {
      velocity[j] *= half;
      speed[j] *= half;
      acceleration[j] *= half * half;
    }
    this.from.push(from);
    this.to.push(to);
    this.position.push(position);
    this.velocity.push(velocity);
    this.speed.push(speed);
    this.acceleration.push(acceleration);
    this.firstHalf.push(-1);
  }
}
