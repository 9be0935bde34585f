import type { RobotModel } from '../kinematics/robotModel.ts';
import type { Configuration } from '../math/configuration.ts';
import { rotate } from '../math/transform.ts';
import { create, set, type Vec3 } from '../math/vec3.ts';
import { JointChains } from './jointChains.ts';
import type { Motion } from './motion.ts';
import type { PosedParts } from './posedParts.ts';
import { ProofMargin } from './proofMargin.ts';

/**
 * Bounds on the relative motion of the two parts of a pair over an interval of a motion, for conservative advancement.
 * `evaluateInterval` poses the robot at the middle of the interval; then `speed` and `computeSeparationTimes` bound the
 * relative motion up to half the interval to either side. All bounds hold for every point of part A in the frame of
 * part B.
 */
export class MotionBounds {
  /** Input of `evaluateInterval`: the interval of t. */
  from = 0;
  to = 0;
  /**
   * Output of `evaluateInterval`: upper bound on the length of the motion in joint space over the interval (L2 of rad
   * and m).
   */
  length = 0;
  /** Output of `evaluateInterval`: bound (metres) on the rounding error of the gap of any pair within the interval. */
  margin = 0;
  /** Input of `computeSeparationTimes`: the gap at the middle, metres. */
  gap = 0;
  /** Output of `computeSeparationTimes`: times (unit of t) for which the gap stays open before and after the middle. */
  separationTimeBefore = 0;
  separationTimeAfter = 0;
  /**
   * Set for certificates: maximum joint values (rad, m) that the verifier assumes in every interval; rounding errors
   * are relative to them.
   */
  maxJointValues: ArrayLike<number> | undefined;
  readonly chains: JointChains;
  private readonly robot: RobotModel;
  private readonly rounding: ProofMargin;
  private readonly q: Configuration;
  /** Planned joints: velocity at the middle; bounds on speed and acceleration over the interval. */
  private readonly velocity: Float64Array;
  private readonly fastest: Float64Array;
  private readonly acceleration: Float64Array;
  /** Over the interval: maximum |q|, and a bound on the displacement of the joint by the rounding of times. */
  private readonly farthest: Float64Array;
  private readonly blurred: Float64Array;
  /** Cumulative bounds after each entry of a chain; one more number per chain than it has entries. */
  private readonly speeds: Float64Array;
  private readonly accelerations: Float64Array;
  /** Centres of the bounding spheres of the robot parts, in the world. */
  private readonly centers: Float64Array;
  /**
   * Twist of each link: angular velocity Ω, and V, the velocity of the point of the link at the world's origin: v(p) =
   * V + Ω × p.
   */
  private readonly twists: Float64Array;
  private readonly n_world: Vec3 = create();
  /** Input and output of `computeHeight`. */
  private readonly direction_world: Vec3 = create();
  private height = 0;
  private readonly direction: Vec3 = create();
  private readonly vertex: Vec3 = create();
  /** Warm starts of the support functions of the robot parts. */
  private readonly hints: Int32Array;
  /**
   * Number of the interval for which the bounds of each chain, and the twists, are valid; both are computed on demand.
   */
  private readonly chainDone: Int32Array;
  private twistsDone = 0;
  /** Number of the current interval. */
  private interval = 0;
  /** Half its length, unit of t. */
  private half = 0;

  constructor(private readonly posed: PosedParts) {
    const { model } = posed;
    this.robot = model.robot;
    this.rounding = new ProofMargin(model);
    this.chains = new JointChains(model);
    const { dof } = this.robot;
    this.q = new Float64Array(dof);
    this.velocity = new Float64Array(dof);
    this.fastest = new Float64Array(dof);
    this.acceleration = new Float64Array(dof);
    this.farthest = new Float64Array(dof);
    this.blurred = new Float64Array(dof);
    const chainCount = this.chains.part.length;
    this.speeds = new Float64Array(this.chains.joint.length + chainCount);
    this.accelerations = new Float64Array(this.speeds.length);
    this.centers = new Float64Array(3 * chainCount);
    this.twists = new Float64Array(6 * this.robot.links.length);
    this.chainDone = new Int32Array(chainCount);
    this.hints = new Int32Array(posed.model.robotParts.length).fill(-1);
  }

