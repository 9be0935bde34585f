import { PoseRounding, UNIT_ROUNDOFF } from '../kinematics/poseRounding.ts';
import type { Joint, RobotModel } from '../kinematics/robotModel.ts';
import { create, rotate, rotateBack, type Transform, transformPoint } from '../math/transform.ts';
import { addScaled, create as createVec3, cross, dot, norm, scale, type Vec3 } from '../math/vec3.ts';
import type { CertifiedPart } from './convexParts.ts';
import { LinkPoseCache } from './linkPoseCache.ts';
import { type JointRates, type MotionPiece, reachedPositions } from './motionPieces.ts';
import { supportHeight } from './supportHeight.ts';

/** A joint on the chain from a to b; `sign` is −1 if it is passed from parent to child. */
interface Passage {
  readonly joint: Joint;
  readonly sign: 1 | -1;
}

/**
 * Motion of a relative to b: velocity V of its centre and Ω; bounds on ‖Ω‖ and on the speed and acceleration of its
 * points.
 */
interface RelativeMotion {
  readonly linear: Vec3;
  readonly angular: Vec3;
  readonly turning: number;
  readonly speed: number;
  readonly acceleration: number;
}

/** rad: a direction this near to the normal of a half-space is replaced by that normal. */
const PLANE_TOLERANCE = 1e-6;
/**
 * Maximum number of evaluations for one certificate, after which spans count as not proved: about a hundred times what
 * long plans need.
 */
const MAX_EVALUATIONS = 5_000_000;

/**
 * Proves that fixed directions separate pairs of parts over time intervals of a motion: docs/proof.md, "What the
 * checker does". Call `setPair`, then `provesSpan` for its spans. Simple rather than fast; shares no code with the
 * prover that found the directions.
 */
export class PlaneProver {
  /** Minimum gap proved so far, metres. */
  minGap = Number.POSITIVE_INFINITY;
  /** After a span that is not proved: a time at which the proof failed, and a lower bound (metres) on the gap there. */
  time = 0;
  gap = 0;
  private evaluations = 0;
  private readonly moments: LinkPoseCache;
  /** Relative rounding error of a height; it is relative to `size`, the sum of the lengths to a point of the pair. */
  private readonly relativeError: number;
  private readonly rounding: PoseRounding;
  private size = 0;
  private a!: CertifiedPart;
  private b!: CertifiedPart;
  private passages: readonly Passage[] = [];
  /** The direction in the frame of b's link, and the minimum height of b along it, from the origin of that frame. */
  private n_link: Vec3 = createVec3();
  private height = 0;

