import { PoseRounding } from '../../kinematics/poseRounding.ts';
import type { Configuration } from '../../math/configuration.ts';
import { rotate } from '../../math/transform.ts';
import { create, set, type Vec3 } from '../../math/vec3.ts';
import type { CollisionModel } from '../model/collisionModel.ts';
import type { PosedParts } from '../model/posedParts.ts';
import type { Interval } from '../motions/intervalQueue.ts';
import type { Motion } from '../motions/motion.ts';
import { ChainBounds, type SeparationTimes, timeToClose } from './chainBounds.ts';
import { JointChains } from './jointChains.ts';
import { LinkTwists, RateBounds } from './linkTwists.ts';

/**
 * Bounds on the relative motion of the two parts of a pair over an interval of a motion, for conservative advancement.
 * `evaluateInterval` poses the robot at the middle of the interval; then `speed` and `computeSeparationTimes` bound the
 * relative motion up to half the interval to either side. All bounds hold for every point of part A in the frame of
 * part B.
 */
export class MotionBounds {
  /** Upper bound on the length of the motion in joint space over the current interval (L2 of rad and m). */
  length = 0;
  /** Bound (metres) on the rounding error of the gap of any pair within the current interval. */
  margin = 0;
  /**
   * Set for certificates: maximum joint values (rad, m) that the verifier assumes in every interval; rounding errors
   * are relative to them.
   */
  maxJointValues: ArrayLike<number> | undefined;
  readonly chains: JointChains;
  private readonly rounding: ProofMargin;
  private readonly q: Configuration;
  protected readonly rates: RateBounds;
  protected readonly chainBounds: ChainBounds;
  protected readonly twists: LinkTwists;
  private readonly heights: PartHeights;
  /** Over the interval: maximum |q|, and a bound on the displacement of the joint by the rounding of times. */
  private readonly farthest: Float64Array;
  private readonly blurred: Float64Array;
  // Scratch.
  protected readonly twist = new Float64Array(6);
  private readonly n_world: Vec3 = create();
  private readonly times: SeparationTimes = { gap: 0, before: 0, after: 0 };
  private readonly support: PartHeight = createPartHeight();

  constructor(protected readonly posed: PosedParts) {
    const { model } = posed;
    const { dof } = model.robot;
    this.rounding = new ProofMargin(model);
    this.chains = JointChains.of(model);
    this.q = new Float64Array(dof);
    this.rates = new RateBounds(dof);
    this.chainBounds = new ChainBounds(posed, this.chains, this.rates);
    this.twists = new LinkTwists(posed.state, this.rates);
    this.heights = new PartHeights(posed);
    this.farthest = new Float64Array(dof);
    this.blurred = new Float64Array(dof);
  }

  /**
   * Poses the robot at the middle of an interval of the motion and computes `length`, `margin` and the bounds on joint
   * rates.
   */
  evaluateInterval(motion: Motion, { start, end }: Interval): void {
    const { q, rates, farthest, blurred, maxJointValues } = this;
    const { velocity, speed, acceleration } = rates;
    const middle = 0.5 * (start + end);
    const half = 0.5 * (end - start);
    rates.interval++;
    rates.half = half;
    motion.positionAt(q, middle);
    motion.velocityAt(velocity, middle);
    motion.boundsOver(speed, acceleration, start, end);
    this.posed.pose(q);
    const timeError = TIME_ROUNDING * Math.max(Math.abs(start), Math.abs(end), motion.timeScale ?? 0);
    let sum = 0;
    for (let i = 0; i < speed.length; i++) {
      sum += speed[i] * speed[i];
      blurred[i] = timeError * speed[i];
      farthest[i] = Math.max(Math.abs(q[i]) + speed[i] * half, motion.terms ? motion.terms[i] : 0);
      if (maxJointValues !== undefined) farthest[i] = Math.max(farthest[i], maxJointValues[i]);
    }
    this.length = Math.sqrt(sum) * (end - start);
    this.margin = this.rounding.at(farthest, blurred, this.posed.maxMovedExtent);
  }

  /** Returns an upper bound on the speed of the points of A relative to B within the interval, metres per unit of t. */
  speed(pair: number): number {
    return this.chainBounds.speed(pair);
  }

