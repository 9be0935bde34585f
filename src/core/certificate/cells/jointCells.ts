import { largestAngle, type PoseTolerance } from '../../kinematics/pose.ts';
import type { RobotModel } from '../../kinematics/robotModel.ts';
import { type LinkFrame, linkFrameOf } from '../../kinematics/toolCenterPoint.ts';
import { composed, create, inverted, originOf, type Transform, transformedPoint } from '../../math/transform.ts';
import { norm, type Vec3 } from '../../math/vec3.ts';
import { goalPoseOf } from '../../scene/configurationOf.ts';
import type { PoseGoal, Scene } from '../../scene/scene.ts';
import type { ConvexShape } from '../../shapes/shape.ts';
import type { CertifiedPart } from '../convexParts.ts';
import { linkPoses } from '../linkPoses.ts';
import type { JointRates } from '../motionPieces.ts';
import { PairPlane, passagesBetween } from '../pairPlane.ts';
import { hullFacets } from './hullFacets.ts';

/**
 * Added to the tolerances of a goal pose, metres and radians: far above the rounding with which a planner, or a file,
 * may exceed them.
 */
export const POSE_SLACK = 1e-6;

/** A pose that a frame of the robot must have, up to a tolerance. */
export interface RequiredPose {
  readonly frame: LinkFrame;
  readonly T_world_goal: Transform;
  readonly tolerance: PoseTolerance;
}

/** Returns the pose that a goal of a scene requires. */
export const requiredPose = (robot: RobotModel, scene: Scene, pose: PoseGoal): RequiredPose => ({
  frame: linkFrameOf(robot, pose.link, scene.tcp),
  T_world_goal: goalPoseOf(pose, scene),
  tolerance: pose.tolerance,
});

/** A box of joint values: its middle and its half widths by planned joint, infinite for joints with any value. */
export interface JointCell {
  readonly middle: Float64Array;
  readonly half: Float64Array;
}

/**
 * Proves that a pair of convex parts overlaps, or is apart, in every state of a cell: a box of some joints, with the
 * others anywhere.
 *
 * A state of the cell is the end of a straight motion from its middle, of duration 1 and of speeds up to the half
 * widths, so the bounds of `PlaneProver` hold: a direction separates the pair if it leaves a gap at every vertex of the
 * box, to first order, that exceeds what is of second order.
 *
 * The proof of an overlap is a point p with spheres about it in both parts at the middle of the cell, of radii r_a and
 * r_b. The point of a that is at p moves relative to b by at most
 *   D = Σ_k d_k h_k
 * with h_k the half widths, and d_k the distance of the point from joint k after the joints between a and k have moved
 * it (docs/fixed-time.md). As the spheres stay about the two points, they meet in all states if r_a + r_b >= D.
 */
export class JointCellProver extends PairPlane {
  /** Half widths of the cell by planned joint; infinite for joints that are anywhere. */
  private readonly half: Float64Array;
  private T_world_link: readonly Transform[] = [];

  /** @param reached greatest |q| of each planned joint in the middle of a cell */
  constructor(robot: RobotModel, reached: Float64Array) {
    super(robot, reached);
    this.half = new Float64Array(robot.dof);
  }

  /** Sets the cell for the following calls. */
  setCell({ middle, half }: JointCell): void {
    this.half.set(half);
    this.T_world_link = linkPoses(this.robot, middle);
  }

  /** Returns how far the spheres about p in both parts exceed what the pair may move, metres; not proved if <= 0. */
  overlap(p: Vec3): number {
    const { b, T_world_link } = this;
    const inWorld = b.link < 0 ? p : transformedPoint(T_world_link[b.link], p);
    const depth = this.depths(inWorld, inWorld, b.link < 0 ? create() : T_world_link[b.link]);
    return depth - this.moved(inWorld);
  }

  /**
   * As `overlap`, for a part a of the robot and an obstacle b, in all states whose frame is at the required pose; the
   * cell is one of joints between a and the link of the frame.
   * @param p in the world
   */
  overlapAtGoal(p: Vec3, required: RequiredPose): number {
    const inModel = transformedPoint(this.modelAtGoal(required), p);
    return this.depths(inModel, p, create()) - this.movedAtGoal(p, required);
  }

  /** Bound on the motion of the point of a that is at p in the world when the frame is at the required pose. */
  movedAtGoal(p: Vec3, required: RequiredPose): number {
    const { T_world_goal, tolerance, frame } = required;
    this.passages = passagesBetween(this.robot, this.a.link, frame.link);
    const moved = this.moved(transformedPoint(this.modelAtGoal(required), p));
    const away = norm(p.map((x, k) => x - T_world_goal[4 * k + 3]));
    const angle = largestAngle(tolerance.angle) + POSE_SLACK;
    const loose = tolerance.position + POSE_SLACK + angle * (away + moved);
    const rounding = 2 * this.relativeError * (norm(p) + norm(originOf(T_world_goal)));
    return moved + loose + rounding;
  }

  /** Returns the pose of the world in the coordinates of forward kinematics if the frame is at the required pose. */
  private modelAtGoal({ frame, T_world_goal }: RequiredPose): Transform {
    return composed(composed(this.T_world_link[frame.link], frame.T_link_frame), inverted(T_world_goal));
  }

