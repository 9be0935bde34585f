import { poseMovingLinks, RobotState } from '../../kinematics/forwardKinematics.ts';
import { extentOf, offsetOf } from '../../kinematics/poseRounding.ts';
import { travelOf } from '../../kinematics/robotMagnitudes.ts';
import type { Configuration } from '../../math/configuration.ts';
import { Exclusion } from '../../math/exclusion.ts';
import { compose, create, relative, rotateBack, type Transform } from '../../math/transform.ts';
import type { Vec3 } from '../../math/vec3.ts';
import type { ConvexShape } from '../../shapes/shape.ts';
import { BoxTree } from './boxTree.ts';
import type { CollisionModel } from './collisionModel.ts';
import { OrientedBoxes } from './orientedBoxes.ts';

/** Numbers per box: min x, y, z, max x, y, z. */
export const BOX_SIZE = 6;
/**
 * Relative: bound on the rounding error of one coordinate of a box. Without it a box could fail to contain its part.
 */
const ROUNDING = 4e-15;

/**
 * From this number of obstacle parts on, a box tree is faster than checking every box. Measured on shelves of 8 to 1000
 * boards.
 */
const MIN_PARTS_FOR_TREE = 32;

/**
 * Poses and axis-aligned bounding boxes of all parts in the world, for one configuration. Allocated once for each
 * collision manager or motion prover, updated in place.
 */
export class PosedParts {
  /** Link poses of the configuration passed to `pose`. */
  readonly state: RobotState;
  /** Pose of part i in the world, robot parts first; a part whose pose is that of its link shares its memory. */
  readonly T_world_part: readonly Transform[];
  /** Shapes of all parts, robot parts first. */
  readonly shapes: readonly ConvexShape[];
  /** Axis-aligned boxes in the world, six numbers per part. */
  readonly boxes: Float64Array;
  /**
   * Oriented bounding boxes of all parts.
   * @internal
   */
  readonly orientedBoxes: OrientedBoxes;
  /**
   * Tree over the boxes of the obstacle parts, if there are at least MIN_PARTS_FOR_TREE.
   * @internal
   */
  readonly tree: BoxTree | undefined;
  /** Distance (m) from the world's origin to the farthest point of any obstacle that was moved; 0 if none was. */
  maxMovedExtent = 0;
  /** Incremented whenever an obstacle is moved. */
  generation = 0;
  /**
   * Incremented whenever the robot is posed.
   * @internal
   */
  poseCount = 0;
  /**
   * Taken by every query of these poses, so that no callback changes them meanwhile.
   * @internal
   */
  readonly use = new Exclusion('collision manager');
  /** False for half-spaces: their box is −∞ to ∞. */
  private readonly hasBox: boolean[];

  constructor(
    /** Convex parts and collision pairs. */
    readonly model: CollisionModel,
  ) {
    const { robotParts, obstacleParts, robot } = model;
    this.state = new RobotState(robot);
    this.T_world_part = [
      ...robotParts.map((part) => (part.atLink ? this.state.T_world_link[part.link] : create())),
      ...obstacleParts.map((part) => part.T_world_part.slice()),
    ];
    this.shapes = [...robotParts, ...obstacleParts].map((part) => part.shape);
    this.hasBox = this.shapes.map((shape) => shape.outerRadius < Number.POSITIVE_INFINITY);
    this.boxes = new Float64Array(BOX_SIZE * this.shapes.length);
    this.orientedBoxes = new OrientedBoxes(this.shapes);
    for (let o = 0; o < obstacleParts.length; o++) this.updateBox(robotParts.length + o);
    if (obstacleParts.length >= MIN_PARTS_FOR_TREE)
      this.tree = new BoxTree(this.boxes, robotParts.length, obstacleParts.length);
  }

