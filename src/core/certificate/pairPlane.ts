import { PoseRounding } from '../kinematics/poseRounding.ts';
import type { Joint, RobotModel } from '../kinematics/robotModel.ts';
import { create, originOf, rotate, rotateBack, rotated, type Transform, transformPoint } from '../math/transform.ts';
import { addScaled, create as createVec3, cross, dot, norm, plusScaled, scale, set, type Vec3 } from '../math/vec3.ts';
import type { CertifiedPart } from './convexParts.ts';
import type { JointRates } from './motionPieces.ts';
import { supportHeight } from './supportHeight.ts';

/** A joint on the chain from a to b; `sign` is −1 if it is passed from parent to child. */
export interface Passage {
  readonly joint: Joint;
  readonly sign: 1 | -1;
}

/** Velocity of a relative to b: `linear` that of the centre of a. */
export interface Twist {
  readonly linear: Vec3;
  readonly angular: Vec3;
}

/**
 * Motion of a relative to b: velocity V of its centre and Ω; bounds on ‖Ω‖ and on the speed and acceleration of its
 * points.
 */
export interface RelativeMotion extends Twist {
  readonly turning: number;
  readonly speed: number;
  readonly acceleration: number;
}

/** A pair at one instant: the direction n and the centre c of a in the world, and where b begins along n from c. */
export interface PosedPair {
  readonly n: Vec3;
  readonly c: Vec3;
  readonly beginOfB: number;
}

const WORLD = create();
/** rad: a direction this near to the normal of a half-space is replaced by that normal. */
const PLANE_TOLERANCE = 1e-6;

/**
 * A pair of parts and a direction fixed in the frame of b: heights along it, and the motion of a relative to b. Call
 * `setPair`, then `setDirection`. Shares no code with the prover that found the directions.
 */
export class PairPlane {
  /** Relative rounding error of a height; it is relative to `size`, the sum of the lengths to a point of the pair. */
  protected readonly relativeError: number;
  protected readonly rounding: PoseRounding;
  protected size = 0;
  protected a!: CertifiedPart;
  protected b!: CertifiedPart;
  protected passages: readonly Passage[] = [];
  private readonly axis = createVec3();
  private readonly swing = createVec3();
  private readonly turned = createVec3();
  private readonly d_link = createVec3();
  private readonly d_part = createVec3();
  /** The direction in the frame of b's link, and the minimum height of b along it, from the origin of that frame. */
  private n_link: Vec3 = createVec3();
  private height = 0;

  /** @param reached greatest |q| of each planned joint, rad or m */
  constructor(
    protected readonly robot: RobotModel,
    reached: Float64Array,
  ) {
    this.rounding = new PoseRounding(robot);
    this.rounding.reach(reached);
    this.relativeError = this.rounding.relative;
  }

  /** Sets the pair of parts for the following calls. */
  setPair(a: CertifiedPart, b: CertifiedPart): void {
    const { robot, rounding } = this;
    this.a = a;
    this.b = b;
    this.passages = passagesBetween(robot, a.link, b.link);
    this.size = b.link < 0 ? rounding.size(b.extent, a.extent) : rounding.size(0, a.extent + b.extent);
  }

  /** Sets the direction, in the frame of b. Returns the normalised direction in the frame of b's link. */
  setDirection(n: Vec3): Vec3 {
    const { shape, T_link_frame, T_link_part } = this.b;
    let n_link = rotated(T_link_frame, n);
    scale(n_link, n_link, 1 / norm(n_link));
    let n_part = rotatedBack(T_link_part, n_link);
    let depth = supportHeight(shape, -n_part[0], -n_part[1], -n_part[2]);
    const outwards = shape.size;
    if (shape.type === 'halfspace' && norm(plusScaled(n_part, outwards, 1)) <= PLANE_TOLERANCE) {
      // A half-space has a single plane, of normal m. A direction near −m is replaced by −m; no other direction
      // separates anything from it.
      n_part = plusScaled(createVec3(), outwards, -1);
      n_link = rotated(T_link_part, n_part);
      depth = shape.margin;
    }
    this.n_link = n_link;
    this.height = dot(n_link, originOf(T_link_part)) - depth;
    return n_link;
  }

  /** Returns the pair at one instant; `beginOfB` is less the rounding error. */
  protected posed(T_world_link: readonly Transform[]): PosedPair {
    const { a, b } = this;
    const T_world_b = b.link < 0 ? WORLD : T_world_link[b.link];
    const n = rotated(T_world_b, this.n_link);
    const c = createVec3();
    transformPoint(c, T_world_link[a.link], a.center);
    const beginOfB = this.height + dot(n, plusScaled(originOf(T_world_b), c, -1)) - this.relativeError * this.size;
    return { n, c, beginOfB };
  }

