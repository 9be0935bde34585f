/**
 * Velocities of the planned joints at the middle of an interval of a motion, and bounds on their rates over it.
 * Mutable: `MotionBounds` fills it for each interval.
 */
export class RateBounds {
  /** Number of the interval, from 1: results computed for another one are outdated. */
  interval = 0;
  /** Half the length of the interval, unit of t. */
  half = 0;
  /** Velocity of each planned joint at the middle (rad or m per unit of t). */
  readonly velocity: Float64Array;
  /** Upper bounds on the speed and on the acceleration of each planned joint over the interval. */
  readonly speed: Float64Array;
  readonly acceleration: Float64Array;

  constructor(dof: number) {
    this.velocity = new Float64Array(dof);
    this.speed = new Float64Array(dof);
    this.acceleration = new Float64Array(dof);
  }
}