  /** Computes forward kinematics for q, then the poses and boxes of all robot parts. */
  pose(q: Configuration): void {
    const { state, T_world_part } = this;
    const { robotParts } = this.model;
    this.poseCount++;
    poseMovingLinks(state, q);
    for (let i = 0; i < robotParts.length; i++) {
      const part = robotParts[i];
      if (!part.atLink) compose(T_world_part[i], state.T_world_link[part.link], part.T_link_part);
      this.updateBox(i);
    }
  }

  /**
   * Moves an obstacle, given by its index in the scene, to the pose T_world_object. Throws `InputError` during a query.
   */
  moveObstacle(obstacle: number, T_world_object: Transform): void {
    const { robotParts, obstacleParts, partStart } = this.model;
    this.use.requireFree();
    for (let o = partStart[obstacle]; o < partStart[obstacle + 1]; o++) {
      const part = obstacleParts[o];
      compose(this.T_world_part[robotParts.length + o], T_world_object, part.T_object_part);
      const farthest = extentOf(part.shape, this.T_world_part[robotParts.length + o]);
      this.maxMovedExtent = Math.max(this.maxMovedExtent, farthest);
      this.updateBox(robotParts.length + o);
    }
    this.tree?.refit();
    this.generation++;
  }

  /** Poses obstacles, given by their indices in the scene, as the model does now. @internal */
  followModel(moved: ReadonlySet<number>): void {
    const { robotParts, obstacleParts, partStart } = this.model;
    this.use.requireFree();
    const parts: number[] = [];
    for (const obstacle of moved) for (let o = partStart[obstacle]; o < partStart[obstacle + 1]; o++) parts.push(o);
    for (const o of parts) {
      this.T_world_part[robotParts.length + o].set(obstacleParts[o].T_world_part);
      this.updateBox(robotParts.length + o);
    }
    this.tree?.update(parts);
    this.generation++;
  }

  /**
   * Computes forward kinematics for q, without poses and boxes of parts: `poseParts` then updates the poses of pairs
   * whose boxes are not needed.
   */
  poseLinks(q: Configuration): void {
    this.poseCount++;
    poseMovingLinks(this.state, q);
  }

  /** Updates the poses of the robot parts of a pair after `poseLinks`, but not their boxes. */
  poseParts(pair: number): void {
    const { model } = this;
    this.posePart(model.pairA[pair]);
    if (model.isSelfPair(pair)) this.posePart(model.pairB[pair]);
  }

  private posePart(i: number): void {
    const { link, atLink, T_link_part } = this.model.robotParts[i];
    if (!atLink) compose(this.T_world_part[i], this.state.T_world_link[link], T_link_part);
  }

  /** Computes T_b_a, the pose of part A of a pair in the frame of part B. */
  relativePose(T_b_a: Transform, pair: number): void {
    const { model, T_world_part } = this;
    relative(T_b_a, T_world_part[model.pairB[pair]], T_world_part[model.pairA[pair]]);
  }

  /**
   * Returns false if the world boxes of a pair are more than `reach` metres apart along an axis; true if a coordinate
   * is NaN.
   */
  boxesNear(pair: number, reach: number): boolean {
    const { boxes, model } = this;
    const a = BOX_SIZE * model.pairA[pair];
    const b = BOX_SIZE * model.pairB[pair];
    return !(
      boxes[a] > boxes[b + 3] + reach ||
      boxes[b] > boxes[a + 3] + reach ||
      boxes[a + 1] > boxes[b + 4] + reach ||
      boxes[b + 1] > boxes[a + 4] + reach ||
      boxes[a + 2] > boxes[b + 5] + reach ||
      boxes[b + 2] > boxes[a + 5] + reach
    );
  }

