import type { PosedParts } from '../model/posedParts.ts';
import type { JointChains } from './jointChains.ts';
import type { RateBounds } from './linkTwists.ts';

/** Numbers per joint in `ChainBounds.placed`: axis, origin, bounds on rate and on its change. */
const PLACED = 8;

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
  /**
   * Of each moving joint at the middle of the interval: its axis and a point of it in the world, and bounds on its rate
   * and the change of that. All chains read them.
   */
  private readonly placed: Float64Array;
  /** Number of the interval for which `placed` is valid. */
  private placedInterval = 0;
  /** Of each joint: 1 if it is prismatic. */
  private readonly slides: Uint8Array;

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
    const { joints } = posed.model.robot;
    this.placed = new Float64Array(PLACED * joints.length);
    this.slides = Uint8Array.from(joints, ({ type }) => (type === 'prismatic' ? 1 : 0));
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
    const { chains, rates, speeds, accelerations, centers, placed, slides } = this;
    const { half } = rates;
    this.done[chain] = rates.interval;
    if (this.placedInterval !== rates.interval) this.placeJoints();
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
      const joint = chains.joint[e];
      const p = PLACED * joint;
      const rate = placed[p + 6];
      const change = placed[p + 7];
      if (slides[joint] === 1) {
        speed += rate;
        acceleration += change;
      } else {
        const zx = placed[p],
          zy = placed[p + 1],
          zz = placed[p + 2];
        const x = cx - placed[p + 3];
        const y = cy - placed[p + 4];
        const z = cz - placed[p + 5];
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

  /** Computes `placed` for the current interval. */
  private placeJoints(): void {
    const { posed, rates, placed } = this;
    const { joints } = posed.model.robot;
    this.placedInterval = rates.interval;
    for (let i = 0; i < joints.length; i++) {
      const { variable, multiplier, child, axis } = joints[i];
      if (variable < 0) continue;
      const T = posed.state.T_world_link[child];
      const factor = Math.abs(multiplier);
      const p = PLACED * i;
      placed[p] = T[0] * axis[0] + T[1] * axis[1] + T[2] * axis[2];
      placed[p + 1] = T[4] * axis[0] + T[5] * axis[1] + T[6] * axis[2];
      placed[p + 2] = T[8] * axis[0] + T[9] * axis[1] + T[10] * axis[2];
      placed[p + 3] = T[3];
      placed[p + 4] = T[7];
      placed[p + 5] = T[11];
      placed[p + 6] = factor * rates.speed[variable];
      placed[p + 7] = factor * rates.acceleration[variable];
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

/**
 * For how long a fixed direction separates a pair around the middle of an interval. Mutable: passed instead of numbers,
 * because floating-point arguments and results of calls that are not inlined are allocated on the heap.
 */
export interface SeparationTimes {
  /** Input: gap along the direction at the middle, metres, > 0. */
  gap: number;
  /** Output: lower bounds on the times before and after the middle for which the gap stays open, unit of t. */
  before: number;
  after: number;
}

/**
 * Returns the first t > 0 with gap − v t − A t²/2 = 0 for an approach speed v; Infinity if the gap never closes, 0 if
 * an argument is NaN. Of the two forms of the root, the one without cancellation is evaluated.
 */
export function timeToClose(gap: number, approach: number, acceleration: number): number {
  const root = Math.sqrt(approach * approach + 2 * acceleration * gap);
  if (approach > 0) return (2 * gap) / (approach + root);
  if (acceleration > 0) return (root - approach) / acceleration;
  return approach <= 0 && acceleration === 0 ? Number.POSITIVE_INFINITY : 0; // 0 if NaN
}