  constructor(
    private readonly robot: RobotModel,
    readonly pieces: readonly MotionPiece[],
    readonly padding: number,
  ) {
    this.moments = new LinkPoseCache(robot);
    this.rounding = new PoseRounding(robot);
    this.rounding.reach(reachedPositions(pieces, robot.dof));
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

  /**
   * Returns true if n (unit up to rounding, in the frame of b) is proved to separate the pair by the padding at every t
   * in [t0, t1].
   */
  provesSpan(t0: number, t1: number, n: Vec3): boolean {
    this.setDirection(n);
    return this.pieces.every((piece) => {
      const from = Math.max(t0, piece.start);
      const to = Math.min(t1, piece.end);
      return to < from || (to === from && t1 > t0) || this.provesInterval(piece, from, to);
    });
  }

  /**
   * Sets the direction of `evaluateGap`, in the frame of b. Returns the normalised direction in the frame of b's link.
   */
  setDirection(n: Vec3): Vec3 {
    const { shape, T_link_frame, T_link_part } = this.b;
    let n_link = rotated(T_link_frame, n);
    scale(n_link, n_link, 1 / norm(n_link));
    let n_part = rotatedBack(T_link_part, n_link);
    let depth = supportHeight(shape, -n_part[0], -n_part[1], -n_part[2]);
    const outwards = shape.size;
    if (shape.type === 'halfspace' && norm(moved(n_part, outwards, 1)) <= PLANE_TOLERANCE) {
      // A half-space has a single plane, of normal m. A direction near −m is replaced by −m; no other direction
      // separates anything from it.
      n_part = moved(createVec3(), outwards, -1);
      n_link = rotated(T_link_part, n_part);
      depth = shape.margin;
    }
    this.n_link = n_link;
    this.height = dot(n_link, originOf(T_link_part)) - depth;
    return n_link;
  }

  /**
   * Bisects the interval until the bound holds on each part; returns false if the gap in the middle of one is too
   * small.
   */
  private provesInterval(piece: MotionPiece, from: number, to: number): boolean {
    const stack = [to, from];
    while (stack.length > 0) {
      const begin = stack.pop()!;
      const end = stack.pop()!;
      const middle = begin + 0.5 * (end - begin);
      const { throughout, now } = this.evaluateGap(piece, begin, middle, end);
      if (this.isEnough(throughout)) {
        this.minGap = Math.min(this.minGap, throughout);
        continue;
      }
      this.time = middle;
      this.gap = now;
      const canBeHalved = middle > begin && middle < end && ++this.evaluations < MAX_EVALUATIONS;
      if (!canBeHalved || !this.isEnough(now)) return false;
      stack.push(end, middle, middle, begin);
    }
    return true;
  }

  private isEnough(gap: number): boolean {
    return gap > 0 && gap >= this.padding;
  }

  /**
   * Computes lower bounds on the gap along the direction, over [begin, end] and in the middle, less rounding errors.
   * With τ = t − middle, |τ| <= h, the position of a point c + r of a relative to b is  x(t) = c + r + τ (V + Ω × r) +
   * R,  ‖R‖ <= A τ²/2, so that along n
   *   max n·x(t) <= n·c + τ n·V + s(n + τ n × Ω) + A h²/2,   s(d) = max d·r
   * which, except for the last term, is convex in τ and has its maximum at τ = h or −h.
   */
  evaluateGap(piece: MotionPiece, begin: number, middle: number, end: number): { throughout: number; now: number } {
    const { moments, a, b, size, relativeError } = this;
    const { rates, T_world_link } = moments.at(piece, begin, middle, end);
    const T_world_a = T_world_link[a.link];
    const T_world_b = b.link < 0 ? create() : T_world_link[b.link];
    const half = Math.max(middle - begin, end - middle) * (1 + 4 * UNIT_ROUNDOFF);
    const n = rotated(T_world_b, this.n_link);
    const c = createVec3();
    transformPoint(c, T_world_a, a.center);
    const { linear, angular, turning, speed, acceleration } = this.relativeMotion(rates, T_world_link, c, half);
    const turn = createVec3();
    cross(turn, n, angular);
    const drift = half * dot(n, linear);
    const after = heightAbove(T_world_a, a, moved(n, turn, half)) + drift;
    const before = heightAbove(T_world_a, a, moved(n, turn, -half)) - drift;
    const beginOfB = this.height + dot(n, moved(originOf(T_world_b), c, -1)) - relativeError * size;
    const ofFirstOrder = relativeError * half * (size * turning + this.rounding.turned * speed);
    return {
      throughout: beginOfB - Math.max(after, before) - 0.5 * acceleration * half * half - ofFirstOrder,
      now: beginOfB - heightAbove(T_world_a, a, n),
    };
  }

  /**
   * Computes the motion of a relative to b, joint by joint from a to b. With w and ẇ bounds on the speed and
   * acceleration of a joint, and d on the distance of points of a from its axis (1 for prismatic joints):
   *   speed  Σ_k d_k w_k      acceleration  Σ_k d_k (ẇ_k + w_k² + 2 w_k Σ_j w_j)
   * where j are the turning joints nearer to b than k, and w_k² is omitted for prismatic joints k.
   */
  private relativeMotion(rates: JointRates, T_world_link: readonly Transform[], c: Vec3, half: number): RelativeMotion {
    let linear = createVec3();
    let angular = createVec3();
    let turning = 0;
    let speed = 0;
    let acceleration = 0;
    for (const { joint, sign } of this.passages) {
      const factor = Math.abs(joint.multiplier);
      const maxRate = factor * rates.speed[joint.variable];
      const change = factor * rates.acceleration[joint.variable];
      const rate = sign * joint.multiplier * rates.velocity[joint.variable];
      const axis = rotated(T_world_link[joint.child], joint.axis);
      if (isSlide(joint)) {
        linear = moved(linear, axis, rate);
        acceleration += change;
        speed += maxRate;
        continue;
      }
      const swing = createVec3();
      cross(swing, axis, moved(c, originOf(T_world_link[joint.child]), -1));
      angular = moved(angular, axis, rate);
      linear = moved(linear, swing, rate);
      // Measured in the middle; increased by the distance that the joints between a and this one can move a until the
      // ends.
      const d = norm(swing) + this.a.radius + speed * half + this.relativeError * this.size;
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
function passagesBetween({ links, joints }: RobotModel, a: number, b: number): Passage[] {
  const above = (link: number): Joint[] => (link > 0 ? [joints[links[link].joint], ...above(links[link].parent)] : []);
  const [ofA, ofB] = [above(a), above(b)];
  const up = ofA.filter((joint) => !ofB.includes(joint)).map((joint): Passage => ({ joint, sign: 1 }));
  const down = ofB.filter((joint) => !ofA.includes(joint)).map((joint): Passage => ({ joint, sign: -1 }));
  return [...up, ...down.reverse()].filter(({ joint }) => joint.variable >= 0);
}

/**
 * Returns max d·r over the points c + r of a part, c the centre of its bounding sphere; d in the world, of any length.
 */
function heightAbove(T_world_link: Transform, { shape, T_link_part, center }: CertifiedPart, d: Vec3): number {
  const d_link = rotatedBack(T_world_link, d);
  const d_part = rotatedBack(T_link_part, d_link);
  return supportHeight(shape, d_part[0], d_part[1], d_part[2]) + dot(d_link, moved(originOf(T_link_part), center, -1));
}

const isSlide = (joint: Joint) => joint.type === 'prismatic';

const originOf = (T: Transform): Vec3 => Float64Array.of(T[3], T[7], T[11]);

/** a + factor b */
function moved(a: Vec3, b: Vec3, factor: number): Vec3 {
  const out = createVec3();
  addScaled(out, a, b, factor);
  return out;
}

function rotated(T_a_b: Transform, d_b: Vec3): Vec3 {
  const d_a = createVec3();
  rotate(d_a, T_a_b, d_b);
  return d_a;
}

function rotatedBack(T_a_b: Transform, d_a: Vec3): Vec3 {
  const d_b = createVec3();
  rotateBack(d_b, T_a_b, d_a);
  return d_b;
}