  /** Returns the squared distance between the world boxes of a pair; 0 if they overlap. */
  boxDistanceSquared(pair: number): number {
    const { boxes, model } = this;
    const a = BOX_SIZE * model.pairA[pair];
    const b = BOX_SIZE * model.pairB[pair];
    const x = Math.max(boxes[b] - boxes[a + 3], boxes[a] - boxes[b + 3]);
    const y = Math.max(boxes[b + 1] - boxes[a + 4], boxes[a + 1] - boxes[b + 4]);
    const z = Math.max(boxes[b + 2] - boxes[a + 5], boxes[a + 2] - boxes[b + 5]);
    let sum = 0;
    if (x > 0) sum += x * x;
    if (y > 0) sum += y * y;
    if (z > 0) sum += z * z;
    return sum;
  }

  /**
   * Updates the world box of a part from its local box (centre c, half extents h): half extents |R| h about R c + t.
   * Exact for boxes.
   */
  private updateBox(part: number): void {
    const { boxes } = this;
    const T = this.T_world_part[part];
    const own = this.orientedBoxes.boxes;
    const o = BOX_SIZE * part;
    if (!this.hasBox[part]) {
      boxes.fill(Number.NEGATIVE_INFINITY, o, o + 3);
      boxes.fill(Number.POSITIVE_INFINITY, o + 3, o + 6);
      return;
    }
    const cx = own[o],
      cy = own[o + 1],
      cz = own[o + 2];
    const hx = own[o + 3],
      hy = own[o + 4],
      hz = own[o + 5];
    const offset = Math.abs(cx) + Math.abs(cy) + Math.abs(cz);
    for (let axis = 0; axis < 3; axis++) {
      const row = 4 * axis;
      const middle = T[row] * cx + T[row + 1] * cy + T[row + 2] * cz + T[row + 3];
      const extent = Math.abs(T[row]) * hx + Math.abs(T[row + 1]) * hy + Math.abs(T[row + 2]) * hz;
      const half = extent + ROUNDING * (Math.abs(T[row + 3]) + offset + extent);
      boxes[o + axis] = middle - half;
      boxes[o + axis + 3] = middle + half;
    }
  }
}

/**
 * Computes the normal between the world bounding boxes of a pair: the unit vector from A to B between their nearest
 * points, in the frame of part B. The boxes must be disjoint.
 */
export function boxDirection(out: Vec3, posed: PosedParts, pair: number): void {
  const { boxes, model } = posed;
  const a = BOX_SIZE * model.pairA[pair];
  const b = BOX_SIZE * model.pairB[pair];
  const scale = 1 / Math.sqrt(posed.boxDistanceSquared(pair));
  for (let axis = 0; axis < 3; axis++) {
    const after = boxes[b + axis] - boxes[a + axis + 3];
    const before = boxes[a + axis] - boxes[b + axis + 3];
    out[axis] = scale * (after > 0 ? after : before > 0 ? -before : 0);
  }
  rotateBack(out, posed.T_world_part[model.pairB[pair]], out);
}

/** Metres; up to this distance from the world's origin the rounding of poses is a few picometres and is neglected. */
const NEGLIGIBLE_ROUNDING_EXTENT = 1000;

/**
 * Returns a bound (metres) on the error of the distance of two parts due to the rounding of poses: proportional to the
 * sum of the offset of the robot, the origins along the chain, the travel of prismatic joints, and the farthest points
 * of robot parts and obstacles. 0 if that sum is at most NEGLIGIBLE_ROUNDING_EXTENT.
 * @param moved distance to the farthest point of an obstacle that was moved after the model was created, metres
 */
export function roundingOfPoses({ robot, partExtent, obstacleExtent }: CollisionModel, moved = 0): number {
  const extent = offsetOf(robot.T_world_root) + chainLength(robot) + partExtent + Math.max(obstacleExtent, moved);
  return extent > NEGLIGIBLE_ROUNDING_EXTENT ? 16 * (robot.joints.length + 4) * Number.EPSILON * extent : 0;
}

/** Sum of the offsets between joint origins and of the travel of all prismatic joints, metres. */
const chainLength = ({ joints, variables }: CollisionModel['robot']): number =>
  joints.reduce((sum, joint) => sum + offsetOf(joint.T_parent_joint) + travelOf(joint, variables), 0);