  /**
   * Poses the robot at the middle of the interval [`from`, `to`] and computes `length`, `margin` and the bounds on
   * joint rates. (Input in fields: floating-point arguments of a call that is not inlined are allocated on the heap.)
   */
  evaluateInterval(motion: Motion): void {
    const { q, velocity, fastest, acceleration, farthest, blurred, maxJointValues, from, to } = this;
    const middle = 0.5 * (from + to);
    this.interval++;
    this.half = 0.5 * (to - from);
    motion.positionAt(q, middle);
    motion.velocityAt(velocity, middle);
    motion.boundsOver(fastest, acceleration, from, to);
    this.posed.pose(q);
    const timeError = TIME_ROUNDING * Math.max(Math.abs(from), Math.abs(to));
    let sum = 0;
    for (let i = 0; i < fastest.length; i++) {
      sum += fastest[i] * fastest[i];
      blurred[i] = timeError * fastest[i];
      farthest[i] = Math.max(Math.abs(q[i]) + fastest[i] * this.half, motion.terms ? motion.terms[i] : 0);
      if (maxJointValues !== undefined) farthest[i] = Math.max(farthest[i], maxJointValues[i]);
    }
    this.length = Math.sqrt(sum) * (to - from);
    this.margin = this.rounding.at(farthest, blurred, this.posed.maxMovedExtent);
  }

  /** Returns an upper bound on the speed of the points of A relative to B within the interval, metres per unit of t. */
  speed(pair: number): number {
    const chain = this.chains.chainOfPair[pair];
    if (this.chainDone[chain] !== this.interval) this.computeChainBounds(chain);
    return this.speeds[this.chains.start[chain] + chain + this.chains.lengthOfPair[pair]];
  }

