import type { RobotModel } from './robotModel.ts';
import type { LinkFrame } from './toolCenterPoint.ts';

/**
 * Upper bounds on the motion of a tool frame over an interval of time, from bounds on joint rates: for conservative
 * checks of its path and speed.
 */
export class FrameBounds {
  /** Output of `compute`: bounds on speed (m/s) and acceleration (m/s²) of the origin. */
  speed = 0;
  acceleration = 0;
  /** Output of `compute`: bounds on angular speed (rad/s) and angular acceleration (rad/s²). */
  angularSpeed = 0;
  angularAcceleration = 0;

  constructor(
    private readonly model: RobotModel,
    private readonly frame: LinkFrame,
  ) {}

  /**
   * Computes the bounds over an interval of half-width `half` about the state whose link poses are given.
   *   speed  μ = Σ w d          acceleration  A = Σ_k (d_k (ẇ_k + w_k²) + 2 w_k Σ_j w_j d_j)
   * over the joints k between base and tool, with j nearer to the tool than k; w and ẇ bound the speed and the
   * acceleration of a joint, d the distance of the origin from its axis: that at the middle, increased by the distance
   * that the joints nearer to the tool can move it.
   */
  compute(
    T_world_link: readonly Float64Array[],
    origin: ArrayLike<number>,
    velocity: Float64Array,
    acceleration: Float64Array,
    half: number,
  ): void {
    const { links, joints } = this.model;
    let speed = 0;
    let bound = 0;
    let angular = 0;
    let angularBound = 0;
    for (let l = this.frame.link; links[l].parent >= 0; l = links[l].parent) {
      const joint = joints[links[l].joint];
      if (joint.variable < 0) continue;
      const factor = Math.abs(joint.multiplier);
      const w = factor * velocity[joint.variable];
      const change = factor * acceleration[joint.variable];
      if (joint.type === 'prismatic') {
        speed += w;
        bound += change;
        continue;
      }
      const d = axisDistance(T_world_link[l], joint.axis, origin) + speed * half;
      bound += d * (change + w * w) + 2 * w * speed;
      speed += d * w;
      angularBound += change + w * angular;
      angular += w;
    }
    this.speed = speed;
    this.acceleration = bound;
    this.angularSpeed = angular;
    this.angularAcceleration = angularBound;
  }
}

/** Returns the distance of a point from the axis through the origin of a frame; the axis is in that frame. */
function axisDistance(T: Float64Array, axis: ArrayLike<number>, p: ArrayLike<number>): number {
  const ax = axis[0];
  const ay = axis[1];
  const az = axis[2];
  const zx = T[0] * ax + T[1] * ay + T[2] * az;
  const zy = T[4] * ax + T[5] * ay + T[6] * az;
  const zz = T[8] * ax + T[9] * ay + T[10] * az;
  const x = p[0] - T[3];
  const y = p[1] - T[7];
  const z = p[2] - T[11];
  const ex = y * zz - z * zy;
  const ey = z * zx - x * zz;
  const ez = x * zy - y * zx;
  return Math.sqrt(ex * ex + ey * ey + ez * ez);
}