  /** Returns an upper bound on the speed of the points of a robot part in the world, metres per unit of t. */
  speedOfPart(part: number): number {
    return this.chainBounds.speedOfPart(part);
  }

  /**
   * Computes lower bounds on the times before and after the middle for which the gap along n stays open. n is a unit
   * vector in the world, from A to B, that turns with B: a direction fixed in the frame of B separates the pair for
   * that long.
   *   gap − v t − A t²/2 >= 0  ⇒  t = (√(v² + 2 A gap) − v) / A
   * v: maximum approach speed at the middle over the bounding sphere (c, r) of A, ±n·(V + Ω × c) + ‖Ω × n‖ r; A: bound
   * on the acceleration within the interval. If that bound is too weak, the support function of A gives a tighter one
   * at the ends of the interval: with s(d) = max d·(p − c), A approaches within t by at most max(0, t n·(V + Ω × c) +
   * s(n + t n × Ω) − s(n)) + A t²/2, because the first term is convex in t and 0 at t = 0.
   */
  computeSeparationTimes(out: SeparationTimes, pair: number, n: Vec3): void {
    const { model } = this.posed;
    this.twists.relative(
      this.twist,
      model.robotParts[model.pairA[pair]].link,
      model.isSelfPair(pair) ? model.robotParts[model.pairB[pair]].link : -1,
    );
    this.computeTimesOfTwist(out, pair, n);
  }

  /** As `computeSeparationTimes`, for the relative velocity (Ω, V) of `twist`. */
  protected computeTimesOfTwist(out: SeparationTimes, pair: number, n: Vec3): void {
    const { chains, twist, support, heights } = this;
    const { model, T_world_part } = this.posed;
    const { half } = this.rates;
    const { gap } = out;
    const part = model.pairA[pair];
    const acceleration = this.chainBounds.acceleration(pair);
    const { centers } = this.chainBounds;
    const c = 3 * chains.chainOfPair[pair];
    const nx = n[0],
      ny = n[1],
      nz = n[2];
    const wx = twist[0],
      wy = twist[1],
      wz = twist[2];
    const cx = centers[c],
      cy = centers[c + 1],
      cz = centers[c + 2];
    const drift =
      nx * (twist[3] + wy * cz - wz * cy) + ny * (twist[4] + wz * cx - wx * cz) + nz * (twist[5] + wx * cy - wy * cx);
    const ex = wy * nz - wz * ny;
    const ey = wz * nx - wx * nz;
    const ez = wx * ny - wy * nx;
    const swing = Math.sqrt(ex * ex + ey * ey + ez * ez) * chains.spheres[4 * part + 3];
    out.after = timeToClose(gap, swing + drift, acceleration);
    out.before = timeToClose(gap, swing - drift, acceleration);
    if (out.after >= half && out.before >= half) return;

    // The bounding sphere is too coarse for elongated parts that turn near another part: evaluate the support function
    // at the interval ends.
    const spare = gap - 0.5 * acceleration * half * half;
    if (!(spare > 0)) return;
    const { direction_world, vertex } = support;
    set(support.origin, cx, cy, cz);
    set(direction_world, nx, ny, nz);
    heights.compute(support, part);
    const heightAtMiddle = support.height;
    // s is convex: s(n + t n × Ω) − s(n) is at least the height of the support vertex along n, which rejects hopeless
    // cases cheaply.
    const T = T_world_part[part];
    const px = T[0] * vertex[0] + T[1] * vertex[1] + T[2] * vertex[2] + T[3] - cx;
    const py = T[4] * vertex[0] + T[5] * vertex[1] + T[6] * vertex[2] + T[7] - cy;
    const pz = T[8] * vertex[0] + T[9] * vertex[1] + T[10] * vertex[2] + T[11] - cz;
    const approach = half * (drift - (px * ex + py * ey + pz * ez));
    if (out.after < half && approach < spare) {
      set(direction_world, nx - half * ex, ny - half * ey, nz - half * ez);
      heights.compute(support, part);
      if (half * drift + support.height - heightAtMiddle < spare) out.after = half;
    }
    if (out.before < half && -approach < spare) {
      set(direction_world, nx + half * ex, ny + half * ey, nz + half * ez);
      heights.compute(support, part);
      if (support.height - heightAtMiddle - half * drift < spare) out.before = half;
    }
  }