  /**
   * Computes lower bounds on the times before and after the middle for which `gap` along n stays open. n is a unit
   * vector in the world, from A to B, that turns with B: a direction fixed in the frame of B separates the pair for
   * that long.
   *   gap − v t − A t²/2 >= 0  ⇒  t = (√(v² + 2 A gap) − v) / A
   * v: maximum approach speed at the middle over the bounding sphere (c, r) of A, ±n·(V + Ω × c) + ‖Ω × n‖ r; A: bound
   * on the acceleration within the interval. If that bound is too weak, the support function of A gives a tighter one
   * at the ends of the interval: with s(d) = max d·(p − c), A approaches within t by at most max(0, t n·(V + Ω × c) +
   * s(n + t n × Ω) − s(n)) + A t²/2, because the first term is convex in t and 0 at t = 0.
   */
  computeSeparationTimes(pair: number, n: Vec3): void {
    if (this.twistsDone !== this.interval) this.computeTwists();
    const { posed, chains, twists, centers, direction_world, gap } = this;
    const { model } = posed;
    const nx = n[0];
    const ny = n[1];
    const nz = n[2];
    const chain = chains.chainOfPair[pair];
    const part = model.pairA[pair];
    const a = 6 * model.robotParts[part].link;
    let wx = twists[a];
    let wy = twists[a + 1];
    let wz = twists[a + 2];
    let vx = twists[a + 3];
    let vy = twists[a + 4];
    let vz = twists[a + 5];
    if (model.isSelfPair(pair)) {
      const b = 6 * model.robotParts[model.pairB[pair]].link;
      wx -= twists[b];
      wy -= twists[b + 1];
      wz -= twists[b + 2];
      vx -= twists[b + 3];
      vy -= twists[b + 4];
      vz -= twists[b + 5];
    }
    const cx = centers[3 * chain];
    const cy = centers[3 * chain + 1];
    const cz = centers[3 * chain + 2];
    const drift = nx * (vx + wy * cz - wz * cy) + ny * (vy + wz * cx - wx * cz) + nz * (vz + wx * cy - wy * cx);
    const ex = wy * nz - wz * ny;
    const ey = wz * nx - wx * nz;
    const ez = wx * ny - wy * nx;
    const swing = Math.sqrt(ex * ex + ey * ey + ez * ez) * chains.spheres[4 * part + 3];
    const acceleration = this.accelerations[chains.start[chain] + chain + chains.lengthOfPair[pair]];
    this.separationTimeAfter = timeToClose(gap, swing + drift, acceleration);
    this.separationTimeBefore = timeToClose(gap, swing - drift, acceleration);
    const { half } = this;
    if (this.separationTimeAfter >= half && this.separationTimeBefore >= half) return;

    // The bounding sphere is too coarse for elongated parts that turn near another part: evaluate the support function
    // at the interval ends.
    const spare = gap - 0.5 * acceleration * half * half;
    if (!(spare > 0)) return;
    set(direction_world, nx, ny, nz);
    this.computeHeight(part, chain);
    const heightAtMiddle = this.height;
    // s is convex: s(n + t n × Ω) − s(n) is at least the height of the support vertex along n, which rejects hopeless
    // cases cheaply.
    const { vertex } = this;
    const T = posed.T_world_part[part];
    const px = T[0] * vertex[0] + T[1] * vertex[1] + T[2] * vertex[2] + T[3] - cx;
    const py = T[4] * vertex[0] + T[5] * vertex[1] + T[6] * vertex[2] + T[7] - cy;
    const pz = T[8] * vertex[0] + T[9] * vertex[1] + T[10] * vertex[2] + T[11] - cz;
    const approach = half * (drift - (px * ex + py * ey + pz * ez));
    if (this.separationTimeAfter < half && approach < spare) {
      set(direction_world, nx - half * ex, ny - half * ey, nz - half * ez);
      this.computeHeight(part, chain);
      if (half * drift + this.height - heightAtMiddle < spare) this.separationTimeAfter = half;
    }
    if (this.separationTimeBefore < half && -approach < spare) {
      set(direction_world, nx + half * ex, ny + half * ey, nz + half * ez);
      this.computeHeight(part, chain);
      if (this.height - heightAtMiddle - half * drift < spare) this.separationTimeBefore = half;
    }
  }

  /**
   * Returns true if a gap (metres) along a direction from A to B, in the frame of B, stays open over the whole
   * interval.
   */
  staysSeparated(pair: number, axis: Vec3, gap: number): boolean {
    const { posed, n_world, half } = this;
    rotate(n_world, posed.T_world_part[posed.model.pairB[pair]], axis);
    this.gap = gap;
    this.computeSeparationTimes(pair, n_world);
    return this.separationTimeBefore >= half && this.separationTimeAfter >= half;
  }

  /**
   * Computes `height` = s(d) = max d·(p − c) over the points p of a part, with c the centre of its bounding sphere and
   * d = `direction_world`, of any length; sets `vertex` to the support vertex in the frame of the part.
   */
  private computeHeight(part: number, chain: number): void {
    const { posed, direction_world, direction, vertex, centers } = this;
    const T = posed.T_world_part[part];
    const shape = posed.shapes[part];
    const dx = direction_world[0];
    const dy = direction_world[1];
    const dz = direction_world[2];
    direction[0] = T[0] * dx + T[4] * dy + T[8] * dz;
    direction[1] = T[1] * dx + T[5] * dy + T[9] * dz;
    direction[2] = T[2] * dx + T[6] * dy + T[10] * dz;
    this.hints[part] = shape.support(vertex, shape, direction, this.hints[part]);
    const coreHeight = vertex[0] * direction[0] + vertex[1] * direction[1] + vertex[2] * direction[2];
    const x = T[3] - centers[3 * chain];
    const y = T[7] - centers[3 * chain + 1];
    const z = T[11] - centers[3 * chain + 2];
    this.height = coreHeight + dx * x + dy * y + dz * z + shape.margin * Math.sqrt(dx * dx + dy * dy + dz * dz);
  }

