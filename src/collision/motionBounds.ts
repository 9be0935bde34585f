import type { RobotModel } from '../kinematics/robotModel.ts';
import type { Configuration } from '../math/configuration.ts';
import { rotate } from '../math/transform.ts';
import { create, set, type Vec3 } from '../math/vec3.ts';
import { JointChains } from './jointChains.ts';
import type { Motion } from './motion.ts';
import type { PosedBodies } from './posedBodies.ts';
import { ProofMargin } from './proofMargin.ts';

/**
 * How fast the two bodies of a pair can approach each other around one moment of a motion. `focus` poses the bodies at the middle of an
 * interval; after it `speed` and `reaches` bound what happens within half the interval to either side. All bounds hold for every point of
 * the pair's part A as seen from its part B.
 */
export class MotionBounds {
  /** Before `focus`: the interval of t to look at. After it: its length in joint space (L2 of the bounds, rad and m). */
  from = 0;
  to = 0;
  length = 0;
  /** After `focus`: metres that rounding may cost the gap of any pair within the interval. */
  margin = 0;
  /** Before `reaches`: the gap to keep, metres. */
  gap = 0;
  /** After `reaches`: for how long (unit of t) a gap along a direction is kept, to the left and to the right of the middle. */
  reachLeft = 0;
  reachRight = 0;
  /** Set for certificates: joint values (rad, m) that the checker assumes to be reached, whatever the interval; rounding is relative to them. */
  reached: ArrayLike<number> | undefined;
  readonly chains: JointChains;
  private readonly robot: RobotModel;
  private readonly rounding: ProofMargin;
  private readonly q: Configuration;
  /** Rates of the planned joints: signed at the middle, bounds over the interval. */
  private readonly velocity: Float64Array;
  private readonly fastest: Float64Array;
  private readonly acceleration: Float64Array;
  /** Over the interval: greatest |q|, and what the rounding of its times moves the joint by. */
  private readonly farthest: Float64Array;
  private readonly blurred: Float64Array;
  /** Cumulated bounds after each entry of a chain, one more number a chain than entries. */
  private readonly speeds: Float64Array;
  private readonly accelerations: Float64Array;
  /** Middles of the balls of the moving parts in the world. */
  private readonly centers: Float64Array;
  /** Of each link: angular velocity Ω, and V, the velocity of the point of the link that passes the world's origin: v(p) = V + Ω × p. */
  private readonly twists: Float64Array;
  private readonly along: Vec3 = create();
  private readonly toward: Vec3 = create();
  private height = 0;
  private readonly direction: Vec3 = create();
  private readonly corner: Vec3 = create();
  /** Of the support functions of the moving parts. */
  private readonly hints: Int32Array;
  private readonly chainDone: Int32Array;
  private twistsDone = 0;
  private interval = 0;
  private half = 0;

  constructor(private readonly posed: PosedBodies) {
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
    this.hints = new Int32Array(posed.model.moving.length).fill(-1);
  }

