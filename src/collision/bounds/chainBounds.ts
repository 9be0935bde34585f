import type { PosedParts } from '../posedParts.ts';
import type { JointChains } from './jointChains.ts';
import type { RateBounds } from './rateBounds.ts';

/**
 * Bounds, over the current interval of a motion, on speed and acceleration of all points of part A relative to part B
 * of each pair, and the centre of the bounding sphere of A at the middle. Each chain is computed on demand, once per
 * interval, for the pose that the robot has then.
 */
export class ChainBounds {
  /**
   * Centres of the bounding spheres of the parts of the chains at the middle of the interval, in the world, three
   * numbers per chain; computed with the bounds of the chain.
   */
  readonly centers: Float64Array;
  /** Bounds after each entry of a chain; one more number per chain than it has entries. */
  private readonly speeds: Float64Array;
  private readonly accelerations: Float64Array;
  /** Number of the interval for which the bounds of each chain are valid. */
  private readonly done: Int32Array;

  constructor(
    private readonly posed: PosedParts,
    private readonly chains: JointChains,
    private readonly rates: RateBounds,
  ) {
    const chainCount = chains.part.length;
    this.speeds = new Float64Array(chains.joint.length + chainCount);
    this.accelerations = new Float64Array(this.speeds.length);
    this.centers = new Float64Array(3 * chainCount);
    this.done = new Int32Array(chainCount);
  }

  /** Returns an upper bound on the speed of the points of A relative to B, metres per unit of t. */
  speed(pair: number): number {
    const { chains, speeds } = this;
    const chain = chains.chainOfPair[pair];
    if (this.done[chain] !== this.rates.interval) this.compute(chain);
    return speeds[chains.start[chain] + chain + chains.lengthOfPair[pair]];
  }

  /** Returns an upper bound on the acceleration of the points of A relative to B, metres per unit of t squared. */
  acceleration(pair: number): number {
    const { chains, accelerations } = this;
    const chain = chains.chainOfPair[pair];
    if (this.done[chain] !== this.rates.interval) this.compute(chain);
    return accelerations[chains.start[chain] + chain + chains.lengthOfPair[pair]];
  }

  /** Returns an upper bound on the speed of the points of a robot part in the world, metres per unit of t. */
  speedOfPart(part: number): number {
    if (this.done[part] !== this.rates.interval) this.compute(part);
    return this.speeds[this.chains.start[part + 1] + part];
  }

  /**
   * Returns an upper bound on the acceleration of the points of a robot part in the world, metres per unit of t
   * squared.
   */
  accelerationOfPart(part: number): number {
    if (this.done[part] !== this.rates.interval) this.compute(part);
    return this.accelerations[this.chains.start[part + 1] + part];
  }

  /**
   * Computes the bounds of one chain in one pass, starting at A. With d the maximum distance of A's points from the
   * joint axis in the interval,
   *   speed  μ = Σ w d          acceleration  A = Σ_k d_k (ẇ_k + w_k² + 2 w_k Σ_j w_j)
   * where j are the turning joints nearer to the base than k, and w and ẇ bound the speed and acceleration of a joint.
   * d is measured at the middle of the interval and increased by the distance that the joints between A and k can move
   * A.
   */
  private compute(chain: number): void {
    const { chains, posed, rates, speeds, accelerations, centers } = this;
    const { half, speed: rateOf, acceleration: changeOf } = rates;
    const { T_world_link } = posed.state;
    const { joints } = posed.model.robot;
    this.done[chain] = rates.interval;
    const part = chains.part[chain];
    const radius = chains.spheres[4 * part + 3];
    this.computeCenter(chain, part);
    const cx = centers[3 * chain];
    const cy = centers[3 * chain + 1];
    const cz = centers[3 * chain + 2];
    let speed = 0;
    let acceleration = 0;
    let at = chains.start[chain] + chain;
    speeds[at] = 0;
    accelerations[at] = 0;
    for (let e = chains.start[chain]; e < chains.start[chain + 1]; e++) {
      const joint = joints[chains.joint[e]];
      const factor = Math.abs(joint.multiplier);
      const rate = factor * rateOf[joint.variable];
      const change = factor * changeOf[joint.variable];
      if (joint.type === 'prismatic') {
        speed += rate;
        acceleration += change;
      } else {
        const T = T_world_link[joint.child];
        const axis = joint.axis;
        const zx = T[0] * axis[0] + T[1] * axis[1] + T[2] * axis[2];
        const zy = T[4] * axis[0] + T[5] * axis[1] + T[6] * axis[2];
        const zz = T[8] * axis[0] + T[9] * axis[1] + T[10] * axis[2];
        const x = cx - T[3];
        const y = cy - T[7];
        const z = cz - T[11];
        const ex = y * zz - z * zy;
        const ey = z * zx - x * zz;
        const ez = x * zy - y * zx;
        const d = Math.min(chains.maxAxisDistance[e], Math.sqrt(ex * ex + ey * ey + ez * ez) + radius + speed * half);
        acceleration += d * change + rate * (2 * speed + d * rate);
        speed += d * rate;
      }
      at++;
      speeds[at] = speed;
      accelerations[at] = acceleration;
    }
  }

  /** Computes the centre of the bounding sphere of a part in the world. */
  private computeCenter(chain: number, part: number): void {
    const { chains, centers, posed } = this;
    const T = posed.state.T_world_link[posed.model.robotParts[part].link];
    const x = chains.spheres[4 * part];
    const y = chains.spheres[4 * part + 1];
    const z = chains.spheres[4 * part + 2];
    centers[3 * chain] = T[0] * x + T[1] * y + T[2] * z + T[3];
    centers[3 * chain + 1] = T[4] * x + T[5] * y + T[6] * z + T[7];
    centers[3 * chain + 2] = T[8] * x + T[9] * y + T[10] * z + T[11];
  }
}
