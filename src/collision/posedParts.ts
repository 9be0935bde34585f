import { poseMovingLinks, RobotState } from '../kinematics/forwardKinematics.ts';
import { extentOf } from '../kinematics/poseRounding.ts';
import type { Configuration } from '../math/configuration.ts';
import { compose, create, relative, type Transform } from '../math/transform.ts';
import { set, type Vec3 } from '../math/vec3.ts';
import type { ConvexShape } from '../shapes/shape.ts';
import { BoxTree } from './boxTree.ts';
import type { CollisionModel } from './collisionModel.ts';

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
   * Tree over the boxes of the obstacle parts, if there are at least MIN_PARTS_FOR_TREE.
   * @internal
   */
  readonly tree: BoxTree | undefined;
  /** Distance (m) from the world's origin to the farthest point of any obstacle that was moved; 0 if none was. */
  maxMovedExtent = 0;
  /** False for half-spaces: their box is −∞ to ∞. */
  private readonly hasBox: boolean[];
  /** Boxes in the local frames of the parts: centre and half extents, six numbers per part. */
  private readonly ownBoxes: Float64Array;

  constructor(
    /** Convex parts and collision pairs. */
    readonly model: CollisionModel,
  ) {
    const { robotParts, obstacleParts, robot } = model;
    this.state = new RobotState(robot);
    this.T_world_part = [
      ...robotParts.map((part) => (part.atLink ? this.state.T_world_link[part.link] : create())),
      ...obstacleParts.map((part) => Float64Array.from(part.T_world_part)),
    ];
    this.shapes = [...robotParts, ...obstacleParts].map((part) => part.shape);
    this.hasBox = this.shapes.map((shape) => shape.outerRadius < Number.POSITIVE_INFINITY);
    this.boxes = new Float64Array(BOX_SIZE * this.shapes.length);
    this.ownBoxes = Float64Array.from(this.shapes.flatMap(({ bounds }) => centerAndHalfExtents(bounds)));
    for (let o = 0; o < obstacleParts.length; o++) this.updateBox(robotParts.length + o);
    if (obstacleParts.length >= MIN_PARTS_FOR_TREE)
      this.tree = new BoxTree(this.boxes, robotParts.length, obstacleParts.length);
  }

  /** Computes forward kinematics for q, then the poses and boxes of all robot parts. */
  pose(q: Configuration): void {
    const { state, T_world_part } = this;
    const { robotParts } = this.model;
    poseMovingLinks(state, q);
    for (let i = 0; i < robotParts.length; i++) {
      const part = robotParts[i];
      if (!part.atLink) compose(T_world_part[i], state.T_world_link[part.link], part.T_link_part);
      this.updateBox(i);
    }
  }

  /** Moves an obstacle, given by its index in the scene, to the pose T_world_object. */
  moveObstacle(obstacle: number, T_world_object: Transform): void {
    const { robotParts, obstacleParts } = this.model;
    for (const [o, part] of obstacleParts.entries()) {
      if (part.obstacle !== obstacle) continue;
      compose(this.T_world_part[robotParts.length + o], T_world_object, part.T_object_part);
      const farthest = extentOf(part.shape, this.T_world_part[robotParts.length + o]);
      this.maxMovedExtent = Math.max(this.maxMovedExtent, farthest);
      this.updateBox(robotParts.length + o);
    }
    this.tree?.refit();
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

  /**
   * Returns true if the oriented bounding boxes (OBB) of a pair, at its relative pose, are proved to be more than
   * `reach` metres apart along one of their six face normals. Parts are elongated and not aligned with the world's
   * axes: this test separates half of the pairs that the world boxes do not, at a tenth of the cost of a checker. NaN
   * coordinates: false.
   */
  orientedBoxesSeparated(T_b_a: Transform, pair: number, reach: number): boolean {
    const { ownBoxes: own, model } = this;
    const a = BOX_SIZE * model.pairA[pair];
    const b = BOX_SIZE * model.pairB[pair];
    const r00 = T_b_a[0],
      r01 = T_b_a[1],
      r02 = T_b_a[2];
    const r10 = T_b_a[4],
      r11 = T_b_a[5],
      r12 = T_b_a[6];
    const r20 = T_b_a[8],
      r21 = T_b_a[9],
      r22 = T_b_a[10];
    const ax = own[a + 3],
      ay = own[a + 4],
      az = own[a + 5];
    const bx = own[b + 3],
      by = own[b + 4],
      bz = own[b + 5];
    // Vector from the centre of B's box to that of A's, in the frame of B; its rounding error is relative to the `size`
    // of all terms.
    const x = r00 * own[a] + r01 * own[a + 1] + r02 * own[a + 2] + T_b_a[3] - own[b];
    const y = r10 * own[a] + r11 * own[a + 1] + r12 * own[a + 2] + T_b_a[7] - own[b + 1];
    const z = r20 * own[a] + r21 * own[a + 1] + r22 * own[a + 2] + T_b_a[11] - own[b + 2];
    const size =
      Math.abs(own[a]) +
      Math.abs(own[a + 1]) +
      Math.abs(own[a + 2]) +
      ax +
      ay +
      az +
      bx +
      by +
      bz +
      Math.abs(own[b]) +
      Math.abs(own[b + 1]) +
      Math.abs(own[b + 2]) +
      Math.abs(T_b_a[3]) +
      Math.abs(T_b_a[7]) +
      Math.abs(T_b_a[11]);
    const minGap = reach + ROUNDING * size;
    const s00 = Math.abs(r00),
      s01 = Math.abs(r01),
      s02 = Math.abs(r02);
    const s10 = Math.abs(r10),
      s11 = Math.abs(r11),
      s12 = Math.abs(r12);
    const s20 = Math.abs(r20),
      s21 = Math.abs(r21),
      s22 = Math.abs(r22);
    return (
      Math.abs(x) > bx + s00 * ax + s01 * ay + s02 * az + minGap ||
      Math.abs(y) > by + s10 * ax + s11 * ay + s12 * az + minGap ||
      Math.abs(z) > bz + s20 * ax + s21 * ay + s22 * az + minGap ||
      Math.abs(r00 * x + r10 * y + r20 * z) > ax + s00 * bx + s10 * by + s20 * bz + minGap ||
      Math.abs(r01 * x + r11 * y + r21 * z) > ay + s01 * bx + s11 * by + s21 * bz + minGap ||
      Math.abs(r02 * x + r12 * y + r22 * z) > az + s02 * bx + s12 * by + s22 * bz + minGap
    );
  }

  /**
   * Returns the largest gap (metres) between the oriented bounding boxes of a pair, at its relative pose, along their
   * six face normals; at most zero if none of these separates them. `out` is the normal of that gap, from A to B in the
   * frame of B.
   */
  orientedBoxGap(out: Vec3, T_b_a: Transform, pair: number): number {
    const { ownBoxes: own, model } = this;
    const a = BOX_SIZE * model.pairA[pair];
    const b = BOX_SIZE * model.pairB[pair];
    const r00 = T_b_a[0],
      r01 = T_b_a[1],
      r02 = T_b_a[2];
    const r10 = T_b_a[4],
      r11 = T_b_a[5],
      r12 = T_b_a[6];
    const r20 = T_b_a[8],
      r21 = T_b_a[9],
      r22 = T_b_a[10];
    const ax = own[a + 3],
      ay = own[a + 4],
      az = own[a + 5];
    const bx = own[b + 3],
      by = own[b + 4],
      bz = own[b + 5];
    // Vector from the centre of B's box to that of A's, in the frame of B; its rounding error is relative to the `size`
    // of all terms.
    const x = r00 * own[a] + r01 * own[a + 1] + r02 * own[a + 2] + T_b_a[3] - own[b];
    const y = r10 * own[a] + r11 * own[a + 1] + r12 * own[a + 2] + T_b_a[7] - own[b + 1];
    const z = r20 * own[a] + r21 * own[a + 1] + r22 * own[a + 2] + T_b_a[11] - own[b + 2];
    const size =
      Math.abs(own[a]) +
      Math.abs(own[a + 1]) +
      Math.abs(own[a + 2]) +
      ax +
      ay +
      az +
      bx +
      by +
      bz +
      Math.abs(own[b]) +
      Math.abs(own[b + 1]) +
      Math.abs(own[b + 2]) +
      Math.abs(T_b_a[3]) +
      Math.abs(T_b_a[7]) +
      Math.abs(T_b_a[11]);
    const s00 = Math.abs(r00),
      s01 = Math.abs(r01),
      s02 = Math.abs(r02);
    const s10 = Math.abs(r10),
      s11 = Math.abs(r11),
      s12 = Math.abs(r12);
    const s20 = Math.abs(r20),
      s21 = Math.abs(r21),
      s22 = Math.abs(r22);
    const alongX = r00 * x + r10 * y + r20 * z,
      alongY = r01 * x + r11 * y + r21 * z,
      alongZ = r02 * x + r12 * y + r22 * z;
    const bX = Math.abs(x) - bx - s00 * ax - s01 * ay - s02 * az;
    const bY = Math.abs(y) - by - s10 * ax - s11 * ay - s12 * az;
    const bZ = Math.abs(z) - bz - s20 * ax - s21 * ay - s22 * az;
    const aX = Math.abs(alongX) - ax - s00 * bx - s10 * by - s20 * bz;
    const aY = Math.abs(alongY) - ay - s01 * bx - s11 * by - s21 * bz;
    const aZ = Math.abs(alongZ) - az - s02 * bx - s12 * by - s22 * bz;
    const maxGap = Math.max(bX, bY, bZ, aX, aY, aZ);
    if (maxGap === bX) set(out, x > 0 ? -1 : 1, 0, 0);
    else if (maxGap === bY) set(out, 0, y > 0 ? -1 : 1, 0);
    else if (maxGap === bZ) set(out, 0, 0, z > 0 ? -1 : 1);
    else if (maxGap === aX) setScaled(out, alongX > 0 ? -1 : 1, r00, r10, r20);
    else if (maxGap === aY) setScaled(out, alongY > 0 ? -1 : 1, r01, r11, r21);
    else setScaled(out, alongZ > 0 ? -1 : 1, r02, r12, r22);
    return maxGap - ROUNDING * size;
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
    const own = this.ownBoxes;
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
 * Returns centre and half extents of a box; the half extents are rounded such that centre + half is not below the
 * maximum.
 */
function centerAndHalfExtents(bounds: Float64Array): number[] {
  const middle = [0, 1, 2].map((k) => 0.5 * (bounds[k] + bounds[k + 3]));
  return [...middle, ...middle.map((c, k) => bounds[k + 3] - c)];
}

function setScaled(out: Vec3, factor: number, x: number, y: number, z: number): void {
  set(out, factor * x, factor * y, factor * z);
}