  /** Poses the bodies at the middle of the interval. (It is given in fields: numbers handed over would cost an allocation.) */
  focus(motion: Motion): void {
    const { q, velocity, fastest, acceleration, farthest, blurred, reached, from, to } = this;
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
      if (reached !== undefined) farthest[i] = Math.max(farthest[i], reached[i]);
    }
    this.length = Math.sqrt(sum) * (to - from);
    this.margin = this.rounding.at(farthest, blurred, this.posed.farthestMoved);
  }

  /** Greatest speed of a point of A seen from B within the interval, metres per unit of t. */
  speed(pair: number): number {
    const chain = this.chains.chainOfPair[pair];
    if (this.chainDone[chain] !== this.interval) this.passAlong(chain);
    return this.speeds[this.chains.start[chain] + chain + this.chains.lengthOfPair[pair]];
  }

  /**
   * How long the gap along the world direction n (unit, A to B, turning with B) lasts, as `reachLeft` and `reachRight`:
   *   gap − v t − A t²/2 >= 0  ⇒  t = (√(v² + 2 A gap) − v) / A
   * v: fastest approach at the middle over the ball (c, r) of A, ±n·(V + Ω × c) + ‖Ω × n‖ r; A: bound on the acceleration within the
   * interval. (A fixed direction in B's frame parts the two for that long.) Where the ball says too little, the body itself is asked: with
   * s(d) = max d·(p − c), what A comes nearer by within t is at most the greatest of 0 and t n·(V + Ω × c) + s(n + t n × Ω) − s(n), plus A t²/2,
   * for the first is convex in t.
   */
  reaches(pair: number, n: Vec3): void {
    if (this.twistsDone !== this.interval) this.fillTwists();
    const { posed, chains, twists, centers, toward, gap } = this;
    const { model } = posed;
    const nx = n[0];
    const ny = n[1];
    const nz = n[2];
    const chain = chains.chainOfPair[pair];
    const part = model.pairA[pair];
    const a = 6 * model.moving[part].link;
    let wx = twists[a];
    let wy = twists[a + 1];
    let wz = twists[a + 2];
    let vx = twists[a + 3];
    let vy = twists[a + 4];
    let vz = twists[a + 5];
    if (model.isSelfPair(pair)) {
      const b = 6 * model.moving[model.pairB[pair]].link;
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
    const swing = Math.sqrt(ex * ex + ey * ey + ez * ez) * chains.balls[4 * part + 3];
    const acceleration = this.accelerations[chains.start[chain] + chain + chains.lengthOfPair[pair]];
    this.reachRight = timeToClose(gap, swing + drift, acceleration);
    this.reachLeft = timeToClose(gap, swing - drift, acceleration);
    const { half } = this;
    if (this.reachRight >= half && this.reachLeft >= half) return;

    // The ball says too little of long bodies that turn beside another: ask the body itself at the ends of the interval.
    const left = gap - 0.5 * acceleration * half * half;
    if (!(left > 0)) return;
    set(toward, nx, ny, nz);
    this.findHeight(part, chain);
    const still = this.height;
    // s is convex: it grows by no less than what its corner along n says.
    const { corner } = this;
    const T = posed.T_world_part[part];
    const px = T[0] * corner[0] + T[1] * corner[1] + T[2] * corner[2] + T[3] - cx;
    const py = T[4] * corner[0] + T[5] * corner[1] + T[6] * corner[2] + T[7] - cy;
    const pz = T[8] * corner[0] + T[9] * corner[1] + T[10] * corner[2] + T[11] - cz;
    const approach = half * (drift - (px * ex + py * ey + pz * ez));
    if (this.reachRight < half && approach < left) {
      set(toward, nx - half * ex, ny - half * ey, nz - half * ez);
      this.findHeight(part, chain);
      if (half * drift + this.height - still < left) this.reachRight = half;
    }
    if (this.reachLeft < half && -approach < left) {
      set(toward, nx + half * ex, ny + half * ey, nz + half * ez);
      this.findHeight(part, chain);
      if (this.height - still - half * drift < left) this.reachLeft = half;
    }
  }

  /** True if a gap along a direction, from A to B in the frame of B, lasts over half the interval to either side. */
  keepsApart(pair: number, axis: Vec3, gap: number): boolean {
    const { posed, along, half } = this;
    rotate(along, posed.T_world_part[posed.model.pairB[pair]], axis);
    this.gap = gap;
    this.reaches(pair, along);
    return this.reachLeft >= half && this.reachRight >= half;
  }

  /** Finds `height`, s(d) = max d·(p − c) over the points p of a part, c the middle of its ball, d = `toward` in the world, any length. */
  private findHeight(part: number, chain: number): void {
    const { posed, toward, direction, corner, centers } = this;
    const T = posed.T_world_part[part];
    const shape = posed.shapes[part];
    const dx = toward[0];
    const dy = toward[1];
    const dz = toward[2];
    direction[0] = T[0] * dx + T[4] * dy + T[8] * dz;
    direction[1] = T[1] * dx + T[5] * dy + T[9] * dz;
    direction[2] = T[2] * dx + T[6] * dy + T[10] * dz;
    this.hints[part] = shape.support(corner, shape, direction, this.hints[part]);
    const inPart = corner[0] * direction[0] + corner[1] * direction[1] + corner[2] * direction[2];
    const x = T[3] - centers[3 * chain];
    const y = T[7] - centers[3 * chain + 1];
    const z = T[11] - centers[3 * chain + 2];
    this.height = inPart + dx * x + dy * y + dz * z + shape.margin * Math.sqrt(dx * dx + dy * dy + dz * dz);
  }

  /**
   * One pass along a chain, from A outwards. With d the greatest distance of A's points from the joint's axis within the interval,
   *   speed  μ = Σ w d          acceleration  A = Σ_k d_k (ẇ_k + w_k² + 2 w_k Σ_j w_j),  j turning and nearer to the base than k
   * where w, ẇ bound the joint's rate and its change. d is measured at the middle and widened by what the joints passed so far can move A.
   */
  private passAlong(chain: number): void {
    const { chains, robot, posed, fastest, acceleration, speeds, accelerations, centers, half } = this;
    const { T_world_link } = posed.state;
    this.chainDone[chain] = this.interval;
    const part = chains.part[chain];
    const radius = chains.balls[4 * part + 3];
    this.placeCenter(chain, part);
    const cx = centers[3 * chain];
    const cy = centers[3 * chain + 1];
    const cz = centers[3 * chain + 2];
    let speed = 0;
    let curving = 0;
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
        curving += change;
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
        const d = Math.min(chains.reach[e], Math.sqrt(ex * ex + ey * ey + ez * ez) + radius + speed * half);
        curving += d * change + rate * (2 * speed + d * rate);
        speed += d * rate;
      }
      at++;
      speeds[at] = speed;
      accelerations[at] = curving;
    }
  }

  private placeCenter(chain: number, part: number): void {
    const { chains, centers, posed } = this;
    const T = posed.state.T_world_link[posed.model.moving[part].link];
    const x = chains.balls[4 * part];
    const y = chains.balls[4 * part + 1];
    const z = chains.balls[4 * part + 2];
    centers[3 * chain] = T[0] * x + T[1] * y + T[2] * z + T[3];
    centers[3 * chain + 1] = T[4] * x + T[5] * y + T[6] * z + T[7];
    centers[3 * chain + 2] = T[8] * x + T[9] * y + T[10] * z + T[11];
  }

  /** Ω = Σ w z and V = −Σ w z × o over the joints between the base and each link; sliding joints add w z to V. */
  private fillTwists(): void {
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

/** Of a moment, its distance from the middle and the end of a reach: relative to the times themselves. */
const TIME_ROUNDING = 4 * Number.EPSILON;

/** Greatest t with gap − v t − A t²/2 >= 0 for all times up to it; Infinity where the gap never closes, 0 where that is not known. Of the two forms of the root, the one that cancels nothing. */
function timeToClose(gap: number, approach: number, acceleration: number): number {
  const root = Math.sqrt(approach * approach + 2 * acceleration * gap);
  if (approach > 0) return (2 * gap) / (approach + root);
  if (acceleration > 0) return (root - approach) / acceleration;
  return approach <= 0 && acceleration === 0 ? Number.POSITIVE_INFINITY : 0; // not-a-number shows nothing
}