  /**
   * Returns a lower bound on the gap of the pair along a direction over the cell, metres; −Infinity if the pair is
   * moved by joints that are anywhere.
   * @param n in the frame of b, as in certificates
   */
  gap(n: Vec3): number {
    const { half, T_world_link, relativeError, size, rounding } = this;
    this.setDirection(n);
    const moving = [...new Set(this.passages.map(({ joint }) => joint.variable))];
    if (moving.some((i) => half[i] === Number.POSITIVE_INFINITY)) return Number.NEGATIVE_INFINITY;
    const { n: direction, c, beginOfB } = this.posed(T_world_link);
    const velocity = new Float64Array(half.length);
    let farthest = Number.NEGATIVE_INFINITY;
    let rest = 0;
    for (let vertex = 0; vertex < 1 << moving.length; vertex++) {
      for (const [k, i] of moving.entries()) velocity[i] = (vertex & (1 << k)) === 0 ? half[i] : -half[i];
      const motion = this.relativeMotion({ ...this.rates(), velocity }, T_world_link, c, 1);
      farthest = Math.max(farthest, this.reachAfter(T_world_link, direction, motion, 1));
      rest = 0.5 * motion.acceleration + relativeError * (size * motion.turning + rounding.turned * motion.speed);
    }
    return beginOfB - farthest - rest;
  }

  /** Sum of the radii of both spheres, less rounding; −Infinity if p is not in both parts. */
  private depths(onA: Vec3, onB: Vec3, T_world_b: Transform): number {
    const { a, b, T_world_link } = this;
    const [ofA, ofB] = [depthIn(a, T_world_link[a.link], onA), depthIn(b, T_world_b, onB)];
    return ofA >= 0 && ofB >= 0 ? ofA + ofB - 4 * this.relativeError * this.size : Number.NEGATIVE_INFINITY;
  }

  /** Bound on the motion of the point of a that is at p in the world, within the cell. */
  moved(p: Vec3): number {
    return this.relativeMotion(this.rates(), this.T_world_link, p, 1, 0).speed * (1 + this.relativeError);
  }

  /** The rates of a motion from the middle of the cell. */
  private rates(): JointRates {
    const still = new Float64Array(this.half.length);
    return { position: still, velocity: still, acceleration: still, speed: this.half };
  }
}

/** Radius of a sphere about a point of the world that lies in a part. */
export function depthIn({ shape, T_link_part }: CertifiedPart, T_world_link: Transform, p: Vec3): number {
  const [x, y, z] = transformedPoint(inverted(composed(T_world_link, T_link_part)), p);
  return insideDepth(shape, x, y, z);
}

/**
 * Returns a radius, metres: if it is not negative, the sphere of this radius about the point (x, y, z) lies in the
 * shape. Negative if the point is not proved to be inside. Shapes that are defined only by a support function contain
 * nothing.
 */
export function insideDepth(shape: ConvexShape, x: number, y: number, z: number): number {
  const { type, margin } = shape;
  const [s0] = shape.size;
  // Spheres about points and segments: the exact depth.
  if (type === 'sphere') return margin - length(x, y, z);
  if (type === 'capsule') return margin - length(x, y, Math.max(Math.abs(z) - s0, 0));
  const depth = coreDepth(shape, x, y, z);
  // A sphere in the core grows with it; nothing is claimed for points in the margin alone.
  return depth >= 0 ? depth + margin : depth;
}

/** The depth in the core; of a single point nothing. */
function coreDepth(shape: ConvexShape, x: number, y: number, z: number): number {
  const [s0, s1, s2] = shape.size;
  switch (shape.type) {
    case 'box':
      return Math.min(s0 - Math.abs(x), s1 - Math.abs(y), s2 - Math.abs(z));
    case 'cylinder':
      return Math.min(s0 - length(x, y, 0), s1 - Math.abs(z));
    case 'cone':
    case 'frustum': {
      // The side is the line from (s0, −s2) to (s1, s2) in the plane of (ρ, z).
      const slant = length(2 * s2, s0 - s1, 0);
      const side = (0.5 * (s0 + s1) - length(x, y, 0)) * 2 * s2 - z * (s0 - s1);
      return Math.min(side / slant, s2 - Math.abs(z));
    }
    case 'ellipsoid': {
      // The sphere about p with radius (1 − g) r, for the gauge g of p and the radius r of a sphere about the origin.
      const gauge = length(x / s0, y / s1, z / s2);
      return (1 - gauge) * Math.min(s0, s1, s2);
    }
    case 'halfspace':
      return -(s0 * x + s1 * y + s2 * z);
    case 'convex':
      return facetDepth(shape, x, y, z);
    default:
      return Number.NEGATIVE_INFINITY;
  }
}

function facetDepth(shape: ConvexShape, x: number, y: number, z: number): number {
  const facets = hullFacets(shape);
  let depth = facets.length > 0 ? Number.POSITIVE_INFINITY : Number.NEGATIVE_INFINITY;
  for (const { n, offset } of facets) depth = Math.min(depth, offset - (n[0] * x + n[1] * y + n[2] * z));
  return depth;
}

const length = (x: number, y: number, z: number): number => Math.sqrt(x * x + y * y + z * z);