  /**
   * Returns true if a gap (metres) along a direction from A to B, in the frame of B, stays open over the whole
   * interval.
   */
  staysSeparated(pair: number, axis: Vec3, gap: number): boolean {
    const { posed, n_world, times } = this;
    const { half } = this.rates;
    rotate(n_world, posed.T_world_part[posed.model.pairB[pair]], axis);
    times.gap = gap;
    this.computeSeparationTimes(times, pair, n_world);
    return times.before >= half && times.after >= half;
  }
}

/**
 * Relative to the times: bound on the rounding of a time, of its distance from the middle, and of the end of a
 * separation time.
 */
const TIME_ROUNDING = 4 * Number.EPSILON;

/** Minimum margin, metres: a thousand times the rounding error of the poses of a robot of ten metres. */
const MIN_MARGIN = 1e-9;
/**
 * Multiple of the rounding bound in the margin: one for the rounding of the prover, one for that of the certificate
 * verifier, one that the verifier subtracts for safety, and one that remains to it as a gap, so that its bisection
 * terminates. Because prover and verifier use the same bound for the same joint values, each certificate that the
 * prover makes is verified.
 */
const ROUNDING_SHARES = 4;

/**
 * Computes the margin (metres) that the prover subtracts from the gap of every pair for rounding errors. It exceeds a
 * nanometre far from the world's origin, after a thousand turns of a joint, or if times are as large as Unix time. The
 * bound is `PoseRounding`, the same as in the verifier, for the largest parts of the model.
 */
export class ProofMargin {
  private readonly rounding: PoseRounding;
  /** Metres: sum of the extents of the two robot parts of a pair from their links. */
  private readonly extent: number;

  constructor(private readonly model: CollisionModel) {
    this.rounding = new PoseRounding(model.robot);
    this.extent = 2 * model.partExtent;
  }

  /**
   * Returns the margin in metres.
   * @param reached maximum |q| of each planned joint, and of the terms that it is a sum of
   * @param blurred bound on the displacement of each planned joint by the rounding of times: rad, m
   * @param moved distance (m) from the world's origin to the farthest point of any obstacle that was moved
   */
  at(reached: ArrayLike<number>, blurred: ArrayLike<number>, moved = 0): number {
    const { rounding, model, extent } = this;
    rounding.reach(reached);
    const error = rounding.relative * rounding.size(model.obstacleExtent + moved, extent);
    return Math.max(MIN_MARGIN, ROUNDING_SHARES * error + rounding.moved(blurred, extent));
  }
}

/** A direction, and how far a part extends along it. Mutable: passed instead of numbers. */
interface PartHeight {
  /** Input: a direction in the world, of any length. */
  readonly direction_world: Vec3;
  /** Input: the point c of the world from which the height is measured. */
  readonly origin: Vec3;
  /** Output: max d·(p − c) over the points p of the part, d the direction. */
  height: number;
  /** Output: the vertex of the part that attains it, in the frame of the part, without the shape's margin. */
  readonly vertex: Vec3;
}

const createPartHeight = (): PartHeight => ({
  direction_world: create(),
  origin: create(),
  height: 0,
  vertex: create(),
});

/** Support function of posed robot parts. */
class PartHeights {
  /** Warm starts of the support functions of the parts. */
  private readonly hints: Int32Array;
  private readonly direction: Vec3 = create();

  constructor(private readonly posed: PosedParts) {
    this.hints = new Int32Array(posed.model.robotParts.length).fill(-1);
  }

  /** Computes height and vertex of a robot part. */
  compute(out: PartHeight, part: number): void {
    const { posed, direction } = this;
    const { direction_world, origin, vertex } = out;
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
    const x = T[3] - origin[0];
    const y = T[7] - origin[1];
    const z = T[11] - origin[2];
    out.height = coreHeight + dx * x + dy * y + dz * z + shape.margin * Math.sqrt(dx * dx + dy * dy + dz * dz);
  }
}