  /** Returns max d·r over the points c + r of a, c the centre of its bounding sphere; d in the world, of any length. */
  private heightAbove(T_world_link: readonly Transform[], d: Vec3): number {
    const { d_link, d_part } = this;
    const { link, shape, T_link_part: T, center } = this.a;
    rotateBack(d_link, T_world_link[link], d);
    rotateBack(d_part, T, d_link);
    const height = supportHeight(shape, d_part[0], d_part[1], d_part[2]);
    return height + (d_link[0] * (T[3] - center[0]) + d_link[1] * (T[7] - center[1]) + d_link[2] * (T[11] - center[2]));
  }

  /** Returns how far a reaches along n from c, at the middle. */
  protected reach(T_world_link: readonly Transform[], n: Vec3): number {
    return this.heightAbove(T_world_link, n);
  }

  /**
   * Returns how far a reaches along n after a time, without what is of second order: s(n + τ n × Ω) + τ n·V, s(d) = max
   * d·r. Convex in τ, and in the twist.
   */
  protected reachAfter(T_world_link: readonly Transform[], n: Vec3, twist: Twist, time: number): number {
    const { turned } = this;
    cross(turned, n, twist.angular);
    addScaled(turned, n, turned, time);
    return this.heightAbove(T_world_link, turned) + time * dot(n, twist.linear);
  }

  /**
   * Computes the motion of a relative to b, joint by joint from a to b. With w and ẇ bounds on the speed and
   * acceleration of a joint, and d on the distance of points of a from its axis (1 for prismatic joints):
   *   speed  Σ_k d_k w_k      acceleration  Σ_k d_k (ẇ_k + w_k² + 2 w_k Σ_j w_j)
   * where j are the turning joints nearer to b than k, and w_k² is omitted for prismatic joints k.
   * @param radius that of a sphere about c that contains the points of a
   */
  protected relativeMotion(
    rates: JointRates,
    T_world_link: readonly Transform[],
    c: Vec3,
    half: number,
    radius = this.a.radius,
  ): RelativeMotion {
    const { axis, swing } = this;
    const linear = createVec3();
    const angular = createVec3();
    let turning = 0;
    let speed = 0;
    let acceleration = 0;
    for (const { joint, sign } of this.passages) {
      const factor = Math.abs(joint.multiplier);
      const maxRate = factor * rates.speed[joint.variable];
      const change = factor * rates.acceleration[joint.variable];
      const rate = sign * joint.multiplier * rates.velocity[joint.variable];
      const T_world_child = T_world_link[joint.child];
      rotate(axis, T_world_child, joint.axis);
      if (isSlide(joint)) {
        addScaled(linear, linear, axis, rate);
        acceleration += change;
        speed += maxRate;
        continue;
      }
      set(swing, c[0] - T_world_child[3], c[1] - T_world_child[7], c[2] - T_world_child[11]);
      cross(swing, axis, swing);
      addScaled(angular, angular, axis, rate);
      addScaled(linear, linear, swing, rate);
      // Measured in the middle; increased by the distance that the joints between a and this one can move a until the
      // ends.
      const d = norm(swing) + radius + speed * half + this.relativeError * this.size;
      acceleration += d * change + maxRate * (2 * speed + d * maxRate);
      speed += d * maxRate;
      turning += maxRate;
    }
    return { linear, angular, turning, speed, acceleration: acceleration * (1 + this.relativeError) };
  }
}

/**
 * Returns the joints that move a relative to b: from a up to the common ancestor, then down to b. Link −1: the world.
 */
export function passagesBetween({ links, joints }: RobotModel, a: number, b: number): Passage[] {
  const above = (link: number): Joint[] => (link > 0 ? [joints[links[link].joint], ...above(links[link].parent)] : []);
  const [ofA, ofB] = [above(a), above(b)];
  const up = ofA.filter((joint) => !ofB.includes(joint)).map((joint): Passage => ({ joint, sign: 1 }));
  const down = ofB.filter((joint) => !ofA.includes(joint)).map((joint): Passage => ({ joint, sign: -1 }));
  return [...up, ...down.reverse()].filter(({ joint }) => joint.variable >= 0);
}

const isSlide = (joint: Joint) => joint.type === 'prismatic';

function rotatedBack(T_a_b: Transform, d_a: Vec3): Vec3 {
  const d_b = createVec3();
  rotateBack(d_b, T_a_b, d_a);
  return d_b;
}