  /**
   * Computes the bounds of one chain in one pass, starting at A. With d the maximum distance of A's points from the
   * joint axis in the interval,
   *   speed  μ = Σ w d          acceleration  A = Σ_k d_k (ẇ_k + w_k² + 2 w_k Σ_j w_j)
   * where j are the turning joints nearer to the base than k, and w and ẇ bound the speed and acceleration of a joint.
   * d is measured at the middle of the interval and increased by the distance that the joints between A and k can move
   * A.
   */
  private computeChainBounds(chain: number): void {
    const { chains, robot, posed, fastest, acceleration, speeds, accelerations, centers, half } = this;
    const { T_world_link } = posed.state;
    this.chainDone[chain] = this.interval;
    const part = chains.part[chain];
    const radius = chains.spheres[4 * part + 3];
    this.computeCenter(chain, part);
    const cx = centers[3 * chain];
    const cy = centers[3 * chain + 1];
    const cz = centers[3 * chain + 2];
    let speed = 0;
    let accelerationBound = 0;
    let at = chains.start[chain] + chain;
    speeds[at] = 0;
    accelerations[at] = 0;
    for (let e = chains.start[chain]; e < chains.start[chain + 1]; e++) {
      const joint = robot.joints[chains.joint[e]];
      const factor = Math.abs(joint.multiplier);
      const rate = factor * fastest[joint.variable];
      const change = factor * acceleration[joint.variable];
      if (joint.type === 'prismatic') {
        speed += rate;
        accelerationBound += change;
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
        accelerationBound += d * change + rate * (2 * speed + d * rate);
        speed += d * rate;
      }
      at++;
      speeds[at] = speed;
      accelerations[at] = accelerationBound;
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

  /**
   * Computes the twist of each link: Ω = Σ w z and V = −Σ w z × o over the joints from the base to the link; prismatic
   * joints add w z to V.
   */
  private computeTwists(): void {
    const { robot, posed, twists, velocity } = this;
    this.twistsDone = this.interval;
    for (const joint of robot.joints) {
      const p = 6 * joint.parent;
      const c = 6 * joint.child;
      for (let i = 0; i < 6; i++) twists[c + i] = twists[p + i];
      if (joint.variable < 0) continue;
      const rate = joint.multiplier * velocity[joint.variable];
      const T = posed.state.T_world_link[joint.child];
      const axis: Vec3 = joint.axis;
      const zx = rate * (T[0] * axis[0] + T[1] * axis[1] + T[2] * axis[2]);
      const zy = rate * (T[4] * axis[0] + T[5] * axis[1] + T[6] * axis[2]);
      const zz = rate * (T[8] * axis[0] + T[9] * axis[1] + T[10] * axis[2]);
      if (joint.type === 'prismatic') {
        twists[c + 3] += zx;
        twists[c + 4] += zy;
        twists[c + 5] += zz;
        continue;
      }
      twists[c] += zx;
      twists[c + 1] += zy;
      twists[c + 2] += zz;
      twists[c + 3] -= zy * T[11] - zz * T[7];
      twists[c + 4] -= zz * T[3] - zx * T[11];
      twists[c + 5] -= zx * T[7] - zy * T[3];
    }
  }
}

/**
 * Relative to the times: bound on the rounding of a time, of its distance from the middle, and of the end of a
 * separation time.
 */
const TIME_ROUNDING = 4 * Number.EPSILON;

/**
 * Returns the first t > 0 with gap − v t − A t²/2 = 0 for an approach speed v; Infinity if the gap never closes, 0 if
 * an argument is NaN. Of the two forms of the root, the one without cancellation is evaluated.
 */
function timeToClose(gap: number, approach: number, acceleration: number): number {
  const root = Math.sqrt(approach * approach + 2 * acceleration * gap);
  if (approach > 0) return (2 * gap) / (approach + root);
  if (acceleration > 0) return (root - approach) / acceleration;
  return approach <= 0 && acceleration === 0 ? Number.POSITIVE_INFINITY : 0; // 0 if NaN
}
